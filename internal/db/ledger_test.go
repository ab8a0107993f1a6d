package db_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

func claims(h *house, lease time.Duration, planned int64, pulls ...string) sqlc.ClaimPullsParams {
	arg := sqlc.ClaimPullsParams{StoreID: h.acme, Service: "upsell", Lease: lease, Credential: h.credentialOnce(h.acme, "upsell"), Version: 1}
	for _, p := range pulls {
		arg.Pulls, arg.Subjects, arg.Lanes, arg.Planned = append(arg.Pulls, p), append(arg.Subjects, ""), append(arg.Lanes, "schedule"), append(arg.Planned, planned)
	}
	return arg
}

// Eight workers plan the same pulls at once: each pull is claimed by only one.
func TestEachPullIsClaimedByOne(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	pulls := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}
	for planned := range int64(3) { // never tried, tried once, tried twice
		var (
			wait sync.WaitGroup
			mu   sync.Mutex
			got  = map[string]int{}
		)
		for range 8 {
			wait.Go(func() {
				rows, err := h.Queries().ClaimPulls(context.Background(), claims(h, time.Minute, planned, pulls...))
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, r := range rows {
					got[r.Pull]++
					if r.Claim != planned+1 {
						t.Errorf("%s has claim %d, want %d", r.Pull, r.Claim, planned+1)
					}
				}
			})
		}
		wait.Wait()
		equal(t, "pulls claimed", len(got), len(pulls))
		for p, n := range got {
			equal(t, "claims on "+p, n, 1)
		}
		h.exec(`update ledger set claimed_until = null`) // done
	}
}

func TestAClaimNeedsThePlannedNumberAndAnEndedLease(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		until   string
		planned int64
		claimed bool
	}{
		"free":                          {"null", 3, true},
		"its lease has ended":           {"now() - interval '1 second'", 3, true},
		"held":                          {"now() + interval '1 second'", 3, false},
		"claimed since it was planned":  {"null", 2, false},
		"planned as if it were new":     {"null", 0, false},
		"a number that was never given": {"null", 4, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			h.exec(`insert into ledger (store_id, pull, service, claim, claimed_until) values ($1, 'a', 'upsell', 3, `+c.until+`)`, h.acme)
			rows, err := h.Queries().ClaimPulls(t.Context(), claims(h, time.Minute, c.planned, "a"))
			h.must(err)
			equal(t, "claimed", len(rows) == 1, c.claimed)
		})
	}
}

func (h *house) finish(outcome string, at time.Time, more map[string]any, touch sqlc.TouchStoreParams) {
	h.t.Helper()
	row := map[string]any{"pull": "a", "subject": "", "outcome": outcome, "outcome_text": outcome, "tried_at": at, "attempts": 0, "flags": []string{}}
	if outcome == "good" {
		row["last_good_at"] = at
	}
	maps.Copy(row, more)
	touch.ID = h.acme
	h.write(func(b *db.Batch) {
		db.Queue(b, (*sqlc.Queries).FinishPulls, sqlc.FinishPullsParams{StoreID: h.acme, Service: "upsell", Rows: list(row)})
		db.Queue(b, (*sqlc.Queries).TouchStore, touch)
	})
}

func TestTheLedgerRemembersSinceWhenAndTheLastGoodAnswer(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	h.exec(`insert into ledger (store_id, pull, service, claim, claimed_until) values ($1, 'a', 'upsell', 1, now() + '1 minute')`, h.acme)
	of := func(day string) map[string]any {
		return map[string]any{"asked_start": day, "asked_end": day, "applied_start": day, "applied_end": day, "flags": []string{"partial"}}
	}
	var nothing sqlc.TouchStoreParams
	shop := sqlc.TouchStoreParams{Currency: ptr("USD"), Domain: ptr("acme.example")}
	state := func() string {
		return get[string](h, `select outcome || ' good ' || coalesce(to_char(last_good_at at time zone 'utc', 'DD HH24'), '-') || ' failing ' || coalesce(to_char(failing_since at time zone 'utc', 'DD HH24'), '-')
			|| ' applied ' || coalesce(applied_start::text, '-') || ' ' || flags::text || ' held ' || (claimed_until is not null) from ledger`)
	}
	hour := func(n int) time.Time { return first.Add(time.Duration(n) * time.Hour) }
	h.finish("waiting", hour(0), nil, nothing)
	equal(t, "waits before its first answer", state(), "waiting good - failing - applied - {} held false")
	h.finish("good", hour(1), of("2026-11-19"), shop)
	equal(t, "good", state(), "good good 20 06 failing - applied 2026-11-19 {partial} held false")
	h.finish("failed", hour(2), nil, nothing)
	equal(t, "failed", state(), "failed good 20 06 failing 20 07 applied 2026-11-19 {partial} held false")
	h.finish("waiting", hour(3), nil, nothing)
	equal(t, "waits while failing", state(), "waiting good 20 06 failing 20 07 applied 2026-11-19 {partial} held false")
	h.finish("quarantined", hour(4), nil, nothing)
	equal(t, "still failing", state(), "quarantined good 20 06 failing 20 07 applied 2026-11-19 {partial} held false")
	h.finish("good", hour(5), of("2026-11-20"), shop)
	equal(t, "good again", state(), "good good 20 10 failing - applied 2026-11-20 {partial} held false")

	equal(t, "the store", get[string](h, `select currency || ' ' || domain || ' ' || revision from stores where id = $1`, h.acme), "USD acme.example 6")
	h.finish("good", hour(6), nil, sqlc.TouchStoreParams{Currency: ptr("EUR"), Domain: ptr("other.example")})
	equal(t, "the store's currency follows, its shop does not", get[string](h, `select currency || ' ' || domain from stores where id = $1`, h.acme), "EUR acme.example")
	equal(t, "the other store", get[int](h, `select revision from stores where id = $1`, h.birch), 0)
}

