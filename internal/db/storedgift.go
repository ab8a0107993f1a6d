package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
)

// planDaysKept is how far back the plan's days are read: far enough to see the
// last reset of a yearly period.
const planDaysKept = 400

// Gift reads everything that a store's Gifts page is made of, in one round trip.
func (d *DB) Gift(ctx context.Context, s ScopedStore, c report.Choice, now time.Time) (report.StoredGiftPage, error) {
	w, against := c.Window, compared(c)
	var (
		creds        []CredentialStatesRow
		pulls        []Ledger
		windows      []GiftWindow
		days, then   []GiftWindow
		today        []GiftWindow
		last         time.Time
		checks       []GiftWindowCheck
		health       []GiftHealthRowsRow
		plan         []GiftPlanRowRow
		planDays     []GiftPlanDaysRow
		rows         []GiftCampaign
		list         []GiftCampaignList
		widgets      []WidgetRowsRow
		settings     []GiftSettingsRowRow
		translations []GiftTranslation
		suspects     []SuspectDaysRow
	)
	err := d.read(ctx, func(q *Queries) error {
		var errs [17]error
		creds, errs[0] = q.CredentialStates(ctx, s.id)
		pulls, errs[1] = q.PullStates(ctx, s.id)
		windows, errs[2] = q.GiftWindows(ctx, GiftWindowsParams{s.id, day(w.Start), day(w.End), int32(w.Days())})
		days, errs[3] = q.GiftDayRows(ctx, GiftDayRowsParams{s.id, day(w.Start), day(w.End), day(against.Start), day(against.End)})
		today, errs[4] = q.GiftToday(ctx, GiftTodayParams{s.id, day(c.Today)})
		last, errs[5] = q.LastGiftDay(ctx, s.id)
		health, errs[6] = q.GiftHealthRows(ctx, s.id)
		plan, errs[7] = q.GiftPlanRow(ctx, s.id)
		planDays, errs[8] = q.GiftPlanDays(ctx, GiftPlanDaysParams{StoreID: s.id, FirstDay: day(c.Today.AddDays(-planDaysKept)), LastDay: day(c.Today)})
		rows, errs[9] = q.CampaignRows(ctx, s.id)
		list, errs[10] = q.CampaignListRow(ctx, s.id)
		widgets, errs[11] = q.WidgetRows(ctx, s.id)
		settings, errs[12] = q.GiftSettingsRow(ctx, s.id)
		translations, errs[13] = q.TranslationRows(ctx, s.id)
		suspects, errs[15] = q.SuspectDays(ctx, s.id)
		then, errs[16] = q.GiftAgainst(ctx, GiftAgainstParams{s.id, day(against.Start), day(against.End)})
		checks, errs[14] = q.GiftCheck(ctx, GiftCheckParams{s.id, day(w.Start), day(w.End)})
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return report.StoredGiftPage{}, fmt.Errorf("read gifts of %s: %w", s.Slug, err)
	}
	out := report.StoredGiftPage{
		Stored: report.Stored{
			Store: s.Store, Paused: s.Paused, Credentials: each(creds, credential),
			Ledger: each(pulls, func(l Ledger) report.StoredPull { return pull(l, now) }),
			Gift:   each(windows, gift), GiftDays: each(days, gift), GiftAgainst: each(then, gift),
			Health: each(health, healthSection), Campaigns: campaigns(rows, list),
			FirstDay: s.FirstDay, HistoryDays: s.HistoryDays, RateLimit: d.RateLimit, Suspects: each(suspects, suspect),
		},
		PlanDays: each(planDays, func(p GiftPlanDaysRow) report.StoredPlanDay {
			return report.StoredPlanDay{StoredJSON: report.StoredJSON{Body: p.Body, FetchedAt: p.FetchedAt}}
		}),
		Widgets:      each(widgets, widget),
		Translations: each(translations, translation),
	}
	if last.Year() > 1 {
		out.LastGiftDay = civil.DateOf(last)
	}
	if len(checks) > 0 {
		k := checks[0]
		out.Check = &report.Check{
			Agrees: k.Agrees, Days: int(k.DaysStored), Missing: int(k.DaysMissing),
			Reported: k.ReportedRevenue, Stitched: k.StitchedRevenue, At: k.CheckedAt, Final: true,
		}
	}
	if len(today) > 0 {
		g := gift(today[0])
		out.Today = &g
	}
	if len(plan) > 0 {
		out.Plan = &report.StoredJSON{Body: plan[0].Body, FetchedAt: plan[0].FetchedAt}
	}
	if len(list) > 0 {
		out.CampaignList = campaignList(list[0])
	}
	if len(settings) > 0 {
		out.Settings = found(settings[0].Found, settings[0].Body, settings[0].FetchedAt)
	}
	return out, nil
}

// GiftCampaign reads everything that a campaign's page is made of, in one round
// trip; ErrNotFound for an id that was never in the store's list.
func (d *DB) GiftCampaign(ctx context.Context, s ScopedStore, id string, now time.Time) (report.StoredGiftCampaign, error) {
	var (
		creds  []CredentialStatesRow
		pulls  []Ledger
		rows   []GiftCampaign
		list   []GiftCampaignList
		config []GiftCampaignConfig
	)
	err := d.read(ctx, func(q *Queries) error {
		var errs [5]error
		creds, errs[0] = q.CredentialStates(ctx, s.id)
		pulls, errs[1] = q.PullStates(ctx, s.id)
		rows, errs[2] = q.CampaignByID(ctx, CampaignByIDParams{s.id, id})
		list, errs[3] = q.CampaignListRow(ctx, s.id)
		config, errs[4] = q.CampaignConfig(ctx, CampaignConfigParams{s.id, id})
		return errors.Join(errs[:]...)
	})
	if err != nil {
		return report.StoredGiftCampaign{}, fmt.Errorf("read a campaign of %s: %w", s.Slug, err)
	}
	if len(rows) == 0 {
		return report.StoredGiftCampaign{}, ErrNotFound
	}
	out := report.StoredGiftCampaign{
		Stored: report.Stored{
			Store: s.Store, Paused: s.Paused, Credentials: each(creds, credential),
			Ledger: each(pulls, func(l Ledger) report.StoredPull { return pull(l, now) }),
		},
		Campaign: campaigns(rows, list)[0],
	}
	if len(list) > 0 {
		out.CampaignList = campaignList(list[0])
	}
	if len(config) > 0 {
		out.Configuration = found(config[0].Found, config[0].Body, config[0].FetchedAt)
	}
	return out, nil
}

func found(is bool, body []byte, at time.Time) *report.StoredFound {
	return &report.StoredFound{Found: is, StoredJSON: report.StoredJSON{Body: body, FetchedAt: at}}
}

func campaignList(l GiftCampaignList) *report.StoredCampaignList {
	return &report.StoredCampaignList{Total: l.Total, Capped: l.Capped, FetchedAt: l.FetchedAt}
}

func widget(w WidgetRowsRow) report.StoredWidget {
	out := report.StoredWidget{
		GiftWidget: report.GiftWidget{Type: w.Type, Title: w.Title, Premium: w.IsPremium, Locked: w.IsLocked},
		ListedAt:   w.LastListedAt,
	}
	if w.Found != nil {
		out.Settings = found(*w.Found, w.Body, moment(w.FetchedAt))
	}
	return out
}

func translation(t GiftTranslation) report.StoredTranslation {
	return report.StoredTranslation{
		Locale: t.Locale, Languages: t.ActiveLanguages, Total: t.TotalStrings, StoredFound: *found(t.Found, t.Body, t.FetchedAt),
	}
}
