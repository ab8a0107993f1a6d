package db

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Portfolio builds the list of the principal's stores: the facts about each, and the numbers of those
// that it shows, sorts by, or adds up.
func (d *DB) Portfolio(ctx context.Context, who AlertPrincipal, query portfolio.Query, now time.Time) (portfolio.Portfolio, error) {
	stores, err := d.Stores(ctx, who.Scope)
	if err != nil {
		return portfolio.Portfolio{}, err
	}
	known, err := d.storedStores(ctx, stores, who)
	if err != nil {
		return portfolio.Portfolio{}, fmt.Errorf("read the list of stores: %w", err)
	}
	l := portfolioReader{DB: d, ids: Each(stores, func(s ScopedStore) int64 { return s.id }), at: map[int64]int{}}
	for i, id := range l.ids {
		l.at[id] = i
	}
	if query.OfGoals() {
		if err := l.goals(ctx, known, now); err != nil {
			return portfolio.Portfolio{}, fmt.Errorf("read the goals of the list of stores: %w", err)
		}
	}
	l.draft = portfolio.New(locale.From(ctx), query, known, now)
	if err := l.numbers(ctx); err != nil {
		return portfolio.Portfolio{}, fmt.Errorf("read the numbers of the list of stores: %w", err)
	}
	l.draft.Arrange()
	if err := d.reasons(ctx, stores, l.draft.Movers()); err != nil {
		return portfolio.Portfolio{}, fmt.Errorf("read why stores moved: %w", err)
	}
	if err := l.lines(ctx, query); err != nil {
		return portfolio.Portfolio{}, fmt.Errorf("read the rows of the list of stores: %w", err)
	}
	return l.draft.Portfolio(), nil
}

// goals are all stores' goals, each for the current month there.
func (l *portfolioReader) goals(ctx context.Context, known []stores.Stored, now time.Time) error {
	rows, err := l.q.GoalsOfStores(ctx, goalsOn(l.ids, Each(known, func(s stores.Stored) civil.Date { return report.Today(now, s.Location) })...))
	for _, r := range rows {
		known[l.at[r.StoreID]].Goal = new(storedGoal(r))
	}
	return err
}

// storedStores is what is known about every store. Most of it only changes along with a store's
// revision, and is kept in memory until then.
func (d *DB) storedStores(ctx context.Context, scoped []ScopedStore, who AlertPrincipal) ([]stores.Stored, error) {
	if len(scoped) == 0 {
		return nil, nil
	}
	ids := Each(scoped, func(s ScopedStore) int64 { return s.id })
	facts, changed := d.facts.of(scoped)
	out, at := make([]stores.Stored, len(scoped)), make(map[int64]*stores.Stored, len(scoped))
	for i, s := range scoped {
		out[i] = s.stored()
		at[s.id] = &out[i]
	}
	rules, stopping := alerts.Order()
	err := d.read(ctx, func(b *Batch) {
		if len(changed) > 0 {
			askFacts(b, changed, facts)
		}
		askFor(b, (*sqlc.Queries).GroupsOfStores, ids, func(r sqlc.GroupsOfStoresRow) {
			s := at[r.StoreID]
			s.Groups = append(s.Groups, stores.Group{ID: r.ID, Name: r.Name})
		})
		askFor(b, (*sqlc.Queries).TagsOfStores, ids, func(r sqlc.StoreTag) {
			s := at[r.StoreID]
			s.Tags = append(s.Tags, r.Tag)
		})
		needs := sqlc.NeedsOfStoresParams{StoreIds: ids, Now: who.Now, PersonID: who.Person, Rules: rules, Stopping: int32(stopping)}
		askFor(b, (*sqlc.Queries).NeedsOfStores, needs, func(r sqlc.NeedsOfStoresRow) {
			s := at[r.StoreID]
			s.Alerts, s.Need = int(r.Alerts), report.OpenAlert{Rule: r.Rule, Subject: r.Subject, Title: r.Title, Do: r.Todo, Text: r.Text, Since: r.Since}
		})
	})
	if err != nil {
		return nil, err
	}
	d.facts.keep(facts, changed)
	for id, s := range at {
		s.Credentials, s.Coverage, s.Suspects = facts[id].credentials, facts[id].coverage, facts[id].suspects
	}
	return out, nil
}

