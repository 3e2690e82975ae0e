package schema

import (
	"math"
	"slices"
	"strconv"
)

// maxFits bounds how often [Strip] compares a value with a schema.
const maxFits = 200_000

// Strip returns an answer without the nulls that stand for properties left out:
// those of properties that the schema does not require and that take no null of
// their own. It undoes what [Rewrite] reports as [Nullable] for any profile, and
// takes the schema as the user wrote it. An answer that holds no such null comes
// back byte for byte, as does text that is not one JSON object and an answer to a
// schema that cannot be rewritten; otherwise it comes back without white space.
//
// Where a schema is a union, the first branch counts that the answer fits by its
// types, its constants and the names of its properties. Strip is no validation:
// hold what it returns to the schema.
func Strip(schema, answer string) string {
	given, issue := parse(answer)
	root, f := read(schema)
	if issue != nil || f != nil {
		return answer
	}
	r, _ := rulesOf(OpenAIStrict)
	r.rootObject = false
	w := newWalker(root, r, false)
	rewritten := w.run()
	if w.failure != nil {
		return answer
	}
	s := stripper{root: rewritten, fitting: map[pair]bool{}}
	stripped := s.strip(given, rewritten)
	if !s.found || s.tries > maxFits {
		return answer
	}
	return string(stripped.append(nil))
}

// A stripper goes through an answer along a schema of the openai-strict profile.
type stripper struct {
	root    *value
	fitting map[pair]bool
	tries   int
	found   bool
}

type pair struct{ given, schema *value }

// settle follows references and chooses branches; nil when nothing fits.
func (s *stripper) settle(given, schema *value) *value {
	for range maxNesting {
		if ref := schema.get("$ref"); ref != nil {
			if schema = resolve(s.root, ref.str()); schema == nil {
				return nil
			}
			continue
		}
		union := schema.get("anyOf")
		if union == nil {
			return schema
		}
		i := slices.IndexFunc(union.items, func(branch *value) bool { return s.fits(given, branch) })
		if i < 0 {
			return nil
		}
		schema = union.items[i]
	}
	return nil
}

func (s *stripper) strip(given, schema *value) *value {
	schema = s.settle(given, schema)
	if schema == nil || given.isScalar() {
		return given
	}
	out := &value{kind: given.kind, text: given.text}
	properties := schema.get("properties").places()
	for _, m := range given.members {
		if p, ok := properties[m.key]; ok {
			if p.absent && m.value.kind == kindNull && !s.takesOwnNull(m.value, p.value) {
				s.found = true
				continue
			}
			m.value = s.strip(m.value, p.value)
		}
		out.members = append(out.members, m)
	}
	for _, item := range given.items {
		if items := schema.get("items"); items != nil {
			item = s.strip(item, items)
		}
		out.items = append(out.items, item)
	}
	return out
}

// takesOwnNull reports whether a property that null stands for takes null of its own, by
// a reference, which counted as one that does not: null is the last branch of its union
// then.
func (s *stripper) takesOwnNull(null, schema *value) bool {
	union := schema.get("anyOf")
	return union != nil && slices.ContainsFunc(union.items[:len(union.items)-1], func(branch *value) bool { return s.fits(null, branch) })
}

// places returns the members of an object by key; of nil none.
func (v *value) places() map[string]member {
	places := map[string]member{}
	for _, m := range v.membersOrNone() {
		places[m.key] = m
	}
	return places
}

// fits reports whether a value fits a schema by types, constants and names. A
// pair that is asked about while it is being answered does not fit.
func (s *stripper) fits(given, schema *value) bool {
	asked := pair{given, schema}
	if known, ok := s.fitting[asked]; ok {
		return known
	}
	if s.tries++; s.tries > maxFits {
		return false
	}
	s.fitting[asked] = false
	fit := s.fitsNow(given, schema)
	s.fitting[asked] = fit
	return fit
}

func (s *stripper) fitsNow(given, schema *value) bool {
	if ref := schema.get("$ref"); ref != nil {
		target := resolve(s.root, ref.str())
		return target != nil && s.fits(given, target)
	}
	if union := schema.get("anyOf"); union != nil {
		return slices.ContainsFunc(union.items, func(branch *value) bool { return s.fits(given, branch) })
	}
	return fitsType(given, schema.get("type")) && fitsValues(given, schema) &&
		s.fitsMembers(given, schema) && s.fitsItems(given, schema.get("items"))
}

func fitsType(given, types *value) bool {
	if types.kind == kindString {
		return takes(types.str(), given)
	}
	return slices.ContainsFunc(types.items, func(t *value) bool { return takes(t.str(), given) })
}

func isIntegral(literal string) bool {
	f, err := strconv.ParseFloat(literal, 64)
	return err == nil && f == math.Trunc(f)
}

func fitsValues(given, schema *value) bool {
	if constant := schema.get("const"); constant != nil && !equal(given, constant) {
		return false
	}
	enum := schema.get("enum")
	return enum == nil || slices.ContainsFunc(enum.items, func(item *value) bool { return equal(given, item) })
}

// equal compares scalars, numbers as far as a float64 tells them apart.
func equal(a, b *value) bool {
	switch {
	case a.kind != b.kind:
		return false
	case a.kind == kindString:
		return a.str() == b.str()
	case a.kind == kindNumber && a.text != b.text:
		x, _ := strconv.ParseFloat(a.text, 64)
		y, _ := strconv.ParseFloat(b.text, 64)
		return x == y
	default:
		return a.text == b.text
	}
}

func (s *stripper) fitsMembers(given, schema *value) bool {
	if given.kind != kindObject {
		return true
	}
	properties, there := schema.get("properties").places(), given.keys()
	for _, p := range schema.get("properties").membersOrNone() {
		if !p.absent && !there[p.key] {
			return false
		}
	}
	return !slices.ContainsFunc(given.members, func(m member) bool {
		p, ok := properties[m.key]
		return !ok || !s.fits(m.value, p.value)
	})
}

func (s *stripper) fitsItems(given, items *value) bool {
	return items == nil || !slices.ContainsFunc(given.items, func(item *value) bool { return !s.fits(item, items) })
}
