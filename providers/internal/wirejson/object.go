package wirejson

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/weirsdk/weir/events"
)

// An Object is a JSON object in the making: its members in the order in which
// they were first set, the values as JSON text that is never parsed again. The
// zero Object has no members. It is not for concurrent use.
type Object struct {
	members []member
}

type member struct {
	key, value string
}

// Set sets a member to a JSON value, which is not checked. A member that is set
// again keeps its place.
func (o *Object) Set(key, value string) {
	if i := o.index(key); i >= 0 {
		o.members[i].value = value
		return
	}
	o.members = append(o.members, member{key, value})
}

// Get returns the JSON value of a member, and whether there is one.
func (o *Object) Get(key string) (value string, ok bool) {
	i := o.index(key)
	if i < 0 {
		return "", false
	}
	return o.members[i].value, true
}

// Len returns the number of members.
func (o *Object) Len() int { return len(o.members) }

// Merge sets the members of extra, the text of one JSON object, byte for byte;
// where both sides hold an object the two are merged. An empty text is nothing.
// Text that is not one strict JSON object, a key among the fixed ones, and a key
// twice are failures of kind invalid_request and reason bad_parameter, and change
// nothing. Letter case tells no keys apart there: a server written in Go takes
// "MODEL" for model (encoding/json, Go 1.26).
func (o *Object) Merge(extra string, fixed ...string) error {
	if extra == "" {
		return nil
	}
	if issue := events.CheckArguments(extra); issue != nil {
		return badExtra("extra is not one JSON object: " + issue.Detail)
	}
	members := split(extra)
	for i, m := range members {
		same := func(key string) bool { return strings.EqualFold(key, m.key) }
		if slices.ContainsFunc(fixed, same) {
			return badExtra("extra may not set " + m.key)
		}
		if slices.ContainsFunc(members[:i], func(other member) bool { return same(other.key) }) {
			return badExtra("extra sets " + m.key + " twice")
		}
	}
	o.merge(members)
	return nil
}

func badExtra(text string) error {
	return events.NewFailure(events.InvalidRequest, events.ReasonBadParameter, text)
}

func (o *Object) merge(members []member) {
	for _, m := range members {
		i := o.index(m.key)
		if i < 0 || !strings.HasPrefix(o.members[i].value, "{") || !strings.HasPrefix(m.value, "{") {
			o.Set(m.key, m.value)
			continue
		}
		inner := Object{members: split(o.members[i].value)}
		inner.merge(split(m.value))
		o.members[i].value = string(inner.Append(nil))
	}
}

func (o *Object) index(key string) int {
	return slices.IndexFunc(o.members, func(m member) bool { return m.key == key })
}

// Append appends the object to dst.
func (o *Object) Append(dst []byte) []byte {
	dst = append(dst, '{')
	for i, m := range o.members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = m.append(dst)
	}
	return append(dst, '}')
}

// AppendMembers appends the members to an object in dst that has one already,
// each after a comma.
func (o *Object) AppendMembers(dst []byte) []byte {
	for _, m := range o.members {
		dst = m.append(append(dst, ','))
	}
	return dst
}

func (m member) append(dst []byte) []byte {
	return append(append(events.AppendQuoted(dst, m.key), ':'), m.value...)
}

// split returns the members of a valid JSON object. Of a broken one it returns
// those before the break.
func split(object string) []member {
	var members []member
	dec := json.NewDecoder(strings.NewReader(object))
	if _, err := dec.Token(); err != nil {
		return nil
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			break
		}
		members = append(members, member{name, string(value)})
	}
	return members
}
