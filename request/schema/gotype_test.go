package schema_test

import (
	"encoding/json"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/request/schema"
)

// goNode refers to itself in every way that a type can.
type goNode struct {
	Name     string            `json:"name"`
	Next     *goNode           `json:"next"`
	Skipped  *goNode           `json:"skipped,omitempty"`
	Children []goNode          `json:"children"`
	Named    map[string]goNode `json:"named"`
}

type goTree []goTree

type goPoint struct{ X, Y int }

type goList[T any] struct {
	Items []T `json:"items"`
}

type goEven struct{ Odd *goOdd }

type goOdd struct{ Even *goEven }

type goBase struct {
	ID     string
	Hidden string
	Both   string
}

type goOther struct{ Both string }

type goTagged struct {
	Tagged bool `json:"Both"`
}

type goLeft struct {
	goOther
	L string
}

type goRight struct {
	goOther
	R string
}

type goColor int

func (goColor) MarshalJSON() ([]byte, error) { return []byte(`"red"`), nil }

type goInner struct{ Promoted string }

type goEmbeds struct {
	goBase // unexported, its fields count
	*goEmbedded
	goOther
	goInner `json:"inner"`
	Hidden  int
}

type goEmbedded struct{ Optional string }

// GoPointed is exported, so that encoding/json can set it.
type GoPointed struct{ Optional string }

type goSettable struct {
	*GoPointed
	goBase
}

type goText struct{ s string }

func (t goText) MarshalText() ([]byte, error)  { return []byte(t.s), nil }
func (t *goText) UnmarshalText(b []byte) error { t.s = string(b); return nil }

type goWord string

type goScalars struct {
	B    bool
	S    goWord
	F32  float32
	N    json.Number
	I    int
	I8   int8
	I16  int16
	I32  int32
	I64  int64
	U    uint
	U8   uint8
	U16  uint16
	U32  uint32
	U64  uint64
	Any  any
	Raw  json.RawMessage
	Time time.Time
	Data []byte
	Sum  [2]byte
	Big  big.Int
	Addr netip.Addr
	Text goText
	Wait time.Duration
}

type goTags struct {
	Plain     string
	Renamed   string `json:"renamed"`
	Dash      string `json:"-,"` //nolint:staticcheck // what it says is what is tested, of those below too
	Skipped   string `json:"-"`
	BadName   string `json:"a\\b"` //nolint:staticcheck // see Dash
	Empty     string `json:"empty,omitempty"`
	Zero      int    `json:"zero,omitzero"`
	Pointer   *int   `json:"pointer,omitempty"`
	Deep      **int  `json:"deep,omitempty"`
	Nullable  *int
	Quoted    int     `json:",string"`
	QuotedPtr *bool   `json:",string"`
	NotQuoted []int   `json:",string"` //nolint:staticcheck // see Dash
	OwnText   goText  `json:",string"` //nolint:staticcheck // see Dash
	Tree      *goTree `description:"A <tree>."`
	Level     string  `enum:"low, high" description:"How much."`
	Count     *int    `enum:"1,2"`
	Factor    float64 `enum:"0.5,2"`
	unseen    string
}

