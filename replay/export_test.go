package replay

import "github.com/weirsdk/weir/replay/internal/tape"

// Reprint reads the file of a recording and prints it again.
func Reprint(text string) (printed, problem string) {
	rec, problem := parse([]byte(text))
	if problem != "" {
		return "", problem
	}
	again, err := rec.print()
	if err != nil {
		return "", err.Error()
	}
	return string(again), ""
}

// HoldAtMost bounds what a Recorder holds back.
func HoldAtMost(r *Recorder, bytes int) { r.sequences.room = bytes }

// FillDisk has a Recorder ask, before each file, whether there is room for it.
func FillDisk(r *Recorder, room func(text string) error) {
	r.sequences.writeAfter = func(dir, name string, data []byte, before func() error) error {
		if err := room(string(data)); err != nil {
			return err
		}
		return tape.WriteAfter(dir, name, data, before)
	}
}

// StoreAtMost bounds the files of a Recorder.
func StoreAtMost(r *Recorder, bytes int) { r.sequences.most = bytes }
