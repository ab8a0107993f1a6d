package plan

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// Timing of the schedule, on the store's clock.
const (
	hourly = time.Hour
	// weekly is for pulls that each have their own night of the week.
	weekly = 7 * 24 * time.Hour
	// AfterMidnight leaves the service time to close its day.
	AfterMidnight = 20 * time.Minute
	// TrailingDays are pulled again every night: late orders change them (N27).
	TrailingDays = 7
)

// shape says what a kind's subjects are.
type shape int

const (
	single  shape = iota // one pull, no subject
	days                 // one pull a day, subject is the day
	windows              // one pull for each named window
	places               // one pull for each named placement
	// The others exist only as ledger rows: replies add a row for each subject to pull.
	someDays // days
	ranges   // windows, named by first and last day; calendar ones every night
	spans    // the first days of windows that end yesterday
	listed   // offers, campaigns, types, languages; names are asked for until one is known
)

// policy is how one kind of pull is kept up to date.
type policy struct {
	kind    Kind
	service string
	shape   shape
	// names are the windows of a windows kind, the placements of a places kind, or
	// what a listed kind begins with.
	names []string
	// rank orders pulls of different kinds. Days, named windows and offers' details get theirs
	// from their subject.
	rank rank
	// every is the cadence; zero means once after each midnight.
	every time.Duration
	// span is the window that a single pull asks for, ending yesterday; 0 for none.
	span int
	// wide: its answer also writes ledger or inventory rows that belong to other pulls.
	wide bool
}

// rank is a pull's place in the queue, the most urgent first. A person who has just connected a
// store waits for its charts, so their data comes before what is read one offer at a time.
type rank int

const (
	rankCheck    rank = iota // the credential's check, and a first page that never came
	rankWanted               // what a person has just opened
	rankRunning              // today and yesterday
	rankState                // current state
	rankWeek                 // the last 7 days and their windows
	rankHeal                 // windows that find the days that changed
	rankList                 // offers, campaigns, widgets
	rankMonth                // the last 30 days and their windows
	rankOrder                // display orders
	rankShown                // details of the offers that pages show first, see detailsFirst
	rankQuarter              // the last 90 days and their windows
	rankCalendar             // weeks, months and quarters
	rankCut                  // the other end of rankings that may be cut
	rankActive               // details of the other active offers
	rankOlder                // the older past
	rankRest                 // all other details
)

// The days of the parts that a history is filled in, counted back from yesterday.
const (
	week    = 7
	month   = 30
	quarter = 90
)

// detailsFirst is how many offers' details come before the older days. Each takes three calls;
// more would delay the 90-day chart.
const detailsFirst = 15

// firstLanguage is asked for while a store's languages are unknown: every reply names the
// active ones.
const firstLanguage = "en"

