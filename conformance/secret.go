package conformance

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/weirsdk/weir/events"
)

// checkSecret looks for the credential in every event of a stream but in what the
// model says and in the provider's own data. Every stream that the suite collects
// goes through it.
func (s spot) checkSecret(p played) {
	if s.adapter.Unsupported[NoCredential] != "" {
		return
	}
	for n, ev := range p.events {
		if holdsSecret(ev) {
			s.check(false, m14, "no credential", say("event %d: %s", n+1, printedEvent{ev}))
			return
		}
	}
	s.check(true, m14, "no credential", nil)
}

// holdsSecret reports whether an event tells the credential in what is not the
// model's own words or its provider's data. It is asked of every event that the
// suite sees, so it prints nothing.
func holdsSecret(ev events.Event) bool {
	var told any
	var ok bool
	switch ev.Kind {
	case events.Started:
		told, ok = ev.Start()
	case events.Notice:
		told, ok = ev.Notice()
	case events.UsageUpdated:
		told, ok = ev.Usage()
	case events.Completed:
		var c events.Completion
		c, ok = ev.Completion()
		c.Data = events.ProviderData{}
		told = c
	case events.Failed:
		var f *events.Failure
		f, ok = ev.Failure()
		told = f
	default:
		return false
	}
	return ok && (anyText(reflect.ValueOf(told), isSecret) || anyCause(ev.Err(), isSecret))
}

// The beginning of Canary is enough of it, whatever follows. Base64 has it in one of
// three forms, by what stands before it, as the name of a user does.
const (
	secretPiece = "tk-canary-01"
	secretBase0 = "dGstY2FuYXJ5LTAx"
	secretBase1 = "RrLWNhbmFyeS0wM"
	secretBase2 = "0ay1jYW5hcnktMD"
)

// isSecret reports whether a text tells the credential, whole or its beginning, plain or
// in base64. No character of it needs an escape in JSON or in a URL.
func isSecret(text string) bool {
	return strings.Contains(text, secretPiece) ||
		strings.Contains(text, secretBase0) || strings.Contains(text, secretBase1) || strings.Contains(text, secretBase2)
}

// anyText reports whether a text of a value fits, of the structs, maps and pointers
// that it is made of. What is behind an interface is left alone: it is printed by
// methods of its own.
func anyText(v reflect.Value, fits func(string) bool) bool {
	switch v.Kind() {
	case reflect.String:
		return fits(v.String())
	case reflect.Pointer:
		return !v.IsNil() && anyText(v.Elem(), fits)
	case reflect.Struct:
		for n := range v.NumField() {
			if anyText(v.Field(n), fits) {
				return true
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if anyText(key, fits) || anyText(v.MapIndex(key), fits) {
				return true
			}
		}
	default: // no text, or none of a payload
	}
	return false
}

// anyCause reports whether the text of an error fits, or of one that it wraps: a
// failure does not print its cause.
func anyCause(err error, fits func(string) bool) bool {
	if err == nil {
		return false
	}
	if fits(err.Error()) {
		return true
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			if anyCause(one, fits) {
				return true
			}
		}
	}
	return anyCause(errors.Unwrap(err), fits)
}

// A printedEvent prints an event with the causes of its failure.
type printedEvent struct{ ev events.Event }

// String returns the canonical form, bounded, and the texts of the causes.
func (p printedEvent) String() string {
	text := events.CutText(string(events.AppendJSON(nil, p.ev)), 500)
	anyCause(errors.Unwrap(p.ev.Err()), func(cause string) bool {
		text += fmt.Sprintf(", caused by %q", events.CutText(cause, 200))
		return false
	})
	return text
}
