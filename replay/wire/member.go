package wire

import (
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// addValue adds what a JSON value holds under the names of credentials.
func (s *secrets) addValue(value any) {
	switch v := value.(type) {
	case map[string]any:
		_, ofModel := v["logprob"] // its token is a word
		for name, e := range v {
			if ofModel && name == "token" {
				continue
			}
			s.addMember(name, e)
		}
	case []any:
		for _, e := range v {
			s.addValue(e)
		}
	case string:
		s.addAddresses(v)
		if inner, ok := valueOf(v); ok {
			s.addValue(inner)
		}
	}
}

// addMember adds what a member of an object holds.
func (s *secrets) addMember(name string, value any) {
	switch {
	case isHeaders(name) && s.addHeaders(value):
		return
	case isCredentialField(name) && !isSchema(value):
		s.addBelow(value)
		return
	case isTelling(name):
		if text, ok := value.(string); ok && !strings.ContainsAny(text, " \t\r\n") {
			s.addLikely(text)
		}
	}
	s.addValue(value)
}

// addBelow adds all that stands under the name of a credential.
func (s *secrets) addBelow(value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, e := range v {
			if !isBeside(name, e) {
				s.addBelow(e)
			}
		}
	case []any:
		for _, e := range v {
			s.addBelow(e)
		}
	case string:
		s.add(v, shortest)
		if _, rest, found := strings.Cut(v, " "); found {
			s.add(strings.TrimSpace(rest), shortest)
		}
	case json.Number:
		s.add(v.String(), shortest)
	}
}

// isBeside reports whether a member that stands beside a credential says only what
// sort it is or until when it is one.
func isBeside(name string, value any) bool {
	if _, ok := value.(json.Number); ok {
		name = plainName(name)
		return hasEnd(name, "at", "exp", "expires", "expiresin", "iat", "nbf", "ttl")
	}
	text, ok := value.(string)
	return ok && slices.Contains([]string{"kind", "object", "scheme", "type"}, name) && !looksLikeKey(text)
}

// isSchema reports whether a value under the name of a credential describes one, as
// the parameter of a tool does (JSON Schema 2020-12).
func isSchema(value any) bool {
	v, ok := value.(map[string]any)
	if !ok || v["value"] != nil {
		return false
	}
	for _, word := range []string{"$ref", "allOf", "anyOf", "description", "enum", "oneOf", "properties"} {
		if v[word] != nil {
			return true
		}
	}
	kind, ok := v["type"].(string)
	_, list := v["type"].([]any)
	return list || ok && slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string"}, strings.ToLower(kind))
}

// addHeaders adds the credentials of headers that stand in a body, and reports whether
// they are headers.
func (s *secrets) addHeaders(value any) bool {
	v, ok := value.(map[string]any)
	if !ok || isSchema(value) {
		return false
	}
	for name, e := range v {
		for _, text := range texts(e) {
			s.addHeader(http.CanonicalHeaderKey(name), text)
		}
	}
	return true
}

// texts returns a string or the strings of a list.
func texts(value any) []string {
	switch v := value.(type) {
	case string:
		return []string{v}
	case []any:
		var all []string
		for _, e := range v {
			all = append(all, texts(e)...)
		}
		return all
	default:
		return nil
	}
}

var address = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s\"'<>`]+") })

// addAddresses adds the user info and the credentials of the query of addresses. In
// the middle of a text they may be examples, so there they have to look like keys.
func (s *secrets) addAddresses(text string) {
	if !strings.Contains(text, "://") {
		return
	}
	for _, found := range address().FindAllString(text, -1) {
		u, err := url.Parse(found)
		if err != nil {
			continue
		}
		add := func(v string) { s.addLikely(v) }
		if found == text {
			add = func(v string) { s.add(v, shortest) }
		}
		if password, ok := u.User.Password(); ok {
			add(password)
		}
		s.addLikely(u.User.Username())
		for name, values := range queryOf(u.RawQuery) {
			if isCredentialParameter(name) {
				for _, v := range values {
					add(v)
				}
			}
		}
	}
}

// clean returns a JSON value without what stands under the names of credentials, and
// whether there was any.
func (s *secrets) clean(value any) (clean any, changed bool) {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, e := range v {
			var other bool
			out[name], other = s.cleanMember(name, e)
			changed = changed || other
		}
		return out, changed
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			var other bool
			out[i], other = s.clean(e)
			changed = changed || other
		}
		return out, changed
	case string:
		if inner, ok := valueOf(v); ok {
			if inner, changed = s.clean(inner); changed {
				if text, err := plainJSON(inner); err == nil {
					return text, true
				}
			}
		}
	}
	return value, false
}

func (s *secrets) cleanMember(name string, value any) (clean any, changed bool) {
	headers, ok := value.(map[string]any)
	switch {
	case isHeaders(name) && ok && !isSchema(value):
		out := make(map[string]any, len(headers))
		for name, e := range headers {
			out[name] = e
			if canonical := http.CanonicalHeaderKey(name); isCredentialName(canonical) && !s.inRequest(canonical) {
				out[name] = redactedBelow(e)
			}
		}
		return out, !reflect.DeepEqual(out, value)
	case isCredentialField(name) && !isSchema(value):
		out := redactedBelow(value)
		return out, !reflect.DeepEqual(out, value)
	default:
		return s.clean(value)
	}
}

// redactedBelow returns a value without all that may be secret under the name of a
// credential.
func redactedBelow(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, e := range v {
			if out[name] = e; !isBeside(name, e) {
				out[name] = redactedBelow(e)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = redactedBelow(e)
		}
		return out
	case string:
		if v == "" {
			return v
		}
		return redacted
	case json.Number:
		return redacted
	default:
		return v
	}
}
