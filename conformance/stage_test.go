package conformance

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// plain is an answer of a stage with this body.
func plain(text string) act {
	return response{status: 200, header: http.Header{"A": {"b"}}, body: []byte(text)}.whole()
}

// sendTo sends a request to a stage, and returns what the hooks saw.
func sendTo(ctx context.Context, st *stage, traced bool) (resp *http.Response, hooks []string, err error) {
	saw := func(name string) { hooks = append(hooks, name) }
	if traced {
		ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
			GetConn:      func(string) { saw("get") },
			ConnectStart: func(string, string) { saw("dial") },
			ConnectDone: func(_, _ string, err error) {
				if err != nil {
					saw("refused")
					return
				}
				saw("dialled")
			},
			GotConn:              func(httptrace.GotConnInfo) { saw("got") },
			WroteHeaders:         func() { saw("headers") },
			WroteRequest:         func(httptrace.WroteRequestInfo) { saw("wrote") },
			GotFirstResponseByte: func() { saw("byte") },
		})
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://stage.example/v1?k=v", strings.NewReader("hello"))
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Key", "k")
	resp, err = st.RoundTrip(req)
	return resp, hooks, err
}

// TestStageHooks: what httptrace sees is what would have been seen of a request
// that got that far.
func TestStageHooks(t *testing.T) {
	t.Parallel()
	broke := errors.New("broke")
	for _, row := range []struct {
		why   string
		reach reach
		err   error
		want  string
	}{
		{"an answer", reachHead, nil, "get dial dialled got headers wrote byte"},
		{"a transport without hooks", reachNone, broke, ""},
		{"no connection", reachDial, broke, "get dial refused"},
		{"a connection that breaks", reachConn, broke, "get dial dialled got"},
		{"no answer", reachWritten, broke, "get dial dialled got headers wrote"},
	} {
		for _, traced := range []bool{true, false} {
			st := new(stage)
			a := plain("x")
			a.reach, a.err = row.reach, row.err
			st.open(a)
			resp, hooks, err := sendTo(t.Context(), st, traced)
			assert.Equal(t, row.err, err, row.why)
			if traced {
				assert.Equal(t, row.want, strings.Join(hooks, " "), row.why)
			}
			if resp != nil {
				require.NoError(t, resp.Body.Close())
			}
			require.Len(t, st.requests(), 1, row.why)
			got := st.requests()[0]
			assert.Equal(t, sent{"https://stage.example/v1?k=v", http.Header{"Key": {"k"}}, []byte("hello")}, got)
		}
	}
}

// TestStageActs: the nth request gets the nth act, each further one the last; what
// is opened anew has forgotten what was.
func TestStageActs(t *testing.T) {
	t.Parallel()
	st := new(stage)
	st.open(plain("one"), plain("two"))
	for _, want := range []string{"one", "two", "two"} {
		resp, _, err := sendTo(t.Context(), st, false)
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Equal(t, want, string(text))
		assert.Equal(t, 200, resp.StatusCode)
		assert.Equal(t, int64(len(want)), st.taken())
		resp.Header.Set("A", "changed")
		require.NoError(t, resp.Body.Close())
	}
	assert.Equal(t, []int{1, 1, 1}, st.closes())
	resp, _, err := sendTo(t.Context(), st, false)
	require.NoError(t, err)
	assert.Equal(t, "b", resp.Header.Get("A"), "each answer has a head of its own")
	assert.Equal(t, []int{1, 1, 1, 0}, st.closes())
	require.NoError(t, resp.Body.Close())
	require.NoError(t, resp.Body.Close())
	assert.Equal(t, []int{1, 1, 1, 2}, st.closes(), "every Close counts")
	_, err = resp.Body.Read(make([]byte, 1))
	assert.ErrorIs(t, err, http.ErrBodyReadAfterClose)
	st.open(plain("three"))
	assert.Empty(t, st.closes())
	assert.Empty(t, st.requests())
	assert.Zero(t, st.taken())
}

