package sharing_test

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

const sharePassword = "copper kettle on a rope"

// shop is a world in which ada holds acme, with the web server's view of it.
type shop struct {
	*accesstest.World
	pages  *sharing.Links
	hasher *password.Hasher
	ada    access.Person
	acme   db.ScopedStore
}

func newShop(t *testing.T) shop {
	t.Helper()
	w := accesstest.New(t)
	ada := w.Person(t, "ada@example.com")
	hasher := password.NewHasher()
	return shop{w, sharing.New(w.Pages(t), w.Clock.Now, hasher), hasher, ada, w.Held(t, ada, "acme")}
}

// plain is a link without a password to the overview of the last 30 days.
func (s shop) plain() sharing.Draft {
	return sharing.Draft{
		By: s.ada.ID, Label: "For the board", Pages: []sharing.Page{sharing.Overview},
		Window: sharing.Window{Preset: "last_30_days"}, Until: s.Clock.Now().AddDate(0, 0, 30),
	}
}

func (s shop) share(t *testing.T, n sharing.Draft) string {
	t.Helper()
	secret, err := s.Shares.Create(t.Context(), s.acme, n)
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

// works resolves the link as the web server does.
func (s shop) works(t *testing.T, secret string) (sharing.Link, context.Context) {
	t.Helper()
	link, visit, err := s.pages.Resolve(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	return link, db.WithVisit(t.Context(), visit)
}

func TestAShareLinkHoldsItsStoreAndNoOther(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	secret := s.share(t, s.plain())
	link, visit, err := s.pages.Resolve(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	if !link.Shows(sharing.Overview) || link.Shows(sharing.Offers) || link.HasPassword() || link.Window.Fixed() {
		t.Errorf("%+v", link)
	}
	if store, err := visit.Store(); err != nil || store.Slug != "acme" {
		t.Errorf("store %q, %v", store.Slug, err)
	}
	if visit.Scope.Every() || visit.Person.ID != 0 || len(visit.Stores) != 0 {
		t.Errorf("the visit holds more: %+v", visit)
	}
	pages := db.From(dbtest.As(t, s.DB.Pool, db.Pages), 60)
	ctx := db.WithVisit(t.Context(), visit)
	if stores, err := pages.Stores(ctx, visit.Scope); err != nil || len(stores) != 1 || stores[0].Slug != "acme" {
		t.Errorf("sees %v, %v", stores, err)
	}
	var n int // counted directly, not through a store's scope
	if err := pages.InTx(ctx, func(q *sqlc.Queries) error {
		rows, err := q.AllStores(ctx)
		n = len(rows)
		return err
	}); err != nil || n != 1 {
		t.Errorf("the database shows %d stores, %v", n, err)
	}
}

func TestASecretOpensItsOwnLinkEvenWithoutTheWall(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ben := s.Person(t, "ben@example.com")
	secrets := map[string]string{}
	for label, c := range map[string]struct {
		by   access.Person
		slug string
	}{"one": {s.ada, "acme"}, "another": {ben, "acme"}, "of birch": {ben, "birch"}} {
		n := s.plain()
		n.Label, n.By = label, c.by.ID
		secret, err := s.Shares.Create(t.Context(), s.Held(t, c.by, c.slug), n)
		if err != nil {
			t.Fatal(err)
		}
		secrets[label+" by "+c.by.Name+" shows "+c.slug] = secret
	}
	for want, secret := range secrets {
		for wall, links := range map[string]*sharing.Links{"the wall": s.pages, "no wall": s.Shares} {
			link, visit, err := links.Resolve(t.Context(), secret)
			if err != nil {
				t.Fatal(err)
			}
			store, err := visit.Store()
			if got := link.Label + " by " + link.MadeBy + " shows " + store.Slug; got != want || err != nil {
				t.Errorf("behind %s: %s, want %s, %v", wall, got, want, err)
			}
		}
	}
}

func TestASharesSecretIsKeptAsHashOnly(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	n := s.plain()
	n.Password = sharePassword
	secret := s.share(t, n)
	var row string
	if err := s.DB.Pool.QueryRow(t.Context(), "select shares::text from shares").Scan(&row); err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{secret, sharePassword} {
		if strings.Contains(row, kept) {
			t.Errorf("the table holds %q", kept)
		}
	}
	if !strings.Contains(row, "$argon2id$") {
		t.Error("the password is not hashed with argon2id")
	}
	if got := s.Recorded(t, audit.Filter{About: "share"}); !slices.Equal(got, []string{"share.made acme For the board"}) {
		t.Errorf("%q", got)
	}
	if other := s.share(t, n); other == secret || len(other) != 43 {
		t.Errorf("secrets %q and %q", secret, other)
	}
}

func TestALinkThatDoesNotWorkDoesNotSayWhy(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*testing.T, shop) error{
		"expired": func(_ *testing.T, s shop) error { s.Clock.Add(30 * 24 * time.Hour); return nil },
		"revoked": func(t *testing.T, s shop) error {
			list, err := s.Shares.List(t.Context(), s.acme)
			if err != nil {
				return err
			}
			return s.Shares.Revoke(t.Context(), s.acme, list[0].ID)
		},
		"its maker is disabled": func(t *testing.T, s shop) error { return s.DisablePerson(t.Context(), s.ada.ID) },
		"its maker is gone": func(t *testing.T, s shop) error {
			_, err := s.DB.Pool.Exec(t.Context(), "delete from people")
			return err
		},
		"its store is removed": func(t *testing.T, s shop) error {
			_, err := s.DB.Pool.Exec(t.Context(), "update stores set removed_at = now() where slug = 'acme'")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			secret := s.share(t, s.plain())
			s.works(t, secret)
			if err := end(t, s); err != nil {
				t.Fatal(err)
			}
			for _, tried := range []string{secret, strings.Repeat("A", 43), "", "x", secret + "A", secret[:42] + "!", "sg_" + secret} {
				for wall, links := range map[string]*sharing.Links{"the wall": s.pages, "no wall": s.Shares} {
					if link, visit, err := links.Resolve(t.Context(), tried); err != fault.NotFound || link.ID != 0 { //nolint:errorlint // not wrapped: it reveals nothing
						t.Errorf("behind %s, %q gives %+v, %+v, %v", wall, tried, link, visit, err)
					}
				}
			}
		})
	}
}

func TestNoLinkIsMadeOfAStoreThatWasRemovedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	if _, err := s.DB.Pool.Exec(t.Context(), "update stores set removed_at = now() where slug = 'acme'"); err != nil {
		t.Fatal(err)
	}
	if secret, err := s.Shares.Create(t.Context(), s.acme, s.plain()); !errors.Is(err, db.ErrNotFound) || secret != "" {
		t.Errorf("%q, %v", secret, err)
	}
	if got := s.Recorded(t, audit.Filter{About: string(audit.ShareMade)}); len(got) > 0 {
		t.Errorf("recorded: %q", got)
	}
}

