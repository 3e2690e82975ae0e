package ledger

import (
	"iter"
	"maps"
	"slices"
	"strings"
)

// A Dimension is what attempts are grouped by.
type Dimension string

// The dimensions.
const (
	ByRun      Dimension = "run"
	ByCall     Dimension = "call"
	ByActor    Dimension = "actor"
	ByModel    Dimension = "model"
	ByProvider Dimension = "provider"
	ByPurpose  Dimension = "purpose"
	ByStatus   Dimension = "status"
)

// Dimensions returns every dimension.
func Dimensions() []Dimension {
	return []Dimension{ByRun, ByCall, ByActor, ByModel, ByProvider, ByPurpose, ByStatus}
}

// of returns the name of a record's group.
func (d Dimension) of(r Record) string {
	switch d {
	case ByCall:
		return r.Call
	case ByActor:
		return r.Actor
	case ByModel:
		return r.Model
	case ByProvider:
		return r.Provider
	case ByPurpose:
		return r.Purpose
	case ByStatus:
		return string(r.Status())
	default:
		return r.Run
	}
}

// A Group is the attempts that share a name in one dimension.
type Group struct {
	Name string `json:"name"`
	Totals
}

// All returns the records as a list. The error is the one that they end with; what
// came before it is returned beside it.
func All(records iter.Seq2[Record, error]) ([]Record, error) {
	var all []Record
	for r, err := range records {
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Total adds up records. The error is the one that the records end with.
func Total(records iter.Seq2[Record, error]) (Totals, error) {
	var sum Totals
	for r, err := range records {
		if err != nil {
			return Totals{}, err
		}
		sum = sum.Plus(TotalsOf(r))
	}
	return sum, nil
}

// GroupBy adds up records by a dimension, the groups in the order of their names.
// The error is the one that the records end with.
func GroupBy(records iter.Seq2[Record, error], d Dimension) ([]Group, error) {
	sums := map[string]Totals{}
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		sums[d.of(r)] = sums[d.of(r)].Plus(TotalsOf(r))
	}
	groups := make([]Group, 0, len(sums))
	for name := range maps.Keys(sums) {
		groups = append(groups, Group{name, sums[name]})
	}
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	return groups, nil
}
