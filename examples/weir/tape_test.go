package main

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// reads returns the pieces in which a body comes, and how it ends.
func reads(t *testing.T, tp tape) ([]string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := tp.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }() // it drains the body, whose end may be a fault
	var pieces []string
	buf := make([]byte, 64)
	for {
		n, err := resp.Body.Read(buf)
		if n > 0 {
			pieces = append(pieces, string(buf[:n]))
		}
		if err != nil {
			return pieces, err
		}
	}
}

func TestTapePlays(t *testing.T) {
	t.Parallel()
	raw := "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n"
	rows := []struct {
		why    string
		tape   tape
		pieces []string
		end    error
	}{
		{"whole", tape{body: []byte("abcde"), cut: -1}, []string{"abcde"}, io.EOF},
		{"empty", tape{cut: -1}, nil, io.EOF},
		{"two bytes a read", tape{body: []byte("abcde"), cut: -1, split: 2}, []string{"ab", "cd", "e"}, io.EOF},
		{"cut inside", tape{body: []byte("abcde"), cut: 3, split: 2}, []string{"ab", "c"}, io.EOF},
		{"cut before the first byte", tape{body: []byte("abcde"), cut: 0}, nil, io.EOF},
		{"cut beyond the end", tape{body: []byte("abcde"), cut: 9}, []string{"abcde"}, io.EOF},
		{"reset at the end", tape{body: []byte("abcde"), cut: -1, reset: true}, []string{"abcde"}, syscall.ECONNRESET},
		{"reset at the cut", tape{body: []byte("abcde"), cut: 2, reset: true}, []string{"ab"}, syscall.ECONNRESET},
		{"chunks that end", tape{body: []byte(raw + "0\r\n\r\n"), raw: true, cut: -1, split: 4}, []string{"abc", "de"}, io.EOF},
		{"chunks that do not end", tape{body: []byte(raw), raw: true, cut: -1, split: 4}, []string{"abc", "de"}, io.ErrUnexpectedEOF},
		{"a cut counts body bytes, not chunk heads", tape{body: []byte(raw), raw: true, cut: 4}, []string{"abcd"}, io.EOF},
		{"chunks that are reset", tape{body: []byte(raw), raw: true, cut: -1, reset: true, split: 4}, []string{"abc", "de"}, syscall.ECONNRESET},
	}
	for _, row := range rows {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			pieces, end := reads(t, row.tape)
			if strings.Join(pieces, "") != strings.Join(row.pieces, "") {
				t.Errorf("read %q, want %q", pieces, row.pieces)
			}
			if !row.tape.raw && !slices.Equal(pieces, row.pieces) {
				t.Errorf("pieces %q, want %q", pieces, row.pieces)
			}
			for _, p := range pieces {
				if row.tape.split > 0 && len(p) > row.tape.split {
					t.Errorf("piece %q is longer than %d bytes", p, row.tape.split)
				}
			}
			if !errors.Is(end, row.end) {
				t.Errorf("ended with %v, want %v", end, row.end)
			}
		})
	}
}

func TestTapeAnswersAsRecorded(t *testing.T) {
	t.Parallel()
	header := http.Header{"Retry-After": {"3"}}
	resp, err := tape{status: http.StatusTooManyRequests, header: header, cut: -1}.RoundTrip(&http.Request{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") != "3" {
		t.Errorf("answered %d %v", resp.StatusCode, resp.Header)
	}
	resp.Header.Set("Retry-After", "4")
	if header.Get("Retry-After") != "3" {
		t.Error("the recording's header is shared with the response")
	}
}
