package schema

import "slices"

// A Profile names a provider's subset of JSON Schema.
type Profile string

// The profiles. The pages that they name were read 2026-11-30 in stored copies,
// whose own dates are not known.
const (
	// OpenAIStrict is what OpenAI takes with "strict": true, for answers and for
	// tools (developers.openai.com/api/docs/guides/structured-outputs, "Supported
	// schemas"). That it refuses other keywords beside a $ref is not on the page
	// but reported.
	OpenAIStrict Profile = "openai-strict"
	// AnthropicStrict is what Anthropic takes in output_config.format and with
	// "strict": true on a tool
	// (platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON
	// Schema limitations"). The page takes simple regular expressions without
	// saying which are simple, so pattern counts as lost, as in the vendor's SDK.
	AnthropicStrict Profile = "anthropic-strict"
	// Gemini is what the Schema message of generateContent takes
	// (ai.google.dev/api/caching#Schema): responseSchema and a function's
	// parameters. What is written for it is JSON Schema too, so that
	// responseJsonSchema and parametersJsonSchema take it as well.
	Gemini Profile = "gemini"
	// GeminiJSON is what generateContent takes as JSON Schema: responseJsonSchema
	// (ai.google.dev/api/generate-content#GenerationConfig, read 2026-12-01: references,
	// additionalProperties, numbers in an enum, and no patterns or lengths of strings).
	// Of formats it takes those that ai.google.dev/gemini-api/docs/structured-output
	// names. A recursion stays; the page takes one only below what is not required.
	GeminiJSON Profile = "gemini-json"
	// Cohere is what Cohere takes in response_format, read 2026-12-01
	// (docs.cohere.com/v2/docs/structured-outputs, "Unsupported schema features", and
	// /v2/docs/parameter-types-in-json). It has no unions, and so no types beside
	// null; its objects hold what they declare, without a word for it, and require at
	// least one of it. The pages take a pattern without its anchors, and do not say
	// what it means then, so pattern counts as lost; of enum they show strings.
	Cohere Profile = "cohere"
)

// Profiles returns every profile.
func Profiles() []Profile {
	return []Profile{OpenAIStrict, AnthropicStrict, Gemini, GeminiJSON, Cohere}
}

// rules is what a profile asks for.
type rules struct {
	// keeps are the keywords that are taken as they are.
	keeps []string
	// formats are the values of format that are taken.
	formats []string
	// closed: every object holds the declared properties only, and says so by
	// additionalProperties false unless that goes unsaid.
	closed, unsaid bool
	// additional: an object may say what other properties it holds.
	additional bool
	// someRequired: an object requires one property at least.
	someRequired bool
	// noUnions: there is no anyOf.
	noUnions bool
	// bareArrays: an array need not say what its elements are.
	bareArrays bool
	// allRequired: every property is required.
	allRequired bool
	// refs: references to definitions stay; else they are written out.
	refs bool
	// recursion: a schema may refer to itself, by a reference that stays or by
	// one that is cut.
	recursion bool
	// typeLists: type may be a list.
	typeLists bool
	// enums are the types whose values may be listed.
	enums []string
	// constant: the keyword const exists; else it is an enum of one.
	constant bool
	// rootObject: the whole schema is an object and no union.
	rootObject bool
}

