package chatwire_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers/internal/chatwire"
	"github.com/weirsdk/weir/request"
)

// listed is n texts of a format, which gets the number twice.
func listed(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, format, i, i)
	}
	return b.String()
}

func repeated(n int, delta string) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = delta
	}
	return list
}

// What is kept without an event to stop it at has a limit, and up to it is kept.
func TestLimits(t *testing.T) {
	t.Parallel()
	piece := func(index int, member, value string) string {
		return fmt.Sprintf(`"tool_calls":[{"index":%d,"id":"%d","function":{%q:"%s"}}]`, index, index, member, value)
	}
	mebi := strings.Repeat("1", 1<<20)
	eight := make([]string, 0, 9)
	for i := range 9 {
		eight = append(eight, piece(i, "arguments", mebi[:1<<20-64]))
	}
	replay, parts := chatwire.Profile{ReplayReasoning: true}, chatwire.Profile{ReplayParts: true}
	for _, c := range []struct {
		why     string
		profile chatwire.Profile
		deltas  []string
		fits    bool
	}{
		{"a name of 256 bytes", chatwire.Profile{}, []string{piece(0, "name", mebi[:256])}, true},
		{"a longer name", chatwire.Profile{}, []string{piece(0, "name", mebi[:257])}, false},
		{"a name that grows", chatwire.Profile{}, []string{piece(0, "name", mebi[:255]), piece(0, "name", "ab")}, false},
		{"1 MiB of arguments before a name", chatwire.Profile{}, []string{piece(0, "arguments", mebi)}, true},
		{"more of them", chatwire.Profile{}, []string{piece(0, "arguments", mebi), piece(0, "arguments", "1")}, false},
		{"just below 8 MiB of arguments", chatwire.Profile{}, eight[:8], true},
		{"more in all", chatwire.Profile{}, eight, false},
		{"ids count", chatwire.Profile{}, append(eight[:8:8], `"tool_calls":[{"index":9,"id":"`+mebi+`"}]`), false},
		{"1024 calls", chatwire.Profile{}, []string{`"tool_calls":[` + listed(1024, `{"index":%d,"id":"%d"}`) + `]`}, true},
		{"one more", chatwire.Profile{}, []string{`"tool_calls":[` + listed(1025, `{"index":%d,"id":"%d"}`) + `]`}, false},
		{"one more without an index", chatwire.Profile{}, []string{`"tool_calls":[` + listed(1025, `{"nobody":%d,"id":"%d"}`) + `]`}, false},
		{"many empty details", chatwire.Profile{}, repeated(60, `"reasoning_details":[`+strings.Repeat("{},", 999)+`{}]`), true},
		{"more of them", chatwire.Profile{}, repeated(70, `"reasoning_details":[`+strings.Repeat("{},", 999)+`{}]`), false},
		{"members of details", chatwire.Profile{}, repeated(40, `"reasoning_details":[`+strings.Repeat(`{"a":1,"b":1},`, 999)+`{}]`), false},
		{"text of details", chatwire.Profile{}, repeated(5, `"reasoning_details":[{"type":"reasoning.text","text":"`+mebi+`"}]`), false},
		{"64 members of a detail", chatwire.Profile{}, []string{`"reasoning_details":[{` + listed(32, `"k%d":1,"l%d":1`) + `}]`}, true},
		{"one more", chatwire.Profile{}, []string{`"reasoning_details":[{` + listed(32, `"k%d":1,"l%d":1`) + `,"m":1}]`}, false},
		{"more, in pieces", chatwire.Profile{}, []string{
			`"reasoning_details":[{"type":"reasoning.text",` + listed(25, `"k%d":1,"l%d":1`) + `}]`,
			`"reasoning_details":[{"type":"reasoning.text",` + listed(25, `"m%d":1,"n%d":1`) + `}]`,
		}, false},
		{"kept reasoning", replay, repeated(3, `"reasoning":"`+mebi+`"`), true},
		{"more of it", replay, append(repeated(4, `"reasoning":"`+mebi+`"`), `"reasoning":"1"`), false},
		{"more of it in parts", replay, append(repeated(4, `"reasoning":"`+mebi+`"`), `"content":[{"type":"thinking","thinking":"1"}]`), false},
		{"more of it in parts of parts", replay, append(repeated(4, `"reasoning":"`+mebi+`"`), `"content":[{"type":"thinking","thinking":[{"text":"1"}]}]`), false},
		{"more of it in details", replay, append(repeated(4, `"reasoning":"`+mebi+`"`), `"reasoning_details":[{"text":"1"}]`), false},
		{"kept parts", parts, repeated(3, `"content":[{"type":"thinking","thinking":[{"type":"text","text":"`+mebi+`"}]}]`), true},
		{"more of them", parts, repeated(5, `"content":[{"type":"thinking","thinking":[{"type":"text","text":"`+mebi+`"}]}]`), false},
		{"more of them, each one ended", parts, repeated(5, `"content":[{"type":"thinking","thinking":[{"type":"text","text":"`+mebi+`"}],"closed":true}]`), false},
		{"more of other parts", parts, repeated(5, `"content":[{"type":"chart","spec":"`+mebi+`"}]`), false},
		{"many empty parts", parts, repeated(70, `"content":[`+strings.Repeat(`{"type":"reference"},`, 999)+`{"type":"reference"}]`), false},
		{"64 members of a part", parts, []string{`"content":[{"type":"x",` + listed(31, `"k%d":1,"l%d":1`) + `}]`}, true},
		{"two more", parts, []string{`"content":[{"type":"x",` + listed(32, `"k%d":1,"l%d":1`) + `}]`}, false},
		{"more of them, in pieces", parts, []string{
			`"content":[{"type":"thinking","thinking":[],` + listed(25, `"k%d":1,"l%d":1`) + `}]`,
			`"content":[{"type":"thinking","thinking":[],` + listed(25, `"m%d":1,"n%d":1`) + `}]`,
		}, false},
		{"reasoning that is not kept", chatwire.Profile{}, repeated(5, `"reasoning":"`+mebi+`"`), true},
	} {
		t.Run(c.why, func(t *testing.T) {
			t.Parallel()
			got := folded(playAll(t, script("stop", append(c.deltas[:len(c.deltas):len(c.deltas)], `"content":"on"`)...), c.profile))
			f, failed := got.terminal.Failure()
			if c.fits {
				assert.True(t, !failed || f.Reason == events.ReasonBadToolCall || f.Reason == events.ReasonBadToolArguments, "%v", f)
				return
			}
			require.True(t, failed)
			assert.Equal(t, events.InvalidReply, f.Kind)
			assert.Equal(t, events.ReasonTooLarge, f.Reason)
			assert.Empty(t, got.text, "it goes no further")
		})
	}
}

