package sandbox

import (
	"encoding/json"
	"io"
	"slices"
	"sync"
	"time"
)

const arrivalsKept = 1 << 16

// Arrival is one request as the sandbox saw it; At is taken once, before anything else is done.
type Arrival struct {
	At      time.Time
	Service Service
	Store   string // slug, empty if no store has the token
	Token   string
	Method  string
	Path    string // with the query
	Status  int
}

// arrivalLog keeps the newest arrivals and writes each as a line when its status is known.
type arrivalLog struct {
	mu   sync.Mutex
	kept []Arrival
	w    io.Writer
}

// Arrivals lists the newest 65,536 or more arrivals, ordered by time of entry.
func (s *Server) Arrivals() []Arrival {
	s.arrivals.mu.Lock()
	out := slices.Clone(s.arrivals.kept)
	s.arrivals.mu.Unlock()
	slices.SortStableFunc(out, func(a, b Arrival) int { return a.At.Compare(b.At) })
	return out
}

func (l *arrivalLog) add(a Arrival) {
	var line []byte
	if l.w != nil {
		line, _ = json.Marshal(struct {
			Time    string  `json:"time"`
			Service Service `json:"service"`
			Store   string  `json:"store"`
			Token   string  `json:"token"` // its last four characters
			Method  string  `json:"method"`
			Path    string  `json:"path"`
			Status  int     `json:"status"`
		}{a.At.UTC().Format("2006-01-02T15:04:05.000000000Z"), a.Service, a.Store, tail(a.Token), a.Method, a.Path, a.Status})
		line = append(line, '\n')
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= 2*arrivalsKept {
		l.kept = append(l.kept[:0], l.kept[len(l.kept)-arrivalsKept:]...)
	}
	l.kept = append(l.kept, a)
	if line != nil {
		_, _ = l.w.Write(line) // a log that can't be written must not change an answer
	}
}

func tail(token string) string { return token[max(0, len(token)-4):] }
