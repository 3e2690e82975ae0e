// Package keptturn puts a turn of the assistant together again for the provider that made
// it: what its decoder kept of it (events.ProviderData), and the turn's own blocks in the
// places that the data names. It is pure, and knows no wire: what stands in the data is
// the family's.
//
// The data comes out of a stored history, which somebody else may have written: it is
// read for one family and one provider only, and takes no time that grows with its size
// times the size of the turn.
package keptturn
