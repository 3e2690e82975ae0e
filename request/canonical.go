package request

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/weirsdk/weir/events"
)

// appendCanonical appends JSON text with its keys sorted and without white
// space: number literals as they are, strings as events.AppendQuoted writes them.
// The text has passed events.CheckArguments.
func appendCanonical(dst []byte, text string) []byte {
	value, err := decodeNumbers(text)
	if err != nil {
		return append(dst, text...)
	}
	return appendValue(dst, value)
}

func appendValue(dst []byte, value any) []byte {
	switch v := value.(type) {
	case map[string]any:
		dst = append(dst, '{')
		for i, key := range sortedKeys(v) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(events.AppendQuoted(dst, key), ':')
			dst = appendValue(dst, v[key])
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, item)
		}
		return append(dst, ']')
	case string:
		return events.AppendQuoted(dst, v)
	case json.Number:
		return append(dst, v...)
	case bool:
		if v {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	default:
		return append(dst, "null"...)
	}
}

// jsonDepth returns how deep JSON text nests; a scalar is depth 1.
func jsonDepth(text string) int {
	depth, most, inString := 1, 1, false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case inString:
			if b == '\\' {
				i++
			}
			inString = b != '"'
		case b == '"':
			inString = true
		case b == '{' || b == '[':
			depth++
			most = max(most, depth-1)
		case b == '}' || b == ']':
			depth--
		}
	}
	return most
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
