package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// staleLedger is how old a service's newest answer must be before the ledger is read to find out why.
const staleLedger = 6 * time.Hour

// StoredAlerts reads the rows that the rules need for the store in row.
func StoredAlerts(ctx context.Context, q *sqlc.Queries, id int64, row sqlc.LockAlertCheckRow, now time.Time) (in alerts.Stored, err error) {
	loc, err := report.Zone(row.Timezone)
	if err != nil {
		return in, err
	}
	in.Store = report.Store{Slug: row.Slug, Name: row.Name, Timezone: row.Timezone, Currency: OrZero(row.Currency)}
	in.Location, in.Paused = loc, row.PausedAt != nil
	in.UpsellAt, in.GiftAt = OrZero(row.UpsellPulledAt), OrZero(row.GiftPulledAt)
	in.LastDay, in.DaysLeft = OrZero(row.LastDay), int(OrZero(row.DaysLeft))
	if err := json.Unmarshal(row.Worked, &in.Worked); err != nil {
		in.Worked = nil // it has been seen again
	}
	creds, err := q.CredentialStates(ctx, []int64{id})
	if err != nil {
		return in, err
	}
	in.Credentials = Each(creds, credential)
	coverage, err := q.CoverageRows(ctx, []int64{id})
	if err != nil {
		return in, err
	}
	in.Coverage = Each(coverage, cover)
	w := alerts.History(report.Today(now, loc))
	if err := giftOfAlerts(ctx, q, id, &in, w); err != nil {
		return in, err
	}
	if in.Thresholds, err = thresholds(ctx, q, id); err != nil {
		return in, err
	}
	days, err := thresholdDays(ctx, q, id, alerts.WatchedIDs(in.Thresholds), w)
	if err != nil {
		return in, err
	}
	in.Days, in.StatDays, in.OfferDays = days.Sums, days.Stats, days.Offers
	goals, err := q.GoalsOfStores(ctx, goalsOn([]int64{id}, report.Today(now, loc)))
	if err != nil {
		return in, err
	}
	in.Goal = first(goals, storedGoal)
	open, err := q.UnclosedAlerts(ctx, id)
	if err != nil {
		return in, err
	}
	in.Open = Each(open, openAlert)
	if err := offersOfAlerts(ctx, q, id, &in, now); err != nil {
		return in, err
	}
	checks, err := q.RecentChecks(ctx, id)
	if err != nil {
		return in, err
	}
	suspects, err := q.SuspectDays(ctx, []int64{id})
	if err != nil {
		return in, err
	}
	for _, c := range checks {
		unexplained := slices.ContainsFunc(suspects, func(s sqlc.SuspectDaysRow) bool {
			return s.Unexplained && s.FirstDay == c.WindowStart && s.LastDay == c.WindowEnd
		})
		if unexplained || c.Agrees { // while days are being checked, report nothing
			in.Checks = append(in.Checks, check(c))
		}
	}
	if now.Sub(in.UpsellAt) > staleLedger || now.Sub(in.GiftAt) > staleLedger || len(in.MissingDays(now)) > 0 {
		pulls, err := q.PullStates(ctx, id)
		if err != nil {
			return in, err
		}
		in.Ledger = Each(pulls, pull)
	}
	return in, nil
}

// alertDays are the whole days of a window, for the store and for each placement.
func alertDays(ctx context.Context, q *sqlc.Queries, id int64, w report.Window) ([]report.StoredSummary, []report.StoredStat, error) {
	days, err := q.AlertDays(ctx, sqlc.AlertDaysParams{StoreID: id, FirstDay: w.Start, LastDay: w.End})
	if err != nil {
		return nil, nil, err
	}
	stats, err := q.StatDays(ctx, sqlc.StatDaysParams(windowsOf(id, w, w)))
	return Each(days, summary), Each(stats, statDay), err
}

// offersOfAlerts reads the offers with a deleted trigger, and the ranking that shows which offers sold nothing.
func offersOfAlerts(ctx context.Context, q *sqlc.Queries, id int64, in *alerts.Stored, now time.Time) error {
	deleted, err := q.DeletedTriggers(ctx, id)
	if err != nil {
		return err
	}
	in.Triggers = Each(deleted, triggers)
	var ids []string
	for _, t := range in.Triggers {
		if t.Placement.ReportsRevenue() {
			ids = append(ids, t.IDs...)
		}
	}
	if len(ids) > 0 {
		if in.TriggerDays, err = daysOfOffers(ctx, q, id, ids, in.TriggerWindow(now)); err != nil {
			return err
		}
	}
	silent := alerts.SilentWindow(report.Today(now, in.Location))
	active, err := q.OffersActiveThroughout(ctx, sqlc.OffersActiveThroughoutParams{StoreID: id, FirstDay: silent.Start.String(), Clock: in.Store.Timezone})
	if err != nil || !active.Known {
		return err
	}
	of := windowsOf(id, silent, silent)
	lists, err := q.TopListsOfWindows(ctx, sqlc.TopListsOfWindowsParams(of))
	if err != nil {
		return err
	}
	offers, err := q.TopOffersOfWindows(ctx, sqlc.TopOffersOfWindowsParams(of))
	if err != nil {
		return err
	}
	in.Top = report.Stored{Store: in.Store, Credentials: in.Credentials, TopLists: topLists(lists, offers), ActiveThroughout: active.OfferIds}
	counts, err := q.OfferCountRows(ctx, id)
	in.Top.Counts = Each(counts, count)
	return err
}

