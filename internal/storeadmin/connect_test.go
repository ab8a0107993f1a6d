package storeadmin_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report/stores"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

func text(v any) string { return fmt.Sprint(v) }

// refused fails the test unless err is a refusal with these words about that field.
func (w *world) refused(what string, err error, about, words string) {
	w.t.Helper()
	r, ok := errors.AsType[*stores.Refusal](err)
	if !ok || !strings.Contains(r.Reasons[about], words) {
		w.t.Errorf("%s: %v, want it refused with %q", what, err, words)
	}
}

// sealed is what is stored of north's credentials.
func (w *world) sealed() string {
	w.t.Helper()
	return strings.Join(list(w, `select service || ' ' || base_url || ' ' || encode(token_sealed, 'hex') || ' ' || version from credentials order by service`), "\n")
}

// Every method of Admin checks by itself whether the person may, and whether the session in
// the context sees the store.
func TestNothingIsDoneForWhoMayNot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := context.Background()
	type principal struct {
		what string
		p    access.Person
		ctx  context.Context
	}
	var people []principal
	for name, c := range map[string]struct {
		role    access.Role
		granted bool
	}{"a viewer": {access.Viewer, true}, "an agency": {access.Agency, true}, "a merchant of no store": {access.Merchant, false}} {
		p := w.person(strings.ReplaceAll(name, " ", "."), c.role)
		if c.granted {
			w.must(w.access.GrantPerson(ctx, p.ID, "north"))
		}
		people = append(people, principal{name, p, w.as(p)})
	}
	away := w.person("away", access.Merchant)
	w.must(w.access.GrantPerson(ctx, away.ID, "north"))
	asAway := w.as(away)
	w.must(w.access.DisablePerson(ctx, away.ID))
	eve := w.person("eve", access.Merchant)
	people = append(people,
		principal{"a merchant who was disabled", away, asAway},
		principal{"the right person in nobody's session", w.ada, ctx},
		principal{"the right person in a stranger's session", w.ada, w.as(eve)})

	w.pull()
	before, sealed, arrived := w.rows(w.id("north"), w.storeTables()), w.sealed(), len(w.services.Arrivals())
	for _, who := range people {
		for what, do := range map[string]func() error{
			"connect":    func() error { _, err := w.admin.Connect(who.ctx, who.p.ID, "north", w.upsell(w.shop(0))); return err },
			"check":      func() error { return w.admin.Check(who.ctx, who.p.ID, "north", pulls.Upsell) },
			"disconnect": func() error { return w.admin.Disconnect(who.ctx, who.p.ID, "north", pulls.Upsell) },
			"change":     func() error { return w.admin.Change(who.ctx, who.p.ID, "north", form(w.shop(0), "")) },
			"remove":     func() error { return w.admin.Remove(who.ctx, who.p.ID, "north") },
			"restore":    func() error { return w.admin.Restore(who.ctx, who.p.ID, "north") },
		} {
			if err := do(); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%s, %s: %v", who.what, what, err)
			}
		}
	}
	for _, who := range people {
		if who.p.Role == access.Merchant { // merchants may add stores
			continue
		}
		if _, err := w.admin.Discover(who.ctx, who.p.ID, []stores.Given{w.upsell(w.shop(1))}); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s, look: %v", who.what, err)
		}
		if _, err := w.admin.Removed(who.ctx, who.p.ID); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s, removed: %v", who.what, err)
		}
	}
	w.same(w.rows(w.id("north"), w.storeTables()), before)
	if now := len(w.services.Arrivals()); now != arrived || w.sealed() != sealed {
		t.Errorf("%d calls were made, or credentials changed", now-arrived)
	}
}

// People who may change a store's address must not be able to have its token sent there.
func TestAnotherAddressNeedsTheTokenAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var heard atomic.Int32
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
	t.Cleanup(elsewhere.Close)
	ctx, sealed := w.as(w.ada), w.sealed()
	for _, given := range []stores.Given{w.upsell(w.shop(0)), w.gift(w.shop(0))} {
		given.Address, given.Token = elsewhere.URL+"/v1", ""
		_, err := w.admin.Connect(ctx, w.ada.ID, "north", given)
		w.refused("no token for "+given.Service, err, given.Service, "The token is missing or has characters that no token has, so it wasn’t sent.")
	}
	if heard.Load() != 0 || w.sealed() != sealed {
		t.Errorf("%d calls went there, or the address was changed", heard.Load())
	}
	w.pull()
	if heard.Load() != 0 {
		t.Error("a stored token was sent to another address")
	}
}

