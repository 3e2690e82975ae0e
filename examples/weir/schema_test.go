package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// schemaFile has something that each profile loses, and a property that is called
// like a keyword.
func schemaFile() string { return filepath.Join("testdata", "schema.json") }

func TestSchema(t *testing.T) {
	t.Parallel()
	rows := []struct {
		profile string
		losses  []string // of each line, how it begins
	}{
		{"openai-strict", []string{"#/properties/title: minLength: ", "#/properties/$ref: required: ", "#/properties/steps: required: "}},
		{"anthropic-strict", []string{"#/properties/title: minLength: ", "#/properties/$ref: minimum: ", "#/properties/steps: maxItems: "}},
		{"gemini", nil},
		{"gemini-json", []string{"#/properties/title: minLength: "}},
		{"cohere", []string{"#/properties/title: minLength: ", "#/properties/$ref: minimum: ", "#/properties/steps: maxItems: "}},
	}
	for _, row := range rows {
		t.Run(row.profile, func(t *testing.T) {
			t.Parallel()
			got := weir(t, "schema", "--profile", row.profile, schemaFile())
			if got.status != exitOK || !strings.HasSuffix(got.out, "}\n") || strings.Contains(got.out, `\u003c`) {
				t.Errorf("status %d, printed %q", got.status, got.out)
			}
			golden(t, "schema-"+row.profile+".golden", got.out)
			var lines []string
			for line := range strings.Lines(got.err) {
				lines = append(lines, line)
			}
			if len(lines) != len(row.losses) {
				t.Fatalf("said %q, want %d lines", got.err, len(row.losses))
			}
			for i, want := range row.losses {
				if !strings.HasPrefix(lines[i], "weir: schema: "+want) {
					t.Errorf("said %q, want %q", lines[i], want)
				}
			}
			again := weirOn(t, console{in: strings.NewReader(got.out)}, "schema", "--profile", row.profile, "-")
			if again.status != exitOK || again.out != got.out || again.err != "" {
				t.Errorf("rewriting again: status %d, printed %q, said %q", again.status, again.out, again.err)
			}
		})
	}
}

// TestSchemaRefuses shows schemas that cannot be expressed: nothing on the output,
// one line that says where and why.
func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, text, says string
		args            []string
	}{
		{"a loss under --strict", `{"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}}`, "#/properties/a: minLength", []string{"--profile", "openai-strict", "--strict"}},
		{"a reference that leads nowhere", `{"type": "object", "properties": {"a": {"$ref": "#/$defs/b"}}}`, "$ref", []string{"--profile", "openai-strict"}},
		{"a schema that contains itself", `{"type": "object", "properties": {"a": {"$ref": "#"}}}`, "#/properties/a", []string{"--profile", "anthropic-strict"}},
		{"a key twice", `{"type": "object", "type": "object"}`, "not a schema", []string{"--profile", "gemini"}},
	}
	for _, row := range rows {
		got := weirOn(t, console{in: strings.NewReader(row.text)}, append([]string{"schema", "-"}, row.args...)...)
		if got.status != exitFailed || got.out != "" || strings.Count(got.err, "\n") != 1 ||
			!strings.HasPrefix(got.err, "weir: schema: refused: ") || !strings.Contains(got.err, row.says) {
			t.Errorf("%s: status %d, printed %q, said %q", row.why, got.status, got.out, got.err)
		}
	}
	nullable := `{"type": "object", "properties": {"a": {"type": "string"}}}`
	got := weirOn(t, console{in: strings.NewReader(nullable)}, "schema", "-", "--profile", "openai-strict", "--strict")
	if got.status != exitOK || !strings.Contains(got.err, "(nullable)") {
		t.Errorf("null for what may be left out: status %d, said %q", got.status, got.err)
	}
}

// TestSchemaGone reports a schema that nobody can read.
func TestSchemaGone(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	if status := run(t.Context(), []string{"schema", "--profile", "gemini", schemaFile()}, console{out: brokenPipe{}, err: &errs}); status != exitOutput {
		t.Errorf("status %d", status)
	}
}

// TestEncodeAnswer encodes a request that asks for a structured answer, and says
// what the provider is not asked for.
func TestEncodeAnswer(t *testing.T) {
	t.Parallel()
	request := `{"messages": [{"role": "user", "content": "hi"}], "answer": {"schema":
		{"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}}}}`
	rows := []struct {
		why, says, has string
		args           []string
	}{
		{"OpenAI", "schema_lossy: answer: ", `"strict":true`, []string{"--api", "openai-chat", "--model", "gpt-4.1"}},
		{"Anthropic", "schema_lossy: answer: ", `"output_config":{"format":`, []string{"--api", "anthropic-messages", "--model", "claude-sonnet-4-5"}},
		{"a server of one's own", "", `"format":`, []string{"--api", "ollama-chat", "--model", "llama3.2"}},
		{"in words", "parameter_dropped: ", `{"type":"json_object"}`, []string{"--api", "openai-chat", "--vendor", "deepseek", "--model", "deepseek-chat"}},
	}
	for _, row := range rows {
		got := weirOn(t, console{in: strings.NewReader(request)}, append(append([]string{"encode"}, row.args...), "-")...)
		if got.status != exitOK || !strings.Contains(got.out, row.has) || !strings.Contains(got.err, row.says) || (row.says == "") != (got.err == "") {
			t.Errorf("%s: status %d, printed %q, said %q", row.why, got.status, got.out, got.err)
		}
	}
}
