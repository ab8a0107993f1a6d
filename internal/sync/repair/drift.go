package repair

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// longestNamed is the longest window that is asked for every night whose days are
// usually all stored.
const longestNamed = 90

// drift is how far the window of so many days up to yesterday is from the sum of its stored
// days.
type drift struct {
	days            int
	orders, revenue decimal.Decimal
	seen            *sighting
	// revised is when one of its stored days last changed.
	revised time.Time
}

func (d drift) same(e drift) bool { return d.orders.Equal(e.orders) && d.revenue.Equal(e.revenue) }

// compare looks for changed days: if two windows are off by different amounts, at least one of
// the days between them changed. The window in the middle shows in which half, down to a single
// day, which is then derived again. If all sums agree, that still proves no day (N65).
func (p *repairPlan) compare() {
	known := p.offSums()
	at := map[int]drift{}
	for i, hi := range known {
		at[hi.days] = hi
		if i == 0 || hi.same(known[i-1]) {
			continue
		}
		p.narrow(known[i-1], hi)
	}
	if p.unbroken > longestNamed { // no nightly window reaches back to all stored days
		p.ask(min(p.unbroken, gift.MaxDays), p.midnight)
	}
	p.compareSuspects(at)
}

// narrow looks closer at the days between two windows.
func (p *repairPlan) narrow(lo, hi drift) {
	between := report.Window{Start: p.Today.AddDays(-hi.days), End: p.Today.AddDays(-lo.days - 1)}
	p.Drifts = append(p.Drifts, between)
	for d := range between.All() {
		if p.open(d) { // it's derived again anyway
			return
		}
	}
	switch {
	case hi.seen.begun.Before(hi.revised): // asked for before one of its days was corrected
		p.ask(hi.days, hi.revised)
	case lo.seen != nil && lo.seen.begun.Before(lo.revised):
		p.ask(lo.days, lo.revised)
	case hi.days-lo.days > 1:
		p.ask((lo.days+hi.days)/2, p.midnight)
	default:
		p.wanted[between.Start] = latest(p.wanted[between.Start], p.provenAt(between.Start))
		p.doubted[between.Start] = true
	}
}

// offSums are the drifts of all windows seen today whose days are all stored, shortest first.
// The empty window has no drift.
func (p *repairPlan) offSums() []drift {
	out := []drift{{}}
	var sum drift
	news := map[civil.Date]DerivedDay{}
	for _, t := range p.GiftRepair.Days {
		news[t.Day] = t
	}
	currency := ""
	for back := 1; ; back++ {
		d := p.Today.AddDays(-back)
		row, stored := p.days[d]
		if t, changed := news[d]; changed {
			row.Orders, row.Revenue, row.Currency = t.Orders, t.Revenue, t.Currency
			if stored && row.ProvenAt != nil {
				row.RevisedAt = &t.FetchedAt
			}
			stored = true
		}
		if !stored || row.Orders == nil || row.Revenue == nil || currency != "" && currency != row.Currency {
			return out
		}
		currency, p.unbroken = row.Currency, back
		sum.orders, sum.revenue = sum.orders.Add(*row.Orders), sum.revenue.Add(*row.Revenue)
		if row.RevisedAt != nil {
			sum.revised = latest(sum.revised, *row.RevisedAt)
		}
		if at := p.sums[0].newest(back); at != nil && at.currency == currency {
			out = append(out, drift{back, at.orders.Sub(sum.orders), at.revenue.Sub(sum.revenue), at, sum.revised})
		}
	}
}

// compareSuspects handles suspected periods with too many days to derive one by one: the
// windows that begin before and after them show whether one changed.
func (p *repairPlan) compareSuspects(at map[int]drift) {
	for _, s := range p.Suspects {
		if s.NoticedBy == plan.Gift || !longSuspect(s) {
			continue
		}
		w := DaysOf(s)
		hi, lo := p.Today.DaysSince(plan.Later(w.Start, p.oldest)), max(p.Today.DaysSince(w.End)-1, 0)
		if hi <= lo {
			p.Healed = append(p.Healed, s)
			continue
		}
		whole := true
		for _, days := range []int{hi, lo} {
			if days > 0 && !p.has(days, s.NoticedAt) {
				p.ask(days, s.NoticedAt)
				whole = false
			}
		}
		long, known := at[hi]
		short, also := at[lo]
		if whole && known && also && long.same(short) {
			p.Healed = append(p.Healed, s)
		}
	}
}

// heal marks the suspected days that were derived since.
func (p *repairPlan) heal() {
	for _, s := range p.Suspects {
		if s.NoticedBy == plan.Gift || longSuspect(s) {
			continue
		}
		derived := true
		for d := range DaysOf(s).All() {
			beyond := d.Before(p.oldest) || !d.Before(p.Today) || d.Before(p.First) && !p.stored(d) || p.asked.given[d] || !d.After(p.asked.end)
			if !beyond && p.provenAt(d).Before(s.NoticedAt) {
				derived = false
			}
		}
		if derived {
			p.Healed = append(p.Healed, s)
		}
	}
}

func (p *repairPlan) stored(d civil.Date) bool {
	_, stored := p.days[d]
	return stored
}