func rulesOf(p Profile) (rules, bool) {
	scalars := []string{"string", "number", "integer", "boolean", "null"}
	formats := []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
	switch p {
	case OpenAIStrict:
		return rules{
			keeps: []string{
				"title", "description", "pattern", "multipleOf", "minimum", "maximum",
				"exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems",
			},
			formats: formats, enums: scalars,
			closed: true, allRequired: true, refs: true, recursion: true,
			typeLists: true, constant: true, rootObject: true,
		}, true
	case AnthropicStrict:
		return rules{
			keeps:   []string{"title", "description", "default", "minItems"},
			formats: append(slices.Clone(formats), "uri"), enums: scalars,
			closed: true, typeLists: true, constant: true, rootObject: true,
		}, true
	case Gemini:
		return rules{
			keeps: []string{
				"description", "default", "propertyOrdering", "minItems", "maxItems", "minimum", "maximum",
				"minProperties", "maxProperties", "minLength", "maxLength", "pattern",
			},
			// The page takes any format, older versions refuse a string's others.
			formats: []string{"date-time", "enum", "float", "double", "int32", "int64"},
			enums:   []string{"string"}, recursion: true,
		}, true
	case GeminiJSON:
		return rules{
			keeps:   []string{"title", "description", "propertyOrdering", "minItems", "maxItems", "minimum", "maximum"},
			formats: []string{"date-time", "date", "time"}, enums: []string{"string", "number", "integer"},
			additional: true, refs: true, recursion: true,
		}, true
	case Cohere:
		return rules{
			keeps:   []string{"title", "description"},
			formats: []string{"date-time", "uuid", "date", "time"}, enums: []string{"string"},
			closed: true, unsaid: true, someRequired: true, noUnions: true, bareArrays: true,
			constant: true, rootObject: true,
		}, true
	default:
		return rules{}, false
	}
}

// keep reports whether a keyword stays as it is.
func (r rules) keep(key string, v *value) bool {
	if key == "minItems" && !slices.Contains(r.keeps, "maxItems") {
		return v.text == "0" || v.text == "1" // Anthropic takes no other
	}
	return slices.Contains(r.keeps, key)
}

// A keyword is what the walk knows of a JSON Schema keyword.
type keyword struct {
	// of is the type of value that it speaks about; empty for any.
	of string
	// is is the type of its own value; empty for several.
	is string
	// position says where schemas stand in its value.
	position position
}

type position uint8

const (
	noSchema  position = iota
	oneSchema          // the value is a schema
	listed             // the value is a list of schemas
	named              // the value maps names to schemas
)

// keywords returns the keywords that constrain values or hold schemas (drafts 4
// to 2020-12). Every other one is an annotation.
func keywords() map[string]keyword {
	return map[string]keyword{
		"type": {}, "enum": {is: "array"}, "const": {}, "$ref": {is: "string"}, "$dynamicRef": {is: "string"}, "$recursiveRef": {is: "string"},
		"allOf": {is: "array", position: listed}, "anyOf": {is: "array", position: listed}, "oneOf": {is: "array", position: listed},
		"not": {position: oneSchema}, "if": {position: oneSchema}, "then": {position: oneSchema}, "else": {position: oneSchema},
		"properties":            {of: "object", is: "object", position: named},
		"patternProperties":     {of: "object", is: "object", position: named},
		"additionalProperties":  {of: "object", position: oneSchema},
		"unevaluatedProperties": {of: "object", position: oneSchema},
		"propertyNames":         {of: "object", position: oneSchema},
		"required":              {of: "object", is: "array"},
		"dependentRequired":     {of: "object", is: "object"},
		"dependentSchemas":      {of: "object", is: "object", position: named},
		"dependencies":          {of: "object", is: "object"},
		"minProperties":         {of: "object", is: "number"}, "maxProperties": {of: "object", is: "number"},
		"items": {of: "array", position: oneSchema}, "prefixItems": {of: "array", is: "array", position: listed},
		"additionalItems":  {of: "array", position: oneSchema},
		"unevaluatedItems": {of: "array", position: oneSchema},
		"contains":         {of: "array", position: oneSchema},
		"minContains":      {of: "array", is: "number"}, "maxContains": {of: "array", is: "number"},
		"minItems": {of: "array", is: "number"}, "maxItems": {of: "array", is: "number"}, "uniqueItems": {of: "array", is: "boolean"},
		"minLength": {of: "string", is: "number"}, "maxLength": {of: "string", is: "number"},
		"pattern": {of: "string", is: "string"}, "format": {is: "string"},
		"minimum": {of: "number", is: "number"}, "maximum": {of: "number", is: "number"}, "multipleOf": {of: "number", is: "number"},
		"exclusiveMinimum": {of: "number", is: "number"}, "exclusiveMaximum": {of: "number", is: "number"},
		"$defs": {is: "object", position: named}, "definitions": {is: "object", position: named},
	}
}

// isDefinitions reports whether a keyword only holds schemas for references.
func isDefinitions(key string) bool { return key == "$defs" || key == "definitions" }
