package caller

import (
	"strconv"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// capOutput lowers the cap on the output to that of the run, and a budget for thinking
// with it, or returns why a strict request does not allow that. It tells what it lowers.
func (a *attempt) capOutput() *events.Failure {
	run := a.session.run
	if run == nil {
		return nil
	}
	most, asked := run.config.Limits.MaxOutputTokensPerCall, a.req.MaxOutputTokens
	if most <= 0 || asked > 0 && asked <= most {
		return nil
	}
	a.req.MaxOutputTokens = most
	if asked > most {
		a.delivery.tell(events.NoticeParameterDropped, "max_output_tokens: "+aboveRun(asked, most)+", which takes its place")
	}
	return a.capThinking(most, asked)
}

// capThinking lowers a budget to the cap of the run. One that is above the cap that was
// asked contradicts that, and is left for the check of the request to refuse.
func (a *attempt) capThinking(most, asked int) *events.Failure {
	budget := a.req.ThinkingBudget
	if budget == nil || *budget <= most || asked > 0 && *budget > asked {
		return nil
	}
	if a.req.Strict {
		return request.FailureOf([]request.Problem{{
			Field: "thinking_budget", Reason: events.ReasonBadParameter, Detail: aboveRun(*budget, most),
		}})
	}
	a.req.ThinkingBudget = &most
	a.delivery.tell(events.NoticeEffortClamped, "thinking_budget: "+aboveRun(*budget, most)+", which takes its place")
	return nil
}

func aboveRun(n, most int) string {
	return strconv.Itoa(n) + " is above MaxOutputTokensPerCall of the run, " + strconv.Itoa(most)
}
