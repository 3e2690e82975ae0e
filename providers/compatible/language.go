package compatible

import (
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A language is what differs between the APIs.
type language struct {
	url, models string
	// count is where tokens are counted; empty: this API of the vendor has no count.
	count   string
	prepare func(r request.Request, model string, spec request.Spec) (transport.Call, transport.Decoder, error)
}

func (c Config) language(base string, hasKey bool) (language, error) {
	if c.API == Responses {
		return c.responses(base, hasKey)
	}
	quirks := c.Quirks
	if quirks == nil {
		known := QuirksOf(c.Provider)
		quirks = &known
	}
	profile := quirks.profile()
	profile.Origin, profile.ExtraBody, profile.NoKey = c.Provider, c.ExtraBody, !hasKey
	url, err := profile.URL(c.Provider, base, hasKey)
	return language{
		url: url, models: profile.ModelsURL(url),
		prepare: func(r request.Request, model string, spec request.Spec) (transport.Call, transport.Decoder, error) {
			return chatwire.Prepare(r, model, spec, profile)
		},
	}, err
}

func (c Config) responses(base string, hasKey bool) (language, error) {
	profile := responseswire.ProfileFor(chatwire.NameOf(c.Provider))
	profile.Origin, profile.ExtraBody, profile.NoKey = c.Provider, c.ExtraBody, !hasKey
	url, err := responseswire.URLFor(c.Provider, base, hasKey)
	count := ""
	if profile.CountsInput {
		count = responseswire.CountURL(url)
	}
	return language{
		url: url, models: responseswire.ModelsURL(url), count: count,
		prepare: func(r request.Request, model string, spec request.Spec) (transport.Call, transport.Decoder, error) {
			return responseswire.Prepare(r, model, spec, profile)
		},
	}, err
}
