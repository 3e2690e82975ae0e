package replay

import (
	"bytes"
	"maps"
	"slices"

	"github.com/weirsdk/weir/request"
)

// copyOf returns a request that shares nothing with the given one that can be
// changed. Tools and answers cannot.
func copyOf(req request.Request) request.Request {
	req.Messages = slices.Clone(req.Messages)
	for i := range req.Messages {
		req.Messages[i].Blocks = copyOfBlocks(req.Messages[i].Blocks)
	}
	req.Tools = slices.Clone(req.Tools)
	req.HostedTools = slices.Clone(req.HostedTools)
	for i := range req.HostedTools {
		req.HostedTools[i].WebSearch = copyOfSearch(req.HostedTools[i].WebSearch)
	}
	req.Parallel = copyOfValue(req.Parallel)
	req.Temperature = copyOfValue(req.Temperature)
	req.TopP = copyOfValue(req.TopP)
	req.Stop = slices.Clone(req.Stop)
	req.Seed = copyOfValue(req.Seed)
	req.ThinkingBudget = copyOfValue(req.ThinkingBudget)
	req.Extra = maps.Clone(req.Extra)
	req.Options.Without = slices.Clone(req.Options.Without)
	return req
}

func copyOfBlocks(blocks []request.Block) []request.Block {
	blocks = slices.Clone(blocks)
	for i := range blocks {
		b := &blocks[i]
		b.Data = bytes.Clone(b.Data)
		b.Result.Content = copyOfBlocks(b.Result.Content)
	}
	return blocks
}

func copyOfSearch(p *request.WebSearch) *request.WebSearch {
	if p == nil {
		return nil
	}
	search := *p
	search.AllowedDomains = slices.Clone(search.AllowedDomains)
	search.BlockedDomains = slices.Clone(search.BlockedDomains)
	return &search
}

func copyOfValue[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}
