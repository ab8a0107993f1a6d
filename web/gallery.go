package web

// gallery shows the parts that pages are made of, in all their states. Its
// numbers are made up, and it says so.
func (s *Server) gallery(*call) error { return errNotFound }
