package sse_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/stream"
	"github.com/weirsdk/weir/stream/sse"
)

// A handler that streams a reply to the page and keeps the fold.
func Example() {
	chat := func(w http.ResponseWriter, r *http.Request) {
		// In a program: model.Stream(r.Context(), request).
		s := play(
			events.NewStarted(events.Start{Model: "demo"}),
			events.NewTextDelta(0, "Good "),
			events.NewTextDelta(0, "day."),
			events.NewCompleted(events.Completion{Stop: events.StopEnd}),
		)
		var reply stream.Reply
		err := sse.Serve(w, r, stream.Tap(s, reply.Add), sse.Options{})
		fmt.Println("server:", reply.Text(), reply.Outcome(), err)
	}
	server := httptest.NewServer(http.HandlerFunc(chat))
	defer server.Close()

	resp, err := server.Client().Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	for ev := range sse.Read(resp.Body) {
		fmt.Printf("client: %v %q\n", ev.Kind, ev.Text)
	}
	server.Close()
	// Unordered output:
	// client: started ""
	// client: text_delta "Good "
	// client: text_delta "day."
	// client: completed ""
	// server: Good day. final <nil>
}
