package compatible

import (
	"context"
	"maps"
	"net/http"
	"strings"

	"github.com/weirsdk/weir/providers/transport"
)

// credential returns what gives the header of a call, and what of it is secret. It
// keeps nothing of the Config that the user may change.
func (c Config) credential() func(context.Context) (http.Header, []string, error) {
	c.Header, c.SecretHeader = c.Header.Clone(), maps.Clone(c.SecretHeader)
	return func(ctx context.Context) (http.Header, []string, error) {
		one := c
		if c.Token != nil {
			token, err := transport.Token(ctx, c.Provider, c.Token)
			if err != nil {
				return nil, nil, err
			}
			one.Key = token
		}
		credentials := one.credentials()
		return one.header(credentials), secretsOf(credentials), nil
	}
}

// hasCredential reports whether any goes with a call.
func (c Config) hasCredential() bool { return c.Token != nil || len(c.credentials()) > 0 }

func (c Config) keyHeader() string {
	if c.KeyHeader == "" {
		return "Authorization"
	}
	return http.CanonicalHeaderKey(c.KeyHeader)
}

// credentials returns the credentials that there are, by their headers.
func (c Config) credentials() map[string]string {
	all := map[string]string{}
	for name, value := range c.SecretHeader {
		if value != "" {
			all[name] = string(value)
		}
	}
	if c.Key != "" {
		all[c.keyHeader()] = string(c.Key)
	}
	return all
}

// header returns what is sent with every call.
func (c Config) header(credentials map[string]string) http.Header {
	h := c.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	for name, value := range credentials {
		h.Set(name, value)
	}
	if c.Key != "" && c.KeyHeader == "" {
		h.Set("Authorization", "Bearer "+string(c.Key))
	}
	return h
}

// secretsOf returns what failures are scrubbed of: the values, and of one that
// names a scheme ("Bearer x") what follows it as well.
func secretsOf(credentials map[string]string) []string {
	var all []string
	for _, value := range credentials {
		all = append(all, value)
		if _, token, ok := strings.Cut(value, " "); ok {
			all = append(all, token)
		}
	}
	return all
}
