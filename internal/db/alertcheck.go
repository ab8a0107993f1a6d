package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// staleLedger is how old a service's newest answer is when the ledger is asked why.
const staleLedger = 6 * time.Hour

// StoredAlerts reads what the rules read of the store in row.
func (q *Queries) StoredAlerts(ctx context.Context, id int64, row LockAlertCheckRow, now time.Time) (in alerts.Stored, err error) {
	loc, err := report.Zone(row.Timezone)
	if err != nil {
		return in, err
	}
	in.Store = report.Store{Slug: row.Slug, Name: row.Name, Timezone: row.Timezone, Currency: text(row.Currency)}
	in.Location, in.Paused = loc, row.PausedAt != nil
	in.UpsellAt, in.GiftAt = moment(row.UpsellPulledAt), moment(row.GiftPulledAt)
	if err := json.Unmarshal(row.Worked, &in.Worked); err != nil {
		in.Worked = nil // it is seen again
	}
	creds, err := q.CredentialStates(ctx, id)
	if err != nil {
		return in, err
	}
	in.Credentials = Each(creds, credential)
	coverage, err := q.CoverageRows(ctx, id)
	if err != nil {
		return in, err
	}
	in.Coverage = Each(coverage, cover)
	if err := q.giftOfAlerts(ctx, id, &in); err != nil {
		return in, err
	}
	w := alerts.FallHistory(report.Today(now, loc))
	days, err := q.AlertDays(ctx, AlertDaysParams{StoreID: id, FirstDay: day(w.Start), LastDay: day(w.End)})
	if err != nil {
		return in, err
	}
	in.Days = Each(days, summary)
	goals, err := q.GoalsOfStores(ctx, goalsOn([]int64{id}, report.Today(now, loc)))
	if err != nil {
		return in, err
	}
	in.Goal = firstGoal(goals)
	checks, err := q.RecentChecks(ctx, id)
	if err != nil {
		return in, err
	}
	suspects, err := q.SuspectDays(ctx, id)
	if err != nil {
		return in, err
	}
	for _, c := range checks {
		unexplained := slices.ContainsFunc(suspects, func(s SuspectDaysRow) bool {
			return s.Unexplained && s.FirstDay.Equal(c.WindowStart) && s.LastDay.Equal(c.WindowEnd)
		})
		if unexplained || c.Agrees { // while days are looked for, nothing is said
			in.Checks = append(in.Checks, check(c))
		}
	}
	if now.Sub(in.UpsellAt) > staleLedger || now.Sub(in.GiftAt) > staleLedger {
		pulls, err := q.PullStates(ctx, id)
		if err != nil {
			return in, err
		}
		in.Ledger = Each(pulls, func(l Ledger) report.StoredPull { return pull(l, now) })
	}
	open, err := q.UnclosedAlerts(ctx, id)
	if err != nil {
		return in, err
	}
	in.Open = Each(open, openAlert)
	return in, nil
}

func (q *Queries) giftOfAlerts(ctx context.Context, id int64, in *alerts.Stored) error {
	health, err := q.GiftHealthRows(ctx, id)
	if err != nil {
		return err
	}
	in.Health = Each(health, healthSection)
	plans, err := q.GiftPlanRow(ctx, id)
	if err != nil {
		return err
	}
	if len(plans) > 0 {
		in.Plan = &report.StoredJSON{Body: plans[0].Body, FetchedAt: plans[0].FetchedAt}
	}
	rows, err := q.CampaignRows(ctx, id)
	if err != nil {
		return err
	}
	list, err := q.CampaignListRow(ctx, id)
	if err != nil {
		return err
	}
	in.Campaigns = campaigns(rows, list)
	if len(list) > 0 {
		in.ListedAt = list[0].FetchedAt
	}
	return nil
}

func openAlert(a Alert) alerts.Open {
	return alerts.Open{
		ID: a.ID, Rule: a.Rule, Subject: a.Subject, Since: a.Since, SeenAt: a.SeenAt, OpenedAt: moment(a.OpenedAt), CalmSince: moment(a.CalmSince),
		Title: a.Title, Text: a.Text,
	}
}

// SaveAlertStep records the next step of an alert, and who is notified; at most
// one row changes, in the transaction that holds the store's row.
func (q *Queries) SaveAlertStep(ctx context.Context, store int64, s alerts.Step, now time.Time) error {
	if err := q.saveAlertStep(ctx, store, s, now); err != nil {
		return fmt.Errorf("%s %s %s: %w", s.Kind, s.Rule, s.Subject, err)
	}
	return nil
}

func (q *Queries) saveAlertStep(ctx context.Context, store int64, s alerts.Step, now time.Time) error {
	rule, _ := alerts.RuleOf(s.Rule)
	evidence, text := s.Evidence, s.Text
	if evidence == nil { // no nulls
		evidence = locale.Args{}
	}
	if text == nil {
		text = locale.Sentences{}
	}
	var err error
	id := s.ID
	switch s.Kind {
	case alerts.StepSuspect, alerts.StepOpen:
		var opened *time.Time
		if s.Kind == alerts.StepOpen {
			opened = &now
		}
		if id == 0 {
			id, err = q.SuspectAlert(ctx, SuspectAlertParams{
				StoreID: store, Rule: s.Rule, Subject: s.Subject, Since: s.Since, SeenAt: now, OpenedAt: opened,
				Title: s.Title, Text: text, Href: s.Href, Evidence: evidence,
			})
		} else {
			err = q.KeepAlert(ctx, KeepAlertParams{ID: id, OpenedAt: opened, Title: s.Title, Text: text, Href: s.Href, Evidence: evidence})
		}
		if err != nil || opened == nil {
			return err
		}
		if _, err := q.TellPeople(ctx, TellPeopleParams{AlertID: id, StoreID: store, Now: now, Rule: s.Rule, ByDefault: rule.On}); err != nil {
			return err
		}
		_, err = q.TellChannels(ctx, TellChannelsParams{AlertID: id, StoreID: store, Now: now, Rule: s.Rule, ByDefault: rule.On})
		return err
	case alerts.StepKeep:
		return q.KeepAlert(ctx, KeepAlertParams{ID: id, Title: s.Title, Text: text, Href: s.Href, Evidence: evidence})
	case alerts.StepCalm:
		return q.CalmAlert(ctx, CalmAlertParams{ID: id, CalmSince: &now})
	case alerts.StepForget:
		return q.ForgetAlert(ctx, id)
	case alerts.StepRecover, alerts.StepGone:
		end := CloseAlertParams{ID: id, ClosedAt: &now, EndCause: new("gone"), EndText: locale.Sentences{}}
		if s.Kind == alerts.StepRecover {
			end.EndCause, end.EndTitle, end.EndText = new("recovered"), s.Title, text
		}
		if err := q.CloseAlert(ctx, end); err != nil {
			return err
		}
		if err := q.DropWaiting(ctx, DropWaitingParams{AlertID: id, Now: now, Reason: locale.M("alert.told.over")}); err != nil {
			return err
		}
		if s.Kind == alerts.StepRecover {
			_, err = q.TellRecovered(ctx, TellRecoveredParams{AlertID: id, Now: now})
		}
		return err
	}
	return fmt.Errorf("no such step")
}
