package conformance

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// faultsOfTables break one row each of the suite's own tables: an end of a body, a
// bad request, an answer that is no stream, a form of a wait. Each is right but for
// that one.
func faultsOfTables() []broken {
	return slices.Concat(faultsOfEndings(), faultsOfBadRequests(), faultsOfReaches(), faultsOfAnswers(), faultsOfWaits(),
		faultsOfHeads(), faultsOfUnreadable(), faultsOfStrange(), faultsOfBreaks(), faultsOfParts())
}

func faultsOfEndings() []broken {
	lost := func(text string) made {
		return succeedingOn(func(ev events.Event) bool {
			f, ok := ev.Failure()
			return ok && f.Reason == events.ReasonLostConnection && strings.Contains(f.Detail, text)
		})
	}
	return []broken{
		{clause: m07, why: "a reset of the connection is an end", on: []string{"text/cut"}, want: "Failed: invalid_reply/truncated (or a Completed", with: lost("connection reset")},
		{clause: m07, why: "an unexpected end is an end", on: []string{"text/cut"}, want: "Failed: invalid_reply/truncated (or a Completed", with: lost("unexpected EOF")},
		{clause: m07, why: "a reset of an HTTP/2 stream is an end", on: []string{"text/cut"}, want: "Failed: invalid_reply/truncated (or a Completed", with: lost("stream error")},
	}
}

// mending changes requests before they are looked at.
func mending(mend func(*request.Request)) made {
	return func(m *toy) providers.Model {
		return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
			req.Messages, req.Tools = slices.Clone(req.Messages), slices.Clone(req.Tools)
			mend(&req)
			return m.Stream(ctx, req)
		}}
	}
}

func faultsOfBadRequests() []broken {
	row := func(why string, mend func(*request.Request)) broken {
		return broken{clause: m06, why: why, on: []string{"text/bad request"}, want: "Failed: invalid_request, not_sent", with: mending(mend)}
	}
	return []broken{
		row("without a message one is made up", func(r *request.Request) {
			if len(r.Messages) == 0 {
				r.Messages = []request.Message{request.UserText("Hello")}
			}
		}),
		row("a result without its call is left out", func(r *request.Request) {
			r.Messages = slices.DeleteFunc(r.Messages, func(m request.Message) bool { return m.Role == request.RoleTool })
		}),
		row("a tool without a name is left out", func(r *request.Request) {
			r.Tools = slices.DeleteFunc(r.Tools, func(t request.Tool) bool { return t.Name() == "" })
		}),
		row("another provider's data is left out", func(r *request.Request) { r.Foreign = request.ForeignDrop }),
	}
}

func faultsOfReaches() []broken {
	on := []string{"text/reach"}
	return []broken{
		{clause: m13, fault: countsWhatWasWritten, byHand: true, on: on, want: "maybe_sent"},
		{clause: m13, fault: countsWhatWasAnswered, byHand: true, on: on, want: "maybe_sent"},
		{clause: m13, fault: countsNoHookForNothing, byHand: true, on: on, want: "maybe_sent"},
		{
			clause: m13, why: "no connection may have sent", on: on, want: "not_sent",
			with: failing(func(f *events.Failure) { f.Sent = events.MaybeSent }),
		},
	}
}

// answering gives a good answer instead of some.
func answering(instead func(resp *http.Response, body string) bool) made {
	return over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
		resp, err := under.RoundTrip(req)
		if err != nil {
			return resp, err
		}
		text, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err == nil && instead(resp, string(text)) {
			resp.StatusCode = http.StatusOK
			resp.Header = http.Header{"Content-Type": {"text/event-stream"}}
			text = []byte(bodyOf(`{"t":"text","d":"Sorry."}`, `{"t":"stop","why":"done"}`, `{"t":"bye"}`))
		}
		resp.Body = io.NopCloser(bytes.NewReader(text))
		return resp, err
	})
}

