package pulls

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/fetch"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// commit is one transaction that writes the results of finished pulls.
type commit struct {
	*work
	// pulls fence the transaction: each must still hold its claim.
	pulls    []plan.Pull
	numbers  fetch.Numbers
	replies  sqlc.UpsertRepliesParams
	outcomes []sqlc.Ledger
	// credential queues updates of the credential; may be nil.
	credential func(*db.Batch)
	slots      []db.Slot
	touch      sqlc.TouchStoreParams
}

// write writes all of it or nothing: fence, numbers, raw replies, credential,
// outcomes, slots.
func (c *commit) write(ctx context.Context) error {
	return c.DB.Write(ctx, func(b *db.Batch) {
		if len(c.pulls) > 1 || c.pulls[0].Kind.Wide() {
			db.Queue(b, (*sqlc.Queries).LockStore, c.store.ID)
		}
		kinds, subjects, claims := claimColumns(c.pulls)
		db.Queue(b, (*sqlc.Queries).AssertClaims, sqlc.AssertClaimsParams{StoreID: c.store.ID, Pulls: kinds, Subjects: subjects, Claims: claims})
		c.numbers.Queue(b, c.store.ID)
		if len(c.replies.Pulls) > 0 {
			c.replies.StoreID = c.store.ID
			db.Queue(b, (*sqlc.Queries).UpsertReplies, c.replies)
		}
		if c.credential != nil {
			c.credential(b)
		}
		db.Queue(b, (*sqlc.Queries).FinishPulls, sqlc.FinishPullsParams{StoreID: c.store.ID, Service: c.cred.Service, Rows: db.Rows(c.outcomes)})
		c.releaseSlots(b, c.slots)
		if slices.ContainsFunc(c.pulls, func(p plan.Pull) bool { return p.Kind == plan.SummaryDay }) {
			db.Queue(b, (*sqlc.Queries).CountDays, c.history())
		}
		if days := c.upsellDays(); len(days) > 0 {
			db.Queue(b, (*sqlc.Queries).DropOutdatedWindows, sqlc.DropOutdatedWindowsParams{StoreID: c.store.ID, Days: days, Starts: starts(c.nightly()), Ends: ends(c.nightly())})
		}
		db.Queue(b, (*sqlc.Queries).TouchStore, c.touched())
	})
}

// upsellDays are the days of the upsell series among the pulls.
func (c *commit) upsellDays() (days []civil.Date) {
	for _, p := range c.pulls {
		if slices.Contains(dayKinds, string(p.Kind)) && p.Window != nil {
			days = append(days, p.Window.Start)
		}
	}
	return days
}

// history counts the days of the planned history as of today.
func (c *commit) history() sqlc.CountDaysParams {
	planned := report.WindowEnding(report.Today(c.Now(), c.loc).AddDays(-1), int(c.store.HistoryDays))
	return sqlc.CountDaysParams{ID: c.store.ID, FirstDay: planned.Start, Yesterday: planned.End}
}

// touched updates the store's row after the pulls.
func (c *commit) touched() sqlc.TouchStoreParams {
	t := c.touch
	t.ID = c.store.ID
	pulled := &t.UpsellPulledAt
	if c.cred.Service == Gift {
		pulled = &t.GiftPulledAt
	}
	for _, row := range c.outcomes {
		if row.LastGoodAt != nil && (*pulled == nil || row.LastGoodAt.After(**pulled)) {
			*pulled = row.LastGoodAt
		}
	}
	return t
}

// reply queues a raw reply to be stored.
func (c *commit) reply(p plan.Pull, endpoint, query string, body []byte, at time.Time, took time.Duration) {
	r := &c.replies
	r.Pulls, r.Subjects = append(r.Pulls, string(p.Kind)), append(r.Subjects, p.Subject)
	r.Endpoints, r.Queries, r.Bodies = append(r.Endpoints, endpoint), append(r.Queries, query), append(r.Bodies, body)
	r.FetchedAts, r.TookMs = append(r.FetchedAts, at), append(r.TookMs, int32(took.Milliseconds()))
}

// commitGood writes good replies in one transaction: all of them, or none.
func (w *work) commitGood(ctx context.Context, replies []goodReply) error {
	c := commit{work: w, replies: sqlc.UpsertRepliesParams{Good: true, Status: http.StatusOK}}
	for _, g := range replies {
		a := g.answer
		c.pulls = append(c.pulls, g.pull)
		c.numbers.Add(a.Numbers)
		c.reply(g.pull, a.Endpoint, a.Query.Encode(), a.Raw, a.FetchedAt, a.Took)
		c.outcomes = append(c.outcomes, w.goodRow(g.pull, a))
		c.slots = append(c.slots, g.slots...)
		c.touch.Currency = cmp.Or(db.Optional(a.Currency), c.touch.Currency)
		c.touch.Domain = cmp.Or(c.touch.Domain, db.Optional(a.Domain))
	}
	if w.cred.State == "unchecked" || w.cred.ShopDomain == nil {
		c.credential = func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).NameCredential, sqlc.NameCredentialParams{ID: w.cred.ID, ShopDomain: c.touch.Domain})
		}
	}
	return c.write(ctx)
}

