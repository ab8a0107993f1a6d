package plan

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// fresh is a newly connected store with a service that answers every call in 150 ms and a
// budget of 60 slots, on a clock that moves only with calls and waits.
type fresh struct {
	t       *testing.T
	offers  []string // in the list's order
	counts  []sqlc.OfferCount
	ledger  Ledger
	pages   int // pages of the list that were read
	order   map[string]int
	free    []time.Time
	now     time.Time
	loc     *time.Location
	history int
	calls   int
	plan    []Pull // as a drain keeps it: made again when a reply brings other pulls
	// done is when each part was complete; said is what was estimated at each minute.
	done map[report.PartName]time.Duration
	said map[time.Duration][]report.Part
	// opened is an offer that a person opens at a moment; seen is when its details came.
	opened string
	openAt time.Duration
	seen   time.Duration
}

const replyTime = 150 * time.Millisecond

func freshStore(t *testing.T, offers int) *fresh {
	f := &fresh{
		t: t, ledger: Ledger{}, order: map[string]int{}, free: make([]time.Time, 60), now: noon, loc: zone(t, "America/New_York"),
		history: 90, done: map[report.PartName]time.Duration{}, said: map[time.Duration][]report.Part{},
	}
	rest := sqlc.OfferCount{Total: int64(offers), Active: int64(offers / 6)}
	for i, p := range []report.Placement{"Post-purchase upsell", "Thank you page upsell", "Coupon offer", "Order status page upsell"} {
		f.counts = append(f.counts, sqlc.OfferCount{Placement: p, Total: int64((offers + i) / 4), Active: int64(offers / 24)})
	}
	f.counts = append([]sqlc.OfferCount{rest}, f.counts...)
	for i := range offers {
		f.offers = append(f.offers, fmt.Sprintf("offer-%04d", i))
	}
	return f
}

func (f *fresh) since() time.Duration { return f.now.Sub(noon) }

// stored is what pages read from the database.
func (f *fresh) stored() db.StoredQueue {
	s := db.StoredQueue{Offers: f.listed(true), Listed: f.pages >= f.listPages(), Counts: f.counts}
	if f.pages > 0 && !s.Listed {
		s.Open = &sqlc.OfferWalk{Calls: int32(f.pages)}
	}
	for _, c := range f.counts[1:] {
		key := report.Placement(c.Placement).Key()
		s.Orders = append(s.Orders, sqlc.PriorityWalk{Placement: c.Placement, NextPage: int32(f.order[key] + 1)})
	}
	for i, at := range f.free {
		s.Slots = append(s.Slots, sqlc.SlotsOfStoreRow{Service: Upsell, N: int32(i + 1), HeldUntil: at})
	}
	s.Millis = map[string]float64{Upsell: float64(replyTime / time.Millisecond)}
	if f.calls == 0 {
		s.Counts = nil // nothing was answered yet
	}
	return s
}

func (f *fresh) listPages() int { return listCalls(f.counts) }

// listed are the offers listed so far: the active ones, or all.
func (f *fresh) listed(active bool) []string {
	n := min(len(f.offers), f.pages*20)
	if active {
		n = min(n, len(f.offers)/6)
	}
	return f.offers[:n]
}

// run makes calls until the history and its list are complete.
func (f *fresh) run() {
	for f.since() < 30*time.Minute {
		f.estimate()
		if f.opened != "" && f.since() >= f.openAt && f.seen == 0 {
			for _, k := range []Kind{OfferSetup, OfferStages, OfferRecommendations} {
				row := f.ledger[Key{k, f.opened}]
				if row.WantedAt == nil {
					row.WantedAt, row.DueAt = new(f.now), new(f.now)
					f.ledger[Key{k, f.opened}] = row
					f.plan = nil
				}
			}
		}
		if len(f.plan) == 0 {
			f.plan = Due(Upsell, f.ledger, f.history, f.now, f.loc, 1000, f.listed(true)...)
		}
		if len(f.plan) == 0 || f.done[report.PartQuarter] > 0 || f.seen > 0 {
			return
		}
		f.call(f.plan[0])
	}
}

// call waits for a slot, makes the call and stores its answer.
func (f *fresh) call(p Pull) {
	from := 0
	if p.Lane != fact.Interactive {
		from = db.Reserve(60)
	}
	first := from
	for i := from; i < len(f.free); i++ {
		if f.free[i].Before(f.free[first]) {
			first = i
		}
	}
	if f.free[first].After(f.now) {
		f.now = earlier(f.free[first], f.now.Add(time.Second)) // look again: a person may have opened a page
		if f.free[first].After(f.now) {
			return
		}
	}
	f.plan = f.plan[1:]
	f.now = f.now.Add(replyTime)
	f.free[first] = f.now.Add(db.HoldAfterReply)
	f.calls++
	row := sqlc.Ledger{Pull: string(p.Kind), Subject: p.Subject, Service: Upsell, Outcome: fact.PullGood, DueAt: DueAgain(p, f.now, f.loc), LastGoodAt: new(f.now), TriedAt: new(f.now)}
	switch p.Kind {
	case OfferPage:
		f.plan = nil
		before := len(f.listed(false))
		if f.pages++; f.pages < f.listPages() {
			row.DueAt = new(f.now)
		}
		for _, id := range f.listed(false)[before:] {
			for _, k := range []Kind{OfferSetup, OfferStages, OfferRecommendations} {
				f.ledger[Key{k, id}] = sqlc.Ledger{Pull: string(k), Subject: id, DueAt: new(f.now)}
			}
		}
	case OfferPriority:
		f.plan = nil
		if f.order[p.Subject]++; f.order[p.Subject] < pagesOf(f.counts[4].Total) {
			row.DueAt = new(f.now)
		}
	case TopDay:
		if len(f.offers) > 50 { // as many as a ranking holds
			f.ledger[Key{TopDayLowest, p.Subject}] = sqlc.Ledger{Pull: string(TopDayLowest), Subject: p.Subject, DueAt: new(f.now)}
		}
	case OfferRecommendations:
		if p.Subject == f.opened {
			f.seen = f.since()
		}
	}
	f.ledger[Key{p.Kind, p.Subject}] = row
	f.note()
}

