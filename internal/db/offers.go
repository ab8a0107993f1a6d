package db

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
	reportoffers "github.com/storeglass/storeglass/internal/report/offers"
)

// Offers reads all of a store's stored offers, in one round trip.
func (d *DB) Offers(ctx context.Context, s ScopedStore) (reportoffers.StoredList, error) {
	out := reportoffers.StoredList{Store: s.Store}
	err := d.read(ctx, func(b *Batch) {
		askEach(b, &out.Rows, (*sqlc.Queries).ListOffers, s.id, listedOffer)
		askFirst(b, &out.Walk, (*sqlc.Queries).NewestWalk, sqlc.NewestWalkParams{StoreID: s.id}, storedWalk)
		askEach(b, &out.Credentials, (*sqlc.Queries).CredentialStates, one(s), credential)
		askEach(b, &out.Ledger, (*sqlc.Queries).PullStates, s.id, pull)
	})
	return out, Tried(err, "read offers of %s", s.Slug)
}

func storedWalk(w sqlc.OfferWalk) reportoffers.StoredWalk {
	return reportoffers.StoredWalk{FinishedAt: OrZero(w.FinishedAt), Seen: OrZero(w.Seen), Counted: w.Counted, Clamped: w.Clamped, Calls: int(w.Calls)}
}

// Offer reads everything that an offer's page needs in one round trip. It returns ErrNotFound for an id
// that isn't in the store's inventory.
func (d *DB) Offer(ctx context.Context, s ScopedStore, id string, c report.Choice) (reportoffers.StoredDetail, error) {
	in := windowsOf(s.id, c.Window, c.Window)
	out := reportoffers.StoredDetail{Stored: report.Stored{Store: s.Store, Paused: s.Paused, HistoryDays: s.HistoryDays}}
	var (
		known   *reportoffers.Row
		details []report.StoredPull
		kept    []sqlc.KeptDaysRow
		lists   []sqlc.TopList
		ranking []sqlc.TopOffersOfWindowsRow
	)
	parts := map[string]**report.StoredJSON{"offer.setup": &out.Setup, "offer.stages": &out.Stages, "offer.recommendations": &out.Recommendations}
	err := d.read(ctx, func(b *Batch) {
		askFirst(b, &known, (*sqlc.Queries).OfferByID, sqlc.OfferByIDParams{StoreID: s.id, OfferID: id}, offer)
		askFor(b, (*sqlc.Queries).DetailsOfOffer, sqlc.DetailsOfOfferParams{StoreID: s.id, OfferID: id}, func(r sqlc.DetailsOfOfferRow) {
			*parts[r.Pull] = &report.StoredJSON{Body: r.Body, FetchedAt: r.FetchedAt}
		})
		askEach(b, &out.Days, (*sqlc.Queries).DaysOfOffer, sqlc.DaysOfOfferParams{StoreID: s.id, OfferID: id, FirstDay: c.Window.Start, LastDay: c.Window.End, Today: c.Today}, func(r sqlc.DaysOfOfferRow) reportoffers.StoredDay { return reportoffers.StoredDay(r) })
		askAll(b, &out.RankedDays, (*sqlc.Queries).RankingsOfDays, sqlc.RankingsOfDaysParams(in), rankedDays)
		askEach(b, &out.Events, (*sqlc.Queries).EventsOfOffer, sqlc.EventsOfOfferParams{StoreID: s.id, OfferID: id}, func(r sqlc.EventsOfOfferRow) reportoffers.Event { return reportoffers.Event(r) })
		askEach(b, &out.Stored.Credentials, (*sqlc.Queries).CredentialStates, one(s), credential)
		askEach(b, &out.Stored.Ledger, (*sqlc.Queries).PullStates, s.id, pull)
		askEach(b, &details, (*sqlc.Queries).PullsOfSubjects, sqlc.PullsOfSubjectsParams{StoreID: s.id, Pulls: []string{"offer.setup", "offer.stages", "offer.recommendations"}, Subjects: []string{id}}, pull)
		ask(b, &kept, (*sqlc.Queries).KeptDays, sqlc.KeptDaysParams{StoreID: s.id, Since: c.Today.AddDays(-s.HistoryDays)})
		ask(b, &out.Stored.PulledAt, (*sqlc.Queries).NewestPull, s.id)
		ask(b, &lists, (*sqlc.Queries).TopListsOfWindows, sqlc.TopListsOfWindowsParams(in))
		ask(b, &ranking, (*sqlc.Queries).TopOffersOfWindows, sqlc.TopOffersOfWindowsParams(in))
		askEach(b, &out.Stored.Counts, (*sqlc.Queries).OfferCountRows, s.id, count)
		askEach(b, &out.Stored.Suspects, (*sqlc.Queries).SuspectDays, one(s), suspect)
		askEach(b, &out.Stored.StatWindows, (*sqlc.Queries).StatsOfWindows, in, stat)
		askEach(b, &out.Stored.Notes, (*sqlc.Queries).NotesOfStore, notesOf(s, c.Window), note)
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

func listedOffer(r sqlc.ListOffersRow) reportoffers.Row {
	row := offer(r.Offer)
	row.TriggerDeleted = r.TriggerDeleted
	return row
}

func offer(o sqlc.Offer) reportoffers.Row {
	row := reportoffers.Row{
		ID: o.OfferID, Name: o.Name, Placement: o.Placement, Status: o.Status, ABTest: o.AbTest,
		RevenueAllTime: o.Revenue, Currency: OrZero(o.Currency), CreatedAt: OrZero(o.CreatedAtText), URL: safeURL(OrZero(o.Url)),
		FirstSeen: o.FirstSeenAt, LastListed: o.LastListedAt, Unlisted: o.UnlistedAt != nil, Deleted: o.Deleted,
	}
	if o.Deleted { // its URL doesn't open anything anymore (N17)
		row.URL = ""
	}
	if o.Priority != nil {
		row.Priority = new(int(*o.Priority))
	}
	return row
}
