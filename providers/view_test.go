package providers_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestScrubReadsEscapes: nobody escapes as Go does, and nobody has to.
func TestScrubReadsEscapes(t *testing.T) {
	t.Parallel()
	const key = "Zm9v+YmFy~/qux-é😀=="
	for _, row := range []struct{ why, text, wants string }{
		{"as .NET writes it", `"Zm9v\u002BYmFy~/qux-\u00E9\uD83D\uDE00=="`, `"[redacted]"`},
		{"as Gson does", `"Zm9v+YmFy~/qux-é😀\u003d\u003d"`, `"[redacted]"`},
		{"as PHP does", `"Zm9v+YmFy~\/qux-\u00e9\ud83d\ude00=="`, `"[redacted]"`},
		{"as Java's URLEncoder does", `?key=Zm9v%2BYmFy%7E%2Fqux-%C3%A9%F0%9F%98%80%3D%3D&a`, `?key=[redacted]&a`},
		{"each byte for a URL", percents(key) + "0", "[redacted]0"},
		{"a URL in an address", "u=" + strings.ReplaceAll(percents(key), "%", "%25") + "0", "u=[redacted]0"},
		{"a URL in JSON", strings.ReplaceAll(percents(key), "%", `\u0025`) + `\n`, `[redacted]\n`},
		{"JSON in JSON", `{"a":"{\"k\":\"Zm9v\\u002BYmFy~\\/qux-\\u00e9\\ud83d\\ude00==\"}"}`, `{"a":"{\"k\":\"[redacted]\"}"}`},
		{"in base64 with a slash escaped", escapeEach(base64.StdEncoding.EncodeToString([]byte(key)), "9+/=", `\u%04x`), `[redacted]\u003d`},
		{"what stands around it stays", `\u0041\\ \/%41 "` + key + `" \u00`, `\u0041\\ \/%41 "[redacted]" \u00`},
		{"other escapes mean nothing", `Zm9v\x2BYmFy\u00gg %zz`, `Zm9v\x2BYmFy\u00gg %zz`},
		{"half of a pair is not its half", `\ud83d\u0041`, `\ud83d\u0041`},
		{"cut in an escape", `"Zm9v\u002BYmFy~\u00`, `"[redacted]`},
		{"cut in an escape for a URL", `Zm9v%2BYmFy%7`, `[redacted]`},
		{"cut behind one", `Zm9v\u002BYmFy\u007e`, `[redacted]`},
	} {
		assert.Equal(t, row.wants, scrubber(key).Scrub(row.text), row.why)
	}
	assert.Equal(t, `a[redacted]b`, scrubber("pass word").Scrub(`apass+wordb`), "a form writes a plus for a space")
}

func percents(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

func escapeEach(text, chars, format string) string {
	var b strings.Builder
	for _, r := range text {
		if strings.ContainsRune(chars, r) {
			fmt.Fprintf(&b, format, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// TestScrubReadsAnyEscapes escapes some characters of a secret, chosen at random, and
// cuts the text in pieces: nothing of the secret stays, and nothing else goes.
func TestScrubReadsAnyEscapes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		secret := rapid.StringOfN(rapid.RuneFrom([]rune(`kq7+/= %\"é€😀`)), 4, 12, 40).Draw(rt, "secret")
		secret = "K" + secret // so that it ends in no beginning of itself
		if strings.ContainsAny(secret, `\%`) {
			secret = "kq7-" + secret // two escapes in a row may mean something else
		}
		json := rapid.Bool().Draw(rt, "json")
		var text string
		for _, r := range secret {
			escaped := rapid.Bool().Draw(rt, "escaped")
			switch {
			case json && r > 0xFFFF && escaped:
				text += fmt.Sprintf(`\u%04x\u%04X`, 0xD800+(r-0x10000)>>10, 0xDC00+(r-0x10000)&0x3FF)
			case json && (escaped || r == '"' || r == '\\'):
				text += fmt.Sprintf(`\u%04x`, r)
			case !json && (escaped || r == '%' || r == '+'):
				text += percents(string(r))
			default:
				text += string(r)
			}
		}
		around := rapid.SampledFrom([]string{"", "<", `\u003c`, "%3C", "%", "zzz"})
		before, after := around.Draw(rt, "before"), around.Draw(rt, "after")
		if before == "%" {
			before = "%z" // it must not make an escape of what follows
		}
		if strings.HasSuffix(secret, `\`) && after != "" {
			after = " " + after // the last one may begin an escape, or be the second half of one
		}
		whole := before + text + after
		require.Equal(rt, before+"[redacted]"+after, scrubber(secret).Scrub(whole))
		at := rapid.IntRange(0, len(whole)).Draw(rt, "at")
		require.Equal(rt, before+"[redacted]"+after, strings.Join(scrubber(secret).ScrubPieces([]string{whole[:at], whole[at:]}), ""))
	})
}

// TestScrubWhole: what was not cut does not lose its end.
func TestScrubWhole(t *testing.T) {
	t.Parallel()
	s := scrubber("sk-proj-abcdefghijkl")
	assert.Equal(t, "[redacted] or sk-proj-abc", s.ScrubWhole("sk-proj-abcdefghijkl or sk-proj-abc"))
	assert.Equal(t, "[redacted] or [redacted]", s.Scrub("sk-proj-abcdefghijkl or sk-proj-abc"))
}

// TestScrubPiecesIsLinear has a secret in each of many pieces: a search of all of them
// for each takes minutes.
func TestScrubPiecesIsLinear(t *testing.T) {
	t.Parallel()
	pieces := make([]string, 200_000)
	for i := range pieces {
		pieces[i] = `{"role":"assist\u0061nt"}`
	}
	began := time.Now()
	for _, piece := range scrubber("assistant").ScrubPieces(pieces) {
		if piece != `{"role":"[redacted]"}` {
			t.Fatal(piece)
		}
	}
	assert.Less(t, time.Since(began), 10*time.Second)
}
