package wire

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"

	"github.com/weirsdk/weir/events"
)

// maxRequest is the largest body of a request that a Server reads: 16 MiB.
const maxRequest = 16 << 20

// A Server is an http.Handler that answers as a provider did, from recordings: a
// mock provider for programs in any language. Set its fields before the first
// request; it must not be copied after. The zero Server has no recordings and
// answers each request with 404. It is safe for concurrent use, works over HTTP/1 and
// HTTP/2, starts no goroutine and logs nothing.
//
// It looks for the recording of exactly the request that it is asked, host and headers
// apart, so no credential is needed. The nth identical request gets the nth recording.
// A base URL may have another prefix than the recorded one: where no recording has
// the path of a request, the longest recorded path counts that the request's ends in,
// or that ends in the request's.
//
// The answers that it gives itself are JSON, {"error":{"message":...,"type":...}}: 404
// not_recorded, whose message is that of [NotRecorded]; 400 bad_fault for a fault that
// cannot be read and bad_request for a request that cannot; 413 too_large over 16 MiB.
// A body that broke when it was recorded breaks again: by a reset when it was reset,
// else by a cut. So does a request that got no answer. A body that was recorded in an
// encoding which a request does not accept is decoded for it in memory; one that is larger
// than 64 MiB then is served as it is. A Location leads to the server itself.
type Server struct {
	// Recordings are what is served; see [Load].
	Recordings *Recordings
	// Pace waits as long as was recorded, where delays were stored. Without it the pieces
	// of a body, which are the reads of [Transport], are flushed at once.
	Pace bool
	// Repeat begins anew after the last recording of a request. Without it one more
	// request than there are recordings is not recorded. One that is missing between
	// others is not recorded whenever its turn comes: see [NotRecorded.Missing].
	Repeat bool
	// Any answers a request that was not recorded with the next recording of the same
	// method and path, in the order of the files: a wrong answer, but one of the right
	// form, for programs whose requests differ in ways that do not matter.
	Any bool
	// Fault goes wrong with each answer, or with the first few of a request; an answer
	// that is spoiled so uses up no recording. The request header [FaultHeader] replaces
	// it for one answer, and an empty header by none; each text of it counts for itself.
	Fault Fault

	once    sync.Once
	started *player
	spoilt  tally
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := s.Fault
	if texts := r.Header.Values(FaultHeader); len(texts) > 0 {
		var err error
		if fault, err = ParseFault(strings.Join(texts, ",")); err != nil {
			refuse(w, http.StatusBadRequest, "bad_fault", err.Error())
			return
		}
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest+1))
	switch {
	case err != nil:
		refuse(w, http.StatusBadRequest, "bad_request", "the body cannot be read")
		return
	case len(body) > maxRequest:
		refuse(w, http.StatusRequestEntityTooLarge, "too_large", "the body is larger than 16 MiB")
		return
	}
	q, _ := keeping{plain: s.player().recordings.plain}.ask(r, body, nil)
	spoils := fault.Times <= 0 || s.spoilt.counts(q, fault)
	one, miss := s.find(q, spoils && fault.Times > 0)
	if !spoils {
		fault = Fault{}
	}
	switch {
	case miss != nil:
		refuse(w, http.StatusNotFound, string(events.ReasonNotRecorded), miss.Error())
	case one.Failure != nil:
		breakOff(w, true)
	default:
		s.play(w, r, acceptable(one, r), fault)
	}
}

// Unused returns the files of the recordings that were not served, in order.
func (s *Server) Unused() []string { return s.player().unused() }

func (s *Server) player() *player {
	s.once.Do(func() {
		recordings := s.Recordings
		if recordings == nil {
			recordings = new(Recordings)
		}
		s.started = &player{recordings: recordings, repeat: s.Repeat}
	})
	return s.started
}

// play writes a recorded answer, chunk by chunk as a playback gives it.
func (s *Server) play(w http.ResponseWriter, r *http.Request, one *recording, fault Fault) {
	played := newPlayback(r.Context(), one, s.Pace)
	if played.wait(0) != nil {
		breakOff(w, false)
	}
	for name, values := range one.Response.Header {
		w.Header()[name] = values
	}
	if location := w.Header().Get("Location"); location != "" {
		w.Header().Set("Location", locate(location, one, r))
	}
	status := one.Response.Status
	if fault.Status != 0 {
		status = fault.Status
	}
	w.WriteHeader(status)
	flush := http.NewResponseController(w)
	_ = flush.Flush()
	body := fault.body(r.Context(), played)
	buffer := make([]byte, 64<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, err := w.Write(buffer[:n]); err != nil {
				return // the client has left
			}
			_ = flush.Flush()
		}
		switch {
		case err == io.EOF:
			return
		case err != nil:
			breakOff(w, errors.Is(err, syscall.ECONNRESET))
		}
	}
}

// breakOff breaks the connection, or the stream of HTTP/2, and does not return.
func breakOff(w http.ResponseWriter, reset bool) {
	if reset {
		resetConnection(w)
	}
	// net/http closes what a handler leaves so, without a word.
	panic(http.ErrAbortHandler)
}

// resetConnection makes the other side see a reset instead of an end, where there
// is a connection of its own for the answer.
func resetConnection(w http.ResponseWriter) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	inner := conn
	if secure, ok := conn.(interface{ NetConn() net.Conn }); ok {
		inner = secure.NetConn()
	}
	if tcp, ok := inner.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = inner.Close()
}

// refuse answers with an error of the server's own.
func refuse(w http.ResponseWriter, status int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	var answer struct {
		Error struct {
			Message string `json:"message"`
			Type    string `json:"type"`
		} `json:"error"`
	}
	answer.Error.Message, answer.Error.Type = message, kind
	_ = json.NewEncoder(w).Encode(answer)
}
