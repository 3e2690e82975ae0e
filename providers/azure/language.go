package azure

import (
	"net/url"

	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
	"github.com/weirsdk/weir/request"
)

// A language is what differs between the APIs.
type language struct {
	url     string
	prepare func(r request.Request, deployment string, spec request.Spec) (transport.Call, transport.Decoder, error)
}

func (c Config) language(hasKey bool) (language, error) {
	if c.API == Responses {
		profile := responseswire.ProfileFor(Provider)
		profile.NoKey = !hasKey
		address, err := responseswire.URLFor(Provider, c.root(), hasKey)
		return language{address + c.query(), func(r request.Request, deployment string, spec request.Spec) (transport.Call, transport.Decoder, error) {
			return responseswire.Prepare(r, deployment, spec, profile)
		}}, err
	}
	profile := chatwire.ProfileFor(Provider)
	profile.NoKey = !hasKey
	base := c.root()
	if c.APIVersion != "" {
		base += "/deployments/" + url.PathEscape(c.Deployment)
	}
	address, err := chatwire.URLFor(Provider, base, hasKey)
	return language{address + c.query(), func(r request.Request, deployment string, spec request.Spec) (transport.Call, transport.Decoder, error) {
		return chatwire.Prepare(r, deployment, spec, profile)
	}}, err
}
