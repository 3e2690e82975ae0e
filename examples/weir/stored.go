package main

import (
	"encoding/json"
	"os"
)

// instead returns what a recording holds instead of a whole answer, in brackets, and ""
// of one that has its answer.
func instead(file string) string {
	var head struct {
		Failure  *struct{ Text string } `json:"failure"`
		Response struct {
			Broken *struct{ Text string } `json:"broken"`
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
	default:
		return ""
	}
}