// faultsOfAnswers take one answer that is no stream for a good one.
func faultsOfAnswers() []broken {
	row := func(why, want string, instead func(resp *http.Response, body string) bool) broken {
		return broken{clause: m18, why: why, on: []string{"text/no stream"}, want: "Failed: " + want, with: answering(instead)}
	}
	mediaType := func(resp *http.Response) string { return resp.Header.Get("Content-Type") }
	return []broken{
		row("a page", "invalid_reply", func(resp *http.Response, _ string) bool {
			return resp.StatusCode == http.StatusOK && mediaType(resp) == "text/html"
		}),
		row("a page that is called a stream", "invalid_reply", func(resp *http.Response, body string) bool {
			return mediaType(resp) == "text/event-stream" && strings.HasPrefix(body, "<")
		}),
		row("an empty body", "invalid_reply", func(resp *http.Response, body string) bool { return resp.StatusCode == http.StatusOK && body == "" }),
		row("a document", "invalid_reply", func(resp *http.Response, _ string) bool { return mediaType(resp) == "application/json" }),
		row("a page with status 502", "overloaded", func(resp *http.Response, _ string) bool { return resp.StatusCode == http.StatusBadGateway }),
		row("an empty body with status 500", "overloaded", func(resp *http.Response, _ string) bool { return resp.StatusCode == http.StatusInternalServerError }),
		row("a redirect", "rejected", func(resp *http.Response, _ string) bool { return resp.StatusCode == http.StatusFound }),
	}
}

// heading changes a header of the answer where it has that value.
func heading(name, from, to string) made {
	return over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
		resp, err := under.RoundTrip(req)
		if err == nil && resp.Header.Get(name) == from {
			resp.Header.Set(name, to)
		}
		return resp, err
	})
}

func faultsOfWaits() []broken {
	row := func(why, want string, with made) broken {
		return broken{clause: m18, why: why, on: []string{"error-429/retry-after"}, want: want, with: with}
	}
	return []broken{
		row("seconds", "7s", heading("Retry-After", "7", "")),
		row("decimal seconds", "1.5s", heading("Retry-After", "1.5", "1")),
		row("a date counted from our own clock", "1m0s", heading("Date", "Mon, 30 Nov 2026 12:00:00 GMT", "Mon, 30 Nov 2026 11:59:00 GMT")),
		row("milliseconds", "250ms", heading("Retry-After-Ms", "250", "")),
		row("what cannot be read is a second", "0s", heading("Retry-After", "soon", "1")),
		row("a negative wait is one", "0s", heading("Retry-After", "-3", "3")),
	}
}

// faultsOfHeads tell a header of the answer.
func faultsOfHeads() []broken {
	var all []broken
	for _, name := range []string{"X-Request-Id", "Request-Id", "Retry-After", "X-Ratelimit-Reset-Requests", "Location", "Www-Authenticate"} {
		all = append(all, broken{
			clause: m14, why: "what is told holds the header " + name, on: []string{"error-401/echo"}, want: "no credential",
			with: func(m *toy) providers.Model {
				// The header goes where the toy takes the key from its words again.
				told := ""
				over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
					resp, err := under.RoundTrip(req)
					if err == nil {
						told = resp.Header.Get(name)
					}
					return resp, err
				})(m)
				return failing(func(f *events.Failure) { f.ProviderCode += told })(m)
			},
		})
	}
	return append(all, broken{clause: m14, fault: scrubsWholeTexts, byHand: true, on: []string{"error-401/echo"}, want: "no credential"})
}

func faultsOfUnreadable() []broken {
	var all []broken
	for _, f := range []fault{skipsPages, skipsOpenObjects, skipsTornObjects} {
		all = append(all, broken{clause: m17, fault: f, on: []string{"text/corrupt"}, want: "Failed, or all that the body says"})
	}
	return all
}

