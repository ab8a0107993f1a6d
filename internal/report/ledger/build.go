package ledger

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// budgetCells is the most cells that a budget picture has.
const budgetCells = 60

// ledgerShown is how many good daily rows are listed before the rest is folded.
const ledgerShown = 12

// offersShown is the same for good rows of single offers.
const offersShown = 3

// builder puts every time on the store's clock, and its texts in the reader's language.
type builder struct {
	report.Builder
}

// New builds a store's Sync page in the reader's language. filter is "all", "due" or "waiting"; any
// other value means "all".
func New(l locale.Locale, in report.StoredSync, filter string, now time.Time) Page {
	b := builder{report.Builder{In: report.Stored{Store: in.Store, FirstDay: in.FirstDay, Paused: in.Paused, Credentials: in.Credentials, Ledger: in.Ledger}, Now: now, Locale: l}}
	s := Page{Store: in.Store, Now: b.OnStoreClock(now), Paused: in.Paused, Filter: filter, Rows: []Row{}, Budgets: []Budget{}}
	if filter != "due" && filter != "waiting" {
		s.Filter = "all"
	}
	pulled, days, next := b.newestAnswers()
	for _, l := range in.Ledger {
		row := b.ledgerRow(l)
		due := row.Due != nil && !row.Due.After(now)
		s.count(row.State, due)
		if s.shows(row.State, due) {
			s.Rows = append(s.Rows, row)
		}
	}
	slices.SortStableFunc(s.Rows, compareRows)
	var last civil.Date
	for _, d := range in.Days {
		last = d.Day
	}
	today := report.Today(s.Now, s.Now.Location())
	s.Freshness = report.NewFreshness(locale.English, days, last, now, today)
	s.Freshness.Off = in.Paused
	for _, c := range in.Credentials {
		if c.Stopped() {
			s.Freshness.State = "failed"
			s.Refused = s.Refused || c.Recheckable() && !in.Paused
		}
	}
	for _, service := range []string{"upsell", "gift"} {
		if t := b.Disconnected(service); t != nil {
			s.Disconnected = append(s.Disconnected, *t)
		}
	}
	if off := b.Disconnected("upsell") != nil || len(in.Credentials) == 0; off && s.Freshness.State != "failed" {
		s.Freshness.State, s.Freshness.Off = "stale", true
	}
	s.Words, s.Pulled = b.syncWords(s, pulled, next), pulled
	for _, g := range in.Budgets {
		budget := b.budget(g)
		for _, c := range in.Credentials {
			if c.Service == g.Service && c.Stopped() {
				budget.State, budget.Cause = c.State, c.Words(l, now, s.Now.Location())
			}
		}
		s.Budgets = append(s.Budgets, budget)
	}
	s.Days = daysStrip(in, today)
	s.CheckText = b.checkWords(in.Checks)
	return s
}

// newestAnswers returns when any service last answered, when the upsell service last answered (any
// service if it never did), and when the next pull of a connected one is due; zero if never.
func (b builder) newestAnswers() (pulled, days, next time.Time) {
	for _, l := range b.In.Ledger {
		if l.LastGoodAt.After(pulled) {
			pulled = l.LastGoodAt
		}
		if l.Service == "upsell" && l.LastGoodAt.After(days) {
			days = l.LastGoodAt
		}
		if !l.DueAt.IsZero() && b.Connected(l.Service) && (next.IsZero() || l.DueAt.Before(next)) {
			next = l.DueAt
		}
	}
	if days.IsZero() {
		days = pulled
	}
	return pulled, days, next
}

func (s *Page) count(state string, due bool) {
	s.All++
	if due {
		s.Due++
	}
	switch state {
	case "active":
		s.Good++
	case "waiting", "slot":
		s.Waiting++
	case "person":
		s.Person++
	}
}

// shows reports whether the filter keeps a row.
func (s *Page) shows(state string, due bool) bool {
	switch s.Filter {
	case "due":
		return due
	case "waiting":
		return state == "waiting" || state == "slot" || state == "person"
	}
	return true
}

