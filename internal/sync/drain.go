package pulls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// lease is how long a claim lasts: three tries at an attempt's deadline and the waits between
// them. If a process dies, its pulls are free again after that.
const lease = 2 * time.Minute

// doubtAfter is how many pulls in a row may get no answer at all before the service's cheapest
// call decides whether it is down.
const doubtAfter = 3

// Progress is one step of a drain, for a progress bar or a log.
type Progress struct {
	// Done and Total count pulls; Total may grow.
	Done, Total int
	Service     string
	Pull        string
	Subject     string
	Outcome     string
	Text        string
	// Waiting is set instead of a pull: how long until the next request may be sent.
	Waiting time.Duration
}

// drain is one run over a credential's due pulls.
type drain struct {
	*work
	lane fact.Lane
	// patient drains wait in place for a slot; others return how long to wait.
	patient bool
	// onlyWanted drains make only the pulls that a person waits for.
	onlyWanted bool
	// until is when the drain ends; the next one takes what is still due.
	until    time.Time
	progress func(Progress)

	done, failed int
	total        int
	// reconciled: the windows were compared and no new ones came in since. It starts false
	// because the previous drain may have ended before comparing.
	reconciled bool
	// again: plan again, since a pull has a next page.
	again bool
	// stopped: the credential was refused, and pulls that haven't begun aren't sent. refused
	// says why.
	stopped atomic.Bool
	refused string
	// noAnswers counts the pulls without any answer since the last one that got one; silent: the
	// service gives none to anything.
	noAnswers int
	silent    bool
}

// run pulls until nothing is due, the time is up, the credential is refused, or the service is
// silent. A positive wait means that work is left and no slot is free for that long.
func (d *drain) run(ctx context.Context) (wait time.Duration, err error) {
	defer func() {
		if e := d.reschedule(context.WithoutCancel(ctx)); e != nil && err == nil {
			err = e
		}
	}()
	for d.goesOn(ctx) {
		planned := d.Now()
		due, err := d.plan(ctx)
		if err != nil {
			return 0, err
		}
		if len(due) > 0 {
			if wait, err := d.all(ctx, due); err != nil || wait > 0 {
				return wait, err
			}
			continue
		}
		if d.onlyWanted {
			return 0, nil
		}
		if err := d.settleDays(ctx, planned); err != nil {
			return 0, err
		}
		if again, err := d.reconcile(ctx); err != nil || !again {
			return 0, err
		}
	}
	return 0, ctx.Err()
}

func (d *drain) goesOn(ctx context.Context) bool {
	return ctx.Err() == nil && !d.stopped.Load() && !d.silent
}

const (
	// atOnce is how long every drain and every retry waits in place for a slot, and shortest the
	// shortest such wait.
	atOnce   = 1500 * time.Millisecond
	shortest = 10 * time.Millisecond
	// outdated is the longest wait after which a plan is still used: in a longer one, another
	// process may have pulled.
	outdated = 5 * time.Second
)

// all makes the pulls of a plan, in order. It ends early if the plan is outdated or the time is
// up. A positive wait is as in run.
func (d *drain) all(ctx context.Context, due []plan.Pull) (wait time.Duration, err error) {
	d.total = d.done + len(due)
	for len(due) > 0 && d.goesOn(ctx) {
		if !d.until.IsZero() && time.Now().After(d.until) {
			return time.Millisecond, nil // come back at once with a new share of time
		}
		if d.noAnswers >= doubtAfter && d.down(ctx) {
			d.silent = true
			return 0, nil
		}
		took, wait, err := d.some(ctx, due)
		switch {
		case err != nil:
			return 0, err
		case wait > atOnce && !d.patient:
			return wait, nil
		case wait > 0:
			d.tell(Progress{Waiting: wait})
			if err := upstream.Sleep(ctx, wait); err != nil || wait > outdated {
				return 0, err
			}
			continue
		}
		if err := errors.Join(d.noteWindows(ctx, due[:took]), d.checkFilled(ctx, due[:took])); err != nil {
			return 0, err
		}
		due = due[took:]
		if d.again {
			d.again = false
			return 0, nil
		}
	}
	return 0, nil
}

