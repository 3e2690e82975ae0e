package validator

// Limits bounds one reply. A field that is zero or negative means its default,
// never "none", so the zero Limits is [DefaultLimits].
type Limits struct {
	// Events is the most events of a stream, terminal included; 1,000,000.
	Events int
	// Index is the highest index of a block; 1023. (An Index of 0 cannot be
	// asked for: zero is the default.)
	Index int
	// DeltaBytes is the longest piece of text, thinking, refusal or arguments;
	// 64 KiB.
	DeltaBytes int
	// TextBytes bounds the text in all and, counted by itself, the refusal;
	// 16 MiB.
	TextBytes int
	// ThinkingBytes bounds the thinking in all; 16 MiB.
	ThinkingBytes int
	// CallBytes bounds the arguments of one tool call; 1 MiB.
	CallBytes int
	// ArgumentsBytes bounds the arguments of all tool calls; 8 MiB.
	ArgumentsBytes int
	// Calls is the most tool calls; 128.
	Calls int
	// MediaBytes bounds the media in all; 64 MiB.
	MediaBytes int
	// DataBytes bounds in all what else the events carry: metadata, ids, names,
	// provider data, hosted tools, citations, notices. A raw usage and the
	// detail of an issue, which replace or stand for nothing kept, are each
	// held to it alone; 4 MiB.
	DataBytes int
}

// DefaultLimits returns the limits that zero fields stand for.
func DefaultLimits() Limits {
	return Limits{
		Events:         1_000_000,
		Index:          1023,
		DeltaBytes:     64 << 10,
		TextBytes:      16 << 20,
		ThinkingBytes:  16 << 20,
		CallBytes:      1 << 20,
		ArgumentsBytes: 8 << 20,
		Calls:          128,
		MediaBytes:     64 << 20,
		DataBytes:      4 << 20,
	}
}

// orDefaults returns l with its defaults filled in.
func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	orDefault(&l.Events, d.Events)
	orDefault(&l.Index, d.Index)
	orDefault(&l.DeltaBytes, d.DeltaBytes)
	orDefault(&l.TextBytes, d.TextBytes)
	orDefault(&l.ThinkingBytes, d.ThinkingBytes)
	orDefault(&l.CallBytes, d.CallBytes)
	orDefault(&l.ArgumentsBytes, d.ArgumentsBytes)
	orDefault(&l.Calls, d.Calls)
	orDefault(&l.MediaBytes, d.MediaBytes)
	orDefault(&l.DataBytes, d.DataBytes)
	return l
}

func orDefault(n *int, other int) {
	if *n <= 0 {
		*n = other
	}
}
