package wire_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weirsdk/weir/replay/wire"
)

// redirecting answers /v1/a with a redirect that has a page, and what is asked next with
// its place.
func redirecting(status int, location string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/a") {
			place := strings.ReplaceAll(location, "HOST", r.Host)
			w.Header().Set("Location", place)
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `<a href="`+html.EscapeString(place)+`">here</a>`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, r.Method+" "+r.URL.Path+" id="+r.URL.Query().Get("id")+" "+string(body))
	}
}

// followed asks by an ordinary client and returns what is at the end of the way.
func followed(tb testing.TB, client *http.Client, url string) string {
	tb.Helper()
	resp, err := ask(tb, client, url, `{"a":1}`)
	require.NoError(tb, err)
	text, err := io.ReadAll(resp.Body)
	require.NoError(tb, err)
	require.NoError(tb, resp.Body.Close())
	return resp.Status + " " + string(text)
}

// TestRedirects lead an ordinary client to the recording of where they led, by a
// Transport and by a Server, and no credential in their address is stored.
func TestRedirects(t *testing.T) {
	t.Parallel()
	rows := []struct {
		why      string
		status   int
		location string
		end      string
	}{
		{"a relative place", 307, "/v1/b", `200 OK POST /v1/b id= {"a":1}`},
		{"one beside", 308, "b?id=7", `200 OK POST /v1/b id=7 {"a":1}`},
		{"one to be got", 303, "/v1/b?id=7", "200 OK GET /v1/b id=7 "},
		{"a whole address", 307, "http://HOST/v1/b%2Fc?id=7&api-version=3", `200 OK POST /v1/b/c id=7 {"a":1}`},
		{"one without a scheme", 302, "//HOST/v1/b", "200 OK GET /v1/b id= "},
		{"a credential in it", 307, "/v1/b?id=7&key=" + plainCanary, `200 OK POST /v1/b id=7 {"a":1}`},
		{"user info", 303, "http://me:" + plainCanary + "@HOST/v1/b", "200 OK GET /v1/b id= "},
		{"a signed address", 303, "http://HOST/v1/b?X-Amz-Signature=" + plainCanary + "&X-Amz-Date=20261201&id=7", "200 OK GET /v1/b id=7 "},
	}
	for _, row := range rows {
		live := httptest.NewServer(redirecting(row.status, row.location))
		dir := t.TempDir()
		rec := recorder(dir, live.Client().Transport)
		assert.Equal(t, row.end, followed(t, &http.Client{Transport: rec}, live.URL+"/v1/a"), row.why)
		live.Close()
		require.NoError(t, rec.Err())
		assertClean(t, dir, plainCanary)

		rt := &wire.Transport{Dir: dir}
		assert.Equal(t, row.end, followed(t, &http.Client{Transport: rt}, live.URL+"/v1/a"), row.why)
		assert.Equal(t, row.end, followed(t, &http.Client{Transport: &wire.Transport{Dir: dir}}, "https://api.example.com/v1/a"), row.why)
		assert.Empty(t, rt.Unused(), row.why)

		loaded, err := wire.Load(os.DirFS(dir))
		require.NoError(t, err)
		for _, prefix := range []string{"", "/mock%2Fof/it"} {
			for _, h2 := range []bool{false, true} {
				client, url := serve(t, &wire.Server{Recordings: loaded}, h2)
				assert.Equal(t, row.end, followed(t, client, url+prefix+"/v1/a"), "%s under %q", row.why, prefix)
			}
		}
	}
}

// TestRedirectUnderAPrefix stays under it, so that a server may have a part of the
// paths only.
func TestRedirectUnderAPrefix(t *testing.T) {
	t.Parallel()
	for location, want := range map[string]string{
		"/v1/b?id=7":                      "/mock%2Fof/it/v1/b?id=7",
		"b":                               "b",
		"//api.example.com/v1/b%2Fc":      "//example.com/mock%2Fof/it/v1/b%2Fc",
		"https://api.example.com:8443/b":  "http://example.com/mock%2Fof/it/b",
		"mailto:somebody@api.example.com": "mailto:somebody@api.example.com",
	} {
		s := &wire.Server{Recordings: recordings(t, &script{status: 307, header: http.Header{"Location": {location}}}, "/v1/a", "{}")}
		answer := httptest.NewRecorder()
		s.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mock%2Fof/it/v1/a", strings.NewReader("{}")))
		assert.Equal(t, want, answer.Header().Get("Location"))
	}
}

// TestRedirectsThatLookLikeKeys: a value that nobody vouched for is not stored, so its
// redirect leads nowhere until its name is kept.
func TestRedirectsThatLookLikeKeys(t *testing.T) {
	t.Parallel()
	const value = "c4nary0123456789"
	live := httptest.NewServer(redirecting(http.StatusSeeOther, "/v1/b?id="+value))
	defer live.Close()
	for _, keep := range [][]string{nil, {"ID"}} {
		dir := t.TempDir()
		rec := recorder(dir, live.Client().Transport)
		rec.Keep = keep
		end := followed(t, &http.Client{Transport: rec}, live.URL+"/v1/a")
		require.NoError(t, rec.Err())
		resp, err := ask(t, &http.Client{Transport: &wire.Transport{Dir: dir}}, live.URL+"/v1/a", `{"a":1}`)
		if keep == nil {
			require.ErrorIs(t, err, wire.ErrNotRecorded)
			continue
		}
		require.NoError(t, err)
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		assert.Equal(t, end, resp.Status+" "+string(text))
	}
}
