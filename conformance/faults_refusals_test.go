package conformance

import (
	"net/http"
	"slices"

	"github.com/weirsdk/weir/events"
)

// faultsOfContent break the clauses of what is passed over and what is told: M16
// and M17.
func faultsOfContent() []broken { return slices.Concat(faultsOfOddities(), faultsOfTelling()) }

func faultsOfOddities() []broken {
	noise, asItIs := []string{"text/noise"}, []string{"unknown-frames/as it is"}
	return []broken{
		{clause: m16, fault: failsOnUnknownMembers, on: noise, want: "completed"},
		{clause: m16, fault: failsOnUnknownFrames, on: asItIs, want: "Completed", also: map[string]string{m17: "what follows is lost"}},
		{clause: m16, fault: failsOnUnknownWords, on: asItIs, want: "Completed"},
		{clause: m16, fault: failsOnUnknownFields, byHand: true, on: noise, want: "completed"},
		{clause: m16, fault: failsOnComments, byHand: true, on: noise, want: "completed"},
		{clause: m16, fault: takesEmptyForData, byHand: true, on: noise, want: "completed"},
		{clause: m16, why: "a comment between events", on: noise, want: "completed", with: stumbling(": keep-alive\n\n")},
		{clause: m16, why: "a blank line between lines", ndjson: true, on: noise, want: "completed", with: stumbling("\n\n")},
		{clause: m16, why: "a comment inside an event", on: noise, want: "completed", with: stumbling(": keep-alive\ndata")},
		{clause: m16, why: "a ping fails the reply", on: []string{"keep-alive/as it is"}, want: "Completed", with: stumbling(`"ping"`), also: map[string]string{m17: "what follows is lost"}},
	}
}

func faultsOfTelling() []broken {
	return []broken{
		{clause: m17, fault: skipsTheUnreadable, on: []string{"text/corrupt"}, want: "Failed, or all that the body says"},
		{clause: m17, fault: addsTheCounts, on: []string{"usage-cumulative/as it is"}, want: "the counts that were reported"},
		{
			clause: m09, fault: tellsNoFinalCounts, on: []string{"usage/as it is"}, want: "the counts that were reported",
		},
		{clause: m16, fault: takesUnknownForEnd, on: []string{"text/noise"}, want: "other"},
		{clause: m17, why: "cached counts are not read", fault: losesTheParts, on: []string{"usage-cached/as it is"}, want: "the counts that were reported"},
		{clause: m17, why: "counts of thinking are not read", fault: losesTheParts, on: []string{"usage-thinking/as it is"}, want: "the counts that were reported"},
		{clause: m17, fault: losesLateCounts, on: []string{"usage-late/as it is"}, want: "the counts that were reported"},
		{clause: m17, fault: takesAnyCount, on: []string{"usage-unusable/as it is"}, want: "Failed of"},
		{clause: m17, fault: tellsAnyLength, on: []string{"text/too much"}, want: "all of the text"},
		{clause: m17, fault: doublesTheText, on: []string{"text/as it is"}, want: "the text"},
		{clause: m17, fault: tellsTheTextAtOnce, on: []string{"text/as it is"}, want: "at least 2 text deltas"},
		{clause: m17, fault: losesTheThinking, on: []string{"thinking/as it is"}, want: "the thinking"},
		{clause: m17, fault: turnsTheOrder, on: []string{"thinking/as it is"}, want: "content in the order"},
		{clause: m17, fault: losesTheSources, on: []string{"citations/as it is"}, want: "the source"},
		{clause: m17, why: "sources of a search are not told", fault: losesTheSources, on: []string{"hosted-tool/as it is"}, want: "the source"},
		{clause: m17, fault: losesTheHosted, on: []string{"hosted-tool/as it is"}, want: "the use of a hosted tool"},
		{clause: m17, fault: losesTheRawStop, on: []string{"length/as it is"}, want: "the provider's own word for the stop"},
		{clause: m17, fault: takesEveryStopForEnd, on: []string{"length/as it is"}, want: "the stop"},
		{clause: m17, fault: takesARefusalForText, on: []string{"refusal/as it is"}, want: "the outcome refusal"},
		{clause: m17, fault: takesAnyStop, on: []string{"no-call/as it is"}, want: "Failed of"},
		{clause: m17, fault: makesItsOwnIDs, on: []string{"tool-call/as it is"}, want: "the id call_1"},
		{
			clause: m17, why: "a text of our own follows a cut", on: []string{"text/cut"}, want: "the beginning of the text",
			with: telling(func(ev events.Event) []events.Event {
				if ev.Kind == events.Failed {
					return []events.Event{events.NewTextDelta(0, " [cut]"), ev}
				}
				return []events.Event{ev}
			}),
		},
	}
}

