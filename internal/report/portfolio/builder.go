package portfolio

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// StoreWindow is a window of the store at that index.
type StoreWindow struct {
	Store  int
	Window report.Window
}

// Builder builds the list step by step and says which rows it needs next. It needs both windows'
// numbers for every store that passes the filters, to find those that moved most.
type Builder struct {
	l         locale.Locale
	query     Query
	now       time.Time
	stores    []store
	portfolio Portfolio
	// matched are the indices of the stores that pass the filters.
	matched []int
	shown   []shownStore
}

// store is a store with the rows read for it so far.
type store struct {
	stores.Stored
	fresh   report.Freshness
	health  stores.Health
	stale   bool
	goal    *goal.Progress // for the current month; nil unless the query needs goals
	choice  report.Choice
	begun   bool           // false if no day of the requested window is over in this store
	last    *report.Choice // the fallback if there is no answer for the choice
	answers []report.StoredSummary
	sums    map[report.Window]report.StoredSum
	// row is nil until its numbers are computed.
	row *Row
}

// shownStore is a store's position in the list.
type shownStore struct {
	section string
	store   int
}

// New starts the list for the given stores, in the reader's language.
func New(l locale.Locale, q Query, in []stores.Stored, now time.Time) *Builder {
	d := &Builder{l: l, query: q, now: now, stores: make([]store, len(in))}
	d.portfolio = Portfolio{Query: q, Now: now, Known: len(in), Page: 1, Pages: 1, Health: map[stores.HealthGroup]int{}}
	for i := range in {
		d.begin(&d.stores[i], in[i])
	}
	d.chooseCurrency()
	d.filter()
	return d
}

func (d *Builder) begin(s *store, in stores.Stored) {
	s.Stored = in
	s.fresh = in.Freshness(d.l, d.now)
	s.health = in.Status(d.l, s.fresh, d.now)
	s.stale = in.HasUpsells() && (in.Stopped() || s.fresh.State == "stale")
	s.goal = goal.New(in.Store, in.Goal, report.Today(d.now, in.Location), false)
	s.choice, s.begun = d.query.choice(d.now, in.Location)
	if d.query.rolls() && in.LastDay.IsValid() && in.LastDay.Before(s.choice.Window.End) {
		last := s.choice.EndingOn(in.LastDay)
		s.last = &last
	}
}

// chooseCurrency uses the requested currency, or the only one there is.
func (d *Builder) chooseCurrency() {
	d.portfolio.Currency = d.query.Currency
	if d.query.Currency != "" {
		return
	}
	for _, s := range d.stores {
		switch c := s.Store.Currency; {
		case c == "" || c == d.portfolio.Currency:
		case d.portfolio.Currency != "":
			d.portfolio.Currency = ""
			return
		default:
			d.portfolio.Currency = c
		}
	}
}

// Windows are those whose reported answers are needed: the chosen ones and their comparisons.
func (d *Builder) Windows() []StoreWindow {
	var out []StoreWindow
	for _, i := range d.begun() {
		s := &d.stores[i]
		out = append(out, windowsOf(i, s.choice)...)
		if s.last != nil {
			out = append(out, windowsOf(i, *s.last)...)
		}
	}
	return out
}

// begun are the stores that have a window.
func (d *Builder) begun() []int {
	return slices.DeleteFunc(slices.Clone(d.matched), func(i int) bool { return !d.stores[i].begun })
}

func windowsOf(store int, c report.Choice) []StoreWindow {
	out := []StoreWindow{{store, c.Window}}
	if c.Against != nil {
		out = append(out, StoreWindow{store, *c.Against})
	}
	return out
}

// Answered adds the answer for a window of the store at that index.
func (d *Builder) Answered(store int, r report.StoredSummary) {
	d.stores[store].answers = append(d.stores[store].answers, r)
}

// Open are the needed windows without a complete answer: their days must be added up.
func (d *Builder) Open() []StoreWindow {
	var out []StoreWindow
	for _, i := range d.begun() {
		s := &d.stores[i]
		if s.last != nil && s.answer(s.choice.Window) == nil { // the last whole days, and as many as requested
			s.choice = *s.last
		}
		for _, w := range windowsOf(i, s.choice) {
			if s.answer(w.Window) == nil {
				out = append(out, w)
			}
		}
	}
	return out
}

// answer is the complete answer for a window.
func (s *store) answer(w report.Window) *report.StoredSummary {
	for i, r := range s.answers {
		if r.Window == w && !r.Partial {
			return &s.answers[i]
		}
	}
	return nil
}

// Summed adds the sum of the days of a store's window.
func (d *Builder) Summed(at StoreWindow, sum report.StoredSum) {
	s := &d.stores[at.Store]
	if s.sums == nil {
		s.sums = map[report.Window]report.StoredSum{}
	}
	s.sums[at.Window] = sum
}

