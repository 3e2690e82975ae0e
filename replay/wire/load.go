package wire

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
	"github.com/weirsdk/weir/replay/internal/tape"
)

// Recordings are the exchanges of one folder, in memory. They are not changed once
// loaded, so any number of servers may share them. The zero Recordings are none.
type Recordings struct {
	all   []*recording // by file name, the nth of a key behind the one before it
	byKey map[string]map[int]*recording
	plain []string // the query parameters whose values stand in them
	// instead is what the folder holds when it has no recordings; dir is its name, where
	// that is known, and missing says that it is not there.
	instead, dir string
	missing      bool
}

// Names returns the files of the recordings, in order.
func (r *Recordings) Names() []string {
	var names []string
	for _, one := range r.all {
		names = append(names, one.name)
	}
	return names
}

// A BadRecording is the error of a recording that cannot be used. It is wrapped in
// an *events.Failure of kind other.
type BadRecording struct {
	// File is its name.
	File string
	// Problem is what is wrong with it and what to do, for people.
	Problem string
}

// Error returns the file and the problem.
func (b *BadRecording) Error() string { return "recording " + b.File + ": " + b.Problem }

// Load reads the recordings of the root of a file system, for instance os.DirFS or
// embedded files; other files, and those of folders below, are passed over. When there
// are no recordings [Recordings.Instead] may say where they are. Errors are failures of
// kind other that wrap a [BadRecording], or the error of the file system: with reason
// not_recorded, and [ErrNotRecorded] in the chain, when the root itself is not there.
//
// It takes memory in proportion to the files, and nothing in them makes it take more.
// Where a symbolic link leads is the business of the file system: os.DirFS follows one
// out of the folder, and the FS of an os.Root does not. Take that for a folder that
// somebody else may have filled.
func Load(source fs.FS) (*Recordings, error) {
	if source == nil {
		return nil, failureOfFiles(errNoDir)
	}
	entries, err := fs.ReadDir(source, ".")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, failureOfNothing((&Recordings{missing: true}).nothing(), err)
	case err != nil:
		return nil, failureOfFiles(err)
	}
	r := &Recordings{byKey: map[string]map[int]*recording{}}
	for _, e := range entries {
		base, nth, ok := tape.ParseName(e.Name())
		if !ok || !tape.IsSlug(base) {
			continue
		}
		regular, err := isRegular(source, e.Name())
		switch {
		case err != nil:
			return nil, failureOfFiles(err)
		case !regular:
			continue
		}
		one, err := load(source, e.Name())
		if err != nil {
			return nil, err
		}
		one.base, one.nth = base, nth
		r.all = append(r.all, one)
		if r.byKey[one.Key] == nil {
			r.byKey[one.Key] = map[int]*recording{}
		}
		r.byKey[one.Key][nth] = one
		r.plain = append(r.plain, one.Request.plainNames()...)
	}
	// By number, not as text: .2.json comes before .json there.
	slices.SortStableFunc(r.all, func(a, b *recording) int {
		return cmp.Or(strings.Compare(a.base, b.base), cmp.Compare(a.nth, b.nth))
	})
	slices.Sort(r.plain)
	r.plain = slices.Compact(r.plain)
	if len(r.all) == 0 {
		r.instead = insteadOf(source, entries)
	}
	return r, nil
}

// load reads one recording.
func load(source fs.FS, name string) (*recording, error) {
	text, err := fs.ReadFile(source, name)
	if err != nil {
		return nil, failureOfFiles(err)
	}
	one, bad := parse(name, text)
	if bad != nil {
		return nil, failureOfRecording(bad)
	}
	if one.Response == nil {
		return one, nil
	}
	if file := one.Response.BodyFile; file != "" {
		one.body, err = readBody(source, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, failureOfRecording(&BadRecording{name, "its body " + file + " is missing: record it again"})
		case errors.Is(err, errNoFile):
			return nil, failureOfRecording(&BadRecording{name, "its body " + file + " is no file: record it again"})
		case err != nil:
			return nil, failureOfFiles(err)
		}
	}
	if problem := one.edited(); problem != "" {
		return nil, failureOfRecording(&BadRecording{name, problem})
	}
	if bad := one.fit(); bad != nil {
		return nil, failureOfRecording(bad)
	}
	return one, nil
}

