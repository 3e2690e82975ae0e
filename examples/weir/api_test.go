package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func TestVendorsHaveTheirAdapters(t *testing.T) {
	t.Parallel()
	rows := []struct{ why, api, vendor, adapter, name string }{
		{"no vendor gets the tolerant default", "openai-chat", "", "*compatible.Model", "compatible:m"},
		{"a vendor without a row too", "openai-chat", "nobody", "*compatible.Model", "nobody:m"},
		{"a vendor with a row", "openai-chat", "groq", "*compatible.Model", "groq:m"},
		{"an adapter of its own", "openai-chat", "azure", "*azure.Model", "azure:m"},
		{"a vendor whose address needs an account", "openai-chat", "cloudflare", "*compatible.Model", "cloudflare:m"},
		{"an adapter of its own", "openai-chat", "openai", "*openai.Model", "openai:m"},
		{"an adapter of its own", "openai-chat", "openrouter", "*openrouter.Model", "openrouter:m"},
		{"the other API of an adapter", "openai-responses", "openai", "*openai.Model", "openai:m"},
		{"the other API of an adapter", "openai-responses", "openrouter", "*openrouter.Model", "openrouter:m"},
		{"the other API of an adapter", "openai-responses", "azure", "*azure.Model", "azure:m"},
		{"the other API of a vendor with a row", "openai-responses", "xai", "*compatible.Model", "xai:m"},
		{"a vendor without a row of either", "openai-responses", "nobody", "*compatible.Model", "nobody:m"},
		{"one adapter, whoever serves it", "anthropic-messages", "ollama", "*anthropic.Model", "anthropic:m"},
		{"one adapter, whoever serves it", "gemini-generate", "", "*gemini.Model", "gemini:m"},
		{"Google's other host of both", "gemini-generate", "vertex", "*vertex.Model", "vertex:m"},
		{"Google's other host of both", "anthropic-messages", "vertex", "*vertex.Model", "vertex:m"},
		{"and of no other API", "openai-chat", "vertex", "*compatible.Model", "vertex:m"},
		{"one adapter, whoever serves it", "ollama-chat", "", "*ollama.Model", "ollama:m"},
		{"one adapter, whoever serves it", "cohere-chat", "", "*cohere.Model", "cohere:m"},
		{"one adapter, whoever serves it", "bedrock-converse", "", "*bedrock.Model", "bedrock:m"},
		{"the other API of an adapter", "bedrock-invoke", "amazon", "*bedrock.Model", "bedrock:m"},
	}
	for _, row := range rows {
		model, err := openModel(target{api: row.api, vendor: row.vendor, model: "m"})
		if err != nil {
			t.Fatalf("%s: %v", row.why, err)
		}
		if got := fmt.Sprintf("%T", model); got != row.adapter || model.Name() != row.name {
			t.Errorf("%s: got %s named %s", row.why, got, model.Name())
		}
	}
}

// TestAVendorWithoutARowIsTold says it in one line, and goes on.
func TestAVendorWithoutARowIsTold(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, api, vendor string
		told             bool
	}{
		{"nobody knows it", "openai-chat", "nope", true},
		{"another usual name of a preset", "openai-chat", "Groq", false},
		{"another usual name of one without quirks", "openai-chat", "LM Studio", false},
		{"no vendor", "openai-chat", "", false},
		{"the tolerant default by its name", "openai-chat", "compatible", false},
		{"a preset with quirks", "openai-chat", "groq", false},
		{"a preset without any", "openai-chat", "ollama", false},
		{"quirks without a preset", "openai-chat", "azure", false},
		{"an adapter of its own", "openai-chat", "openai", false},
		{"an adapter of its own", "openai-chat", "openrouter", false},
		{"nobody knows it by the other API", "openai-responses", "nope", true},
		{"an adapter of its own by the other API", "openai-responses", "openai", false},
		{"a host of another API", "openai-chat", "vertex", true},
	}
	for _, row := range rows {
		for command, args := range map[string][]string{
			"inspect": {"--cut", "0", filepath.Join("testdata", "chat-tool.sse")},
			"encode":  {"--model", "m", filepath.Join("testdata", "request.json")},
		} {
			plain := weir(t, append([]string{command, "--api", row.api}, args...)...)
			got := weir(t, append([]string{command, "--api", row.api, "--vendor", row.vendor}, args...)...)
			want := ""
			if row.told {
				want = "weir: " + command + `: no row for vendor "` + row.vendor + "\": the tolerant default is used\n"
			}
			if got.err != want || got.status != plain.status {
				t.Errorf("%s, %s: status %d, said %q, want %q", row.why, command, got.status, got.err, want)
			}
		}
	}
}

// TestAVendorThatChangesNothingIsTold: where an API has one dialect, who asks for another
// one does not get it, and is told so.
func TestAVendorThatChangesNothingIsTold(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, api, vendor string
		told             bool
	}{
		{"a vendor of other APIs", "anthropic-messages", "groq", true},
		{"nobody knows it", "ollama-chat", "nope", true},
		{"whose usual API is another one", "gemini-generate", "openai", true},
		{"the tolerant default of other APIs", "cohere-chat", "compatible", true},
		{"Google's host speaks others", "bedrock-converse", "vertex", true},
		{"and this one", "anthropic-messages", "vertex", false},
		{"and this one", "gemini-generate", "vertex", false},
		{"whose API it is", "anthropic-messages", "anthropic", false},
		{"whose API it is", "bedrock-invoke", "bedrock", false},
		{"no vendor", "anthropic-messages", "", false},
	}
	for _, row := range rows {
		for command, args := range map[string][]string{
			"inspect": {"--cut", "0", filepath.Join("testdata", "chat-tool.sse")},
			"encode":  {"--model", "m", filepath.Join("testdata", "request.json")},
		} {
			plain := weir(t, append([]string{command, "--api", row.api}, args...)...)
			got := weir(t, append([]string{command, "--api", row.api, "--vendor", row.vendor}, args...)...)
			want := plain.err
			if row.told {
				want = "weir: " + command + ": " + row.api + ` has one dialect: vendor "` + row.vendor + "\" changes nothing in it\n" + want
			}
			if got.err != want || got.status != plain.status || row.told && got.out != plain.out {
				t.Errorf("%s, %s: status %d, said %q, want %q", row.why, command, got.status, got.err, want)
			}
		}
	}
}

func TestContentType(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why, api, want string
		status         int
	}{
		{"a stream of events", "openai-chat", "text/event-stream", 200},
		{"a stream of lines", "ollama-chat", "application/x-ndjson", 200},
		{"errors are no streams", "openai-chat", "application/json", 429},
		{"nor is what went elsewhere", "ollama-chat", "application/json", 302},
	} {
		if got := contentType(row.api, row.status); got != row.want {
			t.Errorf("%s: got %s", row.why, got)
		}
	}
	in, err := parseInspect([]string{"--api", "ollama-chat", "-"}, console{in: strings.NewReader("")})
	if got := in.tape.header.Get("Content-Type"); err != nil || got != "application/x-ndjson" {
		t.Errorf("a recording without headers gets %q, error %v", got, err)
	}
}
