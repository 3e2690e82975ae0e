package main

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/bedrock"
	"github.com/weirsdk/weir/providers/transport"
)

// bedrockRegion is where a call goes, unless told. A key is not bound to it.
const bedrockRegion = "us-east-1"

// eventStream is the Content-Type of AWS's event streams.
const eventStream = "application/vnd.amazon.eventstream"

// framed returns the body of an event stream that is written as server-sent events, as
// test data is (see conformance.Adapter). Any other body comes back as it is: what is
// framed begins with a length, of which no first byte is a letter.
func framed(body []byte) []byte {
	if !bytes.HasPrefix(body, []byte("event:")) {
		return body
	}
	frames := transport.NewFrameReader(bytes.NewReader(body), transport.SSE, len(body))
	var out []byte
	for f, err := frames.Next(); err == nil; f, err = frames.Next() {
		f.Exception = bytes.HasSuffix(f.Name, []byte("Exception"))
		out = transport.AppendMessage(out, f)
	}
	return out
}

// openBedrock opens the adapter of Amazon Bedrock in the language of the target,
// whoever the vendor is. Its key is a bearer token: the tool does not sign.
func openBedrock(t target) (providers.Model, error) {
	c := bedrock.Config{Model: t.model, Region: bedrockRegion, Key: t.key, BaseURL: t.baseURL, HTTPClient: t.client}
	if t.api == "bedrock-invoke" {
		c.API = bedrock.InvokeMessages
	}
	return bedrock.New(c)
}

// converseAnswer is a small good answer of ConverseStream.
func converseAnswer() string {
	return messages("messageStop", `{"stopReason":"end_turn"}`, "metadata", `{}`)
}

// invokeAnswer is that of Anthropic's language in the chunks of
// InvokeModelWithResponseStream.
func invokeAnswer() string {
	var pairs []string
	for _, line := range strings.Split(strings.TrimSpace(messagesAnswer), "\n\n") {
		frame := strings.TrimPrefix(line, "data: ")
		pairs = append(pairs, "chunk", `{"bytes":"`+base64.StdEncoding.EncodeToString([]byte(frame))+`"}`)
	}
	return messages(pairs...)
}

// messages returns names and payloads as the messages of an event stream.
func messages(pairs ...string) string {
	var body []byte
	for i := 0; i+1 < len(pairs); i += 2 {
		body = transport.AppendMessage(body, transport.Frame{Name: []byte(pairs[i]), Data: []byte(pairs[i+1])})
	}
	return string(body)
}
