package request

func (w *writer) cache(c Cache) {
	if c.IsZero() {
		return
	}
	w.key("cache")
	w.open()
	w.opt("automatic", string(c.Automatic))
	w.opt("key", c.Key)
	w.opt("system", string(c.System))
	w.opt("tools", string(c.Tools))
	w.close()
}

func (r *reader) cache(at string) (c Cache) {
	r.object(at, func(key, at string) bool {
		switch key {
		case "automatic":
			return r.value(at, &c.Automatic)
		case "key":
			return r.value(at, &c.Key)
		case "system":
			return r.value(at, &c.System)
		case "tools":
			return r.value(at, &c.Tools)
		default:
			return false
		}
	})
	return c
}
