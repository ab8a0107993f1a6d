package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// commitGood writes good replies in one transaction: all of them, or none.
func (w *work) commitGood(ctx context.Context, replies []goodReply) error {
	return w.db.Write(ctx, func(q *db.Queries) {
		if len(replies) > 1 || policyOf[replies[0].pull.Kind].wide {
			_ = q.LockStore(ctx, w.store.ID)
		}
		touch := db.TouchStoreParams{ID: w.store.ID}
		var slots []db.Slot
		for _, g := range replies {
			w.queueGood(ctx, q, g.pull, g.answer)
			slots = append(slots, g.slots...)
			touch.Currency = cmp.Or(optional(g.answer.currency), touch.Currency)
			touch.Domain = cmp.Or(touch.Domain, optional(g.answer.domain))
		}
		w.releaseSlots(ctx, q, slots)
		_ = q.TouchStore(ctx, touch)
	})
}

// queueGood queues what a good reply writes: fence, numbers, raw reply,
// credential, outcome.
func (w *work) queueGood(ctx context.Context, q *db.Queries, p Pull, a answer) {
	due := nextDue(p, a.begun(), w.loc)
	if a.more {
		now := w.Now()
		due = &now
	}
	o, note, answered := good, a.text, &a.fetchedAt
	if a.elsewhere { // the answer is filed under the window it says; the day itself is not answered
		o, note, answered = refused, "The service answered for "+a.applied.Label()+" instead", nil
		if d, err := civil.ParseDate(p.Subject); err == nil && report.Today(a.begun(), w.loc).DaysSince(d) > trailingDays {
			due = nil
		}
	}
	finish := db.FinishPullParams{
		StoreID: w.store.ID, Pull: string(p.Kind), Subject: p.Subject,
		DueAt: due, Outcome: string(o), OutcomeText: note, TriedAt: a.fetchedAt, LastGoodAt: answered,
		Flags: nonNil(a.flags),
	}
	if a.asked != nil {
		finish.AskedStart, finish.AskedEnd = dayPtr(a.asked.Start), dayPtr(a.asked.End)
	}
	if a.applied != nil {
		finish.AppliedStart, finish.AppliedEnd = dayPtr(a.applied.Start), dayPtr(a.applied.End)
	}
	_ = q.AssertClaim(ctx, w.claimOf(p))
	a.numbers(ctx, q)
	_ = q.UpsertReply(ctx, db.UpsertReplyParams{
		StoreID: w.store.ID, Pull: string(p.Kind), Subject: p.Subject, Good: true, Endpoint: a.endpoint,
		Query: a.query.Encode(), Status: 200, Body: a.raw, FetchedAt: a.fetchedAt, TookMs: int32(a.took.Milliseconds()),
	})
	if w.cred.State == "unchecked" || w.cred.ShopDomain == nil {
		_ = q.NameCredential(ctx, db.NameCredentialParams{ID: w.cred.ID, ShopDomain: optional(a.domain)})
	}
	_ = q.FinishPull(ctx, finish)
}

// commitBad writes how a pull failed. No number is touched.
func (w *work) commitBad(ctx context.Context, p Pull, e ending, slots []db.Slot) error {
	finish := db.FinishPullParams{
		StoreID: w.store.ID, Pull: string(p.Kind), Subject: p.Subject,
		DueAt: e.due, Outcome: string(e.outcome), OutcomeText: e.text, TriedAt: w.Now(), Attempts: int32(e.attempts),
		Flags: []string{},
	}
	if p.Window != nil {
		finish.AskedStart, finish.AskedEnd = dayPtr(p.Window.Start), dayPtr(p.Window.End)
	}
	return w.db.Write(ctx, func(q *db.Queries) {
		_ = q.AssertClaim(ctx, w.claimOf(p))
		if len(e.raw) > 0 {
			_ = q.UpsertReply(ctx, db.UpsertReplyParams{
				StoreID: w.store.ID, Pull: string(p.Kind), Subject: p.Subject, Good: false, Endpoint: string(p.Kind),
				Status: int32(e.status), Body: e.raw, FetchedAt: w.Now(),
			})
		}
		if e.cause != "" {
			_ = q.PauseCredential(ctx, db.PauseCredentialParams{ID: w.cred.ID, Cause: e.cause, Text: e.advice})
		}
		_ = q.FinishPull(ctx, finish)
		w.releaseSlots(ctx, q, slots)
		_ = q.TouchStore(ctx, db.TouchStoreParams{ID: w.store.ID})
	})
}

