package share

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
)

var sharedWindow = report.Window{Start: civil.Date{Year: 2026, Month: 10, Day: 1}, End: civil.Date{Year: 2026, Month: 10, Day: 31}}

// full fills every field of a value, with days and moments within the window; no panel is empty.
func full(v reflect.Value, depth int) {
	if depth > 9 { // a recursive type
		return
	}
	switch x := v.Addr().Interface().(type) {
	case *decimal.Decimal:
		*x = decimal.New(7, 0)
		return
	case *time.Time:
		*x = time.Date(2026, 10, 5, 12, 0, 0, 0, time.UTC)
		return
	case *civil.Date:
		*x = civil.Date{Year: 2026, Month: 10, Day: 5}
		return
	case *report.Window:
		*x = sharedWindow
		return
	case **report.Empty, *[]byte:
		return
	case *report.Placement:
		*x = report.ThankYou
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		full(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				full(v.Field(i), depth+1)
			}
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		full(v.Index(0), depth+1)
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	}
}

// told lists the fields of a value that aren't empty, in order. The fields that every panel and every
// day has are listed separately.
func told(v any) []string {
	var out []string
	var walk func(path string, v reflect.Value)
	walk = func(path string, v reflect.Value) {
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		switch v.Type() {
		case reflect.TypeFor[report.Panel]():
			p := v.Interface().(report.Panel)
			if p.Empty != nil {
				return
			}
			if p.Provenance.Pull != "" || p.Provenance.Subject != "" || p.Trouble != nil && (p.Trouble.Text != "" || p.Trouble.NeedsPerson) {
				out = append(out, path+" in full")
			}
			out = append(out, path)
			return
		case reflect.TypeFor[report.Provenance](), reflect.TypeFor[decimal.Decimal](), reflect.TypeFor[time.Time](), reflect.TypeFor[civil.Date](),
			reflect.TypeFor[report.Choice](), reflect.TypeFor[overview.DayPoint](), reflect.TypeFor[overview.PlacementDay](), reflect.TypeFor[offers.Day](), reflect.TypeFor[reportgift.Day](), reflect.TypeFor[report.Mark](), reflect.TypeFor[offers.StagesBody](), reflect.TypeFor[reportgift.Setting]():
			if !v.IsZero() {
				out = append(out, path)
			}
			return
		}
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					walk(strings.TrimPrefix(path+"."+f.Name, "."), v.Field(i))
				}
			}
		case reflect.Slice:
			if v.Len() > 0 {
				walk(path, v.Index(0))
			}
		default:
			if !v.IsZero() {
				out = append(out, path)
			}
		}
	}
	walk("", reflect.ValueOf(v))
	return out
}

func fullOf[T any]() T {
	var v T
	full(reflect.ValueOf(&v).Elem(), 0)
	return v
}