// Arrange sorts the list, once the numbers are there.
func (d *Builder) Arrange() {
	for _, i := range d.matched {
		d.count(&d.stores[i])
	}
	d.arrange()
	d.portfolio.Grew, d.portfolio.Fell = d.moved()
	d.portfolio.Moved = d.ways()
}

// Lines are the stores on the page with the windows of their numbers. The list must be arranged.
func (d *Builder) Lines() []StoreWindow {
	var out []StoreWindow
	for _, s := range d.shown { // a store may be in several groups
		line := StoreWindow{s.store, d.stores[s.store].choice.Window}
		if d.stores[s.store].begun && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// GoalDay is the day whose month's goal a store's row shows: today on its own clock or, in a mail, the
// last day of the window, which is over.
func (d *Builder) GoalDay(store int) (day civil.Date, over bool) {
	c := d.stores[store].choice
	if d.query.Mailed > 0 {
		return c.Window.End, true
	}
	return c.Today, false
}

// count computes a row's numbers.
func (d *Builder) count(s *store) {
	r := &Row{Store: s.Store, Groups: s.Groups, Tags: s.Tags, Freshness: s.fresh, Health: s.health, Stale: s.stale}
	s.row = r
	r.UpsellPulls = report.PullsOf(s.Credentials, s.Paused)
	b := s.builder(d.l, d.now)
	switch {
	case !s.HasUpsells():
		r.Summary.Empty = b.NothingStored(s.choice.Window, "summary")
	case !s.begun:
		r.Summary.Empty = &report.Empty{Cause: report.CauseNotKept, Title: d.l.T("stores.empty.not_over.title"), Text: d.l.T("stores.empty.not_over.text", "day", d.l.DayYear(s.choice.Today))}
		r.Gift.Empty = r.Summary.Empty
	default:
		r.Summary = s.summary(d.l, b, s.choice.Window)
	}
	r.Summary.Provenance = b.Asked(r.Summary.Provenance)
	if r.Summary.Empty == nil && noOffers(s.Coverage) && r.Summary.TotalUpsoldValue.IsZero() && r.Summary.TotalUpsoldOrders == 0 {
		r.Summary.Empty = &report.Empty{Cause: report.CauseNoOffers, Title: d.l.T("state.no_offers.title"), Text: d.l.T("state.no_offers.text")}
	}
	if r.Stale && r.Summary.Empty == nil {
		r.Summary.Provenance = r.Summary.Provenance.With(report.FlagStale)
	}
	d.compare(s)
}

// builder builds the panels for the store's row.
func (s *store) builder(l locale.Locale, now time.Time) overview.Builder {
	b := report.Builder{In: report.Stored{Store: s.Store, Paused: s.Paused, Credentials: s.Credentials, LastDay: s.LastDay, PulledAt: s.PulledAt(), Suspects: s.Suspects}, Choice: s.choice, Now: now}
	b.Locale = l
	return overview.Builder{Builder: b}
}

// summary is a window's summary as reported, or else the sum of its days. An answer from before its
// last day was over is only used if there is nothing better.
func (s *store) summary(l locale.Locale, b overview.Builder, w report.Window) overview.Summary {
	made := s.summaryMade(l, b, w)
	made.Provenance = b.Suspected(made.Provenance, "upsell")
	return made
}

func (s *store) summaryMade(l locale.Locale, b overview.Builder, w report.Window) overview.Summary {
	if r := s.answer(w); r != nil {
		return b.SummaryReported(*r)
	}
	sum := s.sums[w]
	if sum.Days == 0 {
		for _, r := range s.answers {
			if r.Window == w {
				return b.SummaryReported(r)
			}
		}
	}
	made := b.Summed(w, sum)
	switch {
	case sum.OtherCurrency != "":
		made.Empty = &report.Empty{
			Cause: report.CauseNotKept, Title: l.T("state.two_currencies"),
			Text: l.T("stores.empty.currencies", "first", sum.Currency, "second", sum.OtherCurrency),
		}
	case sum.Days == 0 && !s.LastDay.IsValid() && s.Stopped():
		made.Empty = &report.Empty{Cause: report.CauseFailed, Title: l.T("stores.empty.no_day.title"), Text: l.T("stores.empty.no_day.text"), Action: l.T("sync.title"), Href: b.SyncHref()}
	case sum.Days == 0 && !s.LastDay.IsValid():
		made.Empty = &report.Empty{Cause: report.CauseFilling, Title: l.T("state.first_numbers.title"), Text: l.T("state.first_numbers.text"), Action: l.T("stores.empty.watch"), Href: b.SyncHref()}
	case sum.Days == 0:
		made.Empty = &report.Empty{Cause: report.CauseNotKept, Title: l.T("state.no_day.title"), Text: l.T("stores.empty.last_day", "day", l.DayYear(s.LastDay))}
	}
	return made
}

// compare compares a row with its comparison window: both must be complete and in one currency. Stale
// rows aren't compared.
func (d *Builder) compare(s *store) {
	r, b := s.row, s.builder(d.l, d.now)
	if r.Summary.Empty != nil {
		r.Delta = locale.Delta{Direction: locale.NoNumber, Word: "–"}
		return
	}
	r.Delta = locale.Delta{Direction: locale.NotCompared, Word: d.l.T("change.not_compared")}
	if s.choice.Against == nil {
		r.Uncompared = d.l.T("stores.uncompared.nothing")
		return
	}
	before := s.summary(d.l, b, *s.choice.Against)
	if before.Empty == nil {
		r.Summary.Previous = &before
	}
	switch now := r.Summary; {
	case r.Stale:
		r.Uncompared = d.l.T("stores.uncompared.last_good")
	case !now.Provenance.Comparable():
		r.Uncompared = missingWords(d.l, now.Provenance)
	case before.Empty != nil && before.Empty.Cause == report.CauseNotKept && s.Filling(), len(before.Provenance.Missing) > 0 && s.Filling():
		r.Uncompared = d.l.T("stores.uncompared.filling")
		r.Delta.Word = r.Uncompared
	case before.Empty != nil:
		r.Uncompared = d.l.T("stores.uncompared.not_stored")
	case len(before.Provenance.Missing) > 0:
		r.Uncompared = d.l.T("stores.uncompared.days_before", "n", len(before.Provenance.Missing))
	case !before.Provenance.Comparable():
		r.Uncompared = d.l.T("stores.uncompared.not_over_before")
	case before.Currency != now.Currency:
		r.Uncompared = d.l.T("stores.uncompared.currency", "currency", before.Currency)
	default:
		r.Delta = d.l.Change(&now.TotalUpsoldValue, &before.TotalUpsoldValue)
	}
}

// missingWords says why a window isn't complete.
func missingWords(l locale.Locale, p report.Provenance) string {
	if n := len(p.Missing); n > 0 {
		return l.T("stores.uncompared.days", "n", n)
	}
	return l.T("stores.uncompared.not_over")
}

// Detailed adds what only a shown row needs.
func (d *Builder) Detailed(store int, in StoredLine) {
	s := &d.stores[store]
	b := s.builder(d.l, d.now)
	b.In.Days, b.In.Ledger, b.In.Gift, b.In.GiftDays = in.Days, in.Ledger, in.Gift, in.GiftDays
	s.row.Spark = b.Spark(s.choice.Window)
	s.row.Gift = gift.Builder{Builder: b.Builder}.Analytics()
	day, over := d.GoalDay(store)
	s.row.Goal, s.row.Notes = goal.New(s.Store, in.Goal, day, over), in.Notes
	for _, of := range []*overview.Summary{&s.row.Summary, s.row.Summary.Previous} {
		if of == nil || of.Empty != nil || of.Provenance.Basis != report.Reported {
			continue
		}
		p := &of.Provenance
		p.Pull, p.Subject = b.ReplyOf("summary", *p.Window)
		for _, c := range in.Checks {
			if c.Window != *p.Window {
				continue
			}
			if p.Check = &c.Check; !c.Agrees && c.Missing == 0 {
				*p = p.With(report.FlagDrift)
			}
		}
	}
}

// Portfolio is the finished list.
func (d *Builder) Portfolio() Portfolio {
	p := d.portfolio
	p.Shown = d.window()
	for _, s := range d.shown {
		row := *d.stores[s.store].row
		if w := row.Window(); w != nil && p.Shown != nil {
			row.Differs = *w != p.Shown.Window
		}
		n := slices.IndexFunc(p.Sections, func(have Section) bool { return have.Title == s.section })
		p.Sections[n].Rows = append(p.Sections[n].Rows, row)
	}
	p.Sections = slices.DeleteFunc(p.Sections, func(s Section) bool { return len(s.Rows) == 0 })
	p.Total = d.total()
	return p
}

// window is the most common one among the shown rows; if two are equally common, the later.
func (d *Builder) window() *Window {
	count := map[report.Window]*Window{}
	var best *Window
	rows, known := 0, map[int]bool{}
	for _, s := range d.shown {
		row := d.stores[s.store].row
		w := row.Window()
		if known[s.store] || w == nil {
			continue
		}
		known[s.store] = true
		rows++
		if count[*w] == nil {
			count[*w] = &Window{Window: *w}
		}
		if c := count[*w]; row.Summary.Provenance.Basis == report.Reported {
			c.Reported++
		} else {
			c.Stitched++
		}
	}
	for w, c := range count {
		n := c.Reported + c.Stitched
		if best == nil || n > best.Reported+best.Stitched || n == best.Reported+best.Stitched && w.End.After(best.Window.End) {
			best = c
		}
	}
	if best != nil {
		best.Differ = rows - best.Reported - best.Stitched
	}
	return best
}
