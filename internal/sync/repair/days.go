// Package repair finds stored days that changed at a service or are missing here, and the
// windows to ask for to find out. Days of the gift series are derived from differences between
// windows. It is pure: rows in, findings out.
package repair

import (
	"cmp"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// How we know a day of the gift series that wasn't asked for in time: the service's windows end
// yesterday, so a past day can't be asked for by itself.
const (
	reportedBasis   = "reported"
	previousBasis   = "previous"   // derived from the answer for the day after
	differenceBasis = "difference" // the longer of two windows with one end, minus the shorter
)

// EndsKept is how many days back a window may end and still be used to derive days, so that
// those of a drain that ran past midnight belong together.
const EndsKept = 3

// DerivedDay is a day derived from windows, with the columns of gift_windows. Figures that
// couldn't be derived are nil.
type DerivedDay struct {
	Day                civil.Date       `json:"window_start"`
	Basis              string           `json:"basis"`
	Timezone           string           `json:"timezone"`
	Currency           string           `json:"currency"`
	Orders             *decimal.Decimal `json:"orders"`
	Revenue            *decimal.Decimal `json:"revenue"`
	ConversionRate     *decimal.Decimal `json:"conversion_rate"`
	ConversionRateUnit string           `json:"conversion_rate_unit"`
	AOVByFG            *decimal.Decimal `json:"aov_by_fg"`
	AOVStore           *decimal.Decimal `json:"aov_store"`
	FetchedAt          time.Time        `json:"fetched_at"`
	// ProvenAt is FetchedAt, or nil: nil means an order may have arrived between the two
	// answers.
	ProvenAt *time.Time `json:"proven_at"`
}

// sameAs compares the figures that every way of deriving a day gives.
func (t DerivedDay) sameAs(g sqlc.GiftWindow) bool {
	return g.Orders != nil && g.Revenue != nil && t.Orders.Equal(*g.Orders) && t.Revenue.Equal(*g.Revenue) && t.Currency == g.Currency
}

// Stored is what the gift days of a store are derived from.
type Stored struct {
	Rows     []sqlc.GiftWindow
	Ledger   []sqlc.Ledger // of the spans
	Suspects []sqlc.SuspectDay
	// First is the first wanted day, on the store's clock like Today; older stored days are
	// corrected, too.
	First, Today civil.Date
	Now          time.Time
	Loc          *time.Location
}

// GiftRepair is how to complete and correct the daily series.
type GiftRepair struct {
	// Days are new or differ from what is stored.
	Days []DerivedDay
	// Proven are stored days that were derived again with the same result.
	Proven map[civil.Date]time.Time
	// Spans are the first days of windows up to yesterday to ask for.
	Spans []civil.Date
	// Lost are days that two windows couldn't give, each with the reason, the end of a message's id.
	Lost map[civil.Date]string
	// Drifts are periods in which a reported window differs from the sum of its days.
	Drifts []report.Window
	// Healed are days that were derived again since they were suspected.
	Healed []sqlc.SuspectDay
}

// repairPlan is a repair being worked out.
type repairPlan struct {
	Stored
	GiftRepair
	oldest   civil.Date // the oldest day that windows can give
	midnight time.Time  // when today began
	days     map[civil.Date]sqlc.GiftWindow
	sums     []giftSums // by their end, yesterday first
	previous bool       // a day's previous figure is the day before's
	wide     bool       // a window's previous figure covers as many days before it
	asked    askedSpans
	// wanted are the days to derive, each with the moment since which its figure must be known.
	wanted map[civil.Date]time.Time
	// doubted are days that two windows show to be wrong.
	doubted map[civil.Date]bool
	derived map[civil.Date]DerivedDay
	// unbroken is how many days up to yesterday are stored without a gap.
	unbroken int
}

// GiftDays works out which days can be derived, corrected or proven from stored rows, and which
// windows to ask for to get the others. It is pure.
func GiftDays(in Stored) GiftRepair {
	p := repairPlan{
		Stored: in, GiftRepair: GiftRepair{Lost: map[civil.Date]string{}, Proven: map[civil.Date]time.Time{}},
		oldest: in.Today.AddDays(-gift.MaxDays), midnight: plan.MidnightAfter(in.Today.AddDays(-1), in.Loc), days: map[civil.Date]sqlc.GiftWindow{},
		asked: spansOf(in.Ledger), wanted: map[civil.Date]time.Time{}, doubted: map[civil.Date]bool{},
		derived: map[civil.Date]DerivedDay{},
	}
	p.Rows = slices.DeleteFunc(slices.Clone(in.Rows), func(g sqlc.GiftWindow) bool { return g.IncludesToday })
	p.previous = previousIsTheDayBefore(p.Rows)
	p.wide = p.previous || previousIsTheWindowBefore(p.Rows)
	for _, r := range p.Rows {
		if w := windowOfRow(r); w.Start == w.End {
			p.days[w.Start] = r
		}
	}
	for back := 1; back <= EndsKept; back++ {
		p.sums = append(p.sums, sumsTo(p.Rows, in.Today.AddDays(-back), p.wide, in.Loc))
	}
	p.want()
	p.tellDays()
	p.compare()
	p.askForDays()
	p.splitToday(in.Rows)
	p.heal()
	return p.GiftRepair
}

// want lists the days to derive: those that are missing, unproven or asked for again, the last
// week, which late orders still change, and suspected ones.
func (p *repairPlan) want() {
	for d := p.Today.AddDays(-1); !d.Before(p.oldest); d = d.AddDays(-1) {
		row, stored := p.days[d]
		age := p.Today.DaysSince(d)
		switch {
		case age == 1, !stored && d.Before(p.First): // it's asked for directly, or not wanted
		case !stored, knownUntil(row).IsZero():
			p.wanted[d] = time.Time{}
		case age <= plan.TrailingDays+1:
			p.wanted[d] = p.midnight
		}
	}
	for _, s := range p.Suspects {
		if s.NoticedBy == plan.Gift || longSuspect(s) {
			continue
		}
		for d := s.FirstDay; !d.After(s.LastDay); d = d.AddDays(1) {
			if !d.Before(p.oldest) && d.Before(p.Today) && (p.stored(d) || !d.Before(p.First)) {
				p.wanted[d] = latest(p.wanted[d], s.NoticedAt)
			}
		}
	}
}

// tellDays derives each day in the best available way, and keeps those that are new.
func (p *repairPlan) tellDays() {
	for d := p.Today.AddDays(-1); !d.Before(p.oldest); d = d.AddDays(-1) {
		t, why := p.tell(d)
		row, stored := p.days[d]
		if t == nil {
			if why != "" && !stored && !d.Before(p.First) && !p.asked.given[d] {
				p.Lost[d] = why
			}
			continue
		}
		switch {
		case !stored && d.Before(p.First):
			continue
		case !stored:
			p.GiftRepair.Days = append(p.GiftRepair.Days, *t)
		case t.ProvenAt == nil:
			if row.ProvenAt == nil && row.Basis != reportedBasis && !t.sameAs(row) {
				p.GiftRepair.Days = append(p.GiftRepair.Days, *t)
			}
			continue
		case !t.FetchedAt.After(knownUntil(row)):
			continue
		case !t.sameAs(row) && t.FetchedAt.After(row.FetchedAt):
			p.GiftRepair.Days = append(p.GiftRepair.Days, *t)
		case t.sameAs(row) && p.isWanted(d) && !t.FetchedAt.Before(p.wanted[d]):
			p.Proven[d] = t.FetchedAt
		}
		if t.ProvenAt != nil {
			p.derived[d] = *t
		}
	}
}

// knownUntil is the last moment at which a stored day is known to be right; the zero time if it
// isn't proven or was asked for again.
func knownUntil(row sqlc.GiftWindow) time.Time {
	if row.ProvenAt == nil || row.ProvenAt.Year() <= 1970 {
		return time.Time{}
	}
	return *row.ProvenAt
}

// provenAt is when the day was last known to be right.
func (p *repairPlan) provenAt(d civil.Date) time.Time {
	at := knownUntil(p.days[d])
	if t, ok := p.derived[d]; ok {
		at = latest(at, t.FetchedAt)
	}
	return at
}

func (p *repairPlan) isWanted(d civil.Date) bool {
	_, wanted := p.wanted[d]
	return wanted
}

// open reports whether the day is wanted and can't be derived yet.
func (p *repairPlan) open(d civil.Date) bool {
	at, known := p.wanted[d], p.provenAt(d)
	return p.isWanted(d) && p.Lost[d] == "" && (known.IsZero() || known.Before(at) || p.doubted[d])
}

// tell derives the day in the best available way: proven before unproven, later before earlier.
func (p *repairPlan) tell(d civil.Date) (*DerivedDay, string) {
	var best *DerivedDay
	if next, ok := p.days[d.AddDays(1)]; ok && p.previous {
		best = fromPrevious(next, p.Loc)
	}
	var why string
	for i, sums := range p.sums {
		back := sums.end.DaysSince(d) + 1
		if back < 1 || back == 1 && i == 0 {
			continue
		}
		t, problem := sums.tell(back)
		switch {
		case t == nil:
			why = cmp.Or(why, problem)
		case t.ProvenAt == nil && i > 0: // asked on an earlier day, so it can't be proven anymore
		case best == nil || t.ProvenAt != nil && t.FetchedAt.After(best.FetchedAt):
			best = t
		}
	}
	if best != nil {
		why = ""
	}
	return best, why
}

// fromPrevious derives the day before a reported one from that answer's previous figure: both
// are from the same moment. An answer from the service's cache has no known time within its
// day.
func fromPrevious(next sqlc.GiftWindow, loc *time.Location) *DerivedDay {
	if !asMeant(next) || next.OrdersPrevious == nil || next.RevenuePrevious == nil {
		return nil
	}
	at := plan.MidnightAfter(civil.DateOf(next.FetchedAt.In(loc)).AddDays(-1), loc)
	if next.BegunAt != nil {
		at = *next.BegunAt
	}
	return &DerivedDay{
		Day: next.WindowStart.AddDays(-1), Basis: previousBasis, Timezone: next.Timezone, Currency: next.Currency,
		Orders: next.OrdersPrevious, Revenue: next.RevenuePrevious, ConversionRate: next.ConversionRatePrevious,
		ConversionRateUnit: next.ConversionRateUnit, AOVByFG: next.AovByFgPrevious, AOVStore: next.AovStorePrevious,
		FetchedAt: at, ProvenAt: &at,
	}
}

// asMeant reports whether a row is the service's own answer for the period we asked for (N43).
func asMeant(g sqlc.GiftWindow) bool {
	w := windowOfRow(g)
	return g.Basis == reportedBasis && int(g.AskedDays) == w.Days() &&
		!slices.Contains(g.Flags, report.FlagWindowDiffers)
}

func windowOfRow(g sqlc.GiftWindow) report.Window {
	return report.Window{Start: g.WindowStart, End: g.WindowEnd}
}
