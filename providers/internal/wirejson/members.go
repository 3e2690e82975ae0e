package wirejson

import "slices"

// Only returns a valid JSON object with those of its members that have one of the
// keys, in their order and byte for byte.
func Only(object []byte, keys ...string) []byte {
	return filtered(object, func(key string) bool { return slices.Contains(keys, key) })
}

// Without returns a valid JSON object without the members that have one of the keys,
// the others in their order and byte for byte.
func Without(object []byte, keys ...string) []byte {
	return filtered(object, func(key string) bool { return !slices.Contains(keys, key) })
}

func filtered(object []byte, keep func(key string) bool) []byte {
	members := slices.DeleteFunc(split(string(object)), func(m member) bool { return !keep(m.key) })
	return (&Object{members: members}).Append(make([]byte, 0, len(object)))
}
