package validator

import "slices"

// Snapshot returns a deep copy of the state, to be compared.
func (v *Validator) Snapshot() Validator {
	c := *v
	c.blocks = slices.Clone(v.blocks)
	c.calls = slices.Clone(v.calls)
	return c
}

// OrDefaults returns l with its defaults filled in.
func OrDefaults(l Limits) Limits { return l.orDefaults() }