func TestALinkOfSomeoneWhoLostTheStoreLivesAndIsListed(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	secret := s.share(t, s.plain())
	if _, err := s.RevokePerson(t.Context(), s.ada.ID, "acme"); err != nil {
		t.Fatal(err)
	}
	s.works(t, secret)
	list, err := s.Shares.List(t.Context(), s.acme)
	if err != nil || len(list) != 1 || list[0].MadeBy != "ada" || list[0].State != sharing.Live {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestAListedLinkTellsItsState(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	fixed := s.plain()
	fixed.Label, fixed.Window = "October", sharing.Window{Start: civil.Date{Year: 2026, Month: 10, Day: 1}, End: civil.Date{Year: 2026, Month: 10, Day: 31}}
	fixed.Pages = []sharing.Page{sharing.Gifts, sharing.Offers, sharing.Gifts}
	fixed.Until = s.Clock.Now().Add(time.Hour)
	s.share(t, fixed)
	s.share(t, s.plain())
	s.Clock.Add(time.Hour)
	list, err := s.pages.List(t.Context(), s.acme) // nobody is signed in
	if err != nil || len(list) != 0 {
		t.Errorf("without a principal the pages see %d links, %v", len(list), err)
	}
	list, err = s.Shares.List(t.Context(), s.acme)
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	if l := list[0]; l.Label != "For the board" || l.State != sharing.Live || l.Preset != "last_30_days" || l.HasPassword {
		t.Errorf("first %+v", l)
	}
	l := list[1]
	if l.State != sharing.Expired || !slices.Equal(l.Pages, []sharing.Page{sharing.Offers, sharing.Gifts}) || l.Window != fixed.Window {
		t.Errorf("second %+v", l)
	}
	accesstest.Wants(t, s.Shares.Revoke(t.Context(), s.acme, l.ID+100), fault.Missing("share"))
	accesstest.Wants(t, s.Shares.Revoke(t.Context(), s.Held(t, s.ada, "birch"), l.ID), fault.Missing("share"))
	if err := s.Shares.Revoke(t.Context(), s.acme, l.ID); err != nil {
		t.Fatal(err)
	}
	accesstest.Wants(t, s.Shares.Revoke(t.Context(), s.acme, l.ID), fault.Missing("share"))
	if label, slug, err := s.Shares.RevokeByID(t.Context(), list[0].ID); label != "For the board" || slug != "acme" || err != nil {
		t.Errorf("%q of %q, %v", label, slug, err)
	}
	all, err := s.Shares.All(t.Context(), "acme")
	if err != nil || len(all) != 2 || all[0].State != sharing.Ended || all[1].State != sharing.Ended {
		t.Errorf("%+v, %v", all, err)
	}
	_, err = s.Shares.All(t.Context(), "nowhere")
	accesstest.Wants(t, err, fault.Missing("store"))
	if got := s.Recorded(t, audit.Filter{About: string(audit.ShareRevoked)}); !slices.Equal(got, []string{"share.revoked acme For the board", "share.revoked acme October"}) {
		t.Errorf("%q", got)
	}
}

func TestALinkThatCantBeMadeSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for name, c := range map[string]struct {
		field string
		wrong func(*sharing.Draft)
	}{
		"no name":            {"label", func(n *sharing.Draft) { n.Label = " " }},
		"a name too long":    {"label", func(n *sharing.Draft) { n.Label = strings.Repeat("x", 61) }},
		"a name that turns":  {"label", func(n *sharing.Draft) { n.Label = "a\u202eb" }},
		"no page":            {"pages", func(n *sharing.Draft) { n.Pages = nil }},
		"a page not offered": {"pages", func(n *sharing.Draft) { n.Pages = []sharing.Page{"sync"} }},
		"no window":          {"window", func(n *sharing.Draft) { n.Window = sharing.Window{} }},
		"a window backwards": {"window", func(n *sharing.Draft) {
			n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 2, Day: 2}, End: civil.Date{Year: 2026, Month: 2, Day: 1}}
		}},
		"a first day that is none": {"window", func(n *sharing.Draft) {
			n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 1, Day: 32}, End: civil.Date{Year: 2026, Month: 2, Day: 9}}
		}},
		"a last day that is none": {"window", func(n *sharing.Draft) {
			n.Window = sharing.Window{Start: civil.Date{Year: 2026, Month: 2, Day: 1}, End: civil.Date{Year: 2026, Month: 2, Day: 31}}
		}},
		"over already":        {"until", func(n *sharing.Draft) { n.Until = s.Clock.Now() }},
		"longer than a year":  {"until", func(n *sharing.Draft) { n.Until = s.Clock.Now().AddDate(0, 0, sharing.MaxDays+2) }},
		"a short password":    {"password", func(n *sharing.Draft) { n.Password = "kettle" }},
		"an obvious password": {"password", func(n *sharing.Draft) { n.Password = "password1234" }},
	} {
		n := s.plain()
		c.wrong(&n)
		_, err := s.Shares.Create(t.Context(), s.acme, n)
		wrong, ok := fault.As(err)
		if !ok || wrong.Field != c.field || wrong.Reason.ID == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if list, err := s.Shares.List(t.Context(), s.acme); err != nil || len(list) != 0 {
		t.Errorf("made %+v, %v", list, err)
	}
}

