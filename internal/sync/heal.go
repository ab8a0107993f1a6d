package pulls

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
	"github.com/storeglass/storeglass/internal/sync/repair"
)

// A late order changes the summary, the placements and the ranking of its day, however old the
// day is. We notice it when the answer for a longer window differs from its stored days.
// Halving such windows finds the day, and all its kinds are then pulled again. Until then the
// days are kept as suspects, and pages say so.

// series are the kinds of one upsell endpoint: for a single day, for the windows asked every
// night, and for windows asked to find a changed day.
type series struct {
	name           string
	day, rangeKind plan.Kind
	windows        []plan.Kind
	differences    func(context.Context, *sqlc.Queries, sqlc.SummaryDifferencesParams) ([]sqlc.SummaryDifferencesRow, error)
}

// upsellSeries are in the order in which we look for a changed day: the summary is the cheapest
// to compare, and the days it leads to are pulled again in every series.
var upsellSeries = []series{
	{
		name: "summary", day: plan.SummaryDay, windows: []plan.Kind{plan.SummaryWindow}, rangeKind: plan.SummaryRange,
		differences: func(ctx context.Context, q *sqlc.Queries, p sqlc.SummaryDifferencesParams) ([]sqlc.SummaryDifferencesRow, error) {
			return q.SummaryDifferences(ctx, p)
		},
	},
	{
		name: "stats", day: plan.StatsDay, windows: []plan.Kind{plan.StatsWindow}, rangeKind: plan.StatsRange,
		differences: func(ctx context.Context, q *sqlc.Queries, p sqlc.SummaryDifferencesParams) ([]sqlc.SummaryDifferencesRow, error) {
			rows, err := q.StatDifferences(ctx, sqlc.StatDifferencesParams(p))
			return db.Each(rows, func(r sqlc.StatDifferencesRow) sqlc.SummaryDifferencesRow { return sqlc.SummaryDifferencesRow(r) }), err
		},
	},
	{
		name: "top", day: plan.TopDay, windows: []plan.Kind{plan.TopHighest, plan.TopLowest}, rangeKind: plan.TopRange,
		differences: func(ctx context.Context, q *sqlc.Queries, p sqlc.SummaryDifferencesParams) ([]sqlc.SummaryDifferencesRow, error) {
			rows, err := q.TopDifferences(ctx, sqlc.TopDifferencesParams(p))
			return db.Each(rows, func(r sqlc.TopDifferencesRow) sqlc.SummaryDifferencesRow { return sqlc.SummaryDifferencesRow(r) }), err
		},
	},
}

// dayKinds are pulled again together, whichever one showed a change.
var dayKinds = func() (kinds []string) {
	for _, s := range upsellSeries {
		kinds = append(kinds, string(s.day))
	}
	return kinds
}()

// rangeKinds are the kinds for windows that are asked once: to find a changed day, or for a
// person.
var rangeKinds = slices.Concat(plan.RangeKinds(Upsell), plan.RangeKinds(Gift))

// heal compares the answers for longer windows with their stored days and looks for the days
// that changed. again reports that pulls were made due for that.
func (d *drain) heal(ctx context.Context) (again bool, err error) {
	again, err = d.healDays(ctx)
	if err != nil {
		return false, err
	}
	for _, s := range upsellSeries {
		comparisons, asked, err := d.noteDifferences(ctx, s)
		if err != nil {
			return false, fmt.Errorf("compare the %s windows of %s with their days: %w", s.name, d.store.Slug, err)
		}
		again = again || asked
		if again { // pull the days found first: they may explain the rest
			continue
		}
		if again, err = d.search(ctx, s, comparisons); err != nil {
			return false, fmt.Errorf("look for changed days of %s: %w", d.store.Slug, err)
		}
	}
	if !again {
		midnight := plan.ServiceDay(d.Now(), d.loc).In(d.loc)
		err = d.DB.Queries().ForgetRanges(ctx, sqlc.ForgetRangesParams{StoreID: d.store.ID, Pulls: rangeKinds, Before: &midnight})
	}
	return again, err
}

