package main

import (
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers/azure"
	"github.com/weirsdk/weir/providers/compatible"
	"github.com/weirsdk/weir/providers/openai"
	"github.com/weirsdk/weir/providers/openrouter"
)

// sampleTools, sampleRequest and sampleAnswer are the smallest files of their kinds.
const (
	sampleTools = `[{"name": "get_weather", "description": "Weather of a city.",
    "schema": {"type": "object", "properties": {"city": {"type": "string"}}}}]`
	sampleRequest = `{
    "system": "Answer in one sentence.",
    "messages": [{"role": "user", "content": "Weather in Oslo?"}],
    "max_output_tokens": 200
  }`
	sampleAnswer = `"answer": {"name": "place", "schema": {"type": "object",
    "properties": {"city": {"type": "string"}}, "required": ["city"]}}`
)

// docs is where the JSON of requests and tools is described.
const docs = "go doc github.com/weirsdk/weir/request"

// overview is the page of the tool.
func overview() string {
	var list strings.Builder
	for _, cmd := range commands() {
		list.WriteString("  weir " + cmd.name + " " + cmd.takes + "\n      " + cmd.does + "\n")
	}
	return `weir looks at recorded streams, at requests and at ledgers, and records and
serves streams.

` + list.String() + `
weir help COMMAND says more. FILE may be - for the standard input.
` + apisLine() + `
Exit status: 0 complete, 3 failed, 2 wrong usage, 1 the output is gone.
`
}

func inspectPage() string {
	return `weir inspect --api NAME [flags] FILE

plays a recorded response body through the real adapter and prints its events,
and last the reply that they fold into: a table on a terminal, JSON lines
elsewhere. FILE may be - for the standard input. A binary event stream of the
bedrock APIs may also be written as server-sent events, the type of each message
as the event's name, as the test data of weir is.

  --api NAME              the language of the provider
  --vendor NAME           whose dialect of OpenAI's APIs; without it, and for a
                          name without a row, the tolerant default. The other
                          APIs have one dialect, but vertex of
                          anthropic-messages and gemini-generate
  --status N              the response's status (200)
  --header 'Name: value'  a header of the response, repeatable; Content-Type is
                          the usual one of the API unless given
  --http                  FILE is a raw HTTP/1.1 response, head included
  --split N               feed N bytes a read
  --cut N                 end the body after N bytes
  --reset                 end it with a connection reset, not an end of file
  --tools FILE            the declared tools; calls are held to their schemas
  --json                  JSON lines, also on a terminal (--json=false: a table)

` + apisLine() + `
` + vendorsLines() + `

A tools file is a JSON array:

  ` + sampleTools + `

` + docs + ` describes it in full.
Exit status: 0 the reply is complete, 3 it failed, 2 wrong usage, 1 the output
is gone.
`
}

func encodePage() string {
	return `weir encode --api NAME --model M [--vendor NAME] REQUEST.json

prints the exact body that would be sent for a request, and on the standard
error what the model does not take and is left out. Nothing is sent.
REQUEST.json may be - for the standard input.

  --api NAME     the language of the provider
  --model M      the model's id, as the provider knows it
  --vendor NAME  whose dialect of OpenAI's APIs; without it OpenAI's, and for a
                 name without a row the tolerant default. The other APIs have
                 one dialect, but vertex of anthropic-messages and
                 gemini-generate

` + apisLine() + `
` + vendorsLines() + `

A small request, in weir's JSON, which is the same for every API:

  ` + sampleRequest + `

and its members "tools" and "answer", when it has some:

  ` + sampleTools + `

  ` + sampleAnswer + `

` + docs + ` describes it in full.
Exit status: 0 printed, 3 the request was refused, 2 wrong usage, 1 the output
is gone.
`
}

func schemaPage() string {
	return `weir schema --profile P [--strict] SCHEMA.json

prints a JSON Schema as it is sent to a provider that takes only a subset of
the language, and on the standard error, one a line, what it no longer says:
where, which keyword, and what that means for answers (widened: some answers
that do not fit get through; narrowed: some that fit cannot be given; nullable:
null stands for what may be left out). SCHEMA.json may be - for the standard
input.

  --profile P  the subset, one of
               ` + strings.Join(profileNames(), ", ") + `
  --strict     refuse a schema that would be widened or narrowed

A request asks for an answer that fits a schema by its member "answer":

  ` + sampleAnswer + `

go doc github.com/weirsdk/weir/request/schema describes the subsets.
Exit status: 0 printed, 3 the schema cannot be expressed, 2 wrong usage, 1 the
output is gone.
`
}

func apisLine() string { return listed("APIs: ", apiNames(), 4) }

// vendors returns the vendors of OpenAI's APIs that have a row or an adapter of their
// own.
func vendors() []string {
	names := append(compatible.Presets(), azure.Provider, openai.Provider, openrouter.Provider)
	slices.Sort(names)
	return names
}

func vendorsLines() string { return listed("Vendors: ", vendors(), 6) }

// listed returns names, some in each line.
func listed(title string, names []string, perLine int) string {
	var lines []string
	for some := range slices.Chunk(names, perLine) {
		lines = append(lines, strings.Join(some, ", "))
	}
	return title + strings.Join(lines, ",\n  ")
}
