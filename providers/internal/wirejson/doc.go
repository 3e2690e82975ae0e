// Package wirejson reads the JSON of wire frames for the wire families: one
// parser a stream, texts copied out into an arena, counts read from the number's
// own text; builds request bodies around raw JSON; and words what all families
// say alike. It knows no provider's fields.
package wirejson
