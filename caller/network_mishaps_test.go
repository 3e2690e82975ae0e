package caller_test

import (
	"context"
	"net/http"
	"time"

	"github.com/weirsdk/weir/caller"
	"github.com/weirsdk/weir/caller/charge"
	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
)

// opens plays the head, and what comes before content.
func opens(w wire, p *peer) {
	p.head(w.contentType)
	p.chunk(w.opening)
}

// speaks plays some content too and waits until it was read.
func speaks(w wire, p *peer) {
	opens(w, p)
	p.chunk(w.text)
	p.awaitContent()
}

// breaks is a call that the provider's side broke: ambiguous, at the estimate.
func breaks(why string, came stage, reason events.Reason, again bool, plain func(w wire, p *peer)) mishap {
	return mishap{
		why: why, plain: plain, came: came, kind: events.InvalidReply, reason: reason,
		status: charge.Ambiguous, cert: charge.Estimated, again: again,
	}
}

func (m mishap) of(kind events.FailureKind) mishap {
	m.kind = kind
	return m
}

func (m mishap) with(change func(*mishap)) mishap {
	change(&m)
	return m
}

func brokenPlain() []mishap {
	lost, cutShort := events.ReasonLostConnection, events.ReasonTruncated
	return []mishap{
		breaks("EOF inside a chunk, after content", textCame, lost, true, func(w wire, p *peer) { speaks(w, p); p.cut() }),
		breaks("EOF inside a chunk, before content", openingCame, lost, true, func(w wire, p *peer) { opens(w, p); p.cut() }),
		breaks("EOF after the head", nothingCame, lost, true, func(w wire, p *peer) { p.head(w.contentType); p.close() }),
		breaks("clean end before the terminal", textCame, cutShort, true, func(w wire, p *peer) { speaks(w, p); p.end() }),
		breaks("clean end before content", openingCame, cutShort, true, func(w wire, p *peer) { opens(w, p); p.end() }),
		breaks("clean end of an empty body", nothingCame, cutShort, true, func(w wire, p *peer) { p.head(w.contentType); p.end() }),
		breaks("clean end inside a frame", textCame, cutShort, true, func(w wire, p *peer) {
			speaks(w, p)
			p.chunk(w.text[:len(w.text)/2])
			p.end()
		}),
		breaks("reset after content", textCame, lost, true, func(w wire, p *peer) { speaks(w, p); p.reset() }),
		breaks("reset before an answer", nothingCame, events.ReasonConnect, true, func(_ wire, p *peer) { p.reset() }).of(events.Unreachable),
		breaks("EOF before an answer", nothingCame, events.ReasonConnect, true, func(_ wire, p *peer) { p.close() }).of(events.Unreachable),
		breaks("EOF inside the head", nothingCame, events.ReasonConnect, true, func(_ wire, p *peer) {
			p.write("HTTP/1.1 200 OK\r\nContent-Ty")
			p.close()
		}).of(events.Unreachable),
		breaks("no HTTP", nothingCame, events.ReasonConnect, true, func(_ wire, p *peer) {
			p.write("SSH-2.0-x\r\n\r\n")
			p.close()
		}).of(events.Unreachable),
		breaks("a line over the limit", textCame, events.ReasonTooLarge, false, func(w wire, p *peer) {
			speaks(w, p)
			p.chunk(w.long)
			p.hold()
		}),
		breaks("a frame that is no JSON", textCame, events.ReasonMalformed, true, func(w wire, p *peer) {
			speaks(w, p)
			p.chunk(w.malformed)
			p.hold()
		}),
		breaks("a violation of the grammar", textCame, events.ReasonProtocolViolation, false, func(w wire, p *peer) {
			speaks(w, p)
			p.chunk(w.text)
			p.hold()
		}).with(func(m *mishap) { m.config = func(c *caller.Config) { c.Grammar.TextBytes = len("Hi there") + 1 } }),
		breaks("HTML", nothingCame, events.ReasonBadContent, false, func(_ wire, p *peer) {
			p.whole(200, "text/html", "", "<!doctype html><title>Sign in</title>")
		}),
		breaks("HTML that says it is a stream", nothingCame, events.ReasonBadContent, false, func(w wire, p *peer) {
			p.whole(200, w.contentType, "", "<!doctype html><title>Sign in</title>")
		}),
		breaks("a document that is no error", nothingCame, events.ReasonBadContent, false, func(_ wire, p *peer) {
			p.whole(200, "application/json", "", `{"models":[]}`)
		}).with(func(m *mishap) { m.wires = []string{"openai", "gateway", "anthropic"} }),
		breaks("an encoding nobody asked for", nothingCame, events.ReasonBadContent, false, func(w wire, p *peer) {
			p.whole(200, w.contentType, "Content-Encoding: br\r\n", "\x0b\x02")
		}),
		breaks("an error after content", textCame, "", true, func(w wire, p *peer) {
			speaks(w, p)
			p.chunk(w.inBand)
			p.end()
		}).of(events.Overloaded),
		breaks("an error before content", openingCame, "", true, func(w wire, p *peer) {
			opens(w, p)
			p.chunk(w.inBand)
			p.end()
		}).of(events.Overloaded),
	}
}

