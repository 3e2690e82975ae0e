package geminiwire

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/wirejson"
)

// CountMember holds the count in the answer to a countTokens call.
const CountMember = "totalTokens"

// CountBody returns the body of a countTokens call of the Gemini API: the whole
// request, which there names its model (ai.google.dev/api/tokens, a stored copy read
// 2026-12-01). Resource is its name, "models/" included.
func CountBody(body []byte, resource string) []byte {
	dst := events.AppendQuoted([]byte(`{"generateContentRequest":{"model":`), resource)
	return append(append(append(dst, ','), body[1:]...), '}')
}

// VertexCountBody returns the body of a countTokens call of Vertex AI, which takes
// contents, tools, systemInstruction and generationConfig (docs.cloud.google.com/
// gemini-enterprise-agent-platform/reference/express-mode/rest/v1/publishers.models/
// countTokens, a stored copy read 2026-12-01). Left out is what adds no input; what is
// not known here goes along, so that it is refused and not left out of the count.
func VertexCountBody(body []byte) []byte {
	return wirejson.Without(body, "toolConfig", "safetySettings", "labels")
}
