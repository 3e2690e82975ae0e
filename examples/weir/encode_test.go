package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestEncode(t *testing.T) {
	t.Parallel()
	request := filepath.Join("testdata", "request.json")
	rows := []struct {
		why    string
		golden string
		args   []string
	}{
		{"the family's first provider", "encode-openai.golden", []string{"--api", "openai-chat", "--model", "gpt-4.1"}},
		{"a vendor with a row", "encode-groq.golden", []string{"--api", "openai-chat", "--vendor", "groq", "--model", "llama-3.3-70b-versatile"}},
		{"a vendor of its own adapter", "encode-openrouter.golden", []string{"--api", "openai-chat", "--vendor", "openrouter", "--model", "openai/gpt-4.1"}},
		{"items and not messages", "encode-responses.golden", []string{"--api", "openai-responses", "--model", "gpt-5.6"}},
		{"a vendor's dialect of the other API", "encode-responses-lmstudio.golden", []string{"--api", "openai-responses", "--vendor", "lmstudio", "--model", "m"}},
		{"system and results are spelled in another way", "encode-anthropic.golden", []string{"--api", "anthropic-messages", "--model", "claude-sonnet-4-5"}},
		{"parts, and roles of its own", "encode-gemini.golden", []string{"--api", "gemini-generate", "--model", "gemini-3.8-flash"}},
		{"a system message, and one message a result", "encode-cohere.golden", []string{"--api", "cohere-chat", "--model", "command-a-03-2025"}},
		{"blocks without a type", "encode-converse.golden", []string{"--api", "bedrock-converse", "--model", "us.amazon.nova-2-lite-v1:0"}},
		{"the version instead of the model", "encode-invoke.golden", []string{"--api", "bedrock-invoke", "--model", "anthropic.claude-opus-4-6-v1"}},
		{"the version of another host", "encode-vertex.golden", []string{"--api", "anthropic-messages", "--vendor", "vertex", "--model", "claude-sonnet-4-5@20250929"}},
		{"a host that takes no ids", "encode-vertex-gemini.golden", []string{"--api", "gemini-generate", "--vendor", "vertex", "--model", "gemini-3.8-flash"}},
		{"arguments are an object", "encode-ollama.golden", []string{"--api", "ollama-chat", "--model", "llama3.2"}},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			got := weir(t, append(append([]string{"encode"}, row.args...), request)...)
			if got.status != exitOK || got.err != "" {
				t.Errorf("status %d, said %q", got.status, got.err)
			}
			if strings.Contains(got.out, `\u003c`) || strings.HasSuffix(got.out, "\n") {
				t.Error("not the exact body: it is HTML-escaped or has a line end")
			}
			golden(t, row.golden, got.out)
			shown := weirOn(t, console{in: strings.NewReader(""), terminal: true}, append(append([]string{"encode"}, row.args...), request)...)
			if shown.out != got.out+"\n" {
				t.Error("on a terminal the body has no line end after it")
			}
		})
	}
}

// TestEncodeSaysWhatIsLeftOut has a line for each notice of the adapter, also for
// what only the wire family knows, and is a success all the same.
func TestEncodeSaysWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	rows := []struct{ why, api, model, more, says string }{
		{"a parameter that the model does not take", "openai-chat", "gpt-5", `"temperature": 0.5`, "parameter_dropped: the model does not take temperature"},
		{"one that the API has no word for", "openai-chat", "gpt-4.1", `"thinking_budget": 1024`, "parameter_dropped: the model does not take thinking_budget"},
		{"two of them", "openai-chat", "gpt-5", `"temperature": 0.5, "top_p": 0.5`, "parameter_dropped: the model does not take temperature\nweir: encode: parameter_dropped: the model does not take top_p"},
		{"one that is clamped names its field", "openai-chat", "gpt-5", `"max_output_tokens": 128001`, "parameter_dropped: max_output_tokens: 128001 is above the model's maximum, 128000, which takes its place"},
		{"another API", "anthropic-messages", "claude-sonnet-4-5", `"seed": 7`, "parameter_dropped: the model does not take seed"},
		{"lines", "ollama-chat", "llama3.2", `"parallel": false`, "parameter_dropped: the model does not take parallel"},
	}
	for _, row := range rows {
		file := write(t, "request.json", `{"messages": [{"role": "user", "content": "hi"}], `+row.more+`}`)
		got := weir(t, "encode", "--api", row.api, "--model", row.model, file)
		if want := "weir: encode: " + row.says + "\n"; got.status != exitOK || got.err != want {
			t.Errorf("%s: status %d, said %q, want %q", row.why, got.status, got.err, want)
		}
		if !strings.Contains(got.out, `"content":`) {
			t.Errorf("%s: printed %q", row.why, got.out)
		}
	}
}

// TestUnknownFieldsHaveAHint reads what is written for other APIs: one line says
// what to write instead.
func TestUnknownFieldsHaveAHint(t *testing.T) {
	t.Parallel()
	openAITool := `{"type": "function", "function": {"name": "a", "parameters": {}}}`
	rows := []struct{ why, text, field, says string }{
		{"OpenAI's cap", `{"max_tokens": 3}`, "max_tokens:", "max_output_tokens"},
		{"the model, which is a flag here", `{"model": "m"}`, "model:", "--model"},
		{"OpenAI's tool", `{"tools": [` + openAITool + `]}`, "tools[0].type:", `{"name", "description", "schema"}`},
		{"a field of nobody", `{"frobs": 1}`, "frobs:", docs},
		{"not a matter of fields", `{"messages": 1}`, "messages:", "is not a list\n"},
	}
	for _, row := range rows {
		got := weirOn(t, console{in: strings.NewReader(row.text)}, "encode", "--api", "openai-chat", "--model", "m", "-")
		if got.status != exitUsage || got.out != "" || strings.Count(got.err, "\n") != 1 ||
			!strings.HasPrefix(got.err, "weir: encode: -: "+row.field) || !strings.Contains(got.err, row.says) {
			t.Errorf("%s: status %d, printed %q, said %q", row.why, got.status, got.out, got.err)
		}
	}
	got := weirOn(t, console{in: strings.NewReader("[" + openAITool + "]")}, "inspect", "--api", "openai-chat", "--tools", "-", write(t, "a.sse", ""))
	if got.status != exitUsage || !strings.Contains(got.err, "tools[0].type:") || !strings.Contains(got.err, `"schema"}`) {
		t.Errorf("inspect: status %d, said %q", got.status, got.err)
	}
}

// TestEncodeRefuses shows a request that no adapter sends: nothing on the
// output, one line that says why.
func TestEncodeRefuses(t *testing.T) {
	t.Parallel()
	for _, api := range []string{"openai-chat", "openai-responses", "anthropic-messages", "gemini-generate", "ollama-chat", "cohere-chat", "bedrock-converse", "bedrock-invoke"} {
		file := write(t, "empty.json", `{"messages": []}`)
		got := weir(t, "encode", "--api", api, "--model", "m", file)
		if got.status != exitFailed || got.out != "" || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "refused") {
			t.Errorf("%s: status %d, printed %q, said %q", api, got.status, got.out, got.err)
		}
	}
}