func TestForType(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		why  string
		got  func() (string, error)
		want string
	}{
		{"each scalar and each type that writes JSON of its own", schema.For[goScalars], object(
			`"B":{"type":"boolean"},"S":{"type":"string"},"F32":{"type":"number"},"N":{"type":"number"},`+
				`"I":{"type":"integer"},"I8":{"type":"integer","minimum":-128,"maximum":127},`+
				`"I16":{"type":"integer","minimum":-32768,"maximum":32767},`+
				`"I32":{"type":"integer","minimum":-2147483648,"maximum":2147483647},"I64":{"type":"integer"},`+
				`"U":{"type":"integer","minimum":0},"U8":{"type":"integer","minimum":0,"maximum":255},`+
				`"U16":{"type":"integer","minimum":0,"maximum":65535},"U32":{"type":"integer","minimum":0,"maximum":4294967295},`+
				`"U64":{"type":"integer","minimum":0},"Any":{},"Raw":{},"Time":{"type":"string","format":"date-time"},`+
				`"Data":{"type":"string","contentEncoding":"base64"},`+
				`"Sum":{"type":"array","items":{"type":"integer","minimum":0,"maximum":255},"minItems":2,"maxItems":2},`+
				`"Big":{},"Addr":{"type":"string"},"Text":{"type":"string"},"Wait":{"type":"integer"}`,
			"B S F32 N I I8 I16 I32 I64 U U8 U16 U32 U64 Any Raw Time Data Sum Big Addr Text Wait")},
		{"each tag", schema.For[goTags], strings.TrimSuffix(object(
			`"Plain":{"type":"string"},"renamed":{"type":"string"},"-":{"type":"string"},"BadName":{"type":"string"},`+
				`"empty":{"type":"string"},"zero":{"type":"integer"},"pointer":{"type":"integer"},"deep":{"type":["integer","null"]},`+
				`"Nullable":{"type":["integer","null"]},"Quoted":{"type":"string"},"QuotedPtr":{"type":["string","null"]},`+
				`"NotQuoted":{"type":"array","items":{"type":"integer"}},"OwnText":{"type":"string"},`+
				`"Tree":{"anyOf":[{"$ref":"#/$defs/goTree"},{"type":"null"}],"description":"A <tree>."},`+
				`"Level":{"type":"string","enum":["low","high"],"description":"How much."},`+
				`"Count":{"type":["integer","null"],"enum":[1,2,null]},"Factor":{"type":"number","enum":[0.5,2]}`,
			"Plain renamed - BadName Nullable Quoted QuotedPtr NotQuoted OwnText Tree Level Count Factor"), "}") +
			`,"$defs":{"goTree":{"type":"array","items":{"$ref":"#/$defs/goTree"}}}}`},
		{"embedded: promoted, hidden, hiding each other, optional, named", schema.For[goSettableAndNamed], object(
			`"Optional":{"type":"string"},"ID":{"type":"string"},`+
				`"inner":{"type":"object","properties":{"Promoted":{"type":"string"}},"required":["Promoted"],"additionalProperties":false},`+
				`"Hidden":{"type":"integer"}`, "ID inner Hidden")},
		{
			"embedded on two ways: no field of it", schema.For[struct {
				goLeft
				goRight
			}], object(`"L":{"type":"string"},"R":{"type":"string"}`, "L R"),
		},
		{
			"embedded side by side: the tagged one", schema.For[struct {
				goOther
				goTagged
			}], object(`"Both":{"type":"boolean"}`, "Both"),
		},
		{
			"text for ,string, but not of a type with JSON of its own", schema.For[struct {
				Own goColor     `json:",string"`
				Num json.Number `json:",string"`
			}], object(`"Own":{},"Num":{"type":"string"}`, "Own Num"),
		},
		{"a recursive root", schema.For[goNode], object(
			`"name":{"type":"string"},"next":{"anyOf":[{"$ref":"#"},{"type":"null"}]},"skipped":{"$ref":"#"},`+
				`"children":{"type":"array","items":{"$ref":"#"}},"named":{"type":"object","additionalProperties":{"$ref":"#"}}`,
			"name next children named")},
		{"a pointer at the top", schema.For[**goOther], object(`"Both":{"type":"string"}`, "Both")},
		{"two types that hold each other", schema.For[struct{ E goEven }], strings.TrimSuffix(object(`"E":{"$ref":"#/$defs/goEven"}`, "E"), "}") +
			`,"$defs":{"goEven":` + object(`"Odd":`+strings.Replace(object(`"Even":{"anyOf":[{"$ref":"#/$defs/goEven"},{"type":"null"}]}`, "Even"), `"object"`, `["object","null"]`, 1), "Odd") + `}}`},
		{"one struct twice", schema.For[struct{ A, B goPoint }], strings.TrimSuffix(object(
			`"A":{"$ref":"#/$defs/goPoint"},"B":{"$ref":"#/$defs/goPoint"}`, "A B"), "}") +
			`,"$defs":{"goPoint":` + object(`"X":{"type":"integer"},"Y":{"type":"integer"}`, "X Y") + `}}`},
		{"generic types of one name", schema.For[struct {
			A, B goList[int]
			C, D goList[bool]
			E, F []goList[goPoint]
		}], ""},
		{"a map at the top", schema.For[map[goWord]int], `{"type":"object","additionalProperties":{"type":"integer"}}`},
		{"no fields", schema.For[struct{}], `{"type":"object","properties":{},"additionalProperties":false}`},
		{"anything", schema.For[any], `{}`},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			got, err := row.got()
			require.NoError(t, err)
			if row.want != "" {
				assert.Equal(t, row.want, got)
			}
			compile(t, got)
			again, err := row.got()
			require.NoError(t, err)
			assert.Equal(t, got, again)
		})
	}
}

// goSettableAndNamed is goEmbeds without what encoding/json cannot set.
type goSettableAndNamed struct {
	*GoPointed
	goBase
	goOther
	goInner `json:"inner"`
	Hidden  int
}

func object(properties, required string) string {
	return `{"type":"object","properties":{` + properties + `},"required":["` + strings.ReplaceAll(required, " ", `","`) + `"],"additionalProperties":false}`
}

func TestForTypeGenericNames(t *testing.T) {
	t.Parallel()
	got, err := schema.For[struct {
		A, B goList[int]
		C, D goList[bool]
		E, F goList[goList[int]]
	}]()
	require.NoError(t, err)
	defs := decode(t, got).(map[string]any)["$defs"].(map[string]any)
	assert.Len(t, defs, 3, "each has a definition of its own")
	for name := range defs {
		assert.Regexp(t, `^[A-Za-z0-9_]+$`, name)
	}
}

type goLocal struct{ A, B goPoint }

