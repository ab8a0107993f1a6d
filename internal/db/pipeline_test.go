package db_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// claimed is a ledger row held with claim 3.
func (h *house) claimed(pull string) {
	h.exec(`insert into ledger (store_id, pull, service, claim, claimed_until) values ($1, $2, 'upsell', 3, now() + '1 minute')`, h.acme, pull)
}

// One failing statement undoes everything else, whatever its position.
func TestAWriteHoldsAsAWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	stale := func(h *house) func(*db.Batch) {
		return func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).AssertClaims, held(h, "lifetime", "", 2))
		}
	}
	noStore := func(h *house) func(*db.Batch) {
		return func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).UpsertLifetime, sqlc.UpsertLifetimeParams{StoreID: -1, Currency: "USD", Flags: []report.Flag{}, FetchedAt: first})
		}
	}
	good := func(h *house) func(*db.Batch) {
		return func(b *db.Batch) { seed(b, h.acme, first) }
	}
	for name, c := range map[string]struct {
		steps []func(*house) func(*db.Batch)
		code  string
	}{
		"nothing fails":        {[]func(*house) func(*db.Batch){good}, ""},
		"a stale claim, first": {[]func(*house) func(*db.Batch){stale, good}, "SG001"},
		"a stale claim, last":  {[]func(*house) func(*db.Batch){good, stale}, "SG001"},
		"a broken row, first":  {[]func(*house) func(*db.Batch){noStore, good}, "23503"},
		"a broken row, last":   {[]func(*house) func(*db.Batch){good, noStore}, "23503"},
		"between good ones":    {[]func(*house) func(*db.Batch){good, noStore, good}, "23503"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			h.claimed("lifetime")
			err := h.Write(t.Context(), func(b *db.Batch) {
				for _, step := range c.steps {
					step(h)(b)
				}
			})
			code := ""
			if pg, ok := errors.AsType[*pgconn.PgError](err); ok {
				code = pg.Code
			} else if err != nil {
				t.Fatal(err)
			}
			equal(t, "error", code, c.code)
			for _, table := range []string{"summaries", "lifetimes", "offers", "top_lists"} {
				if written := len(h.rows(table)) > 0; written != (c.code == "") {
					t.Errorf("%s has %d rows after %q", table, len(h.rows(table)), code)
				}
			}
		})
	}
}

func held(h *house, pull, subject string, claim int64) sqlc.AssertClaimsParams {
	return sqlc.AssertClaimsParams{StoreID: h.acme, Pulls: []string{pull}, Subjects: []string{subject}, Claims: []int64{claim}}
}

func TestTheFenceLetsOnlyTheNewestClaimThrough(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.claimed("lifetime")
	h.claimed("offer_count")
	for name, c := range map[string]struct {
		pull, subject string
		claim         int64
		through       bool
	}{
		"the newest":      {"lifetime", "", 3, true},
		"an older one":    {"lifetime", "", 2, false},
		"one not given":   {"lifetime", "", 4, false},
		"another subject": {"lifetime", "30", 3, false},
		"another pull":    {"coverage", "", 3, false},
	} {
		alone := held(h, c.pull, c.subject, c.claim)
		behind := held(h, "offer_count", "", 3) // one that succeeds
		behind.Pulls, behind.Subjects, behind.Claims = append(behind.Pulls, c.pull), append(behind.Subjects, c.subject), append(behind.Claims, c.claim)
		for _, claims := range []sqlc.AssertClaimsParams{alone, behind} {
			err := h.Write(t.Context(), func(b *db.Batch) { db.Queue(b, (*sqlc.Queries).AssertClaims, claims) })
			if (err == nil) != c.through {
				t.Errorf("%s, %d together: %v", name, len(claims.Pulls), err)
			}
		}
	}
}

func TestACancelledWriteWritesNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := h.Write(ctx, func(b *db.Batch) { seed(b, h.acme, first) })
	if !errors.Is(err, context.Canceled) || len(h.rows("summaries")) > 0 {
		t.Errorf("%d rows are written (%v)", len(h.rows("summaries")), err)
	}
}

// A page's queries all travel together, and each gets its own rows.
func TestReadsAreAnsweredInTheirOrder(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.write(func(b *db.Batch) { seed(b, h.acme, first) })
	var (
		counts   []sqlc.OfferCount
		lifetime []sqlc.LifetimeRowRow
		none     []sqlc.LifetimeRowRow
		store    sqlc.Store
	)
	err := h.Read(t.Context(), func(b *db.Batch) {
		db.Ask(b, &counts, (*sqlc.Queries).OfferCountRows, h.acme)
		db.Ask(b, &none, (*sqlc.Queries).LifetimeRow, h.birch)
		db.Ask(b, &store, (*sqlc.Queries).StoreByID, h.birch)
		db.Ask(b, &lifetime, (*sqlc.Queries).LifetimeRow, h.acme)
	})
	h.must(err)
	equal(t, "counts", len(counts), 2)
	equal(t, "nothing", len(none), 0)
	equal(t, "store", store.Slug, "birch")
	equal(t, "lifetime", lifetime[0].TotalRevenue.String(), "99.5")
}

func TestAReadThatFailsSaysSoAndGivesItsConnectionBack(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	for range 2 * int(h.Pool.Config().MaxConns) {
		var store sqlc.Store
		var none []sqlc.LifetimeRowRow
		err := h.Read(t.Context(), func(b *db.Batch) {
			db.Ask(b, &none, (*sqlc.Queries).LifetimeRow, h.acme)
			db.Ask(b, &store, (*sqlc.Queries).StoreByID, -1)
			db.Ask(b, &none, (*sqlc.Queries).LifetimeRow, h.birch)
		})
		if !errors.Is(err, pgx.ErrNoRows) || !strings.HasPrefix(err.Error(), "StoreByID: ") {
			t.Fatalf("error is %v", err)
		}
	}
	equal(t, "connections kept", h.Pool.Stat().AcquiredConns(), int32(0))
}
