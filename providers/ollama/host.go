package ollama

import (
	"net/url"
	"strings"

	"github.com/weirsdk/weir/providers/transport"
)

// defaultPort is Ollama's own.
const defaultPort = "11434"

// endpoint returns the base URL that a host means, without a slash at its end.
func endpoint(host string, hasKey bool) (string, error) {
	if host == "" {
		host = DefaultHost
	}
	if !strings.Contains(host, "://") {
		host = withPort("http://" + host)
	}
	return strings.TrimRight(host, "/"), transport.CheckEndpoint(Provider, host, hasKey)
}

// withPort adds the default port to a URL without one. One that cannot be read is
// left for CheckEndpoint to refuse.
func withPort(base string) string {
	u, err := url.Parse(base)
	if err != nil || u.Port() != "" || u.Hostname() == "" {
		return base
	}
	u.Host = strings.TrimSuffix(u.Host, ":") + ":" + defaultPort
	return u.String()
}

// isCloud reports whether a base URL is that of Ollama's hosted service.
func isCloud(base string) bool {
	u, err := url.Parse(base)
	return err == nil && strings.EqualFold(u.Hostname(), "ollama.com")
}