// StoresKnown is what is known about the principal's stores with these slugs, by slug.
func (d *DB) StoresKnown(ctx context.Context, who AlertPrincipal, slugs []string) (map[string]stores.Stored, error) {
	held, err := d.Stores(ctx, who.Scope)
	if err != nil {
		return nil, err
	}
	held = slices.DeleteFunc(held, func(s ScopedStore) bool { return !slices.Contains(slugs, s.Slug) })
	known, err := d.storedStores(ctx, held, who)
	if err != nil {
		return nil, fmt.Errorf("read the stores of the inbox: %w", err)
	}
	out := make(map[string]stores.Stored, len(known))
	for _, s := range known {
		out[s.Store.Slug] = s
	}
	return out, nil
}

// portfolioReader reads the rows that the builder requests. The builder identifies stores by index, the
// reader by id.
type portfolioReader struct {
	*DB
	ids   []int64
	at    map[int64]int
	draft *portfolio.Builder
}

// storeWindows are windows of stores as arrays, for statements.
type storeWindows struct {
	ids          []int64
	starts, ends []civil.Date
}

func (l *portfolioReader) columns(windows []portfolio.StoreWindow) storeWindows {
	var c storeWindows
	for _, w := range windows {
		c.ids = append(c.ids, l.ids[w.Store])
		c.starts, c.ends = append(c.starts, w.Window.Start), append(c.ends, w.Window.End)
	}
	return c
}

// numbers reads the answers for the builder's windows, and sums the days of those without one.
func (l *portfolioReader) numbers(ctx context.Context) error {
	if w := l.columns(l.draft.Windows()); len(w.ids) > 0 {
		rows, err := l.q.SummariesOfStores(ctx, sqlc.SummariesOfStoresParams{StoreIds: w.ids, Starts: w.starts, Ends: w.ends})
		if err != nil {
			return err
		}
		for _, r := range rows {
			l.draft.Answered(l.at[r.StoreID], summary(r))
		}
	}
	if w := l.columns(l.draft.Open()); len(w.ids) > 0 {
		rows, err := l.q.SumsOfStores(ctx, sqlc.SumsOfStoresParams{StoreIds: w.ids, Starts: w.starts, Ends: w.ends})
		if err != nil {
			return err
		}
		for _, r := range rows {
			l.draft.Summed(portfolio.StoreWindow{Store: l.at[r.StoreID], Window: window(r.FirstDay, r.LastDay)}, storedSum(r))
		}
	}
	return nil
}

