package transport

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/weirsdk/weir/cancel"
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
)

// FailureOfStatus returns what an HTTP status alone says. It is what an adapter
// falls back to when a body says nothing more exact. Status is 300 or more.
func FailureOfStatus(status int) *events.Failure {
	kind, reason := kindOfStatus(status)
	f := events.NewFailure(kind, reason, statusText(status))
	f.Status = status
	return f
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "status " + strconv.Itoa(status)
}

func kindOfStatus(status int) (events.FailureKind, events.Reason) {
	switch status {
	case http.StatusUnauthorized:
		return events.Rejected, events.ReasonAuth
	case http.StatusPaymentRequired:
		return events.Rejected, events.ReasonBilling
	case http.StatusForbidden:
		return events.Rejected, events.ReasonPermission
	case http.StatusNotFound:
		return events.Rejected, events.ReasonNotFound
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return events.TimedOut, events.ReasonHTTP
	case http.StatusRequestEntityTooLarge:
		return events.Rejected, events.ReasonTooLarge
	case http.StatusTooManyRequests:
		return events.RateLimited, events.ReasonRateLimit
	case http.StatusServiceUnavailable, 529:
		return events.Overloaded, events.ReasonOverloaded
	}
	switch {
	case status < 200 || status > 599:
		return events.InvalidReply, events.ReasonBadContent
	case status >= 500:
		return events.Overloaded, events.ReasonServer
	case status < 400:
		return events.Rejected, events.ReasonRedirect
	default:
		return events.Rejected, events.ReasonBadRequest
	}
}

// failureOfCause returns the failure of an ended context.
func failureOfCause(ctx context.Context) *events.Failure {
	if reason, _ := cancel.Of(ctx); reason == cancel.Tail {
		return truncated().WithCause(context.Cause(ctx))
	}
	return stream.Interrupted(ctx)
}

// failureOfSend returns the failure of a request that got no answer. It never
// repeats a URL: its query may hold a key.
func failureOfSend(err error) *events.Failure {
	if f, ok := events.AsFailure(err); ok {
		return f
	}
	var urlError *url.Error
	if errors.As(err, &urlError) {
		err = urlError.Err
	}
	f := events.NewFailure(events.Unreachable, events.ReasonConnect, err.Error())
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		f.Reason = events.ReasonDNS
		if dns.IsNotFound {
			f.ShouldRetry = new(false)
		}
	case isTLS(err):
		f.Reason = events.ReasonTLS
		f.ShouldRetry = new(false)
	}
	return f
}

// isTLS reports whether the other side's certificate was not accepted or it does
// not speak TLS: trying again does not help.
func isTLS(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		record       tls.RecordHeaderError
		unknown      x509.UnknownAuthorityError
		hostname     x509.HostnameError
		invalid      x509.CertificateInvalidError
	)
	// The plain answer of a server without TLS, which net/http turns into this.
	if errors.Is(err, http.ErrSchemeMismatch) {
		return true
	}
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &unknown) ||
		errors.As(err, &hostname) || errors.As(err, &invalid)
}

// failureOfAnswer maps an answer that is no stream.
func (x *exchange) failureOfAnswer(status int, header http.Header, body []byte) *events.Failure {
	var f *events.Failure
	if x.call.Failure != nil && (status >= 200 && status < 300 || status >= 400) {
		f = x.call.Failure(status, header, body)
	}
	if f == nil {
		if status >= 200 && status < 300 {
			return nil
		}
		f = FailureOfStatus(status)
		if host := hostOf(header.Get("Location")); status < 400 && host != "" {
			f.Detail = events.CleanDetail("redirected to " + host + ", which is refused unless the client has a policy")
		}
	}
	f.Status = status
	if wait, ok := RetryAfter(header, time.Now()); ok {
		f.RetryAfter = wait
	}
	if advice := shouldRetry(header); advice != nil {
		f.ShouldRetry = advice
	}
	return f
}
