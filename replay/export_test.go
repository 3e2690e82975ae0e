package replay

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