// What is sent back is larger as JSON than it came.
func TestLimitOfDataAsJSON(t *testing.T) {
	t.Parallel()
	wire := script("stop", repeated(3, `"reasoning":"`+strings.Repeat(`\"`, 1<<20)+`"`)...)
	f, failed := folded(playAll(t, wire, chatwire.Profile{ReplayReasoning: true})).terminal.Failure()
	require.True(t, failed)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}

// Sources that wait for a text are kept up to a limit, and the reply goes on.
func TestLimitOfCitations(t *testing.T) {
	t.Parallel()
	cite := func(url string, n int) string {
		return `"annotations":[{"type":"url_citation","url_citation":{"url":"` + url + `","content":"` + strings.Repeat("x", n) + `"}}]`
	}
	wire := script("stop", cite("https://a.test", 3<<20), cite("https://b.test", 1<<20), cite("https://c.test", 1<<10), `"content":"x"`)
	var got []string
	for _, ev := range play(t, &body{wire, whole, io.EOF}, request.Prepared{}, chatwire.Profile{}) {
		if c, ok := ev.Citation(); ok {
			got = append(got, c.URL)
		}
	}
	assert.Equal(t, []string{"https://a.test", "https://c.test"}, got)
}

// What the provider's tools found, and what was made, is told up to a limit, and the
// reply goes on.
func TestLimitsOfHostedTools(t *testing.T) {
	t.Parallel()
	source := `{"url":"https://a.test","content":"` + strings.Repeat("x", 2000) + `"}`
	sources := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(source+",", n), ",")
	}
	use := func(n int, results string) string {
		return fmt.Sprintf(`{"index":%d,"type":"search","arguments":"{}","search_results":{"results":[%s]}}`, n, results)
	}
	var many, uses []string
	for i := range 6 {
		many = append(many, use(i, sources(300)))
	}
	for i := range 300 {
		uses = append(uses, use(i, ""))
	}
	wire := script("stop", `"executed_tools":[`+strings.Join(many, ",")+`]`, `"content":"x"`)
	var got, bytes int
	for _, ev := range playAll(t, wire, chatwire.Profile{}) {
		if h, ok := ev.Hosted(); ok && ev.Kind == events.HostedToolCompleted {
			require.LessOrEqual(t, len(h.Sources), 256)
			got++
			for _, s := range h.Sources {
				require.LessOrEqual(t, len(s.Snippet), events.MaxDetail)
				bytes += len(s.URL) + len(s.Snippet)
			}
		}
	}
	assert.Equal(t, 6, got)
	assert.Greater(t, bytes, 1<<20-1<<12)
	assert.LessOrEqual(t, bytes, 1<<20)

	count := func(kind events.Kind, deltas ...string) (n, notices int) {
		for _, ev := range playAll(t, script("stop", append(deltas, `"content":"x"`)...), chatwire.Profile{}) {
			switch ev.Kind {
			case kind:
				n++
			case events.Notice:
				notices++
			default:
			}
		}
		return n, notices
	}
	n, notices := count(events.HostedToolCompleted, `"executed_tools":[`+strings.Join(uses, ",")+`]`)
	assert.Equal(t, 256, n)
	assert.Equal(t, 1, notices, "it is told once")
	picture := `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAEC"}}`
	n, notices = count(events.MediaCompleted, `"images":[`+strings.TrimSuffix(strings.Repeat(picture+",", 300), ",")+`]`)
	assert.Equal(t, 256, n)
	assert.Equal(t, 1, notices)
}