// noteWindows compares new windows with their days right away, so that differing days are
// suspect before anything else is pulled.
func (d *drain) noteWindows(ctx context.Context, pulled []plan.Pull) error {
	for _, s := range upsellSeries {
		var windows []report.Window
		for _, p := range pulled {
			if slices.Contains(s.windows, p.Kind) && p.Window != nil {
				windows = append(windows, *p.Window)
			}
		}
		if len(windows) == 0 {
			continue
		}
		comparisons, err := d.compare(ctx, s, windows)
		if err == nil {
			err = d.DB.Queries().NoteDifferences(ctx, noted(d.store.ID, s.name, comparisons))
		}
		if err != nil {
			return fmt.Errorf("compare the %s windows of %s with their days: %w", s.name, d.store.Slug, err)
		}
	}
	return nil
}

// comparison is how far one window is from the sum of its days.
type comparison struct {
	window    report.Window
	fetchedAt time.Time
	off       repair.OffBy
}

// noteDifferences compares a series' windows with their days: the nightly ones, an older one
// whose turn it is, those under suspicion, and those asked to find a day. asked reports that
// the older one must be pulled first.
func (d *drain) noteDifferences(ctx context.Context, s series) (comparisons []comparison, asked bool, err error) {
	q := d.DB.Queries()
	named, err := d.pullsOf(ctx, s.windows[0])
	if err != nil {
		return nil, false, err
	}
	ranges, err := d.pullsOf(ctx, s.rangeKind)
	if err != nil {
		return nil, false, err
	}
	older, ask, err := d.older(ctx, s, ranges)
	if err != nil || len(ask) > 0 {
		return nil, len(ask) > 0, errors.Join(err, d.askRanges(ctx, s, db.Each(ask, plan.RangeSubject)))
	}
	roots, err := d.suspects(ctx, s.name)
	if err != nil {
		return nil, false, err
	}
	tonight := append(d.named(s.windows[0]), older...)
	comparisons, err = d.compare(ctx, s, slices.Concat(tonight, db.Each(roots, repair.DaysOf), answeredRanges(ranges)))
	if err != nil {
		return nil, false, err
	}
	// Once all of tonight's windows are answered, only they count; until then, earlier nights'
	// windows still under suspicion count, too.
	answered := !slices.ContainsFunc(named, func(row sqlc.Ledger) bool { return !d.tonight(row) })
	kept := slices.DeleteFunc(slices.Clone(comparisons), func(f comparison) bool {
		earlier := !answered && slices.ContainsFunc(roots, func(r sqlc.SuspectDay) bool { return repair.DaysOf(r) == f.window })
		return !slices.Contains(tonight, f.window) && !earlier
	})
	p := noted(d.store.ID, s.name, kept)
	p.AllCompared = answered
	return comparisons, false, q.NoteDifferences(ctx, p)
}

// pullsOf are the store's pulls of a kind.
func (d *drain) pullsOf(ctx context.Context, kind plan.Kind) ([]sqlc.Ledger, error) {
	return d.DB.Queries().PullsOfKinds(ctx, sqlc.PullsOfKindsParams{StoreIds: []int64{d.store.ID}, Pulls: []string{string(kind)}})
}

// tonight reports whether a pull was answered since the store's midnight.
func (d *drain) tonight(row sqlc.Ledger) bool {
	return row.LastGoodAt != nil && report.Today(*row.LastGoodAt, d.loc) == report.Today(d.Now(), d.loc)
}

func answeredRanges(ranges []sqlc.Ledger) (windows []report.Window) {
	for _, row := range ranges {
		if w, ok := plan.ParseRange(row.Subject); ok && row.LastGoodAt != nil {
			windows = append(windows, w)
		}
	}
	return windows
}

// older is the window of older days whose turn it is. ask holds it if it wasn't asked tonight.
func (d *drain) older(ctx context.Context, s series, ranges []sqlc.Ledger) (older, ask []report.Window, err error) {
	if s.day == plan.TopDay { // a change in a ranking shows in its placements, too
		return nil, nil, nil
	}
	first, err := d.DB.Queries().FirstDay(ctx, d.store.ID)
	if err != nil || first.Year == 1 {
		return nil, nil, err
	}
	w, ok := repair.OlderWindow(d.named(s.windows[0]), first, report.Today(d.Now(), d.loc))
	if !ok {
		return nil, nil, nil
	}
	older = []report.Window{w}
	i := slices.IndexFunc(ranges, func(row sqlc.Ledger) bool { return row.Subject == plan.RangeSubject(w) })
	if i < 0 || !d.tonight(ranges[i]) && !d.hasItsTurn(ranges[i]) && ranges[i].Outcome != fact.PullRefused {
		ask = older
	}
	return older, ask, nil
}

