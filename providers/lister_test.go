package providers_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
)

// wrapper is a Model around another one that says so.
type wrapper struct{ providers.Model }

func (w wrapper) Unwrap() providers.Model { return w.Model }

// opaque is one that does not.
type opaque struct{ providers.Model }

// ring wraps itself.
type ring struct{ providers.Model }

func (r ring) Unwrap() providers.Model { return r }

type lists struct{ providers.Model }

func (lists) ListModels(context.Context) ([]providers.ModelInfo, error) {
	return []providers.ModelInfo{{ID: "inner"}}, nil
}

func TestAs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why   string
		model providers.Model
		found bool
	}{
		{"it lists itself", lists{}, true},
		{"behind two wrappers", wrapper{wrapper{lists{}}}, true},
		{"a wrapper that hides what it wraps", wrapper{opaque{lists{}}}, false},
		{"nobody lists", wrapper{opaque{}}, false},
		{"a wrapper of nothing", wrapper{}, false},
		{"no model", nil, false},
		{"wrappers in a ring", ring{}, false},
	} {
		lister, ok := providers.As[providers.ModelLister](tt.model)
		require.Equal(t, tt.found, ok, tt.why)
		if ok {
			all, err := lister.ListModels(t.Context())
			require.NoError(t, err)
			assert.Equal(t, []providers.ModelInfo{{ID: "inner"}}, all, tt.why)
		}
	}
}
