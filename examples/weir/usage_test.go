package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirsdk/weir/replay/wire"
)

// An outcome is what a run left behind.
type outcome struct {
	status   int
	out, err string
}

// weir runs the tool with an empty standard input and an output that is no
// terminal.
func weir(t *testing.T, args ...string) outcome {
	t.Helper()
	return weirOn(t, console{in: strings.NewReader("")}, args...)
}

func weirOn(t *testing.T, c console, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	c.out, c.err = &out, &errs
	status := run(t.Context(), args, c)
	return outcome{status, out.String(), errs.String()}
}

// write puts text into a file of the test's own.
func write(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWrongUsageIsOneLine(t *testing.T) {
	t.Parallel()
	body := write(t, "body.sse", "data: [DONE]\n\n")
	broken := write(t, "broken.json", "{")
	chat := []string{"inspect", "--api", "openai-chat"}
	with := func(base []string, more ...string) []string { return append(append([]string{}, base...), more...) }
	rows := []struct {
		why  string
		args []string
		says string // what the line has to name
	}{
		{"no command", nil, "inspect, encode, schema"},
		{"an unknown command", []string{"explode"}, `"explode" is unknown;`},
		{"a later command", []string{"chat"}, `"chat" is not available yet;`},
		{"help for an unknown command", []string{"help", "explode"}, `"explode" is unknown;`},
		{"help for a later command", []string{"help", "chat"}, `"chat" is not available yet;`},
		{"no api", []string{"inspect", body}, "--api is missing"},
		{"an unknown api", []string{"inspect", "--api", "smoke", body}, `"smoke" is unknown`},
		{"an unknown flag", with(chat, "--speed", "3", body), "weir help inspect"},
		{"wrong usage of a vendor without a row", with(chat, "--vendor", "nope", body+".gone"), "body.sse.gone"},
		{"no file", chat, "takes one FILE, got 0"},
		{"two files", with(chat, body, body), "takes one FILE, got 2"},
		{"a file that is not there", with(chat, body+".gone"), "body.sse.gone"},
		{"a name of two lines", with(chat, "two\nlines"), "two lines"},
		{"a status that is no number", with(chat, "--status", "ok", body), "status"},
		{"a status that HTTP does not have", with(chat, "--status", "42", body), "--status 42"},
		{"a header without a colon", with(chat, "--header", "Retry-After", body), "Name: value"},
		{"a header without a name", with(chat, "--header", ": 3", body), "Name: value"},
		{"reads of nothing", with(chat, "--split", "0", body), "--split"},
		{"a negative cut", with(chat, "--cut", "-1", body), "--cut"},
		{"status and head", with(chat, "--http", "--status", "200", body), "--http"},
		{"header and head", with(chat, "--http", "--header", "A: b", body), "--http"},
		{"a body that is no response", with(chat, "--http", body), "no raw HTTP/1.1 response"},
		{"tools that are no JSON", with(chat, "--tools", broken, body), "broken.json"},
		{"tools that are no list", with(chat, "--tools", write(t, "one.json", sampleRequest), body), "tools: is not a list"},
		{"tools with more behind them", with(chat, "--tools", write(t, "more.json", `[], "system": "x"`), body), "is not JSON"},
		{"tools that are not there", with(chat, "--tools", broken+"l", body), "broken.jsonl"},
		{"no profile", []string{"schema", broken}, "--profile is missing; there are: openai-strict, anthropic-strict, gemini"},
		{"an unknown profile", []string{"schema", "--profile", "mistral", broken}, `--profile "mistral" is unknown; there are: openai-strict`},
		{"an unknown flag of schema", []string{"schema", "--profile", "gemini", "--lax", broken}, "weir help schema"},
		{"a schema that is no JSON", []string{"schema", "--profile", "gemini", broken}, "broken.json: is not a JSON object"},
		{"a schema that is no object", []string{"schema", "--profile", "gemini", write(t, "list.json", "[]")}, "list.json: is not a JSON object"},
		{"a schema that is null", []string{"schema", "--profile", "gemini", write(t, "null.json", "null")}, "null.json: is not a JSON object"},
		{"a schema that is not there", []string{"schema", "--profile", "gemini", broken + "l"}, "broken.jsonl"},
		{"no schema", []string{"schema", "--profile", "gemini"}, "takes one FILE, got 0"},
		{"no folder to serve", []string{"serve"}, "--dir is missing"},
		{"a folder that is not there", []string{"serve", "--dir", body + ".gone"}, "body.sse.gone"},
		{"a folder that is a file", []string{"serve", "--dir", body}, "is no folder"},
		{"a recording that cannot be read", []string{"serve", "--dir", badRecording(t)}, "chat-0123456789ab.json"},
		{"a file to serve", []string{"serve", "--dir", t.TempDir(), body}, "takes no FILE"},
		{"recordings of package replay", []string{"serve", "--dir", filepath.Dir(write(t, strings.Repeat("0123456789abcdef", 4)+".json", "{}"))}, "recordings of package replay (1)"},
		{"a folder above the recordings", []string{"serve", "--dir", filepath.Dir(badRecording(t))}, "the first of these is "},
		{"a fault how often and not what", []string{"serve", "--dir", t.TempDir(), "--times", "2"}, "times=N says how often"},
		{"a parameter without a name", []string{"record", "--dir", "d", "--upstream", "http://127.0.0.1:1", "--keep", ""}, "want a name"},
		{"an address that is none", []string{"serve", "--dir", t.TempDir(), "--addr", "nowhere"}, "--addr nowhere"},
		{"a fault that is none", []string{"serve", "--dir", t.TempDir(), "--cut", "-1"}, "cut=N"},
		{"a number with a sign", []string{"serve", "--dir", t.TempDir(), "--cut=-0"}, `"cut=-0": `},
		{"a number in another base", []string{"serve", "--dir", t.TempDir(), "--stall", "0x10"}, `"stall=0x10": `},
		{"two words in one", []string{"serve", "--dir", t.TempDir(), "--cut", "5,reset"}, "want one number"},
		{"no number", []string{"serve", "--dir", t.TempDir(), "--status", ""}, `"status=": `},
		{"reads of nothing", []string{"serve", "--dir", t.TempDir(), "--split", "0"}, "split=N"},
		{"a status that ends nothing", []string{"serve", "--dir", t.TempDir(), "--status", "100"}, "from 200 to 999"},
		{"two ends", []string{"serve", "--dir", t.TempDir(), "--stall", "3", "--reset"}, "cannot stall and cut or reset"},
		{"no folder to record in", []string{"record", "--upstream", "http://127.0.0.1:1"}, "--dir is missing"},
		{"nothing to record", []string{"record", "--dir", "d"}, "--upstream is missing, or --api"},
		{"a folder to record in that is a file", []string{"record", "--dir", body, "--upstream", "http://127.0.0.1:1"}, "not a directory"},
		{"an upstream that is none", []string{"record", "--dir", "d", "--upstream", "api.example.com"}, "like https://api.example.com"},
		{"an upstream of another kind", []string{"record", "--dir", "d", "--upstream", "ftp://api.example.com"}, "like https://api.example.com"},
		{"an upstream with a password", []string{"record", "--dir", "d", "--upstream", "https://u:secret@api.example.com"}, "credentials come with the requests"},
		{"an upstream with a password that cannot be read", []string{"record", "--dir", "d", "--upstream", "https://u:secret@api.example.com:p"}, "cannot be read"},
		{"an upstream with a key", []string{"record", "--dir", "d", "--upstream", "https://api.example.com?key=secret"}, "credentials come with the requests"},
		{"a proxy and a call", []string{"record", "--dir", "d", "--upstream", "http://127.0.0.1:1", "--model", "m"}, "--model is for one call"},
		{"a proxy and a request", []string{"record", "--dir", "d", "--upstream", "http://127.0.0.1:1", body}, "takes no FILE"},
		{"an address without a proxy", []string{"record", "--dir", "d", "--addr", ":0", "--api", "ollama-chat", "--model", "m", body}, "--addr belongs to --upstream"},
		{"a call without a model", []string{"record", "--dir", "d", "--api", "ollama-chat", body}, "--model is missing"},
		{"a call without a request", []string{"record", "--dir", "d", "--api", "ollama-chat", "--model", "m"}, "takes one FILE, got 0"},
		{"a call with a request that is no JSON", []string{"record", "--dir", "d", "--api", "ollama-chat", "--model", "m", broken}, "broken.json"},
		{"a call without a key", []string{"record", "--dir", "d", "--api", "openai-chat", "--model", "m", body}, "OPENAI_API_KEY is not set"},
		{"no ledger", []string{"ledger"}, "takes one FILE, got 0"},
		{"an address that is none", []string{"ledger", "mysql://db/x"}, "postgres://..."},
		{"a password in words", []string{"ledger", "host=db user=u password=secret"}, "postgres://..."},
		{"a password in an address that cannot be read", []string{"ledger", "postgres://u:secret@h:p/x"}, "cannot be read"},
		{"an unknown dimension", []string{"ledger", "--by", "day", body}, "there are: run, "},
		{"a time ahead", []string{"ledger", "--since", "-1h", body}, "--since"},
		{"watching without end", []string{"ledger", "--watch=0s", body}, "weir help ledger"},
		{"watching lines", []string{"ledger", "--watch", "--json", body}, "leave --json out"},
		{"no model", []string{"encode", "--api", "openai-chat", body}, "--model is missing"},
		{"a request that is no JSON", []string{"encode", "--api", "openai-chat", "--model", "m", broken}, "broken.json"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			got := weir(t, row.args...)
			if got.status != exitUsage || got.out != "" {
				t.Errorf("status %d, printed %q", got.status, got.out)
			}
			if strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "weir: ") || !strings.Contains(got.err, row.says) || strings.Contains(got.err, "secret") {
				t.Errorf("said %q, want one line with %q", got.err, row.says)
			}
		})
	}
}

