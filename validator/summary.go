package validator

import "github.com/weirsdk/weir/events"

// A Summary is what a validator has seen of a stream. The zero Summary is of a
// stream without events. Rejected events do not count.
type Summary struct {
	// Events is the number of events.
	Events int
	// Blocks is the number of blocks: the next unused index.
	Blocks int
	// OpenCalls, CompletedCalls and InvalidCalls are the tool calls by how far
	// they got.
	OpenCalls, CompletedCalls, InvalidCalls int
	// HostedTools are the hosted tools that were started, ended or not.
	HostedTools int
	// Terminal is Completed or Failed, or 0 while there is none.
	Terminal events.Kind
	// Stop is the stop of a Completed, else empty.
	Stop events.Stop
	// Sizes of what came, in bytes.
	TextBytes, ThinkingBytes, RefusalBytes, ArgumentsBytes, MediaBytes, DataBytes int
}
