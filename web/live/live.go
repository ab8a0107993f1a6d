// Package live tells open pages that something in their stores has changed, as server-sent
// events. It sends no numbers: a notified page requests itself again, with the usual checks.
package live

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/web/site"
)

// Handlers serve the streams.
type Handlers struct {
	*site.Site
	hub *hub
	// Beat is how often a stream shows proxies that it is alive, and checks whether its reader
	// may still see the stores. Life is how long it lasts: then the page opens another and is
	// read again, so that what changes only with time is right, too.
	Beat, Life time.Duration
}

func New(at *site.Site) *Handlers {
	return &Handlers{Site: at, hub: newHub(at.DB, at.Log), Beat: 25 * time.Second, Life: 5 * time.Minute}
}

func (s *Handlers) Routes() []site.Route {
	return []site.Route{
		site.Get(site.LivePath, site.AdmitPerson, access.See, s.stores),
		site.Get("/stores/:slug"+site.LivePath, site.AdmitPerson, access.See, s.store),
	}
}

// Close ends every stream at once.
func (s *Handlers) Close() { s.hub.close() }

// The shortest time between two events of one stream. A store that is filling in changes every
// second, and among a thousand stores one always does.
const (
	pauseOfStore  = 2 * time.Second
	pauseOfStores = 15 * time.Second
)

// writeTime is how long sending to a reader may take.
const writeTime = 10 * time.Second

// stores is the stream of a page about all stores of a person.
func (s *Handlers) stores(c *site.Call) error {
	sees := func(v db.Visit) (func(db.Change) bool, int64) {
		return func(change db.Change) bool { return change.In(v.Scope) }, 0
	}
	return s.follow(c, sees, s.revisit(c), pauseOfStores)
}

// store is the stream of a page about one store of a person.
func (s *Handlers) store(c *site.Call) error { return s.Follow(c, s.revisit(c)) }

// revisit reads again what the person may see.
func (s *Handlers) revisit(c *site.Call) func() (db.Visit, error) {
	return func() (db.Visit, error) { return s.SessionStore.Revisit(c.Request().Context(), c.Visit, c.Slug()) }
}

// Follow is the stream of a page about one store. revisit checks again whether its reader may
// see the store; db.ErrNotFound ends the stream.
func (s *Handlers) Follow(c *site.Call, revisit func() (db.Visit, error)) error {
	sees := func(v db.Visit) (func(db.Change) bool, int64) {
		store, err := v.Store()
		return func(change db.Change) bool { return err == nil && change.Of(store) }, store.Revision
	}
	return s.follow(c, sees, func() (db.Visit, error) {
		v, err := revisit()
		if err == nil {
			_, err = v.Store()
		}
		return v, err
	}, pauseOfStore)
}

// follow sends an event for each change that concerns the page, until its reader leaves, may no
// longer see the stores, or the stream's time is over.
func (s *Handlers) follow(c *site.Call, sees func(db.Visit) (func(db.Change) bool, int64), revisit func() (db.Visit, error), pause time.Duration) error {
	if !strings.Contains(c.Request().Header.Get("Accept"), streamType) || c.Request().Method != http.MethodGet {
		return c.NoContent(http.StatusNoContent)
	}
	see, _ := sees(c.Visit)
	reader := c.Asker()
	if c.Link != nil { // many people may use one link
		reader += " " + c.RealIP()
	}
	st, ok := s.hub.open(reader, see)
	if !ok {
		return &fault.Error{Kind: fault.TooMany, After: time.Minute}
	}
	defer s.hub.leave(st)
	out, err := begin(c)
	if err != nil {
		return err
	}
	visit, err := revisit() // so that changes since the page was made aren't missed
	if errors.Is(err, fault.NotFound) {
		return nil // the reader may no longer see the stores
	}
	if err != nil {
		return err
	}
	_, revision := sees(visit)
	first := ": \n\n"
	if asked := c.QueryParam("revision"); asked != "" && asked != strconv.FormatInt(revision, 10) {
		first = changed
	}
	if err := out.send(first); err != nil {
		return nil // the reader has left
	}
	beat := time.NewTicker(s.Beat)
	defer beat.Stop()
	end := time.After(s.Life + rand.N(s.Life/4))
	signs, quiet := (<-chan struct{})(st.changed), (<-chan time.Time)(nil)
	for {
		var text string
		select {
		case <-c.Request().Context().Done():
			return nil
		case <-s.hub.closed:
			return nil
		case <-end:
			return nil
		case <-quiet:
			signs, quiet = st.changed, nil
			continue
		case <-signs:
			text, signs, quiet = changed, nil, time.After(pause)
		case <-beat.C:
			text = ": \n\n"
			if visit, err = revisit(); errors.Is(err, fault.NotFound) {
				return nil
			} else if err == nil { // otherwise the database is down and will come back
				see, _ = sees(visit)
				s.hub.narrow(st, see)
			}
		}
		if err := out.send(text); err != nil {
			return nil
		}
	}
}

// changed is the event.
const changed = "data: changed\n\n"

// output writes a stream.
type output struct {
	http.ResponseWriter
	control *http.ResponseController
}

// begin sends the headers. Proxies should pass on every event at once, and the server's time
// limits for requests don't apply.
func begin(c *site.Call) (*output, error) {
	o := &output{c.Response(), http.NewResponseController(c.Response())}
	o.Header().Set("Content-Type", streamType+"; charset=utf-8")
	o.Header().Set("X-Accel-Buffering", "no")
	if err := o.control.SetReadDeadline(time.Time{}); err != nil {
		return nil, err
	}
	o.WriteHeader(http.StatusOK)
	return o, nil
}

const streamType = "text/event-stream"

// send writes and flushes.
func (o *output) send(text string) error {
	if err := o.control.SetWriteDeadline(time.Now().Add(writeTime)); err != nil {
		return err
	}
	if _, err := io.WriteString(o, text); err != nil {
		return err
	}
	return o.control.Flush()
}
