package ledgertest

import (
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/memory"
)

// A recorder is a testing.TB that notes whether a test failed.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	failed bool
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(string, ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = true
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}

// fails reports whether a case fails with a store.
func fails(t *testing.T, c testCase, s Store) bool {
	r := &recorder{TB: t}
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.against(r, s)
	}()
	<-over
	return r.failed
}

// storeOf opens memory, and breaks it unless harm is nil.
func storeOf(harm func(*broken)) Store {
	return Store{
		Open: func(testing.TB) ledger.Ledger {
			b := &broken{Ledger: memory.New(memory.Options{})}
			if harm != nil {
				harm(b)
			}
			return b
		},
		Reopen:  func(_ testing.TB, was ledger.Ledger) ledger.Ledger { return was },
		Advance: func(_ ledger.Ledger, d time.Duration) { time.Sleep(d) },
	}
}

// TestTheSuiteFindsBrokenLedgers runs every case with every broken ledger. Each
// ledger is found, and each case finds one.
func TestTheSuiteFindsBrokenLedgers(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	found := map[string]bool{}
	all := append(mutants(), mutant{name: "nothing is kept"})
	t.Run("mutants", func(t *testing.T) {
		for _, m := range all {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				s := storeOf(m.harm)
				if m.harm == nil {
					s.Reopen = func(testing.TB, ledger.Ledger) ledger.Ledger { return memory.New(memory.Options{}) }
				}
				killed := 0
				synctest.Test(t, func(t *testing.T) {
					for _, c := range cases() {
						if isSharing(c) && !m.isShared() {
							continue
						}
						if fails(t, c, s) {
							killed++
							mu.Lock()
							found[c.name] = true
							mu.Unlock()
						}
					}
				})
				assert.Positive(t, killed, "no case finds it")
			})
		}
	})
	for _, c := range cases() {
		assert.True(t, found[c.name], "no broken ledger fails the case: %s", c.name)
	}
}

func isSharing(c testCase) bool {
	return slices.ContainsFunc(sharingCases(), func(o testCase) bool { return o.name == c.name })
}

func TestAGoodLedgerPasses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for _, c := range cases() {
			assert.False(t, fails(t, c, storeOf(nil)), c.name)
		}
	})
}

func TestCasesHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, c := range cases() {
		assert.False(t, names[c.name], c.name)
		names[c.name] = true
	}
}
