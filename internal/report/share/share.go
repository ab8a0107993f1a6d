// Package share cuts reports down to what readers of a share link may see.
package share

import (
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/answers"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// CauseNotShared: a part of a page that readers of a share link may not see.
const CauseNotShared report.Cause = "not_shared"

// View cuts values down to what readers of a share link may see: the numbers of the link's window, and
// the names they belong to. Nothing of other days remains: no comparison unless the link has one, no
// day that isn't over unless it's the window itself, no all-time values. It also removes what is meant
// for the people who run the store: what to do next, coverage, recommendations, the plan, setup health,
// why a pull failed, links into the store's admin, and links to stored replies.
//
// Current facts without a date (statuses, setups, how many offers are active) are shown only if the
// window is rolling, not if its dates are fixed.
//
// Values are rebuilt from the fields named here, so fields added later aren't revealed by accident.
type View struct {
	// Window is the link's window as of today.
	Window report.Window
	// Against is what it's compared with; nil unless the link includes a comparison.
	Against *report.Window
	// Fixed: the window has fixed dates.
	Fixed bool
	// Locale is the reader's language.
	Locale locale.Locale
}

// Overview is the overview for readers of the link.
func (v View) Overview(o overview.Overview) overview.Overview {
	out := overview.Overview{
		Store: v.store(o.Store), Now: o.Now, Choice: o.Choice,
		Connected: o.Connected, GiftLinked: o.GiftLinked,
		Summary: v.summary(o.Summary), Trend: v.trend(o.Trend), Placements: v.placements(o.Placements), Top: v.top(o.Top),
		Gift: v.gift(o.Gift), Campaigns: v.campaigns(o.Campaigns),
		Coverage: overview.Coverage{Panel: v.hidden()}, Lifetime: overview.Lifetime{Panel: v.hidden()},
		Health: reportgift.SetupHealth{Panel: v.hidden()}, Plan: reportgift.Plan{Panel: v.hidden()},
	}
	out.Freshness = v.freshness(o.Freshness, out.Summary.Panel, o.Now)
	if v.Against != nil {
		v.compare(&out, o)
	}
	return out
}

// compare adds what may be shown of the comparison window, cut down like the link's own.
func (v View) compare(out *overview.Overview, o overview.Overview) {
	before := v
	before.Window, before.Against = *v.Against, nil
	if p := o.Summary.Previous; p != nil && out.Summary.Empty == nil {
		out.Summary.Previous = new(before.summary(*p))
	}
	out.Trend.Against, out.Trend.AgainstWindow = o.Trend.Against, o.Trend.AgainstWindow
	if p := o.Placements.Compared; p != nil && out.Placements.Empty == nil {
		if was := before.panel(report.Panel{Provenance: *p}); was.Empty == nil {
			out.Placements.Compared = &was.Provenance
			for i, r := range o.Placements.Rows {
				if r.Previous != nil {
					out.Placements.Rows[i].Previous = &overview.PlacementRow{
						Placement: r.Previous.Placement, Revenue: r.Previous.Revenue, Impressions: r.Previous.Impressions, Claims: r.Previous.Claims, Absent: r.Previous.Absent, Days: r.Previous.Days,
					}
				}
			}
		}
	}
	if o.TopBefore != nil {
		out.TopBefore = new(before.top(*o.TopBefore))
	}
	out.Events, out.EventsBefore = o.Events, o.EventsBefore
}

// Days are those that the link shows: its own, and those it compares them with.
func (v View) Days() report.Window {
	if v.Against == nil {
		return v.Window
	}
	return report.Window{Start: v.Against.Start, End: v.Window.End}
}

// Offers is the offer list for readers of the link.
func (v View) Offers(l offers.List) offers.List {
	out := offers.List{
		Panel: v.panel(l.Panel), Filter: l.Filter, Rows: make([]offers.Row, 0, len(l.Rows)),
		Verified: l.Verified,
	}
	for _, r := range l.Rows {
		if !v.Fixed || !createdAfter(r, v.Window.End, report.Clock(l.Provenance.Timezone)) {
			out.Rows = append(out.Rows, v.offer(r))
		}
	}
	if v.Fixed { // the current number of offers
		out.Verified = offers.Verified{At: l.Verified.At, Words: "as listed"}
	}
	return out
}

// Around are the days around an offer's starts and ends for readers of the link. They are shown if the
// link includes all of them, and for the offer alone: the link may not show the numbers next to it.
func (v View) Around(all []answers.BeforeAfter) (around []answers.BeforeAfter) {
	for _, b := range all {
		if b.Reason == answers.EventCompared && v.Window.Contains(b.Before.Start) && v.Window.Contains(b.After.End) {
			around = append(around, answers.BeforeAfter{Event: b.Event, Before: b.Before, After: b.After, Days: b.Days, Currency: b.Currency, Offer: b.Offer})
		}
	}
	return around
}

// Within is the filter without the parts that OfferError refuses.
func (v View) Within(f report.OfferFilter) report.OfferFilter {
	f.Existing, f.NeverEarned, f.TriggerDeleted, f.SoldNothing = false, false, false, nil
	if f.Sort == report.SortRevenue || f.Sort == report.SortRevenueLow || v.Against == nil && ofChange(f) || v.Fixed && (f.Sort == report.SortPriority || ofStatus(f)) {
		f.Sort = report.SortValue
	}
	if v.Fixed {
		f.Status, f.ABTest = "", false
	}
	return f
}

// OfferError says why readers of the link can't use a filter of the offer list; nil if they can.
func (v View) OfferError(f report.OfferFilter) *report.ChoiceError {
	switch {
	case f.Sort == report.SortRevenue || f.Sort == report.SortRevenueLow:
		return &report.ChoiceError{Field: "sort", Reason: locale.M("choice.all_time")}
	case f.NeverEarned:
		return &report.ChoiceError{Field: "never_earned", Reason: locale.M("choice.all_time")}
	case f.Existing:
		return &report.ChoiceError{Field: "existing", Reason: locale.M("choice.not_shared")}
	case f.TriggerDeleted:
		return &report.ChoiceError{Field: "trigger_deleted", Reason: locale.M("choice.not_shared")}
	case f.SoldNothing != nil:
		return &report.ChoiceError{Field: "sold_nothing", Reason: locale.M("choice.not_shared")}
	case v.Fixed && f.Status != "":
		return &report.ChoiceError{Field: "status", Reason: locale.M("choice.current")}
	case v.Fixed && f.ABTest:
		return &report.ChoiceError{Field: "ab_test", Reason: locale.M("choice.current")}
	case v.Against == nil && ofChange(f):
		return &report.ChoiceError{Field: "sort", Reason: locale.M("choice.not_shared")}
	case v.Fixed && (f.Sort == report.SortPriority || ofStatus(f)):
		return &report.ChoiceError{Field: "sort", Reason: locale.M("choice.current")}
	}
	return nil
}

func ofChange(f report.OfferFilter) bool { return strings.HasPrefix(f.Sort, report.SortChange) }

func ofStatus(f report.OfferFilter) bool { return strings.HasPrefix(f.Sort, report.SortStatus) }

// Offer is an offer's page for readers of the link; false for an offer created after the link's window.
func (v View) Offer(d offers.Detail) (offers.Detail, bool) {
	if v.Fixed && createdAfter(d.Offer, v.Window.End, d.Now.Location()) {
		return offers.Detail{}, false
	}
	out := offers.Detail{
		Store: v.store(d.Store), Now: d.Now, Choice: d.Choice, Offer: v.offer(d.Offer),
		Results: v.results(d.Results), History: v.offerDays(d.History),
		Setup: offers.Setup{Panel: v.hidden()}, Stages: offers.Stages{Panel: v.hidden()}, Recommendations: offers.Recommendations{Panel: v.hidden()},
		Events: slices.DeleteFunc(slices.Clone(d.Events), func(e offers.Event) bool {
			return !v.Window.Contains(civil.DateOf(e.At.In(d.Now.Location())))
		}),
	}
	if !v.Fixed {
		s := d.Setup.SetupBody
		out.Setup = offers.Setup{Panel: v.panel(d.Setup.Panel), SetupBody: offers.SetupBody{
			Name: s.Name, Status: s.Status, Placement: s.Placement, StartDate: s.StartDate, EndDate: s.EndDate, TriggerCriteria: s.TriggerCriteria,
			Conditions: s.Conditions, DiscountType: s.DiscountType, DiscountValue: s.DiscountValue, Priority: s.Priority, CreatedAt: s.CreatedAt,
			ABTest: s.ABTest, Currency: s.Currency,
		}}
		out.Stages = offers.Stages{Panel: v.panel(d.Stages.Panel), StagesBody: d.Stages.StagesBody}
	}
	return out, true
}

// Gift is the Gifts page for readers of the link.
func (v View) Gift(g reportgift.Page) reportgift.Page {
	out := reportgift.Page{
		Store: v.store(g.Store), Now: g.Now, Choice: g.Choice,
		Analytics: v.gift(g.Analytics), Campaigns: v.campaigns(g.Campaigns),
		History: v.giftDays(g.History),
		Health:  reportgift.SetupHealth{Panel: v.hidden()}, Plan: reportgift.Plan{Panel: v.hidden()}, Widgets: reportgift.Widgets{Panel: v.hidden()},
		Settings: reportgift.SavedSettings{Panel: v.hidden()}, Translations: reportgift.Translations{Panel: v.hidden()},
	}
	out.Freshness = v.freshness(g.Freshness, out.Analytics.Panel, g.Now)
	return out
}

// Campaign is a campaign's page for readers of the link; false for a campaign that didn't run in a
// window with fixed dates.
func (v View) Campaign(g reportgift.CampaignPage) (reportgift.CampaignPage, bool) {
	if !v.ran(g.Campaign) {
		return reportgift.CampaignPage{}, false
	}
	out := reportgift.CampaignPage{
		Store: v.store(g.Store), Now: g.Now, Campaign: v.campaign(g.Campaign), Listed: v.panel(g.Listed),
		Configuration: reportgift.CampaignConfiguration{Panel: v.hidden()},
	}
	if !v.Fixed { // without the raw answer
		out.Configuration = reportgift.CampaignConfiguration{Panel: v.panel(g.Configuration.Panel), Found: g.Configuration.Found, Groups: g.Configuration.Groups}
	}
	return out, true
}

// hidden is a panel that is left out; its zero values mean nothing.
func (v View) hidden() report.Panel {
	return report.Panel{Empty: &report.Empty{Cause: CauseNotShared, Title: v.Locale.T("panel.shared.hidden"), Text: v.Locale.T("panel.shared.hidden_text")}}
}

func (v View) store(s report.Store) report.Store {
	return report.Store{Slug: s.Slug, Name: s.Name, Timezone: s.Timezone, Currency: s.Currency}
}

// panel keeps what readers may know about a panel. An answer for days outside the link's is dropped: a
// service may apply a different window than requested.
func (v View) panel(p report.Panel) report.Panel {
	p.Provenance.Pull, p.Provenance.Subject = "", ""
	if w := p.Provenance.Window; w != nil && (!v.Window.Contains(w.Start) || !v.Window.Contains(w.End)) {
		p.Provenance.Window = &v.Window
		p.Empty = &report.Empty{Cause: report.CauseNotKept, Title: v.Locale.T("panel.shared.no_exact")}
	}
	p.Empty = v.empty(p.Empty)
	if t := p.Trouble; t != nil { // since when, but not why
		p.Trouble = &report.Trouble{Title: t.Title, Since: t.Since}
	}
	return p
}

// empty says that there is nothing, without the advice for those who run the store.
func (v View) empty(e *report.Empty) *report.Empty {
	if e == nil {
		return nil
	}
	out := report.Empty{Cause: e.Cause, Title: e.Title, Text: e.Text}
	switch e.Cause {
	case report.CauseNeverConnected:
		out.Title, out.Text = v.Locale.T("panel.shared.nothing"), v.Locale.T("panel.shared.nothing_text")
	case report.CauseFilling:
		out.Text = v.Locale.T("panel.shared.filling_text")
	case report.CauseFailed:
		out.Title, out.Text = v.Locale.T("panel.shared.failed"), v.Locale.T("panel.shared.failed_text")
	case report.CauseNotKept:
		out.Text = v.Locale.T("panel.shared.not_kept_text")
	case offers.CauseNoMatch: // its link stays within the list
		out.Action, out.Href = e.Action, e.Href
	}
	return &out
}

// freshness for fixed dates is the age of their numbers, not how far other data reaches.
func (v View) freshness(f report.Freshness, p report.Panel, now time.Time) report.Freshness {
	if f.State == "failed" || f.Off {
		f.State, f.Off = "stale", false
	}
	if !v.Fixed {
		return f
	}
	out := report.Freshness{State: "filling", Words: v.Locale.T("panel.freshness.nothing")}
	if p.Empty != nil && p.Empty.Cause == report.CauseNotKept { // and never will be
		out = report.Freshness{State: "stale", Words: v.Locale.T("state.no_day.title")}
	}
	if at := p.Provenance.FetchedLast; !at.IsZero() {
		out = report.Freshness{State: "good", PulledAt: &at, Words: v.Locale.T("panel.freshness.on", "day", v.Locale.DayYear(civil.DateOf(at.In(now.Location()))))}
	}
	if p.Trouble != nil {
		out.State = "stale"
	}
	return out
}

func (v View) summary(s overview.Summary) overview.Summary {
	p := v.panel(s.Panel)
	if p.Empty != nil {
		return overview.Summary{Panel: p}
	}
	return overview.Summary{
		Panel: p, Currency: s.Currency, TotalUpsoldValue: s.TotalUpsoldValue, TotalUpsoldOrders: s.TotalUpsoldOrders, TotalOrders: s.TotalOrders,
		UpsellSuccessRate: s.UpsellSuccessRate, AverageUpsoldValue: s.AverageUpsoldValue, OfferViews: s.OfferViews,
	}
}

func (v View) trend(t overview.Trend) overview.Trend {
	out := overview.Trend{Panel: v.panel(t.Panel), Currency: t.Currency, Days: t.Days, Marks: t.Marks, Notes: v.notes(t.Notes)}
	if t.Today != nil && v.Window.Contains(t.Today.Day) {
		out.Today = t.Today
	}
	return out
}

// notes are those for clients, each cut to the link's days.
func (v View) notes(all []report.DayNote) []report.DayNote {
	out := []report.DayNote{}
	for _, n := range all {
		if n.ForClients && n.Days().Overlaps(v.Window) {
			days := n.Days().Within(v.Window)
			out = append(out, report.DayNote{ID: n.ID, Start: days.Start, End: days.End, Text: n.Text, ForClients: true, WrittenAt: n.WrittenAt})
		}
	}
	return out
}

func (v View) placements(s overview.PlacementStats) overview.PlacementStats {
	out := overview.PlacementStats{Panel: v.panel(s.Panel), Drawn: s.Drawn, Rows: []overview.PlacementRow{}}
	if out.Empty != nil {
		return out
	}
	out.Currency = s.Currency
	for _, r := range s.Rows {
		row := overview.PlacementRow{
			Placement: r.Placement, Revenue: r.Revenue, Impressions: r.Impressions, Claims: r.Claims, Absent: r.Absent, Days: r.Days,
		}
		if c := r.Cover; c != nil && !v.Fixed { // without its revenue, which has its own window
			row.Cover = &overview.CoverRow{Placement: c.Placement, State: c.State, HasActive: c.HasActive, ActiveCount: c.ActiveCount, TotalCount: c.TotalCount}
		}
		row.Caution = overview.Caution(v.Locale, row)
		out.Rows = append(out.Rows, row)
	}
	if !v.Fixed {
		out.ShopOfferCount = s.ShopOfferCount
	}
	return out
}

func (v View) top(t overview.TopOffers) overview.TopOffers {
	out := overview.TopOffers{Panel: v.panel(t.Panel), AcceptanceUnit: t.AcceptanceUnit, Highest: []report.TopRow{}, Lowest: []report.TopRow{}}
	if out.Empty != nil {
		return out
	}
	out.Currency, out.Earned, out.Highest, out.Lowest = t.Currency, t.Earned, v.ranked(t.Highest), v.ranked(t.Lowest)
	if !v.Fixed {
		out.Silent, out.Coupons, out.ShopOfferCount = t.Silent, t.Coupons, t.ShopOfferCount
	}
	return out
}

func (v View) ranked(rows []report.TopRow) []report.TopRow {
	out := make([]report.TopRow, len(rows))
	for i, r := range rows {
		out[i] = report.TopRow{
			Rank: r.Rank, OfferID: r.OfferID, Name: r.Name, Placement: r.Placement, ABTest: r.ABTest, Revenue: r.Revenue, Claims: r.Claims,
			AcceptanceRate: r.AcceptanceRate, Deleted: r.Deleted,
		}
		if !v.Fixed {
			out[i].Status = r.Status
		}
	}
	return out
}

func (v View) offer(r offers.Row) offers.Row {
	out := offers.Row{ID: r.ID, Name: r.Name, Placement: r.Placement, Currency: r.Currency, CreatedAt: r.CreatedAt, FirstSeen: r.FirstSeen, LastListed: r.LastListed}
	if !v.Fixed {
		out.Status, out.ABTest, out.Priority, out.Unlisted, out.Deleted = r.Status, r.ABTest, r.Priority, r.Unlisted, r.Deleted
	}
	return out
}

func (v View) results(r offers.Results) offers.Results {
	p := v.panel(r.Panel)
	if p.Empty != nil {
		return offers.Results{Panel: p, Currency: r.Currency, AcceptanceUnit: r.AcceptanceUnit}
	}
	return offers.Results{Panel: p, Currency: r.Currency, Revenue: r.Revenue, Claims: r.Claims, AcceptanceRate: r.AcceptanceRate, AcceptanceUnit: r.AcceptanceUnit}
}

func (v View) offerDays(h offers.History) offers.History {
	return offers.History{Panel: v.panel(h.Panel), Currency: h.Currency, Days: h.Days, Revenue: h.Revenue, Notes: v.notes(h.Notes)}
}

func (v View) giftDays(h reportgift.History) reportgift.History {
	return reportgift.History{Panel: v.panel(h.Panel), Days: h.Days, Currency: h.Currency, Mixed: v.empty(h.Mixed), Marks: h.Marks, Notes: v.notes(h.Notes)}
}

// gift drops the previous window that the service sends along.
func (v View) gift(g reportgift.Analytics) reportgift.Analytics {
	p := v.panel(g.Panel)
	if p.Empty != nil {
		return reportgift.Analytics{Panel: p}
	}
	alone := func(m report.GiftMetric) report.GiftMetric {
		return report.GiftMetric{Value: m.Value, Unit: m.Unit, Withheld: m.Withheld, Reason: m.Reason}
	}
	return reportgift.Analytics{
		Panel: p, Currency: g.Currency, Orders: alone(g.Orders), Revenue: alone(g.Revenue), ConversionRate: alone(g.ConversionRate),
		AOVByFG: alone(g.AOVByFG), AOVStore: alone(g.AOVStore),
	}
}

func (v View) campaigns(c reportgift.Campaigns) reportgift.Campaigns {
	out := reportgift.Campaigns{Panel: v.panel(c.Panel), Campaigns: []report.Campaign{}, Total: c.Total, Capped: c.Capped}
	for _, each := range c.Campaigns {
		if v.ran(each) {
			out.Campaigns = append(out.Campaigns, v.campaign(each))
		}
	}
	if v.Fixed {
		out.Total, out.Capped = int64(len(out.Campaigns)), false
	}
	return out
}

func (v View) campaign(c report.Campaign) report.Campaign {
	out := report.Campaign{
		ID: c.ID, Name: c.Name, Type: c.Type, TargetPage: c.TargetPage, Code: c.Code, StartDate: c.StartDate, EndDate: c.EndDate, Start: c.Start, End: c.End,
	}
	if !v.Fixed {
		out.Status, out.FirstSeen, out.LastListed = c.Status, c.FirstSeen, c.LastListed
	}
	return out
}

// ran reports whether the campaign's dates, as far as known, overlap a window with fixed dates. A
// rolling window shows all listed campaigns.
func (v View) ran(c report.Campaign) bool {
	switch {
	case !v.Fixed:
		return true
	case c.Start != nil && c.Start.After(v.Window.End):
		return false
	case c.End != nil && c.End.Before(v.Window.Start):
		return false
	}
	return true
}

// createdAfter reports whether the offer is known to have been created after the day.
func createdAfter(r offers.Row, last civil.Date, store *time.Location) bool {
	d, ok := report.DayOf(r.CreatedAt, store)
	return ok && d.After(last)
}
