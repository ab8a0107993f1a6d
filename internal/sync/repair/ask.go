package repair

import (
	"slices"
	"strconv"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

const (
	// askAgain is how long to wait at least before asking again for a window that was answered but
	// proved nothing: orders kept arriving, or the answer came from the service's cache.
	askAgain = 45 * time.Minute
	// closingsAtOnce is how many windows may be asked for at once to prove differences.
	closingsAtOnce = 12
)

// askForDays asks for the windows that the open days need. If both are there but don't prove
// the day yet, it asks for a longer window seen before them: if that one is unchanged, they are
// proven.
func (p *repairPlan) askForDays() {
	var unproven []int
	for d := p.Today.AddDays(-1); !d.Before(p.oldest); d = d.AddDays(-1) {
		if !p.open(d) || p.asked.given[d] || !d.After(p.asked.end) {
			continue
		}
		back, since := p.Today.DaysSince(d), latest(p.midnight, p.wanted[d])
		has := p.has(back, since)
		if back > 1 && !p.has(back-1, since) {
			has = false
			p.askAfter(back-1, since, p.patience(d))
		}
		if !p.has(back, since) {
			p.askAfter(back, since, p.patience(d))
		}
		if has {
			unproven = append(unproven, back)
		}
	}
	p.closeChains(unproven)
}

// has reports whether a window was seen at or after a moment.
func (p *repairPlan) has(days int, since time.Time) bool {
	at := p.sums[0].newest(days)
	return at != nil && !at.begun.Before(since)
}

// patience is how long to wait before asking again what a day needs. It doubles: a service may answer
// from its cache each time, so that its days are never proven.
func (p *repairPlan) patience(d civil.Date) time.Duration {
	if row, stored := p.days[d]; stored && row.ProvenAt == nil {
		return max(askAgain, p.Now.Sub(row.FetchedAt)/2)
	}
	return askAgain
}

// ask asks for the window of that many days unless it was answered at or after since. One answered
// from the cache since then isn't asked for again for a while.
func (p *repairPlan) ask(days int, since time.Time) { p.askAfter(days, since, askAgain) }

func (p *repairPlan) askAfter(days int, since time.Time, wait time.Duration) {
	last := p.lastAnswer(days)
	if !last.Before(since) && p.Now.Sub(last) < wait || !p.mayAsk(days) {
		return
	}
	if start := p.Today.AddDays(-days); !slices.Contains(p.Spans, start) {
		p.Spans = append(p.Spans, start)
	}
}

// mayAsk reports whether a span may be asked for: the service goes back that far, and no
// nightly pull is about to bring it.
func (p *repairPlan) mayAsk(days int) bool {
	start := p.Today.AddDays(-days)
	return days >= 1 && days <= gift.MaxDays && !p.asked.given[start] && start.After(p.asked.end) &&
		(!askedAnyway(start, p.Today) || !p.lastAnswer(days).Before(p.midnight))
}

// lastAnswer is when the window of that many days up to yesterday was last answered.
func (p *repairPlan) lastAnswer(days int) time.Time {
	start := p.Today.AddDays(-days)
	last := p.asked.answered[start]
	for _, r := range p.Rows {
		if w := windowOfRow(r); w.Start == start && w.End == p.Today.AddDays(-1) && r.Basis == reportedBasis {
			last = latest(last, r.FetchedAt)
		}
	}
	if last.Before(p.midnight) { // it ended on another day
		return time.Time{}
	}
	return last
}

// askedAnyway reports whether the window from a day to yesterday is asked for every night.
func askedAnyway(start, today civil.Date) bool {
	w := report.Window{Start: start, End: today.AddDays(-1)}
	return slices.Contains(plan.GiftWindow.Names(), strconv.Itoa(w.Days())) || slices.Contains(report.CalendarWindows(plan.Gift, today), w)
}

// closeChains asks for the windows that prove the most of the days, each given by how many days
// back it lies. If no window can prove a day, the day is asked for again after a while.
func (p *repairPlan) closeChains(unproven []int) {
	longest := 0
	for _, back := range unproven {
		longest = max(longest, back)
	}
	open := map[int]calm{} // as they were seen last
	for days, list := range p.sums[0].chains {
		if len(list) > 0 {
			open[days] = list[len(list)-1]
		}
	}
	for n := 0; n < closingsAtOnce && len(unproven) > 0; n++ {
		best, proves := 0, 0
		for days := range gift.MaxDays + 1 {
			so, seen := open[days]
			if !seen || !p.mayAsk(days) || slices.Contains(p.Spans, p.Today.AddDays(-days)) {
				continue
			}
			covered := 0
			for _, back := range unproven {
				if p.covers(so, back, longest) {
					covered++
				}
			}
			if covered > proves || covered == proves && covered > 0 && p.lastAnswer(days).Before(p.lastAnswer(best)) {
				best, proves = days, covered
			}
		}
		if proves == 0 {
			break
		}
		p.Spans = append(p.Spans, p.Today.AddDays(-best))
		unproven = slices.DeleteFunc(unproven, func(back int) bool { return p.covers(open[best], back, longest) })
	}
	for _, back := range unproven {
		wait := p.patience(p.Today.AddDays(-back))
		p.askAfter(back-1, p.Now.Add(-wait), wait)
		p.askAfter(back, p.Now.Add(-wait), wait)
	}
}

// covers reports whether a window, as it was last seen, would prove the day if it is still
// unchanged, and whether the service can be expected to compute it instead of answering from
// its cache.
func (p *repairPlan) covers(so calm, back, longest int) bool {
	days, long, short := so.days, p.sums[0].newest(back), p.sums[0].newest(back-1)
	if days < back || long == nil || back > 1 && short == nil {
		return false
	}
	if days > back && !so.since(*long) || back > 1 && !so.since(*short) {
		return false
	}
	last := p.lastAnswer(days)
	if last.IsZero() || p.Now.Sub(last) >= askAgain {
		return true
	}
	// If nothing else shows it, the longest window of a chain is asked for once more.
	newer := long.fetched.After(last) || back > 1 && short.fetched.After(last)
	return newer && days == longest && !p.wide && !p.cacheSeen()
}

// cacheSeen reports whether the service answered from its cache today.
func (p *repairPlan) cacheSeen() bool {
	return slices.ContainsFunc(p.Rows, func(r sqlc.GiftWindow) bool { return r.Cached && !r.FetchedAt.Before(p.midnight) })
}

// splitToday asks for yesterday again after an answer that covers yesterday and today: if
// yesterday didn't change in between, the rest is today's. rows are all stored rows; those that
// contain today are no longer in p.Rows.
func (p *repairPlan) splitToday(rows []sqlc.GiftWindow) {
	for _, r := range rows {
		w := windowOfRow(r)
		if r.IncludesToday && w.End == p.Today && w.Start == p.Today.AddDays(-1) && r.BegunAt != nil && !p.cacheSeen() &&
			!p.has(1, r.FetchedAt) {
			p.ask(1, r.FetchedAt)
		}
	}
}

// askedSpans is what the ledger says about the windows asked for to derive days.
type askedSpans struct {
	// given: never asked for again.
	given map[civil.Date]bool
	// answered is when each was last answered.
	answered map[civil.Date]time.Time
	// end is the last day that the service no longer goes back to: it and older days can't be
	// derived. It is the zero date if there is none.
	end civil.Date
}

func spansOf(ledger []sqlc.Ledger) askedSpans {
	s := askedSpans{given: map[civil.Date]bool{}, answered: map[civil.Date]time.Time{}, end: plan.SpansEnd(ledger)}
	for _, row := range ledger {
		d, err := civil.ParseDate(row.Subject)
		if err != nil {
			continue
		}
		s.given[d] = row.Outcome == fact.PullRefused
		if row.LastGoodAt != nil && row.DueAt == nil {
			s.answered[d] = *row.LastGoodAt
		}
	}
	return s
}

// longSuspect reports whether a suspicion covers too many days to check one by one.
func longSuspect(s sqlc.SuspectDay) bool {
	return s.LastDay.DaysSince(s.FirstDay) > plan.TrailingDays
}

// DaysOf are the days of a suspicion.
func DaysOf(s sqlc.SuspectDay) report.Window {
	return report.Window{Start: s.FirstDay, End: s.LastDay}
}
