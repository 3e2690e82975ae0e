package conformance

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// echo lets the server repeat the credential in every place that is not the
// model's: it comes out nowhere.
func (g *group) echo(t *testing.T) {
	t.Helper()
	if g.adapter.Unsupported[NoCredential] != "" {
		return
	}
	m, st := g.model(t, g.whole())
	try := func(how string, at int, a act) {
		st.open(a)
		p := g.at(how, at).play(t.Context(), m, g.req)
		g.checkGrammar(p, how, at)
	}
	a := g.whole()
	a.header = a.header.Clone()
	for _, name := range []string{"X-Request-Id", "Request-Id", "Retry-After", "X-Ratelimit-Reset-Requests", "Location", "Www-Authenticate"} {
		a.header.Set(name, Canary)
	}
	try("the credential in the head of the answer", -1, a)
	all := g.text()
	if !bytes.Contains(all, []byte("{")) {
		return
	}
	for _, v := range some(values(all)) {
		for _, text := range []string{Canary, "Incorrect API key provided: " + Canary + "."} {
			body := bytes.Join([][]byte{all[:v.from], []byte(strconv.Quote(text)), all[v.to:]}, nil)
			try("the credential where "+clip(all[v.from:v.to])+" is", v.from, g.with(body).whole())
		}
	}
}

// tells reports whether a text is in the body of a request: in a string, a key or a
// number; where the body is no JSON, as it is.
func tells(body []byte, text string) bool {
	return finds(body, func(s string) bool { return strings.Contains(s, text) })
}

// finds reports whether a string, a key or a number of a JSON body fits, or the body
// itself where it is none.
func finds(body []byte, fits func(string) bool) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return fits(string(body))
	}
	return findsIn(v, fits)
}

func findsIn(v any, fits func(string) bool) bool {
	switch v := v.(type) {
	case string:
		return fits(v)
	case json.Number:
		return fits(v.String())
	case []any:
		for _, item := range v {
			if findsIn(item, fits) {
				return true
			}
		}
	case map[string]any:
		for key, item := range v {
			if fits(key) || findsIn(item, fits) {
				return true
			}
		}
	}
	return false
}