// What readers of a link see, field by field: the first list for any window, the second only for a
// rolling one. A new field is in neither.
func TestReadersOfALinkAreToldTheseFieldsAndNoOther(t *testing.T) {
	t.Parallel()
	const store = "Store.Slug Store.Name Store.Timezone Store.Currency "
	gift := func(at string) string {
		text := at + ".Panel " + at + ".Currency "
		for _, m := range []string{"Orders", "Revenue", "ConversionRate", "AOVByFG", "AOVStore"} {
			for _, f := range []string{"Value", "Unit", "Withheld", "Reason"} {
				text += at + "." + m + "." + f + " "
			}
		}
		return text
	}
	const campaign = "ID Name Type TargetPage StartDate EndDate Code Start End"
	const campaignNow = "Status FirstSeen LastListed"
	in := func(at, names string) string {
		text := ""
		for _, n := range strings.Fields(names) {
			text += at + "." + n + " "
		}
		return text
	}
	cases := map[string]struct {
		cut         func(View) any
		always, now string
	}{
		"overview": {
			cut: func(v View) any { return v.Overview(fullOf[overview.Overview]()) },
			always: store + "Now Choice Freshness.PulledAt Freshness.State Freshness.Words Connected GiftLinked " +
				"Summary.Panel Summary.Currency Summary.TotalUpsoldValue Summary.TotalUpsoldOrders Summary.TotalOrders Summary.UpsellSuccessRate Summary.AverageUpsoldValue Summary.OfferViews " +
				"Trend.Panel Trend.Currency Trend.Days Trend.Today Trend.Marks " + in("Trend.Notes", "ID Start End Text ForClients WrittenAt") +
				in("Placements", "Panel Currency Rows.Placement Rows.Revenue Rows.Impressions Rows.Claims Rows.Absent Rows.Days Rows.Caution Drawn") +
				in("Top", "Panel Currency AcceptanceUnit Earned") + in("Top.Highest", "Rank OfferID Name Placement ABTest Revenue Claims AcceptanceRate Deleted") + in("Top.Lowest", "Rank OfferID Name Placement ABTest Revenue Claims AcceptanceRate Deleted") +
				gift("Gift") + "Campaigns.Panel Campaigns.Total " + in("Campaigns.Campaigns", campaign),
			now: "Freshness.DataTo Placements.ShopOfferCount Top.Silent Top.Coupons Top.ShopOfferCount Top.Highest.Status Top.Lowest.Status Campaigns.Capped " +
				in("Placements.Rows.Cover", "Placement State HasActive ActiveCount TotalCount") + in("Campaigns.Campaigns", campaignNow),
		},
		"offers": {
			cut: func(v View) any { return v.Offers(fullOf[offers.List]()) },
			always: "Panel Verified.At Verified.Words " + in("Rows", "ID Name Placement Currency CreatedAt FirstSeen LastListed") +
				in("Filter", "Query Status Placement ABTest Existing NeverEarned TriggerDeleted SoldNothing.Start SoldNothing.End Sort Page IDs"), // what was requested
			now: "Verified.Seen Verified.Counted Verified.Whole Verified.Calls " + in("Rows", "Status ABTest Priority Unlisted Deleted"),
		},
		"offer": {
			cut: func(v View) any { d, _ := v.Offer(fullOf[offers.Detail]()); return d },
			always: store + "Now Choice " + in("Offer", "ID Name Placement Currency CreatedAt FirstSeen LastListed") +
				in("Results", "Panel Currency Revenue Claims AcceptanceRate AcceptanceUnit") + in("History", "Panel Currency Days Revenue") + in("History.Notes", "ID Start End Text ForClients WrittenAt") + in("Events", "At Kind Before After"),
			now: in("Offer", "Status ABTest Priority Unlisted Deleted") + "Stages.Panel Stages.StagesBody Setup.Panel " +
				in("Setup.SetupBody", "Name Status Placement StartDate EndDate TriggerCriteria Conditions.Kind Conditions.Names.Kind Conditions.Names.Name Conditions.Names.Deleted Conditions.Raw DiscountType DiscountValue Priority CreatedAt ABTest Currency"),
		},
		"gift": {
			cut: func(v View) any { return v.Gift(fullOf[reportgift.Page]()) },
			always: store + "Now Choice Freshness.PulledAt Freshness.State Freshness.Words " + gift("Analytics") +
				in("History.Notes", "ID Start End Text ForClients WrittenAt") + "History.Panel History.Days History.Currency History.Marks Campaigns.Panel Campaigns.Total " + in("Campaigns.Campaigns", campaign),
			now: "Freshness.DataTo Campaigns.Capped " + in("Campaigns.Campaigns", campaignNow),
		},
		"campaign": {
			cut:    func(v View) any { g, _ := v.Campaign(fullOf[reportgift.CampaignPage]()); return g },
			always: store + "Now Listed " + in("Campaign", campaign),
			now:    in("Campaign", campaignNow) + "Configuration.Panel Configuration.Found Configuration.Groups.Title Configuration.Groups.Settings",
		},
	}
	for name, c := range cases {
		for _, fixed := range []bool{false, true} {
			want := c.always
			if !fixed {
				want += " " + c.now
			}
			all := strings.Fields(want)
			got := told(c.cut(View{Window: sharedWindow, Fixed: fixed}))
			slices.Sort(all)
			slices.Sort(got)
			if !slices.Equal(got, all) {
				for _, f := range got {
					if !slices.Contains(all, f) {
						t.Errorf("%s, fixed %v: tells %s", name, fixed, f)
					}
				}
				for _, f := range all {
					if !slices.Contains(got, f) {
						t.Errorf("%s, fixed %v: does not tell %s", name, fixed, f)
					}
				}
			}
		}
	}
}

