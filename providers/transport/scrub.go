package transport

import (
	"errors"
	"strings"

	"github.com/weirsdk/weir/events"
)

// scrubbed returns a rare event without the call's secrets: a server may echo
// them in any text that is not the model's. Deltas, arguments and media are the
// model's and are left alone.
func (x *exchange) scrubbed(ev events.Event) events.Event {
	switch ev.Kind {
	case events.Notice:
		n, _ := ev.Notice()
		return events.NewNotice(n.Code, x.redact(n.Detail))
	case events.UsageUpdated:
		u, _ := ev.Usage()
		if !x.holdsSecret(u.Raw) {
			return ev
		}
		u.Raw = x.redact(u.Raw)
		return events.NewUsageUpdated(u)
	case events.Completed:
		c, _ := ev.Completion()
		if !x.holdsSecret(c.Usage.Raw) && !x.holdsSecret(c.RawStop) && !x.holdsSecret(c.ServiceTier) {
			return ev
		}
		c.Usage.Raw = x.redact(c.Usage.Raw)
		c.RawStop, c.ServiceTier = x.redact(c.RawStop), x.redact(c.ServiceTier)
		return events.NewCompleted(c)
	default:
		return ev
	}
}

func (x *exchange) holdsSecret(text string) bool {
	for _, secret := range x.secrets {
		if strings.Contains(text, secret) {
			return true
		}
	}
	return false
}

// withoutSecret returns a failure whose cause tells none of the call's secrets: an
// error of the adapter's, of preparing or of a frame, may hold one in its text. It
// stays reachable by errors.Is and errors.As.
func (x *exchange) withoutSecret(f *events.Failure) *events.Failure {
	cause := f.Unwrap()
	if cause == nil || len(x.secrets) == 0 || !x.tellsSecret(cause) {
		return f
	}
	return f.WithCause(&scrubbedCause{
		text: x.redact(cause.Error()),
		is:   func(target error) bool { return errors.Is(cause, target) },
		as:   func(target any) bool { return errors.As(cause, target) },
	})
}

// tellsSecret reports whether the text of an error holds a secret, or of one that it
// wraps.
func (x *exchange) tellsSecret(err error) bool {
	if err == nil {
		return false
	}
	if text := err.Error(); x.redact(text) != text {
		return true
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range several.Unwrap() {
			if x.tellsSecret(one) {
				return true
			}
		}
	}
	return x.tellsSecret(errors.Unwrap(err))
}

// A scrubbedCause stands for an error that it does not print. It holds it in
// functions, because fmt prints fields, and does not unwrap to it.
type scrubbedCause struct {
	text string
	is   func(error) bool
	as   func(any) bool
}

func (c *scrubbedCause) Error() string        { return c.text }
func (c *scrubbedCause) Is(target error) bool { return c.is(target) }
func (c *scrubbedCause) As(target any) bool   { return c.as(target) }
