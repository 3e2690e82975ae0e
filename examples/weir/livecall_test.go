package main

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weirsdk/weir/request"
)

// env is an environment of one variable.
func env(name, value string) func(string) (string, bool) {
	return func(asked string) (string, bool) {
		if asked != name {
			return "", false
		}
		return value, true
	}
}

// question is a request of one line.
const question = `{"messages": [{"role": "user", "content": "Weather in Graz?"}], "max_output_tokens": 64}`

// TestRecordCall makes one call: the key of the environment is sent and not stored,
// the events are those that inspect prints, and what is stored is served.
func TestRecordCall(t *testing.T) {
	t.Parallel()
	rows := []struct {
		api, vendor, variable string
		golden                string
	}{
		{"openai-chat", "ollama", "OLLAMA_API_KEY", "chat-tool.golden"},
		{"openai-chat", "", "OPENAI_API_KEY", ""},
		{"openai-chat", "openrouter", "OPENROUTER_API_KEY", ""},
		{"openai-responses", "", "OPENAI_API_KEY", "responses-tool.golden"},
		{"openai-responses", "openrouter", "OPENROUTER_API_KEY", ""},
		{"anthropic-messages", "", "ANTHROPIC_API_KEY", "messages-tool.golden"},
		{"ollama-chat", "", "OLLAMA_API_KEY", "ollama-tool.golden"},
		{"gemini-generate", "", "GEMINI_API_KEY", "gemini-tool.golden"},
		{"gemini-generate", "vertex", "VERTEX_API_KEY", "vertex-tool.golden"},
		{"cohere-chat", "", "COHERE_API_KEY", "cohere-tool.golden"},
		{"bedrock-converse", "", "AWS_BEARER_TOKEN_BEDROCK", "converse-tool.golden"},
	}
	for _, row := range rows {
		t.Run(row.api+" "+row.vendor, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a", "wire")
			args := []string{"record", "--dir", dir, "--api", row.api, "--vendor", row.vendor, "--model", "m", "--timing", write(t, "q.json", question)}
			c := console{env: env(row.variable, canary)}
			got := weirOn(t, c, append(args, "--base-url", base(row.api, provider(t, row.api).URL))...)
			if row.golden != "" {
				golden(t, row.golden, got.out)
			}
			if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("the folder: %v, %v", info, err)
			}
			if got.status != exitOK || strings.Count(got.err, "\n") != 1 || !strings.HasPrefix(got.err, "weir: record: stored: "+dir) {
				t.Errorf("status %d, said %q", got.status, got.err)
			}
			stored := strings.TrimSuffix(strings.TrimPrefix(got.err, "weir: record: stored: "), "\n")
			text, err := os.ReadFile(stored)
			if err != nil || !strings.Contains(string(text), `"delays_ms"`) || !strings.Contains(string(text), "[redacted]") {
				t.Errorf("%v: stored %s", err, text)
			}
			if found := leaks(t, dir); found != nil {
				t.Errorf("the key is in %v", found)
			}
			again := weirOn(t, console{}, append(args, "--base-url", base(row.api, start(t, "serve", "--dir", dir).url), "--dir", t.TempDir())...)
			if again.status != exitOK || again.out != got.out {
				t.Errorf("served: status %d, said %q, printed %s", again.status, again.err, again.out)
			}
		})
	}
}

// TestRecordCallFails stores failures too.
func TestRecordCallFails(t *testing.T) {
	t.Parallel()
	answer := func(status int, header, value, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set(header, value)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		}
	}
	rows := []struct {
		why    string
		serve  http.HandlerFunc
		text   string
		stored bool
		says   string
	}{
		{"a refusal", answer(401, "Content-Type", "application/json", `{"error":{"message":"no"}}`), question, true, "stored: "},
		{"a body that is cut", answer(200, "A", "b", "data: {}\n\n"), question, true, "stored: "},
		{"a request that no adapter sends", nil, `{"messages": []}`, false, "nothing was sent"},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			got := weir(t, "record", "--dir", dir, "--api", "openai-chat", "--model", "m", "--base-url", upstream(t, row.serve).URL, write(t, "q.json", row.text))
			if got.status != exitFailed || !strings.Contains(got.err, row.says) {
				t.Errorf("status %d, said %q", got.status, got.err)
			}
			if names := heads(t, dir); (len(names) == 1) != row.stored || strings.Count(got.err, "stored: ") != len(names) {
				t.Errorf("stored %v, said %q", names, got.err)
			}
		})
	}
}

