package replay

import (
	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
	"github.com/weirsdk/weir/request"
)

// KeyOf returns the key of a request to a model: the lowercase hexadecimal SHA-256
// of the canonical JSON of {"model": model, "request": request}. Canonical: keys
// sorted, no white space, number literals as they are written, strings escaped as
// encoding/json does (< > & too), of duplicate keys the last. Half of a surrogate pair
// counts as U+FFFD followed by its four digits in small letters (\uD800 as
// "\ufffdd800"). A field that is left out is another request than one that is null.
//
// The request is any JSON text; for that of weir see [KeyOfRequest]. What is no
// JSON is a failure of kind invalid_request, reason bad_parameter.
func KeyOf(model string, rawRequestJSON []byte) (string, error) {
	value, err := tape.Decode(rawRequestJSON)
	if err != nil {
		return "", noKey(err)
	}
	return keyOfValue(model, value)
}

// KeyOfRequest returns the key that recordings of a request have: [KeyOf] of
// request.Request.Canonical. Correlation, Foreign and Options are no part of it. An
// error is a failure of kind invalid_request.
func KeyOfRequest(model string, req request.Request) (string, error) {
	canonical, err := req.Canonical()
	if err != nil {
		return "", err
	}
	return KeyOf(model, canonical)
}

func keyOfValue(model string, value any) (string, error) {
	key, err := tape.Sum(map[string]any{"model": model, "request": value})
	if err != nil {
		return "", noKey(err)
	}
	return key, nil
}

func noKey(err error) error {
	f := events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, "the request is no JSON text: "+err.Error())
	f.Sent = events.NotSent
	return f.WithCause(err)
}