func TestALinkThatComparesTellsOfTheWindowBeforeAndNoMore(t *testing.T) {
	t.Parallel()
	o := fullOf[overview.Overview]()
	alone, before := told(View{Window: sharedWindow}.Overview(o)), sharedWindow.Previous()
	var more []string
	for _, f := range told(View{Window: sharedWindow, Against: &before}.Overview(o)) {
		if !slices.Contains(alone, f) && !strings.HasPrefix(f, "Summary.Previous.") && !strings.HasPrefix(f, "Placements.Rows.Previous.") && !strings.HasPrefix(f, "TopBefore.") {
			more = append(more, f)
		}
	}
	slices.Sort(more)
	for _, f := range more {
		if !strings.HasPrefix(f, "Trend.Against") && !strings.HasPrefix(f, "Events") && !strings.HasPrefix(f, "Placements.Compared") {
			t.Errorf("tells %s", f)
		}
	}
	if got := (View{Window: sharedWindow, Against: &before}).Overview(o); len(got.Events) == 0 || len(more) == 0 {
		t.Error("nothing is compared")
	}
	v := View{Window: sharedWindow, Against: &before}
	earlier := before.Previous()
	for name, c := range map[string]struct {
		of   report.Window
		told bool
	}{"before": {before, true}, "its own": {sharedWindow, false}, "before both": {earlier, false}} {
		o.Summary.Previous.Provenance.Window, o.TopBefore.Provenance.Window, o.Placements.Compared = &c.of, &c.of, &report.Provenance{Window: &c.of}
		got := v.Overview(o)
		if s := got.Summary.Previous; (s.Empty == nil) != c.told || s.TotalUpsoldValue.IsZero() == c.told {
			t.Errorf("a summary of the window %s: %+v", name, s)
		}
		if (got.TopBefore.Empty == nil) != c.told || (got.Placements.Compared != nil) != c.told || (got.Placements.Rows[0].Previous != nil) != c.told {
			t.Errorf("a ranking and placements of the window %s: %+v %+v", name, got.TopBefore, got.Placements)
		}
	}
	o.Placements.Compared = &report.Provenance{Window: &before}
	o.Placements.Rows = append(o.Placements.Rows, overview.PlacementRow{}) // new since
	if got := v.Overview(o); got.Placements.Rows[1].Previous != nil {
		t.Errorf("a placement had %+v before", got.Placements.Rows[1].Previous)
	}
	o.Summary.Empty, o.Placements.Empty = &report.Empty{}, &report.Empty{}
	if got := v.Overview(o); got.Summary.Previous != nil || got.Placements.Compared != nil {
		t.Error("what is empty is compared")
	}
	o.Summary.Empty, o.Placements.Empty = nil, nil
	o.Summary.Previous, o.Placements.Compared, o.TopBefore = nil, nil, nil
	if got := v.Overview(o); got.Summary.Previous != nil || got.Placements.Compared != nil || got.TopBefore != nil {
		t.Error("nothing is compared with something")
	}
}

func TestAnAnswerAboutOtherDaysIsNoneToReadersOfALink(t *testing.T) {
	t.Parallel()
	o := fullOf[overview.Overview]()
	d := fullOf[offers.Detail]()
	for _, longer := range []report.Window{{Start: sharedWindow.Start.AddDays(-1), End: sharedWindow.End}, {Start: sharedWindow.Start, End: sharedWindow.End.AddDays(1)}} {
		o.Summary.Provenance.Window, o.Gift.Provenance.Window, o.Placements.Provenance.Window, o.Top.Provenance.Window = &longer, &longer, &longer, &longer
		d.Results.Provenance.Window = &longer
		got := View{Window: sharedWindow}.Overview(o)
		offer, _ := View{Window: sharedWindow}.Offer(d)
		for name, p := range map[string]report.Panel{
			"summary": got.Summary.Panel, "gift": got.Gift.Panel, "placements": got.Placements.Panel, "top": got.Top.Panel, "offer": offer.Results.Panel,
		} {
			if p.Empty == nil || *p.Provenance.Window != sharedWindow {
				t.Errorf("%s: %+v", name, p)
			}
		}
		if !got.Summary.TotalUpsoldValue.IsZero() || got.Gift.Revenue.Value != nil || len(got.Placements.Rows) > 0 || len(got.Top.Highest) > 0 || offer.Results.Revenue != nil {
			t.Error("the answer for other days shows its numbers")
		}
	}
	today := civil.Date{Year: 2026, Month: 11, Day: 1}
	o.Trend.Today.Day = today
	if got := (View{Window: sharedWindow}).Overview(o); got.Trend.Today != nil {
		t.Error("shows a day outside the link")
	}
	if got := (View{Window: report.OneDay(today)}).Overview(o); got.Trend.Today == nil {
		t.Error("leaves out the window's own day because it is not over")
	}
	o.Trend.Today = nil
	if got := (View{Window: sharedWindow}).Overview(o); got.Trend.Today != nil {
		t.Error("shows today, which was never pulled")
	}
}

