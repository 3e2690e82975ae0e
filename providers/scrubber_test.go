package providers_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/providers/internal/canned"
	"github.com/weirsdk/weir/providers/openai"
)

func scrubber(secrets ...string) *providers.Scrubber {
	s := new(providers.Scrubber)
	s.Add(secrets...)
	return s
}

func TestScrub(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why           string
		secrets       []string
		pieces, wants []string
	}{
		{"the zero scrubber knows nothing", nil, []string{"a secret"}, []string{"a secret"}},
		{"no pieces", []string{"hunter22"}, nil, nil},
		{"one of several", []string{"hunter22", "swordfish"}, []string{"a swordfish b"}, []string{"a [redacted] b"}},
		{"twice", []string{"hunter22"}, []string{"hunter22 hunter22"}, []string{"[redacted] [redacted]"}},
		{"side by side", []string{"hunter22"}, []string{"hunter22hunter22"}, []string{"[redacted][redacted]"}},
		{"a part of another one does not leave the rest", []string{"key-", "key-0123"}, []string{"key-0123"}, []string{"[redacted]"}},
		{"overlapping ones are one", []string{"abcdef", "defghi"}, []string{"-abcdefghi-"}, []string{"-[redacted]-"}},
		{"four bytes are enough", []string{"tk-1"}, []string{"a tk-1"}, []string{"a [redacted]"}},
		{"three would tear words", []string{"the"}, []string{"there"}, []string{"there"}},
		{"none at all", []string{""}, []string{"there"}, []string{"there"}},
		{"over two pieces", []string{"hunter22"}, []string{"a hun", "ter22 b"}, []string{"a [redacted]", " b"}},
		{"a piece in the middle becomes empty", []string{"hunter22"}, []string{"hun", "ter", "22", "!"}, []string{"[redacted]", "", "", "!"}},
		{"two in one piece and over its end", []string{"hunter22"}, []string{"hunter22 hunt", "er22"}, []string{"[redacted] [redacted]", ""}},
		{"an end that is cut in one", []string{"tk-canary-0123"}, []string{"key tk-canar"}, []string{"key [redacted]"}},
		{"a cut end over two pieces", []string{"tk-canary-0123"}, []string{"key tk-ca", "nary"}, []string{"key [redacted]", ""}},
		{"seven bytes of one may be anything", []string{"tk-canary-0123"}, []string{"key tk-cana"}, []string{"key tk-cana"}},
		{"a cut that is not at the end is no secret", []string{"tk-canary-0123"}, []string{"tk-canary x"}, []string{"tk-canary x"}},
	} {
		given := append([]string(nil), c.pieces...)
		assert.Equal(t, c.wants, scrubber(c.secrets...).ScrubPieces(c.pieces), c.why)
		assert.Equal(t, given, c.pieces, "the pieces are the caller's: "+c.why)
	}
}

// TestScrubPiecesIsScrub holds pieces to the whole, and the whole to a slow search
// that marks bytes.
func TestScrubPiecesIsScrub(t *testing.T) {
	t.Parallel()
	word := rapid.StringOfN(rapid.RuneFrom([]rune("abc")), 1, 10, -1)
	rapid.Check(t, func(rt *rapid.T) {
		secrets := rapid.SliceOfN(word, 0, 3).Draw(rt, "secrets")
		pieces := rapid.SliceOfN(word, 1, 8).Draw(rt, "pieces")
		s := scrubber(secrets...)
		text := strings.Join(pieces, "")
		scrubbed := s.ScrubPieces(pieces)
		require.Len(rt, scrubbed, len(pieces))
		require.Equal(rt, s.Scrub(text), strings.Join(scrubbed, ""))
		for _, secret := range secrets {
			if len(secret) >= 4 {
				require.NotContains(rt, s.Scrub(text), secret)
			}
		}
		require.Equal(rt, kept(text, secrets), strings.ReplaceAll(s.Scrub(text), "[redacted]", ""))
	})
}

