// Package request is the request: one model call as plain data, the same for
// every provider. It does not know any provider's language (the wire families
// spell a [Prepared] request) and sends nothing.
//
//	weather, err := request.NewTool("get_weather", "Weather of a city.", `{
//		"type": "object",
//		"properties": {"city": {"type": "string"}},
//		"required": ["city"]
//	}`)
//	req := request.Request{
//		System:      "Answer in one sentence.",
//		Messages:    []request.Message{request.UserText("Weather in Oslo?")},
//		Tools:       []request.Tool{weather},
//		Temperature: new(0.2),
//	}
//
// A [Request] is built by hand or read with [Parse]. [Request.CheckFor] tells
// every problem that a model of a given [Spec] would have with it;
// [Request.Prepare], which adapters call, returns a cleaned copy for one model
// together with notices of what was left out. [Tool.Check] holds the arguments of
// a call to the tool's schema, [Answer.Check] the text of a structured answer to its
// own.
//
// # History
//
// Messages are turns of a user, of the assistant, or of tools. Each tool call is
// answered by exactly one result, in the tool messages that follow its turn
// directly, in any order. Ids pair calls and results within one turn only: the
// same id in a later turn is another call. Several messages of one role may follow
// each other, and the assistant may speak first; families merge or refuse what
// their wire does not take. Empty texts, and messages that are empty without them,
// are left out with a notice, because providers refuse them and would refuse the
// conversation for ever.
//
// # JSON
//
// The JSON form is one object; all members are optional, null is absent, unknown
// members are refused:
//
//	system             text
//	messages           list of {"role": "user" | "assistant" | "tool",
//	                            "content": text or list of blocks,
//	                            "data": provider data}
//	tools              list of {"name": text, "description": text, "schema": object}
//	answer             {"name": text, "schema": object, "strict": true or false}
//	tool_choice        {"mode": "none" | "required"}, {"mode": "named", "name": text},
//	                   or the mode alone as text, "auto" included
//	parallel, strict, citations      true or false
//	max_output_tokens, thinking_budget, seed      integers
//	temperature, top_p                            numbers
//	stop               list of texts
//	effort             "off" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max"
//	hosted_tools       list of {"type": "web_search", "max_uses": integer,
//	                   "allowed_domains" or "blocked_domains": list of texts, "location":
//	                   {"city", "region", "country", "timezone"}}
//	                   and of {"type": "raw", "family": text, "tool": object}
//	cache              {"automatic": time, "tools": time, "system": time, "key": text}
//	extra              {family: object}
//
// A content that is a text is the same as a list of one text block. Blocks:
//
//	{"type": "text", "text": text}
//	{"type": "image" | "audio" | "file", "media_type": text, "data": base64, "name": text}
//	{"type": "image" | "audio" | "file", "media_type": text, "url": text, "name": text}
//	{"type": "tool_call", "id": text, "name": text, "arguments": text of a JSON object,
//	 "minted": true, "replay": provider data}
//	{"type": "tool_result", "id": text of the call's id, "content": as of a message,
//	 "is_error": true}
//
// Each may have "cache": time too, but for those inside a result. A time is "5m" or
// "1h".
//
// Provider data is {"format": text, "origin": text, "value": text}, and its value
// is always a text, so that it comes back byte for byte. [Request.Canonical] writes
// the one canonical spelling of this form.
//
// # Limits
//
// 4,096 messages of 1,024 blocks; 256 tools, 256 KiB and depth 32 a schema; 20 MiB
// an inline image, clip or file; 16 stop sequences. JSON is read within the bounds
// of [events.CheckArguments]: depth 64, number literals of at most 1,000
// characters, exponents of at most 10,000 each and 1,000,000 in all. No schema is
// ever loaded from a file or the network.
//
// Package events has the vocabulary of replies; package providers the port that
// takes a Request.
package request
