// Package wire records HTTP exchanges with providers as they are on the wire,
// and plays them back: to adapters in tests, and over a socket to programs in any
// language. It does not know what the bytes mean: recordings of requests, events
// and replies are the business of package replay.
//
//	rt := &wire.Transport{Mode: wire.Record, Dir: "testdata/wire"} // wire.Replay later
//	model, err := openai.New(openai.Config{Model: "gpt-5", Key: key, HTTPClient: &http.Client{Transport: rt}})
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
//	chat-completions-0123456789ab.json                the exchange: request, head of the answer, sizes of reads, how it ended
//	chat-completions-0123456789ab.body-89abcdef.sse   the body of the answer, byte for byte as it was read
//
// The name has the last words of the path and the first twelve digits of the key;
// the second identical request has ".2" behind them. The digits after "body-" are of
// the SHA-256 of the body, so that a new body never takes the place of an old one
// before its exchange does, and one that was edited is told from one that was recorded.
// Bodies must not be changed by version control: put "*.body-* -text" into
// .gitattributes. Neither time nor chance is in a file, but
// what the server sent (request ids), the ports in the text of a network error, and
// delays where they were asked for.
//
// # Credentials
//
// Stored are the headers and query parameters that [Transport] lists, and those of
// [Transport.Keep]. Of the other query parameters the names are stored, and one digest
// of the values of those that count. A secret is what is sent in a header, a cookie or a
// query parameter whose name says that it is a credential, or as user info, when it
// has at least 4 bytes; what any other header or parameter holds that is not stored, when
// it looks like a key (at least 16 bytes, or 8 with letters and digits in them); what
// [Transport.Secrets] names; and what a JSON body holds under the name of a credential
// (access_token, client_secret, authorization and the like). Each is replaced by
// "[redacted]" wherever it stands in what is stored: plain, escaped for JSON or URLs,
// or in base64, and when it is split over several reads. Headers that every client
// sends and that hold no credential (User-Agent, Accept-Encoding, X-Stainless-* and
// the like) are neither stored nor secret. A body that is encoded so that it cannot
// be searched is not stored. Prompts and answers are stored: the folder is private
// (0700), its files too (0600).
package wire
