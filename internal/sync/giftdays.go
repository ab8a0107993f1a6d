package pulls

import (
	"cmp"
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// How a day of the gift series is known that the service was not asked for in time:
// its windows end yesterday, so no past day can be asked for by itself.
const (
	reportedBasis   = "reported"
	previousBasis   = "previous"   // told by the answer for the day after
	differenceBasis = "difference" // the longer of two windows with one end, minus the shorter
)

// toldDay is a day told from other windows, named like the columns of gift_windows. What
// could not be told is nil.
type toldDay struct {
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
func (t toldDay) sameAs(g db.GiftWindow) bool {
	return g.Orders != nil && g.Revenue != nil && t.Orders.Equal(*g.Orders) && t.Revenue.Equal(*g.Revenue) && t.Currency == g.Currency
}

// giftStored is what the gift days of a store are told from.
type giftStored struct {
	rows     []db.GiftWindow
	ledger   []db.Ledger // of the spans
	suspects []db.SuspectDay
	// first is the first day that is wanted, on the store's clock as today; what is stored
	// from before is corrected too.
	first, today civil.Date
	now          time.Time
	loc          *time.Location
}

// giftRepair is what completes and corrects the daily series.
type giftRepair struct {
	// days are new, or other than what is stored.
	days []toldDay
	// proven are stored days that were told once more, the same.
	proven map[civil.Date]time.Time
	// spans are the first days of windows up to yesterday that are to be asked.
	spans []civil.Date
	// lost are days that two windows could not tell, each with the reason.
	lost map[civil.Date]string
	// drifts are days in which a reported window differs from the sum of its days.
	drifts []report.Window
	// healed are days that were told again since they were suspected.
	healed []db.SuspectDay
}

// repairPlan is a repair in the making.
type repairPlan struct {
	giftStored
	giftRepair
	oldest   civil.Date // of which windows tell
	midnight time.Time  // at which today began
	days     map[civil.Date]db.GiftWindow
	sums     []giftSums // by their end, yesterday's first
	previous bool       // the previous figure of a day is that of the day before
	wide     bool       // that of a window is that of as many days before it
	asked    askedSpans
	// wanted are days to be told, as they were at the moment or later.
	wanted map[civil.Date]time.Time
	// doubted are days that two windows say are off.
	doubted map[civil.Date]bool
	told    map[civil.Date]toldDay
	// unbroken are how many days up to yesterday are stored without a gap.
	unbroken int
}

// planRepair says which days can be told, corrected or proven by what is stored, and
// which windows are to be asked for the others. It is pure.
func planRepair(in giftStored) giftRepair {
	p := repairPlan{
		giftStored: in, giftRepair: giftRepair{lost: map[civil.Date]string{}, proven: map[civil.Date]time.Time{}},
		oldest: in.today.AddDays(-gift.MaxDays), midnight: plan.MidnightAfter(in.today.AddDays(-1), in.loc), days: map[civil.Date]db.GiftWindow{},
		asked: spansOf(in.ledger), wanted: map[civil.Date]time.Time{}, doubted: map[civil.Date]bool{},
		told: map[civil.Date]toldDay{},
	}
	p.rows = slices.DeleteFunc(slices.Clone(in.rows), func(g db.GiftWindow) bool { return g.IncludesToday })
	p.previous = previousIsTheDayBefore(p.rows)
	p.wide = p.previous || previousIsTheWindowBefore(p.rows)
	for _, r := range p.rows {
		if w := windowOfRow(r); w.WindowStart == w.WindowEnd {
			p.days[w.WindowStart] = r
		}
	}
	for back := 1; back <= endsKept; back++ {
		p.sums = append(p.sums, sumsTo(p.rows, in.today.AddDays(-back), p.wide, in.loc))
	}
	p.want()
	p.tellDays()
	p.compare()
	p.askForDays()
	p.heal()
	return p.giftRepair
}

// want lists the days that are to be told: those that are missing, not proven or asked for
// again, the last week, which late orders still change, and those that are suspected.
func (p *repairPlan) want() {
	for d := p.today.AddDays(-1); !d.Before(p.oldest); d = d.AddDays(-1) {
		row, stored := p.days[d]
		age := p.today.DaysSince(d)
		switch {
		case age == 1, !stored && d.Before(p.first): // it is asked for by itself; or not wanted
		case !stored, row.ProvenAt == nil, row.ProvenAt.Year() <= 1970:
			p.wanted[d] = time.Time{}
		case age <= plan.TrailingDays+1:
			p.wanted[d] = p.midnight
		}
	}
	for _, s := range p.suspects {
		if s.NoticedBy == Gift || longSuspect(s) {
			continue
		}
		for d := civil.DateOf(s.FirstDay); !d.After(civil.DateOf(s.LastDay)); d = d.AddDays(1) {
			if !d.Before(p.oldest) && d.Before(p.today) && (p.stored(d) || !d.Before(p.first)) {
				p.wanted[d] = latest(p.wanted[d], s.NoticedAt)
			}
		}
	}
}

// tellDays tells each day in the best way that there is, and keeps what is news.
func (p *repairPlan) tellDays() {
	for d := p.today.AddDays(-1); !d.Before(p.oldest); d = d.AddDays(-1) {
		t, why := p.tell(d)
		row, stored := p.days[d]
		if t == nil {
			if why != "" && !stored && !d.Before(p.first) && !p.asked.given[d] {
				p.lost[d] = why
			}
			continue
		}
		switch {
		case !stored && d.Before(p.first):
			continue
		case !stored:
			p.giftRepair.days = append(p.giftRepair.days, *t)
		case t.ProvenAt == nil:
			if row.ProvenAt == nil && row.Basis != reportedBasis && !t.sameAs(row) {
				p.giftRepair.days = append(p.giftRepair.days, *t)
			}
			continue
		case !t.FetchedAt.After(knownUntil(row)):
			continue
		case !t.sameAs(row) && t.FetchedAt.After(row.FetchedAt):
			p.giftRepair.days = append(p.giftRepair.days, *t)
		case t.sameAs(row) && p.isWanted(d) && !t.FetchedAt.Before(p.wanted[d]):
			p.proven[d] = t.FetchedAt
		}
		if t.ProvenAt != nil {
			p.told[d] = *t
		}
	}
}

// knownUntil is the last moment at which a stored day is known to be true; the zero time
// when it is not proven, or asked for again.
func knownUntil(row db.GiftWindow) time.Time {
	if row.ProvenAt == nil || row.ProvenAt.Year() <= 1970 {
		return time.Time{}
	}
	return *row.ProvenAt
}

// provenAt is when the day was last known to be true.
func (p *repairPlan) provenAt(d civil.Date) time.Time {
	at := knownUntil(p.days[d])
	if t, ok := p.told[d]; ok {
		at = latest(at, t.FetchedAt)
	}
	return at
}

func (p *repairPlan) isWanted(d civil.Date) bool {
	_, wanted := p.wanted[d]
	return wanted
}

// open reports whether the day is wanted and can't be told yet.
func (p *repairPlan) open(d civil.Date) bool {
	at, known := p.wanted[d], p.provenAt(d)
	return p.isWanted(d) && p.lost[d] == "" && (known.IsZero() || known.Before(at) || p.doubted[d])
}

// tell is the day in the best of the ways that there are: proven before not, the later
// before the earlier.
func (p *repairPlan) tell(d civil.Date) (*toldDay, string) {
	var best *toldDay
	if next, ok := p.days[d.AddDays(1)]; ok && p.previous {
		best = fromPrevious(next, p.loc)
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

func (s toldSum) day(d civil.Date) toldDay {
	t := toldDay{
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
func fromPrevious(next db.GiftWindow, loc *time.Location) *toldDay {
	if !asMeant(next) || next.OrdersPrevious == nil || next.RevenuePrevious == nil {
		return nil
	}
	at := plan.MidnightAfter(civil.DateOf(next.FetchedAt.In(loc)).AddDays(-1), loc)
	if next.BegunAt != nil {
		at = *next.BegunAt
	}
	return &toldDay{
		Day: civil.DateOf(next.WindowStart).AddDays(-1), Basis: previousBasis, Timezone: next.Timezone, Currency: next.Currency,
		Orders: next.OrdersPrevious, Revenue: next.RevenuePrevious, ConversionRate: next.ConversionRatePrevious,
		ConversionRateUnit: next.ConversionRateUnit, AOVByFG: next.AovByFgPrevious, AOVStore: next.AovStorePrevious,
		FetchedAt: at, ProvenAt: &at,
	}
}

// asMeant reports whether a row is the service's own answer for the period that was
// meant (N43).
func asMeant(g db.GiftWindow) bool {
	w := windowOfRow(g)
	return g.Basis == reportedBasis && int(g.AskedDays) == w.WindowEnd.DaysSince(w.WindowStart)+1 &&
		!slices.Contains(g.Flags, string(report.FlagWindowDiffers))
}

func windowOfRow(g db.GiftWindow) window {
	return window{civil.DateOf(g.WindowStart), civil.DateOf(g.WindowEnd)}
}
