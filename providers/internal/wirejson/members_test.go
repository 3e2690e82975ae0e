package wirejson_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/providers/internal/wirejson"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	const object = `{"a":1.0,"b":{"a":[ 1,2]},"c":"\u00e9<é","a":2}`
	for _, tt := range []struct {
		why, only, without string
		keys               []string
	}{
		{"a key twice goes twice, one inside a value not at all", `{"a":1.0,"a":2}`, `{"b":{"a":[ 1,2]},"c":"\u00e9<é"}`, []string{"a"}},
		{"in the order of the object, not of the keys", `{"b":{"a":[ 1,2]},"c":"\u00e9<é"}`, `{"a":1.0,"a":2}`, []string{"c", "b", "absent"}},
		{"letter case tells keys apart", `{}`, object, []string{"A"}},
		{"none", `{}`, object, nil},
	} {
		assert.Equal(t, tt.only, string(wirejson.Only([]byte(object), tt.keys...)), tt.why)
		assert.Equal(t, tt.without, string(wirejson.Without([]byte(object), tt.keys...)), tt.why)
	}
	assert.Equal(t, `{}`, string(wirejson.Without([]byte(`{}`), "a")))
}
