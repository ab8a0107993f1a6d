package db

import (
	"context"
	"fmt"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
)

// planDaysKept is how far back the plan's days are read: far enough to see the last reset of a yearly period.
const planDaysKept = 400

// Gift reads everything that a store's Gifts page needs, in one round trip.
func (d *DB) Gift(ctx context.Context, s ScopedStore, c report.Choice) (reportgift.StoredPage, error) {
	w, against := c.Window, compared(c)
	out := reportgift.StoredPage{Stored: report.Stored{
		Store: s.Store, Paused: s.Paused, FirstDay: s.FirstDay, HistoryDays: s.HistoryDays,
	}}
	var (
		lastDay civil.Date
		rows    []sqlc.GiftCampaign
	)
	err := d.read(ctx, func(b *Batch) {
		askEach(b, &out.Credentials, (*sqlc.Queries).CredentialStates, one(s), credential)
		askEach(b, &out.Ledger, (*sqlc.Queries).PullStates, s.id, pull)
		askEach(b, &out.Stored.Gift, (*sqlc.Queries).GiftWindows, sqlc.GiftWindowsParams{StoreID: s.id, Start: w.Start, Finish: w.End, Days: int32(w.Days())}, gift)
		askEach(b, &out.GiftDays, (*sqlc.Queries).GiftDayRows, sqlc.GiftDayRowsParams(windowsOf(s.id, w, against)), gift)
		askEach(b, &out.GiftAgainst, (*sqlc.Queries).GiftWindows, sqlc.GiftWindowsParams{StoreID: s.id, Start: against.Start, Finish: against.End}, gift)
		askFirst(b, &out.Today, (*sqlc.Queries).GiftToday, sqlc.GiftTodayParams{StoreID: s.id, Today: c.Today}, gift)
		ask(b, &lastDay, (*sqlc.Queries).LastGiftDay, s.id)
		askFirst(b, &out.Check, (*sqlc.Queries).GiftCheck, sqlc.GiftCheckParams{StoreID: s.id, WindowStart: w.Start, WindowEnd: w.End}, checkOfGifts)
		askEach(b, &out.Health, (*sqlc.Queries).GiftHealthRows, s.id, health)
		askFirst(b, &out.Plan, (*sqlc.Queries).GiftPlanRow, s.id, plan)
		askEach(b, &out.PlanDays, (*sqlc.Queries).GiftPlanDays, sqlc.GiftPlanDaysParams{StoreID: s.id, FirstDay: c.Today.AddDays(-planDaysKept), LastDay: c.Today}, func(r sqlc.GiftPlanDaysRow) report.StoredJSON { return report.StoredJSON(r) })
		ask(b, &rows, (*sqlc.Queries).CampaignRows, sqlc.CampaignRowsParams{StoreID: s.id})
		askFirst(b, &out.CampaignList, (*sqlc.Queries).CampaignListRow, s.id, campaignList)
		askEach(b, &out.Widgets, (*sqlc.Queries).WidgetRows, s.id, widget)
		askFirst(b, &out.Settings, (*sqlc.Queries).GiftSettingsRow, s.id, func(r sqlc.GiftSettingsRowRow) reportgift.StoredFound { return reportgift.StoredFound(r) })
		askEach(b, &out.Translations, (*sqlc.Queries).TranslationRows, s.id, translation)
		askEach(b, &out.Suspects, (*sqlc.Queries).SuspectDays, one(s), suspect)
		askEach(b, &out.Notes, (*sqlc.Queries).NotesOfStore, notesOf(s, w), note)
	})
	if err != nil {
		return reportgift.StoredPage{}, fmt.Errorf("read gifts of %s: %w", s.Slug, err)
	}
	out.Campaigns = campaigns(rows, out.CampaignList)
	if lastDay.Year > 1 {
		out.LastGiftDay = lastDay
	}
	return out, nil
}

func checkOfGifts(c sqlc.GiftWindowCheck) report.Check {
	return report.Check{
		Agrees: c.Agrees, Days: int(c.DaysStored), Missing: int(c.DaysMissing),
		Reported: c.ReportedRevenue, Stitched: c.StitchedRevenue, At: c.CheckedAt, Final: true,
	}
}

// GiftCampaign reads everything that a campaign's page needs, in one round trip. It returns ErrNotFound
// for an id that was never in the store's list.
func (d *DB) GiftCampaign(ctx context.Context, s ScopedStore, id string) (reportgift.StoredCampaign, error) {
	out := reportgift.StoredCampaign{Stored: report.Stored{Store: s.Store, Paused: s.Paused}}
	var rows []sqlc.GiftCampaign
	err := d.read(ctx, func(b *Batch) {
		askEach(b, &out.Credentials, (*sqlc.Queries).CredentialStates, one(s), credential)
		askEach(b, &out.Ledger, (*sqlc.Queries).PullStates, s.id, pull)
		ask(b, &rows, (*sqlc.Queries).CampaignRows, sqlc.CampaignRowsParams{StoreID: s.id, CampaignID: id})
		askFirst(b, &out.CampaignList, (*sqlc.Queries).CampaignListRow, s.id, campaignList)
		askFirst(b, &out.Configuration, (*sqlc.Queries).CampaignConfig, sqlc.CampaignConfigParams{StoreID: s.id, CampaignID: id}, func(r sqlc.CampaignConfigRow) reportgift.StoredFound { return reportgift.StoredFound(r) })
	})
	if err != nil {
		return reportgift.StoredCampaign{}, fmt.Errorf("read a campaign of %s: %w", s.Slug, err)
	}
	if len(rows) == 0 {
		return reportgift.StoredCampaign{}, ErrNotFound
	}
	out.Campaign = campaigns(rows, out.CampaignList)[0]
	return out, nil
}

func widget(w sqlc.WidgetRowsRow) reportgift.StoredWidget {
	out := reportgift.StoredWidget{
		Widget:   reportgift.Widget{Type: w.Type, Title: w.Title, Premium: w.IsPremium, Locked: w.IsLocked},
		ListedAt: w.LastListedAt,
	}
	if w.Found != nil {
		out.Settings = &reportgift.StoredFound{Found: *w.Found, Body: w.Body, FetchedAt: OrZero(w.FetchedAt)}
	}
	return out
}

func translation(t sqlc.GiftTranslation) reportgift.StoredTranslation {
	return reportgift.StoredTranslation{
		Locale: t.Locale, Languages: t.ActiveLanguages, Total: t.TotalStrings, StoredFound: reportgift.StoredFound{Found: t.Found, Body: t.Body, FetchedAt: t.FetchedAt},
	}
}