func (w *work) goodRow(p plan.Pull, a fetch.Answer) sqlc.Ledger {
	row := sqlc.Ledger{
		Pull: string(p.Kind), Subject: p.Subject, DueAt: plan.DueAgain(p, a.Begun(), w.loc), Outcome: fact.PullGood, OutcomeText: a.Text,
		TriedAt: &a.FetchedAt, LastGoodAt: &a.FetchedAt, Flags: a.Flags,
	}
	if a.Settled {
		row.DueAt = nil
	}
	if a.More {
		row.DueAt = new(w.Now())
	}
	if a.Elsewhere { // the answer is filed under the window it names; the day itself is still unanswered
		row.Outcome, row.OutcomeText, row.LastGoodAt = fact.PullRefused, locale.M("sync.said.other_days", "days", locale.Period{Start: a.Applied.Start, End: a.Applied.End}), nil
		if d, err := civil.ParseDate(p.Subject); err == nil && report.Today(a.Begun(), w.loc).DaysSince(d) > plan.TrailingDays {
			row.DueAt = nil
		}
	}
	if a.Asked != nil {
		row.AskedStart, row.AskedEnd = new(a.Asked.Start), new(a.Asked.End)
	}
	if a.Applied != nil {
		row.AppliedStart, row.AppliedEnd = new(a.Applied.Start), new(a.Applied.End)
	}
	return row
}

// commitBad writes how a pull failed. No numbers change.
func (w *work) commitBad(ctx context.Context, p plan.Pull, e ending, slots []db.Slot) error {
	now := w.Now()
	row := sqlc.Ledger{
		Pull: string(p.Kind), Subject: p.Subject, DueAt: e.due, Outcome: e.outcome, OutcomeText: e.text, TriedAt: &now,
		Attempts: int32(e.attempts), Flags: []report.Flag{},
	}
	if p.Window != nil {
		row.AskedStart, row.AskedEnd = new(p.Window.Start), new(p.Window.End)
	}
	c := commit{work: w, pulls: []plan.Pull{p}, outcomes: []sqlc.Ledger{row}, slots: slots, replies: sqlc.UpsertRepliesParams{Status: int32(e.status)}}
	if len(e.raw) > 0 {
		c.reply(p, string(p.Kind), "", e.raw, now, 0)
	}
	if e.cause != "" {
		c.credential = func(b *db.Batch) {
			db.Queue(b, (*sqlc.Queries).PauseCredential, pausing(w.cred, e.cause, e.said, now))
		}
	}
	return c.write(ctx)
}

// letGo frees claims without writing an outcome.
func (w *work) letGo(ctx context.Context, pulls []plan.Pull, slots []db.Slot) error {
	return w.DB.Write(ctx, func(b *db.Batch) {
		if len(pulls) > 1 {
			db.Queue(b, (*sqlc.Queries).LockStore, w.store.ID)
		}
		kinds, subjects, claims := claimColumns(pulls)
		db.Queue(b, (*sqlc.Queries).ReleaseClaims, sqlc.ReleaseClaimsParams{StoreID: w.store.ID, Pulls: kinds, Subjects: subjects, Claims: claims})
		w.releaseSlots(b, slots)
	})
}

// releaseSlots keeps used slots held for as long as the service counts their calls: a little
// over a minute from now.
func (w *work) releaseSlots(b *db.Batch, slots []db.Slot) {
	if len(slots) == 0 {
		return
	}
	ns, untils := db.SlotColumns(slots)
	db.Queue(b, (*sqlc.Queries).ReleaseSlots, sqlc.ReleaseSlotsParams{Hold: db.HoldAfterReply, Budget: w.budget.key, Ns: ns, Untils: untils})
}

// claimColumns turns the pulls and their claims into arrays for statements.
func claimColumns(pulls []plan.Pull) (kinds, subjects []string, claims []int64) {
	for _, p := range pulls {
		kinds, subjects, claims = append(kinds, string(p.Kind)), append(subjects, p.Subject), append(claims, p.Claim)
	}
	return kinds, subjects, claims
}

// reschedule tells the tick when the credential has work again.
func (d *drain) reschedule(ctx context.Context) error {
	q := d.DB.Queries()
	rows, err := q.LedgerOfCredential(ctx, sqlc.LedgerOfCredentialParams{StoreID: d.store.ID, Service: d.cred.Service})
	if err != nil {
		return fmt.Errorf("read ledger of %s: %w", d.store.Slug, err)
	}
	next := plan.NextDue(d.cred.Service, plan.NewLedger(rows), int(d.store.HistoryDays), d.Now(), d.loc)
	if again := d.Now().Add(plan.Backoff(1)); d.silent && next.Before(again) {
		next = again
	}
	if err := q.SetCredentialDue(ctx, sqlc.SetCredentialDueParams{ID: d.cred.ID, Version: d.cred.Version, NextDueAt: &next}); err != nil {
		return fmt.Errorf("reschedule %s: %w", d.store.Slug, err)
	}
	// The history may have been widened since this drain read its store. That change made the
	// credential due, and the statement above just overwrote that.
	err = q.WakeIfWidened(ctx, sqlc.WakeIfWidenedParams{ID: d.cred.ID, Version: d.cred.Version, HistoryDays: d.store.HistoryDays, Now: new(d.Now())})
	return db.Tried(err, "wake %s", d.store.Slug)
}
