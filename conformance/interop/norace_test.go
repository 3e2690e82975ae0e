//go:build !race

package interop_test

// mostModels is how many models of an adapter are asked at most: all.
const mostModels = 100
