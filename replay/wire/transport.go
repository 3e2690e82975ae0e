package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"sync"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// A Mode says what a [Transport] does with a request.
type Mode uint8

const (
	// Replay answers from recordings and never reaches a network. A request that
	// was not recorded is an error, [NotRecorded]; so is one more than there are
	// recordings of it. It needs no credential. It is the zero Mode, because
	// nothing is spent or overwritten by it.
	Replay Mode = iota
	// Record sends each request by Base, hands on the answer as it comes, and
	// stores both when the answer has been read to its end, has been closed or has
	// broken, whichever comes first; so are requests that got no answer. A request
	// that was recorded by an earlier Transport replaces all recordings of it, at
	// the first useful answer: no answer at all, and 401, 402, 403 and 407, replace
	// nothing that was better (see [Kept]). Trouble with storing changes nothing for
	// the one who asked; see OnError and Err.
	Record
	// Passthrough sends each request by Base and stores nothing.
	Passthrough
)

// A Transport is an http.RoundTripper that records exchanges or plays them back.
// Set its fields before the first request; it must not be copied after. The zero
// Transport replays, but fails each request for want of recordings: set Dir or FS.
//
// It lives as long as it is needed and holds no goroutine and no open file. While an
// answer is being recorded, what was read of it is in memory, and so is what [Kept] is
// about; in Replay all recordings are. It is safe for concurrent use; identical requests
// are numbered in the order in which they start. Two Transports that record must not
// share a folder at the same time.
//
// Stored of a request are the headers Accept, Anthropic-Beta, Anthropic-Version,
// Content-Type and Openai-Beta and the query parameters alt, api-version, beta and
// version; of a response Content-Type, Content-Encoding, Retry-After, Retry-After-Ms,
// X-Should-Retry, request ids, rate limits, and Location. Query parameters
// named as credentials are (key, api_key, token, code, auth, signature, X-Amz-*, X-Goog-*
// and the like) are no part of what is asked. All others are, but only a digest of
// their values is stored. See Keep. Names of headers are spelled as net/http spells them.
//
// A redirect leads to the recording of where it led. Of a Location only user info,
// fragment, the port of loopback and the values of credentials in the query are left out,
// which are no part of what is asked next; and values that merely look like a key, which
// are: Keep the names of such parameters.
//
// A body is played in the reads that were recorded, where Timing stored them. Else each
// read gives what follows up to the next blank line, as of server-sent events; of a text
// without a blank line up to the end of a line; and of what is no text all.
//
// Not stored are the length that an answer was said to have (a played one has -1), the
// phrase of its status, its trailers, and answers before the final one. An exchange whose
// status is none from 200 to 999 is handed on as it is and is an error of recording: 101
// Switching Protocols, after which no body follows, and what only a broken server sends.
//
// Errors of RoundTrip in Replay are or wrap an *events.Failure: other/not_recorded
// for a [NotRecorded], which a folder that is not there has as well as an empty one;
// other for a [BadRecording] or a folder that cannot be read;
// or they are the recorded ones: of the same nature and text as they were, after the
// httptrace hooks of their stage. In Record and Passthrough they are those of Base.
type Transport struct {
	// Mode is what it does; the zero Mode is [Replay].
	Mode Mode
	// Dir is the folder of the recordings. It is made, with mode 0700, by the
	// first recording. One that is there keeps its mode, however many may read it.
	// Symbolic links in it are followed; see [Load].
	Dir string
	// FS holds the recordings for Replay instead of Dir.
	FS fs.FS
	// Base sends the requests of Record and Passthrough; nil is
	// http.DefaultTransport.
	Base http.RoundTripper
	// Secrets are more texts to keep off the disk, of at least four bytes: those that
	// stand where nothing says what they are, in the path or in the words of a prompt.
	Secrets []providers.Secret
	// Keep names further headers and query parameters that hold no credential, in any
	// case of letters. They are stored as they are, and the values of the parameters can
	// be read in the files and in [NotRecorded]. Replay takes such parameters from the
	// files too. Authorization, Proxy-Authorization, Cookie and Set-Cookie stay secret.
	Keep []string
	// Timing makes Record store how an answer came: the sizes of the reads, and the
	// delays before the head, each of them and the end, in milliseconds. Both are chance.
	// Without it two recordings of the same answers are equal, if these are read to their
	// end: how much is there of one that was left or that broke is chance, too.
	Timing bool
	// Pace makes Replay wait as long as was recorded, where delays were stored.
	Pace bool
	// Repeat makes Replay begin anew after the last recording of a request. Without it
	// one more request than there are recordings is not recorded. One that is missing
	// between others is not recorded whenever its turn comes: see [NotRecorded.Missing].
	Repeat bool
	// OnStored is told the file of each exchange that was stored, in the order in which
	// they were and one at a time, on the goroutine that OnError is told on. Nil: nobody.
	OnStored func(file string)
	// OnError is told what could not be recorded, on the goroutine that reads or
	// closes the answer; it must do neither. It may be called from several at once.
	// Nil: only Err tells. A panic of it or of OnStored costs no answer and is an
	// error of Err.
	OnError func(error)

	mu        sync.Mutex
	sequences map[string]*sequence // of what is recorded, by key
	err       error                // the first that happened
	held      []*take              // what is held back

	disk  sync.Mutex // held while a recording is written
	write func(dir, name string, data []byte) error

	loading sync.Once
	player  *player
}

