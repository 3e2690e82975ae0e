// Package sse carries a stream of events to a browser as server-sent events, and
// reads it back.
//
//	func chat(w http.ResponseWriter, r *http.Request) {
//		err := sse.Serve(w, r, model.Stream(r.Context(), requestOf(r)), sse.Options{})
//		if err != nil && !errors.Is(err, &events.Failure{Kind: events.Cancelled}) {
//			log.Print(err) // neither a closed tab nor an EventSource that came again
//		}
//	}
//
// Each event is one message, flushed at once:
//
//	event: text_delta
//	id: 2
//	data: {"kind":"text_delta","index":0,"text":"Good day"}
//
// A page reads it with an EventSource, which can only GET, and which connects
// again by itself when the connection ends. So close it at the terminal; [Serve]
// answers an attempt to connect again with 204 and calls no model:
//
//	const source = new EventSource("/chat?q=" + encodeURIComponent(question));
//	source.addEventListener("text_delta", (e) => out.append(JSON.parse(e.data).text));
//	source.addEventListener("completed", () => source.close());
//	source.addEventListener("failed", (e) => { source.close(); show(JSON.parse(e.data).failure); });
//
// or with fetch, which can POST and be stopped by an AbortController. A body that
// ends before completed or failed was cut:
//
//	const answer = await fetch("/chat", {method: "POST", body, signal: stop.signal});
//	let rest = "";
//	for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
//		const messages = (rest + text).split("\n\n");
//		rest = messages.pop();
//		for (const message of messages) {
//			const data = message.split("\n").find((line) => line.startsWith("data: "));
//			if (data) handle(JSON.parse(data.slice(6))); // no data: a heartbeat
//		}
//	}
//
// Guarantees:
//
//   - What the provider needs to get its turn back, raw usage, cost and the
//     details of failures stay on the server unless [Options.View] says otherwise
//     (see [Public]).
//   - While the provider is silent a comment goes out every 15 seconds, so that
//     proxies keep the connection.
//   - A client that leaves or does not read ends the stream; the provider's body
//     is closed and nothing is left behind.
//   - [Read] never takes a cut body for a whole reply.
//
// The package keeps no replies and resumes none, retries nothing and logs
// nothing. An application that keeps the events it sent (those that its view lets
// through, in order) can serve a resumption itself:
//
//	if seen, err := strconv.Atoi(r.Header.Get("Last-Event-ID")); err == nil {
//		r.Header.Del("Last-Event-ID")
//		return sse.Serve(w, r, kept.After(seen), sse.Options{AfterID: seen})
//	}
//
// To write less often than the provider sends, wrap the stream with
// stream.Coalesce; to keep the reply, with stream.Tap. Behind the handler there
// must be no compression: it holds events back.
//
// The format is the WHATWG HTML standard, section 9.2, read 2026-11-30. Writing
// and parsing is done by github.com/tmaxmax/go-sse.
package sse
