package db

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
)

// staleLedger is how old a service's newest answer must be before the ledger is read to find out why.
const staleLedger = 6 * time.Hour

// StoredAlerts reads, within a transaction, the rows that the rules need for the store in row.
func StoredAlerts(ctx context.Context, tx pgx.Tx, id int64, row sqlc.LockAlertCheckRow, now time.Time) (in alerts.Stored, err error) {
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
	var (
		of        = []int64{id}
		today     = report.Today(now, loc)
		history   = alerts.History(today)
		silent    = alerts.SilentWindow(today)
		campaign  []sqlc.GiftCampaign
		listed    *report.StoredCampaignList
		active    sqlc.OffersActiveThroughoutRow
		checks    []sqlc.WindowCheck
		suspects  []sqlc.SuspectDaysRow
		days      alerts.ThresholdDays
		lists     []sqlc.TopList
		topOffers []sqlc.TopOffersOfWindowsRow
	)
	err = readIn(ctx, tx, func(b *Batch) {
		askEach(b, &in.Credentials, (*sqlc.Queries).CredentialStates, of, credential)
		askEach(b, &in.Coverage, (*sqlc.Queries).CoverageRows, of, cover)
		askEach(b, &in.GiftDays, (*sqlc.Queries).GiftDayRows, sqlc.GiftDayRowsParams(windowsOf(id, history, history)), gift)
		askEach(b, &in.Health, (*sqlc.Queries).GiftHealthRows, id, health)
		askFirst(b, &in.Plan, (*sqlc.Queries).GiftPlanRow, id, plan)
		ask(b, &campaign, (*sqlc.Queries).CampaignRows, sqlc.CampaignRowsParams{StoreID: id})
		askFirst(b, &listed, (*sqlc.Queries).CampaignListRow, id, campaignList)
		askEach(b, &in.Thresholds, (*sqlc.Queries).Thresholds, id, threshold)
		askFirst(b, &in.Goal, (*sqlc.Queries).GoalsOfStores, goalsOn(of, today), storedGoal)
		askEach(b, &in.Open, (*sqlc.Queries).UnclosedAlerts, id, openAlert)
		askEach(b, &in.Triggers, (*sqlc.Queries).DeletedTriggers, id, triggers)
		ask(b, &active, (*sqlc.Queries).OffersActiveThroughout, sqlc.OffersActiveThroughoutParams{StoreID: id, FirstDay: silent.Start.String(), Clock: in.Store.Timezone})
		ask(b, &checks, (*sqlc.Queries).RecentChecks, id)
		ask(b, &suspects, (*sqlc.Queries).SuspectDays, of)
	})
	if err != nil {
		return in, err
	}
	in.Campaigns = campaigns(campaign, listed)
	if listed != nil {
		in.ListedAt, in.CampaignsCut = listed.FetchedAt, listed.Capped
	}
	for _, c := range checks {
		unexplained := slices.ContainsFunc(suspects, func(s sqlc.SuspectDaysRow) bool {
			return s.Unexplained && s.FirstDay == c.WindowStart && s.LastDay == c.WindowEnd
		})
		if unexplained || c.Agrees { // while days are being checked, report nothing
			in.Checks = append(in.Checks, check(c))
		}
	}
	var triggered []string
	for _, t := range in.Triggers {
		if t.Placement.ReportsRevenue() {
			triggered = append(triggered, t.IDs...)
		}
	}
	err = readIn(ctx, tx, func(b *Batch) {
		askThresholdDays(b, &days, id, alerts.WatchedIDs(in.Thresholds), history)
		if len(triggered) > 0 {
			askOfferDays(b, &in.TriggerDays, id, triggered, in.TriggerWindow(now))
		}
		if active.Known { // for the ranking that shows which offers sold nothing
			ask(b, &lists, (*sqlc.Queries).TopListsOfWindows, sqlc.TopListsOfWindowsParams(windowsOf(id, silent, silent)))
			ask(b, &topOffers, (*sqlc.Queries).TopOffersOfWindows, sqlc.TopOffersOfWindowsParams(windowsOf(id, silent, silent)))
			askEach(b, &in.Top.Counts, (*sqlc.Queries).OfferCountRows, id, count)
		}
	})
	if err != nil {
		return in, err
	}
	in.Days, in.StatDays, in.OfferDays = days.Sums, days.Stats, days.Offers
	if active.Known {
		in.Top.Store, in.Top.Credentials, in.Top.TopLists, in.Top.ActiveThroughout = in.Store, in.Credentials, topLists(lists, topOffers), active.OfferIds
	}
	if now.Sub(in.UpsellAt) <= staleLedger && now.Sub(in.GiftAt) <= staleLedger && len(in.MissingDays(now)) == 0 {
		return in, nil
	}
	return in, readIn(ctx, tx, func(b *Batch) { askEach(b, &in.Ledger, (*sqlc.Queries).PullStates, id, pull) })
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
