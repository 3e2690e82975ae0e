package wire

import (
	"sync"
)

// A player hands out recordings: the nth for the nth identical request.
type player struct {
	recordings *Recordings
	repeat     bool // begin anew after the last

	mu     sync.Mutex
	asked  map[string]int  // by key, or by method and path for any
	played map[string]bool // by name
}

// next returns the next recording of a question, or nil and what is missing.
func (p *player) next(q question) (*recording, *NotRecorded) {
	key, err := q.key()
	if err != nil {
		return nil, &NotRecorded{Method: q.Method, Path: q.Path}
	}
	sequence := p.recordings.byKey[key]
	asked := p.count(key)
	nth := asked
	if p.repeat && len(sequence) > 0 {
		nth = (asked-1)%len(sequence) + 1
	}
	if one := sequence[nth]; one != nil {
		p.note(one)
		return one, nil
	}
	miss := &NotRecorded{Key: key, Method: q.Method, Path: q.Path, Asked: asked, Recorded: len(sequence)}
	if last := sequence[len(sequence)]; last != nil {
		miss.Nearest = last.name
		return nil, miss
	}
	miss.Nearest, miss.Difference = p.recordings.nearest(q)
	return nil, miss
}

// nextOf returns the next of some recordings, whatever was asked.
func (p *player) nextOf(place string, all []*recording) *recording {
	n := p.count(place)
	if p.repeat && len(all) > 0 {
		n = (n-1)%len(all) + 1
	}
	if n > len(all) {
		return nil
	}
	p.note(all[n-1])
	return all[n-1]
}

func (p *player) count(key string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked == nil {
		p.asked = map[string]int{}
	}
	p.asked[key]++
	return p.asked[key]
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
