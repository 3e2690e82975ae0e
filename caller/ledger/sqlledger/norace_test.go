//go:build !race

package sqlledger_test

// manyAttempts is how many attempts the processes reserve together.
const manyAttempts = 10_000
