package compatible

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/providers/internal/responseswire"
	"github.com/weirsdk/weir/providers/transport"
)

// Preset returns the Config of an endpoint by its name: Provider and BaseURL are
// set, Key and Model are yours to set, and Account where [NeedsAccount] says so. API is
// set where the endpoint speaks no other one than [Responses]. It reports whether the
// name is known; of an unknown one only Provider is set, and [New] says which there are.
//
// Other usual names of an endpoint do as well ("moonshot" for "moonshotai", "LM Studio",
// "llama.cpp"); Provider is the one that [Presets] has.
//
// The sources are beside the rows of the tables, which are of the families
// (providers/internal/chatwire/vendors.go, providers/internal/responseswire/vendors.go).
// CONTRIBUTING.md has the steps to add one.
func Preset(name string) (Config, bool) {
	name = chatwire.NameOf(name)
	if base := chatwire.Vendors()[name].BaseURL; base != "" {
		return Config{Provider: name, BaseURL: base}, true
	}
	if base := responseswire.Vendors()[name].BaseURL; base != "" {
		return Config{Provider: name, BaseURL: base, API: Responses}, true
	}
	return Config{Provider: name}, false
}

// Presets returns the names that [Preset] knows, sorted.
func Presets() []string {
	var names []string
	for name, row := range chatwire.Vendors() {
		if row.BaseURL != "" {
			names = append(names, name)
		}
	}
	for name, row := range responseswire.Vendors() {
		if row.BaseURL != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// NeedsAccount says what Config.Account is for a preset whose address holds the
// user's own account, workspace or resource; it is empty for every other name.
func NeedsAccount(name string) string { return chatwire.Vendors()[chatwire.NameOf(name)].Account }

// noAddress says what is wrong with a Config without a BaseURL.
func noAddress(provider string) string {
	if known, ok := Preset(provider); ok {
		return "no endpoint: Config.BaseURL is empty; Preset has one of " + known.Provider
	}
	return "no endpoint: Config.BaseURL is empty, and of the presets none is called so: there are " + strings.Join(Presets(), ", ")
}

const (
	// placeholder is what stands for the account in a BaseURL.
	placeholder = "{account}"
	// accountLetters cannot lead the address elsewhere.
	accountLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
)

// baseURL returns the address with the account in it.
func (c Config) baseURL() (string, error) {
	switch holds := strings.Contains(c.BaseURL, placeholder); {
	case holds && c.Account == "":
		what := "what stands for " + placeholder
		if known := NeedsAccount(c.Provider); known != "" {
			what = known
		}
		return "", transport.BadConfig(c.Provider, "no account: Config.Account is empty, and the address needs "+what)
	case !holds && c.Account != "":
		return "", transport.BadConfig(c.Provider, "an account, and the address has no "+placeholder+" for it")
	case strings.Trim(c.Account, accountLetters) != "" || strings.Contains(c.Account, "..") || c.Account == ".":
		return "", transport.BadConfig(c.Provider, "the account is not of letters, digits, hyphens, underscores and single dots alone")
	}
	return strings.ReplaceAll(c.BaseURL, placeholder, c.Account), nil
}
