package main

import (
	"encoding/json"
	"io"

	"github.com/weirsdk/weir/request"
)

// readTools reads declared tools: a JSON array of tools as a request has them,
// with name, description and schema.
func readTools(file string, stdin io.Reader) ([]request.Tool, error) {
	data, err := readInput(file, stdin)
	if err != nil {
		return nil, err
	}
	var tools []request.Tool
	if err := json.Unmarshal(data, &tools); err != nil {
		return nil, wrongUsage("--tools %s: %s", file, err)
	}
	return tools, nil
}
