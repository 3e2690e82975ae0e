//go:build race

package sqlledger_test

// manyAttempts is fewer under the race detector, which slows the workers down and
// sees nothing between processes.
const manyAttempts = 3_000
