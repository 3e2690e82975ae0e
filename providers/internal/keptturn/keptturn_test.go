package keptturn_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/keptturn"
	"github.com/weirsdk/weir/request"
)

func TestRead(t *testing.T) {
	t.Parallel()
	data := func(format, origin, value string) events.ProviderData {
		return events.ProviderData{Format: format, Origin: origin, Value: value}
	}
	for _, row := range []struct {
		why    string
		data   events.ProviderData
		reason events.Reason
		want   string
	}{
		{why: "a turn without data"},
		{why: "its own", data: data("f.v1", "us", `{"x":"y"}`), want: "y"},
		{why: "another family's", data: data("g.v1", "us", `{"x":"y"}`), reason: events.ReasonForeignData},
		{why: "another provider's", data: data("f.v1", "them", `{"x":"y"}`), reason: events.ReasonForeignData},
		{why: "no JSON", data: data("f.v1", "us", `{"x":`), reason: events.ReasonBadHistory},
		{why: "no object", data: data("f.v1", "us", `[]`), reason: events.ReasonBadHistory},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			var value struct{ X string }
			err := keptturn.Read(row.data, "f.v1", "us", &value)
			if row.reason != "" {
				assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: row.reason})
				return
			}
			require.NoError(t, err)
			assert.Equal(t, row.want, value.X)
		})
	}
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	text := request.Text
	call := func(id string) request.Block {
		return request.Call(events.ToolCall{ID: id, Name: "f", Arguments: "{}"})
	}
	type slot struct{ kind, id string }
	for _, row := range []struct {
		why   string
		turn  []request.Block
		slots []slot
		takes []int
		rest  int
	}{
		{why: "as it came", turn: []request.Block{text("a"), call("1"), text("b")}, slots: []slot{{"text", ""}, {"call", "1"}, {"text", ""}}, takes: []int{1, 1, 1}},
		{why: "a text that is gone", turn: []request.Block{call("1")}, slots: []slot{{"text", ""}, {"call", "1"}}, takes: []int{0, 1}},
		{why: "a call that is gone", turn: []request.Block{text("a")}, slots: []slot{{"call", "1"}, {"text", ""}}, takes: []int{0, 1}},
		{why: "a text that was added goes before the call that follows it", turn: []request.Block{text("a"), call("1")}, slots: []slot{{"call", "1"}}, takes: []int{2}},
		{why: "what has no slot follows at the end", turn: []request.Block{text("a"), text("b"), call("2")}, slots: []slot{{"text", ""}}, takes: []int{1}, rest: 2},
		{why: "a slot twice", turn: []request.Block{call("1"), call("2")}, slots: []slot{{"call", "1"}, {"call", "1"}}, takes: []int{1, 0}, rest: 1},
		{why: "a slot of a call that was taken with a later one", turn: []request.Block{call("1"), call("2")}, slots: []slot{{"call", "2"}, {"call", "1"}}, takes: []int{2, 0}},
		{why: "of two calls of one id the first counts", turn: []request.Block{call("1"), call("1")}, slots: []slot{{"call", "1"}}, takes: []int{1}, rest: 1},
		{why: "a turn without blocks", slots: []slot{{"text", ""}, {"call", ""}}, takes: []int{0, 0}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			blocks := keptturn.Of(row.turn)
			at := 0
			for i, s := range row.slots {
				got := blocks.Take(s.kind, s.id)
				assert.Len(t, got, row.takes[i])
				for j := range got {
					assert.Same(t, &row.turn[at+j], &got[j], "in their order, and not copied")
				}
				at += len(got)
			}
			assert.Len(t, blocks.Rest(), row.rest)
		})
	}
}