func (d *drain) askRanges(ctx context.Context, s series, subjects []string) error {
	if len(subjects) == 0 {
		return nil
	}
	return d.DB.Queries().AskRanges(ctx, sqlc.AskRangesParams{StoreID: d.store.ID, Pull: string(s.rangeKind), Subjects: subjects, At: d.Now()})
}

// compare compares windows with their stored days; those that can't be are left out.
func (d *drain) compare(ctx context.Context, s series, windows []report.Window) ([]comparison, error) {
	rows, err := s.differences(ctx, d.DB.Queries(), sqlc.SummaryDifferencesParams{StoreID: d.store.ID, Starts: starts(windows), Ends: ends(windows)})
	if err != nil {
		return nil, err
	}
	comparisons := make([]comparison, len(rows))
	for i, r := range rows {
		comparisons[i] = comparison{report.Window{Start: r.WindowStart, End: r.WindowEnd}, r.FetchedAt, repair.OffBy{}}
		if err := json.Unmarshal(r.Difference, &comparisons[i].off); err != nil {
			return nil, fmt.Errorf("read a difference: %w", err)
		}
	}
	return comparisons, nil
}

func noted(store int64, series string, comparisons []comparison) sqlc.NoteDifferencesParams {
	p := sqlc.NoteDifferencesParams{StoreID: store, Series: series}
	for _, f := range comparisons {
		p.FirstDays, p.LastDays = append(p.FirstDays, f.window.Start), append(p.LastDays, f.window.End)
		p.NoticedAts, p.Differences = append(p.NoticedAts, f.fetchedAt), append(p.Differences, db.JSON(f.off))
	}
	return p
}

// suspects are the windows of a series that differ from their days, the shortest first.
func (d *drain) suspects(ctx context.Context, series string) ([]sqlc.SuspectDay, error) {
	rows, err := d.DB.Queries().SuspectsOf(ctx, sqlc.SuspectsOfParams{StoreID: d.store.ID, Service: Upsell})
	return slices.DeleteFunc(rows, func(r sqlc.SuspectDay) bool { return r.NoticedBy != series || r.Difference == nil }), err
}

// search advances the search in the series' shortest window that differs from its days: it asks
// for a part of the window, or for the days found.
func (d *drain) search(ctx context.Context, s series, comparisons []comparison) (again bool, err error) {
	roots, err := d.suspects(ctx, s.name)
	if err != nil {
		return false, err
	}
	for _, root := range roots {
		if root.Unexplained {
			continue
		}
		since := repair.Compared{}
		for _, f := range comparisons {
			if !f.fetchedAt.Before(root.NoticedAt) {
				since[f.window] = f.off
			}
		}
		since.Complete()
		again, err := d.pursue(ctx, s, root, since.Narrow(repair.DaysOf(root)))
		if err != nil || again {
			return again, err
		}
	}
	return false, nil
}

// pursue asks for what a search needs. If everything was answered since the difference was
// noticed and the difference remains, it stays unexplained, and the window itself is asked for
// once more: it may be older than its days.
func (d *drain) pursue(ctx context.Context, s series, root sqlc.SuspectDay, found repair.Suspects) (again bool, err error) {
	q := d.DB.Queries()
	days, waiting, err := d.unanswered(ctx, []string{string(s.day)}, subjectsOf(found.Days), root.NoticedAt)
	if err != nil {
		return false, err
	}
	if len(days) > 0 {
		d.Log.Warn("days differ from the windows that hold them: pulling them again", "store", d.store.Slug, "series", s.name, "days", days)
		return true, d.askDays(ctx, s.name, root.NoticedAt, days)
	}
	ranges, late, err := d.unanswered(ctx, []string{string(s.rangeKind)}, db.Each(found.Ask, plan.RangeSubject), root.NoticedAt)
	if err != nil {
		return false, err
	}
	if len(ranges) > 0 {
		return true, d.askRanges(ctx, s, ranges)
	}
	if waiting || late { // a pull failed and will be retried on its own
		return false, nil
	}
	d.Log.Warn("a window differs from its days, and no day explains it", "store", d.store.Slug, "series", s.name, "from", root.FirstDay, "to", root.LastDay)
	return true, q.LeaveUnexplained(ctx, sqlc.LeaveUnexplainedParams{
		StoreID: d.store.ID, Series: s.name, FirstDay: &root.FirstDay, LastDay: &root.LastDay, Pulls: db.Each(s.windows, func(k plan.Kind) string { return string(k) }),
	})
}

