package pulls_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	"github.com/storeglass/storeglass/internal/locale"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

func newStore(slug string) sqlc.InsertStoreParams {
	return sqlc.InsertStoreParams{Slug: slug, Name: "A store", Timezone: "Europe/Berlin", HistoryDays: 2}
}

func TestDiscoveryNamesBackWhatBothServicesSay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	from := w.mark()
	s, found := w.shopOf(shop), w.look(shop)
	u, g := found[0].Found, found[1].Found
	if u.Domain != s.Domain || u.Currency != s.Currency || u.Offers == 0 || len(u.Untold) > 0 {
		t.Errorf("upsell: %+v", u)
	}
	if g.Domain != s.Domain || g.Currency != s.Currency || g.Timezone != s.Timezone || g.Plan == "" || g.Paid == nil || g.ActiveCampaigns == nil || len(g.Untold) > 0 {
		t.Errorf("gift: %+v", g)
	}
	equal(t, "upsell calls", w.arrivals(sandbox.Upsell, from), []string{"/data/offers/count", "/data/analytics/lifetime"})
	equal(t, "gift calls", w.arrivals(sandbox.Gift, from), []string{"/plan", "/analytics?days=1", "/setup-health"})

	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/lifetime", Body: "{}"})
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/setup-health", Cause: sandbox.CampaignsAway})
	found = w.look(shop)
	equal(t, "what could not be told", fmt.Sprint(found[0].Found.Untold, found[1].Found.Untold), "[currency] [health]")
}

// A call from a store whose trial has lapsed would make the service revoke every key.
func TestAGiftServiceWhoseTrialLapsedIsAskedNoFurther_N40(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60, at: settledTime})
	w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Path: "/plan", Edit: func(b []byte) []byte {
		return replaced(`"isPaid":true`, `"isPaid":false`)(replaced(`"trialEndsAt":null`, `"trialEndsAt":"2026-11-18T12:30:00"`)(b))
	}})
	from := w.mark()
	s := w.shopOf(shop)
	_, err := w.syncer.Check(context.Background(), pulls.Gift, w.http.URL+s.GiftPath, upstream.NewSecret(s.GiftKey))
	if !errors.Is(err, pulls.ErrTrialLapsed) || !strings.HasPrefix(pulls.Advice(pulls.Gift, err).In(locale.English), "The gift plan’s trial has ended and the plan isn’t paid.") {
		t.Errorf("%v: %q", err, pulls.Advice(pulls.Gift, err))
	}
	equal(t, "calls", w.arrivals(sandbox.Gift, from), []string{"/plan"})
}

func TestAPendingConnectionIsItsPersonsAloneAndShortLived(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60, at: settledTime})
	ctx := context.Background()
	ada, eve := w.person("ada"), w.person("eve")
	services := w.look(shop)
	id, err := w.syncer.KeepPending(ctx, ada, services)
	if err != nil {
		t.Fatal(err)
	}
	stored := get[string](w, `select (to_jsonb(p) || jsonb_build_object('raw', encode(sealed, 'escape')))::text from pending_connections p`)
	for _, secret := range []string{id, services[0].Token.Reveal(), services[1].Token.Reveal()} {
		if strings.Contains(stored, secret) {
			t.Errorf("the row holds %q", secret)
		}
	}
	c, err := w.syncer.Pending(ctx, ada, id)
	if err != nil || c.Domain() != w.shopOf(shop).Domain || c.Timezone() != "Europe/Berlin" || len(c.Services) != 2 || !c.Until.Equal(settledTime.Add(pulls.PendingLife)) {
		t.Errorf("%+v, %v", c, err)
	}
	for name, f := range map[string]func() error{
		"another person looks": func() error { _, err := w.syncer.Pending(ctx, eve, id); return err },
		"another person saves": func() error { _, err := w.syncer.SavePending(ctx, eve, id, newStore("a")); return err },
		"another name":         func() error { _, err := w.syncer.Pending(ctx, ada, id+"A"); return err },
		"moved to another in db": func() error {
			w.exec(`update pending_connections set person_id = $1`, eve)
			defer w.exec(`update pending_connections set person_id = $1`, ada)
			_, err := w.syncer.SavePending(ctx, eve, id, newStore("a"))
			return err
		},
		"after its time": func() error {
			w.clock.set(settledTime.Add(pulls.PendingLife))
			defer w.clock.set(settledTime)
			_, look := w.syncer.Pending(ctx, ada, id)
			_, save := w.syncer.SavePending(ctx, ada, id, newStore("a"))
			if look == nil {
				return nil
			}
			return save
		},
	} {
		if err := f(); !errors.Is(err, pulls.ErrNoPending) {
			t.Errorf("%s: %v", name, err)
		}
	}
	equal(t, "stores", get[int](w, `select count(*) from stores`), 0)
}

