package vertex

import (
	"net/http"
	"slices"
	"strings"

	"github.com/weirsdk/weir/request"
)

const betaHeader = "Anthropic-Beta"

// searchBeta is what a web search of Claude's is asked for with
// (cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/web-search, a
// stored copy read 2026-12-01).
const searchBeta = "web-search-2025-03-05"

// headerOf returns the header of one request, which none of the others has.
func (m *Model) headerOf(req *request.Request) http.Header {
	h := m.header.Clone()
	if m.api == Messages && slices.ContainsFunc(req.HostedTools, isSearch) && !slices.Contains(m.betas(), searchBeta) {
		h.Set(betaHeader, strings.Join(append(m.betas(), searchBeta), ","))
	}
	return h
}

// betas are those that Config names.
func (m *Model) betas() []string {
	named := m.header.Get(betaHeader)
	if named == "" {
		return nil
	}
	return strings.Split(named, ",")
}

func isSearch(h request.HostedTool) bool {
	return h.WebSearch != nil || strings.Contains(h.Raw, `"web_search_`)
}
