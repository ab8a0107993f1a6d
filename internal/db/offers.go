package db

import (
	"context"
	"fmt"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// Offers reads all of a store's stored offers, in one round trip.
func (d *DB) Offers(ctx context.Context, s ScopedStore) (reportoffers.StoredList, error) {
	out := reportoffers.StoredList{Store: s.Store}
	err := d.read(ctx, func(b *Batch) {
		askEach(b, &out.Rows, (*Queries).ListOffers, s.id, listedOffer)
		askFirst(b, &out.Walk, (*Queries).LastWalk, s.id, storedWalk)
		askEach(b, &out.Credentials, (*Queries).CredentialStates, s.id, credential)
		askEach(b, &out.Ledger, (*Queries).PullStates, s.id, pull)
	})
	if err != nil {
		return reportoffers.StoredList{}, fmt.Errorf("read offers of %s: %w", s.Slug, err)
	}
	return out, nil
}

func storedWalk(w OfferWalk) reportoffers.StoredWalk {
	out := reportoffers.StoredWalk{FinishedAt: moment(w.FinishedAt), Counted: w.Counted, Clamped: w.Clamped, Calls: int(w.Calls)}
	if w.Seen != nil {
		out.Seen = *w.Seen
	}
	return out
}

// Offer reads everything that an offer's page is made of, in one round trip;
// ErrNotFound for an id that the store's inventory does not have.
func (d *DB) Offer(ctx context.Context, s ScopedStore, id string, c report.Choice) (reportoffers.StoredDetail, error) {
	first, last := day(c.Window.Start), day(c.Window.End)
	out := reportoffers.StoredDetail{Stored: report.Stored{Store: s.Store, Paused: s.Paused, HistoryDays: s.HistoryDays}}
	var (
		known   *reportoffers.Row
		details []report.StoredPull
		kept    []KeptDaysRow
		lists   []TopList
		ranking []TopOffersOfWindowsRow
	)
	err := d.read(ctx, func(b *Batch) {
		askFirst(b, &known, (*Queries).OfferByID, OfferByIDParams{s.id, id}, offer)
		askFirst(b, &out.Setup, (*Queries).SetupOfOffer, SetupOfOfferParams{s.id, id}, func(r SetupOfOfferRow) report.StoredJSON { return report.StoredJSON(r) })
		askFirst(b, &out.Stages, (*Queries).StagesOfOffer, StagesOfOfferParams{s.id, id}, func(r StagesOfOfferRow) report.StoredJSON { return report.StoredJSON(r) })
		askFirst(b, &out.Recommendations, (*Queries).RecommendationsOfOffer, RecommendationsOfOfferParams{s.id, id}, func(r RecommendationsOfOfferRow) report.StoredJSON { return report.StoredJSON(r) })
		askEach(b, &out.Days, (*Queries).DaysOfOffer, DaysOfOfferParams{StoreID: s.id, OfferID: id, FirstDay: first, LastDay: last, Today: day(c.Today)}, dayOfOffer)
		askAll(b, &out.RankedDays, (*Queries).RankingsOfDays, rankingsOf(s.id, c.Window, c.Window), rankedDays)
		askEach(b, &out.Events, (*Queries).EventsOfOffer, EventsOfOfferParams{s.id, id}, offerEvent)
		askEach(b, &out.Stored.Credentials, (*Queries).CredentialStates, s.id, credential)
		askEach(b, &out.Stored.Ledger, (*Queries).PullStates, s.id, pull)
		askEach(b, &details, (*Queries).PullsOfSubjects, PullsOfSubjectsParams{s.id, []string{"offer.setup", "offer.stages", "offer.recommendations"}, []string{id}}, pull)
		ask(b, &kept, (*Queries).KeptDays, KeptDaysParams{s.id, day(c.Today.AddDays(-s.HistoryDays))})
		ask(b, &out.Stored.PulledAt, (*Queries).NewestPull, s.id)
		ask(b, &lists, (*Queries).TopListsOfWindows, TopListsOfWindowsParams{s.id, first, last, first, last})
		ask(b, &ranking, (*Queries).TopOffersOfWindows, TopOffersOfWindowsParams{s.id, first, last, first, last})
		askEach(b, &out.Stored.Counts, (*Queries).OfferCountRows, s.id, count)
		askEach(b, &out.Stored.Suspects, (*Queries).SuspectDays, s.id, suspect)
		askEach(b, &out.Stored.StatWindows, (*Queries).StatsOfWindows, StatsOfWindowsParams{s.id, first, last, first, last}, stat)
		askEach(b, &out.Stored.Notes, (*Queries).NotesOfStore, notesOf(s, c.Window), note)
	})
	switch {
	case err != nil:
		return reportoffers.StoredDetail{}, fmt.Errorf("read an offer of %s: %w", s.Slug, err)
	case known == nil:
		return reportoffers.StoredDetail{}, ErrNotFound
	}
	out.Offer, out.Stored.Ledger, out.Stored.TopLists = *known, append(out.Stored.Ledger, details...), topLists(lists, ranking)
	keepDays(&out.Stored, s, kept)
	return out, nil
}

func listedOffer(r ListOffersRow) reportoffers.Row {
	row := offer(r.Offer)
	row.TriggerDeleted = r.TriggerDeleted
	return row
}

func dayOfOffer(r DaysOfOfferRow) reportoffers.StoredDay {
	return reportoffers.StoredDay{Day: civil.DateOf(r.Day), Revenue: r.Revenue, Claims: r.Claims, Currency: r.Currency, FetchedAt: r.FetchedAt}
}

func offerEvent(e OfferEvent) reportoffers.Event {
	return reportoffers.Event{At: e.At, Kind: e.Kind, Before: e.Before, After: e.After}
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

func storedTriggers(r DeletedTriggersRow) report.StoredDeletedTriggers {
	return report.StoredDeletedTriggers{Placement: report.Placement(r.Placement), Offers: r.Offers, IDs: r.OfferIds, OfferID: r.OfferIds[0], Name: r.Name, Setup: r.Body}
}
