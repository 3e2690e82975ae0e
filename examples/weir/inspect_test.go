package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An inspectRow is one run of inspect on a file of testdata.
type inspectRow struct {
	why    string
	golden string
	status int
	args   []string
	file   string
	stdin  string // when file is "-"
}

// bedrockData is where the test data of the adapter is, which is written as text.
const bedrockData = "../../../providers/bedrock/testdata/conformance/"

func inspectRows() []inspectRow {
	return []inspectRow{
		{"a tool call of a server that labels nothing", "chat-tool.golden", exitOK, []string{"--api", "openai-chat", "--vendor", "ollama"}, "chat-tool.sse", ""},
		{"reasoning that goes back, a text and a call", "responses-tool.golden", exitOK, []string{"--api", "openai-responses", "--vendor", "openai"}, "responses-tool.sse", ""},
		{"thinking and a call, with a repeated index", "messages-tool.golden", exitOK, []string{"--api", "anthropic-messages"}, "messages-tool.sse", ""},
		{"arguments as an object, no stop reason of its own", "ollama-tool.golden", exitOK, []string{"--api", "ollama-chat"}, "ollama-tool.ndjson", ""},
		{"calls without ids, and a signature on one", "gemini-tool.golden", exitOK, []string{"--api", "gemini-generate"}, "gemini-tool.sse", ""},
		{"the same by another host, whose data it is", "vertex-tool.golden", exitOK, []string{"--api", "gemini-generate", "--vendor", "vertex"}, "gemini-tool.sse", ""},
		{"a refusal of Google in front of Claude", "vertex-403.golden", exitFailed, []string{"--api", "anthropic-messages", "--vendor", "vertex", "--status", "403"}, "-", `[{"error":{"code":403,"message":"Permission denied","status":"PERMISSION_DENIED"}}]`},
		{"a bare error, with its wait inside", "gemini-429.golden", exitFailed, []string{"--api", "gemini-generate", "--status", "429"}, "-", `{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}]}}`},
		{"a tool plan, and counts that are floats", "cohere-tool.golden", exitOK, []string{"--api", "cohere-chat"}, "cohere-tool.sse", ""},
		{"binary messages", "converse-tool.golden", exitOK, []string{"--api", "bedrock-converse"}, "converse-tool.bin", ""},
		{"binary messages, a few bytes a read", "converse-tool.golden", exitOK, []string{"--api", "bedrock-converse", "--split", "3"}, "converse-tool.bin", ""},
		{"the same messages as text", "converse-text.golden", exitOK, []string{"--api", "bedrock-converse"}, bedrockData + "text.eventstream", ""},
		{"an exception as text", "converse-exception.golden", exitFailed, []string{"--api", "bedrock-converse"}, bedrockData + "error-middle.eventstream", ""},
		{"text that is called text", "converse-sse.golden", exitFailed, []string{"--api", "bedrock-converse", "--header", "Content-Type: text/event-stream"}, bedrockData + "text.eventstream", ""},
		{"another language in binary messages", "messages-tool.golden", exitOK, []string{"--api", "bedrock-invoke"}, "invoke-tool.bin", ""},
		{"a message that is cut", "converse-cut.golden", exitFailed, []string{"--api", "bedrock-converse", "--cut", "300"}, "converse-tool.bin", ""},
		{"a refusal of AWS", "converse-403.golden", exitFailed, []string{"--api", "bedrock-converse", "--status", "403", "--header", "X-Amzn-Errortype: AccessDeniedException:http://internal.amazon.com/coral/com.amazon.bedrock/"}, "-", `{"message":"You don't have access to the model with the specified model ID."}`},
		{"a raw response that ends inside a call", "chat-cut.golden", exitFailed, []string{"--api", "openai-chat", "--http"}, "chat-cut.http", ""},
		{"an error as the first event of a 200", "messages-overloaded.golden", exitFailed, []string{"--api", "anthropic-messages", "--http"}, "messages-overloaded.http", ""},
		{"a body that is cut", "chat-half.golden", exitFailed, []string{"--api", "openai-chat", "--cut", "500"}, "chat-tool.sse", ""},
		{"a body that is reset after its end marker", "chat-tool.golden", exitOK, []string{"--api", "openai-chat", "--vendor", "ollama", "--reset"}, "chat-tool.sse", ""},
		{"a body that is reset before it", "chat-reset.golden", exitFailed, []string{"--api", "openai-chat", "--cut", "500", "--reset"}, "chat-tool.sse", ""},
		{"a call that fits its tool", "chat-tool.golden", exitOK, []string{"--api", "openai-chat", "--vendor", "ollama", "--tools", "testdata/tools.json"}, "chat-tool.sse", ""},
		{"a call that does not", "chat-tool-strict.golden", exitFailed, []string{"--api", "openai-chat", "--vendor", "ollama", "--tools", "testdata/tools-strict.json"}, "chat-tool.sse", ""},
		{"a refused request with its wait", "chat-429.golden", exitFailed, []string{"--api", "openai-chat", "--vendor", "openai", "--status", "429", "--header", "Retry-After: 2", "--header", "X-Request-Id: req_1"}, "-", `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`},
		{"a header that was given stays", "chat-html.golden", exitFailed, []string{"--api", "openai-chat", "--header", "Content-Type: text/html"}, "chat-tool.sse", ""},
		{"a raw response whose last chunk never comes", "chat-broken.golden", exitFailed, []string{"--api", "openai-chat", "--http"}, "-", "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n2f\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n\r\n"},
	}
}

