// Package customadapter is a whole adapter for an invented provider, Acme, and the
// model for yours (README.md, WIRE.md). It is no part of the library: copy it.
package customadapter
