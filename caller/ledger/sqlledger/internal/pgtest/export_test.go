package pgtest

// Dir is the folder of a server.
func (s *Server) Dir() string { return s.dir }