// unanswered returns the subjects that have a pull of these kinds which was neither answered
// since nor asked again. waiting reports that some were asked for and have failed, or are due
// anyway.
func (d *drain) unanswered(ctx context.Context, kinds, subjects []string, since time.Time) (ask []string, waiting bool, err error) {
	if len(subjects) == 0 {
		return nil, false, nil
	}
	rows, err := d.DB.Queries().PullsOfSubjects(ctx, sqlc.PullsOfSubjectsParams{StoreID: d.store.ID, Pulls: kinds, Subjects: subjects})
	if err != nil {
		return nil, false, err
	}
	for _, subject := range subjects {
		for _, kind := range kinds {
			i := slices.IndexFunc(rows, func(r sqlc.Ledger) bool { return r.Pull == kind && r.Subject == subject })
			switch {
			case i >= 0 && answeredSince(rows[i], since):
			case i >= 0 && d.hasItsTurn(rows[i]):
				waiting = true
			case !slices.Contains(ask, subject):
				ask = append(ask, subject)
			}
		}
	}
	return ask, waiting, nil
}

// answeredSince reports whether a pull has a good answer since that time, or will never get
// one.
func answeredSince(row sqlc.Ledger, since time.Time) bool {
	return row.Outcome == fact.PullRefused || row.LastGoodAt != nil && !row.LastGoodAt.Before(since) && row.Attempts == 0
}

// hasItsTurn reports whether a pull will be made without being asked for: it failed and waits,
// another worker is making it, or it is due.
func (d *drain) hasItsTurn(row sqlc.Ledger) bool {
	return row.Attempts > 0 || plan.Held(row, d.Now()) || row.DueAt != nil && !row.DueAt.After(d.Now())
}

// askDays makes every kind of pull of the days due.
func (d *drain) askDays(ctx context.Context, noticedBy string, noticedAt time.Time, days []string) error {
	return d.DB.Queries().AskDays(ctx, sqlc.AskDaysParams{
		StoreID: d.store.ID, Pulls: dayKinds, Days: days, NoticedBy: noticedBy, NoticedAt: noticedAt, At: d.Now(),
	})
}

// healDays asks again for single days that another check marked, and clears the marks of days
// for which every kind has been answered since.
func (d *drain) healDays(ctx context.Context) (again bool, err error) {
	q := d.DB.Queries()
	rows, err := q.SuspectsOf(ctx, sqlc.SuspectsOfParams{StoreID: d.store.ID, Service: Upsell})
	if err != nil {
		return false, fmt.Errorf("read the suspect days of %s: %w", d.store.Slug, err)
	}
	var errs []error
	for _, r := range rows {
		switch subject := r.FirstDay.String(); {
		case r.Difference != nil:
		case r.AskedAt == nil:
			again = true
			errs = append(errs, d.askDays(ctx, r.NoticedBy, r.NoticedAt, []string{subject}))
		default:
			ask, waiting, err := d.unanswered(ctx, dayKinds, []string{subject}, r.NoticedAt)
			if err == nil && len(ask) == 0 && !waiting {
				err = q.HealedDay(ctx, sqlc.HealedDayParams{StoreID: d.store.ID, Day: r.FirstDay, NoticedBy: r.NoticedBy})
			}
			errs = append(errs, err)
		}
	}
	return again, errors.Join(errs...)
}

// nightly are the upsell series' windows that are asked for every night.
func (w *work) nightly() []report.Window { return w.named(plan.SummaryWindow) }

// named are the windows that a kind asks for today.
func (w *work) named(kind plan.Kind) []report.Window {
	today := report.Today(w.Now(), w.loc)
	return db.Each(kind.Names(), func(name string) report.Window { return plan.Named(name, today) })
}

func starts(windows []report.Window) []civil.Date {
	return db.Each(windows, func(w report.Window) civil.Date { return w.Start })
}

func ends(windows []report.Window) []civil.Date {
	return db.Each(windows, func(w report.Window) civil.Date { return w.End })
}