func TestAConnectionIsSavedOnceAndWhoSavesItAgainGetsTheStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	ctx := context.Background()
	ada := w.person("ada")
	id, err := w.syncer.KeepPending(ctx, ada, w.look(shop))
	if err != nil {
		t.Fatal(err)
	}
	const tries = 4
	var (
		wait  sync.WaitGroup
		ids   [tries]int64
		errs  [tries]error
		times int
	)
	for i := range tries {
		wait.Go(func() {
			var store sqlc.Store
			store, errs[i] = w.syncer.SavePending(ctx, ada, id, newStore("acme"), func(context.Context, *sqlc.Queries) error { times++; return nil })
			ids[i] = store.ID
		})
	}
	wait.Wait()
	for i := range tries {
		if errs[i] != nil || ids[i] != ids[0] {
			t.Errorf("%d %v", ids[i], errs[i])
		}
	}
	equal(t, "what else belongs to it was done", times, 1)
	equal(t, "stores", get[int](w, `select count(*) from stores`), 1)
	equal(t, "what is sealed of it", get[bool](w, `select sealed is null from pending_connections`), true)
	equal(t, "jobs", len(jobstest.Of(t, w.syncer.DB.Pool, "drain")), 2)
	s := w.shopOf(shop)
	equal(t, "store", get[string](w, `select domain || ' ' || currency || ' ' || timezone from stores`), s.Domain+" "+s.Currency+" Europe/Berlin")
	c, err := w.syncer.Pending(ctx, ada, id)
	if err != nil || c.Slug != "acme" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestNothingOfAStoreIsSavedWhenAPartOfItFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	ctx := context.Background()
	ada := w.person("ada")
	id, err := w.syncer.KeepPending(ctx, ada, w.look(shop))
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	if _, err := w.syncer.SavePending(ctx, ada, id, newStore("acme"), func(context.Context, *sqlc.Queries) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	equal(t, "rows", get[int](w, `select (select count(*) from stores) + (select count(*) from credentials)`), 0)
	equal(t, "jobs", len(jobstest.Of(t, w.syncer.DB.Pool, "")), 0)
	if _, err := w.syncer.SavePending(ctx, ada, id, newStore("acme")); err != nil {
		t.Errorf("it can't be saved afterwards: %v", err)
	}
}

