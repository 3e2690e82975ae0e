package conformance

import (
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/weirsdk/weir/providers"
)

// Canary is the credential that the adapters under test are given. The suite
// looks for it in everything that comes out of them.
const Canary = "tk-canary-0123456789abcdef"

// NoCredential is the claim, in [Adapter.Unsupported], of an adapter that sends
// no credential.
const NoCredential = "credential"

// NoModel is the claim, in [Adapter.Unsupported], of an adapter whose requests do not
// hold the model of its Name: an endpoint serves one model, or knows it by another id.
const NoModel = "model"

// An Adapter is what the suite is told of the adapter under test.
type Adapter struct {
	// New returns a model of the adapter that sends all its requests through rt and
	// uses [Canary] as its credential. It is called many times, from several
	// goroutines, and fails tb when the model cannot be made. Required.
	New func(tb testing.TB, rt http.RoundTripper) providers.Model
	// Wire holds the adapter's bytes: for each scenario one file in its root, named
	// after it, <scenario>.sse, .ndjson, .json or .eventstream (the body alone) or
	// .http (a raw HTTP/1.1 response, head included). An AWS event stream may be
	// written as server-sent events too, the type of each message as the event's name
	// (one that ends in Exception is an exception); the suite frames it. Required.
	Wire fs.FS
	// Unsupported are claims: the scenarios that the provider's wire cannot say,
	// each with the reason. A claim without a reason, of no scenario, or although
	// the bytes exist fails the suite.
	Unsupported map[string]string
	// Only restricts the run to some scenarios, for a vendor whose bytes another run
	// holds to all of them and who differs in these. Nil: all. A name of no scenario
	// fails the suite.
	Only []string
}

// Run holds an adapter to the contract: it plays every scenario, and every
// scenario under every mutation, as subtests of t, without a network. How much it
// did is logged at the end (go test -v).
//
// A failure prints the clause and its sentence, the scenario, the mutation, the
// bytes of the wire around the place, what was wanted and what came.
func Run(t *testing.T, a Adapter) {
	t.Helper()
	s := &suite{adapter: a, report: func(t *testing.T, f finding) {
		t.Helper()
		t.Error(f.String())
	}}
	s.run(t)
}

// A suite is one run over one adapter.
type suite struct {
	adapter Adapter
	report  func(*testing.T, finding)
	// only says which scenarios ("text") and groups of mutations ("text/cut") to
	// run; nil: all. A scenario that is run is always played as it is.
	only func(name string) bool

	scenarios, checks atomic.Int64
}

func (s *suite) wants(name string) bool {
	scenario, _, _ := strings.Cut(name, "/")
	return (s.only == nil || s.only(name)) && (s.adapter.Only == nil || slices.Contains(s.adapter.Only, scenario))
}

func (s *suite) run(t *testing.T) {
	t.Helper()
	begin := time.Now()
	t.Cleanup(func() {
		t.Logf("conformance: %s, %s, %.1f s%s", number(int(s.scenarios.Load()), "scenario"),
			number(int(s.checks.Load()), "derived check"), time.Since(begin).Seconds(), s.claimed())
	})
	s.checkClaims(t)
	for _, sc := range Scenarios() {
		if !s.wants(sc.Name) {
			continue
		}
		r, there, err := load(s.adapter.Wire, sc)
		_, claimed := s.adapter.Unsupported[sc.Name] // for which reason is checked above
		if err == nil && !there && claimed {
			continue
		}
		t.Run(sc.Name, func(t *testing.T) {
			switch { // what is wrong with the bytes is told first, in order: in parallel it would be in none
			case err != nil:
				s.fault(t, sc.Name, err.Error())
			case !there:
				s.fault(t, sc.Name, "there are no bytes for this scenario and no claim. Write a file "+sc.Name+sc.extensions()+
					" that says: "+sc.Says+". Where the provider's wire cannot say it, claim it in Unsupported with the reason")
			default:
				t.Parallel()
				s.scenarios.Add(1)
				s.runScenario(t, sc, r)
			}
		})
	}
	t.Run("model", func(t *testing.T) {
		t.Parallel()
		s.runModel(t)
	})
}

// claimed tells what was not played.
func (s *suite) claimed() string {
	if len(s.adapter.Unsupported) == 0 {
		return ""
	}
	return "; claimed: " + strings.Join(slices.Sorted(maps.Keys(s.adapter.Unsupported)), ", ")
}

// fault reports something wrong with the bytes or the claims.
func (s *suite) fault(t *testing.T, scenario, what string) {
	t.Helper()
	s.report(t, finding{scenario: scenario, got: what})
}

// checkClaims checks the claims against the bytes, both ways.
func (s *suite) checkClaims(t *testing.T) {
	t.Helper()
	names := map[string]bool{}
	for _, sc := range Scenarios() {
		names[sc.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(s.adapter.Unsupported)) {
		reason := s.adapter.Unsupported[name]
		files := s.files(name + ".*")
		switch {
		case !names[name] && name != NoCredential && name != NoModel:
			s.fault(t, name, "a claim of no scenario: is the name right?")
		case strings.TrimSpace(reason) == "":
			s.fault(t, name, "a claim without a reason")
		case len(files) > 0:
			s.fault(t, name, "a stale claim: there are bytes for it ("+files[0]+")")
		}
	}
	for _, name := range s.adapter.Only {
		if !names[name] {
			s.fault(t, name, "Only names no scenario of this name: is the name right?")
		}
	}
	for _, file := range s.files("*") {
		ext := path.Ext(file)
		if _, isWire := mediaTypes()[ext]; (isWire || ext == ".http") && !names[strings.TrimSuffix(file, ext)] {
			s.fault(t, file, "bytes of no scenario: is the name right?")
		}
	}
}

// files returns the adapter's files that a pattern matches.
func (s *suite) files(pattern string) []string {
	if s.adapter.Wire == nil {
		return nil
	}
	files, _ := fs.Glob(s.adapter.Wire, pattern)
	return files
}

// A finding is something that an adapter does against a clause.
type finding struct {
	clause, scenario, mutation string
	// wire is the bytes around the place, or empty.
	wire string
	// want and got are what was expected and what came. A fault of the bytes or the
	// claims has no clause and only got.
	want, got string
	// more is how many findings of the same clause and mutation are not shown.
	more int
}

// String returns the finding on several lines.
func (f finding) String() string {
	var b strings.Builder
	if f.clause == "" {
		fmt.Fprintf(&b, "scenario %s: %s", f.scenario, f.got)
		return b.String()
	}
	fmt.Fprintf(&b, "clause %s: %s\n", f.clause, sentence(f.clause))
	fmt.Fprintf(&b, "    scenario: %s\n    mutation: %s\n", f.scenario, f.mutation)
	if f.wire != "" {
		fmt.Fprintf(&b, "    wire:     %s\n", f.wire)
	}
	fmt.Fprintf(&b, "    want:     %s\n    got:      %s", f.want, f.got)
	if f.more > 0 {
		fmt.Fprintf(&b, "\n    and %d more like this", f.more)
	}
	return b.String()
}
