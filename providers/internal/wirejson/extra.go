package wirejson

import (
	"maps"
	"slices"

	"github.com/weirsdk/weir/events"
)

// families returns the keys of a request's Extra that a wire family reads, of the
// families that are planned too.
func families() []string {
	return []string{"chat", "messages", "ollama", "responses", "gemini", "converse", "cohere"}
}

// CheckExtra returns a notice for each key of a request's Extra that no family
// reads, in the order of the keys: what stands there reaches no provider. Under
// strict the first is a failure of kind invalid_request and reason bad_parameter
// instead. The keys of other families are nothing to tell: a request may be meant
// for several providers.
func CheckExtra(extra map[string]string, strict bool) ([]events.NoticeInfo, error) {
	var notices []events.NoticeInfo
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(families(), key) {
			continue
		}
		detail := events.CleanDetail("extra." + events.CutText(key, 64) + ": no wire family reads this key")
		if strict {
			return nil, badExtra(detail)
		}
		notices = append(notices, events.NoticeInfo{Code: events.NoticeParameterDropped, Detail: detail})
	}
	return notices, nil
}
