package main

// servePage is the page of serve.
func servePage() string {
	return `weir serve --dir D [flags]

is a mock provider: it serves the recordings of a folder over HTTP, to programs
in any language, until Ctrl-C or SIGTERM. A program needs its base URL only, and
no key. The first line on the standard output begins with that URL and a space:

  http://127.0.0.1:41873 serves 3 recordings of testdata/wire

A request gets the recording of exactly that request; host, headers and what the
base URL has before the recorded path do not count. The nth identical request
gets the nth recording, and after the last one the first: a mock outlives one
run of the tests. What was not recorded is answered with 404, and the nearest
recording is named. After Ctrl-C the recordings that nobody asked for are on the
standard error, one a line.

  --dir D         the folder of the recordings
  --addr A        where to listen (` + loopback + `, a free port)
  --json          the first line as JSON: "url" and "recordings"
  --any           answer what was not recorded with the next recording of the
                  same method and path
  --repeat=false  do not begin anew after the last recording of a request
  --pace=false    do not wait as long as was recorded (weir record --timing)

What goes wrong, with each answer:

  --cut N         end the body cleanly after N bytes
  --reset         with --cut break the connection there, else at the end
  --stall N       send nothing more after N bytes
  --split N       send at most N bytes at a time
  --status N      answer with another status, from 200 to 999
  --times N       with these, the first N answers to a request only; with
                  --status 503 --times 1 a retry gets the recording

A request orders its own, in place of these, by a header of the same words:

  Weir-Fault: cut=512,reset,split=7

Exit status: 0 stopped, 2 wrong usage, 1 the output is gone.
`
}

// recordPage is the page of record.
func recordPage() string {
	return `weir record --dir D --upstream URL [flags]
weir record --dir D --api NAME --model M [flags] REQUEST.json

records live calls as files, a head in JSON and the body byte for byte, for weir
serve and for wire.Transport in tests. A request that is recorded again takes
the place of its earlier recordings; no answer, or 401, 402, 403 and 407 alone,
do not. Each file that is stored is on the standard error, one a line, and
behind it, when there was no whole answer, what came instead: none, one that
broke, or the part that the program read before it left.

Prompts and answers are stored. Credentials are not, where a name or place says
that they are: in headers, cookies, query and user info, and under names like
api_key, access_token and password in bodies; they are replaced wherever else
they stand. A KEY IN THE PATH OR IN THE WORDS OF A PROMPT LOOKS LIKE ANY WORD
AND IS STORED: name it with --secret. Read what you commit.

  --dir D         the folder; it is made if need be, for its owner only
  --keep NAME     a query parameter or header that holds no credential, to store
                  its value too; repeatable
  --secret NAME   a variable of the environment whose value is kept out of all
                  that is stored; repeatable
  --timing        store the delays too, so that they can be waited for

With --upstream it is a proxy, until Ctrl-C or SIGTERM. Give other programs its
URL as base URL, in place of the provider's; they send their own keys. The first
line on the standard output begins with the URL and a space:

  http://127.0.0.1:41873 records https://api.example.com in testdata/wire

Answers are handed on as they come. The proxy follows no redirect, and asks for
no encoding that the program did not ask for; br and zstd are not passed on,
because what they hold cannot be searched for credentials. An upstream that does
not answer is a 502 with {"error": {"message": ..., "type": "upstream_failed"}}.

  --upstream URL  the provider, like https://api.example.com
  --addr A        where to listen (` + loopback + `, a free port)
  --json          the first line as JSON: "url", "upstream" and "dir"

Without it, one call is made through the real adapter. Its events are printed as
weir inspect prints them. The key is in the environment, under the vendor's
usual name (OPENAI_API_KEY, ANTHROPIC_API_KEY, ...); an endpoint of this machine
needs none.

  --api NAME      the language of the provider
  --vendor NAME   whose dialect of OpenAI's APIs, whose address and whose key;
                  without it the one whose API it is. Another one has the other
                  APIs at a --base-url of its own, but vertex. Where the address
                  holds an account, that is in VENDOR_ACCOUNT
  --model M       the model's id, as the provider knows it
  --base-url URL  another address, without the path of the call
  --json          JSON lines, also on a terminal (--json=false: a table)

` + apisLine() + `
` + vendorsLines() + `

Exit status: 0 the reply is complete or the proxy was stopped, 3 the reply
failed, something could not be stored or earlier recordings were kept for want
of a useful answer, 2 wrong usage, 1 the output is gone.
`
}
