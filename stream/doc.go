// Package stream is one reply in progress: making a lazy stream of events,
// folding it into a reply, and passing it on. (to be written)
package stream
