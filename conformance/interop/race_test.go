//go:build race

package interop_test

// mostModels is fewer under the race detector, which no model meets in its own way.
const mostModels = 1
