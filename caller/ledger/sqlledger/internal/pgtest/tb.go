package pgtest

import (
	"os"
	"testing"
)

// Need ends a test that has no server: skipped when PostgreSQL is not installed,
// unless [Required] is set, and failed otherwise.
func Need(tb testing.TB, err error) {
	tb.Helper()
	switch {
	case err == nil:
	case IsMissing(err) && os.Getenv(Required) == "":
		tb.Skip(err.Error())
	default:
		tb.Fatal(err)
	}
}