// lines reads what only shown rows need, in one round trip.
func (l *portfolioReader) lines(ctx context.Context, query portfolio.Query) error {
	shown := l.draft.Lines()
	w := l.columns(shown)
	if len(w.ids) == 0 {
		return nil
	}
	in := make(map[int64]*portfolio.StoredLine, len(w.ids))
	for _, id := range w.ids {
		in[id] = &portfolio.StoredLine{}
	}
	goalDays := Each(shown, func(w portfolio.StoreWindow) civil.Date { day, _ := l.draft.GoalDay(w.Store); return day })
	err := l.read(ctx, func(b *Batch) {
		askFor(b, (*sqlc.Queries).DaysOfStores, sqlc.DaysOfStoresParams(w.params()), func(r sqlc.DaysOfStoresRow) {
			s := in[r.StoreID]
			s.Days = append(s.Days, report.StoredSummary{Window: report.OneDay(r.WindowStart), TotalUpsoldValue: r.TotalUpsoldValue, Currency: r.Currency})
		})
		askFor(b, (*sqlc.Queries).GiftsOfStores, sqlc.GiftsOfStoresParams(w.params()), func(r sqlc.GiftWindow) {
			in[r.StoreID].Gift = append(in[r.StoreID].Gift, gift(r))
		})
		askFor(b, (*sqlc.Queries).GiftDaysOfStores, sqlc.GiftDaysOfStoresParams(w.params()), func(r sqlc.GiftWindow) {
			in[r.StoreID].GiftDays = append(in[r.StoreID].GiftDays, gift(r))
		})
		askFor(b, (*sqlc.Queries).PullsOfKinds, sqlc.PullsOfKindsParams{StoreIds: w.ids, Pulls: []string{"summary.window", "gift.window"}}, func(r sqlc.Ledger) {
			in[r.StoreID].Ledger = append(in[r.StoreID].Ledger, pull(r))
		})
		askFor(b, (*sqlc.Queries).ChecksOfStores, sqlc.ChecksOfStoresParams(w.params()), func(r sqlc.WindowCheck) {
			in[r.StoreID].Checks = append(in[r.StoreID].Checks, check(r))
		})
		askFor(b, (*sqlc.Queries).GoalsOfStores, goalsOn(w.ids, goalDays...), func(r sqlc.GoalsOfStoresRow) {
			in[r.StoreID].Goal = new(storedGoal(r))
		})
		if query.Mailed > 0 {
			askFor(b, (*sqlc.Queries).NotesOfStores, sqlc.NotesOfStoresParams(w.params()), func(r sqlc.NotesOfStoresRow) {
				s := in[r.StoreID]
				s.Notes = append(s.Notes, report.DayNote{ID: r.ID, Start: r.FirstDay, End: r.LastDay, Text: r.Text, ForClients: r.ForClients})
			})
		}
	})
	if err != nil {
		return err
	}
	for i, at := range shown {
		l.draft.Detailed(at.Store, *in[w.ids[i]])
	}
	return nil
}

func (w storeWindows) params() sqlc.DaysOfStoresParams {
	return sqlc.DaysOfStoresParams{StoreIds: w.ids, Starts: w.starts, Ends: w.ends}
}

// stored is what the store's own row says about it.
func (s ScopedStore) stored() stores.Stored {
	return stores.Stored{
		Store: s.Store, Location: s.location, Paused: s.Paused, UpsellAt: s.pulls.upsell, GiftAt: s.pulls.gift,
		LastDay: s.pulls.lastDay, DaysStored: s.pulls.stored, DaysPlanned: s.pulls.planned, DaysLeft: s.pulls.left,
	}
}

// storePulls is what pulls have recorded on the store's row.
type storePulls struct {
	upsell, gift          time.Time
	lastDay               civil.Date
	stored, planned, left int
}

func pullsOf(r sqlc.Store) storePulls {
	return storePulls{
		upsell: OrZero(r.UpsellPulledAt), gift: OrZero(r.GiftPulledAt), lastDay: OrZero(r.LastDay),
		stored: int(OrZero(r.DaysStored)), planned: int(OrZero(r.DaysPlanned)), left: int(OrZero(r.DaysLeft)),
	}
}

func storedSum(r sqlc.SumsOfStoresRow) report.StoredSum {
	s := report.StoredSum{
		Days: int(r.Days), Kept: r.Kept, Currency: r.Currency,
		TotalUpsoldValue: r.TotalUpsoldValue, TotalUpsoldOrders: r.TotalUpsoldOrders, TotalOrders: r.TotalOrders,
		OfferViews: r.OfferViews, ViewDays: int(r.ViewDays), Revised: int(r.Revised), FetchedAt: r.FetchedAt, FetchedLast: r.FetchedLast,
	}
	if r.OtherCurrency != r.Currency {
		s.OtherCurrency = r.OtherCurrency
	}
	return s
}
