package main

import (
	"context"
	"strings"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/vertex"
)

// vertexExpress is where a call goes, unless told: an API key needs no project.
const vertexExpress = "https://aiplatform.googleapis.com/v1"

// onVertex reports whether a target is a model of Google's Vertex AI.
func (t *target) onVertex() bool {
	return t.vendor == vertex.Provider && (t.api == "anthropic-messages" || t.api == "gemini-generate")
}

// openVertex opens the adapter of Vertex AI in the language of the target. Where the
// base URL ends in /projects/P/locations/L the key is an access token, else one of
// express mode, which Claude is not in: without an address it is in no project.
func openVertex(t target) (providers.Model, error) {
	c := vertex.Config{Model: t.model, BaseURL: t.baseURL, HTTPClient: t.client}
	root, place, placed := strings.Cut(t.baseURL, "/projects/")
	if placed {
		c.BaseURL = root
		c.Project, c.Location, _ = strings.Cut(strings.TrimRight(place, "/"), "/locations/")
	}
	if t.api == "anthropic-messages" {
		c.API = vertex.Messages
		if !placed {
			c.Project, c.Location = "project", "global"
		}
	}
	if placed && t.key != "" {
		c.Token = func(context.Context) (providers.Secret, error) { return t.key, nil }
	} else {
		c.Key = t.key
	}
	return vertex.New(c)
}