// policies is the whole schedule. Order within a rank is the order here.
var policies = []policy{
	{kind: OfferCountNow, service: Upsell, rank: rankCheck, every: hourly, wide: true},
	{kind: SummaryDay, service: Upsell, shape: days},
	{kind: StatsDay, service: Upsell, shape: days, wide: true},
	{kind: TopDay, service: Upsell, shape: days, wide: true},
	{kind: SummaryWindow, service: Upsell, shape: windows, names: []string{"30", "prev30", "7", "prev7", "90", "prev90"}},
	{kind: StatsWindow, service: Upsell, shape: windows, names: []string{"30", "prev30", "7", "prev7", "90", "prev90"}, wide: true},
	{kind: TopHighest, service: Upsell, shape: windows, names: []string{"30", "7", "90"}, wide: true},
	{kind: TopLowest, service: Upsell, shape: windows, names: []string{"30", "7", "90"}, wide: true},
	{kind: CoverageNow, service: Upsell, rank: rankState, every: hourly, span: 30},
	{kind: LifetimeNow, service: Upsell, rank: rankState, every: hourly},
	{kind: TopDayLowest, service: Upsell, shape: someDays, rank: rankCut, wide: true},
	{kind: SummaryRange, service: Upsell, shape: ranges, rank: rankHeal},
	{kind: StatsRange, service: Upsell, shape: ranges, rank: rankHeal, wide: true},
	{kind: TopRange, service: Upsell, shape: ranges, rank: rankHeal, wide: true},
	{kind: TopRangeLowest, service: Upsell, shape: ranges, rank: rankHeal, wide: true},
	{kind: OfferPage, service: Upsell, rank: rankList, wide: true},
	{kind: OfferPriority, service: Upsell, shape: places, names: placementKeys(), rank: rankOrder, wide: true},
	{kind: OfferSetup, service: Upsell, shape: listed, rank: rankRest, every: weekly},
	{kind: OfferStages, service: Upsell, shape: listed, rank: rankRest, every: weekly},
	{kind: OfferRecommendations, service: Upsell, shape: listed, rank: rankRest, every: weekly},

	{kind: GiftSetupHealth, service: Gift, rank: rankCheck, every: hourly},
	{kind: GiftPlan, service: Gift, rank: rankRunning, every: hourly},
	{kind: GiftToday, service: Gift, rank: rankRunning, every: hourly},
	{kind: GiftWindow, service: Gift, shape: windows, names: []string{"30", "1", "7", "90", "365"}},
	{kind: GiftRange, service: Gift, shape: ranges, rank: rankHeal},
	{kind: GiftCampaigns, service: Gift, rank: rankList, wide: true},
	{kind: GiftWidgets, service: Gift, rank: rankList, wide: true},
	{kind: GiftSettings, service: Gift, rank: rankList},
	{kind: GiftTranslations, service: Gift, shape: listed, names: []string{firstLanguage}, rank: rankShown, wide: true},
	{kind: GiftWidget, service: Gift, shape: listed, rank: rankShown},
	{kind: GiftCampaign, service: Gift, shape: listed, rank: rankShown, every: weekly},
	{kind: GiftSpan, service: Gift, shape: spans},
}

// placementKeys are the subjects of the walks over the display orders.
func placementKeys() []string {
	var keys []string
	for _, p := range upsell.Placements() {
		keys = append(keys, report.Placement(p).Key())
	}
	return keys
}

// firstPage are the pulls that a store's first page needs. Until each was good once, it comes
// right after the credential's check.
var firstPage = func() map[Key]bool {
	m := map[Key]bool{}
	for _, p := range report.FirstPulls {
		m[Key{Kind(p.Pull), p.Subject}] = true
	}
	return m
}()

var policyOf = func() map[Kind]policy {
	m := map[Kind]policy{}
	for _, p := range policies {
		m[p.kind] = p
	}
	return m
}()

// OfDay reports whether the kind's subjects are days.
func (k Kind) OfDay() bool {
	s := policyOf[k].shape
	return s == days || s == someDays
}

// OfRange reports whether the kind's subjects are windows named by their two ends.
func (k Kind) OfRange() bool { return policyOf[k].shape == ranges }

// Names are the subjects that the kind always has: windows or placements.
func (k Kind) Names() []string { return policyOf[k].names }

// Wide reports whether an answer of the kind also writes ledger or inventory rows that belong
// to other pulls.
func (k Kind) Wide() bool { return policyOf[k].wide }

// Comparable reports whether days are compared with windows after a pull of the kind.
func (k Kind) Comparable() bool {
	switch k {
	case SummaryDay, StatsDay, TopDay, TopDayLowest, SummaryWindow, StatsWindow, TopHighest, TopLowest,
		SummaryRange, StatsRange, TopRange, TopRangeLowest, GiftWindow, GiftRange, GiftSpan:
		return true
	}
	return false
}

// WholeDays are the kinds that are pulled for each day of the history.
func WholeDays() (kinds []string) {
	for _, p := range policies {
		if p.shape == days {
			kinds = append(kinds, string(p.kind))
		}
	}
	return kinds
}

// RangeKinds are the kinds of a service that can ask for any window.
func RangeKinds(service string) (kinds []string) {
	for _, p := range policies {
		if p.service == service && p.shape == ranges {
			kinds = append(kinds, string(p.kind))
		}
	}
	return kinds
}

// NewestFirst reports whether pulls of the kind go back into the past.
func (k Kind) NewestFirst() bool { return k.group() == groupDays }

// The groups of kinds, each with its own order.
const (
	groupOther = iota
	groupDetails
	groupDays
)

func (k Kind) group() int {
	switch policyOf[k].shape {
	case days, someDays, spans:
		return groupDays
	case listed:
		return groupDetails
	default:
		return groupOther
	}
}

