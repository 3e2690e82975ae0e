package caller

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
)

// outputKeys returns the members of a request's extras that change how much a provider
// may generate, in the spellings of the families, without case and separators: caps
// (max_tokens of Chat Completions and Messages, num_predict of Ollama, maxOutputTokens
// of Gemini ...), several replies at once (n, candidateCount), and other models
// (OpenRouter's models).
func outputKeys() []string {
	return []string{
		"maxtokens", "maxcompletiontokens", "maxoutputtokens", "maxnewtokens", "maxtokenstosample", "numpredict", "maxlength",
		"n", "bestof", "candidatecount", "numcandidates", "models", "model", "fallbacks",
	}
}

// refuseExtra returns the failure of a request whose extras reach around the limits of
// its run: what the attempt reserves is the cap of the request.
func refuseExtra(req request.Request, limits Limits) *events.Failure {
	if limits.MaxOutputTokensPerCall == 0 && limits.MaxTotalTokens == 0 && limits.MaxCost == 0 {
		return nil
	}
	found := ""
	walkExtras(req, func(key string, _ any) {
		if slices.Contains(outputKeys(), plainKey(key)) {
			found = key
		}
	})
	if found == "" {
		return nil
	}
	return request.FailureOf([]request.Problem{{
		Field: "extra", Reason: events.ReasonBadParameter,
		Detail: "the run limits what a call may use, and " + events.CutText(found, 64) + " reaches around that: say MaxOutputTokens",
	}})
}

// serviceTier returns the tier that a request's extras name, empty for none.
func serviceTier(req request.Request) string {
	tier := ""
	walkExtras(req, func(key string, value any) {
		if text, ok := value.(string); ok && plainKey(key) == "servicetier" {
			tier = text
		}
	})
	return tier
}

// plainKey returns a member's name as servers may read it.
func plainKey(key string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(key))
}

// walkExtras calls see for every member of the extras, however deep. Text that is not
// JSON has been refused before.
func walkExtras(req request.Request, see func(key string, value any)) {
	for _, extra := range req.Extra {
		var value any
		if json.Unmarshal([]byte(extra), &value) == nil {
			walkMembers(value, see)
		}
	}
}

func walkMembers(value any, see func(string, any)) {
	switch v := value.(type) {
	case map[string]any:
		for key, member := range v {
			see(key, member)
			walkMembers(member, see)
		}
	case []any:
		for _, item := range v {
			walkMembers(item, see)
		}
	}
}