func TestTheCauseOfAPauseIsTheFirst_N40(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		causes []string
		want   string
	}{
		"one":                             {[]string{"NO_PLAN"}, "NO_PLAN"},
		"what it makes of the calls":      {[]string{"NO_PLAN", "INVALID_KEY"}, "NO_PLAN"},
		"though written the other way":    {[]string{"INVALID_KEY", "NO_PLAN"}, "NO_PLAN"},
		"uninstalled, the other way":      {[]string{"INVALID_KEY", "INVALID_KEY", "APP_UNINSTALLED"}, "APP_UNINSTALLED"},
		"two that revoke":                 {[]string{"NO_PLAN", "APP_UNINSTALLED"}, "NO_PLAN"},
		"a key alone":                     {[]string{"INVALID_KEY", "INVALID_KEY"}, "INVALID_KEY"},
		"one that forbids calls wins":     {[]string{"INSUFFICIENT_SCOPE", "NO_PLAN"}, "NO_PLAN"},
		"a wrong shop and then the token": {[]string{"wrong_shop", "token"}, "wrong_shop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			cred := h.credential(h.acme, "gift")
			revision := get[int](h, `select revision from stores where id = $1`, h.acme)
			for _, cause := range c.causes {
				p := sqlc.PauseCredentialParams{ID: cred, Version: 1, State: "paused", Cause: cause, Said: "about " + cause, Now: time.Now()}
				if cause != "NO_PLAN" && cause != "APP_UNINSTALLED" {
					p.NextProbeAt = ptr(time.Now().Add(time.Minute))
				}
				h.must(h.Queries().PauseCredential(t.Context(), p))
			}
			equal(t, "state", get[string](h, `select state || ' ' || paused_cause || ' ' || paused_said from credentials`), "paused "+c.want+" about "+c.want)
			equal(t, "pages notice", get[int](h, `select revision from stores where id = $1`, h.acme), revision+len(c.causes))
		})
	}
}

func (h *house) credential(store int64, service string) int64 {
	h.t.Helper()
	c, err := h.Queries().UpsertCredential(context.Background(), sqlc.UpsertCredentialParams{
		StoreID: store, Service: service, BaseUrl: "https://x.example", TokenSealed: []byte{1}, KeyID: "k", Budget: token, TokenTail: "tail", State: "unchecked",
	})
	h.must(err)
	return c.ID
}

// credentialOnce is the store's credential, created on first use.
func (h *house) credentialOnce(store int64, service string) int64 {
	h.t.Helper()
	h.exec(`insert into credentials (store_id, service, base_url, token_sealed, key_id, budget) values ($1, $2, 'https://x.example', '\x01', 'k', '\x02') on conflict do nothing`, store, service)
	return get[int64](h, `select id from credentials where store_id = $1 and service = $2`, store, service)
}

func TestResumingWakesWhatStoodStillAndNothingElse(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	ctx := context.Background()
	cred := h.credential(h.acme, "upsell")
	h.must(h.Queries().PauseCredential(ctx, sqlc.PauseCredentialParams{ID: cred, Version: 1, State: "doubtful", Cause: "token", Said: "x", Now: time.Now(), NextProbeAt: ptr(time.Now().Add(time.Minute))}))
	for _, outcome := range []string{"good", "never", "waiting", "failed", "refused", "quarantined", "paused"} {
		h.exec(`insert into ledger (store_id, pull, service, outcome, attempts, due_at) values ($1, $2, 'upsell', $2, 4, null)`, h.acme, outcome)
	}
	scope, err := h.ScopeOfPerson(ctx, h.person("acme"))
	h.must(err)
	store, err := h.Store(ctx, scope, "acme")
	h.must(err)
	h.must(h.Pause(ctx, store))
	equal(t, "paused", get[bool](h, `select paused_at is not null from stores where id = $1`, h.acme), true)
	equal(t, "due while paused", h.dueCredentials(), 0)
	h.must(h.Resume(ctx, store))
	equal(t, "woken", get[string](h, `select string_agg(pull, ' ' order by pull) from ledger where due_at <= now() and attempts = 0`), "failed paused refused")
	equal(t, "left", get[int](h, `select count(*) from ledger where due_at is null and attempts = 4`), 4)
	equal(t, "credential", get[string](h, `select state || (paused_cause is null) || (paused_said is null) || (paused_at is null) from credentials`), "uncheckedtruetruetrue")
	equal(t, "due", h.dueCredentials(), 1)
}

