package memory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/weirsdk/weir/caller/ledger"
	"github.com/weirsdk/weir/events"
)

// version is that of the saved form.
const version = 1

// saved is the saved form of a ledger.
type saved struct {
	Version int             `json:"version"`
	Runs    []book          `json:"runs"`
	Records []ledger.Record `json:"records"`
}

// Save returns the ledger as JSON. Open attempts are saved as they are: after
// [Load] it is for Recover to book them.
func (l *Ledger) Save() ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := saved{Version: version, Runs: []book{}, Records: []ledger.Record{}}
	for _, b := range l.order {
		s.Runs = append(s.Runs, *b)
	}
	for _, r := range l.records {
		s.Records = append(s.Records, *r)
	}
	data, err := json.Marshal(s)
	if err != nil {
		return nil, ledger.Unavailable("the ledger cannot be written: " + err.Error())
	}
	return data, nil
}

// Load returns the ledger that was saved. It refuses, as limit/ledger_unavailable,
// text that is no saved ledger of this version, unknown members and members twice, runs
// and records that no ledger can hold, attempts without a run or twice, and totals that
// are not those of the records.
func Load(data []byte, o Options) (*Ledger, error) {
	if err := checkMembers(data); err != nil {
		return nil, err
	}
	var s saved
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&s); err != nil {
		return nil, ledger.Unavailable("not a saved ledger: " + err.Error())
	}
	if _, err := d.Token(); s.Version != version || !errors.Is(err, io.EOF) {
		return nil, ledger.Unavailable("not a saved ledger of version " + strconv.Itoa(version))
	}
	l := New(o)
	for i := range s.Runs {
		if err := s.Runs[i].check(); err != nil {
			return nil, err
		}
		if _, twice := l.runs[s.Runs[i].ID]; twice {
			return nil, ledger.Unavailable("the saved ledger has a run twice: " + strconv.Quote(s.Runs[i].ID))
		}
		l.runs[s.Runs[i].ID] = &s.Runs[i]
		l.order = append(l.order, &s.Runs[i])
	}
	if err := l.load(s.Records); err != nil {
		return nil, err
	}
	return l, nil
}

// check returns what no ledger can hold of a run.
func (b *book) check() error {
	forgotten := b.Run
	forgotten.Totals = b.Forgotten
	if err := cmp.Or(b.Check(), forgotten.Check()); err != nil {
		return err
	}
	if f := b.Forgotten; f.Open != 0 || f.OpenTokens != 0 || f.OpenCost != 0 {
		return ledger.Unavailable("the saved ledger has forgotten attempts that are open, of run " + strconv.Quote(b.ID))
	}
	return nil
}

// checkMembers refuses what encoding/json lets pass: a member twice, of which the last
// would count, and names in other letters than Save writes.
func checkMembers(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	var open []map[string]bool // the members of each value that is open; nil for an array
	isName := false            // the next text is one
	for {
		token, err := d.Token()
		if err != nil {
			return nil //nolint:nilerr // what is no JSON is refused where it is read
		}
		switch token {
		case json.Delim('{'):
			open, isName = append(open, map[string]bool{}), true
			continue
		case json.Delim('['):
			open = append(open, nil)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		default:
			if name, _ := token.(string); isName {
				members := open[len(open)-1]
				if members[name] || strings.Trim(name, letters) != "" {
					return ledger.Unavailable("not a saved ledger: a member is there twice, or in other letters: " + strconv.Quote(events.CutText(name, ledger.MaxName)))
				}
				members[name], isName = true, false
				continue
			}
		}
		isName = len(open) > 0 && open[len(open)-1] != nil
	}
}

// letters are those of the names that Save writes.
const letters = "abcdefghijklmnopqrstuvwxyz_"

// load takes the records and holds them against the totals.
func (l *Ledger) load(records []ledger.Record) error {
	sums := map[string]ledger.Totals{}
	for i := range records {
		r := &records[i]
		b, ok := l.runs[r.Run]
		if err := r.Check(); err != nil {
			return err
		}
		if _, twice := l.attempts[r.Attempt]; twice || !ok {
			return ledger.Unavailable("the saved ledger has an attempt twice or without its run: " + strconv.Quote(r.Attempt))
		}
		l.attempts[r.Attempt] = r
		l.records = append(l.records, r)
		if r.Status() != ledger.Dispatched {
			l.ended++
		}
		sums[b.ID] = sums[b.ID].Plus(ledger.TotalsOf(*r))
	}
	for _, b := range l.order {
		if !b.Totals.Agrees(sums[b.ID].Plus(b.Forgotten)) {
			return ledger.Unavailable("the totals of run " + strconv.Quote(b.ID) + " are not those of its records")
		}
	}
	return nil
}
