package wire

import (
	"errors"
	"io/fs"
	"mime"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/weirsdk/weir/replay/internal/tape"
)

var errNoDir = errors.New("no folder is set for the recordings")

// isBody matches the names of bodies.
var isBody = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([a-z0-9-]+-[0-9a-f]{12})(?:\.[0-9]+)?\.body-[0-9a-f]{8}(?:\.[a-z]+){1,2}$`)
})

// bodyName returns the name of the file of a body.
func bodyName(base string, nth int, header http.Header, body []byte) string {
	stem := base
	if nth > 1 {
		stem += "." + strconv.Itoa(nth)
	}
	name := stem + bodyMark + bodySum(body) + bodyExtension(header.Get("Content-Type"))
	if strings.HasSuffix(header.Get("Content-Encoding"), "gzip") {
		name += ".gz"
	}
	return name
}

func bodyExtension(contentType string) string {
	media, _, _ := mime.ParseMediaType(contentType)
	switch {
	case media == "text/event-stream":
		return ".sse"
	case strings.HasSuffix(media, "ndjson") || strings.HasSuffix(media, "jsonl"):
		return ".ndjson"
	case strings.HasSuffix(media, "/json") || strings.HasSuffix(media, "+json"):
		return ".json"
	case media == "text/html":
		return ".html"
	case strings.HasPrefix(media, "text/"):
		return ".txt"
	default:
		return ".bin"
	}
}

// filesOf returns the files in dir of recordings with the base, exchanges by number.
func filesOf(dir, base string) (heads, bodies []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	numbers := map[string]int{}
	for _, e := range entries {
		name := e.Name()
		if key, nth, ok := tape.ParseName(name); ok && key == base {
			heads = append(heads, name)
			numbers[name] = nth
		} else if m := isBody().FindStringSubmatch(name); m != nil && m[1] == base {
			bodies = append(bodies, name)
		}
	}
	slices.SortFunc(heads, func(a, b string) int { return numbers[a] - numbers[b] })
	return heads, bodies, nil
}
