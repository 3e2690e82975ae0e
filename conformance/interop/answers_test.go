package interop_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A forecast has every way in which a member may be absent, at the top and below.
type forecast struct {
	City   string     `json:"city"`
	Rain   *float64   `json:"rain"`
	Note   *string    `json:"note,omitempty"`
	Tags   []string   `json:"tags,omitempty"`
	Mood   mood       `json:"mood" enum:"dry,wet"`
	Wind   *wind      `json:"wind,omitempty"`
	Days   []day      `json:"days"`
	Extras wordsByKey `json:"extras,omitempty"`
}

type mood string

type wind struct {
	Speed int  `json:"speed"`
	Gusts *int `json:"gusts,omitempty"`
}

type day struct {
	Name string `json:"name"`
	High *int   `json:"high"`
	Low  *int   `json:"low,omitempty"`
	Type string `json:"type" enum:"work,free"`
}

type wordsByKey map[string]string

func forecasts() []struct {
	why, text string
	want      forecast
} {
	return []struct {
		why, text string
		want      forecast
	}{
		{
			why:  "what may be left out is null, as strict subsets have it",
			text: `{"city":"Graz","rain":null,"note":null,"tags":null,"mood":"dry","wind":null,"days":[{"name":"Mo","high":null,"low":null,"type":"work"}],"extras":null}`,
			want: forecast{City: "Graz", Mood: "dry", Days: []day{{Name: "Mo", Type: "work"}}},
		},
		{
			why:  "what may be left out is left out",
			text: `{"city":"Graz","rain":null,"mood":"wet","days":[]}`,
			want: forecast{City: "Graz", Mood: "wet", Days: []day{}},
		},
		{
			why: "everything is there",
			text: `{"city":"Gr\u00e4z","rain":0,"note":"","tags":["a",""],"mood":"wet","wind":{"speed":3,"gusts":0},` +
				`"days":[{"name":"Mo","high":-1,"low":-2,"type":"work"},{"name":"Tu","high":2,"type":"free"}],"extras":{"a":"b"}}`,
			want: forecast{
				City: "Gräz", Rain: new(0.0), Note: new(""), Tags: []string{"a", ""}, Mood: "wet", Wind: &wind{Speed: 3, Gusts: new(0)},
				Days: []day{{Name: "Mo", High: new(-1), Low: new(-2), Type: "work"}, {Name: "Tu", High: new(2), Type: "free"}}, Extras: wordsByKey{"a": "b"},
			},
		},
		{
			why:  "nested members are null",
			text: `{"city":"Graz","rain":1.5,"note":"n","tags":[],"mood":"dry","wind":{"speed":3,"gusts":null},"days":[],"extras":{}}`,
			want: forecast{City: "Graz", Rain: new(1.5), Note: new("n"), Tags: []string{}, Mood: "dry", Wind: &wind{Speed: 3}, Days: []day{}, Extras: wordsByKey{}},
		},
	}
}

// A typed answer is the same Go value whoever gives it, asked for in each way that an
// adapter has.
func TestTypedAnswers(t *testing.T) {
	t.Parallel()
	every(t, func(t *testing.T, a adapter) {
		for _, id := range a.some(1) {
			for i, c := range forecasts() {
				for _, tools := range []bool{false, true}[:1+i%2] {
					s := a.saying(t, c.text)
					m := a.model(t, id, s)
					req := request.Request{Messages: []request.Message{request.UserText("q")}}
					if tools {
						req = question(t, m.Spec())
					}
					got, _, err := caller.As[forecast](t.Context(), caller.New(m, caller.Config{AnswerAttempts: 1}), req)
					require.NoError(t, err, "%s, tools %v: %s", id, tools, c.why)
					assert.Equal(t, c.want, got, "%s, tools %v: %s", id, tools, c.why)
					require.Len(t, s.bodies(), 1)
					assert.Contains(t, s.bodies()[0], "gusts", "%s: the model is told of the type", id)
				}
			}
		}
	})
}

// An answer that is not of its type is an error of its own kind, with the reply beside
// it; one that is right at the second try is the answer.
func TestWrongAnswers(t *testing.T) {
	t.Parallel()
	const right = `{"city":"Graz","rain":null,"mood":"dry","days":[]}`
	wrong := map[string]string{
		"no value of the enum":       `{"city":"Graz","rain":null,"mood":"damp","days":[]}`,
		"null where none may be":     `{"city":null,"rain":null,"mood":"dry","days":[]}`,
		"a required member is away":  `{"city":"Graz","mood":"dry","days":[]}`,
		"another type":               `{"city":"Graz","rain":"1","mood":"dry","days":[]}`,
		"wrong in a list":            `{"city":"Graz","rain":null,"mood":"dry","days":[{"name":"Mo","high":null,"type":"idle"}]}`,
		"a member that nobody knows": `{"city":"Graz","rain":null,"mood":"dry","days":[],"more":1}`,
		"no object":                  `["Graz"]`,
		"no JSON":                    `It rains.`,
		"cut":                        `{"city":"Graz","rain":null,"mood":"dry","days":[`,
	}
	every(t, func(t *testing.T, a adapter) {
		for why, text := range wrong {
			s := a.saying(t, text, right)
			c := caller.New(a.model(t, a.models[0], s), caller.Config{AnswerAttempts: 1})
			req := request.Request{Messages: []request.Message{request.UserText("q")}}
			got, result, err := caller.As[forecast](t.Context(), c, req)
			assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidReply, Reason: events.ReasonAnswerInvalid}, why)
			assert.Zero(t, got, why)
			assert.Equal(t, text, result.Reply.Text(), why)
		}
		s := a.saying(t, `{"city":"Graz"}`, right)
		c := caller.New(a.model(t, a.models[0], s), caller.Config{})
		got, _, err := caller.As[forecast](t.Context(), c, request.Request{Messages: []request.Message{request.UserText("q")}})
		require.NoError(t, err)
		assert.Equal(t, forecast{City: "Graz", Mood: "dry", Days: []day{}}, got)
		require.Len(t, s.bodies(), 2)
	})
}