// settleDays settles the days that were due when nothing was planned.
func (d *drain) settleDays(ctx context.Context, planned time.Time) error {
	if d.cred.Service != Upsell {
		return nil
	}
	err := d.DB.Queries().SettleDays(ctx, sqlc.SettleDaysParams{StoreID: d.store.ID, Pulls: plan.WholeDays(), At: planned})
	return db.Tried(err, "settle days of %s", d.store.Slug)
}

// down asks whether the service gives no answer at all. One that fails at something else answers
// its cheapest call.
func (d *drain) down(ctx context.Context) bool {
	d.noAnswers = 0
	_, err := d.askOnce(ctx, d.lane)
	f, ok := asFailure(err)
	return ok && f.NoAnswer()
}

func (d *drain) plan(ctx context.Context) ([]plan.Pull, error) {
	q := d.DB.Queries()
	rows, err := q.LedgerOfCredential(ctx, sqlc.LedgerOfCredentialParams{StoreID: d.store.ID, Service: d.cred.Service})
	if err != nil {
		return nil, fmt.Errorf("read ledger of %s: %w", d.store.Slug, err)
	}
	var offers []string
	if d.cred.Service == Upsell {
		if offers, err = q.OffersFirst(ctx, d.store.ID); err != nil {
			return nil, fmt.Errorf("read the offers of %s: %w", d.store.Slug, err)
		}
	}
	due := plan.Due(d.cred.Service, plan.NewLedger(rows), int(d.store.HistoryDays), d.Now(), d.loc, len(rows)+10_000, offers...)
	if d.onlyWanted {
		due = slices.DeleteFunc(due, func(p plan.Pull) bool { return !p.Wanted() })
	}
	return due, nil
}

// some makes the next pulls of the plan. took is how many of them we or another worker handled.
func (d *drain) some(ctx context.Context, due []plan.Pull) (took int, wait time.Duration, err error) {
	now, err := d.reserve(ctx, due[:min(d.batch(), len(due))])
	if err != nil || now.wait > 0 {
		return 0, now.wait, err
	}
	results := make([]result, len(now.pulls))
	var group errgroup.Group
	group.SetLimit(plan.InFlight(d.DB.RateLimit))
	for i, p := range now.pulls {
		group.Go(func() error {
			if !d.goesOn(ctx) {
				return d.unbegun(context.WithoutCancel(ctx), p, now.slots[i])
			}
			var err error
			results[i], err = d.pull(ctx, p, now.slots[i])
			return err
		})
	}
	err = errors.Join(group.Wait(), d.save(context.WithoutCancel(ctx), results))
	for _, r := range results {
		d.note(r)
	}
	return now.took, 0, err
}

// result is how one pull of a drain ended.
type result struct {
	pull    plan.Pull
	outcome fact.Outcome
	text    locale.Message
	// refused says why the credential was refused.
	refused string
	// unsaved is a good reply that is still to be written.
	unsaved *goodReply
	// noAnswer: the service didn't answer at all.
	noAnswer bool
	// lost: nothing was written, because another worker took the pull over or we were stopped.
	lost bool
	// domain is the shop that the reply names.
	domain string
	// more: the pull's next page is due at once, or the reply made other pulls due.
	more bool
}

func (d *drain) note(r result) {
	if r.lost || r.pull.Kind == "" {
		return
	}
	defer func() {
		d.tell(Progress{Pull: string(r.pull.Kind), Subject: r.pull.Subject, Outcome: string(r.outcome), Text: r.text.In(locale.English)})
	}()
	if r.refused != "" { // that isn't a failure of the pull
		d.refused = r.refused
		return
	}
	d.done++
	d.again = d.again || r.more
	if d.noAnswers++; !r.noAnswer {
		d.noAnswers = 0
	}
	switch r.outcome {
	case fact.PullGood:
		d.cred.State = "good"
		if d.cred.ShopDomain == nil { // the first reply that names a shop binds the rest to it (N35)
			d.cred.ShopDomain = db.Optional(r.domain)
		}
		if r.pull.Kind.Comparable() && !d.ofToday(r.pull) {
			d.reconciled = false
		}
	case fact.PullWaiting:
		d.done--
	default:
		d.failed++
	}
}

