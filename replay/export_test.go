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
