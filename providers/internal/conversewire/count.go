package conversewire

import (
	"encoding/base64"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// CountMember holds the count in the answer to a CountTokens call.
const CountMember = "inputTokens"

// CountBody returns the body of a CountTokens call about a body of this family, of
// which it takes four members (docs.aws.amazon.com/bedrock/latest/APIReference/
// API_runtime_CountTokensInput.html, and ConverseTokensRequest of aws-sdk-bedrockruntime
// 1.130.0, docs.rs, stored copies read 2026-12-01).
func CountBody(body []byte) []byte {
	taken := wirejson.Only(body, "messages", "system", "toolConfig", "additionalModelRequestFields")
	return append(append([]byte(`{"input":{"converse":`), taken...), "}}"...)
}

// InvokeCountBody returns the body of a CountTokens call about a body of another
// family, which InvokeModel takes as it is (docs.aws.amazon.com/bedrock/latest/
// APIReference/API_runtime_InvokeModelTokensRequest.html, a stored copy read
// 2026-12-01).
func InvokeCountBody(body []byte) []byte {
	dst := base64.StdEncoding.AppendEncode([]byte(`{"input":{"invokeModel":{"body":"`), body)
	return append(dst, `"}}}`...)
}