// TestRecordCallForPeople prints a table, and says that a vendor's name chose nothing.
func TestRecordCallForPeople(t *testing.T) {
	t.Parallel()
	args := []string{"record", "--dir", t.TempDir(), "--model", "m", write(t, "q.json", question)}
	c := console{terminal: true}
	got := weirOn(t, c, append(args, "--api", "ollama-chat", "--base-url", provider(t, "ollama-chat").URL)...)
	golden(t, "ollama-tool-table.golden", got.out)
	got = weirOn(t, c, append(args, "--api", "openai-chat", "--vendor", "nope", "--base-url", provider(t, "openai-chat").URL)...)
	if got.status != exitOK || !strings.Contains(got.err, `weir: record: no row for vendor "nope"`) {
		t.Errorf("status %d, said %q", got.status, got.err)
	}
}

// TestRecordCallIsNotStored is a failure, however good the reply is.
func TestRecordCallIsNotStored(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "wire")
	server := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		if err := errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600)); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, chatAnswer)
	})
	got := weir(t, "record", "--dir", dir, "--api", "openai-chat", "--model", "m", "--base-url", server.URL, write(t, "q.json", question))
	if got.status != exitFailed || !strings.Contains(got.out, `"outcome":"final"`) || !strings.Contains(got.err, "was not recorded") {
		t.Errorf("status %d, said %q, printed %s", got.status, got.err, got.out)
	}
}

// TestRecordCallGone stores the call although nobody reads its events.
func TestRecordCallGone(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	c := console{out: brokenPipe{}, err: &errs}
	status := run(t.Context(), []string{"record", "--dir", t.TempDir(), "--api", "ollama-chat", "--model", "m", "--base-url", provider(t, "ollama-chat").URL, write(t, "q.json", question)}, c)
	if status != exitOutput || !strings.Contains(errs.String(), "stored: ") {
		t.Errorf("status %d, said %q", status, errs.String())
	}
}

// TestRecordCallAgain says the name of what took the place of an earlier recording,
// and of nothing else.
func TestRecordCallAgain(t *testing.T) {
	t.Parallel()
	dir, server := t.TempDir(), provider(t, "ollama-chat")
	record := func(text string) string {
		got := weir(t, "record", "--dir", dir, "--api", "ollama-chat", "--model", "m", "--base-url", server.URL, write(t, "q.json", text))
		if got.status != exitOK || strings.Count(got.err, "\n") != 1 {
			t.Errorf("status %d, said %q", got.status, got.err)
		}
		return got.err
	}
	first := record(question)
	text, err := os.ReadFile(strings.TrimSpace(strings.TrimPrefix(first, "weir: record: stored: ")))
	if err != nil || strings.Contains(string(text), "delays_ms") {
		t.Errorf("%v: delays that nobody asked for: %s", err, text)
	}
	other := record(strings.Replace(question, "Graz", "Oslo", 1))
	if again := record(question); again != first || again == other {
		t.Errorf("first %q, other %q, again %q", first, other, again)
	}
}