// Pictures are told up to 64 MiB, and speech, which would be cut, is no longer.
func TestLimitsOfMedia(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays 176 MiB")
	}
	eight := strings.Repeat("A", 8<<20)
	pictures := 0
	for _, ev := range playAll(t, script("stop", repeated(11, `"images":[{"image_url":{"url":"data:image/png;base64,`+eight+`"}}]`)...), chatwire.Profile{}) {
		if ev.Kind == events.MediaCompleted {
			pictures++
		}
	}
	assert.Equal(t, 10, pictures, "of 6 MiB each")
	f, failed := folded(playAll(t, script("stop", repeated(11, `"audio":{"data":"`+eight+`"}`)...), chatwire.Profile{})).terminal.Failure()
	require.True(t, failed)
	assert.Equal(t, events.ReasonTooLarge, f.Reason)
}

// What is passed over is told once of each kind, and of no more than 16 kinds.
func TestLimitOfNotices(t *testing.T) {
	t.Parallel()
	parts := listed(20, `{"type":"a%d"},{"type":"b%d"}`)
	notices := 0
	for _, ev := range playAll(t, script("stop", repeated(2, `"content":[`+parts+`]`)...), chatwire.Profile{}) {
		if n, ok := ev.Notice(); ok {
			assert.Equal(t, events.NoticeUnknownFrame, n.Code)
			notices++
		}
	}
	assert.Equal(t, 16, notices)
}
