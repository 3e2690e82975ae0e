package main

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/weirsdk/weir/request"
)

// readTools reads declared tools: a JSON array of tools as a request has them,
// with name, description and schema.
func readTools(file string, stdin io.Reader) ([]request.Tool, error) {
	data, err := readInput(file, stdin)
	if err != nil {
		return nil, err
	}
	where := "inspect: --tools " + file
	if !json.Valid(data) {
		return nil, wrongUsage("%s: is not JSON", where)
	}
	req, err := request.Parse(slices.Concat([]byte(`{"tools":`), data, []byte("}")))
	if err != nil {
		return nil, badJSON(where, err)
	}
	return req.Tools, nil
}
