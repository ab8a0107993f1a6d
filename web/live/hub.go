package live

import (
	"context"
	"log/slog"
	"sync"

	"github.com/storeglass/storeglass/internal/db"
)

// How many streams may be open at once: for one reader, who may have a few windows (hidden ones
// end theirs), and for the process.
const (
	streamsOfReader  = 20
	streamsOfProcess = 4000
)

// hub passes the database's changes to the open streams. It listens on one connection from the
// first stream on.
type hub struct {
	db  *db.DB
	log *slog.Logger

	mu      sync.Mutex
	streams map[*stream]bool
	of      map[string]int // open streams, by reader
	stop    context.CancelFunc
	// closed is closed when the server stops.
	closed chan struct{}
}

// stream is one open page.
type stream struct {
	reader string
	// sees reports whether the change concerns the page; the hub's lock guards it.
	sees func(db.Change) bool
	// changed holds at most one signal: however much has changed, the page reloads once.
	changed chan struct{}
}

func newHub(d *db.DB, log *slog.Logger) *hub {
	return &hub{db: d, log: log, streams: map[*stream]bool{}, of: map[string]int{}, closed: make(chan struct{})}
}

// open adds a stream for a reader; false if they, or all readers together, have too many.
func (h *hub) open(reader string, sees func(db.Change) bool) (*stream, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of[reader] >= streamsOfReader || len(h.streams) >= streamsOfProcess {
		return nil, false
	}
	if h.stop == nil {
		ctx, stop := context.WithCancel(context.Background())
		h.stop = stop
		go h.db.Changes(ctx, h.tell, func(err error) { h.log.Warn("pages don't hear of changes until the database answers", "err", err) })
	}
	st := &stream{reader: reader, sees: sees, changed: make(chan struct{}, 1)}
	h.streams[st] = true
	h.of[reader]++
	return st, true
}

func (h *hub) leave(st *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.streams, st)
	if h.of[st.reader]--; h.of[st.reader] == 0 {
		delete(h.of, st.reader)
	}
}

// narrow limits the stream to what its reader may see now.
func (h *hub) narrow(st *stream, sees func(db.Change) bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	st.sees = sees
}

// tell signals every stream that the change concerns.
func (h *hub) tell(c db.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for st := range h.streams {
		if st.sees(c) {
			select {
			case st.changed <- struct{}{}:
			default:
			}
		}
	}
}

// close ends every stream, and stops listening.
func (h *hub) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case <-h.closed:
		return
	default:
		close(h.closed)
	}
	if h.stop == nil {
		h.stop = func() {} // and nothing starts to listen again
	}
	h.stop()
}