// note records when each part is complete.
func (f *fresh) note() {
	left := map[report.PartName]bool{}
	if f.pages < f.listPages() {
		left[report.PartOffers] = true
	}
	for _, k := range []Kind{SummaryDay, StatsDay, TopDay} {
		for age := range f.history + 1 {
			if f.ledger[Key{k, report.Today(f.now, f.loc).AddDays(-age).String()}].LastGoodAt == nil {
				left[partOfAge(age)] = true
			}
		}
	}
	for _, name := range []report.PartName{report.PartWeek, report.PartOffers, report.PartMonth, report.PartQuarter} {
		if !left[name] && f.done[name] == 0 {
			f.done[name] = f.since()
		}
	}
}

func partOfAge(age int) report.PartName {
	switch {
	case age <= week:
		return report.PartWeek
	case age <= month:
		return report.PartMonth
	}
	return report.PartQuarter
}

// estimate records every 30 seconds what a page would say.
func (f *fresh) estimate() {
	at := f.since().Truncate(30 * time.Second)
	if _, ok := f.said[at]; ok || f.calls < 6 {
		return
	}
	f.said[at] = Forecast(Upsell, f.ledger, OutlookOf(Upsell, f.stored(), 60), f.history, f.now, f.loc)
	for i := range f.said[at] {
		f.said[at][i].Seconds += int(f.since().Seconds()) // counted from the beginning, to compare
	}
}

func TestAWaitingPersonSeesTheFirstPagesInTimeAt60CallsAMinute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		offers                     int
		week, list, month, quarter time.Duration
	}{
		{60, time.Minute, 2 * time.Minute, 3 * time.Minute, 7 * time.Minute},
		{1130, time.Minute, 2 * time.Minute, 3 * time.Minute, 10 * time.Minute},
	} {
		t.Run(fmt.Sprint(c.offers), func(t *testing.T) {
			t.Parallel()
			f := freshStore(t, c.offers)
			f.run()
			for name, most := range map[report.PartName]time.Duration{
				report.PartWeek: c.week, report.PartOffers: c.list, report.PartMonth: c.month, report.PartQuarter: c.quarter,
			} {
				if at := f.done[name]; at == 0 || at > most {
					t.Errorf("%s is complete after %v, want %v at most", name, at, most)
				}
			}
			t.Logf("%d offers, %d calls: 7 days %v, list %v, 30 days %v, 90 days %v", c.offers, f.calls,
				f.done[report.PartWeek].Round(time.Second), f.done[report.PartOffers].Round(time.Second), f.done[report.PartMonth].Round(time.Second), f.done[report.PartQuarter].Round(time.Second))
		})
	}
}

// The estimate counts the whole queue ahead, including calls that aren't planned yet, and the
// slots as they are.
func TestN69AnEstimateCountsEveryCallBeforeTheThingWaitedFor(t *testing.T) {
	t.Parallel()
	for _, offers := range []int{60, 1130} {
		t.Run(fmt.Sprint(offers), func(t *testing.T) {
			t.Parallel()
			f := freshStore(t, offers)
			f.run()
			said := 0
			var worst float64
			for at, parts := range f.said {
				for name, done := range f.done {
					left := (done - at).Seconds()
					i := slices.IndexFunc(parts, func(p report.Part) bool { return p.Name == name })
					if left < 5 {
						continue
					}
					if i < 0 {
						t.Errorf("%v: nothing is said of %s, which comes in %.0f seconds", at, name, left)
						continue
					}
					said++
					off := math.Abs(float64(parts[i].Seconds)-done.Seconds()) / left
					worst = max(worst, off)
					if off > 0.25 {
						t.Errorf("at %v %s was to be complete at %d s and is at %.0f s", at, name, parts[i].Seconds, done.Seconds())
					}
				}
			}
			if said < 10 {
				t.Errorf("%d estimates compared", said)
			}
			t.Logf("%d offers: %d estimates, the worst %.0f %% off", offers, said, 100*worst)
		})
	}
}

func TestWhatAPersonOpensGoesFirst(t *testing.T) {
	t.Parallel()
	for at, most := range map[time.Duration]time.Duration{30 * time.Second: 32 * time.Second, 4 * time.Minute: 2 * time.Second} {
		t.Run(at.String(), func(t *testing.T) {
			t.Parallel()
			f := freshStore(t, 1130)
			f.opened, f.openAt = "offer-0009", at
			f.run()
			if took := f.seen - at; f.seen == 0 || took > most {
				t.Errorf("the details came after %v, want %v at most", took, most)
			}
		})
	}
}
