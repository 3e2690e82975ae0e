package models

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/anthropic"
	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/cohere"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/gemini"
	"github.com/weirsdk/weir/providers/ollama"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
	"github.com/weirsdk/weir/providers/price"
	"github.com/weirsdk/weir/providers/vertex"
)

// Open returns the model of a "<provider>:<model>" and the prices to charge it by,
// which are empty where there is no list. Nothing is sent, and a model that does not
// exist is refused by its provider at the first call.
//
// getenv is os.Getenv, or a test's. It is asked for the key (see KeyName), for
// AZURE_ENDPOINT and OLLAMA_HOST, and, where an address holds the user's own
// account, for <PROVIDER>_ACCOUNT. Vertex AI is called in express mode. The error is
// for people: which variable is not set, which provider is not known.
func Open(name string, getenv func(string) string) (providers.Model, price.Table, error) {
	provider, id, named := strings.Cut(name, ":")
	if !named && slices.Contains(Providers(), provider) {
		return nil, nil, fmt.Errorf("which model of %s? write %s:<model>", provider, provider)
	}
	if config, known := compatible.Preset(provider); known {
		provider = config.Provider // of another name that it has
	}
	key := providers.Secret(getenv(KeyName(provider)))
	model, err := open(provider, id, key, getenv)
	if err != nil {
		return nil, nil, err
	}
	if isLocal(provider) {
		return model, price.Free(model.Name()), nil
	}
	if key == "" {
		return nil, nil, fmt.Errorf("%s is not set; %s needs it", KeyName(provider), provider)
	}
	return model, prices(provider), nil
}

// Default returns a small model of the first provider whose key is set, or nothing.
func Default(getenv func(string) string) string {
	for _, name := range []string{"openai:gpt-5-mini", "anthropic:claude-haiku-4-5", "gemini:gemini-3.8-flash"} {
		provider, _, _ := strings.Cut(name, ":")
		if getenv(KeyName(provider)) != "" {
			return name
		}
	}
	return ""
}

// open returns the adapter's model.
func open(provider, id string, key providers.Secret, getenv func(string) string) (providers.Model, error) {
	switch provider {
	case openai.Provider:
		return openai.New(openai.Config{Key: key, Model: id})
	case azure.Provider:
		endpoint := getenv("AZURE_ENDPOINT")
		if endpoint == "" {
			return nil, errors.New("AZURE_ENDPOINT is not set; it is the address of the resource, like https://my-resource.openai.azure.com")
		}
		return azure.New(azure.Config{Key: key, Deployment: id, Endpoint: endpoint})
	case anthropic.Provider:
		return anthropic.New(anthropic.Config{Key: key, Model: id})
	case gemini.Provider:
		return gemini.New(gemini.Config{Key: key, Model: id})
	case vertex.Provider:
		return vertex.New(vertex.Config{Key: key, Model: id})
	case cohere.Provider:
		return cohere.New(cohere.Config{Key: key, Model: id})
	case openrouter.Provider:
		return openrouter.New(openrouter.Config{Key: key, Model: id})
	case ollama.Provider:
		return ollama.New(ollama.Config{Key: key, Model: id, Host: cmp.Or(getenv("OLLAMA_HOST"), ollama.DefaultHost)})
	case "bedrock":
		return nil, errors.New("bedrock is a module of its own, which this program does not have: see providers/bedrock")
	}
	config, known := compatible.Preset(provider)
	if !known {
		return nil, fmt.Errorf("no provider %q; there are %s", provider, strings.Join(Providers(), ", "))
	}
	config.Key, config.Model = key, id
	if what := compatible.NeedsAccount(provider); what != "" {
		if config.Account = getenv(AccountName(provider)); config.Account == "" {
			return nil, fmt.Errorf("%s is not set; it is %s", AccountName(provider), what)
		}
	}
	return compatible.New(config)
}

// Providers returns the names that may stand before the colon.
func Providers() []string {
	names := append([]string{
		openai.Provider, azure.Provider, anthropic.Provider, gemini.Provider, vertex.Provider,
		cohere.Provider, openrouter.Provider, ollama.Provider,
	}, compatible.Presets()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// prices returns the list of a provider, empty where it has none.
func prices(provider string) price.Table {
	switch provider {
	case openai.Provider:
		return openai.Prices()
	case anthropic.Provider:
		return anthropic.Prices()
	case gemini.Provider:
		return gemini.Prices()
	case openrouter.Provider:
		return openrouter.Prices()
	case cohere.Provider:
		return cohere.Prices()
	default:
		return compatible.Prices()
	}
}

// isLocal reports whether a provider runs on this machine, where tokens cost nothing
// and a key is not asked for.
func isLocal(provider string) bool {
	if provider == ollama.Provider {
		return true
	}
	config, _ := compatible.Preset(provider)
	u, err := url.Parse(config.BaseURL)
	return err == nil && IsLoopback(u.Hostname())
}

// IsLoopback reports whether a host is this machine by its name.
func IsLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
