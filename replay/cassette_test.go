package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "weather")
	live := func() (providers.Model, error) { return plays(hello("a")...), nil }
	m, err := replay.Open(dir, "test:m", true, live)
	require.NoError(t, err)
	require.NotNil(t, m.Recorder)
	all(m, ask("hi"))
	all(m, ask("ho"))
	require.NoError(t, m.Close())

	m, err = replay.Open(dir, "test:m", false, nil)
	require.NoError(t, err)
	require.NotNil(t, m.Replayer)
	assert.Equal(t, "test:m", m.Name())
	assert.Equal(t, lines(hello("a")), lines(all(m, ask("hi"))))
	err = m.Close()
	assert.ErrorIs(t, err, &events.Failure{Kind: events.Other})
	key, _ := replay.KeyOfRequest("test:m", ask("ho"))
	assert.ErrorContains(t, err, key+".json", "what was never played")
	all(m, ask("ho"))
	assert.NoError(t, m.Close())
}

func TestOpenFails(t *testing.T) {
	t.Parallel()
	none := errors.New("no key")
	_, err := replay.Open(t.TempDir(), "test:m", true, func() (providers.Model, error) { return nil, none })
	assert.ErrorIs(t, err, none)
	_, err = replay.Open(t.TempDir(), "test:n", true, func() (providers.Model, error) { return plays(), nil })
	assert.ErrorIs(t, err, &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig})

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	m, err := replay.Open(file, "test:m", true, func() (providers.Model, error) { return plays(hello("a")...), nil })
	require.NoError(t, err)
	all(m, ask("hi"))
	assert.ErrorIs(t, m.Close(), &events.Failure{Kind: events.Other})
	m, err = replay.Open(file, "test:m", false, nil)
	require.NoError(t, err)
	assert.ErrorIs(t, m.Close(), &events.Failure{Kind: events.Other})
	assert.Equal(t, events.Other, failure(t, all(m, ask("hi"))).Kind)
}

// TestCloseTells what a test that passes may hide.
func TestCloseTells(t *testing.T) {
	t.Parallel()
	named := func(name string) providers.Model { m := plays(hello("a")...); m.name = name; return m }
	hi, err := replay.KeyOfRequest("test:m", ask("hi"))
	require.NoError(t, err)
	for _, c := range []struct {
		why  string
		dir  func(t *testing.T) string
		use  func(m providers.Model)
		want *events.Failure
		says string
	}{
		{
			"a request that was not recorded, though all that was recorded is played",
			func(t *testing.T) string { return record(t, named("test:m"), ask("hi")) },
			func(m providers.Model) { all(m, ask("ho")); all(m, ask("ha")); all(m, ask("hi")) },
			&events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}, `asked "ho"`,
		},
		{
			"a request once too often",
			func(t *testing.T) string { return record(t, named("test:m"), ask("hi")) },
			func(m providers.Model) { all(m, ask("hi")); all(m, ask("hi")) },
			&events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}, "recorded once and was asked for 2 times",
		},
		{
			"a recording that cannot be used",
			func(t *testing.T) string {
				dir := record(t, named("test:m"), ask("hi"))
				edit(t, dir, func(s string) string { return s[:9] })
				return dir
			},
			func(m providers.Model) { all(m, ask("hi")) },
			&events.Failure{Kind: events.Other, Reason: events.ReasonMalformed}, hi + ".json",
		},
		{
			"a request that cannot be",
			func(t *testing.T) string { return record(t, named("test:m"), ask("hi")) },
			func(m providers.Model) {
				all(m, ask("hi"))
				all(m, request.Request{Extra: map[string]string{"chat": "?"}})
			},
			&events.Failure{Kind: events.InvalidRequest}, "",
		},
		{
			"an empty folder", func(t *testing.T) string { return t.TempDir() }, func(providers.Model) {},
			&events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}, "no recordings of test:m",
		},
		{
			"a folder that is not there", func(t *testing.T) string { return filepath.Join(t.TempDir(), "wether") }, func(providers.Model) {},
			&events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}, "wether",
		},
		{
			"recordings of another name of the model only",
			func(t *testing.T) string { return record(t, named("test:old"), ask("hi")) }, func(providers.Model) {},
			&events.Failure{Kind: events.Other, Reason: events.ReasonNotRecorded}, "some of test:old",
		},
		{
			"recordings of another name of the model too",
			func(t *testing.T) string {
				dir := record(t, named("test:m"), ask("hi"))
				all(&replay.Recorder{Inner: named("test:old"), Dir: dir}, ask("hi"))
				return dir
			},
			func(m providers.Model) { all(m, ask("hi")) },
			&events.Failure{Kind: events.Other}, "of other models than test:m",
		},
		{
			"recordings that were not played",
			func(t *testing.T) string { return record(t, named("test:m"), ask("hi"), ask("ho")) },
			func(m providers.Model) { all(m, ask("ho")) },
			&events.Failure{Kind: events.Other}, hi + ".json",
		},
		{
			"all is played, a failure too",
			func(t *testing.T) string {
				return record(t, plays(started(), events.NewFailed(events.NewFailure(events.Overloaded, "", ""))), ask("hi"))
			},
			func(m providers.Model) { all(m, ask("hi")) }, nil, "",
		},
	} {
		m, err := replay.Open(c.dir(t), "test:m", false, nil)
		require.NoError(t, err)
		c.use(m)
		err = m.Close()
		if c.want == nil {
			assert.NoError(t, err, c.why)
			continue
		}
		assert.ErrorIs(t, err, c.want, c.why)
		assert.ErrorContains(t, err, c.says, c.why)
	}
}

func TestCloseOfACassetteThatWasNotOpened(t *testing.T) {
	t.Parallel()
	bad := &events.Failure{Kind: events.InvalidRequest, Reason: events.ReasonBadConfig}
	var none *replay.Cassette
	assert.ErrorIs(t, none.Close(), bad)
	assert.ErrorIs(t, new(replay.Cassette).Close(), bad)
}

func TestErrOfAReplayer(t *testing.T) {
	t.Parallel()
	p := replayer(record(t, plays(hello("a")...), ask("hi")))
	assert.NoError(t, p.Err())
	all(p, ask("hi"))
	assert.NoError(t, p.Err())
	first := failure(t, all(p, ask("ho")))
	all(p, ask("ha"))
	var n *replay.NotRecorded
	require.ErrorAs(t, p.Err(), &n)
	assert.Equal(t, first.Detail, n.Error(), "the first")
}
