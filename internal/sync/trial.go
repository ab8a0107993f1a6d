package pulls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// trialLapsed is the cause when we pause a gift credential ourselves.
const trialLapsed = "trial_lapsed"

// ErrTrialLapsed means that the gift plan's trial ended, and a call would revoke every key.
var ErrTrialLapsed = errors.New("the gift plan's trial ended")

// spareKeys fails before a gift call when the store's trial has lapsed: a call from a store
// without a paid plan makes the service revoke every key of the store (N40). The failure pauses
// the credential just as the service's own refusal would.
func (w *work) spareKeys(ctx context.Context) error {
	ended, lapsed, err := w.lapsed(ctx)
	if err != nil || !lapsed {
		return err
	}
	return &upstream.Failure{
		Kind: upstream.Pause, Op: "call the gift service", Code: trialLapsed, Err: ErrTrialLapsed,
		Message: trialWords(ended),
	}
}

func trialWords(ended civil.Date) string {
	return "The gift plan's trial ended on " + locale.English.DayYear(ended) + " and the plan was not paid when last asked"
}

// lapsed reads from the stored plan whether and when its trial ended. When a person connects or
// resumes the store, they vouch that the plan is paid: a plan stored before that doesn't count.
func (w *work) lapsed(ctx context.Context) (ended civil.Date, lapsed bool, err error) {
	if w.cred.Service != Gift {
		return civil.Date{}, false, nil
	}
	rows, err := w.DB.Queries().TrustedGiftPlan(ctx, w.store.ID)
	if err != nil || len(rows) == 0 {
		return civil.Date{}, false, err
	}
	var stored reportgift.PlanBody
	if err := json.Unmarshal(rows[0], &stored); err != nil {
		return civil.Date{}, false, fmt.Errorf("read the stored plan of %s: %w", w.store.Slug, err)
	}
	ended, lapsed = trialEnded(stored, w.Now(), w.loc)
	return ended, lapsed, nil
}

// keepCause pauses the credential if a call for a person was refused in a way that ends every
// key of the store: the next pull would only hear that the key is unknown (N40). Other refusals
// are left to the next pull.
func (w *work) keepCause(ctx context.Context, err error) error {
	f, ok := asFailure(err)
	if !ok || w.cred.Service != Gift || f.Code != gift.NoPlan && f.Code != gift.AppUninstalled {
		return err
	}
	return errors.Join(err, w.pauseFor(ctx, w.cred, f))
}

// trialEnded returns when the trial ended, if it has and nothing was paid. A timestamp without
// a zone is on the store's clock (N26); a plain date ends at its midnight.
func trialEnded(of reportgift.PlanBody, now time.Time, loc *time.Location) (civil.Date, bool) {
	if of.Paid == nil || *of.Paid || of.TrialEndsAt == "" {
		return civil.Date{}, false
	}
	t, ok := report.Moment(of.TrialEndsAt, loc)
	if !ok {
		return civil.Date{}, false
	}
	on := civil.DateOf(t)
	if len(of.TrialEndsAt) == len(time.DateOnly) {
		t = plan.MidnightAfter(on, loc)
	}
	return on, !t.After(now)
}