func TestReadersOfALinkReadNotesForClientsAboutItsDays(t *testing.T) {
	t.Parallel()
	note := func(text string, start, end civil.Date, forClients bool) report.DayNote {
		return report.DayNote{Text: text, Start: start, End: end, ForClients: forClients}
	}
	first, last := sharedWindow.Start, sharedWindow.End
	got := View{Window: sharedWindow}.notes([]report.DayNote{
		note("private", first, last, false), note("earlier", first.AddDays(-2), first.AddDays(-1), true), note("later", last.AddDays(1), last.AddDays(1), true),
		note("begins earlier", first.AddDays(-2), first, true), note("ends later", last, last.AddDays(2), true),
	})
	want := []report.DayNote{note("begins earlier", first, first, true), note("ends later", last, last, true)}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestAnEmptyPanelGivesReadersOfALinkNoAdvice(t *testing.T) {
	t.Parallel()
	for _, cause := range []report.Cause{report.CauseNeverConnected, report.CauseFilling, report.CauseNoOffers, report.CauseNothing, report.CauseFailed, report.CauseNotKept, offers.CauseGone, offers.CauseNotReported} {
		e := View{}.empty(&report.Empty{Cause: cause, Title: "A title", Text: "It takes a token.", Action: "See sync status", Href: "/stores/acme/sync"})
		advice := cause == report.CauseNeverConnected || cause == report.CauseFilling || cause == report.CauseFailed || cause == report.CauseNotKept
		if e.Action != "" || e.Href != "" || e.Cause != cause || e.Title == "" || advice && strings.Contains(e.Text, "token") {
			t.Errorf("%s: %+v", cause, e)
		}
	}
	if f := (View{Fixed: true}).freshness(report.Freshness{State: "good", Words: "Data to 19 Nov"}, report.Panel{}, time.Time{}); f.State != "filling" || f.Words != "No data yet" {
		t.Errorf("before the first pull: %+v", f)
	}
	if f := (View{Fixed: true}).freshness(report.Freshness{State: "good"}, report.Panel{Empty: &report.Empty{Cause: report.CauseNotKept}}, time.Time{}); f.State != "stale" || f.Words != "No data for these dates" {
		t.Errorf("dates before the history: %+v", f)
	}
	if f := (View{Fixed: true}).freshness(report.Freshness{State: "good"}, report.Panel{Empty: &report.Empty{Cause: report.CauseFilling}}, time.Time{}); f.State != "filling" {
		t.Errorf("dates still being filled: %+v", f)
	}
	if h := (View{}).giftDays(reportgift.History{Mixed: &report.Empty{Title: "Two currencies", Action: "Settings", Href: "/stores/acme/settings"}}); h.Mixed.Href != "" || h.Mixed.Action != "" || h.Mixed.Title != "Two currencies" {
		t.Errorf("days in two currencies: %+v", h.Mixed)
	}
	if e := (View{}).empty(&report.Empty{Cause: offers.CauseNoMatch, Action: "Show all", Href: "?"}); e.Action != "Show all" || e.Href != "?" {
		t.Errorf("a list that its reader filtered: %+v", e)
	}
	p := View{}.panel(report.Panel{Trouble: &report.Trouble{Title: "Not pulled since 12 Nov.", Text: "The token was refused.", NeedsPerson: true}})
	if *p.Trouble != (report.Trouble{Title: "Not pulled since 12 Nov."}) {
		t.Errorf("%+v", p.Trouble)
	}
	if p := (View{}).panel(report.Panel{Empty: &report.Empty{Cause: report.CauseNothing, Action: "See sync status"}}); p.Empty.Action != "" {
		t.Errorf("%+v", p.Empty)
	}
	troubled := report.Panel{Provenance: report.Provenance{FetchedLast: sharedWindow.End.In(time.UTC)}, Trouble: &report.Trouble{}}
	for name, c := range map[string]struct {
		fixed bool
		in    report.Freshness
		p     report.Panel
		want  string
	}{
		"good":                  {false, report.Freshness{State: "good"}, report.Panel{}, "good"},
		"failed":                {false, report.Freshness{State: "failed"}, report.Panel{}, "stale"},
		"paused":                {false, report.Freshness{State: "good", Off: true}, report.Panel{}, "stale"},
		"fixed dates":           {true, report.Freshness{State: "stale"}, report.Panel{Provenance: troubled.Provenance}, "good"},
		"fixed dates, troubled": {true, report.Freshness{State: "good"}, troubled, "stale"},
	} {
		if f := (View{Fixed: c.fixed}).freshness(c.in, c.p, time.Time{}); f.State != c.want || f.Off {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestWhatBeganAfterAWindowThatStaysIsNotTold(t *testing.T) {
	t.Parallel()
	stays, moves := View{Window: sharedWindow, Fixed: true}, View{Window: sharedWindow}
	for created, want := range map[string]bool{"2026-10-31T23:59:59": true, "2026-11-01T00:00:00": false, "": true, "31 Oct": true, "no date at all": true} {
		d := fullOf[offers.Detail]()
		d.Offer.CreatedAt = created
		listed := offers.List{Rows: []offers.Row{d.Offer}}
		if _, ok := stays.Offer(d); ok != want || len(stays.Offers(listed).Rows) == 1 != want {
			t.Errorf("an offer made at %q: %v", created, ok)
		}
		if _, ok := moves.Offer(d); !ok || len(moves.Offers(listed).Rows) != 1 {
			t.Errorf("an offer made at %q is not told by a window that moves", created)
		}
	}
	day := func(month time.Month, d int) *civil.Date { return &civil.Date{Year: 2026, Month: month, Day: d} }
	for name, c := range map[string]struct {
		start, end *civil.Date
		want       bool
	}{
		"within": {day(10, 5), day(10, 6), true}, "around": {day(1, 1), day(12, 31), true}, "the last day": {day(10, 31), nil, true}, "the first day": {nil, day(10, 1), true},
		"before": {day(9, 1), day(9, 30), false}, "after": {day(11, 1), nil, false}, "no dates": {nil, nil, true},
	} {
		g := fullOf[reportgift.CampaignPage]()
		g.Campaign.Start, g.Campaign.End = c.start, c.end
		if _, ok := stays.Campaign(g); ok != c.want {
			t.Errorf("a campaign %s: %v", name, ok)
		}
		list := stays.campaigns(reportgift.Campaigns{Campaigns: []report.Campaign{g.Campaign}, Total: 9})
		if _, ok := moves.Campaign(g); !ok || len(moves.campaigns(reportgift.Campaigns{Campaigns: []report.Campaign{g.Campaign}}).Campaigns) != 1 {
			t.Errorf("a window that moves hides a campaign %s", name)
		}
		if (len(list.Campaigns) == 1) != c.want || list.Total != int64(len(list.Campaigns)) {
			t.Errorf("listed, a campaign %s: %+v", name, list)
		}
	}
	events := fullOf[offers.Detail]()
	at := events.Events[0]
	before, after := at, at
	before.At, after.At = sharedWindow.Start.In(time.UTC).Add(-time.Second), sharedWindow.End.AddDays(1).In(time.UTC)
	events.Events = []offers.Event{before, at, after}
	events.Now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	if got, _ := moves.Offer(events); len(got.Events) != 1 || got.Events[0] != at {
		t.Errorf("events %+v", got.Events)
	}
	events.Now = events.Now.In(time.FixedZone("the store's", -3600))
	if got, _ := moves.Offer(events); len(got.Events) != 2 || got.Events[1] != after {
		t.Errorf("events on the store's clock %+v", got.Events)
	}
}
