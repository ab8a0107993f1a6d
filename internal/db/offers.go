package db

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// Offers reads all of a store's stored offers, in one round trip.
func (d *DB) Offers(ctx context.Context, s ScopedStore, now time.Time) (reportoffers.StoredList, error) {
	var (
		rows   []ListOffersRow
		counts []OfferCount
		walk   []OfferWalk
		creds  []CredentialStatesRow
		pulls  []Ledger
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &rows, (*Queries).ListOffers, s.id)
		ask(b, &counts, (*Queries).OfferCountRows, s.id)
		ask(b, &walk, (*Queries).LastWalk, s.id)
		ask(b, &creds, (*Queries).CredentialStates, s.id)
		ask(b, &pulls, (*Queries).PullStates, s.id)
	})
	if err != nil {
		return reportoffers.StoredList{}, fmt.Errorf("read offers of %s: %w", s.Slug, err)
	}
	out := reportoffers.StoredList{
		Store:       s.Store,
		Credentials: Each(creds, credential),
		Ledger:      Each(pulls, func(l Ledger) report.StoredPull { return pull(l, now) }),
		Rows:        Each(rows, listedOffer),
		Counts:      Each(counts, count),
		RateLimit:   d.RateLimit,
	}
	if len(walk) > 0 {
		w := walk[0]
		out.Walk = &reportoffers.StoredWalk{FinishedAt: moment(w.FinishedAt), Counted: w.Counted, Clamped: w.Clamped, Calls: int(w.Calls)}
		if w.Seen != nil {
			out.Walk.Seen = *w.Seen
		}
	}
	return out, nil
}

