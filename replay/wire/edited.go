package wire

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// edited says what happened to a body since it was recorded, and what to do. A name
// that is not of our form promises nothing.
func (r *recording) edited() string {
	file := r.Response.BodyFile
	if file == "" || !isBody().MatchString(file) {
		return ""
	}
	_, rest, _ := strings.Cut(file, bodyMark)
	sum, extension, _ := strings.Cut(rest, ".")
	if sum == bodySum(r.body) {
		return ""
	}
	lf := bytes.ReplaceAll(r.body, []byte("\r\n"), []byte("\n"))
	switch sum {
	case bodySum(lf), bodySum(bytes.ReplaceAll(lf, []byte("\n"), []byte("\r\n"))):
		return "the line ends of its body " + file + " were changed, as version control does: put the line \"*.body-* -text\" " +
			"into .gitattributes, remove the file and check it out again"
	}
	stem, _, _ := strings.Cut(file, bodyMark)
	name := stem + bodyMark + bodySum(r.body) + "." + extension
	return "its body " + file + " was edited, for its name has the hash of another: record it again, or rename the body to " + name +
		", set \"body_file\" to this and take \"chunks\" and \"delays_ms\" out, where there are any"
}

// bodyMark is before the digits of the hash in the name of a body.
const bodyMark = ".body-"

// bodySum returns the digits of the hash.
func bodySum(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:4])
}
