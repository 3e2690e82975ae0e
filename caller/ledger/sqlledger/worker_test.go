package sqlledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/caller/ledger/sqlledger"
	"github.com/weirsdk/weir/events"
)

// workerJob names the environment variable that makes the test binary a worker, and
// holds its job.
const workerJob = "WEIR_SQLLEDGER_WORKER"

// A job is what a worker does: it reserves and settles so many attempts of a run.
type job struct {
	DSN      string
	Name     string
	Attempts int
	Seed     uint64
}

// The words of a worker, each written before or after what it says, so that who
// reads them knows what a worker that was killed may and must have done.
const (
	wordTry      = "try"      // id, estimate: about to reserve
	wordReserved = "reserved" // id
	wordRefused  = "refused"  // id
	wordUse      = "use"      // id, cost: about to settle
	wordSettled  = "settled"  // id
)

func runWorker(text string) int {
	var j job
	if err := errors.Join(json.Unmarshal([]byte(text), &j), j.run(context.Background())); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func (j job) run(ctx context.Context) error {
	books, err := sqlledger.Open(ctx, j.DSN, sqlledger.Options{SkipVerify: true, NoSync: true, MaxConns: 2, RetryFor: time.Minute})
	if err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(j.Seed, 0))
	for i := range j.Attempts {
		if err := j.attempt(ctx, books, fmt.Sprint(j.Name, "-", i), r); err != nil {
			return err
		}
	}
	return books.Close()
}

func (j job) attempt(ctx context.Context, books ledger.Ledger, id string, r *rand.Rand) error {
	estimate := 10 + r.Int64N(90)
	fmt.Println(wordTry, id, estimate)
	_, err := books.Reserve(ctx, ledger.Reservation{
		Attempt: id, Run: "r", Actor: j.Name, Estimate: events.Usage{Input: events.Known(estimate), Output: events.Known(0)},
		EstimatedCost: events.Micros(estimate), Priced: true,
	})
	var full *ledger.Exceeded
	if errors.As(err, &full) {
		fmt.Println(wordRefused, id)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Println(wordReserved, id)
	cost := 1 + r.Int64N(estimate)
	fmt.Println(wordUse, id, cost)
	if err := books.Settle(ctx, saying(id, cost)); err != nil {
		return err
	}
	fmt.Println(wordSettled, id)
	return nil
}