// TestKeysAreInTheEnvironment is about whose key is sent where, and what is refused
// for want of one. Nothing is sent anywhere.
func TestKeysAreInTheEnvironment(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why, api, vendor, base string
		variable               string // set to the canary
		key, says              string
	}{
		{"the usual one", "openai-chat", "", "", "OPENAI_API_KEY", canary, ""},
		{"somebody else's", "openai-chat", "", "", "GROQ_API_KEY", "", "OPENAI_API_KEY is not set"},
		{"a vendor's own", "openai-chat", "groq", "", "GROQ_API_KEY", canary, ""},
		{"one of another name", "openai-chat", "huggingface", "", "HF_TOKEN", canary, ""},
		{"one of another name", "openai-chat", "moonshotai", "", "MOONSHOT_API_KEY", canary, ""},
		{"one of another name", "openai-chat", "zai", "", "ZHIPU_API_KEY", canary, ""},
		{"an adapter of its own", "openai-chat", "openrouter", "", "OPENROUTER_API_KEY", canary, ""},
		{"the key of the other", "openai-chat", "openrouter", "", "OPENAI_API_KEY", "", "OPENROUTER_API_KEY is not set"},
		{"a name with a dash", "openai-chat", "my-gateway", "https://gateway.invalid/v1", "MY_GATEWAY_API_KEY", canary, ""},
		{"the same key for both APIs", "openai-responses", "", "", "OPENAI_API_KEY", canary, ""},
		{"a vendor's own, by the other API", "openai-responses", "xai", "", "XAI_API_KEY", canary, ""},
		{"the API's own vendor", "anthropic-messages", "", "", "ANTHROPIC_API_KEY", canary, ""},
		{"another host of the API", "anthropic-messages", "deepseek", "https://api.deepseek.com/anthropic", "DEEPSEEK_API_KEY", canary, ""},
		{"and of this API", "gemini-generate", "", "", "GEMINI_API_KEY", canary, ""},
		{"a host that needs no project", "gemini-generate", "vertex", "", "VERTEX_API_KEY", canary, ""},
		{"a host that needs one", "anthropic-messages", "vertex", "", "VERTEX_API_KEY", "", "give --base-url"},
		{"and has it", "anthropic-messages", "vertex", "https://aiplatform.googleapis.com/v1/projects/p/locations/global", "VERTEX_API_KEY", canary, ""},
		{"another API's own vendor", "cohere-chat", "", "", "COHERE_API_KEY", canary, ""},
		{"a bearer token", "bedrock-invoke", "", "", "AWS_BEARER_TOKEN_BEDROCK", canary, ""},
		{"this machine", "ollama-chat", "", "", "", "", ""},
		{"this machine by another name", "openai-chat", "vllm", "", "", "", ""},
		{"this machine, as told", "openai-chat", "", "http://[::1]:8000/v1", "", "", ""},
		{"another machine of ours", "openai-chat", "vllm", "http://192.0.2.1:8000/v1", "", "", "VLLM_API_KEY is not set"},
		{"no address", "openai-chat", "nobody", "", "NOBODY_API_KEY", "", "give --base-url"},
		{"an address that is the user's resource", "openai-chat", "azure", "", "AZURE_API_KEY", "", "give --base-url"},
		{"an address that needs an account", "openai-chat", "snowflake", "", "SNOWFLAKE_CORTEX_PAT", "", "SNOWFLAKE_ACCOUNT is not set; set it to the identifier"},
		{"the same for the other API", "openai-responses", "databricks", "", "DATABRICKS_TOKEN", "", "DATABRICKS_ACCOUNT is not set; set it to "},
		{"an account without a key", "openai-chat", "cloudflare", "", "CLOUDFLARE_ACCOUNT", "", "CLOUDFLARE_API_KEY is not set"},
		{"somebody's key and another one's address", "anthropic-messages", "groq", "", "GROQ_API_KEY", "", `no address of anthropic-messages is known for vendor "groq"; give --base-url`},
		{"a vendor of no account by this API", "gemini-generate", "cloudflare", "", "CLOUDFLARE_API_KEY", "", "no address of gemini-generate"},
		{"an account in an address", "openai-chat", "snowflake", "https://a.snowflakecomputing.com/api/v2/cortex/v1", "SNOWFLAKE_CORTEX_PAT", canary, ""},
	}
	for _, row := range rows {
		args := []string{"--dir", "d", "--api", row.api, "--vendor", row.vendor, "--model", "m", "--base-url", row.base, "q.json"}
		r, err := parseRecord(args, console{env: env(row.variable, canary)})
		switch {
		case row.says != "":
			if err == nil || !strings.Contains(err.Error(), row.says) {
				t.Errorf("%s: said %v", row.why, err)
			}
		case err != nil || string(r.target.key) != row.key:
			t.Errorf("%s: key %v, error %v", row.why, r.target.key == "", err)
		}
	}
	// Set to nothing, it says that no key is needed.
	if _, err := parseRecord([]string{"--dir", "d", "--api", "openai-chat", "--model", "m", "q.json"}, console{env: env("OPENAI_API_KEY", "")}); err != nil {
		t.Error(err)
	}
}

