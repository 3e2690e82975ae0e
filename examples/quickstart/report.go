package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/stream"
)

// report prints what is known of a reply: also of one that broke or was stopped.
func report(out io.Writer, s *source, reply *stream.Reply, first time.Duration) {
	if reply.Text() != "" {
		fmt.Fprint(out, "\n\n") // the text ends in its own line
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(what, value string) { fmt.Fprintf(w, "%s\t%s\n", what, value) }
	row("outcome", string(reply.Outcome()))
	if stop := string(reply.Stop()); stop != "" {
		row("stop", fmt.Sprintf("%s (the provider says %q)", stop, reply.RawStop()))
	}
	if err := reply.Err(); err != nil {
		row("failure", err.Error())
	}
	if notSent(reply) {
		row("cost", "nothing: the request was not sent")
	} else {
		usage := reply.Usage()
		row("input", tokens(usage.Input)+", of them from cache: "+usage.CacheRead.String())
		row("output", tokens(usage.Output)+", of them thinking: "+usage.Thinking.String())
		row("cost", cost(s, reply))
	}
	if first > 0 {
		row("first token", first.Round(time.Millisecond).String())
	}
	_ = w.Flush()
}

// notSent reports whether the provider cannot have seen the request.
func notSent(reply *stream.Reply) bool {
	f, ok := events.AsFailure(reply.Err())
	return ok && f.Sent == events.NotSent
}

func tokens(c events.Count) string {
	if !c.IsKnown() {
		return "unknown"
	}
	return c.String() + " tokens"
}

// cost prices the reply: by the provider's own figure, else by the table.
func cost(s *source, reply *stream.Reply) string {
	if own, ok := reply.Cost(); ok {
		return own.Micros.String() + " (the provider's own figure)"
	}
	if reply.Outcome() == stream.OutcomeFailed && !reply.Usage().Reported() {
		return "unknown: nothing was reported"
	}
	p, err := price.ForReply(s.prices, s.model.Name(), reply.Start().Model)
	if err != nil {
		return "unknown: no price is known for " + s.model.Name()
	}
	amount, err := p.Cost(reply.Usage())
	if err != nil {
		return "unknown: the usage is not known well enough"
	}
	return amount.String()
}