// RoundTrip sends a request or plays its recording, as Mode says.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case t.Mode == Passthrough:
		return t.base().RoundTrip(r)
	case r.URL == nil:
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, badRequest("the request has no URL")
	case t.Mode == Record:
		return t.record(r)
	default:
		return t.replay(r)
	}
}

// Err returns the first error of recording, of reading the recordings, or of a request
// that was not recorded, and nil when there was none. What is held back (see [Kept]) is
// one until it is stored. It wraps an *events.Failure of kind other.
func (t *Transport) Err() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil && len(t.held) > 0 {
		return t.held[0].notice
	}
	return t.err
}

// Unused returns the files of the recordings that Replay has not played, in order. A
// test that wants every recording to be used asks at its end, and asks Err as well: nil
// is also returned for a folder that has no recordings or is not there (other/not_recorded
// from then on) and for one that cannot be read, and in the other modes.
func (t *Transport) Unused() []string {
	if t.Mode != Replay {
		return nil
	}
	p, err := t.load()
	if err != nil {
		return nil
	}
	if len(p.recordings.all) == 0 {
		_ = t.note(failureOfNothing(p.recordings.nothing()))
	}
	return p.unused()
}

func (t *Transport) base() http.RoundTripper {
	if t.Base == nil {
		return http.DefaultTransport
	}
	return t.Base
}

// note makes an error the one of Err, if it is the first, and returns it.
func (t *Transport) note(err error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		t.err = err
	}
	return err
}

// report notes that a recording was lost.
func (t *Transport) report(what string, err error) {
	t.tell(t.note(events.NewFailure(events.Other, "", what+": "+err.Error()).WithCause(err)))
}

func (t *Transport) tell(err error) {
	if t.OnError != nil {
		defer t.contain("OnError")
		t.OnError(err)
	}
}

// contain makes a panic of a function of the user an error of Err, for the answer is
// not lost with it. The value of a panic may hold a secret, so its type is told.
func (t *Transport) contain(who string) {
	if crash := recover(); crash != nil {
		_ = t.note(events.NewFailure(events.Other, "", fmt.Sprintf("%s panicked: %T", who, crash)))
	}
}

func (t *Transport) keeping() keeping { return keeping{names: t.Keep} }

// load reads the recordings, once.
func (t *Transport) load() (*player, error) {
	t.loading.Do(func() {
		recordings, err := t.recordings()
		t.mu.Lock()
		defer t.mu.Unlock()
		if err != nil {
			t.err = err
			return
		}
		t.player = &player{recordings: recordings, repeat: t.Repeat}
	})
	if t.player == nil {
		return nil, t.Err()
	}
	return t.player, nil
}

// recordings reads the folder. One that is not there has none.
func (t *Transport) recordings() (*Recordings, error) {
	source, dir := t.FS, ""
	if source == nil && t.Dir != "" {
		// The errors of os.DirFS do not say which folder it is.
		if _, err := os.Stat(t.Dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, failureOfFiles(err)
		}
		source, dir = os.DirFS(t.Dir), t.Dir
	}
	recordings, err := Load(source)
	if errors.Is(err, ErrNotRecorded) {
		recordings, err = &Recordings{missing: true}, nil
	}
	if err != nil {
		return nil, err
	}
	recordings.dir = dir
	return recordings, nil
}

// takeBody reads and closes the body of a request.
func takeBody(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	defer func() { _ = r.Body.Close() }()
	return io.ReadAll(r.Body)
}

// withBody returns a copy of a request that sends body.
func withBody(r *http.Request, body []byte) *http.Request {
	out := *r
	if r.Body == nil || r.Body == http.NoBody {
		return &out
	}
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return &out
}

// writeFile writes a file of the folder.
func (t *Transport) writeFile(name string, data []byte) error {
	if t.write != nil {
		return t.write(t.Dir, name, data)
	}
	return tape.Write(t.Dir, name, data)
}
