package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/weirsdk/weir/caller/ledger"
)

func TestLeft(t *testing.T) {
	t.Parallel()
	run := ledger.Run{
		Limits:    ledger.Limits{MaxCalls: 10, MaxTotalTokens: 100, MaxCost: 50, MaxToolCalls: 3, MaxActive: time.Second, MaxElapsed: time.Second},
		ToolCalls: 3,
		Totals: ledger.Totals{
			Calls: 4, Tokens: ledger.Sum{Charged: 30}, OpenTokens: 20, Cost: ledger.Sum{Charged: 60}, OpenCost: 1, Active: 400 * time.Millisecond,
		},
	}
	for limit, want := range map[ledger.Limit]int64{
		ledger.LimitCalls: 6, ledger.LimitTokens: 50, ledger.LimitCost: 0, ledger.LimitToolCalls: 0, ledger.LimitActive: int64(600 * time.Millisecond),
	} {
		left, limited := run.Left(limit)
		assert.True(t, limited, limit)
		assert.Equal(t, want, left, limit)
		_, limited = ledger.Run{}.Left(limit)
		assert.False(t, limited, "%s: no limit", limit)
	}
	_, limited := run.Left(ledger.LimitElapsed)
	assert.False(t, limited, "the store's clock is not here")
}