// Named is the window that a name means today: "30" ends yesterday,
// "prev30" is the 30 days before it.
func Named(name string, today civil.Date) report.Window {
	days, previous := strings.CutPrefix(name, "prev")
	n, _ := strconv.Atoi(days) // always a number: see policies
	w := report.WindowEnding(today.AddDays(-1), n)
	if previous {
		return w.Previous()
	}
	return w
}

// rankOfDay orders the days: today and yesterday first, then those that may still
// change, then the past by the parts that a page shows.
func rankOfDay(d, today civil.Date) (rank, fact.Lane) {
	switch age := today.DaysSince(d); {
	case age <= 1:
		return rankRunning, fact.Schedule
	case age <= TrailingDays:
		return rankWeek, fact.Schedule
	case age <= month:
		return rankMonth, fact.Backfill
	case age <= quarter:
		return rankQuarter, fact.Backfill
	}
	return rankOlder, fact.Backfill
}

// rankOfSpan ranks a span like the day it derives, but after everything asked for every night.
func rankOfSpan(d, today civil.Date) rank {
	r, _ := rankOfDay(d, today)
	return max(r, rankWeek)
}

// rankOfWindow ranks a named window like its days.
func rankOfWindow(w report.Window) rank {
	switch n := w.Days(); {
	case n <= 1:
		return rankRunning
	case n <= week:
		return rankWeek
	case n <= month:
		return rankMonth
	case n <= quarter:
		return rankQuarter
	}
	return rankOlder
}

// DueAgain is when a pull that succeeded at fetched is due again; nil means never. Due times
// are points in time, so a missed or doubled tick changes nothing.
func DueAgain(p Pull, fetched time.Time, loc *time.Location) *time.Time {
	pol := policyOf[p.Kind]
	today := report.Today(fetched, loc)
	next := MidnightAfter(today, loc).Add(AfterMidnight)
	switch {
	case pol.shape == days:
		d, err := civil.ParseDate(p.Subject)
		switch {
		case err != nil:
			return nil
		case !d.Before(today): // the day isn't over: hourly until it is
			next = earlier(next, fetched.Add(hourly))
		case today.DaysSince(d) >= TrailingDays: // settled
			return nil
		}
	case pol.shape == someDays, pol.shape == spans: // asked again when a reply needs it
		return nil
	case pol.shape == ranges && !calendarOn(p, today.AddDays(1)): // or when a person looks at it
		return nil
	case pol.every == weekly:
		next = MidnightAfter(today.AddDays(nightsUntilTurn(p.Subject, today)-1), loc).Add(AfterMidnight)
	case pol.every > 0:
		next = earlier(next, fetched.Add(pol.every))
	}
	return &next
}

// calendarOn reports whether the pull is of a week, month or quarter that is asked for on that
// day.
func calendarOn(p Pull, day civil.Date) bool {
	w, ok := ParseRange(p.Subject)
	return ok && slices.Contains(report.CalendarWindows(policyOf[p.Kind].service, day), w)
}

// nightsUntilTurn is how many nights, 1 to 7, until the details of an offer or campaign are
// next pulled: each has its own night of the week, so every night refreshes about a seventh.
func nightsUntilTurn(id string, today civil.Date) int {
	h := fnv.New32a()
	_, _ = h.Write([]byte(id))
	turn := int(h.Sum32() % 7)
	wait := turn - today.DaysSince(civil.Date{Year: 2000, Month: time.January, Day: 1})%7
	for wait < 1 {
		wait += 7
	}
	return wait
}

// MidnightAfter is the moment when the day after d begins. Where the clock skips that midnight,
// as in Santiago and the Azores, it is the end of the skip: an hour earlier it is still day d,
// and d's last pulls would stay due forever.
func MidnightAfter(d civil.Date, loc *time.Location) time.Time {
	next := d.AddDays(1)
	at := next.In(loc)
	for civil.DateOf(at).Before(next) {
		_, at = at.ZoneBounds()
	}
	return at
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Backoff is how long a failed pull waits before the next try: doubling from
// five minutes to six hours.
func Backoff(attempts int) time.Duration {
	return min(5*time.Minute<<min(max(attempts-1, 0), 10), 6*time.Hour)
}
