module github.com/weirsdk/weir/conformance/interop

go 1.26.0

require (
	github.com/stretchr/testify v1.12.1
	github.com/weirsdk/weir v0.0.0
	github.com/weirsdk/weir/providers/bedrock v0.0.0
	go.uber.org/goleak v1.3.0
)

require (
	github.com/aws/aws-sdk-go-v2 v1.48.0 // indirect
	github.com/aws/smithy-go v1.28.9 // indirect
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // indirect
	github.com/valyala/fastjson v1.6.10 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/weirsdk/weir => ../..

replace github.com/weirsdk/weir/providers/bedrock => ../../providers/bedrock