// faultsOfRefusals break M18.
func faultsOfRefusals() []broken {
	asItIs, waits := []string{"error-400/as it is"}, []string{"error-429/retry-after"}
	return []broken{
		{clause: m18, fault: dropsTheStatus, byHand: true, on: asItIs, want: "the status 400"},
		{
			clause: m18, why: "the status is lost with the body", fault: dropsTheStatus, byHand: true, on: []string{"error-400/cut"},
			want: "Failed with the status 400",
		},
		{clause: m18, fault: dropsTheWords, on: asItIs, want: `the provider's words`},
		{clause: m18, fault: takesQuotaForRate, on: []string{"error-quota/as it is"}, want: "Failed of"},
		{clause: m18, why: "the wait is not told", on: waits, want: "7s", with: failing(func(f *events.Failure) { f.RetryAfter = 0 })},
		{
			clause: m18, why: "a rate limit is for ever", on: waits, want: "rate_limited, which may be retried",
			with: failing(func(f *events.Failure) { f.ShouldRetry = new(false) }),
		},
		{
			clause: m18, why: "a status without the provider's words is a bad request", on: []string{"text/no stream"}, want: "Failed: overloaded",
			with: failing(func(f *events.Failure) {
				if f.Status >= http.StatusInternalServerError {
					f.Kind, f.Reason = events.Rejected, events.ReasonBadRequest
				}
			}),
		},
		{
			clause: m18, why: "whatever fails is tried again", on: []string{"error-401/as it is"}, want: "retryable: false",
			with: failing(func(f *events.Failure) { f.ShouldRetry = new(true) }),
		},
		{
			clause: m18, why: "a status that nobody knows is tried again", on: []string{"text/no stream"}, want: "a failure that is retried when that may help",
			with: failing(func(f *events.Failure) {
				if f.Status == 498 {
					f.ShouldRetry = new(true)
				}
			}),
		},
		{
			clause: m18, why: "a redirect is followed", on: []string{"text/no stream"}, want: "one request: a redirect",
			with: over(func(req *http.Request, under http.RoundTripper) (*http.Response, error) {
				resp, err := under.RoundTrip(req)
				if err == nil && resp.StatusCode == http.StatusFound {
					_ = resp.Body.Close()
					return under.RoundTrip(req.Clone(req.Context()))
				}
				return resp, err
			}),
		},
	}
}

// faultsOfRequests break M19 and M20.
func faultsOfRequests() []broken {
	marked := map[string]string{"thinking-signed.sse": bodyOf(`{"t":"think","d":"I need the weather."}`,
		`{"t":"call","n":0,"id":"call_1","name":"weather","mark":"`+signature+`"}`, `{"t":"args","n":0,"d":"{\"city\":\"Paris\"}"}`,
		`{"t":"stop","why":"calls"}`, `{"t":"bye"}`)}
	back := []string{"thinking-signed/next turn"}
	return []broken{
		{clause: m19, fault: dropsTheSystem, on: []string{"text/as it is"}, want: `"Answer in <one>`},
		{clause: m19, fault: dropsTheSchemas, on: []string{"tool-call/as it is"}, want: `"city"`},
		{clause: m19, why: "numbers in schemas are rounded", fault: roundsTheSchemas, on: []string{"tool-call/as it is"}, want: `"` + bigNumber},
		{clause: m19, fault: dropsTheCap, on: []string{"text/as it is"}, want: `"1357"`},
		{clause: m19, fault: dropsTheStops, on: []string{"stop-sequence/as it is"}, want: `"three"`},
		{clause: m19, fault: tellsNoNotice, on: []string{"text/parameters"}, want: "0.375 in the request"},
		{clause: m19, fault: dropsMarkers, on: []string{"text/contrast of cache marker"}, want: "two requests that differ"},
		{clause: m19, fault: dropsSearches, on: []string{"text/contrast of web search"}, want: "two requests that differ"},
		{clause: m19, fault: dropsForeignTools, on: []string{"text/parameters"}, want: "Failed: invalid_request, nothing sent"},
		{clause: m06, fault: ignoresStrict, on: []string{"text/parameters"}, want: "Failed: invalid_request"},
		{clause: m19, fault: dropsTheAnswer, on: []string{"structured-answer/as it is"}, want: `"celsius"`},
		{clause: m19, fault: roundsTheHistory, on: []string{"exact-arguments/next turn"}, want: "the arguments"},
		{clause: m19, fault: renamesTheCalls, on: []string{"tool-call/next turn"}, want: "the id call_1"},
		{clause: m19, fault: dropsTheResults, on: []string{"tool-call/next turn"}, want: "the result"},
		{clause: m19, fault: mixesTheResults, on: []string{"parallel-calls/next turn"}, want: "the result"},
		{clause: m19, fault: dropsOldTurns, on: []string{"text/history"}, want: `"weir-fourth"`},
		{clause: m19, fault: dropsSecondTexts, on: []string{"text/history"}, want: `"weir-second"`},
		{clause: m19, fault: dropsPictures, on: []string{"text/image"}, want: "the picture"},
		{clause: m19, fault: dropsItsOwnText, on: []string{"text-and-tool-call/next turn"}, want: "the text"},
		{clause: m20, fault: dropsTheSeal, on: back, want: `"` + signature},
		{clause: m20, fault: reencodesTheSeal, on: back, want: `"` + signature},
		{clause: m20, fault: cutsTheSeal, on: back, want: `"` + signature},
		{clause: m20, why: "what seals a call is not sent back", fault: dropsTheSeal, on: back, want: `"` + signature, wire: marked},
		{
			clause: m20, why: "the model does not take its own data", on: back, want: "the reply's own turn",
			with: telling(func(ev events.Event) []events.Event {
				if c, ok := ev.Completion(); ok {
					c.Data.Format = "toy.v0"
					return []events.Event{events.NewCompleted(c)}
				}
				return []events.Event{ev}
			}),
		},
	}
}