// TestStageContext: a request whose context has ended gets no answer, and one that
// waits for the head waits until then.
func TestStageContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	st := new(stage)
	st.open(plain("x"))
	_, hooks, err := sendTo(ctx, st, true)
	assert.ErrorIs(t, err, context.Canceled)
	assert.Empty(t, hooks)
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		a := plain("x")
		a.reach = reachWritten
		st.open(a)
		begin := time.Now()
		_, _, err := sendTo(ctx, st, true)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Equal(t, time.Hour, time.Since(begin))
	})
}

// TestBody: how a body is handed over.
func TestBody(t *testing.T) {
	t.Parallel()
	broke := errors.New("broke")
	for _, row := range []struct {
		why    string
		change func(*act)
		pieces []string
		end    error
	}{
		{"whole", func(*act) {}, []string{"abcdef"}, io.EOF},
		{"in reads of one size", func(a *act) { a.reads = func(int) int { return 4 } }, []string{"abcd", "ef"}, io.EOF},
		{"the nth read has its own", func(a *act) { a.reads = func(n int) int { return n + 1 } }, []string{"a", "bc", "def"}, io.EOF},
		{"no read is empty", func(a *act) { a.reads = func(int) int { return 0 } }, []string{"a", "b", "c", "d", "e", "f"}, io.EOF},
		{"it breaks", func(a *act) { a.end = broke }, []string{"abcdef"}, broke},
		{"the end with the last bytes", func(a *act) { a.joined = true }, []string{"abcdef"}, io.EOF},
		{"a break with the last bytes", func(a *act) { a.joined, a.end = true, broke }, []string{"abcdef"}, broke},
		{"joined, in pieces", func(a *act) { a.joined, a.reads = true, func(int) int { return 3 } }, []string{"abc", "def"}, io.EOF},
		{"nothing", func(a *act) { a.body = nil }, nil, io.EOF},
	} {
		a := plain("abcdef")
		row.change(&a)
		st := new(stage)
		st.open(a)
		resp, _, err := sendTo(t.Context(), st, false)
		require.NoError(t, err)
		var pieces []string
		for err == nil {
			var n int
			p := make([]byte, 100)
			n, err = resp.Body.Read(p)
			if n > 0 {
				pieces = append(pieces, string(p[:n]))
				assert.Equal(t, a.joined && strings.HasSuffix(string(p[:n]), "f"), err != nil, row.why)
			}
		}
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, row.pieces, pieces, row.why)
		assert.Equal(t, row.end, err, row.why)
	}
}

// TestBodyIsAReader holds it to what every reader keeps.
func TestBodyIsAReader(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("0123456789", 100)
	for _, joined := range []bool{false, true} {
		a := plain(text)
		a.joined = joined
		st := new(stage)
		st.open(a)
		resp, _, err := sendTo(t.Context(), st, false)
		require.NoError(t, err)
		require.NoError(t, iotest.TestReader(resp.Body, []byte(text)))
		require.NoError(t, resp.Body.Close())
	}
}

// TestBodyStalls: a body hangs until it is closed, its request's context ends, or,
// so that no test hangs, for ever is over.
func TestBodyStalls(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		end  func(cancel context.CancelFunc, body io.Closer)
		want error
		due  time.Duration
	}{
		{"closed", func(_ context.CancelFunc, body io.Closer) { _ = body.Close() }, http.ErrBodyReadAfterClose, time.Minute},
		{"cancelled", func(cancel context.CancelFunc, _ io.Closer) { cancel() }, context.Canceled, time.Minute},
		{"nobody does anything", func(context.CancelFunc, io.Closer) {}, io.ErrUnexpectedEOF, forever},
	} {
		for at := range 4 {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				a := plain("abc")
				a.stall = at
				st := new(stage)
				st.open(a)
				resp, _, err := sendTo(ctx, st, false)
				require.NoError(t, err)
				time.AfterFunc(time.Minute, func() { row.end(cancel, resp.Body) })
				begin := time.Now()
				text, err := io.ReadAll(resp.Body)
				assert.Equal(t, "abc"[:at], string(text), row.why)
				assert.Equal(t, row.want, err, row.why)
				assert.Equal(t, row.due, time.Since(begin), row.why)
				assert.LessOrEqual(t, st.taken(), int64(at))
				_ = resp.Body.Close()
			})
		}
	}
}
