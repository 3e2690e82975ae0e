package conformance

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/replay/wire"
)

// maxRecorded is how many places of a body echo the credential into recordings,
// each of which is two files that are synced.
const maxRecorded = 12

// recorded records the exchange at both depths while the server echoes the
// credential: it is in no file, and what was recorded is replayed.
func (g *group) recorded(t *testing.T) {
	t.Helper()
	if g.adapter.Unsupported[NoCredential] == "" {
		text := g.text()
		for n, v := range values(text) {
			if n == maxRecorded {
				break
			}
			body := bytes.Join([][]byte{text[:v.from], []byte(strconv.Quote("for " + Canary)), text[v.to:]}, nil)
			a := g.with(body).whole()
			a.header = a.header.Clone()
			a.header.Set("X-Request-Id", Canary)
			g.record(t, a, g.at("the credential where "+clip(text[v.from:v.to])+" is", v.from))
		}
	}
	g.replayed(t, g.record(t, g.whole(), g.at("", -1)))
}

// A tape is what was recorded of an exchange, and its events.
type tape struct {
	recorder *replay.Recorder
	wire     *wire.Transport
	events   []byte
}

// record records one exchange and looks through the files.
func (g *group) record(t *testing.T, a act, here spot) tape {
	t.Helper()
	folder := t.TempDir()
	st := new(stage)
	st.open(a)
	rt := &wire.Transport{Mode: wire.Record, Dir: filepath.Join(folder, "wire"), Base: st}
	recorder := &replay.Recorder{Inner: g.adapter.New(t, rt), Dir: filepath.Join(folder, "model")}
	live := collect(t.Context(), recorder, g.req)
	here.check(recorder.Err() == nil && rt.Err() == nil, m05, "an exchange that can be recorded", say("%v, %v", recorder.Err(), rt.Err()))
	for name, text := range filesOf(folder) {
		here.check(!strings.Contains(text, Canary), m14, "no credential in a recording", say("%s holds it", name))
	}
	here.checkSecret(live) // last: of a clause only the first finding is told
	return tape{recorder, rt, lines(live.events)}
}

// replayed replays an exchange at both depths.
func (g *group) replayed(t *testing.T, from tape) {
	t.Helper()
	player := &replay.Replayer{ModelName: from.recorder.Name(), Dir: from.recorder.Dir, ModelSpec: from.recorder.Spec()}
	again := g.adapter.New(t, http.RoundTripper(&wire.Transport{Mode: wire.Replay, Dir: from.wire.Dir}))
	for how, model := range map[string]providers.Model{"replayed by package replay": player, "replayed by package replay/wire": again} {
		got := lines(g.at(how, -1).play(t.Context(), model, g.req).events)
		g.at(how, -1).check(bytes.Equal(from.events, got), m10, "the same events",
			func() string { return firstDifference(from.events, got) })
	}
}

// filesOf returns the files below a folder, by name.
func filesOf(folder string) map[string]string {
	files := map[string]string{}
	_ = filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[filepath.Base(path)] = string(text)
		return err
	})
	if len(files) == 0 {
		files["no file"] = fmt.Sprint("nothing was recorded: ", Canary)
	}
	return files
}
