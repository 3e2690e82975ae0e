// Package interop holds every adapter to the promises that no adapter can show alone,
// from the outside, as an application sees them: that what a request says is sent,
// told or refused, that an answer is of its Go type, and that a conversation goes from
// any provider to any other.
//
//	cd conformance/interop && go test .
//
// It has tests only, and no model is called. They are a module of their own because
// Bedrock's adapter is one, and no other may import it. The bytes of the replies are
// those that the adapters play in the conformance suite.
package interop
