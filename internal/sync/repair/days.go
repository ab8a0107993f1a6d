// Package repair finds the stored days that changed at a service or are missing here, and
// which windows are to be asked to know. Days of the gift series are derived from the
// difference of windows. It is pure: rows in, findings out.
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

// How a day of the gift series is known that the service was not asked for in time:
// its windows end yesterday, so no past day can be asked for by itself.
const (
	reportedBasis   = "reported"
	previousBasis   = "previous"   // derived by the answer for the day after
	differenceBasis = "difference" // the longer of two windows with one end, minus the shorter
)

// EndsKept is how many days back windows are looked at that tell a day: those of a
// drain that a midnight cut through still belong together.
const EndsKept = 3

// DerivedDay is a day derived from other windows, named like the columns of gift_windows. What
// could not be derived is nil.
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
	// ProvenAt is FetchedAt, or nil: an order may have arrived between the two answers.
	ProvenAt *time.Time `json:"proven_at"`
}

// sameAs compares what every way to tell a day gives.
func (t DerivedDay) sameAs(g sqlc.GiftWindow) bool {
	return g.Orders != nil && g.Revenue != nil && t.Orders.Equal(*g.Orders) && t.Revenue.Equal(*g.Revenue) && t.Currency == g.Currency
}

// Stored is what the gift days of a store are derived from.
type Stored struct {
	Rows     []sqlc.GiftWindow
	Ledger   []sqlc.Ledger // of the spans
	Suspects []sqlc.SuspectDay
	// First is the first day that is wanted, on the store's clock as today; what is stored
	// from before is corrected too.
	First, Today civil.Date
	Now          time.Time
	Loc          *time.Location
}

// GiftRepair is what completes and corrects the daily series.
type GiftRepair struct {
	// Days are new, or other than what is stored.
	Days []DerivedDay
	// Proven are stored days that were derived once more, the same.
	Proven map[civil.Date]time.Time
	// Spans are the first days of windows up to yesterday that are to be asked.
	Spans []civil.Date
	// Lost are days that two windows could not tell, each with the reason.
	Lost map[civil.Date]string
	// Drifts are days in which a reported window differs from the sum of its days.
	Drifts []report.Window
	// Healed are days that were derived again since they were suspected.
	Healed []sqlc.SuspectDay
}

// repairPlan is a repair in the making.
type repairPlan struct {
	Stored
	GiftRepair
	oldest   civil.Date // the first that windows tell
	midnight time.Time  // at which today began
	days     map[civil.Date]sqlc.GiftWindow
	sums     []giftSums // by their end, yesterday's first
	previous bool       // the previous figure of a day is that of the day before
	wide     bool       // that of a window is that of as many days before it
	asked    askedSpans
	// wanted are days to be derived, as they were at the moment or later.
	wanted map[civil.Date]time.Time
	// doubted are days that two windows say are off.
	doubted map[civil.Date]bool
	derived map[civil.Date]DerivedDay
	// unbroken are how many days up to yesterday are stored without a gap.
	unbroken int
}

// GiftDays says which days can be derived, corrected or proven by what is stored, and
// which windows are to be asked for the others. It is pure.
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

// want lists the days that are to be derived: those that are missing, not proven or asked for
// again, the last week, which late orders still change, and those that are suspected.
func (p *repairPlan) want() {
	for d := p.Today.AddDays(-1); !d.Before(p.oldest); d = d.AddDays(-1) {
		row, stored := p.days[d]
		age := p.Today.DaysSince(d)
		switch {
		case age == 1, !stored && d.Before(p.First): // it is asked for by itself; or not wanted
		case !stored, row.ProvenAt == nil, row.ProvenAt.Year() <= 1970:
			p.wanted[d] = time.Time{}
		case age <= plan.TrailingDays+1:
			p.wanted[d] = p.midnight
		}
	}
	for _, s := range p.Suspects {
		if s.NoticedBy == plan.Gift || longSuspect(s) {
			continue
		}
		for d := civil.DateOf(s.FirstDay); !d.After(civil.DateOf(s.LastDay)); d = d.AddDays(1) {
			if !d.Before(p.oldest) && d.Before(p.Today) && (p.stored(d) || !d.Before(p.First)) {
				p.wanted[d] = latest(p.wanted[d], s.NoticedAt)
			}
		}
	}
}

// tellDays tells each day in the best way that there is, and keeps what is news.
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

// knownUntil is the last moment at which a stored day is known to be true; the zero time
// when it is not proven, or asked for again.
func knownUntil(row sqlc.GiftWindow) time.Time {
	if row.ProvenAt == nil || row.ProvenAt.Year() <= 1970 {
		return time.Time{}
	}
	return *row.ProvenAt
}

// provenAt is when the day was last known to be true.
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

// tell is the day in the best of the ways that there are: proven before not, the later
// before the earlier.
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
		sum, problem := sums.tell(back)
		if sum == nil {
			why = cmp.Or(why, problem)
			continue
		}
		if !sum.proven && i > 0 { // asked on an earlier day, and not to be proven any more
			continue
		}
		if t := sum.day(d); best == nil || t.ProvenAt != nil && t.FetchedAt.After(best.FetchedAt) {
			best = &t
		}
	}
	if best != nil {
		why = ""
	}
	return best, why
}

func (s toldSum) day(d civil.Date) DerivedDay {
	t := DerivedDay{
		Day: d, Basis: differenceBasis, Timezone: s.timezone, Currency: s.currency,
		Orders: &s.orders, Revenue: &s.revenue, FetchedAt: s.at,
	}
	if s.proven {
		t.ProvenAt = &s.at
	}
	return t
}

// fromPrevious is the day before a reported one, by what that says of it: both are of one
// moment. An answer from the service's cache is of an unknown moment of its day.
func fromPrevious(next sqlc.GiftWindow, loc *time.Location) *DerivedDay {
	if !asMeant(next) || next.OrdersPrevious == nil || next.RevenuePrevious == nil {
		return nil
	}
	at := plan.MidnightAfter(civil.DateOf(next.FetchedAt.In(loc)).AddDays(-1), loc)
	if next.BegunAt != nil {
		at = *next.BegunAt
	}
	return &DerivedDay{
		Day: civil.DateOf(next.WindowStart).AddDays(-1), Basis: previousBasis, Timezone: next.Timezone, Currency: next.Currency,
		Orders: next.OrdersPrevious, Revenue: next.RevenuePrevious, ConversionRate: next.ConversionRatePrevious,
		ConversionRateUnit: next.ConversionRateUnit, AOVByFG: next.AovByFgPrevious, AOVStore: next.AovStorePrevious,
		FetchedAt: at, ProvenAt: &at,
	}
}

// asMeant reports whether a row is the service's own answer for the period that was
// meant (N43).
func asMeant(g sqlc.GiftWindow) bool {
	w := windowOfRow(g)
	return g.Basis == reportedBasis && int(g.AskedDays) == w.End.DaysSince(w.Start)+1 &&
		!slices.Contains(g.Flags, string(report.FlagWindowDiffers))
}

func windowOfRow(g sqlc.GiftWindow) report.Window {
	return report.Window{Start: civil.DateOf(g.WindowStart), End: civil.DateOf(g.WindowEnd)}
}
