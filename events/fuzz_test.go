package events_test

import (
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
)

// checkSlowly is the obvious CheckArguments: the grammar is encoding/json's, the
// bounds and keys are checked token by token. A text that is no JSON may have a
// worse fault before the place where it stops being JSON; then sure is false.
func checkSlowly(text string) (kind events.IssueKind, sure bool) {
	if !utf8.ValidString(text) {
		return events.IssueNotUTF8, true
	}
	if kind := firstFault(text); kind != "" {
		return kind, json.Valid([]byte(text))
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &object); err != nil || object == nil {
		return events.IssueNotObject, true
	}
	return "", true
}

// firstFault walks the tokens as far as they go.
func firstFault(text string) events.IssueKind {
	type level struct {
		object bool
		keys   map[string]bool
		key    bool // a key comes next
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var open []*level
	exponents := new(big.Int)
	for {
		before := decoder.InputOffset()
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) || err != nil {
			return ""
		}
		if len(open) > 0 {
			top := open[len(open)-1]
			if _, isKey := token.(string); isKey && top.object && top.key {
				key := spelledOut(text[before:decoder.InputOffset()])
				if top.keys[key] {
					return events.IssueDuplicateKey
				}
				top.keys[key] = true
				top.key = false
				continue
			}
			top.key = true
		}
		switch token := token.(type) {
		case json.Delim:
			if token == '}' || token == ']' {
				open = open[:len(open)-1]
				continue
			}
			open = append(open, &level{object: token == '{', keys: map[string]bool{}, key: true})
			if len(open) > events.MaxArgumentsDepth {
				return events.IssueOutOfBounds
			}
		case json.Number:
			exponent := exponentOf(string(token))
			exponents.Add(exponents, exponent)
			if len(token) > events.MaxNumberLength || exponent.Cmp(big.NewInt(events.MaxNumberExponent)) > 0 ||
				exponents.Cmp(big.NewInt(events.MaxExponentsTotal)) > 0 {
				return events.IssueOutOfBounds
			}
		}
	}
}

// exponentOf returns the exponent of a number literal without its sign.
func exponentOf(literal string) *big.Int {
	_, exponent, ok := strings.Cut(strings.ToLower(literal), "e")
	if !ok {
		return new(big.Int)
	}
	size, _ := new(big.Int).SetString(strings.TrimPrefix(exponent, "+"), 10)
	return size.Abs(size)
}

// spelledOut decodes the string literal in raw to its UTF-16 units, one number
// each, so that a lone surrogate is itself and nothing else.
func spelledOut(raw string) string {
	raw = raw[strings.IndexByte(raw, '"')+1 : strings.LastIndexByte(raw, '"')]
	var units []string
	add := func(unit uint16) { units = append(units, strconv.Itoa(int(unit))) }
	for raw != "" {
		if raw[0] == '\\' && raw[1] == 'u' {
			unit, _ := strconv.ParseUint(raw[2:6], 16, 16)
			add(uint16(unit))
			raw = raw[6:]
			continue
		}
		if raw[0] == '\\' {
			add(map[byte]uint16{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '/': '/'}[raw[1]])
			raw = raw[2:]
			continue
		}
		r, size := utf8.DecodeRuneInString(raw)
		for _, unit := range utf16.Encode([]rune{r}) {
			add(unit)
		}
		raw = raw[size:]
	}
	return strings.Join(units, " ")
}

func FuzzCheckArguments(f *testing.F) {
	for _, tt := range argumentsCases() {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got events.IssueKind
		if issue := events.CheckArguments(text); issue != nil {
			got = issue.Kind
			require.LessOrEqual(t, len(issue.Detail), 400)
			require.True(t, utf8.ValidString(issue.Detail))
		}
		want, sure := checkSlowly(text)
		if sure {
			require.Equal(t, want, got, "%q", text)
		} else {
			require.NotEmpty(t, got, "%q", text)
		}
	})
}

func FuzzCleanDetail(f *testing.F) {
	for _, tt := range secretCases() {
		f.Add(tt.text)
	}
	for _, text := range cleaningSeeds() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { requireClean(t, text) })
}

func FuzzUnmarshalJSON(f *testing.F) {
	for _, ev := range samples() {
		f.Add(events.AppendJSON(nil, ev))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var ev events.Event
		if err := ev.UnmarshalJSON(line); err != nil {
			require.ErrorIs(t, err, malformed())
			return
		}
		written := events.AppendJSON(nil, ev)
		var back events.Event
		require.NoError(t, back.UnmarshalJSON(written))
		require.True(t, ev.Equal(back), "%s", written)
		require.Equal(t, string(written), string(events.AppendJSON(nil, back)))
	})
}