func TestAPasswordsKeyOpensItsLinkForTwelveHours(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	n := s.plain()
	n.Password = sharePassword
	from := netip.MustParseAddr("192.0.2.1")
	secret := s.share(t, n)
	link, ctx := s.works(t, secret)
	other, _ := s.works(t, s.share(t, n))
	open, _ := s.works(t, s.share(t, s.plain()))
	key, err := s.pages.Unlock(ctx, link, sharePassword, from)
	if err != nil {
		t.Fatal(err)
	}
	now := s.Clock.Now()
	if !link.Unlocks(key, now) || !link.Unlocks(key, now.Add(sharing.KeyLife-time.Second)) {
		t.Error("the key does not open its link")
	}
	if link.Unlocks(key, now.Add(sharing.KeyLife)) {
		t.Error("the key opens for longer than 12 hours")
	}
	if other.Unlocks(key, now) {
		t.Error("the key opens another link with the same password")
	}
	for _, forged := range []string{"", "x", key[:len(key)-1], "B" + key[1:], strings.Repeat("A", len(key))} {
		if link.Unlocks(forged, now) {
			t.Errorf("%q opens", forged)
		}
	}
	if !open.Unlocks("", now) {
		t.Error("a link without a password asks for a key")
	}
	hash, err := s.Passwords.Hash(t.Context(), sharePassword)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.Pool.Exec(t.Context(), "update shares set password_hash = $1", hash); err != nil {
		t.Fatal(err)
	}
	if link, _ = s.works(t, secret); link.Unlocks(key, now) {
		t.Error("the key opens after the password was changed")
	}
}

