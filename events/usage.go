package events

import "strconv"

// MaxCount is the largest count that is believed, 2^53-1: the largest integer
// that every JSON reader keeps exactly.
const MaxCount = 1<<53 - 1

// A Count is a number of tokens, known or unknown. The zero Count is unknown,
// which is not zero: nobody reported it.
type Count struct {
	n     int64
	known bool
}

// Known returns the count n. Counts outside 0..[MaxCount] can be made but are
// refused by the validator.
func Known(n int64) Count { return Count{n: n, known: true} }

// Get returns the number and whether it is known.
func (c Count) Get() (n int64, known bool) { return c.n, c.known }

// IsKnown reports whether somebody reported the count.
func (c Count) IsKnown() bool { return c.known }

// Or returns the number, or other when it is unknown.
func (c Count) Or(other int64) int64 {
	if c.known {
		return c.n
	}
	return other
}

// String returns the number, or "unknown".
func (c Count) String() string {
	if !c.known {
		return "unknown"
	}
	return strconv.FormatInt(c.n, 10)
}

// Plus returns the sum, saturated at [MaxCount] and at its negative; unknown
// when either is.
func (c Count) Plus(o Count) Count {
	if !c.known || !o.known {
		return Count{}
	}
	// Two counts within the bound cannot overflow an int64.
	return Known(bounded(bounded(c.n) + bounded(o.n)))
}

func bounded(n int64) int64 { return max(-MaxCount, min(n, MaxCount)) }

// Usage is what a provider counted, in tokens as it counts them. Every field is
// known or unknown; the zero Usage knows nothing.
type Usage struct {
	// Input is the whole prompt, cached parts included.
	Input Count
	// CacheRead, CacheWrite (kept five minutes) and CacheWriteLong (one hour)
	// are disjoint parts of Input.
	CacheRead, CacheWrite, CacheWriteLong Count
	// Output is all that was generated, thinking included.
	Output Count
	// Thinking is a part of Output.
	Thinking Count
	// InputAudio and InputImage are parts of Input, OutputAudio and OutputImage
	// of Output, where told.
	InputAudio, InputImage, OutputAudio, OutputImage Count

	// Final reports that the provider's family calls these counts final. Counts
	// at the start of a message or on every chunk are not.
	Final bool
	// Inconsistent reports that a part was larger than its whole; the larger
	// reading was taken.
	Inconsistent bool
	// Raw is the provider's own usage object, as it came; empty when none did.
	Raw string
}

// Reported reports whether anything is known.
func (u Usage) Reported() bool {
	return u.Raw != "" || u.known()
}

func (u Usage) known() bool {
	for _, c := range u.counts() {
		if c.known {
			return true
		}
	}
	return false
}

func (u Usage) counts() [10]Count {
	return [10]Count{
		u.Input, u.CacheRead, u.CacheWrite, u.CacheWriteLong, u.Output, u.Thinking,
		u.InputAudio, u.InputImage, u.OutputAudio, u.OutputImage,
	}
}

// Sane reports whether every known count is 0..[MaxCount].
func (u Usage) Sane() bool {
	for _, c := range u.counts() {
		if c.known && (c.n < 0 || c.n > MaxCount) {
			return false
		}
	}
	return true
}

// Merge returns u updated by a later report: what the later one knows replaces,
// field by field; what it does not know is kept. Nothing is ever added. A later
// report of nothing changes nothing.
func (u Usage) Merge(later Usage) Usage {
	if !later.Reported() {
		return u
	}
	replace(&u.Input, later.Input)
	replace(&u.CacheRead, later.CacheRead)
	replace(&u.CacheWrite, later.CacheWrite)
	replace(&u.CacheWriteLong, later.CacheWriteLong)
	replace(&u.Output, later.Output)
	replace(&u.Thinking, later.Thinking)
	replace(&u.InputAudio, later.InputAudio)
	replace(&u.InputImage, later.InputImage)
	replace(&u.OutputAudio, later.OutputAudio)
	replace(&u.OutputImage, later.OutputImage)
	u.Final = later.Final
	u.Inconsistent = later.Inconsistent
	if later.Raw != "" {
		u.Raw = later.Raw
	}
	return u
}

func replace(c *Count, later Count) {
	if later.known {
		*c = later
	}
}

// Micros is an amount of money in millionths of a US dollar.
type Micros int64

// String returns the amount in dollars with six decimals, for instance
// "$0.000123".
func (m Micros) String() string {
	sign, n := "", uint64(m)
	if m < 0 {
		sign, n = "-", -n
	}
	frac := strconv.FormatUint(n%1_000_000+1_000_000, 10)[1:]
	return sign + "$" + strconv.FormatUint(n/1_000_000, 10) + "." + frac
}

// Cost is what a provider itself says that a reply costs.
type Cost struct {
	// Micros is the amount, rounded up to a whole microdollar.
	Micros Micros
	// Text is the provider's own decimal figure in dollars.
	Text string
}