func TestForTypeTellsTypesOfOneNameApart(t *testing.T) {
	t.Parallel()
	type goPoint struct{ Z bool }
	got, err := schema.For[struct {
		A, B goPoint
		C    goLocal
	}]()
	require.NoError(t, err)
	assert.Contains(t, got, `"$defs":{"goPoint":{"type":"object","properties":{"Z":`)
	assert.Contains(t, got, `"goPoint_2":{"type":"object","properties":{"X":`)
}

type goEndless *goEndless

func TestForTypeRefuses(t *testing.T) {
	t.Parallel()
	type deep struct {
		A []map[string]struct{ Ch chan int }
	}
	for _, row := range []struct {
		why  string
		got  func() (string, error)
		path string
	}{
		{"a channel, deep inside", schema.For[deep], ".A[][].Ch"},
		{"a function", schema.For[struct{ F func() }], ".F"},
		{"a complex number", schema.For[struct{ C complex64 }], ".C"},
		{"a map by numbers", schema.For[struct{ M map[int]string }], ".M"},
		{"a map by texts of their own", schema.For[struct{ M map[goText]string }], ".M"},
		{"an interface with methods", schema.For[struct{ E error }], ".E"},
		{"an embedded pointer that cannot be set", schema.For[goEmbeds], ".goEmbedded.Optional"},
		{"an enum of objects", schema.For[struct {
			P goPoint `enum:"a"`
		}], ".P"},
		{"an enum of a list", schema.For[struct {
			P []string `enum:"a"`
		}], ".P"},
		{"an enum of true and false", schema.For[struct {
			P bool `enum:"true"`
		}], ".P"},
		{"an enum with nothing in it", schema.For[struct {
			P string `enum:"a,,b"`
		}], ".P"},
		{"an enum of one value twice", schema.For[struct {
			P string `enum:"a, a"`
		}], ".P"},
		{"an enum of no numbers", schema.For[struct {
			P int `enum:"1,x"`
		}], ".P"},
		{"an enum of fractions for an integer", schema.For[struct {
			P int `enum:"1.5"`
		}], ".P"},
		{"an enum of a number that is written as text", schema.For[struct {
			P int `json:",string" enum:"1"`
		}], ".P"},
		{"a description that is no text", schema.For[struct {
			P int "description:\"\\xff\""
		}], ".P"},
		{"a pointer without end", schema.For[goEndless], ""},
		{"a schema too deep", schema.For[[][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][][]string], ""},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			got, err := row.got()
			assert.Empty(t, got)
			f, ok := events.AsFailure(err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, events.InvalidRequest, f.Kind)
			assert.Equal(t, events.ReasonSchemaUnsupported, f.Reason)
			assert.Equal(t, events.NotSent, f.Sent)
			assert.Contains(t, f.Detail, row.path+": ", "names the field")
		})
	}
	_, err := schema.ForType(nil)
	f, ok := events.AsFailure(err)
	require.True(t, ok)
	assert.Equal(t, events.ReasonSchemaUnsupported, f.Reason)
}

// What encoding/json writes of values with every tag fits, and an answer can be
// made of the schema.
func TestForTypeOfWhatIsWritten(t *testing.T) {
	t.Parallel()
	leaf := new(1)

	for _, value := range []any{
		&goScalars{N: "1e3", Raw: json.RawMessage(`[1]`), Data: []byte("x"), Any: map[string]any{}, Addr: netip.MustParseAddr("::1"), Time: time.Unix(1, 5), U64: 1<<64 - 1, I64: -1 << 63},
		&goTags{Level: "low", Factor: 2, NotQuoted: []int{1}, Quoted: 7},
		&goTags{Level: "high", Factor: 0.5, NotQuoted: []int{}, Nullable: leaf, Deep: new(leaf), Pointer: leaf, QuotedPtr: new(true), Count: leaf, Tree: &goTree{{}, {{}}}, Zero: 1, Empty: "x", unseen: "y"},
		&goNode{Children: []goNode{}, Named: map[string]goNode{}, Next: &goNode{Children: []goNode{{Children: []goNode{}, Named: map[string]goNode{}}}, Named: map[string]goNode{"a": {Children: []goNode{}, Named: map[string]goNode{}}}}},
		&goSettable{}, &goSettable{GoPointed: &GoPointed{}}, &goSettableAndNamed{GoPointed: &GoPointed{}},
		&struct {
			goLeft
			goRight
		}{},
		&struct {
			goOther
			goTagged
		}{},
		&struct {
			Own goColor     `json:",string"`
			Num json.Number `json:",string"`
		}{Num: "1"},
		&goEven{Odd: &goOdd{Even: &goEven{}}},
	} {
		requireFits(t, value)
	}
}

func requireFits(t require.TestingT, pointer any) (text, written string) {
	text, err := schema.ForType(typeOf(pointer))
	require.NoError(t, err)
	answer, err := request.NewAnswer("", text)
	require.NoError(t, err, text)
	out, err := json.Marshal(pointer)
	require.NoError(t, err)
	require.Nil(t, answer.Check(string(out)), "%s\nschema %s", out, text)
	return text, string(out)
}
