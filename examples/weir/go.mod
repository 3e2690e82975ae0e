module github.com/weirsdk/weir/examples/weir

go 1.26

require github.com/weirsdk/weir v0.0.0

require (
	github.com/santhosh-tekuri/jsonschema/v5 v5.3.1 // indirect
	github.com/valyala/fastjson v1.6.10 // indirect
)

replace github.com/weirsdk/weir => ../..