// kept returns the bytes of text that are in no secret.
func kept(text string, secrets []string) string {
	marked := make([]bool, len(text))
	mark := func(begin, end int) {
		for i := begin; i < end; i++ {
			marked[i] = true
		}
	}
	for _, secret := range secrets {
		if len(secret) < 4 {
			continue
		}
		for i := 0; i+len(secret) <= len(text); i++ {
			if text[i:i+len(secret)] == secret {
				mark(i, i+len(secret))
				i += len(secret) - 1
			}
		}
		for n := 8; n < len(secret); n++ {
			if strings.HasSuffix(text, secret[:n]) {
				mark(len(text)-n, len(text))
			}
		}
	}
	var b strings.Builder
	for i := range len(text) {
		if !marked[i] {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

func TestScrubberPrintsNothing(t *testing.T) {
	t.Parallel()
	s := scrubber(canary)
	for _, printed := range []string{fmt.Sprint(s), fmt.Sprintf("%+v", s), fmt.Sprintf("%#v", s)} {
		assert.NotContains(t, printed, canary)
	}
}

func TestScrubberIsConcurrent(t *testing.T) {
	t.Parallel()
	s := new(providers.Scrubber)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			s.Add(fmt.Sprintf("secret-%02d", i))
			assert.Equal(t, "[redacted]", s.Scrub(fmt.Sprintf("secret-%02d", i)))
		})
	}
	all.Wait()
	assert.Equal(t, "[redacted] [redacted]", s.Scrub("secret-00 secret-49"))
}

// TestTransportsTellTheScrubbers needs the secrets before anything is sent, in the
// spellings of an echo, for the scrubbers of all contexts.
func TestTransportsTellTheScrubbers(t *testing.T) {
	t.Parallel()
	const key = `tk-"canary"-0123456789`
	outer, inner := new(providers.Scrubber), new(providers.Scrubber)
	early := ""
	rt := roundTrip(func(req *http.Request) (*http.Response, error) {
		early = inner.Scrub(key)
		return (&canned.Transport{Status: http.StatusUnauthorized}).RoundTrip(req)
	})
	m, err := openai.New(openai.Config{Key: key, Model: "m", HTTPClient: &http.Client{Transport: rt}})
	require.NoError(t, err)
	ctx := providers.WithScrubber(providers.WithScrubber(context.Background(), outer), inner)
	s := m.Stream(ctx, hello())
	assert.Equal(t, key, inner.Scrub(key), "nothing is known before the stream is ranged")
	for range s {
	}
	assert.Equal(t, "[redacted]", early)
	for _, s := range []*providers.Scrubber{outer, inner} {
		assert.Equal(t, "[redacted] [redacted] [redacted]", s.Scrub(key+` tk-\"canary\"-0123456789 tk-%22canary%22-0123456789`))
	}
}

func TestTellSecretsNeedsNoScrubber(t *testing.T) {
	t.Parallel()
	assert.NotPanics(t, func() { providers.TellSecrets(context.Background(), canary) })
}

type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return r(req) }

func TestScrubberKnowsEverySpelling(t *testing.T) {
	t.Parallel()
	const secret = `p/w "ö+&`
	for why, text := range map[string]string{
		"plain":                 secret,
		"JSON":                  `p/w \"ö+&`,
		"JSON with HTML escape": `p/w \"ö+\u0026`,
		"JSON with slashes":     `p\/w \"ö+&`,
		"a query":               "p%2Fw+%22%C3%B6%2B%26",
		"a path":                "p%2Fw%20%22%C3%B6+&",
		"lower hex":             "p%2fw+%22%c3%b6%2b%26",
		"base64":                base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 in a pair":      base64.StdEncoding.EncodeToString([]byte("user:" + secret + ":x")),
		"base64 for URLs":       base64.RawURLEncoding.EncodeToString([]byte(secret)),
	} {
		got := scrubber(secret).Scrub("<<" + text + ">>")
		assert.Contains(t, got, "[redacted]", why)
		assert.Less(t, len(got)-len("<<[redacted]>>"), 14, "%s: %s", why, got)
	}
	assert.Equal(t, "p/w", scrubber(secret).Scrub("p/w"), "a beginning of fewer than eight bytes is nothing")
}
