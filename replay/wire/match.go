package wire

import (
	"slices"
	"strings"
)

// find returns the recording for a question, or nil and what is missing. One that
// stays is found again.
func (s *Server) find(q question, stays bool) (*recording, *NotRecorded) {
	p := s.player()
	paths := p.recordings.pathsFor(q.Path)
	if len(paths) > 0 {
		asked := q
		q.Path = paths[0]
		for _, path := range paths {
			asked.Path = path
			if p.recordings.has(asked) {
				q = asked
				break
			}
		}
	}
	one, miss := p.next(q, stays)
	if miss != nil && s.Any {
		if other := p.nextOf(q.Method+" "+q.Path, p.recordings.at(q.Method, q.Path), stays); other != nil {
			return other, nil
		}
	}
	return one, miss
}

// pathsFor returns the recorded paths that a path may stand for, the likeliest
// first: itself, else those that it ends in, or that end in it, the longest first.
func (r *Recordings) pathsFor(path string) []string {
	var paths []string
	for _, one := range r.all {
		recorded := one.Request.Path
		if recorded == path {
			return []string{path}
		}
		if endsIn(path, recorded) || endsIn(recorded, path) {
			paths = append(paths, recorded)
		}
	}
	slices.SortFunc(paths, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(paths)
}

// endsIn reports whether a path ends in all segments of another.
func endsIn(path, end string) bool {
	return strings.HasPrefix(end, "/") && len(end) > 1 && strings.HasSuffix(path, end)
}

func (r *Recordings) has(q question) bool {
	key, err := q.key()
	return err == nil && len(r.byKey[key]) > 0
}

// at returns the recordings of a method and path.
func (r *Recordings) at(method, path string) []*recording {
	var all []*recording
	for _, one := range r.all {
		if one.Request.Method == method && one.Request.Path == path {
			all = append(all, one)
		}
	}
	return all
}
