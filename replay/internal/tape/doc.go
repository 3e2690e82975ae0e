// Package tape is what both depths of recording share: keys of requests, files
// that survive a crash, and the first difference between two requests. It knows
// no format of a recording: that is the business of replay and replay/wire.
//
// Its errors are those of the operating system and of encoding/json; whoever
// hands them to users wraps them in a failure. All functions are safe for
// concurrent use, as far as two writers of one name may leave either's data.
package tape
