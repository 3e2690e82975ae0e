package transport

import (
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
		if !x.holdsSecret(c.Usage.Raw) && !x.holdsSecret(c.RawStop) {
			return ev
		}
		c.Usage.Raw = x.redact(c.Usage.Raw)
		c.RawStop = x.redact(c.RawStop)
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