func (h *house) dueCredentials() int {
	h.t.Helper()
	due, err := h.Queries().DueCredentials(context.Background(), ptr(time.Now().Add(time.Second)))
	h.must(err)
	return len(due)
}

func TestOnlyWorkingCredentialsComeDue(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	cred := h.credential(h.acme, "upsell")
	h.credential(h.birch, "gift")
	equal(t, "both", h.dueCredentials(), 2)
	h.must(h.Queries().SetCredentialDue(t.Context(), sqlc.SetCredentialDueParams{ID: cred, Version: 1, NextDueAt: ptr(time.Now().Add(time.Hour))}))
	equal(t, "one later", h.dueCredentials(), 1)
	h.must(h.Queries().WakeStore(t.Context(), h.acme))
	equal(t, "woken", h.dueCredentials(), 2)
	h.must(h.Queries().PauseCredential(t.Context(), sqlc.PauseCredentialParams{ID: cred, Version: 1, State: "doubtful", Cause: "token", Said: "x", Now: time.Now(), NextProbeAt: ptr(time.Now().Add(time.Minute))}))
	h.must(h.Queries().WakeStore(t.Context(), h.acme))
	equal(t, "one paused", h.dueCredentials(), 1)
	h.must(h.Queries().PauseStore(t.Context(), h.birch))
	equal(t, "the other's store paused", h.dueCredentials(), 0)
	h.credential(h.acme, "upsell") // connected again
	equal(t, "connected again", h.dueCredentials(), 1)
}

func TestACredentialIsBoundToTheFirstShopItNames_N35(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	cred := h.credential(h.acme, "upsell")
	name := func(domain *string) {
		h.must(h.Queries().NameCredential(t.Context(), sqlc.NameCredentialParams{ID: cred, ShopDomain: domain}))
	}
	name(nil)
	equal(t, "after a reply that names none", get[string](h, `select state || coalesce(shop_domain, ' -') from credentials`), "good -")
	name(ptr("acme.example"))
	name(ptr("birch.example"))
	h.exec(`update credentials set state = 'unchecked'`) // resumed: the shop is the same
	name(ptr("birch.example"))
	equal(t, "bound to", get[string](h, `select shop_domain from credentials`), "acme.example")
}

// Comparing a window with its days uses only whole days in its own currency.
func TestAWindowIsComparedWithItsWholeDaysInItsCurrency_N27_N34(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		want   string // agrees, days, missing
	}{
		"equal":             {``, "true 2 0"},
		"a cent":            {`update summaries set total_upsold_value = 1.01 where window_start = window_end and window_start = '2026-11-18'`, "false 2 0"},
		"an order":          {`update summaries set total_upsold_orders = 2 where window_start = window_end and window_start = '2026-11-18'`, "false 2 0"},
		"a day is missing":  {`delete from summaries where window_start = '2026-11-18' and window_end = '2026-11-18'`, "false 1 1"},
		"a day is partial":  {`update summaries set partial = true where window_end = '2026-11-18'`, "false 1 1"},
		"another currency":  {`update summaries set currency = 'EUR' where window_end = '2026-11-18'`, "false 1 1"},
		"partial itself":    {`update summaries set partial = true where window_end <> window_start`, "-"},
		"digits of a dinar": {`update summaries set total_upsold_value = total_upsold_value * 1.000`, "true 2 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			for _, w := range [][3]string{{"2026-11-18", "2026-11-18", "1.00"}, {"2026-11-19", "2026-11-19", "2.50"}, {"2026-11-18", "2026-11-19", "3.5"}} {
				orders := int64(1)
				if w[0] != w[1] {
					orders = 2
				}
				h.write(func(b *db.Batch) {
					db.Queue(b, (*sqlc.Queries).UpsertSummaries, sqlc.UpsertSummariesParams{StoreID: h.acme, Rows: list(told(first, map[string]any{
						"window_start": w[0], "window_end": w[1], "asked_start": w[0], "asked_end": w[1],
						"total_upsold_value": json.Number(w[2]), "total_upsold_orders": orders, "total_orders": 5, "flags": []string{},
					}))})
				})
			}
			if c.change != "" {
				h.exec(c.change)
			}
			h.must(h.Queries().CheckWindow(t.Context(), sqlc.CheckWindowParams{StoreID: h.acme, WindowStart: date("2026-11-18"), WindowEnd: date("2026-11-19")}))
			var got string
			err := h.Pool.QueryRow(t.Context(), `select agrees || ' ' || days_stored || ' ' || days_missing from window_checks`).Scan(&got)
			if errors.Is(err, pgx.ErrNoRows) {
				got = "-"
			} else if err != nil {
				t.Fatal(err)
			}
			equal(t, "comparison", got, c.want)
		})
	}
}
