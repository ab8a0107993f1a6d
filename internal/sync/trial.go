package sync

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// spareKeys pauses a gift credential whose trial has lapsed by what the plan last
// said: a call from a store without a paid plan makes the service revoke every
// key of the store (N40), so the call is not made. A person who resumes the store
// says that the plan is paid; then the next answers decide.
func (d *drain) spareKeys(ctx context.Context) (paused bool, err error) {
	if d.cred.Service != Gift || d.cred.State != "good" {
		return false, nil
	}
	rows, err := d.db.Queries().GiftPlanRow(ctx, d.store.ID)
	if err != nil || len(rows) == 0 {
		return false, err
	}
	var plan report.PlanBody
	if err := json.Unmarshal(rows[0].Body, &plan); err != nil {
		return false, fmt.Errorf("read the stored plan of %s: %w", d.store.Slug, err)
	}
	ended, lapsed := trialEnded(plan, d.Now(), d.loc)
	if !lapsed {
		return false, nil
	}
	return true, d.db.Queries().PauseCredential(ctx, db.PauseCredentialParams{
		ID: d.cred.ID, Cause: "trial_lapsed",
		Text: "The gift plan's trial ended on " + report.DayYear(ended) + " and the plan was not paid when last asked. " +
			"A call now would let the service revoke every key of the store, so none is made. Choose a plan in the gift app, then resume this store.",
	})
}

// trialEnded reads when the trial ended, if it has and nothing was paid. A text
// without a zone is on the store's clock (N26); a day alone ends with its midnight.
func trialEnded(plan report.PlanBody, now time.Time, loc *time.Location) (civil.Date, bool) {
	if plan.Paid == nil || *plan.Paid || plan.TrialEndsAt == "" {
		return civil.Date{}, false
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05", time.DateOnly} {
		t, err := time.ParseInLocation(layout, plan.TrialEndsAt, loc)
		if err != nil {
			continue
		}
		if layout == time.DateOnly {
			t = t.AddDate(0, 0, 1)
		}
		return civil.DateOf(t.In(loc)), !t.After(now)
	}
	return civil.Date{}, false
}
