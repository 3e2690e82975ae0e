package wire

import (
	"sync"

	"github.com/weirsdk/weir/replay/internal/tape"
)

// A player hands out recordings: the nth for the nth identical request.
type player struct {
	recordings *Recordings
	repeat     bool // begin anew after the last

	mu     sync.Mutex
	asked  map[string]int  // by key, or by method and path for any
	played map[string]bool // by name
}

// next returns the next recording of a question, or nil and what is missing. One that
// stays is the next again.
func (p *player) next(q question, stays bool) (*recording, *NotRecorded) {
	key, err := q.key()
	if err != nil {
		return nil, &NotRecorded{Method: q.Method, Path: q.Path}
	}
	sequence := p.recordings.byKey[key]
	last := 0
	for n := range sequence {
		last = max(last, n)
	}
	asked := p.count(key, stays)
	nth := asked
	if p.repeat && last > 0 {
		nth = (asked-1)%last + 1
	}
	if one := sequence[nth]; one != nil {
		p.note(one)
		return one, nil
	}
	miss := &NotRecorded{Key: key, Method: q.Method, Path: q.Path, Asked: asked, Recorded: len(sequence)}
	if last == 0 {
		miss.Nearest, miss.Difference = p.recordings.nearest(q)
		miss.nothing = p.recordings.nothing()
		return nil, miss
	}
	miss.Nearest = sequence[last].name
	if nth < last {
		base, _, _ := tape.ParseName(miss.Nearest)
		miss.Missing = tape.Name(base, nth)
	}
	return nil, miss
}

// nextOf returns the next of some recordings, whatever was asked.
func (p *player) nextOf(place string, all []*recording, stays bool) *recording {
	n := p.count(place, stays)
	if p.repeat && len(all) > 0 {
		n = (n-1)%len(all) + 1
	}
	if n > len(all) {
		return nil
	}
	p.note(all[n-1])
	return all[n-1]
}

// count returns how often something was asked for, this time included, and counts
// this time unless the answer stays for the next.
func (p *player) count(key string, stays bool) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked == nil {
		p.asked = map[string]int{}
	}
	n := p.asked[key] + 1
	if !stays {
		p.asked[key] = n
	}
	return n
}

func (p *player) note(one *recording) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.played == nil {
		p.played = map[string]bool{}
	}
	p.played[one.name] = true
}

// unused returns the names of the recordings that were not handed out.
func (p *player) unused() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var names []string
	for _, one := range p.recordings.all {
		if !p.played[one.name] {
			names = append(names, one.name)
		}
	}
	return names
}
