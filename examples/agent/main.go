package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/ledger/memory"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/validator"
)

func main() {
	name := flag.String("model", "", `the model as "<provider>:<model>", for instance "openai:gpt-5-mini" or "ollama:qwen3"`)
	prompt := flag.String("prompt", order, "what to ask a live model; the recording quotes its own order")
	budget := flag.String("budget", "0.10", "the most that the run may cost, in dollars")
	flag.Parse()
	most, err := checkUsage(*budget, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(2)
	}

	stop := cancel.New(context.Background())
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	go func() {
		<-interrupted
		signal.Stop(interrupted) // a second Ctrl-C ends the program at once
		stop.Cancel(cancel.User)
	}()
	limits := defaultLimits()
	limits.MaxCost = most
	switch err := run(stop.Context(), os.Stdout, os.Stderr, options{*name, *prompt, limits}); {
	case errors.Is(err, errReported):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

// checkUsage returns the budget, or what is wrong with the command line.
func checkUsage(budget string, args []string) (events.Micros, error) {
	most, err := price.ParseDollars(budget)
	switch {
	case err != nil || most == 0:
		return 0, fmt.Errorf("-budget takes dollars, more than 0, as in 0.10; got %q", budget)
	case len(args) > 0:
		return 0, fmt.Errorf("the order goes after -prompt; got %q besides", args[0])
	default:
		return most, nil
	}
}

// order is the one that the recording quotes.
const order = "A customer in Norway wants 12 of KETTLE-2 and 3 of LAMP-7. What does it come to?"

// purpose is what the loop's own calls are booked under; a tool may have another.
const purpose = "quote"

// errReported: there is no quote, and the report says why.
var errReported = errors.New("no quote")

type options struct {
	model, prompt string
	limits        caller.Limits
}

// defaultLimits bound the whole run: every attempt of every model, and the tools.
func defaultLimits() caller.Limits {
	return caller.Limits{
		MaxCalls:               12,
		MaxToolCalls:           10,
		MaxOutputTokensPerCall: 4000,
		MaxCost:                100_000, // ten cents
	}
}

// run quotes the order and reports to out what came of it and what it cost, and to
// errs what was not done.
func run(ctx context.Context, out, errs io.Writer, o options) error {
	s, err := open(ctx, o.model, os.Getenv)
	if err != nil {
		return err
	}
	defer s.close()
	if s.recorded {
		if o.prompt != order {
			fmt.Fprintln(errs, "agent: -prompt is not asked: without a key or -model the recording quotes its own order")
		}
		o.prompt = order
		fmt.Fprintln(out, "No key is set: this is an embedded recording, and its prices are made up.")
	}
	a, err := newAgent(ctx, out, s, o.limits)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s> %s\n\n", s.model.Name(), o.prompt)
	quote, failed := a.quote(ctx, o.prompt)
	reported := showQuote(out, quote, failed)
	// Also of a run that was stopped, whose context the ledger would not take.
	if err := showAccount(context.WithoutCancel(ctx), out, a.run); err != nil {
		return err
	}
	return reported
}

// newAgent puts the parts together: two models that keep the same books, the tools,
// and a run.
func newAgent(ctx context.Context, out io.Writer, s *source, limits caller.Limits) (*agent, error) {
	books := memory.New(memory.Options{})
	config := caller.Config{
		Ledger: books, Prices: s.prices,
		MaxRetries: 2, Backoff: 200 * time.Millisecond,
		// A call that does not fit its tool goes back to the model with what is wrong.
		ToolPolicy: validator.Report,
		Observer:   showSteps(out),
	}
	tools, err := newShop(caller.New(s.cheap, config)).tools()
	if err != nil {
		return nil, err
	}
	run, err := caller.OpenRun(ctx, books, caller.RunConfig{
		ID: "order-1", Limits: limits, Scope: caller.Scope{Purpose: purpose},
	})
	if err != nil {
		return nil, err
	}
	return &agent{model: caller.New(s.model, config), run: run, tools: tools, out: out}, nil
}
