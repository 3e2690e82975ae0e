package memory

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"github.com/weirsdk/weir/caller/ledger"
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
// text that is no saved ledger of this version, unknown members, attempts without
// a run or twice, and totals that are not those of the records.
func Load(data []byte, o Options) (*Ledger, error) {
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
