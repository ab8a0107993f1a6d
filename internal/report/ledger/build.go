package ledger

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// budgetCells is how many cells a budget picture has at most.
const budgetCells = 60

// ledgerShown is how many good daily rows are listed before the rest is folded.
const ledgerShown = 12

// offersShown is the same for good rows of single offers.
const offersShown = 3

// builder puts every time on the store's clock.
type builder struct{ report.Builder }

// New makes a store's Sync page. filter is "all", "due" or "waiting"; any
// other value is "all".
func New(in report.StoredSync, filter string, now time.Time) Page {
	b := builder{report.Builder{In: report.Stored{Store: in.Store}, Now: now}}
	s := Page{Store: in.Store, Now: b.OnStoreClock(now), Paused: in.Paused, Filter: filter, Rows: []Row{}, Budgets: []Budget{}}
	if filter != "due" && filter != "waiting" {
		s.Filter = "all"
	}
	var pulled, days, next time.Time // days: the newest answer that stored days can be from
	for _, l := range in.Ledger {
		row, due := b.ledgerRow(l), !l.DueAt.IsZero() && !l.DueAt.After(now)
		s.All++
		if due {
			s.Due++
		}
		switch row.State {
		case "active":
			s.Good++
		case "waiting", "slot":
			s.Waiting++
		case "person":
			s.Person++
		}
		if l.LastGoodAt.After(pulled) {
			pulled = l.LastGoodAt
		}
		if l.Service == "upsell" && l.LastGoodAt.After(days) {
			days = l.LastGoodAt
		}
		if !l.DueAt.IsZero() && (next.IsZero() || l.DueAt.Before(next)) {
			next = l.DueAt
		}
		if s.Filter == "due" && !due || s.Filter == "waiting" && row.State != "waiting" && row.State != "slot" && row.State != "person" {
			continue
		}
		s.Rows = append(s.Rows, row)
	}
	slices.SortStableFunc(s.Rows, compareRows)
	s.fold()
	var last civil.Date
	for _, d := range in.Days {
		last = d.Day
	}
	today := report.Today(s.Now, s.Now.Location())
	if days.IsZero() {
		days = pulled
	}
	s.Freshness = report.NewFreshness(days, last, now, today)
	s.Freshness.Paused = in.Paused
	for _, c := range in.Credentials {
		if c.Stopped() {
			s.Freshness.State = "failed"
			s.Refused = s.Refused || c.Recheckable() && !in.Paused
		}
	}
	s.Words, s.Pulled = b.syncWords(s, pulled, next), pulled
	for _, g := range in.Budgets {
		budget := newBudget(g, now)
		for _, c := range in.Credentials {
			if c.Service == g.Service && c.Stopped() {
				budget.State, budget.Cause = string(c.State), c.Words(now, s.Now.Location())
			}
		}
		s.Budgets = append(s.Budgets, budget)
	}
	s.Days = daysStrip(in, today)
	s.Check, s.CheckText = checkWords(in.Checks)
	return s
}

func (b builder) syncWords(s Page, pulled, next time.Time) string {
	if s.All == 0 {
		return "Nothing pulled yet."
	}
	var w strings.Builder
	if pulled.IsZero() {
		w.WriteString("No good answer yet")
	} else {
		w.WriteString("Last pull " + locale.English.Age(b.Now, pulled))
	}
	switch {
	case s.Paused:
		w.WriteString(", paused by a person")
	case next.IsZero():
	case next.After(b.Now):
		w.WriteString(", next at " + b.clock(next))
	default:
		w.WriteString(", next is due now")
	}
	person := "none needs attention"
	if s.Person > 0 {
		person = fmt.Sprintf("%d need attention", s.Person)
		if s.Person == 1 {
			person = "1 needs attention"
		}
	}
	fmt.Fprintf(&w, ". %s of %s pulls are good, %s, %s.", locale.English.Count(int64(s.Good)), locale.English.Count(int64(s.All)), waits(s.Waiting), person)
	return w.String()
}

func waits(n int) string {
	switch n {
	case 0:
		return "none waits"
	case 1:
		return "1 waits"
	}
	return locale.English.Count(int64(n)) + " wait"
}

// clock is a time of day on the store's clock, with its day unless it is today.
func (b builder) clock(t time.Time) string {
	local, today := b.OnStoreClock(t), b.OnStoreClock(b.Now)
	if civil.DateOf(local) == civil.DateOf(today) {
		return local.Format("15:04")
	}
	return locale.English.DayNear(civil.DateOf(local), civil.DateOf(today)) + " " + local.Format("15:04")
}

// compareRows puts upsell first, then what needs an eye, then the newest subject.
func compareRows(a, b Row) int {
	if c := strings.Compare(b.Service, a.Service); c != 0 {
		return c
	}
	if c := rank(a) - rank(b); c != 0 {
		return c
	}
	if c := strings.Compare(b.Subject, a.Subject); c != 0 && isDay(a.Subject) && isDay(b.Subject) {
		return c
	}
	return strings.Compare(a.Pull+a.Subject, b.Pull+b.Subject)
}

