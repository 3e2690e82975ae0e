// Package wire records HTTP exchanges with providers as they are on the wire,
// and plays them back: to adapters in tests, and over a socket to programs in any
// language. It does not know what the bytes mean: recordings of requests, events
// and replies are the business of package replay.
//
//	var record = flag.Bool("record", false, "call the provider and record its answers")
//
//	func TestWeather(t *testing.T) {
//		rt := &wire.Transport{Mode: wire.Replay, Dir: "testdata/weather"}
//		if *record {
//			rt.Mode = wire.Record
//		}
//		model, err := openai.New(openai.Config{Model: "gpt-5", Key: key, HTTPClient: &http.Client{Transport: rt}})
//		...
//		assert.Empty(t, rt.Unused()) // what was recorded and is asked for no more
//		assert.NoError(t, rt.Err())  // the first miss, or what could not be recorded
//	}
//
// Without -record it needs no key and no network. Where several packages are tested at
// once it is better a variable of the environment, see package replay.
//
// [Transport] records and replays, [Server] serves recordings as a mock provider,
// [Fault] says what goes wrong with a body, [Faulty] makes it go wrong under any
// round tripper.
//
// # Identity
//
// A request is known by its key, the SHA-256 of the canonical JSON of its method,
// path, query and body. A JSON body counts as a value, so the order of its keys and
// white space are nothing, and the literal of a number is everything; any other body
// counts byte by byte. Of the query all parameters count but those whose names say that
// they are credentials. Host and headers do not count: a recording made against a server
// on loopback is found for the real address, and with any credential or none. The nth
// identical request gets the nth recording.
//
// # Files
//
// A recording is two files that people can read:
//
//	chat-completions-0123456789ab.json                the exchange: request, head of the answer, how it ended
//	chat-completions-0123456789ab.body-89abcdef.sse   the body of the answer, byte for byte as it was read
//
// The name has the last words of the path and the first twelve digits of the key;
// the second identical request has ".2" behind them. The digits after "body-" are of
// the SHA-256 of the body, so that a new body never takes the place of an old one
// before its exchange does, and one that was edited is told from one that was recorded.
// Bodies must not be changed by version control: put "*.body-* -text" into
// .gitattributes. Neither time nor chance is in a file, but what the server sent (request
// ids), the ports in the text of a network error, how much was read of an answer that was
// left or that broke, and the sizes and delays of reads where [Transport.Timing] asks for
// them.
//
// # Credentials
//
// What of a request is stored, what becomes of the same text wherever else it stands in
// what is stored (URL, body, answer, errors), and whether it counts for the key:
//
//	what                                       stored            elsewhere      counts
//	headers that Transport lists, and of Keep  as it is          as it is       no
//	parameters that it lists, and of Keep      as it is          as it is       yes
//	headers of any client (User-Agent, ...)    no                as it is       no
//	credentials by name or place, and Secrets  "[redacted]"      "[redacted]"   no
//	other headers that look like a key         no                "[redacted]"   elsewhere
//	other query parameters                     name, and digest  as it is       yes
//	  that look like a key                     name, and digest  "[redacted]"   yes
//	members of a body named key, token ...     as it is          as it is       yes
//	  that look like a key                     "[redacted]"      "[redacted]"   yes
//	a key in the path, a key in a prompt       AS IT IS          AS IT IS       yes
//
// A CREDENTIAL IN THE PATH OR IN PROSE IS STORED: nothing tells it from a word
// (/bot<key>/send, and the name of the file has it too). Name it in [Transport.Secrets],
// and it is "[redacted]" there as well.
//
// By name or place a credential is what is sent in a header, a cookie, a query parameter or
// the field of a form whose name says so (api_key, access_token, client_secret, password,
// pass, pwd and the like), behind a scheme (Bearer), or as user info, that of the proxy of an
// http.Transport included (its Proxy is asked once more for that). It has at least 4 bytes.
// So is, when it has at least 8 bytes, what a body holds under such a name or as a header:
// in JSON, also one value a line, in events, in strings of JSON and in parts. Everything
// below such a name is one.
//
// What looks like a key has at least 16 bytes, or 12 with letters and digits in them, and
// is no row of words and numbers, as the names of models are.
//
// Texts are found plain, in base64, with any character escaped for JSON or URLs, compressed
// with gzip or deflate, and split over several reads. A request or an answer that is encoded
// so that it cannot be searched is not stored; what is inside of a file (zip, PDF, a
// picture) is not searched.
//
// Prompts and answers are stored: the files are private (0600), and so is the folder
// (0700) if the Transport makes it. One that is there keeps its mode.
package wire
