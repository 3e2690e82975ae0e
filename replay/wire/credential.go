package wire

import (
	"slices"
	"strings"
	"unicode"
)

// isCredentialAnywhere reports whether a name says that it is of a credential wherever it
// stands, be it a header, a query parameter or a member of a body: those of passwords, of
// OAuth, of clouds and of remote tools. It goes by how a name ends; pass and pw have to be
// a word of their own, for bypass is none.
func isCredentialAnywhere(name string) bool {
	return hasEnd(plainName(name),
		"accesskey", "accesskeyid", "accesstoken", "apikey", "apitoken", "authkey", "authorization", "authorizationtoken",
		"authtoken", "bearertoken", "clientassertion", "connectionstring", "idtoken", "passcode", "passphrase", "passwd",
		"password", "privatekey", "pwd", "refreshtoken", "secret", "secretkey", "securitytoken", "sessiontoken",
		"subscriptionkey") || slices.Contains([]string{"pass", "pw"}, lastWord(name))
}

// isCredentialName reports whether the name of a header says that it is a credential:
// by one of its words, or by how it ends.
func isCredentialName(name string) bool {
	if isCredentialAnywhere(name) || hasEnd(plainName(name), credentialWords()...) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(name), isMark),
		func(word string) bool { return slices.Contains(credentialWords(), word) })
}

// credentialWords are the words of headers that hold one, wherever in a name they stand.
func credentialWords() []string {
	return []string{
		"apikey", "auth", "authorization", "cookie", "cookies", "credential", "credentials", "jwt", "key", "keys", "passphrase",
		"passwd", "password", "secret", "secrets", "session", "sessionid", "sig", "signature", "token", "tokens",
	}
}

// isCredentialParameter reports whether the name of a query parameter says that it is a
// credential. Of what is one in a query only it goes by whole names, for page_token and
// keyword are none.
func isCredentialParameter(name string) bool {
	switch plainName(name) {
	case "auth", "code", "credentials", "jwt", "key", "session", "sessionid", "sid", "sig", "ticket", "token":
		return true
	}
	return isCredentialAnywhere(name) || hasEnd(plainName(name), "assertion", "credential", "signature")
}

// isCredentialField reports whether the name of a member of a body says that it is a
// credential, whatever its value.
func isCredentialField(name string) bool {
	return isCredentialAnywhere(name) || plainName(name) == "assertion"
}

// isTelling reports whether the name of a member may be that of a credential, if its
// value looks like one. What models and stores of data call so is none: the key of a
// cache, the token of a page.
func isTelling(name string) bool {
	name = plainName(name)
	return hasEnd(name, "auth", "cookie", "credential", "credentials", "jwt", "key", "token") &&
		!hasEnd(name, "bostoken", "cachekey", "continuationtoken", "eostoken", "foreignkey", "idempotencykey", "nexttoken",
			"objectkey", "pagetoken", "partitionkey", "primarykey", "publickey", "rowkey", "sortkey", "synctoken")
}

// isHeaders reports whether a member of a body holds headers, as those of remote tools
// do.
func isHeaders(name string) bool { return hasEnd(plainName(name), "headers") }

func hasEnd(name string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) })
}

// lastWord returns the last word of a name, in small letters: of db_pass and dbPass pass.
func lastWord(name string) string {
	name = strings.TrimRightFunc(name, isMark)
	start, mark, lower := 0, true, false
	for i, r := range name {
		if !isMark(r) && (mark || lower && unicode.IsUpper(r)) {
			start = i
		}
		mark, lower = isMark(r), unicode.IsLower(r)
	}
	return strings.ToLower(name[start:])
}

// plainName returns the letters and digits of a name, in small letters.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// The sizes of what looks like a key: of all of it, of all of it where letters and
// digits are mixed, and of a word of it that is no ordinary one.
const (
	longKey    = 16
	mixedKey   = 12
	longWord   = 16
	longNumber = 9
	longMix    = 9
)

// looksLikeKey reports whether a value that no name speaks for is taken for a secret:
// at least 16 bytes, or 12 with letters and digits in them, but no words and numbers
// between ordinary marks, as the names of models, places and versions are. Words are
// letters up to 15, digits up to 8, and both mixed up to 8 bytes.
func looksLikeKey(value string) bool {
	letters := strings.ContainsFunc(value, unicode.IsLetter)
	digits := strings.ContainsFunc(value, unicode.IsDigit)
	if len(value) < mixedKey || len(value) < longKey && (!letters || !digits) {
		return false
	}
	if !letters && !digits {
		return false
	}
	if strings.ContainsFunc(value, isOddMark) {
		return true
	}
	return slices.ContainsFunc(strings.FieldsFunc(value, isMark), isKeyWord)
}

// isMark reports whether a character stands between words.
func isMark(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// isOddMark reports whether a character does not stand between ordinary words.
func isOddMark(r rune) bool { return isMark(r) && !strings.ContainsRune("-_./:,;@ ", r) }

func isKeyWord(word string) bool {
	letters := strings.ContainsFunc(word, unicode.IsLetter)
	digits := strings.ContainsFunc(word, unicode.IsDigit)
	switch {
	case letters && digits:
		return len(word) >= longMix
	case digits:
		return len(word) >= longNumber
	default:
		return len(word) >= longWord
	}
}
