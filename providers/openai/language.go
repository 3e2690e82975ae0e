package openai

import (
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A language is what differs between the APIs.
type language struct {
	url, models string
	// count is where tokens are counted; empty: this API has no count.
	count   string
	specFor func(model string) request.Spec
	prepare func(r request.Request, model string, spec request.Spec) (transport.Call, transport.Decoder, error)
}

func languageOf(api API, base string, hasKey bool) (language, error) {
	chat := chatwire.ProfileFor(Provider)
	chat.NoKey = !hasKey
	url, err := chatwire.URLFor(Provider, base, hasKey)
	l := language{
		url: url, models: chat.ModelsURL(url), specFor: SpecFor,
		prepare: func(r request.Request, model string, spec request.Spec) (transport.Call, transport.Decoder, error) {
			return chatwire.Prepare(r, model, spec, chat)
		},
	}
	switch {
	case err != nil || api == ChatCompletions:
		return l, err
	case api != Responses:
		return l, transport.BadConfig(Provider, "there is no API "+string(api))
	}
	profile := responseswire.ProfileFor(Provider)
	profile.NoKey = !hasKey
	l.url, err = responseswire.URLFor(Provider, base, hasKey)
	l.count = responseswire.CountURL(l.url)
	l.specFor = ResponsesSpecFor
	l.prepare = func(r request.Request, model string, spec request.Spec) (transport.Call, transport.Decoder, error) {
		return responseswire.Prepare(r, model, spec, profile)
	}
	return l, err
}
