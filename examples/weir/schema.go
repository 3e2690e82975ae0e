package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request/schema"
)

// rewrite prints a schema in a provider's subset, and says what it loses.
func rewrite(_ context.Context, args []string, c console) error {
	text, profile, options, err := parseSchema(args, c)
	if err != nil {
		return err
	}
	got, err := schema.Rewrite(text, profile, options)
	if f, ok := events.AsFailure(err); ok {
		c.say(fmt.Sprintf("schema: refused: %s", f))
		return errFailed
	}
	for _, l := range got.Losses {
		c.say("schema: " + l.String())
	}
	_, err = fmt.Fprintln(c.out, got.Schema)
	return err
}

// parseSchema reads the flags and the schema.
func parseSchema(args []string, c console) (text string, p schema.Profile, o schema.Options, err error) {
	fs := newFlags("schema")
	name := fs.String("profile", "", "")
	fs.BoolVar(&o.Strict, "strict", false, "")
	file, err := parseFlags(fs, args)
	if err != nil {
		return "", "", o, err
	}
	if p, err = profileNamed(*name); err != nil {
		return "", "", o, err
	}
	data, err := readInput(file, c.in)
	if err != nil {
		return "", "", o, err
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil || members == nil {
		return "", "", o, wrongUsage("schema: %s: is not a JSON object", file)
	}
	return string(data), p, o, nil
}

func profileNamed(name string) (schema.Profile, error) {
	for _, p := range schema.Profiles() {
		if string(p) == name {
			return p, nil
		}
	}
	names := strings.Join(profileNames(), ", ")
	if name == "" {
		return "", wrongUsage("schema: --profile is missing; there are: %s", names)
	}
	return "", wrongUsage("schema: --profile %q is unknown; there are: %s", name, names)
}

func profileNames() []string {
	var names []string
	for _, p := range schema.Profiles() {
		names = append(names, string(p))
	}
	return names
}
