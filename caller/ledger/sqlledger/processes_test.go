package sqlledger_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/events"
)

// processes is how many spend one budget at the same time.
const processes = 6

// A known is what the workers said about one attempt.
type known struct {
	estimate, cost                            int64
	tried, reserved, refused, using, finished bool
}

// A fleet is the workers on one ledger.
type fleet struct {
	dsn string

	mu    sync.Mutex
	left  int // attempts that nobody has tried
	born  int
	kills int
	said  map[string]*known
}

// TestProcesses has processes reserve 10,000 attempts of one budget, and kills them
// at random moments. Not a microdollar is spent beyond it at any time, and in the
// end the books say what the workers know.
//
// The ledgers are opened with NoSync: a process is killed, not the machine.
func TestProcesses(t *testing.T) {
	t.Parallel()
	withEach(t, func(t *testing.T, d database) {
		attempts := manyAttempts
		if testing.Short() {
			attempts = 600
		}
		f := &fleet{dsn: d.fresh(t), left: attempts, said: map[string]*known{}}
		books := openAt(t, f.dsn, sqlledger.Options{NoSync: true})
		// Used is half of what is estimated, on average, so that the last tenth does
		// not fit.
		budget := int64(attempts) * 55 / 2 * 9 / 10
		_, err := books.OpenRun(t.Context(), ledger.RunSpec{ID: "r", Limits: ledger.Limits{MaxCost: events.Micros(budget), AllowSmaller: true}})
		require.NoError(t, err)

		over := make(chan struct{})
		var workers sync.WaitGroup
		for i := range processes {
			workers.Go(func() { f.keep(t, i) })
		}
		go func() {
			workers.Wait()
			close(over)
		}()
		looks := f.watch(t, books, budget, over)
		t.Logf("%d attempts, %d processes, %d of them killed, %d looks at the run", len(f.said), f.born, f.kills, looks)
		assert.Positive(t, f.kills)
		f.settleUp(t, books, budget)
	})
}

// watch looks at the run until the workers are done.
func (f *fleet) watch(t *testing.T, books *sqlledger.Ledger, budget int64, over <-chan struct{}) int {
	for looks := 1; ; looks++ {
		run, _, err := books.Run(t.Context(), "r")
		require.NoError(t, err)
		require.LessOrEqual(t, int64(run.Totals.SpentCost()), budget, "more is spent and reserved than there is")
		select {
		case <-over:
			return looks
		case <-time.After(time.Millisecond):
		}
	}
}

// keep runs one worker after the other until nothing is left to try.
func (f *fleet) keep(t *testing.T, i int) {
	r := rand.New(rand.NewPCG(11, uint64(i)))
	for {
		f.mu.Lock()
		share := min(f.left, 200)
		f.left -= share
		f.born++
		name := fmt.Sprint("p", f.born)
		f.mu.Unlock()
		if share == 0 {
			return
		}
		tried, err := f.work(t, job{DSN: f.dsn, Name: name, Attempts: share, Seed: r.Uint64()}, time.Duration(200+r.IntN(3000))*time.Millisecond)
		if err != nil {
			t.Error(err)
			return
		}
		f.mu.Lock()
		f.left += share - tried
		f.mu.Unlock()
	}
}

// work runs a worker, kills it when its time is over, and returns how many attempts
// it has tried.
func (f *fleet) work(t *testing.T, j job, life time.Duration) (int, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return 0, err
	}
	var errs bytes.Buffer
	worker := exec.CommandContext(t.Context(), os.Args[0])
	worker.Env = append(os.Environ(), workerJob+"="+string(text))
	worker.Stderr = &errs
	out, err := worker.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := worker.Start(); err != nil {
		return 0, err
	}
	killer := time.AfterFunc(life, func() { _ = worker.Process.Kill() })
	tried := f.listen(bufio.NewScanner(out))
	err = worker.Wait()
	if killer.Stop() && err != nil {
		return tried, fmt.Errorf("a worker failed: %w: %s", err, errs.String())
	}
	if err != nil {
		f.mu.Lock()
		f.kills++
		f.mu.Unlock()
	}
	return tried, nil
}

// listen notes what a worker says. A line that was cut says nothing.
func (f *fleet) listen(lines *bufio.Scanner) int {
	tried := 0
	for lines.Scan() {
		var word, id string
		var n int64
		if _, err := fmt.Sscan(lines.Text()+" 0", &word, &id, &n); err != nil {
			continue
		}
		f.mu.Lock()
		k := f.said[id]
		if k == nil {
			k = &known{}
			f.said[id] = k
		}
		switch word {
		case wordTry:
			k.tried, k.estimate = true, n
			tried++
		case wordReserved:
			k.reserved = true
		case wordRefused:
			k.refused = true
		case wordUse:
			k.using, k.cost = true, n
		case wordSettled:
			k.finished = true
		}
		f.mu.Unlock()
	}
	return tried
}

// settleUp recovers what the dead left and holds the books against what was said.
func (f *fleet) settleUp(t *testing.T, books *sqlledger.Ledger, budget int64) {
	sqlledger.Advance(books, 2*ledger.DefaultExpires)
	recovered, err := books.Recover(t.Context())
	require.NoError(t, err)
	require.NoError(t, books.Verify(t.Context()))
	var sum ledger.Totals
	for r, err := range books.Records(t.Context(), ledger.Filter{Run: "r"}) {
		require.NoError(t, err)
		sum = sum.Plus(ledger.TotalsOf(r))
		k := f.said[r.Attempt]
		require.NotNil(t, k, "nobody tried %s", r.Attempt)
		require.False(t, k.refused, "%s was refused", r.Attempt)
		require.Equal(t, k.estimate, int64(r.EstimatedCost))
		switch r.Status() {
		case charge.OK:
			require.True(t, k.using, "%s is settled, and nobody did", r.Attempt)
			require.Equal(t, k.cost, int64(r.Settled.Cost))
		case charge.Ambiguous:
			require.True(t, r.Recovered)
			require.False(t, k.finished, "%s was settled, and is lost", r.Attempt)
			require.Equal(t, k.estimate, int64(r.Settled.Cost))
		default:
			t.Fatalf("%s is still %s", r.Attempt, r.Status())
		}
		delete(f.said, r.Attempt)
	}
	for id, k := range f.said {
		require.False(t, k.reserved, "%s was reserved, and is not in the books", id)
	}
	run, _, err := books.Run(t.Context(), "r")
	require.NoError(t, err)
	require.Equal(t, sum, run.Totals)
	require.Zero(t, run.Totals.Open)
	require.LessOrEqual(t, run.Totals.Cost.Charged, budget)
	require.Greater(t, run.Totals.Cost.Charged, budget*9/10, "the budget was used")
	t.Logf("%d recovered, %d ok, charged %d of %d", len(recovered), run.Totals.OK, run.Totals.Cost.Charged, budget)
}
