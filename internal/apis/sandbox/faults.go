package sandbox

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// Cause is a failure that the documents describe.
type Cause string

const (
	Revoked     Cause = "revoked"      // both: the token is no longer known
	Uninstalled Cause = "uninstalled"  // upsell Invalid token, gift APP_UNINSTALLED
	Unchecked   Cause = "unchecked"    // upsell 401 Unauthorized: the token could not be checked
	NoPlan      Cause = "no plan"      // gift NO_PLAN once, and INVALID_KEY from then on until Clear; LapsePlan revokes permanently
	CountFailed Cause = "count failed" // upsell count: success false beside data {total: 0}
	Limited     Cause = "limited"      // both: 429 although the limit was kept, as if someone else used the token
	Internal    Cause = "internal"     // both: 500 in the service's own envelope
	BadInput    Cause = "bad input"    // gift 400 INVALID_INPUT
	Moving      Cause = "moving"       // upsell lists: a row moved between pages, whatever the order; one comes twice, one never

	Clamped     Cause = "clamped windows" // upsell analytics: see Config.Clamp
	ManyHandles Cause = "many handles"    // gift product checks: see Config.FewHandles

	// Gift setup health: a section couldn't be read; `errors` says so, and the others still come.
	ThemeAway     Cause = "theme away" // the platform was unreachable
	CampaignsAway Cause = "campaigns away"
	IssuesAway    Cause = "issues away"
)

// Fault is one way to go wrong. Its fields combine: a delay, then the cause or the true answer, then what Status,
// Body, Edit and Cut make of it. A request refused by the limit doesn't use up a fault.
type Fault struct {
	Path  string // only endpoints beginning with this, e.g. /data/analytics; empty is all
	Times int    // how many requests it hits; 0 means every one until Clear
	Cause Cause

	Delay       time.Duration
	Status      int // replaces the status
	Body        string
	ContentType string                   // of Body
	Edit        func(body []byte) []byte // changes the true answer
	Cut         int                      // the connection breaks after that many bytes
	Drop        bool                     // the connection breaks before any byte
}

// Break puts a fault on a service of a store. Several are used in the order they were added.
func (s *Server) Break(svc Service, slug string, f Fault) {
	b := s.faults
	b.mu.Lock()
	defer b.mu.Unlock()
	k := faultKey{svc, slug}
	b.queue[k] = append(b.queue[k], &f)
}

// Clear removes every fault from a service of a store and makes its token known again, unless Revoke, Uninstall or
// LapsePlan removed it.
func (s *Server) Clear(svc Service, slug string) {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	delete(s.faults.queue, faultKey{svc, slug})
}

type faultKey struct {
	svc  Service
	slug string
}

type faultBoard struct {
	mu    sync.Mutex
	queue map[faultKey][]*Fault
}

// next uses up one hit of the first matching fault; the zero Fault changes nothing.
func (b *faultBoard) next(svc Service, sh *world.Shop, path string) Fault {
	if sh == nil {
		return Fault{}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	k := faultKey{svc, sh.Slug}
	for i, f := range b.queue[k] {
		if !strings.HasPrefix(path, f.Path) {
			continue
		}
		hit := *f
		switch {
		case f.Cause == NoPlan: // the service revokes every key of the store at the first request
			b.queue[k] = []*Fault{{Cause: Revoked}}
		case f.Times == 1:
			b.queue[k] = append(b.queue[k][:i:i], b.queue[k][i+1:]...)
		case f.Times > 1:
			f.Times--
		}
		return hit
	}
	return Fault{}
}

func (f Fault) status(truly int) int {
	switch {
	case f.Status != 0:
		return f.Status
	case f.Body != "":
		return http.StatusOK
	}
	return truly
}

// write sends the answer, broken as the fault says.
func (f Fault) write(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	if f.Delay > 0 {
		t := time.NewTimer(f.Delay)
		defer t.Stop()
		select {
		case <-t.C:
		case <-r.Context().Done():
			return
		}
	}
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	kind := "application/json; charset=utf-8"
	if f.Body != "" {
		body, kind = []byte(f.Body), f.ContentType
	}
	if f.Edit != nil {
		body = f.Edit(body)
	}
	if kind != "" {
		w.Header().Set("Content-Type", kind)
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if f.Cut > 0 && f.Cut < len(body) {
		_, _ = w.Write(body[:f.Cut])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(body)
}
