package replay_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/providers"
	"github.com/weirsdk/weir/replay"
	"github.com/weirsdk/weir/request"
	"github.com/weirsdk/weir/stream"
)

// recordAll records one reply to each request and returns the folder.
func recordAll(t *testing.T, secret providers.Secret, reqs ...request.Request) string {
	t.Helper()
	dir := t.TempDir()
	script := &replay.Scripted{}
	for range reqs {
		script.Replies = append(script.Replies, replay.Says("yes"))
	}
	recorder := &replay.Recorder{Inner: script, Dir: dir, Secrets: []providers.Secret{secret}}
	for _, req := range reqs {
		_, err := stream.Collect(recorder.Stream(t.Context(), req))
		require.NoError(t, err)
	}
	require.NoError(t, recorder.Err())
	return dir
}

func missOf(t *testing.T, dir string, req request.Request) *replay.NotRecorded {
	t.Helper()
	player := &replay.Replayer{ModelName: "scripted:model", Dir: dir}
	_, err := stream.Collect(player.Stream(t.Context(), req))
	var miss *replay.NotRecorded
	require.ErrorAs(t, err, &miss)
	return miss
}

// TestMissTellsNoCredential: what a recording leaves out of its request is no
// difference, and a miss does not print it.
func TestMissTellsNoCredential(t *testing.T) {
	t.Parallel()
	const key = "tk-canary-0123456789abcdef"
	asked := request.Request{Messages: []request.Message{request.UserText("my key is " + key)}}
	dir := recordAll(t, key, asked)
	asked.Temperature = new(0.5)
	miss := missOf(t, dir, asked)
	assert.Equal(t, "temperature", miss.Difference.Path)
	assert.NotContains(t, miss.Error(), key)

	other := request.Request{Messages: []request.Message{request.UserText("my key is tk-another-0123456789abcdef")}}
	miss = missOf(t, dir, other)
	assert.Contains(t, miss.Difference.Path, "credential")
	assert.NotContains(t, miss.Error(), "another")
}

// TestNearestIsTheOneThatReadsAlike: one word of a prompt makes no other
// conversation the nearest, nor does a message that was put in front.
func TestNearestIsTheOneThatReadsAlike(t *testing.T) {
	t.Parallel()
	weather := request.Request{Messages: []request.Message{request.UserText("What is the weather in Oslo, and what should I wear?")}}
	garden := request.Request{Messages: []request.Message{request.UserText("When do I plant tulips?")}}
	talk := request.Request{Messages: []request.Message{
		request.UserText("When do I plant tulips?"), request.AssistantText("In autumn."), request.UserText("How deep?"),
	}}
	dir := recordAll(t, "", garden, weather, talk)
	key, err := replay.KeyOfRequest("scripted:model", weather)
	require.NoError(t, err)
	miss := missOf(t, dir, request.Request{Messages: []request.Message{request.UserText("What is the weather in Bergen, and what should I wear?")}})
	assert.Equal(t, key+".json", miss.Nearest)

	key, err = replay.KeyOfRequest("scripted:model", talk)
	require.NoError(t, err)
	longer := request.Request{Messages: append([]request.Message{request.UserText("Hello."), request.AssistantText("Hello!")}, talk.Messages...)}
	miss = missOf(t, dir, longer)
	assert.Equal(t, key+".json", miss.Nearest)
	assert.Equal(t, "messages[0]", miss.Difference.Path, "what was put in front, and nothing behind it")
}
