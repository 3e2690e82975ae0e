package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/stream"
)

// A breakage is an error of the network: what it was, and its text.
type breakage struct {
	// Stage is how far the request got; only before there is a response.
	Stage string `json:"stage,omitempty"`
	// Reason is a name of causes.
	Reason string `json:"reason"`
	Text   string `json:"text,omitempty"`
	// Failure is there when the error was one of weir's, or the context had ended.
	Failure *failure `json:"failure,omitempty"`
}

// A failure is what is stored of an events.Failure.
type failure struct {
	Kind        events.FailureKind `json:"kind"`
	Reason      events.Reason      `json:"reason,omitempty"`
	Detail      string             `json:"detail,omitempty"`
	ShouldRetry *bool              `json:"should_retry,omitempty"`
}

const (
	maxText     = 2 << 10
	reasonOther = "other"
)

// newBreakage returns what is stored of an error.
func newBreakage(ctx context.Context, err error, scrub *providers.Scrubber) *breakage {
	b := &breakage{Reason: reasonOther, Text: scrub.Scrub(strings.ToValidUTF8(events.CutText(err.Error(), maxText), "\uFFFD"))}
	for _, c := range causes() {
		if c.is(err) {
			b.Reason = c.name
			break
		}
	}
	f := stream.Interrupted(ctx)
	if f == nil {
		f, _ = events.AsFailure(err)
	}
	if f != nil {
		b.Failure = &failure{Kind: f.Kind, Reason: f.Reason, Detail: scrub.Scrub(f.Detail), ShouldRetry: f.ShouldRetry}
	}
	return b
}

// err returns an error of the same nature and text.
func (b *breakage) err() error {
	broken := &broken{text: b.Text, cause: errOther}
	for _, c := range causes() {
		if c.name == b.Reason {
			broken.cause = c.make(b.Text)
		}
	}
	if isHTTP(broken.cause) {
		return broken.cause // http.Client looks for the bare type (net/http, client.go, Go 1.26)
	}
	if b.Failure == nil {
		return broken
	}
	f := events.NewFailure(b.Failure.Kind, b.Failure.Reason, b.Failure.Detail)
	f.ShouldRetry = b.Failure.ShouldRetry
	return f.WithCause(broken)
}

var errOther = errors.New("the recorded error is of no known kind")

// broken is a played error: the text that it had, around a cause of its kind.
type broken struct {
	text  string
	cause error
}

func (b *broken) Error() string { return b.text }
func (b *broken) Unwrap() error { return b.cause }

// Timeout makes it a net.Error like the one that it stands for.
func (b *broken) Timeout() bool { return isTimeout(b.cause) }

// Temporary is of net.Error too.
func (*broken) Temporary() bool { return false }

// A cause is one kind of network error. Make's error need not have the text.
type cause struct {
	name string
	is   func(error) bool
	make func(text string) error
}

// causes returns the kinds, the special before the general.
func causes() []cause {
	same := func(name string, target error) cause {
		return cause{name, func(err error) bool { return errors.Is(err, target) }, func(string) error { return target }}
	}
	system := func(name, op, call string, code syscall.Errno) cause {
		return cause{name, func(err error) bool { return errors.Is(err, code) }, func(string) error {
			return &net.OpError{Op: op, Net: "tcp", Err: os.NewSyscallError(call, code)}
		}}
	}
	return []cause{
		system("refused", "dial", "connect", syscall.ECONNREFUSED),
		system("reset", "read", "read", syscall.ECONNRESET),
		system("pipe", "write", "write", syscall.EPIPE),
		{"dns_not_found", func(err error) bool { return isDNS(err, true) }, func(text string) error {
			return &net.DNSError{Err: text, IsNotFound: true}
		}},
		{"dns", func(err error) bool { return isDNS(err, false) }, func(text string) error { return &net.DNSError{Err: text} }},
		same("scheme", http.ErrSchemeMismatch),
		{"http_for_tls", isHTTP, func(text string) error {
			return tls.RecordHeaderError{Msg: strings.TrimPrefix(text, "tls: "), RecordHeader: [5]byte([]byte(httpRecord))}
		}},
		{"tls", isTLS, func(text string) error { return &tls.CertificateVerificationError{Err: errors.New(text)} }},
		same("canceled", context.Canceled),
		same("deadline", context.DeadlineExceeded),
		{"timeout", isTimeout, func(string) error { return os.ErrDeadlineExceeded }},
		same("unexpected_eof", io.ErrUnexpectedEOF),
		same("eof", io.EOF),
		{"stream_reset", isStreamReset, func(text string) error { return streamError{Cause: errors.New(text)} }},
	}
}

func isDNS(err error, notFound bool) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound == notFound
}

// httpRecord is what the head of a TLS record is when a server speaks plain HTTP.
const httpRecord = "HTTP/"

func isHTTP(err error) bool {
	var record tls.RecordHeaderError
	return errors.As(err, &record) && string(record.RecordHeader[:]) == httpRecord
}

// isTLS reports whether the other side's certificate was not accepted, or it does
// not speak TLS.
func isTLS(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		record       tls.RecordHeaderError
		unknown      x509.UnknownAuthorityError
		hostname     x509.HostnameError
		invalid      x509.CertificateInvalidError
	)
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &unknown) ||
		errors.As(err, &hostname) || errors.As(err, &invalid)
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// streamError has the fields of net/http's own error of an HTTP/2 stream, which
// errors.As fills in by their names (net/http, h2_error.go, Go 1.26).
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "an HTTP/2 stream was reset" }
func (e streamError) Unwrap() error { return e.Cause }

func isStreamReset(err error) bool {
	var e streamError
	return errors.As(err, &e)
}