// TestAccountsAreInTheEnvironment: the account is in the address that is called, and one
// that would lead elsewhere is refused. Nothing is sent.
func TestAccountsAreInTheEnvironment(t *testing.T) {
	t.Parallel()
	rows := []struct{ why, vendor, variable, account, host string }{
		{"in the path", "cloudflare", "CLOUDFLARE", "0a1b", "https://api.cloudflare.com/client/v4/accounts/0a1b/ai/v1"},
		{"in the host", "snowflake", "SNOWFLAKE", "org-acc", "https://org-acc.snowflakecomputing.com/api/v2/cortex/v1"},
		{"another host", "snowflake", "SNOWFLAKE", "evil.test/", ""},
	}
	for _, row := range rows {
		c := console{env: func(name string) (string, bool) {
			if name == row.variable+"_ACCOUNT" {
				return row.account, true
			}
			return canary, true
		}}
		r, err := parseRecord([]string{"--dir", "d", "--api", "openai-chat", "--vendor", row.vendor, "--model", "m", "q.json"}, c)
		if err != nil {
			t.Fatalf("%s: %v", row.why, err)
		}
		asked := new(asked)
		r.target.client = &http.Client{Transport: asked}
		model, err := openModel(r.target)
		if row.host == "" {
			if err == nil {
				t.Errorf("%s: it is opened", row.why)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", row.why, err)
		}
		for range model.Stream(t.Context(), request.Request{Messages: []request.Message{request.UserText("hi")}}) {
		}
		if got := r.target.address(); got != row.host || asked.url != row.host+"/chat/completions" {
			t.Errorf("%s: address %q, called %q", row.why, got, asked.url)
		}
	}
}

// asked keeps the address of a request and sends nothing.
type asked struct{ url string }

func (a *asked) RoundTrip(r *http.Request) (*http.Response, error) {
	a.url = r.URL.String()
	return nil, errors.New("nothing is sent")
}

// TestRecordCallTellsOfAVendor that is only whose key it is.
func TestRecordCallTellsOfAVendor(t *testing.T) {
	t.Parallel()
	got := weir(t, "record", "--dir", t.TempDir(), "--api", "ollama-chat", "--vendor", "groq", "--model", "m", "--base-url", provider(t, "ollama-chat").URL, write(t, "q.json", question))
	if got.status != exitOK || !strings.Contains(got.err, `weir: record: ollama-chat has one dialect: vendor "groq" changes nothing in it`) {
		t.Errorf("status %d, said %q", got.status, got.err)
	}
}

// TestRecordCallShowsEventsAsTheyArrive: the provider goes on when the first text was
// printed.
func TestRecordCallShowsEventsAsTheyArrive(t *testing.T) {
	t.Parallel()
	out := &untilPrinted{text: "text_delta", seen: make(chan struct{})}
	server := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"begun"}}]}`+"\n\n")
		_ = http.NewResponseController(w).Flush()
		select {
		case <-out.seen:
			_, _ = io.WriteString(w, chatAnswer)
		case <-r.Context().Done():
		}
	})
	var errs strings.Builder
	args := []string{"record", "--dir", t.TempDir(), "--api", "openai-chat", "--model", "m", "--base-url", server.URL, write(t, "q.json", question)}
	if status := run(t.Context(), args, console{out: out, err: &errs}); status != exitOK {
		t.Errorf("status %d, said %q", status, errs.String())
	}
}

// untilPrinted tells once when a text is printed.
type untilPrinted struct {
	text string
	seen chan struct{}
}

func (u *untilPrinted) Write(p []byte) (int, error) {
	if u.text != "" && strings.Contains(string(p), u.text) {
		u.text = ""
		close(u.seen)
	}
	return len(p), nil
}

// TestRecordCallHints: where nothing is found below an address without a path, the
// usual path is named, and nothing else that the address holds.
func TestRecordCallHints(t *testing.T) {
	t.Parallel()
	server := upstream(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }).URL
	refused := upstream(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) }).URL
	rows := []struct{ why, api, vendor, base, hint string }{
		{"no path", "openai-chat", "", server, "has /v1: try --base-url " + server + "/v1\n"},
		{"a slash", "anthropic-messages", "", server + "/", "has /v1: try --base-url " + server + "/v1\n"},
		{"a vendor with another one", "openai-chat", "openrouter", server, "try --base-url " + server + "/api/v1\n"},
		{"a path", "openai-chat", "", server + "/v2", ""},
		{"an API that has none", "ollama-chat", "", server, ""},
		{"another refusal", "openai-chat", "", refused, ""},
		{"a vendor whose address nobody knows", "openai-chat", "nobody", server, ""},
	}
	for _, row := range rows {
		got := weir(t, "record", "--dir", t.TempDir(), "--api", row.api, "--vendor", row.vendor, "--model", "m", "--base-url", row.base, write(t, "q.json", question))
		if got.status != exitFailed || strings.Contains(got.err, "try --base-url") != (row.hint != "") || !strings.Contains(got.err, row.hint) {
			t.Errorf("%s: status %d, said %q", row.why, got.status, got.err)
		}
	}
}

// TestRecordCallKeepsGoodRecordings: a refusal does not take the place of an answer.
func TestRecordCallKeepsGoodRecordings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	call := func(url string) outcome {
		return weir(t, "record", "--dir", dir, "--api", "openai-chat", "--model", "m", "--base-url", url, write(t, "q.json", question))
	}
	call(provider(t, "openai-chat").URL)
	got := call(upstream(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }).URL)
	if got.status != exitFailed || !strings.Contains(got.err, "status 403") || strings.Contains(got.err, "stored: ") {
		t.Errorf("status %d, said %q", got.status, got.err)
	}
	if _, f := ask(t.Context(), t, target{api: "openai-chat", baseURL: start(t, "serve", "--dir", dir, "--any").url}, plain()); f != nil {
		t.Errorf("served %v", f)
	}
}