// Offer reads everything that an offer's page is made of, in one round trip;
// ErrNotFound for an id that the store's inventory does not have.
func (d *DB) Offer(ctx context.Context, s ScopedStore, id string, c report.Choice, now time.Time) (reportoffers.StoredDetail, error) {
	first, last := day(c.Window.Start), day(c.Window.End)
	var (
		offers          []Offer
		setup           []SetupOfOfferRow
		stages          []StagesOfOfferRow
		recommendations []RecommendationsOfOfferRow
		days            []DaysOfOfferRow
		ranked          []RankedDaysRow
		onRanking       []TopOffersOfWindowRow
		events          []OfferEvent
		creds           []CredentialStatesRow
		pulls, details  []Ledger
		kept            []KeptDaysRow
		pulled          time.Time
		lists           []TopList
		counts          []OfferCount
		suspects        []SuspectDaysRow
		stats           []PlacementStat
		notes           []NotesOfStoreRow
	)
	err := d.read(ctx, func(b *Batch) {
		ask(b, &offers, (*Queries).OfferByID, OfferByIDParams{s.id, id})
		ask(b, &setup, (*Queries).SetupOfOffer, SetupOfOfferParams{s.id, id})
		ask(b, &stages, (*Queries).StagesOfOffer, StagesOfOfferParams{s.id, id})
		ask(b, &recommendations, (*Queries).RecommendationsOfOffer, RecommendationsOfOfferParams{s.id, id})
		ask(b, &days, (*Queries).DaysOfOffer, DaysOfOfferParams{StoreID: s.id, OfferID: id, FirstDay: first, LastDay: last, Today: day(c.Today)})
		ask(b, &ranked, (*Queries).RankedDays, RankedDaysParams{s.id, first, last})
		ask(b, &events, (*Queries).EventsOfOffer, EventsOfOfferParams{s.id, id})
		ask(b, &creds, (*Queries).CredentialStates, s.id)
		ask(b, &pulls, (*Queries).PullStates, s.id)
		ask(b, &details, (*Queries).PullsOfOffer, PullsOfOfferParams{s.id, id})
		ask(b, &kept, (*Queries).KeptDays, KeptDaysParams{s.id, day(c.Today.AddDays(-s.HistoryDays))})
		ask(b, &pulled, (*Queries).NewestPull, s.id)
		ask(b, &lists, (*Queries).TopListsOfWindow, TopListsOfWindowParams{s.id, first, last})
		ask(b, &onRanking, (*Queries).TopOffersOfWindow, TopOffersOfWindowParams{s.id, first, last})
		ask(b, &counts, (*Queries).OfferCountRows, s.id)
		ask(b, &suspects, (*Queries).SuspectDays, s.id)
		ask(b, &stats, (*Queries).StatsOfWindows, StatsOfWindowsParams{s.id, first, last, first, last})
		ask(b, &notes, (*Queries).NotesOfStore, notesOf(s, c.Window))
	})
	if err != nil {
		return reportoffers.StoredDetail{}, fmt.Errorf("read an offer of %s: %w", s.Slug, err)
	}
	if len(offers) == 0 {
		return reportoffers.StoredDetail{}, ErrNotFound
	}
	out := reportoffers.StoredDetail{
		Stored: report.Stored{
			Store: s.Store, Paused: s.Paused, Credentials: Each(creds, credential),
			Ledger:      Each(slices.Concat(pulls, details), func(l Ledger) report.StoredPull { return pull(l, now) }),
			HistoryDays: s.HistoryDays, PulledAt: pulled, RateLimit: d.RateLimit,
			TopLists: topLists(lists, onRanking), Counts: Each(counts, count), Suspects: Each(suspects, suspect),
			StatWindows: Each(stats, stat), Notes: Each(notes, note),
		},
		Offer: offer(offers[0]),
		Days: Each(days, func(r DaysOfOfferRow) reportoffers.StoredDay {
			return reportoffers.StoredDay{Day: civil.DateOf(r.Day), Revenue: r.Revenue, Claims: r.Claims, Currency: r.Currency, FetchedAt: r.FetchedAt}
		}),
		RankedDays: Each(ranked, rankedDay),
		Events: Each(events, func(e OfferEvent) reportoffers.Event {
			return reportoffers.Event{At: e.At, Kind: e.Kind, Before: e.Before, After: e.After}
		}),
	}
	keepDays(&out.Stored, s, kept)
	if len(setup) > 0 {
		out.Setup = &report.StoredJSON{Body: setup[0].Body, FetchedAt: setup[0].FetchedAt}
	}
	if len(stages) > 0 {
		out.Stages = &report.StoredJSON{Body: stages[0].Body, FetchedAt: stages[0].FetchedAt}
	}
	if len(recommendations) > 0 {
		out.Recommendations = &report.StoredJSON{Body: recommendations[0].Body, FetchedAt: recommendations[0].FetchedAt}
	}
	return out, nil
}

func listedOffer(r ListOffersRow) reportoffers.Row {
	row := offer(r.Offer)
	row.TriggerDeleted = r.TriggerDeleted
	return row
}

func offer(o Offer) reportoffers.Row {
	row := reportoffers.Row{
		ID: o.OfferID, Name: o.Name, Placement: report.Placement(o.Placement), Status: o.Status, ABTest: o.AbTest,
		RevenueAllTime: o.Revenue, Currency: text(o.Currency), CreatedAt: text(o.CreatedAtText), URL: safeURL(text(o.Url)),
		FirstSeen: o.FirstSeenAt, LastListed: o.LastListedAt, Unlisted: o.UnlistedAt != nil, Deleted: o.Deleted,
	}
	if o.Deleted { // the address opens nothing any more (N17)
		row.URL = ""
	}
	if o.Priority != nil {
		n := int(*o.Priority)
		row.Priority = &n
	}
	return row
}

func offerMark(m OfferMarksRow) report.Mark {
	return report.Mark{Day: civil.DateOf(m.Day), Start: m.IsStart, Name: m.Name, Offers: m.Offers}
}

func storedTriggers(r DeletedTriggersRow) report.StoredDeletedTriggers {
	return report.StoredDeletedTriggers{Placement: report.Placement(r.Placement), Offers: r.Offers, OfferID: r.OfferID, Name: r.Name, Setup: r.Body}
}
