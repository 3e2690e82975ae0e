package chatwire_test

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// FuzzDecode: any body gives events that obey the grammar (play checks it), the
// same at any split, never a success without the provider's evidence; the
// provider's data is JSON, and a turn that completed can be sent back.
func FuzzDecode(f *testing.F) {
	for _, c := range wireCases(f) {
		f.Add(c.wire, uint64(len(c.wire)), c.Vendor)
	}
	f.Fuzz(func(t *testing.T, wire []byte, seed uint64, vendor string) {
		if len(wire) > 64<<10 {
			t.Skip()
		}
		p := request.Prepared{FirstMinted: 1}
		want := play(t, &body{wire, whole, io.EOF}, p, profileOf(vendor))
		got := play(t, &body{wire, random(seed), io.EOF}, p, profileOf(vendor))
		require.Equal(t, lines(want), lines(got))
		if c, ok := want[len(want)-1].Completion(); ok && !c.Data.IsZero() {
			require.True(t, json.Valid([]byte(c.Data.Value)), "%s", c.Data.Value)
			require.LessOrEqual(t, len(c.Data.Value), 4<<20)
		}
		family(vendor).GoesBack(t, want)
	})
}

// family is what the tests that all families share need to know of a vendor's.
func family(vendor string) canned.Family {
	profile := profileOf(vendor)
	return canned.Family{
		Target: request.Target{Format: chatwire.Format, Origin: profile.Origin},
		Encode: func(p request.Prepared) ([]byte, error) { return chatwire.Encode("m", p, profile) },
	}
}

// FuzzFailure: any body of any status is handled, and a status of 4xx or 5xx is
// always a failure.
func FuzzFailure(f *testing.F) {
	f.Add(400, []byte(`{"error":{"message":"m","code":400}}`))
	f.Add(200, []byte(`[{"error":"x"}]`))
	f.Add(502, []byte("<html>"))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got := chatwire.FailureOf(status, nil, body)
		if status >= 400 && status < 600 {
			require.NotNil(t, got)
			require.NotEmpty(t, got.Kind)
			require.Equal(t, status, got.Status)
		}
		if got != nil {
			require.LessOrEqual(t, len(got.Detail), events.MaxDetail)
		}
	})
}
