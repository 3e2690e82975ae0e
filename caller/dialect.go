package caller

import (
	"net/http"
	"slices"
	"sync"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// A Dialect remembers which features the providers of models have refused, by the
// name of the model, so that they are left out from then on. The zero Dialect is
// ready. It is safe for concurrent use and can be shared by callers; it only grows,
// by a handful of features for each model.
type Dialect struct {
	mu     sync.RWMutex
	closed map[string][]string
}

// Close notes that a model's provider refuses a feature ([request.FeatureTools] ...).
func (d *Dialect) Close(model, feature string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed == nil {
		d.closed = map[string][]string{}
	}
	if !slices.Contains(d.closed[model], feature) {
		d.closed[model] = append(d.closed[model], feature)
	}
}

// Closed returns the features that are left out for a model, in the order in which
// they were refused.
func (d *Dialect) Closed(model string) []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return slices.Clone(d.closed[model])
}

// refusedFeature returns the feature that a failure says the provider does not take,
// and whether leaving it out of the request would change anything. Only the
// provider's own code or parameter name on a 400, 404 or 422 says so, and a strict
// request leaves nothing out, nor does a strict answer its schema.
func refusedFeature(f *events.Failure, req request.Request) (string, bool) {
	status := f.Status == http.StatusBadRequest || f.Status == http.StatusNotFound || f.Status == http.StatusUnprocessableEntity
	if f.Kind != events.Rejected || !status || f.Feature == "" || req.Strict || slices.Contains(req.Options.Without, f.Feature) {
		return "", false
	}
	if f.Feature == request.FeatureAnswerSchema && req.Answer.Strict() {
		return "", false
	}
	return f.Feature, uses(req, f.Feature)
}

func isMarked(messages []request.Message) bool {
	return slices.ContainsFunc(messages, func(m request.Message) bool {
		return slices.ContainsFunc(m.Blocks, func(b request.Block) bool { return b.Cache != "" })
	})
}

// uses reports whether a request has what the feature is about.
func uses(req request.Request, feature string) bool {
	switch feature {
	case request.FeatureTools:
		return len(req.Tools)+len(req.HostedTools) > 0
	case request.FeatureWebSearch:
		return slices.ContainsFunc(req.HostedTools, func(h request.HostedTool) bool { return h.WebSearch != nil })
	case request.FeatureParallelTools:
		return req.Parallel != nil
	case request.FeatureEffort:
		return req.Effort != "" || req.ThinkingBudget != nil
	case request.FeatureTemperature:
		return req.Temperature != nil
	case request.FeatureMaxTokensField:
		return req.MaxOutputTokens > 0
	case request.FeatureAnswerSchema:
		return asksForAnswer(req)
	case request.FeatureStreamOptions:
		return true
	case request.FeatureCache:
		return !req.Cache.IsZero() || isMarked(req.Messages)
	default:
		return false
	}
}