func clocksPlain() []mishap {
	clocks := func(c cancel.Clocks) func(*mishap) {
		return func(m *mishap) { m.config = func(config *caller.Config) { config.Clocks = c } }
	}
	holds := func(w wire, p *peer) { speaks(w, p); p.hold() }
	late := func(why string, came stage, reason events.Reason, again bool, plain func(w wire, p *peer)) mishap {
		return breaks(why, came, reason, again, plain).of(events.TimedOut)
	}
	// Long enough for a busy machine to do what comes before.
	const short, long = 500 * time.Millisecond, 1500 * time.Millisecond
	two := func(m *mishap) { m.wires = []string{"openai", "anthropic"} }
	h2 := func(m *mishap) {
		m.why, m.plain = "HTTP 2: "+m.why, nil
		m.h2 = func(w wire, p *peerH2) { speaksH2(w, p); p.hold() }
	}
	return []mishap{
		late("idle", textCame, events.ReasonIdle, true, nil).with(clocks(cancel.Clocks{Idle: short})).with(two).with(h2),
		late("the whole call", textCame, events.ReasonDeadline, false, nil).with(clocks(cancel.Clocks{Call: long})).with(two).with(h2),
		late("idle", textCame, events.ReasonIdle, true, holds).with(clocks(cancel.Clocks{Idle: short})),
		late("stall", textCame, events.ReasonStall, true, holds).with(clocks(cancel.Clocks{Stall: short})).with(two),
		late("first token, head and opening came", openingCame, events.ReasonFirstToken, true, func(w wire, p *peer) {
			opens(w, p)
			p.hold()
		}).with(clocks(cancel.Clocks{FirstToken: long})).with(two),
		late("first token, no head came", nothingCame, events.ReasonFirstToken, true, func(_ wire, p *peer) { p.hold() }).
			with(clocks(cancel.Clocks{FirstToken: long})).with(two),
		late("the whole call", textCame, events.ReasonDeadline, false, holds).with(clocks(cancel.Clocks{Call: long})).with(two),
		late("the whole call, no head came", nothingCame, events.ReasonDeadline, false, func(_ wire, p *peer) { p.hold() }).
			with(clocks(cancel.Clocks{Call: long})).with(two),
		late("the user's deadline", textCame, events.ReasonDeadline, false, holds).with(func(m *mishap) {
			m.begin = func(ctx context.Context) (context.Context, context.CancelFunc) { return context.WithTimeout(ctx, long) }
		}).with(two),
		late("the run's time", textCame, events.ReasonLimitElapsed, false, holds).of(events.LimitReached).
			with(func(m *mishap) { m.limits.MaxElapsed = long }).with(two),
	}
}

func leftPlain() []mishap {
	holds := func(w wire, p *peer) { speaks(w, p); p.hold() }
	left := func(why string, came stage, reason events.Reason, plain func(w wire, p *peer)) mishap {
		return breaks(why, came, reason, false, plain).of(events.Cancelled)
	}
	leaves := func(how func() bool) func(*mishap) {
		return func(m *mishap) { m.leave, m.streamOnly = how, true }
	}
	return []mishap{
		left("cancelled after content", textCame, events.ReasonUser, holds).with(func(m *mishap) { m.stopAt = true }),
		left("cancelled before an answer", nothingCame, events.ReasonUser, func(_ wire, p *peer) { p.hold() }).
			with(func(m *mishap) { m.stopAtRequest = true }),
		left("superseded", textCame, events.ReasonSuperseded, holds).with(func(m *mishap) {
			m.stopAt = true
			m.begin = func(ctx context.Context) (context.Context, context.CancelFunc) {
				scope := cancel.New(ctx)
				return scope.Context(), func() { scope.Cancel(cancel.Superseded) }
			}
		}),
		left("break", textCame, events.ReasonAbandoned, holds).with(leaves(leaveByBreak)),
		left("panic", textCame, events.ReasonConsumerPanic, holds).with(leaves(leaveByPanic)),
		left("Goexit", textCame, events.ReasonConsumerPanic, holds).with(leaves(leaveByGoexit)),
	}
}

