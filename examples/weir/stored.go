package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// instead returns what a recording holds instead of a whole answer, in brackets, and ""
// of one that has its answer.
func instead(file string) string {
	var head struct {
		Failure  *struct{ Text string } `json:"failure"`
		Response struct {
			Broken   *struct{ Text string } `json:"broken"`
			End      string                 `json:"end"`
			Reason   string                 `json:"reason"`
			BodyFile string                 `json:"body_file"`
		} `json:"response"`
	}
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, &head) != nil {
		return ""
	}
	switch {
	case head.Failure != nil:
		return " (no answer: " + head.Failure.Text + ")"
	case head.Response.Broken != nil:
		return " (an answer that broke: " + head.Response.Broken.Text + ")"
	case head.Response.End == "closed":
		return fmt.Sprintf(" (an answer that was left after %d bytes: %s)", sizeBeside(file, head.Response.BodyFile), head.Response.Reason)
	default:
		return ""
	}
}

// sizeBeside returns the size of a file beside another one, and 0 where it has no name:
// a body of no bytes has no file.
func sizeBeside(file, name string) int64 {
	if name == "" {
		return 0
	}
	info, err := os.Stat(filepath.Join(filepath.Dir(file), name))
	if err != nil {
		return 0
	}
	return info.Size()
}