var errNoFile = errors.New("it is no file")

func readBody(source fs.FS, name string) ([]byte, error) {
	regular, err := isRegular(source, name)
	switch {
	case err != nil:
		return nil, err
	case !regular:
		return nil, errNoFile
	}
	return fs.ReadFile(source, name)
}

// isRegular reports whether a name is that of a file, or leads to one: reading a pipe or
// a device may have no end.
func isRegular(source fs.FS, name string) (bool, error) {
	info, err := fs.Stat(source, name)
	return err == nil && info.Mode().IsRegular(), err
}

// parse reads and checks the text of an exchange.
func parse(name string, text []byte) (*recording, *BadRecording) {
	bad := func(problem string) (*recording, *BadRecording) { return nil, &BadRecording{name, problem} }
	var v struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return bad("it cannot be read: " + err.Error())
	}
	if v.Version != formatVersion {
		return bad("it is of another version of the format: record it again, or take a newer weir")
	}
	one := &recording{name: name}
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	if err := d.Decode(&one.exchange); err != nil {
		return bad("it cannot be read: " + err.Error())
	}
	base, _, _ := tape.ParseName(name)
	key, err := one.Request.key()
	if err != nil {
		return bad("its request cannot be read: " + err.Error())
	}
	if !tape.IsSum(key) {
		return bad("the key of its request in \"asked\" is none: record it again")
	}
	if key != one.Key || !strings.HasSuffix(base, "-"+key[:shortKey]) {
		return bad("its request was changed, and is now that of the key " + key +
			": set \"key\" to this and rename the file to " + tape.Name(one.Request.base(key), 1) + ", or record it again")
	}
	if problem := one.problem(); problem != "" {
		return bad(problem)
	}
	if one.Response != nil {
		one.Response.Header = canonical(one.Response.Header)
	}
	return one, nil
}

// problem returns what is wrong with an exchange, the request apart.
func (x *exchange) problem() string {
	switch {
	case (x.Response == nil) == (x.Failure == nil):
		return "it must have either a response or a failure"
	case x.Failure != nil:
		if _, ok := parseStage(x.Failure.Stage); !ok {
			return "its failure has no known stage"
		}
		return ""
	}
	a := x.Response
	if !isFinal(a.Status) {
		return errNotFinal.Error()
	}
	switch a.End {
	case endEOF, endClosed:
	case endBroken:
		if a.Broken == nil {
			return "it does not say what broke the body"
		}
	default:
		return "its end is not known"
	}
	if a.Complete != (a.End == endEOF) {
		return "a body is complete when it was read to its end, and only then"
	}
	if a.BodyFile != "" && !fs.ValidPath(a.BodyFile) || strings.ContainsAny(a.BodyFile, `/\`) {
		return "its body is not a file of the same folder"
	}
	return ""
}

// fit checks the sizes of the reads against the body, and makes one of all when
// there are delays and no sizes.
func (r *recording) fit() *BadRecording {
	a := r.Response
	if len(a.Chunks) == 0 && len(a.Delays) > 0 && len(r.body) > 0 {
		a.Chunks = []int{len(r.body)}
	}
	left := len(r.body)
	for _, n := range a.Chunks {
		if n <= 0 || n > left {
			left = -1
			break
		}
		left -= n
	}
	if left != 0 && len(a.Chunks) > 0 {
		return &BadRecording{r.name, "its chunks do not add up to its body: take them and the delays out"}
	}
	if a.Delays != nil && len(a.Delays) != len(a.Chunks)+2 {
		return &BadRecording{r.name, "its delays are not one for the head, each chunk and the end: take them out to have none"}
	}
	for _, d := range a.Delays {
		if d < 0 {
			return &BadRecording{r.name, "a delay is negative"}
		}
	}
	return nil
}

func failureOfFiles(err error) error {
	return events.NewFailure(events.Other, "", "the recordings cannot be read: "+err.Error()).WithCause(err)
}

func failureOfRecording(bad *BadRecording) error {
	return events.NewFailure(events.Other, "", bad.Error()).WithCause(bad)
}
