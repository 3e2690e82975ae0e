package conformance

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
)

// A broken is an adapter with one thing wrong.
type broken struct {
	// clause is what it breaks, and why says how.
	clause, why string
	// fault is what the toy does wrong; byHand, whether its exchange is its own.
	fault  fault
	byHand bool
	// ndjson: the wire is lines, and not events.
	ndjson bool
	// eventStream: the wire is binary messages.
	eventStream bool
	// with makes a faulty model of the toy; nil: the toy is faulty itself.
	with made
	// wire replaces bytes; an empty text takes them away.
	wire map[string]string
	// on are the groups of mutations to play, "<scenario>/<group>".
	on []string
	// want begins what the suite says that it wants: which check it is.
	want string
	// got is a piece of what it says that it got; empty: any.
	got string
	// also are other clauses that may complain, each with the reason.
	also map[string]string
}

func (b broken) name() string {
	if b.why != "" {
		return b.clause + " " + b.why
	}
	return b.clause + " " + string(b.fault)
}

// faults returns the table.
func faults() []broken {
	return slices.Concat(faultsOfModels(), faultsOfEnds(), faultsOfContent(), faultsOfExchanges(), faultsOfRefusals(), faultsOfRequests(), faultsOfContrasts(), faultsOfTables(), faultsOfEventStreams())
}

func (b broken) adapter(t *testing.T) Adapter {
	t.Helper()
	wire := toyWire(t, b.wire)
	if b.ndjson {
		wire = asNDJSON(t)
	}
	if b.eventStream {
		wire = asEventStream(t)
	}
	return Adapter{Wire: wire, New: func(_ testing.TB, rt http.RoundTripper) providers.Model {
		m := newToy(rt, b.fault)
		m.byHand, m.ndjson, m.eventStream = b.byHand, b.ndjson, b.eventStream
		if b.with != nil {
			return b.with(m)
		}
		return m
	}}
}

func (b broken) plays(name string) bool {
	return slices.ContainsFunc(b.on, func(on string) bool { return on == name || strings.HasPrefix(on, name+"/") })
}

// TestFaults: of each broken adapter the suite complains, with the clause that is
// broken, by the check that is meant for it, and with no clause that has nothing
// to do with it.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, b := range faults() {
		t.Run(b.name(), func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, b.on)
			found := findingsOf(t, b.adapter(t), b.plays)
			caught := false
			var told []string
			for _, f := range found {
				told = append(told, f.String())
				caught = caught || f.clause == b.clause && strings.HasPrefix(f.want, b.want) && strings.Contains(f.got, b.got) && slices.Contains(b.on, f.scenario+"/"+groupOf(f.mutation))
				assert.NotEqual(t, f.want, f.got, "what came is told as what was wanted")
				_, allowed := b.also[f.clause]
				assert.True(t, f.clause == b.clause || allowed, "a clause that has nothing to do with it:\n%s", f)
			}
			assert.True(t, caught, "the suite does not catch it with %s, %q; it says:\n%s", b.clause, b.want, strings.Join(told, "\n"))
			for clause, why := range b.also {
				assert.NotEmpty(t, why)
				assert.True(t, slices.ContainsFunc(found, func(f finding) bool { return f.clause == clause }), "%s no longer complains: take it out", clause)
			}
		})
	}
}

// groupOf returns the group of a mutation.
func groupOf(mutation string) string {
	name, _, _ := strings.Cut(mutation, ":")
	return name
}

// TestEveryClauseIsBroken: no clause is without a row.
func TestEveryClauseIsBroken(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, b := range faults() {
		assert.False(t, names[b.name()], "two rows %s", b.name())
		names[b.name()] = true
	}
	for _, c := range Clauses() {
		assert.True(t, slices.ContainsFunc(faults(), func(b broken) bool { return b.clause == c.ID }), "no row breaks %s: %s", c.ID, c.Sentence)
	}
}