func rank(r Row) int {
	switch {
	case r.State == "person":
		return 0
	case r.State == "waiting" || r.State == "slot":
		return 1
	case !isDay(r.Subject):
		return 2
	}
	return 3
}

func isDay(subject string) bool {
	_, err := civil.ParseDate(subject)
	return err == nil
}

// isOffer reports whether a pull is about one offer.
func isOffer(pull string) bool {
	return pull == report.PullSetup || pull == report.PullStages || pull == report.PullRecommendations
}

// fold leaves out good daily rows beyond the first few: they stand in the strip
// of stored days. Good rows of single offers are left out beyond the first few too:
// there may be thousands, and each offer's page shows its own.
func (s *Page) fold() {
	kept, shown, offers := s.Rows[:0], 0, 0
	for _, r := range s.Rows {
		if s.Filter == "all" && r.State == "active" && isOffer(r.Pull) {
			if offers++; offers > offersShown {
				s.FoldedOffers++
				continue
			}
		}
		if s.Filter == "all" && r.State == "active" && isDay(r.Subject) {
			if shown++; shown > ledgerShown {
				s.Folded++
				continue
			}
		}
		kept = append(kept, r)
	}
	s.Rows = kept
}

func newBudget(in report.StoredBudget, now time.Time) Budget {
	g := Budget{
		Service: in.Service, Tail: in.Tail, Limit: in.Limit, State: in.State, Cause: in.Text,
		Note: "A slot is held until 60 seconds after its reply.",
	}
	counts := map[SlotState]int{}
	var next time.Time
	for _, s := range in.Slots {
		if !s.HeldUntil.After(now) {
			continue
		}
		counts[SlotState(s.Lane)]++
		if next.IsZero() || s.HeldUntil.Before(next) {
			next = s.HeldUntil
		}
	}
	held := counts[SlotInteractive] + counts[SlotSchedule] + counts[SlotBackfill] + counts[SlotForeign]
	g.Foreign, g.Used = counts[SlotForeign], held-counts[SlotForeign]
	free := in.Limit - held
	g.Reserved = min(in.Reserve, free)
	counts[SlotFree], counts[SlotReserved] = free-g.Reserved, g.Reserved
	if free == 0 {
		g.NextFree = next
		g.Note += " Next slot free in " + report.Plural(int64(max(1, next.Sub(now)/time.Second)), "second", "seconds") + "."
	}
	if g.Foreign > 0 {
		g.Note = fmt.Sprintf("The service counts %d more than we sent: someone else uses this token. Slowed down to %d.", g.Foreign, in.Limit-g.Foreign)
	}
	cells := min(budgetCells, in.Limit)
	for _, state := range []SlotState{SlotInteractive, SlotSchedule, SlotBackfill, SlotForeign, SlotFree, SlotReserved} {
		n := counts[state]
		if in.Limit > cells { // a raised limit: each cell stands for several slots
			n = (n*cells + in.Limit - 1) / in.Limit
		}
		for range n {
			if len(g.Cells) < cells {
				g.Cells = append(g.Cells, state)
			}
		}
	}
	return g
}

// daysStrip is one entry a day from the first wanted or stored day to yesterday.
func daysStrip(in report.StoredSync, today civil.Date) []report.StoredDay {
	w := report.WindowEnding(today.AddDays(-1), max(1, in.HistoryDays))
	if in.FirstDay.IsValid() && in.FirstDay.Before(w.Start) {
		w.Start = in.FirstDay
	}
	byDay := map[civil.Date]report.StoredDay{}
	for _, d := range in.Days {
		byDay[d.Day] = d
	}
	out := make([]report.StoredDay, 0, w.Days())
	for d := range w.All() {
		s, ok := byDay[d]
		if !ok {
			s = report.StoredDay{Day: d}
		}
		out = append(out, s)
	}
	return out
}

func checkWords(checks []report.StoredCheck) (*report.Check, string) {
	var agree, differ []int
	var newest *report.Check
	seen := map[int]bool{}
	for i, c := range checks {
		if seen[c.Window.Days()] {
			continue
		}
		seen[c.Window.Days()] = true
		if newest == nil {
			newest = &checks[i].Check
		}
		n := c.Window.Days()
		switch {
		case c.Agrees:
			agree = append(agree, n)
		case c.Check.Missing == 0:
			differ = append(differ, n)
		}
	}
	switch {
	case len(differ) > 0:
		return newest, lengths(differ) + " days differ from the service: the days are pulled again"
	case len(agree) > 0:
		return newest, lengths(agree) + " days agree with the service to the cent"
	}
	return newest, "not compared yet"
}

// lengths names windows by their days, the shortest first: "7, 30 and 90".
func lengths(days []int) string {
	slices.Sort(days)
	words := make([]string, len(days))
	for i, n := range days {
		words[i] = strconv.Itoa(n)
	}
	return Listed(words)
}

// Listed names at least one thing in a sentence: "7", "7, 30 and 90".
func Listed(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