func TestAShopIsAddedOnceHoweverManyTryAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	ctx := context.Background()
	const tries = 4
	var (
		wait sync.WaitGroup
		errs [tries]error
	)
	services := w.look(shop)
	var people [tries]int64
	var ids [tries]string
	for i := range tries {
		var err error
		people[i] = w.person(fmt.Sprint("p", i))
		if ids[i], err = w.syncer.KeepPending(ctx, people[i], services); err != nil {
			t.Fatal(err)
		}
	}
	for i := range tries {
		wait.Go(func() { _, errs[i] = w.syncer.SavePending(ctx, people[i], ids[i], newStore(fmt.Sprint("acme-", i))) })
	}
	wait.Wait()
	won := 0
	for _, err := range errs {
		known, ok := errors.AsType[*pulls.ShopKnown](err)
		switch {
		case err == nil:
			won++
		case !ok || len(known.Stores) != 1:
			t.Error(err)
		}
	}
	equal(t, "stores", won, 1)
	_, err := w.syncer.KeepPending(ctx, w.person("late"), services)
	if known, ok := errors.AsType[*pulls.ShopKnown](err); !ok || len(known.Stores) != 1 {
		t.Errorf("asked again: %v", err)
	}
	for i := range services {
		services[i].Found.Domain = "" // a service that names no shop: then the token identifies it
	}
	if _, err := w.syncer.KeepPending(ctx, w.person("nameless"), services[:1]); !errors.As(err, new(*pulls.ShopKnown)) {
		t.Errorf("the same token: %v", err)
	}
	if err := w.syncer.Remove(ctx, get[int64](w, `select id from stores`), pulls.RemovedBy{Name: "Ada"}); err != nil {
		t.Fatal(err)
	}
	if _, err = w.syncer.KeepPending(ctx, w.person("later"), services); !errors.As(err, new(*pulls.ShopKnown)) {
		t.Errorf("while it can be brought back: %v", err)
	}
}

func TestTokensOfTwoShopsMakeNoStore_N35(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	other := w.sandbox.Stores()[0].Slug
	if other == shop {
		other = w.sandbox.Stores()[1].Slug
	}
	mixed := []pulls.Checked{w.look(shop)[0], w.look(other)[1]}
	_, err := w.syncer.KeepPending(context.Background(), w.person("ada"), mixed)
	if _, two := errors.AsType[*pulls.TwoShops](err); !two {
		t.Error(err)
	}
}

func TestASlugInUseIsRefusedAlsoByAStoreThatCouldComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	ctx := context.Background()
	w.exec(`insert into stores (slug, name, timezone, removed_at) values ('acme', 'Acme', 'UTC', now())`)
	ada := w.person("ada")
	id, err := w.syncer.KeepPending(ctx, ada, w.look(shop))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.syncer.SavePending(ctx, ada, id, newStore("acme")); !errors.Is(err, pulls.ErrTaken) {
		t.Error(err)
	}
	if _, err := w.syncer.SavePending(ctx, ada, id, newStore("acme-2")); err != nil {
		t.Errorf("another one: %v", err)
	}
}

// nthArrival tells when the nth request for a path has arrived.
type nthArrival struct {
	of      string
	n       int
	arrived chan struct{}
}

func (a *nthArrival) Write(line []byte) (int, error) {
	if strings.Contains(string(line), a.of) {
		if a.n--; a.n == 0 {
			close(a.arrived)
		}
	}
	return len(line), nil
}

// A saved store is pulled at once, whatever the schedule says, starting with its first page.
func TestANewStoreIsPulledAtOnceFirstPageFirst(t *testing.T) {
	t.Parallel()
	second := &nthArrival{of: "/data/analytics/lifetime", n: 2, arrived: make(chan struct{})} // the connection check asks for it, too
	w := newWorld(t, options{rateLimit: 60, log: second})
	ctx := context.Background()
	ada := w.person("ada")
	id, err := w.syncer.KeepPending(ctx, ada, w.look(shop))
	if err != nil {
		t.Fatal(err)
	}
	w.work("@every 24h")
	from := w.mark()
	if _, err := w.syncer.SavePending(ctx, ada, id, newStore("acme")); err != nil {
		t.Fatal(err)
	}
	select {
	case <-second.arrived:
	case <-time.After(2 * time.Minute):
		t.Fatalf("only %d requests", w.mark()-from)
	}
	var paths []string
	for _, path := range w.arrivals(sandbox.Upsell, from) {
		path, _, _ = strings.Cut(path, "?")
		paths = append(paths, path)
	}
	equal(t, "upsell", paths[:min(6, len(paths))], []string{
		"/data/offers/count", "/data/analytics/summary", "/data/analytics/stats", "/data/analytics/top", "/data/analytics/coverage", "/data/analytics/lifetime",
	})
}
