package transport

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
)

// CheckKey checks credentials that are sent as headers: a line end or another
// control character in one makes every request fail with an error of net/http's,
// which cannot be told from a lost connection. A failure is of kind
// invalid_request and reason bad_config.
func CheckKey(provider string, keys ...providers.Secret) error {
	for _, key := range keys {
		if strings.ContainsFunc(string(key), func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return BadConfig(provider, "a key holds a line end or another control character: trim what was read from a file")
		}
	}
	return nil
}

// shortest is the fewest bytes of a secret that are taken for it.
const shortest = 4

// spellings returns the secrets in the forms in which a server is likely to echo
// them. It is computed for every call, so it has fewer than a [providers.Scrubber].
func spellings(secrets []string) []string {
	var all []string
	for _, secret := range secrets {
		if len(secret) < shortest {
			continue
		}
		html, _ := json.Marshal(secret)
		inHTML, plain := string(html[1:len(html)-1]), string(events.AppendQuoted(nil, secret))
		plain = plain[1 : len(plain)-1]
		// Servers in PHP write "/" with an escape.
		forms := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), inHTML, plain, strings.ReplaceAll(plain, "/", `\/`)}
		for _, form := range forms {
			if form == secret && len(all) > 0 && all[len(all)-1] == secret {
				continue
			}
			all = append(all, form)
		}
	}
	return all
}

// redact replaces the call's secrets in a text, and the beginning of one at its
// end: a text may have been cut inside a secret.
func (x *exchange) redact(text string) string {
	if text == "" || len(x.secrets) == 0 {
		return text
	}
	text = withoutRests(events.Redact(text, x.secrets...), x.secrets)
	whole := strings.TrimRight(text, ". ")
	for _, secret := range x.secrets {
		for n := min(len(secret)-1, len(whole)); n >= shortest; n-- {
			if strings.HasSuffix(whole, secret[:n]) {
				rest := redacted + text[len(whole):]
				return events.CutText(whole[:len(whole)-n], events.MaxDetail-len(rest)) + rest
			}
		}
	}
	return text
}

// redacted is what stands for a credential, see [events.Redact].
const redacted = "[redacted]"

// withoutRests replaces what is left of a secret beside a part of it that was replaced:
// the texts of failures are cleaned of what looks like a key before anybody knows the
// call's, which may have characters that no key of that look has.
func withoutRests(text string, secrets []string) string {
	if !strings.Contains(text, redacted) {
		return text
	}
	for _, secret := range secrets {
		for n := len(secret) - 1; n >= shortest && len(text) > len(redacted)+shortest; n-- {
			text = strings.ReplaceAll(text, redacted+secret[len(secret)-n:], redacted)
			text = strings.ReplaceAll(text, secret[:n]+redacted, redacted)
		}
	}
	return text
}