func (b builder) syncWords(s Page, pulled, next time.Time) string {
	if s.All == 0 {
		return b.T("sync.nothing_pulled")
	}
	var last string
	switch ago := b.Age(b.Now, pulled); {
	case s.Paused && pulled.IsZero():
		last = b.T("sync.none_good.paused")
	case s.Paused:
		last = b.T("sync.last_pull.paused", "ago", ago)
	case next.IsZero() && pulled.IsZero():
		last = b.T("sync.none_good.alone")
	case next.IsZero():
		last = b.T("sync.last_pull.alone", "ago", ago)
	case next.After(b.Now) && pulled.IsZero():
		last = b.T("sync.none_good.next", "time", b.clock(next))
	case next.After(b.Now):
		last = b.T("sync.last_pull.next", "ago", ago, "time", b.clock(next))
	case pulled.IsZero():
		last = b.T("sync.none_good.due")
	default:
		last = b.T("sync.last_pull.due", "ago", ago)
	}
	wait, attention := b.T("sync.none_wait"), b.T("sync.none_need_attention")
	if s.Waiting > 0 {
		wait = b.T("sync.wait", "n", s.Waiting)
	}
	switch {
	case s.Person > 0:
		attention = b.T("sync.need_attention", "n", s.Person)
	case len(s.Disconnected) > 0:
		attention = b.T("sync.apps_disconnected", "n", len(s.Disconnected))
	}
	return last + " " + b.T("sync.how_many", "good", s.Good, "n", s.All, "wait", wait, "attention", attention)
}

// clock is a time on the store's clock, with its day unless it's today.
func (b builder) clock(t time.Time) string {
	local, today := b.OnStoreClock(t), civil.DateOf(b.OnStoreClock(b.Now))
	if on := civil.DateOf(local); on != today {
		return b.T("common.stamp", "day", b.DayNear(on, today), "time", b.Time(local))
	}
	return b.Time(local)
}

// compareRows sorts upsell first, then what needs attention, then the newest day.
func compareRows(a, b Row) int {
	if c := cmp.Or(strings.Compare(b.Service, a.Service), rank(a)-rank(b)); c != 0 {
		return c
	}
	if c := strings.Compare(b.Subject, a.Subject); c != 0 && isDay(a.Subject) { // b's is one too
		return c
	}
	return strings.Compare(a.Pull+a.Subject, b.Pull+b.Subject)
}

// rank puts days after what has the same state.
func rank(r Row) int {
	n := 4
	switch r.State {
	case "person":
		n = 0
	case "waiting", "slot":
		n = 2
	}
	if isDay(r.Subject) {
		n++
	}
	return n
}

func isDay(subject string) bool {
	_, err := civil.ParseDate(subject)
	return err == nil
}

// isOffer reports whether a pull is for one offer.
func isOffer(pull string) bool {
	return pull == reportoffers.PullSetup || pull == reportoffers.PullStages || pull == reportoffers.PullRecommendations
}

// Fold hides good daily rows beyond the first few, since the page's strip of stored days shows them. It
// does the same with good rows of single offers: there may be thousands, and each offer's page shows its
// own. Files and the JSON API have every row.
func (s *Page) Fold() {
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

func (b builder) budget(in report.StoredBudget) Budget {
	g := Budget{
		Service: in.Service, Tail: in.Tail, Limit: in.Limit, State: in.State,
		Note: b.T("sync.slot_held"),
	}
	counts := map[SlotState]int{}
	var next time.Time
	for _, s := range in.Slots {
		if !s.HeldUntil.After(b.Now) {
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
		g.Note += " " + b.T("sync.next_slot", "n", int(max(1, next.Sub(b.Now)/time.Second)))
	}
	if g.Foreign > 0 {
		g.Note = b.T("sync.someone_else", "n", g.Foreign, "limit", in.Limit-g.Foreign)
	}
	cells := min(budgetCells, in.Limit)
	for _, state := range []SlotState{SlotInteractive, SlotSchedule, SlotBackfill, SlotForeign, SlotFree, SlotReserved} {
		n := counts[state]
		if in.Limit > cells { // the limit is raised, so each cell shows several slots
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

// daysStrip has one entry per day, from the first requested or stored day to yesterday.
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

// checkWords says whether the windows of each length, newest first, agree with the app.
func (b builder) checkWords(checks []report.StoredCheck) string {
	var agree, differ []int
	seen := map[int]bool{}
	for _, c := range checks {
		n := c.Window.Days()
		if seen[n] {
			continue
		}
		seen[n] = true
		switch {
		case c.Agrees:
			agree = append(agree, n)
		case c.Check.Missing == 0:
			differ = append(differ, n)
		}
	}
	switch {
	case len(differ) > 0:
		return b.T("sync.check.differ", "lengths", b.lengths(differ))
	case len(agree) > 0:
		return b.T("sync.check.agree", "lengths", b.lengths(agree))
	}
	return b.T("sync.check.never")
}

// lengths lists windows by their number of days, shortest first: "7, 30 and 90".
func (b builder) lengths(days []int) string {
	slices.Sort(days)
	words := make([]string, len(days))
	for i, n := range days {
		words[i] = strconv.Itoa(n)
	}
	return b.List(words)
}
