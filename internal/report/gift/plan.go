package gift

import (
	"encoding/json"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// Plan is the gift plan and its usage (GET /plan).
type Plan struct {
	report.Panel
	PlanBody
	Currency string `json:"currency,omitempty"`
	// TrialEndsOn and RevenueResetOn are the days of those times on the store's clock; nil without a
	// readable time.
	TrialEndsOn    *civil.Date `json:"-"`
	RevenueResetOn *civil.Date `json:"-"`
	// Projection is where revenue is heading; nil if there is no basis for one.
	Projection *Projection `json:"projection,omitempty"`
	// NoProjection says why there is none; empty if there is nothing to project.
	NoProjection string `json:"-"`
}

// Projection estimates how much revenue will be used when the plan's period ends, at the pace so far.
// It's our own estimate, not the service's.
type Projection struct {
	// Used is the projected use at the end of the period, in the plan's currency.
	Used decimal.Decimal `json:"used"`
	// Start and End bound the period; Elapsed is the fraction of it that has passed.
	Start   time.Time       `json:"start"`
	End     time.Time       `json:"end"`
	Elapsed decimal.Decimal `json:"elapsed"`
	// Assumed: no answer showed when the period began. It ends at midnight on the first of a month, so
	// it's assumed to be the month before.
	Assumed bool `json:"assumed"`
	// ReachesLimitAt is when the limit is reached at this pace; nil if not within the period.
	ReachesLimitAt *time.Time `json:"reaches_limit_at"`
}

// Plan is the current plan, without a projection; see [Builder.Projected].
func (b Builder) Plan() Plan {
	p := Plan{Panel: report.Panel{Provenance: b.Provenance(endpointPlan, report.Reported)}}
	if b.In.Plan == nil {
		p.Empty = b.NotPulled("gift", "gift.plan", b.T("state.on_the_way.gift_plan"))
	} else {
		p.Provenance = b.Current(endpointPlan, "gift.plan", b.In.Plan.FetchedAt)
		if err := json.Unmarshal(b.In.Plan.Body, &p.PlanBody); err != nil {
			p.Empty = &report.Empty{Cause: report.CauseFailed, Title: b.T("gift.plan.unreadable"), Text: b.T("gift.plan.unreadable_text"), Action: b.T("empty.see_sync"), Href: b.SyncHref()}
		}
		p.TrialEndsOn, p.RevenueResetOn = b.DayPtr(p.TrialEndsAt), b.DayPtr(p.RevenueResetAt)
		p.Currency = b.currency()
	}
	if p.Issues == nil {
		p.Issues = []string{}
	}
	p.Panel = b.Finish(p.Panel, "gift", "gift.plan")
	return p
}

// currency is the currency of the newest gift answer: the plan doesn't name one.
func (b Builder) currency() string {
	for _, g := range b.In.Gift {
		return g.Currency
	}
	return b.In.Store.Currency
}

// Projected adds where revenue is heading, from what has been used so far and how much of the period
// has passed. It needs the period's length.
func (b Builder) Projected(p Plan, history []report.StoredJSON) Plan {
	end, ok := b.moment(p.RevenueResetAt)
	if p.Empty != nil || p.RevenueUsed == nil || !ok {
		return p
	}
	at := p.Provenance.FetchedAt
	if !at.Before(end) {
		p.NoProjection = b.T("gift.projection.period_over")
		return p
	}
	start, assumed, ok := b.periodStart(p.RevenueResetAt, end, history)
	if !ok || !start.Before(at) {
		p.NoProjection = b.T("gift.projection.period_unknown")
		return p
	}
	passed, whole := at.Sub(start), end.Sub(start)
	if passed < 24*time.Hour {
		p.NoProjection = b.T("gift.projection.first_day")
		return p
	}
	elapsed := decimal.NewFromInt(int64(passed/time.Second)).DivRound(decimal.NewFromInt(int64(whole/time.Second)), 8)
	pr := Projection{
		Used: p.RevenueUsed.DivRound(elapsed, locale.Digits(p.Currency)), Elapsed: elapsed, Assumed: assumed,
		Start: b.OnStoreClock(start), End: b.OnStoreClock(end),
	}
	if l := p.RevenueLimit; l != nil && !p.RevenueUnlimited && l.IsPositive() && l.GreaterThan(*p.RevenueUsed) && pr.Used.GreaterThan(*l) {
		after := l.Mul(decimal.NewFromInt(int64(passed/time.Second))).DivRound(*p.RevenueUsed, 0)
		pr.ReachesLimitAt = new(b.OnStoreClock(start.Add(time.Duration(after.IntPart()) * time.Second)))
	}
	p.Projection = &pr
	return p
}

// periodStart is when the current period began: the reset that an earlier answer announced. If none was
// seen, a period that ends at midnight on the first of a month is assumed to be the month before,
// unless an earlier answer contradicts that.
func (b Builder) periodStart(reset string, end time.Time, history []report.StoredJSON) (start time.Time, assumed, ok bool) {
	month := b.OnStoreClock(end).AddDate(0, -1, 0)
	monthly := b.OnStoreClock(end).Day() == 1
	for _, h := range history {
		var s PlanBody
		if json.Unmarshal(h.Body, &s) != nil || s.RevenueResetAt == "" {
			continue
		}
		if s.RevenueResetAt == reset {
			monthly = monthly && !h.FetchedAt.Before(month)
			continue
		}
		if t, known := b.moment(s.RevenueResetAt); known && t.Before(end) && t.After(start) {
			start, ok = t, true
		}
	}
	if ok {
		return start, false, true
	}
	return month, true, monthly
}

func (b Builder) moment(text string) (time.Time, bool) {
	return report.Moment(text, report.Clock(b.In.Store.Timezone))
}
