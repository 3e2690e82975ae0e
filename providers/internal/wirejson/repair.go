package wirejson

// RepairSurrogates returns JSON text with each lone surrogate escape replaced by
// \ufffd: the text means the same to a reader that would have put U+FFFD there,
// and is valid for one that would have refused it. Text without any is returned
// as it is.
func RepairSurrogates(text string) string { return string(repairSurrogates([]byte(text))) }
