package canned

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
)

// question returns the least request.
func question() request.Request {
	return request.Request{Messages: []request.Message{request.UserText("hi")}}
}

// Refused calls a model whose server refuses the key. What was left out of the
// request is told of a call that fails before its first frame too, what the
// request adds by the adapter's key of Extra is sent, and a refusal for want of a
// key says that there is none.
func Refused(t *testing.T, extraKey string, keyless bool, model func(*http.Client) providers.Model) {
	t.Helper()
	rt := &Transport{Status: http.StatusUnauthorized, Body: []byte(`{"error":{"message":"no"},"message":"no"}`)}
	r := question()
	r.Extra = map[string]string{extraKey: `{"top_k":4}`, "tpyo": `{"top_k":5}`}
	evs := slices.Collect(model(&http.Client{Transport: rt}).Stream(t.Context(), r))
	require.Len(t, evs, 3)
	assert.Equal(t, events.Started, evs[0].Kind)
	n, _ := evs[1].Notice()
	assert.Equal(t, events.NoticeParameterDropped, n.Code)
	f, _ := evs[2].Failure()
	assert.Equal(t, events.ReasonAuth, f.Reason)
	assert.Equal(t, keyless, strings.HasSuffix(f.Detail, "(no key is configured)"), f.Detail)
	require.Len(t, rt.Requests(), 1)
	assert.Contains(t, string(rt.Requests()[0].Body), `"top_k":4`)
}

// Left leaves the loop over a whole answer at every event: every way out closes the
// body once.
func Left(t *testing.T, answer func() *Transport, model func(*http.Client) providers.Model) {
	t.Helper()
	all := slices.Collect(model(&http.Client{Transport: answer()}).Stream(t.Context(), question()))
	require.Equal(t, events.Completed, Terminal(t, all).Kind)
	for n := range all {
		rt := answer()
		seen := 0
		for range model(&http.Client{Transport: rt}).Stream(t.Context(), question()) {
			if seen == n {
				break
			}
			seen++
		}
		assert.Equal(t, []int{1}, rt.Closes(), "left at event %d", n)
	}
}

// Printed returns all that printers, encoders and logs make of values and events,
// where no credential may be.
func Printed(evs []events.Event, values ...any) string {
	var out bytes.Buffer
	for _, v := range values {
		fmt.Fprintf(&out, "%v %+v %#v %s %q\n", v, v, v, v, v)
		if text, err := json.Marshal(v); err == nil {
			out.Write(text)
		}
		slog.New(slog.NewJSONHandler(&out, nil)).Info("m", "v", v)
		slog.New(slog.NewTextHandler(&out, nil)).Info("m", "v", v)
	}
	for _, ev := range evs {
		out.Write(events.AppendJSON(nil, ev))
		fmt.Fprintf(&out, "%v %+v\n", ev, ev.Err())
	}
	return out.String()
}
