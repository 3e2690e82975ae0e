package conformance

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/weirsdk/weir/events"
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
		p := play(t.Context(), m, g.req)
		if g.checkGrammar(p, how, at) {
			g.checkSecret(p, how, at)
		}
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

// checkSecret looks for the credential in every event but in what the model says
// and in the provider's own data.
func (g *group) checkSecret(p played, how string, at int) {
	for n, ev := range p.events {
		var text string
		switch ev.Kind {
		case events.Started, events.Notice, events.UsageUpdated:
			text = string(events.AppendJSON(nil, ev))
		case events.Completed:
			c, _ := ev.Completion()
			c.Data = events.ProviderData{}
			text = string(events.AppendJSON(nil, events.NewCompleted(c)))
		case events.Failed:
			f, _ := ev.Failure()
			text = string(events.AppendJSON(nil, ev)) + f.Error() + fmt.Sprintf("%+v %#v", f, f)
			if err := f.Unwrap(); err != nil {
				text += err.Error()
			}
		default: // the model's own words, and its provider's data
		}
		g.at(how, at).check(!strings.Contains(text, Canary), m14, "no credential", say("event %d: %s", n+1, events.CutText(text, 500)))
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
