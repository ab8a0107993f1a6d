package pulls

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	gosync "sync"
	"time"

	"github.com/golang-sql/civil"
	"golang.org/x/sync/errgroup"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// RunOptions are the options of `dashboard sync`.
type RunOptions struct {
	// Full pulls everything that has a ledger row again, including settled days.
	Full bool
	// BackfillDays widens the wanted history; it is kept for later syncs.
	BackfillDays int
	// Progress is called after every pull and wait, never concurrently.
	Progress func(Progress)
}

// Result is how a run went.
type Result struct {
	Done, Failed int
	// Failures lists each pull that failed or is still failing, with what happened, and each service
	// that didn't answer.
	Failures []string
	// HistoryEnds are the first days that the services keep, if more was wanted.
	HistoryEnds map[string]civil.Date
}

// ErrUnknownStore means that no store has this slug.
var ErrUnknownStore = errors.New("unknown store")

// Run pulls what is due in one store now, in the lane for people, and waits for slots. Workers
// may run at the same time: each pull is made only once.
func (s *Syncer) Run(ctx context.Context, slug string, o RunOptions) (Result, error) {
	begun, q := s.Now(), s.DB.Queries()
	store, err := q.StoreBySlug(ctx, slug)
	if err != nil {
		return Result{}, db.Absent(err, fmt.Errorf("%w %q", ErrUnknownStore, slug), "find store %s", slug)
	}
	if store.RemovedAt != nil {
		return Result{}, fmt.Errorf("%w: %s", ErrRemoved, slug)
	}
	if o.BackfillDays > int(store.HistoryDays) {
		store, err = q.UpdateStore(ctx, sqlc.UpdateStoreParams{ID: store.ID, Name: store.Name, Timezone: store.Timezone, HistoryDays: int32(o.BackfillDays)})
		if err != nil {
			return Result{}, fmt.Errorf("widen the history of %s: %w", slug, err)
		}
	}
	if o.Full {
		err = q.WakeAll(ctx, sqlc.WakeAllParams{StoreID: store.ID, At: s.Now()})
	} else {
		err = q.WakeFailed(ctx, sqlc.WakeFailedParams{StoreID: store.ID, At: s.Now()})
	}
	if err != nil {
		return Result{}, fmt.Errorf("wake the ledger of %s: %w", slug, err)
	}
	creds, err := q.CredentialsOfStore(ctx, store.ID)
	if err != nil {
		return Result{}, fmt.Errorf("read credentials of %s: %w", slug, err)
	}
	if len(creds) == 0 {
		return Result{}, errors.New("no service is connected: run `dashboard store add` first")
	}
	var (
		mu     gosync.Mutex
		result Result
		steps  = map[string]Progress{}
		group  errgroup.Group
	)
	progress := func(p Progress) {
		if o.Progress == nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		steps[p.Service] = p
		p.Done, p.Total = 0, 0
		for _, step := range steps {
			p.Done += step.Done
			p.Total += step.Total
		}
		o.Progress(p)
	}
	failed := func(words string) {
		mu.Lock()
		defer mu.Unlock()
		result.Failed++
		result.Failures = append(result.Failures, words)
	}
	for _, c := range creds {
		group.Go(func() error {
			// If this process may not call the address, that is its own problem: another server
			// may, so the credential stays as it is.
			if _, err := upstream.CheckBase(c.BaseUrl, s.Allow); err != nil {
				failed(c.Service + ": " + err.Error())
				return nil
			}
			return s.runCredential(ctx, c.ID, failed, func(w *work) (refused string, err error) {
				d := &drain{work: w, lane: fact.Interactive, patient: true, progress: progress}
				_, err = d.run(ctx)
				mu.Lock()
				defer mu.Unlock()
				if d.silent {
					result.Failures = append(result.Failures, fmt.Sprintf("the %s app doesn't answer: only %d of %d pulls were tried", w.cred.Service, d.done, d.total))
				}
				result.Done += d.done - d.failed
				return d.refused, err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return result, err
	}
	return result, s.addFailing(ctx, store, creds, begun, &result)
}

// addFailing adds the pulls that are failing now, including those that others tried, and where
// the services' history ends.
func (s *Syncer) addFailing(ctx context.Context, store sqlc.Store, creds []sqlc.Credential, begun time.Time, result *Result) error {
	loc, err := time.LoadLocation(store.Timezone)
	if err != nil {
		return fmt.Errorf("time zone of %s: %w", store.Slug, err)
	}
	today := report.Today(s.Now(), loc)
	for _, c := range creds {
		rows, err := s.DB.Queries().LedgerOfCredential(ctx, sqlc.LedgerOfCredentialParams{StoreID: store.ID, Service: c.Service})
		if err != nil {
			return fmt.Errorf("read ledger of %s: %w", store.Slug, err)
		}
		failing, ends := failingPulls(plan.NewLedger(rows), today, begun)
		slices.Sort(failing)
		result.Failed += len(failing)
		result.Failures = append(result.Failures, failing...)
		first := today.AddDays(-int(store.HistoryDays))
		if c.Service == Gift {
			first = plan.Later(first, today.AddDays(-gift.MaxDays))
		}
		if !ends.Before(first) {
			if result.HistoryEnds == nil {
				result.HistoryEnds = map[string]civil.Date{}
			}
			result.HistoryEnds[c.Service] = ends.AddDays(1)
		}
	}
	return nil
}

// failingPulls describes a service's pulls whose last try failed, and returns the last day that
// the service no longer keeps, which isn't a failure. Refused days aren't retried, so they
// count only if refused since begun.
func failingPulls(ledger plan.Ledger, today civil.Date, begun time.Time) (failing []string, ends civil.Date) {
	ends = plan.Later(plan.HistoryEnd(ledger, plan.SummaryDay, today), plan.SpansEnd(ledger.Of(plan.GiftSpan)))
	first := firstGood(ledger)
	for key, row := range ledger {
		switch row.Outcome {
		case fact.PullWaiting:
			if row.OutcomeText.ID != "sync.said.slot" || row.TriedAt == nil || row.TriedAt.Before(begun) {
				continue // a refused credential accounts for its pulls
			}
		case fact.PullFailed, fact.PullQuarantined:
			if d, err := civil.ParseDate(key.Subject); key.Kind == plan.GiftSpan && (err != nil || !d.After(ends) || today.DaysSince(d) > gift.MaxDays) {
				continue // it isn't asked for anymore
			}
		case fact.PullRefused:
			if d, err := civil.ParseDate(key.Subject); err == nil && key.Kind.NewestFirst() {
				notKept := !d.After(plan.Later(ends, plan.HistoryEnd(ledger, key.Kind, today)))
				if notKept || row.AskedStart == nil || plan.AnsweredElsewhere(row) { // or the day can't be derived
					continue
				}
			}
			if w, ok := plan.ParseRange(key.Subject); ok && w.Start.Before(first) {
				continue // the service doesn't go back that far, and pages say so
			}
			if row.DueAt == nil && (row.TriedAt == nil || row.TriedAt.Before(begun)) {
				continue
			}
		default: // a refused credential accounts for its pulls
			continue
		}
		failing = append(failing, fmt.Sprintf("%s: %s", strings.TrimSpace(string(key.Kind)+" "+key.Subject), row.OutcomeText.In(locale.English)))
	}
	return failing, ends
}

// firstGood is the oldest day with a good summary; the zero date if there is none.
func firstGood(ledger plan.Ledger) (first civil.Date) {
	for _, row := range ledger.Of(plan.SummaryDay) {
		d, err := civil.ParseDate(row.Subject)
		if err == nil && row.Outcome == fact.PullGood && (first == civil.Date{} || d.Before(first)) {
			first = d
		}
	}
	return first
}

// runCredential makes a credential's due pulls. If it is refused meanwhile, it is probed once
// right away, since a person waits, and continues if it answers (N70); one that was refused
// earlier has its own schedule, and failed is called with the time of its next probe.
func (s *Syncer) runCredential(ctx context.Context, id int64, failed func(words string), pull func(*work) (refused string, err error)) error {
	renamed := false
	for {
		w, err := s.begin(ctx, id)
		if err != nil {
			return err
		}
		if stopped(w.cred) && !w.probeDue(ctx) {
			cred, state := Stored(w.cred), "paused"
			if !cred.NeedsPerson() {
				state = "refused"
			}
			failed(fmt.Sprintf("access to the %s app is %s: %s", cred.Service, state, refusalWords(cred, s.Now())))
			return nil
		}
		refused, err := pull(w)
		if errors.Is(err, db.ErrNoBudget) && !renamed { // only its name changed
			renamed = true
			continue
		}
		if err != nil || refused == "" {
			return err
		}
		if w, err = s.begin(ctx, id); err != nil {
			return err
		}
		if cred := Stored(w.cred); cred.NeedsPerson() || cred.Stopped() && w.recheck(ctx, fact.Interactive) != nil {
			failed(strings.TrimSpace(cred.Service + ": " + refused + " " + cred.NextCheck(locale.English, s.Now(), time.UTC)))
			return nil
		}
	}
}

// refusalWords is for a person who asked for a call just now: what to do about the refusal, also
// while it may still pass by itself, and when it is checked again.
func refusalWords(c report.StoredCredential, now time.Time) string {
	if c.Outage() {
		return c.Words(locale.English, now, time.UTC)
	}
	return strings.TrimSpace(c.Advice().In(locale.English) + " " + c.NextCheck(locale.English, now, time.UTC))
}