func TestWrongPasswordsAreCountedRecordedAndLimited(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	n := s.plain()
	n.Password = sharePassword
	link, ctx := s.works(t, s.share(t, n))
	other, octx := s.works(t, s.share(t, n))
	refused, wrong := 0, 0
	for i := range 60 { // each from a different address
		_, err := s.pages.Unlock(ctx, link, "not the password", netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}))
		switch {
		case errors.Is(err, fault.TooMany):
			refused++
		case errors.Is(err, fault.Denied):
			wrong++
		default:
			t.Fatal(err)
		}
	}
	if wrong != 20 || refused != 40 || s.hasher.Count() != 20 {
		t.Errorf("%d were compared, %d refused, %d hashes", wrong, refused, s.hasher.Count())
	}
	if got := s.Recorded(t, audit.Filter{About: string(audit.ShareRefused)}); len(got) != 0 {
		t.Errorf("%d records: %q", len(got), got)
	}
	accesstest.WantCounts(t, s.Counts(t, audit.Filter{Store: "acme"}), "2026-11-20 share.refused unknown For the board acme 20")
	if _, err := s.pages.Unlock(ctx, link, sharePassword, netip.MustParseAddr("198.51.100.1")); !errors.Is(err, fault.TooMany) {
		t.Errorf("the limit let the right one through: %v", err)
	}
	if _, err := s.pages.Unlock(octx, other, sharePassword, netip.MustParseAddr("198.51.100.2")); err != nil {
		t.Errorf("another link is limited too: %v", err)
	}
	s.Clock.Add(time.Minute)
	if _, err := s.pages.Unlock(ctx, link, sharePassword, netip.MustParseAddr("198.51.100.3")); err != nil {
		t.Errorf("a minute later: %v", err)
	}
}

func TestEveryHitCountsAndTheFirstOfADayIsRecorded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	secret := s.share(t, s.plain())
	hits := func() sharing.Listed {
		t.Helper()
		list, err := s.Shares.List(t.Context(), s.acme)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	open := func(times int) {
		t.Helper()
		link, ctx := s.works(t, secret)
		var wg sync.WaitGroup
		for range times { // at once: each thinks it is the first
			wg.Go(func() {
				if err := s.pages.NoteHit(ctx, link); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	if l := hits(); l.Hits != 0 || l.LastHit != nil {
		t.Errorf("before any: %+v", l)
	}
	s.Clock.Add(25 * time.Second)
	open(8)
	if l := hits(); l.Hits != 8 || l.LastHit == nil || !l.LastHit.Equal(s.Clock.Now().Truncate(time.Minute)) {
		t.Errorf("%d hits, last %v", l.Hits, l.LastHit)
	}
	s.Clock.Add(time.Hour)
	open(3)
	opened := func() int { return len(s.Recorded(t, audit.Filter{About: string(audit.ShareOpened)})) }
	if l := hits(); l.Hits != 11 || opened() != 1 {
		t.Errorf("%d hits, %d records", l.Hits, opened())
	}
	s.Clock.Add(24 * time.Hour)
	open(2)
	if l := hits(); l.Hits != 13 || opened() != 2 {
		t.Errorf("on the next day %d hits, %d records", l.Hits, opened())
	}
}

func TestPasswordsOfManyLinksAreLimitedForEachAddressAndForAll(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	let := func(tries int, from func(i int) netip.Addr) (through int) {
		t.Helper()
		for i := range tries { // each for another link
			switch err := s.Shares.TakePassword(t.Context(), int64(i), from(i)); {
			case err == nil:
				through++
			case !errors.Is(err, fault.TooMany):
				t.Fatal(err)
			}
		}
		return through
	}
	if n := let(2*limit.Address.Burst, func(int) netip.Addr { return netip.MustParseAddr("192.0.2.1") }); n != limit.Address.Burst {
		t.Errorf("%d from one address", n)
	}
	if n := let(2*limit.Overall.Burst, func(i int) netip.Addr { return netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}) }); n != limit.Overall.Burst-limit.Address.Burst {
		t.Errorf("%d more from all addresses", n)
	}
}
