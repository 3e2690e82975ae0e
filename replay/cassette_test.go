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
