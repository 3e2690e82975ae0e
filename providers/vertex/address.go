package vertex

import (
	"net/url"
	"slices"
	"strings"

	"github.com/weirsdk/weir/providers/transport"
)

// check fills in the default address and reports what is wrong.
func check(c *Config) error {
	if what := c.takePlace(); what != "" {
		return transport.BadConfig(Provider, what)
	}
	if what := c.problem(); what != "" {
		return transport.BadConfig(Provider, what)
	}
	if c.BaseURL == "" {
		c.BaseURL = "https://" + host(c.Location) + "/v1"
	}
	if err := transport.CheckKey(Provider, c.Key); err != nil {
		return err
	}
	return transport.CheckEndpoint(Provider, c.BaseURL, c.Key != "" || c.Token != nil)
}

// takePlace takes over the project and the location of a model that is the whole name of
// a resource, as a console shows it, and returns what is wrong with it, or nothing.
func (c *Config) takePlace() (problem string) {
	rest, whole := strings.CutPrefix(c.Model, "projects/")
	if !whole {
		return ""
	}
	steps := strings.SplitN(rest, "/", 4)
	if len(steps) < 4 || steps[1] != "locations" {
		return "the model is the name of no resource"
	}
	if c.Project != "" && c.Project != steps[0] || c.Location != "" && c.Location != steps[2] {
		return "the model is of another project or location: leave those out, or all in it up to its location"
	}
	c.Project, c.Location, c.Model = steps[0], steps[2], steps[3]
	return ""
}

// problem returns what is wrong with the Config apart from its address, or nothing.
func (c *Config) problem() string {
	steps := strings.Split(c.Model, "/")
	switch {
	case c.Model == "":
		return "no model"
	case c.Project != "" && isStep(c.Project) || slices.ContainsFunc(steps, isStep):
		return "the project or the model has a step of a path for a name"
	case c.API > Messages:
		return "an API that is not known"
	case c.API != Messages && len(c.Beta) > 0:
		return "beta features are of Messages only"
	case c.Key != "" && !c.express():
		return "a key is of express mode, which has no project, no location, no tokens and no Messages"
	case c.express():
		return ""
	case c.Project == "":
		return "no project"
	case c.Location == "" || strings.Trim(c.Location, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return "no location, or one that is none"
	default:
		return ""
	}
}

// isStep reports whether a segment of a path is no name.
func isStep(segment string) bool { return segment == "" || segment == "." || segment == ".." }

// express reports whether the model is called in express mode, without a key too, as
// replaying what was recorded there is.
func (c *Config) express() bool {
	return c.Project == "" && c.Location == "" && c.Token == nil && c.API == GenerateContent
}

// host returns who answers for a location; for none, that is express mode, who
// answers for all (docs.cloud.google.com/gemini-enterprise-agent-platform/resources/locations
// and
// cloud.google.com/vertex-ai/generative-ai/docs/start/express-mode/vertex-ai-express-mode-api-reference,
// stored copies read 2026-12-01; that us and eu are the multi-regions: go-genai, client.go at
// 01d25b9, read the same day).
func host(location string) string {
	switch location {
	case "", "global":
		return "aiplatform.googleapis.com"
	case "us", "eu":
		return "aiplatform." + location + ".rep.googleapis.com"
	default:
		return location + "-aiplatform.googleapis.com"
	}
}

// url returns the address of the model's method.
func (c *Config) url() string {
	if c.API == Messages {
		return c.method(c.Model, ":streamRawPredict")
	}
	return c.method(c.Model, ":streamGenerateContent?alt=sse")
}

// countURL returns the address that counts tokens: that of the model, or of all of
// Anthropic's models, which the body tells apart
// (docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/count-tokens,
// a stored copy read 2026-12-01).
func (c *Config) countURL() string {
	if c.API == Messages {
		return c.method("count-tokens", ":rawPredict")
	}
	return c.method(c.Model, ":countTokens")
}

// listURL returns the address of the list of the publisher's models. Only a beta has it
// (aiplatform v1beta1, publishers.models.list, github.com/googleapis/google-api-python-client,
// docs/dyn at 0bd6ab2, read 2026-12-01).
func (c *Config) listURL() string {
	root := strings.TrimRight(c.BaseURL, "/")
	if v1, ok := strings.CutSuffix(root, "/v1"); ok {
		root = v1 + "/v1beta1"
	}
	return root + "/publishers/" + c.publisher() + "/models?pageSize=100"
}

func (c *Config) publisher() string {
	if c.API == Messages {
		return "anthropic"
	}
	return "google"
}

// method returns the address of a method of a model.
func (c *Config) method(model, method string) string {
	root := strings.TrimRight(c.BaseURL, "/")
	if !c.express() {
		root += "/projects/" + url.PathEscape(c.Project) + "/locations/" + c.Location
	}
	if owner, id, named := strings.Cut(model, "/"); !named {
		model = "publishers/" + c.publisher() + "/models/" + model
	} else if !isCollection(owner) {
		model = "publishers/" + owner + "/models/" + id
	}
	steps := strings.Split(model, "/")
	for i, s := range steps {
		steps[i] = url.PathEscape(s)
	}
	return root + "/" + strings.Join(steps, "/") + method
}