// badRecording returns a folder with a recording that cannot be read.
func badRecording(t *testing.T) string {
	t.Helper()
	return filepath.Dir(write(t, "chat-0123456789ab.json", "{"))
}

// TestHelp shows the page of the tool, and of a command however it is asked for.
func TestHelp(t *testing.T) {
	t.Parallel()
	inspect := []string{"--api", "--vendor", "--status", "--header", "--http", "--split", "--cut", "--reset", "--tools", "--json", "without it, and for", sampleTools}
	encode := []string{"--api", "--vendor", "--model", "without it OpenAI's", sampleRequest, sampleTools, sampleAnswer}
	schema := []string{"--profile", "--strict", "widened", "narrowed", "nullable", sampleAnswer, "cannot be expressed"}
	rows := []struct {
		why   string
		first string
		names []string
		asked [][]string
	}{
		{"the tool", "weir looks at", append(apiNames(), "weir inspect", "weir encode", "weir schema", "Exit status"), [][]string{{"help"}, {"--help"}, {"-h"}}},
		{"inspect", "weir inspect", append(append(append(inspect, vendors()...), docs), apiNames()...), [][]string{{"help", "inspect"}, {"inspect", "-h"}, {"inspect", "--help"}, {"inspect", "body.sse", "--help"}}},
		{"encode", "weir encode", append(append(append(encode, vendors()...), docs), apiNames()...), [][]string{{"help", "encode"}, {"encode", "-h"}, {"encode", "--help"}}},
		{"ledger", "weir ledger", []string{"--by", "--run", "--since", "--json", "--verify", "--recover", "--watch", "unknown", dimensionNames()}, [][]string{{"help", "ledger"}, {"ledger", "-h"}, {"ledger", "x.db", "--help"}}},
		{"serve", "weir serve", []string{"--dir", "--addr", "--json", "--any", "--repeat", "--pace", "--cut", "--reset", "--stall", "--split", "--status", "--times", wire.FaultHeader + ": ", "Ctrl-C", "Exit status"}, [][]string{{"help", "serve"}, {"serve", "-h"}, {"serve", "--dir", "x", "--help"}}},
		{"record", "weir record", append(append(apiNames(), vendors()...), "--dir", "--keep", "--secret", "--timing", "--upstream", "--addr", "--json", "--api", "--vendor", "--model", "--base-url", "OPENAI_API_KEY", "502", "br and zstd", "Exit status"), [][]string{{"help", "record"}, {"record", "-h"}, {"record", "x.json", "--help"}}},
		{"schema", "weir schema", append(schema, profileNames()...), [][]string{{"help", "schema"}, {"schema", "-h"}, {"schema", "x.json", "--help"}}},
	}
	for _, row := range rows {
		for _, args := range row.asked {
			got := weir(t, args...)
			if got.status != exitOK || got.err != "" || !strings.HasPrefix(got.out, row.first) {
				t.Errorf("%v: status %d, said %q, printed %q", args, got.status, got.err, got.out)
			}
			for _, want := range row.names {
				if !strings.Contains(got.out, want) {
					t.Errorf("%v: help does not name %s", args, want)
				}
			}
			for line := range strings.Lines(got.out) {
				if len(line) > 81 {
					t.Errorf("%v: wider than a terminal: %s", args, line)
				}
			}
		}
	}
}

