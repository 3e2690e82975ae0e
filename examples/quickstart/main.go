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

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

func main() {
	name := flag.String("model", "", `the model as "<provider>:<model>", for instance "groq:openai/gpt-oss-120b" or "ollama:qwen3"`)
	prompt := flag.String("prompt", question, "what to ask a live model; the recording answers its own question")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "quickstart: what to ask goes after -prompt")
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
	switch err := run(stop.Context(), os.Stdout, os.Stderr, options{*name, *prompt}); {
	case errors.Is(err, errReported):
		os.Exit(1)
	case err != nil:
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

// question is the one that the recording answers.
const question = "What is a weir, and why name a library after one?"

// errReported: the reply failed, and the report says so.
var errReported = errors.New("the reply failed")

// options are what to ask, and which model; without a model the environment decides.
type options struct{ model, prompt string }

// run asks the model and reports the reply to out, and to errs what was not done.
func run(ctx context.Context, out, errs io.Writer, o options) error {
	s, err := open(ctx, o.model, os.Getenv)
	if err != nil {
		return err
	}
	defer s.close()
	if s.recorded {
		if o.prompt != question {
			fmt.Fprintln(errs, "quickstart: -prompt is not asked: without OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or -model the answer is recorded, to another question")
		}
		o.prompt = question
		fmt.Fprintln(out, "No key is set: this is an embedded recording, and its price is made up.")
	}
	fmt.Fprintf(out, "%s> %s\n\n", s.model.Name(), o.prompt)
	reply, first := show(ctx, out, s.model, o.prompt)
	report(out, s, reply, first)
	if err := reply.Err(); err != nil && !errors.Is(err, &events.Failure{Kind: events.Cancelled}) {
		return errReported
	}
	return nil // complete, or stopped by the user
}

// show prints the reply as it arrives and returns it folded, with the time to
// its first token.
func show(ctx context.Context, out io.Writer, model providers.Model, prompt string) (*stream.Reply, time.Duration) {
	var reply stream.Reply
	var first time.Duration
	begin := time.Now()
	for ev := range model.Stream(ctx, request.Request{
		Messages:        []request.Message{request.UserText(prompt)},
		MaxOutputTokens: 1000,
	}) {
		reply.Add(ev)
		if first == 0 && ev.Kind.IsContent() {
			first = time.Since(begin)
		}
		if ev.Kind == events.TextDelta {
			fmt.Fprint(out, ev.Text)
		}
	}
	return &reply, first
}