// ofToday reports whether a pull is about the current day, which no compared window contains.
func (d *drain) ofToday(p plan.Pull) bool {
	return p.Kind.OfDay() && p.Window != nil && p.Window.End == report.Today(d.Now(), d.loc)
}

func (d *drain) tell(p Progress) {
	if d.progress != nil {
		p.Done, p.Total, p.Service = d.done, max(d.total, d.done), d.cred.Service
		d.progress(p)
	}
}

// pull makes one claimed pull. A good reply is returned for saving; any other end is written
// here, the outcome last, on every path.
func (d *drain) pull(ctx context.Context, p plan.Pull, slot db.Slot) (result, error) {
	g := &gate{budget: d.budget, lane: p.Lane, first: &slot}
	pulling, cancel := ctx, context.CancelFunc(func() {})
	if !d.patient { // a job's time is limited
		pulling, cancel = context.WithTimeout(ctx, pullTime)
	}
	a, err := d.fetch(pulling, p, g)
	late := pulling.Err() != nil
	cancel()
	commit := context.WithoutCancel(ctx)
	if unused := g.unused(); len(unused) > 0 {
		if e := d.DB.GiveBackSlots(commit, d.budget.key, unused...); e != nil {
			return result{}, e
		}
	}
	r := result{pull: p, domain: a.Domain}
	tried, status := g.attempts()
	var none *upstream.NoSlot
	outOfSlots := errors.As(err, &none)
	switch {
	case err == nil:
		r.outcome, r.text, r.more = fact.PullGood, a.Text, a.More || a.Replan
		r.unsaved = &goodReply{p, a, g.spent()}
	case ctx.Err() != nil, outOfSlots && tried == 0: // stopped, or out of slots: treat it as not begun
		r.lost = true
		err = d.letGo(commit, []plan.Pull{p}, g.spent())
	case outOfSlots: // it was sent and failed; without a backoff it would use up every next slot
		err = d.endBadly(commit, &r, &upstream.Failure{
			Kind: upstream.Retry, Op: "pull " + string(p.Kind), Status: status, Attempts: tried, Err: errNoSlotLeft,
		}, g.spent())
	case late:
		err = d.endBadly(commit, &r, &upstream.Failure{
			Kind: upstream.Retry, Op: "pull " + string(p.Kind), Status: status, Attempts: tried, Err: errTooSlow,
		}, g.spent())
	default:
		err = d.endBadly(commit, &r, err, g.spent())
	}
	return r, d.unlessTakenOver(&r, err)
}

// unlessTakenOver returns the error, or nil if another worker has taken the pull over: we wrote
// nothing then, and there is nothing left to do.
func (d *drain) unlessTakenOver(r *result, err error) error {
	if pg, ok := errors.AsType[*pgconn.PgError](err); !ok || pg.Code != "SG001" {
		return err
	}
	d.Log.Info("another worker has taken the pull over", "store", d.store.Slug, "pull", r.pull.Kind, "subject", r.pull.Subject)
	*r = result{pull: r.pull, lost: true}
	return nil
}

var (
	errNoSlotLeft = errors.New("no slot was left for another try")
	errTooSlow    = errors.New("the service took too long on every try")
)

// endBadly writes how a pull failed, and records it in the result.
func (d *drain) endBadly(ctx context.Context, r *result, cause error, spent []db.Slot) error {
	e := end(r.pull, cause, d.Now(), d.loc)
	// A refused day may be where the service's history ends: then older days aren't asked for.
	r.outcome, r.text = e.outcome, e.text
	r.more = e.outcome == fact.PullRefused && r.pull.Kind.NewestFirst()
	if e.cause != "" {
		r.refused = report.StoredCredential{Service: r.pull.Service, Cause: e.cause, Said: e.said}.Advice().In(locale.English)
		d.stopped.Store(true)
	}
	f, ok := asFailure(cause)
	r.noAnswer = ok && f.NoAnswer()
	d.Log.Warn("pull ended badly", "store", d.store.Slug, "pull", r.pull.Kind, "subject", r.pull.Subject, "outcome", e.outcome, "error", cause)
	return d.commitBad(ctx, r.pull, e, spent)
}