// TestHelpSamplesWork gives the commands the files that help shows.
func TestHelpSamplesWork(t *testing.T) {
	t.Parallel()
	whole := strings.TrimSuffix(sampleRequest, "}") + `, "tools": ` + sampleTools + "}"
	answered := strings.TrimSuffix(sampleRequest, "}") + ", " + sampleAnswer + "}"
	for _, text := range []string{sampleRequest, whole, answered} {
		got := weirOn(t, console{in: strings.NewReader(text)}, "encode", "--api", "openai-chat", "--model", "gpt-4.1", "-")
		if got.status != exitOK || got.err != "" || strings.Contains(got.out, "get_weather") != (text == whole) || strings.Contains(got.out, "json_schema") != (text == answered) {
			t.Errorf("encode: status %d, said %q, printed %q", got.status, got.err, got.out)
		}
	}
	got := weirOn(t, console{in: strings.NewReader(sampleTools)}, "inspect", "--api", "openai-chat", "--tools", "-", filepath.Join("testdata", "chat-tool.sse"))
	if got.status != exitOK || got.err != "" {
		t.Errorf("inspect: status %d, said %q", got.status, got.err)
	}
}

// TestHelpGone reports help that nobody can read.
func TestHelpGone(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	if status := run(t.Context(), []string{"help"}, console{out: brokenPipe{}, err: &errs}); status != exitOutput {
		t.Errorf("status %d", status)
	}
}

// brokenPipe is an output that is gone.
type brokenPipe struct{}

var errGone = errors.New("gone")

func (brokenPipe) Write([]byte) (int, error) { return 0, errGone }

// TestHelpOfServersIsWhatItIs holds the pages whose lines scripts depend on, but for
// the list of vendors, which grows by a row elsewhere.
func TestHelpOfServersIsWhatItIs(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"serve", "record"} {
		golden(t, "help-"+page+".golden", strings.Replace(weir(t, "help", page).out, vendorsLines(), "Vendors: ...", 1))
	}
}