// letGo frees a claim without an outcome.
func (w *work) letGo(ctx context.Context, p Pull, slots []db.Slot) error {
	return w.db.Write(ctx, func(q *db.Queries) {
		w.releaseClaim(ctx, q, p)
		w.releaseSlots(ctx, q, slots)
	})
}

func (w *work) releaseClaim(ctx context.Context, q *db.Queries, p Pull) {
	_ = q.ReleaseClaim(ctx, db.ReleaseClaimParams{StoreID: w.store.ID, Pull: string(p.Kind), Subject: p.Subject, Claim: p.Claim})
}

// releaseSlots holds slots that were used for as long as the service remembers the
// calls: a little longer than a minute from now.
func (w *work) releaseSlots(ctx context.Context, q *db.Queries, slots []db.Slot) {
	if len(slots) == 0 {
		return
	}
	ns, untils := db.SlotColumns(slots)
	_ = q.ReleaseSlots(ctx, db.ReleaseSlotsParams{Hold: db.HoldAfterReply, Budget: w.budget.key, Ns: ns, Untils: untils})
}

func (w *work) claimOf(p Pull) db.AssertClaimParams {
	return db.AssertClaimParams{StoreID: w.store.ID, Pull: string(p.Kind), Subject: p.Subject, Claim: p.Claim}
}

// reconcile compares every reported window with its stored days when nothing is
// due any more: at its own commit its days may not have been pulled yet. A drift
// wakes the window and its days once.
func (d *drain) reconcile(ctx context.Context) (again bool, err error) {
	if d.reconciled || d.cred.Service != Upsell {
		return false, nil
	}
	d.reconciled = true
	today := report.Today(d.Now(), d.loc)
	q := d.db.Queries()
	for _, n := range policyOf[SummaryWindow].names {
		w := named(n, today)
		if err := q.CheckWindow(ctx, db.CheckWindowParams{StoreID: d.store.ID, WindowStart: day(w.Start), WindowEnd: day(w.End)}); err != nil {
			return false, fmt.Errorf("compare windows of %s: %w", d.store.Slug, err)
		}
	}
	drifted, err := q.DriftedWindows(ctx, d.store.ID)
	if err != nil {
		return false, fmt.Errorf("read drift of %s: %w", d.store.Slug, err)
	}
	for _, w := range drifted {
		d.Log.Warn("stitched and reported windows differ: pulling the days again", "store", d.store.Slug,
			"start", w.WindowStart.Format(time.DateOnly), "end", w.WindowEnd.Format(time.DateOnly))
		err := q.WakeDrift(ctx, db.WakeDriftParams{
			StoreID: d.store.ID, FirstDay: w.WindowStart.Format(time.DateOnly), LastDay: w.WindowEnd.Format(time.DateOnly),
			AppliedStart: &w.WindowStart, AppliedEnd: &w.WindowEnd,
		})
		if err != nil {
			return false, fmt.Errorf("wake days of %s: %w", d.store.Slug, err)
		}
	}
	return len(drifted) > 0, nil
}

// reschedule tells the tick when the credential has work again.
func (d *drain) reschedule(ctx context.Context) error {
	q := d.db.Queries()
	rows, err := q.LedgerOfCredential(ctx, db.LedgerOfCredentialParams{StoreID: d.store.ID, Service: d.cred.Service})
	if err != nil {
		return fmt.Errorf("read ledger of %s: %w", d.store.Slug, err)
	}
	next := NextDue(d.cred.Service, NewLedger(rows), int(d.store.HistoryDays), d.Now(), d.loc)
	if err := q.SetCredentialDue(ctx, db.SetCredentialDueParams{ID: d.cred.ID, NextDueAt: &next}); err != nil {
		return fmt.Errorf("reschedule %s: %w", d.store.Slug, err)
	}
	return nil
}

var errNothingConnected = errors.New("no service is connected: run `dashboard store add` first")
