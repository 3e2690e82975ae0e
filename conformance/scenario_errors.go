package conformance

import "github.com/weirsdk/weir/events"

// oddities are the scenarios of what a reader has to take in its stride.
func oddities() []Scenario {
	return []Scenario{
		{
			Name: "unknown-frames", Says: `the answer "Hello, world.", between frames and beside fields and words that the adapter does not know`,
			// A word for the stop that is not known is kept raw, and is no failure.
			Clauses: []string{m16}, ask: ask, want: want{text: hello, stops: append(end(), events.StopOther)},
		},
		{
			Name: "keep-alive", Says: `the answer "Hello, world.", with the provider's own pings and keep-alives before, between and after its pieces`,
			Clauses: []string{m16}, ask: ask, want: want{text: hello, stops: end()},
		},
	}
}

// refusals are the scenarios of errors. The message of each is "no weir today".
func refusals() []Scenario {
	status := func(name string, status int, says string, want ...failed) Scenario {
		return Scenario{
			Name: name, Says: says + `; its message is "` + providerWords + `"`, Status: status,
			Clauses: []string{m13, m18}, ask: ask, want: wantFailure(want),
		}
	}
	overloaded := failed{kind: events.Overloaded}
	return []Scenario{
		status("error-400", 400, "the provider's error for a bad request", failed{events.Rejected, reasons(events.ReasonBadRequest)}),
		status("error-401", 401, "the provider's error for a wrong key", failed{events.Rejected, reasons(events.ReasonAuth)}),
		status("error-403", 403, "the provider's error for a key that may not do this", failed{events.Rejected, reasons(events.ReasonPermission)}),
		status("error-404", 404, "the provider's error for a model that does not exist", failed{events.Rejected, reasons(events.ReasonNotFound)}),
		status("error-429", 429, "the provider's error for too many requests", failed{events.RateLimited, reasons(events.ReasonRateLimit)}),
		status("error-quota", 429, "the provider's error for an account without credit (a .http file where its status is another)",
			failed{events.Rejected, reasons(events.ReasonQuota, events.ReasonBilling)}),
		status("error-context", 400, "the provider's error for a conversation that does not fit the model, told by a code (a .http file where its status is another)",
			failed{events.Rejected, reasons(events.ReasonContextOverflow)}),
		status("error-500", 500, "the provider's error for a fault of its own", overloaded),
		status("error-503", 503, "the provider's error for too much load", overloaded),
		{
			Name: "error-first", Says: "an answer of status 200 whose first frame is the provider's error for too much load, or for a fault of its own; its message is \"" + providerWords + `"`,
			Clauses: []string{m13, m18}, ask: ask, want: wantFailure([]failed{overloaded}),
		},
		{
			Name: "error-middle", Says: `an answer of status 200 that says "Hello," and then tells the provider's error for too much load, or for a fault of its own; its message is "` + providerWords + `"`,
			Clauses: []string{m07, m13, m18}, ask: ask, want: want{text: "Hello,", failures: []failed{overloaded}, words: true},
		},
	}
}

func wantFailure(all []failed) want { return want{failures: all, words: true} }

func reasons(all ...events.Reason) []events.Reason { return all }