func giftOfAlerts(ctx context.Context, q *sqlc.Queries, id int64, in *alerts.Stored, w report.Window) error {
	days, err := q.GiftDayRows(ctx, sqlc.GiftDayRowsParams(windowsOf(id, w, w)))
	if err != nil {
		return err
	}
	in.GiftDays = Each(days, gift)
	sections, err := q.GiftHealthRows(ctx, id)
	if err != nil {
		return err
	}
	in.Health = Each(sections, health)
	plans, err := q.GiftPlanRow(ctx, id)
	if err != nil {
		return err
	}
	in.Plan = first(plans, plan)
	rows, err := q.CampaignRows(ctx, id)
	if err != nil {
		return err
	}
	list, err := q.CampaignListRow(ctx, id)
	if err != nil {
		return err
	}
	in.Campaigns = campaigns(rows, first(list, campaignList))
	if len(list) > 0 {
		in.ListedAt, in.CampaignsCut = list[0].FetchedAt, list[0].Capped
	}
	return nil
}

func openAlert(a sqlc.Alert) alerts.Open {
	return alerts.Open{
		ID: a.ID, Rule: a.Rule, Subject: a.Subject, Since: a.Since, SeenAt: a.SeenAt, OpenedAt: OrZero(a.OpenedAt), CalmSince: OrZero(a.CalmSince),
		DoneAt: OrZero(a.DoneAt), Title: a.Title, Text: a.Text,
	}
}

// SaveAlertStep saves an alert's next step, and who is notified. It changes at most one row, in the
// transaction that holds the store's row.
func SaveAlertStep(ctx context.Context, q *sqlc.Queries, store int64, s alerts.Step, now time.Time) error {
	return Tried(saveAlertStep(ctx, q, store, s, now), "%s %s %s", s.Kind, s.Rule, s.Subject)
}

func saveAlertStep(ctx context.Context, q *sqlc.Queries, store int64, s alerts.Step, now time.Time) error {
	rule, _ := alerts.RuleOf(s.Rule)
	evidence := s.Evidence
	if evidence == nil { // avoid a null
		evidence = locale.Args{}
	}
	text, effect := append(locale.Sentences{}, s.Text...), append(locale.Sentences{}, s.Effect...)
	var err error
	id := s.ID
	keep := func(opened *time.Time) error {
		return q.KeepAlert(ctx, sqlc.KeepAlertParams{
			ID: id, OpenedAt: opened, Since: s.Since, Title: s.Title, Text: text, Todo: s.Do, Effect: effect, Stake: s.Stake, Href: s.Href, Evidence: evidence, Again: s.Again,
		})
	}
	switch s.Kind {
	case alerts.StepSuspect, alerts.StepOpen:
		var opened *time.Time
		if s.Kind == alerts.StepOpen {
			opened = &now
		}
		if id == 0 {
			id, err = q.SuspectAlert(ctx, sqlc.SuspectAlertParams{
				StoreID: store, Rule: s.Rule, Subject: s.Subject, Since: s.Since, SeenAt: now, OpenedAt: opened,
				Title: s.Title, Text: text, Todo: s.Do, Effect: effect, Stake: s.Stake, Href: s.Href, Evidence: evidence,
			})
		} else {
			err = keep(opened)
		}
		if err != nil || opened == nil {
			return err
		}
		if _, err := q.TellPeople(ctx, sqlc.TellPeopleParams{AlertID: id, StoreID: store, Now: now, Rule: s.Rule, ByDefault: rule.On}); err != nil {
			return err
		}
		_, err = q.TellChannels(ctx, sqlc.TellChannelsParams{AlertID: id, StoreID: store, Now: now, Rule: s.Rule, ByDefault: rule.On})
		return err
	case alerts.StepKeep:
		return keep(nil)
	case alerts.StepCalm:
		return q.CalmAlert(ctx, sqlc.CalmAlertParams{ID: id, CalmSince: &now})
	case alerts.StepForget:
		return q.ForgetAlert(ctx, id)
	case alerts.StepRecover, alerts.StepGone:
		end := sqlc.CloseAlertParams{ID: id, ClosedAt: &now, EndCause: new("gone"), EndText: locale.Sentences{}}
		if s.Kind == alerts.StepRecover {
			end.EndCause, end.EndTitle, end.EndText = new("recovered"), s.Title, text
		}
		if err := q.CloseAlert(ctx, end); err != nil {
			return err
		}
		if err := q.DropWaiting(ctx, sqlc.DropWaitingParams{AlertID: id, Now: now, Reason: locale.M("alert.unsent.over")}); err != nil {
			return err
		}
		if s.Kind == alerts.StepRecover {
			_, err = q.TellRecovered(ctx, sqlc.TellRecoveredParams{AlertID: id, Now: now})
		}
		return err
	}
	return fmt.Errorf("no such step")
}