func TestInspect(t *testing.T) {
	t.Parallel()
	for _, row := range inspectRows() {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			file := row.file
			if file != "-" {
				file = filepath.Join("testdata", file)
			}
			for _, split := range []string{"", "1", "7"} {
				args := append([]string{"inspect", "--json"}, row.args...)
				if split != "" {
					args = append(args, "--split", split)
				}
				got := weirOn(t, console{in: strings.NewReader(row.stdin), terminal: true}, append(args, file)...)
				if got.status != row.status || got.err != "" {
					t.Errorf("split %q: status %d, want %d; said %q", split, got.status, row.status, got.err)
				}
				golden(t, row.golden, got.out)
			}
		})
	}
}

// TestInspectNeverCompletesACutBody cuts a recording at every byte: it completes
// from one byte on, the one that ends the frame with the terminal evidence.
func TestInspectNeverCompletesACutBody(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "chat-tool.sse")
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	evidence := strings.Index(string(body), `"finish_reason":"tool_calls"`)
	completed := 0
	for cut := range len(body) + 1 {
		got := weir(t, "inspect", "--api", "openai-chat", "--cut", fmt.Sprint(cut), file)
		if got.status == exitOK {
			completed++
		}
		if got.status == exitOK && cut < evidence {
			t.Errorf("completed when cut at byte %d, before the evidence at %d", cut, evidence)
		}
		if got.status != exitOK && got.status != exitFailed {
			t.Errorf("status %d when cut at byte %d: %s", got.status, cut, got.err)
		}
	}
	if completed == 0 {
		t.Error("never completed")
	}
}

// TestInspectKnowsWhoReads prints a table for people and JSON for programs,
// unless it is told otherwise.
func TestInspectKnowsWhoReads(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why      string
		terminal bool
		flag     string
		golden   string
	}{
		{"a person reads", true, "", "ollama-tool-table.golden"},
		{"a program reads", false, "", "ollama-tool.golden"},
		{"a person wants JSON", true, "--json", "ollama-tool.golden"},
		{"a file of the table", false, "--json=false", "ollama-tool-table.golden"},
	}
	for _, row := range rows {
		args := []string{"inspect", "--api", "ollama-chat", filepath.Join("testdata", "ollama-tool.ndjson")}
		if row.flag != "" {
			args = append(args, row.flag)
		}
		got := weirOn(t, console{in: strings.NewReader(""), terminal: row.terminal}, args...)
		if got.status != exitOK || got.err != "" {
			t.Errorf("%s: status %d, said %q", row.why, got.status, got.err)
		}
		golden(t, row.golden, got.out)
	}
}

func TestInspectReportsAnOutputThatIsGone(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	args := []string{"inspect", "--api", "ollama-chat", filepath.Join("testdata", "ollama-tool.ndjson")}
	status := run(t.Context(), args, console{in: strings.NewReader(""), out: brokenPipe{}, err: &errs})
	if status != exitOutput || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("status %d, said %q", status, errs.String())
	}
}
