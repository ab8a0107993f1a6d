package db

import (
	"context"
	"fmt"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
)

// planDaysKept is how far back the plan's days are read: far enough to see the
// last reset of a yearly period.
const planDaysKept = 400

// Gift reads everything that a store's Gifts page is made of, in one round trip.
func (d *DB) Gift(ctx context.Context, s ScopedStore, c report.Choice, now time.Time) (reportgift.StoredPage, error) {
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
		notes        []NotesOfStoreRow
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &creds, (*Queries).CredentialStates, s.id)
		ask(b, &pulls, (*Queries).PullStates, s.id)
		ask(b, &windows, (*Queries).GiftWindows, GiftWindowsParams{s.id, day(w.Start), day(w.End), int32(w.Days())})
		ask(b, &days, (*Queries).GiftDayRows, GiftDayRowsParams{s.id, day(w.Start), day(w.End), day(against.Start), day(against.End)})
		ask(b, &today, (*Queries).GiftToday, GiftTodayParams{s.id, day(c.Today)})
		ask(b, &last, (*Queries).LastGiftDay, s.id)
		ask(b, &health, (*Queries).GiftHealthRows, s.id)
		ask(b, &plan, (*Queries).GiftPlanRow, s.id)
		ask(b, &planDays, (*Queries).GiftPlanDays, GiftPlanDaysParams{StoreID: s.id, FirstDay: day(c.Today.AddDays(-planDaysKept)), LastDay: day(c.Today)})
		ask(b, &rows, (*Queries).CampaignRows, s.id)
		ask(b, &list, (*Queries).CampaignListRow, s.id)
		ask(b, &widgets, (*Queries).WidgetRows, s.id)
		ask(b, &settings, (*Queries).GiftSettingsRow, s.id)
		ask(b, &translations, (*Queries).TranslationRows, s.id)
		ask(b, &suspects, (*Queries).SuspectDays, s.id)
		ask(b, &notes, (*Queries).NotesOfStore, notesOf(s, w))
		ask(b, &then, (*Queries).GiftAgainst, GiftAgainstParams{s.id, day(against.Start), day(against.End)})
		ask(b, &checks, (*Queries).GiftCheck, GiftCheckParams{s.id, day(w.Start), day(w.End)})
	})
	if err != nil {
		return reportgift.StoredPage{}, fmt.Errorf("read gifts of %s: %w", s.Slug, err)
	}
	out := reportgift.StoredPage{
		Stored: report.Stored{
			Store: s.Store, Paused: s.Paused, Credentials: Each(creds, credential),
			Ledger: Each(pulls, func(l Ledger) report.StoredPull { return pull(l, now) }),
			Gift:   Each(windows, gift), GiftDays: Each(days, gift), GiftAgainst: Each(then, gift),
			Health: Each(health, healthSection), Campaigns: campaigns(rows, list),
			FirstDay: s.FirstDay, HistoryDays: s.HistoryDays, RateLimit: d.RateLimit, Suspects: Each(suspects, suspect), Notes: Each(notes, note),
		},
		PlanDays: Each(planDays, func(p GiftPlanDaysRow) report.StoredPlanDay {
			return report.StoredPlanDay{StoredJSON: report.StoredJSON{Body: p.Body, FetchedAt: p.FetchedAt}}
		}),
		Widgets:      Each(widgets, widget),
		Translations: Each(translations, translation),
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
func (d *DB) GiftCampaign(ctx context.Context, s ScopedStore, id string, now time.Time) (reportgift.StoredCampaign, error) {
	var (
		creds  []CredentialStatesRow
		pulls  []Ledger
		rows   []GiftCampaign
		list   []GiftCampaignList
		config []GiftCampaignConfig
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &creds, (*Queries).CredentialStates, s.id)
		ask(b, &pulls, (*Queries).PullStates, s.id)
		ask(b, &rows, (*Queries).CampaignByID, CampaignByIDParams{s.id, id})
		ask(b, &list, (*Queries).CampaignListRow, s.id)
		ask(b, &config, (*Queries).CampaignConfig, CampaignConfigParams{s.id, id})
	})
	if err != nil {
		return reportgift.StoredCampaign{}, fmt.Errorf("read a campaign of %s: %w", s.Slug, err)
	}
	if len(rows) == 0 {
		return reportgift.StoredCampaign{}, ErrNotFound
	}
	out := reportgift.StoredCampaign{
		Stored: report.Stored{
			Store: s.Store, Paused: s.Paused, Credentials: Each(creds, credential),
			Ledger: Each(pulls, func(l Ledger) report.StoredPull { return pull(l, now) }),
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

func found(is bool, body []byte, at time.Time) *reportgift.StoredFound {
	return &reportgift.StoredFound{Found: is, StoredJSON: report.StoredJSON{Body: body, FetchedAt: at}}
}

func campaignList(l GiftCampaignList) *report.StoredCampaignList {
	return &report.StoredCampaignList{Total: l.Total, Capped: l.Capped, FetchedAt: l.FetchedAt}
}

func widget(w WidgetRowsRow) reportgift.StoredWidget {
	out := reportgift.StoredWidget{
		Widget:   reportgift.Widget{Type: w.Type, Title: w.Title, Premium: w.IsPremium, Locked: w.IsLocked},
		ListedAt: w.LastListedAt,
	}
	if w.Found != nil {
		out.Settings = found(*w.Found, w.Body, moment(w.FetchedAt))
	}
	return out
}

func translation(t GiftTranslation) reportgift.StoredTranslation {
	return reportgift.StoredTranslation{
		Locale: t.Locale, Languages: t.ActiveLanguages, Total: t.TotalStrings, StoredFound: *found(t.Found, t.Body, t.FetchedAt),
	}
}
