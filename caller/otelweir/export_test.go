package otelweir

// Open returns how many settled attempts wait for the next step of their call.
func (o *Observer) Open() int {
	n := 0
	o.ended.Range(func(any, any) bool { n++; return true })
	return n
}