func TestATokenOfAnotherShopIsRefusedInWords_N35(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, sealed, here, other := w.as(w.ada), w.sealed(), w.shop(0), w.shop(1)
	for _, given := range []stores.Given{w.upsell(other), w.gift(other)} {
		_, err := w.admin.Connect(ctx, w.ada.ID, "north", given)
		w.refused(given.Service, err, given.Service, "The token belongs to another shop: "+other.Domain+". This store belongs to "+here.Domain+". Use a token of that shop, or add the other shop as its own store.")
	}
	_, err := w.admin.Discover(ctx, w.ada.ID, []stores.Given{w.upsell(other), w.gift(w.shop(2))})
	w.refused("two shops at once", err, "", "The two tokens belong to two shops: "+other.Domain+" and "+w.shop(2).Domain)
	if w.sealed() != sealed {
		t.Error("a credential was changed")
	}
	for _, action := range []audit.Action{audit.CredentialRotated, audit.CredentialRemoved} {
		if got := w.recorded(action); len(got) > 0 {
			t.Errorf("recorded as %s: %q", action, got)
		}
	}
}

// A call is in progress while someone changes the credential it uses. Its answer, good or
// bad, says nothing about the new state.
func TestWhatIsUnderWayWithACredentialThatWasGivenUpWritesNothing(t *testing.T) {
	t.Parallel()
	for what, change := range map[string]func(w *world, ctx context.Context) error{
		"rotated": func(w *world, ctx context.Context) error {
			_, err := w.admin.Connect(ctx, w.ada.ID, "north", w.upsell(w.services.Renew(sandbox.Upsell, w.shop(0).Slug)))
			return err
		},
		"disconnected": func(w *world, ctx context.Context) error {
			return w.admin.Disconnect(ctx, w.ada.ID, "north", pulls.Upsell)
		},
		"removed": func(w *world, ctx context.Context) error { return w.admin.Remove(ctx, w.ada.ID, "north") },
	} {
		for how, fault := range map[string]sandbox.Fault{
			"good": {}, "refused": {Status: http.StatusUnauthorized, Body: `{"success":false,"message":"Invalid token"}`},
		} {
			t.Run(what+"/"+how, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.pull()
				w.exec(`update ledger set due_at = '2020-01-01' where pull = 'lifetime'`)
				ctx, id := w.as(w.ada), w.id("north")
				tables := []string{"lifetimes", "coverage", "replies", "revisions", "summaries"}
				before := w.rows(id, tables)
				changed := false
				fault.Path = "/data/analytics/"
				fault.Edit = func(b []byte) []byte {
					if !changed {
						changed = true
						w.clock.add(1) // so that anything written would show it
						if err := change(w, ctx); err != nil {
							t.Error(err)
						}
					}
					return b
				}
				w.services.Break(sandbox.Upsell, w.shop(0).Slug, fault)
				_, err := w.syncer.Run(t.Context(), "north", pulls.RunOptions{})
				if err != nil && !errors.Is(err, pulls.ErrChanged) && !errors.Is(err, pulls.ErrRemoved) {
					t.Error(err)
				}
				if !changed {
					t.Fatal("no call was under way")
				}
				w.same(w.rows(id, tables), before)
				if held := get[int](w, `select count(*) from ledger where claimed_until is not null or outcome = 'paused'`); held != 0 {
					t.Errorf("%d rows are held, or say what was said of the token before", held)
				}
				if paused := get[int](w, `select count(*) from credentials where state = 'paused'`); paused != 0 {
					t.Error("the token that is there now is thought refused")
				}
			})
		}
	}
}

func TestACheckOfWhatWasDisconnectedSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := w.as(w.ada)
	w.must(w.admin.Disconnect(ctx, w.ada.ID, "north", pulls.Gift))
	w.must(w.admin.Disconnect(ctx, w.ada.ID, "north", pulls.Gift)) // two people do it at once: both succeed
	w.refused("check", w.admin.Check(ctx, w.ada.ID, "north", pulls.Gift), pulls.Gift, "The gift app isn’t connected to this store.")
	if got := w.recorded(audit.CredentialRemoved); len(got) != 1 {
		t.Errorf("recorded %q", got)
	}
}
