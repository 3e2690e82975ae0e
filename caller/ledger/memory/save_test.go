package memory_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/events"
)

// saved is a ledger of two runs, with an open attempt, a closed run and a lease.
func saved(t *testing.T) []byte {
	t.Helper()
	books := memory.New(memory.Options{})
	_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: 50}, Owner: "w", Lease: time.Hour})
	require.NoError(t, err)
	a := asking("r", "a")
	a.Owner = "w"
	_, err = books.Reserve(t.Context(), a)
	require.NoError(t, err)
	s := saying("a")
	s.Cost, s.Usage.Raw = 40, `{"input": 7, "z":"<é\u2028>"}`
	require.NoError(t, books.Settle(t.Context(), s))
	a.Attempt = "b"
	_, err = books.Reserve(t.Context(), a)
	require.Error(t, err, "closes the run")
	_, err = books.Reserve(t.Context(), asking("", "c"))
	require.NoError(t, err)
	data, err := books.Save()
	require.NoError(t, err)
	return data
}

func TestSaveAndLoad(t *testing.T) {
	t.Parallel()
	data := saved(t)
	books, err := memory.Load(data, memory.Options{})
	require.NoError(t, err)
	again, err := books.Save()
	require.NoError(t, err)
	assert.JSONEq(t, string(data), string(again))
	run, ok, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	require.True(t, ok)
	assert.Equal(t, "w", run.Owner)
	require.NotNil(t, run.Closed)
	for r, err := range books.Records(t.Context(), ledger.Filter{Run: "r"}) {
		require.NoError(t, err)
		assert.Equal(t, `{"input": 7, "z":"<é\u2028>"}`, r.Settled.Usage.Raw)
		assert.False(t, r.Settled.Usage.CacheRead.IsKnown())
	}
	require.NoError(t, books.Settle(t.Context(), saying("c")), "an open attempt can be settled")
	_, err = memory.Load([]byte(`{"version":1,"runs":[],"records":[]}`), memory.Options{})
	require.NoError(t, err, "an empty ledger")
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	data := string(saved(t))
	change := func(old, now string) string {
		require.Contains(t, data, old)
		return strings.Replace(data, old, now, 1)
	}
	var whole struct {
		Version int               `json:"version"`
		Runs    []json.RawMessage `json:"runs"`
		Records []json.RawMessage `json:"records"`
	}
	require.NoError(t, json.Unmarshal([]byte(data), &whole))
	with := func(runs, records []json.RawMessage) string {
		text, err := json.Marshal(map[string]any{"version": 1, "runs": runs, "records": records})
		require.NoError(t, err)
		return string(text)
	}
	twice := func(m []json.RawMessage) []json.RawMessage { return append(m[:len(m):len(m)], m[0]) }
	rows := []struct {
		why  string
		text string
	}{
		{"nothing", ""},
		{"no object", "[]"},
		{"no JSON", "{"},
		{"an empty object", "{}"},
		{"another version", change(`"version":1`, `"version":2`)},
		{"an unknown member", change(`"version":1`, `"version":1,"x":1`)},
		{"an unknown member of a run", change(`"tool_calls":0`, `"tool_calls":0,"x":1`)},
		{"something behind it", data + "{}"},
		{"a bracket behind it", data + "}"},
		{"tool calls below zero", change(`"tool_calls":0`, `"tool_calls":-100`)},
		{"a mode that nobody knows", change(`"limits":{`, `"limits":{"mode":"bogus",`)},
		{"a limit below zero", change(`"max_cost_micros":50`, `"max_cost_micros":-50`)},
		{"another limit below zero", change(`"limits":{`, `"limits":{"max_calls":-1,`)},
		{"a run without a name", change(`"id":"r"`, `"id":""`)},
		{"attempts of none that are limited", change(`"id":"-","limits":{`, `"id":"-","limits":{"max_calls":9`)},
		{"a lease that nobody holds", change(`"owner":"w",`, ``)},
		{"a run that another's refusal has closed", change(`"closed":{"run":"r"`, `"closed":{"run":"s"`)},
		{"less than nothing was forgotten", change(`"forgotten":{"calls":0`, `"forgotten":{"calls":-1`)},
		{"an unknown cost was forgotten below zero", change(`"unknown":0},"active_ns":0}}`, `"unknown":-3},"active_ns":0}}`)},
		{"an open attempt that nobody can settle", strings.NewReplacer(
			`"totals":{"calls":1,"open":1,`, `"totals":{"calls":2,"open":2,`, `"forgotten":{"calls":0,"open":0,`, `"forgotten":{"calls":1,"open":1,`,
		).Replace(with(whole.Runs[1:], whole.Records[1:]))},
		{"a member twice", change(`"id":"r",`, `"id":"s","id":"r",`)},
		{"a list of runs twice", change(`"version":1,`, `"version":1,"runs":[],`)},
		{"a member of a record twice", change(`"attempt":"a",`, `"attempt":"x","attempt":"a",`)},
		{"a member in capitals", change(`"version":1`, `"Version":1`)},
		{"a member in other letters", change(`"records"`, `"record\u017f"`)},
		{"a member twice behind a list", change(`"records":[`, `"version":1,"records":[`)},
		{"totals that were lowered", change(`"cost_micros":{"charged":40`, `"cost_micros":{"charged":4`)},
		{"calls that were lowered", change(`"calls":1`, `"calls":0`)},
		{"a record that was lowered", change(`"cost_micros":40`, `"cost_micros":4`)},
		{"a record below zero", change(`"cost_micros":40`, `"cost_micros":-40`)},
		{"a record without a status", change(`"status":"ok"`, `"status":"fine"`)},
		{"an open attempt that was charged", change(`"status":"dispatched","usage":{"input":null`, `"status":"dispatched","usage":{"input":1`)},
		{"forgotten attempts that nobody made", change(`"forgotten":{"calls":0`, `"forgotten":{"calls":1`)},
		{"an attempt is missing", with(whole.Runs, whole.Records[1:])},
		{"an attempt twice", with(whole.Runs, twice(whole.Records))},
		{"a run twice", with(twice(whole.Runs), whole.Records)},
		{"an attempt without its run", with(whole.Runs[:1], whole.Records)},
		{"a settlement of another attempt", change(`"settled":{"attempt":"a"`, `"settled":{"attempt":"b"`)},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			books, err := memory.Load([]byte(row.text), memory.Options{})
			requireFailure(t, err, events.LimitReached, events.ReasonLedgerUnavailable)
			assert.Nil(t, books)
		})
	}
	for cut := range len(data) {
		_, err := memory.Load([]byte(data[:cut]), memory.Options{})
		requireFailure(t, err, events.LimitReached, events.ReasonLedgerUnavailable)
	}
}
