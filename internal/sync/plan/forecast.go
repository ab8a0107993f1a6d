package plan

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// Outlook is what an estimate needs besides ledger and clock.
type Outlook struct {
	// Offers are the offers passed to Due.
	Offers []string
	// Listed: a walk over the offers has finished at least once.
	Listed bool
	// ListCalls and OrderCalls are how many pages the walks still have to read.
	ListCalls  int
	OrderCalls map[string]int
	// Active is how many offers the count calls active.
	Active int
	// Slots are the budget's, Sharers the number of other stores using it now.
	Slots   []sqlc.SlotsOfStoreRow
	Limit   int
	Sharers int
	// Call is how long one call takes.
	Call time.Duration
}

// batchOfCalls are the calls that one pull makes one after another.
type batchOfCalls struct {
	pull  Pull
	calls int
}

// Forecast estimates when the parts that a new store starts with will be complete. It uses the
// plan's own order, the calls that will follow from replies, and the pace of the budget's slots
// (N69). It is pure.
func Forecast(service string, ledger Ledger, o Outlook, historyDays int, now time.Time, loc *time.Location) []report.Part {
	plan := Due(service, ledger, historyDays, now, loc, len(ledger)+10_000, o.Offers...)
	queue := make([]batchOfCalls, 0, len(plan)+3)
	for _, p := range plan {
		queue = append(queue, batchOfCalls{p, o.callsOf(p)})
	}
	if service == Upsell {
		queue = append(queue, o.following(plan, ledger)...)
		slices.SortStableFunc(queue, func(a, b batchOfCalls) int { return int(a.pull.rank - b.pull.rank) })
	}
	pace := newPace(o, now)
	var parts []report.Part
	calls := 0
	for _, b := range queue {
		at := now
		for range b.calls {
			at = pace.call(b.pull.Lane)
		}
		calls += b.calls
		name, days := o.partOf(b.pull, historyDays)
		if name == "" {
			continue
		}
		part := report.Part{Service: service, Name: name, Days: days, Calls: calls, Seconds: int(at.Sub(now).Round(time.Second) / time.Second)}
		if i := slices.IndexFunc(parts, func(p report.Part) bool { return p.Name == name }); i >= 0 {
			parts[i] = part
		} else {
			parts = append(parts, part)
		}
	}
	return parts
}

// partOf is the part that a pull belongs to and its number of days; none for a pull that was
// already tried, whose days are there or won't come soon.
func (o Outlook) partOf(p Pull, historyDays int) (report.PartName, int) {
	switch {
	case p.Kind == OfferPage && !o.Listed:
		return report.PartOffers, 0
	case !p.untried || p.Window == nil || p.Kind == TopDayLowest:
		return "", 0
	}
	switch p.rank {
	case rankCheck, rankRunning, rankState, rankWeek:
		return report.PartWeek, week
	case rankMonth:
		return report.PartMonth, month
	case rankQuarter:
		return report.PartQuarter, quarter
	case rankOlder:
		return report.PartAll, historyDays
	default:
		return "", 0
	}
}

// callsOf is how many calls a pull makes until it is complete.
func (o Outlook) callsOf(p Pull) int {
	switch p.Kind {
	case OfferPage:
		return max(1, o.ListCalls)
	case OfferPriority:
		return max(1, o.OrderCalls[p.Subject])
	default:
		return 1
	}
}

// following are the pulls that can't be planned yet: details of offers not yet listed, and the
// other end of rankings that will turn out to be cut off.
func (o Outlook) following(plan []Pull, ledger Ledger) []batchOfCalls {
	var out []batchOfCalls
	add := func(r rank, calls int) {
		if calls > 0 {
			out = append(out, batchOfCalls{Pull{Service: Upsell, rank: r, Lane: fact.Schedule}, calls})
		}
	}
	if !o.Listed {
		add(rankShown, offerDetails*(min(o.Active, detailsFirst)-min(len(o.Offers), detailsFirst)))
		add(rankActive, offerDetails*(max(o.Active-detailsFirst, 0)-max(len(o.Offers)-detailsFirst, 0)))
	}
	days, cut, left := 0, 0, 0
	for key, row := range ledger {
		switch {
		case key.Kind == TopDay && row.LastGoodAt != nil:
			days++
		case key.Kind == TopDayLowest:
			cut++
		}
	}
	for _, p := range plan {
		if p.Kind == TopDay && p.untried {
			left++
		}
	}
	if days > 0 {
		add(rankCut, left*cut/days)
	}
	return out
}

// offerDetails is how many calls an offer's details take.
const offerDetails = 3

// InFlight is how many calls one credential may have under way: one at the documented pace,
// more only with a raised limit.
func InFlight(limit int) int { return min(max(limit/600, 1), 4) }

// Batch is how many pulls are claimed at once.
func Batch(limit int) int { return min(max(limit/600, 1), 128) }

// pace decides when a slot lets each call go.
type pace struct {
	// free is when each slot can be taken; the first ones are for people.
	free    []time.Time
	reserve int
	at      time.Time
	call1   time.Duration
	sharers int
}

func newPace(o Outlook, now time.Time) *pace {
	p := &pace{at: now, call1: o.Call, sharers: o.Sharers, reserve: db.Reserve(o.Limit), free: make([]time.Time, o.Limit)}
	p.call1 /= time.Duration(InFlight(o.Limit))
	for i := range p.free {
		p.free[i] = now
	}
	for _, s := range o.Slots {
		if i := int(s.N) - 1; i >= 0 && i < len(p.free) {
			// A call under way holds its slot longer than needed.
			p.free[i] = earlier(s.HeldUntil, now.Add(db.HoldAfterReply+o.Call))
		}
	}
	return p
}

// call makes one call, and returns when its reply comes.
func (p *pace) call(lane fact.Lane) time.Time {
	for range p.sharers {
		p.take(fact.Schedule)
	}
	p.at = p.take(lane)
	return p.at
}

func (p *pace) take(lane fact.Lane) (replied time.Time) {
	from := p.reserve
	if lane == fact.Interactive || len(p.free) <= p.reserve {
		from = 0
	}
	first := from
	for i := from; i < len(p.free); i++ {
		if p.free[i].Before(p.free[first]) {
			first = i
		}
	}
	start := p.free[first]
	if start.Before(p.at) {
		start = p.at
	}
	replied = start.Add(p.call1)
	p.free[first] = replied.Add(db.HoldAfterReply)
	return replied
}
