package wire

import (
	"encoding/base64"
	"net/http"
	"strings"
)

// besides returns the secrets that a base sends beside a request, out of the sight of
// a round tripper: the user info of its proxy (net/http makes Proxy-Authorization of
// it), and what it says to that by itself.
func besides(base http.RoundTripper, r *http.Request) []string {
	t, ok := base.(*http.Transport)
	if !ok {
		return nil
	}
	var all []string
	for name, values := range t.ProxyConnectHeader {
		if !isCredentialName(name) {
			continue
		}
		for _, v := range values {
			_, rest, _ := strings.Cut(v, " ")
			all = append(all, v, rest)
		}
	}
	if t.Proxy == nil {
		return all
	}
	proxy, err := t.Proxy(r)
	if err != nil || proxy == nil || proxy.User == nil {
		return all
	}
	user := proxy.User.Username()
	password, _ := proxy.User.Password()
	all = append(all, password, base64.StdEncoding.EncodeToString([]byte(user+":"+password)))
	if password == "" || len(user) >= shortest {
		all = append(all, user)
	}
	return all
}
