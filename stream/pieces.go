package stream

import "unsafe"

// pieces is the text of all blocks of one kind, joined in the order of arrival.
// Both slices only ever grow: what was written is not written again.
type pieces struct {
	text []byte
	runs []run
}

// A run is a stretch of text that belongs to one block; it reaches to the start
// of the next run.
type run struct {
	index int32
	start int
}

func (p *pieces) add(index int32, text string) {
	if n := len(p.runs); n == 0 || p.runs[n-1].index != index {
		p.runs = append(p.runs, run{index, len(p.text)})
	}
	p.text = append(p.text, text...)
}

// all returns the whole text. The string shares the bytes, which is sound
// because they are never written again.
func (p *pieces) all() string {
	return unsafe.String(unsafe.SliceData(p.text), len(p.text))
}

// clip makes the next add leave the arrays behind.
func (p *pieces) clip() {
	p.text = p.text[:len(p.text):len(p.text)]
	p.runs = p.runs[:len(p.runs):len(p.runs)]
}

// A block is the text of one block.
type block struct {
	index int32
	text  string
}

// blocks returns the text of each block, in the order in which they began. The
// text of a block that came in one run is not copied.
func (p *pieces) blocks() []block {
	all := p.all()
	at := make(map[int32]int, 1)
	var found []block
	joined := make(map[int32][]byte)
	for i, r := range p.runs {
		end := len(all)
		if i+1 < len(p.runs) {
			end = p.runs[i+1].start
		}
		part := all[r.start:end]
		n, seen := at[r.index]
		if !seen {
			at[r.index] = len(found)
			found = append(found, block{r.index, part})
			continue
		}
		if joined[r.index] == nil {
			joined[r.index] = []byte(found[n].text)
		}
		joined[r.index] = append(joined[r.index], part...)
	}
	for index, text := range joined {
		found[at[index]].text = string(text)
	}
	return found
}