// answeredPlain are calls of which the answer says what they cost.
func answeredPlain() []mishap {
	refused := func(why string, kind events.FailureKind, reason events.Reason, again bool, plain func(w wire, p *peer)) mishap {
		return mishap{why: why, plain: plain, kind: kind, reason: reason, status: charge.Error, cert: charge.None, again: again}
	}
	says := func(status int, header string) func(wire, *peer) {
		return func(w wire, p *peer) { p.whole(status, "application/json", header, w.errorBody) }
	}
	completed := func(why string, plain func(w wire, p *peer)) mishap {
		return mishap{why: why, plain: plain, came: accountsCame, status: charge.OK, cert: charge.Exact}
	}
	// accounted is a call that told its last usage and then failed.
	accounted := func(why string, kind events.FailureKind, then func(w wire, p *peer)) mishap {
		return mishap{
			why: why, came: accountsCame, kind: kind, status: charge.Error, cert: charge.Exact, again: true,
			wires: []string{"openai", "gateway", "anthropic"},
			plain: func(w wire, p *peer) { speaks(w, p); p.chunk(w.accounts); then(w, p) },
		}
	}
	return []mishap{
		accounted("an error after the last usage", events.Overloaded, func(w wire, p *peer) { p.chunk(w.inBand); p.end() }),
		refused("400", events.Rejected, events.ReasonBadRequest, false, says(400, "")),
		refused("401", events.Rejected, events.ReasonAuth, false, says(401, "")),
		refused("404", events.Rejected, events.ReasonNotFound, false, says(404, "")),
		refused("429, too long to wait for", events.RateLimited, events.ReasonRateLimit, false, says(429, retryAfter(7))).
			with(func(m *mishap) { m.config = func(c *caller.Config) { c.MaxRetryAfter = time.Second } }),
		refused("429", events.RateLimited, events.ReasonRateLimit, true, says(429, retryAfter(0))),
		refused("500", events.Overloaded, events.ReasonServer, true, says(500, "")),
		refused("503", events.Overloaded, events.ReasonOverloaded, true, says(503, "")),
		refused("529", events.Overloaded, events.ReasonOverloaded, true, says(529, "")),
		refused("504", events.TimedOut, events.ReasonHTTP, true, says(504, "")),
		refused("503, not to be retried", events.Overloaded, events.ReasonOverloaded, false, says(503, "x-should-retry: false\r\n")),
		refused("a redirect", events.Rejected, events.ReasonRedirect, false, says(302, "Location: https://elsewhere.invalid/\r\n")),
		refused("500 with a body that is cut", events.Overloaded, events.ReasonServer, true, func(_ wire, p *peer) {
			p.write("HTTP/1.1 500 X\r\nContent-Length: 1000\r\n\r\n{\"error\"")
			p.close()
		}),
		refused("502 with HTML", events.Overloaded, events.ReasonServer, true, func(_ wire, p *peer) {
			p.whole(502, "text/html", "", "<!doctype html><title>Bad gateway</title>")
		}),
		refused("200 with the provider's error", events.Overloaded, events.ReasonServer, true, says(200, "")).
			with(func(m *mishap) { m.wires = []string{"openai", "gateway", "anthropic"} }),
		// On NDJSON a document of one line is a stream: it may have been served.
		breaks("200 with the provider's error on a line", nothingCame, events.ReasonServer, true, says(200, "")).of(events.Overloaded).
			with(func(m *mishap) { m.wires = []string{"ollama"} }),
		completed("completed", func(w wire, p *peer) { speaks(w, p); p.chunk(w.ending); p.end() }),
		completed("broken after the last usage", func(w wire, p *peer) { speaks(w, p); p.chunk(w.accounts); p.cut() }).
			with(func(m *mishap) { m.wires = []string{"openai", "gateway", "anthropic"} }),
		completed("broken after the last frame", func(w wire, p *peer) { speaks(w, p); p.chunk(w.ending); p.cut() }),
	}
}

// speaksH2 plays a stream with some content and waits until it was read.
func speaksH2(w wire, p *peerH2) {
	p.say(w.contentType, w.opening+w.text)
	await(p.tb, p.read)
}

func brokenH2() []mishap {
	speaks := speaksH2
	h2 := func(m mishap, play func(w wire, p *peerH2)) mishap {
		m.why, m.h2, m.plain = "HTTP 2: "+m.why, play, nil
		return m
	}
	const lost = events.ReasonLostConnection
	all := []mishap{
		h2(breaks("stream reset after content", textCame, lost, true, nil), func(w wire, p *peerH2) { speaks(w, p); p.reset() }),
		h2(breaks("stream reset before content", openingCame, lost, true, nil), func(w wire, p *peerH2) {
			p.say(w.contentType, w.opening)
			p.reset()
		}),
		h2(breaks("stream reset before an answer", nothingCame, events.ReasonConnect, true, nil).of(events.Unreachable),
			func(_ wire, p *peerH2) { p.reset() }),
		h2(breaks("clean end before the terminal", textCame, events.ReasonTruncated, true, nil), speaks),
		h2(breaks("HTML", nothingCame, events.ReasonBadContent, false, nil), func(_ wire, p *peerH2) {
			p.say("text/html", "<html></html>")
		}),
		h2(mishap{why: "429", kind: events.RateLimited, status: charge.Error, cert: charge.None, again: true}, func(w wire, p *peerH2) {
			http.Error(p.w, w.errorBody, http.StatusTooManyRequests)
		}),
		h2(mishap{why: "completed", came: accountsCame, status: charge.OK, cert: charge.Exact}, func(w wire, p *peerH2) {
			speaks(w, p)
			p.say(w.contentType, w.ending)
		}),
	}
	for _, m := range leftPlain() {
		if m.came == textCame {
			all = append(all, h2(m, func(w wire, p *peerH2) { speaks(w, p); p.hold() }))
		}
	}
	return all
}