// faultsOfStrange have no end where a value is one that nobody expects.
func faultsOfStrange() []broken {
	var all []broken
	for _, value := range []string{
		"null", "true", "-1", "1024", "2147483648", "99999999999999999999", "1e400", "0.5", `""`, `"weir"`, "[]", "[null]", "{}", `[{"a":1}]`,
	} {
		all = append(all, broken{
			clause: m05, why: "no terminal where a value is " + value, on: []string{"text/confuse"}, want: "a stream by the grammar",
			with: silentOn(":" + value),
		})
	}
	return all
}

// faultsOfBreaks go on after a break at one kind of event.
func faultsOfBreaks() []broken {
	var all []broken
	for _, kind := range []events.Kind{events.Started, events.TextDelta, events.UsageUpdated, events.Completed} {
		all = append(all, broken{
			clause: m11, why: "events go on after a break at " + kind.String(), on: []string{"text/consumer"}, want: "nothing yielded after the loop was left",
			with: ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
				for ev := range s {
					if !yield(ev) {
						if ev.Kind == kind {
							yield(ev)
						}
						return
					}
				}
			}),
		})
	}
	return all
}

// faultsOfParts get one part of a failure wrong.
func faultsOfParts() []broken {
	used := func(why string, change func(*events.Failure)) broken {
		return broken{
			clause: m04, why: why, on: []string{"text/consumer"}, want: "Started, Failed: invalid_request/stream_used",
			with: failing(func(f *events.Failure) {
				if f.Reason == events.ReasonStreamUsed {
					change(f)
				}
			}),
		}
	}
	return []broken{
		used("a second range is another kind of failure", func(f *events.Failure) { f.Kind = events.Other }),
		used("a second range has another reason", func(f *events.Failure) { f.Reason = events.ReasonBadParameter }),
		used("a second range may have sent", func(f *events.Failure) { f.Sent = events.MaybeSent }),
		{
			clause: m04, why: "a second range has no Started", on: []string{"text/consumer"}, want: "Started, Failed: invalid_request/stream_used",
			with: ranging(func(_ *toy, s stream.Stream, yield func(events.Event) bool) {
				first := events.Event{}
				for ev := range s {
					if first.Kind == 0 {
						first = ev
						continue
					}
					if f, ok := ev.Failure(); first.Kind == events.Started && (!ok || f.Reason != events.ReasonStreamUsed) && !yield(first) {
						return
					}
					first.Kind = events.Notice // told
					if !yield(ev) {
						return
					}
				}
			}),
		},
		{
			clause: m04, why: "a second range has something else for a Started", on: []string{"text/consumer"}, want: "Started, Failed: invalid_request/stream_used",
			with: func(m *toy) providers.Model {
				return &bent{Model: m, stream: func(ctx context.Context, req request.Request) stream.Stream {
					s, used := m.Stream(ctx, req), false
					return func(yield func(events.Event) bool) {
						again := used
						used = true
						for ev := range s {
							if again && ev.Kind == events.Started {
								ev = events.NewNotice(events.NoticeUnknownFrame, "used")
							}
							if !yield(ev) {
								return
							}
						}
					}
				}}
			},
		},
		{
			clause: m06, why: "a bad request may have been sent", on: []string{"text/bad request"}, want: "Failed: invalid_request, not_sent",
			with: failing(func(f *events.Failure) { f.Sent = events.MaybeSent }),
		},
		{
			clause: m06, why: "a bad request is another kind of failure", on: []string{"text/bad request"}, want: "Failed: invalid_request, not_sent",
			with: failing(func(f *events.Failure) { f.Kind = events.Rejected }),
		},
		{
			clause: m15, why: "a line that is too long is malformed", on: []string{"text/too much"}, want: "Failed: invalid_reply/too_large",
			with: failing(func(f *events.Failure) {
				if f.Reason == events.ReasonTooLarge {
					f.Reason = events.ReasonMalformed
				}
			}),
		},
		{
			clause: m18, why: "a cut error may have been sent", on: []string{"error-400/cut"}, want: "Failed with the status 400",
			with: failing(func(f *events.Failure) { f.Sent = events.MaybeSent }),
			also: map[string]string{m13: "so may one that is whole"},
		},
	}
}
