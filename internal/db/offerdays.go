package db

import (
	"context"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// OfferDays reads what the offers earned on each day of a window, and which days have a ranking.
func (d *DB) OfferDays(ctx context.Context, s ScopedStore, ids []string, w report.Window) (out report.StoredOfferDays, err error) {
	err = d.read(ctx, func(b *Batch) { askOfferDays(b, &out, s.id, ids, w) })
	return out, Tried(err, "read days of offers of %s", s.Slug)
}

// askOfferDays adds what OfferDays reads.
func askOfferDays(b *Batch, into *report.StoredOfferDays, store int64, ids []string, w report.Window) {
	var lists []sqlc.RankingsOfDaysRow
	ask(b, &lists, (*sqlc.Queries).RankingsOfDays, sqlc.RankingsOfDaysParams(windowsOf(store, w, w)))
	askAll(b, into, (*sqlc.Queries).RowsOfOffers, sqlc.RowsOfOffersParams{StoreID: store, OfferIds: ids, FirstDay: w.Start, LastDay: w.End}, func(rows []sqlc.RowsOfOffersRow) report.StoredOfferDays {
		return offerDays(lists, rows)
	})
}

// ranking is that of a past day. lowest is nil if that end wasn't read, or was read more than an hour
// before the highest, which makes it useless.
type ranking struct{ highest, lowest *sqlc.RankingsOfDaysRow }

func rankings(lists []sqlc.RankingsOfDaysRow) (out []ranking) {
	for i := range lists {
		l, n := &lists[i], len(out)
		switch {
		case l.Direction == fact.Highest && !l.Partial:
			out = append(out, ranking{highest: l})
		case l.Direction == fact.Lowest && n > 0 && out[n-1].highest.Day == l.Day && !l.FetchedAt.Before(out[n-1].highest.FetchedAt.Add(-time.Hour)):
			out[n-1].lowest = l
		}
	}
	return out
}

// rankedDays are the past days that have a ranking, each as old as its older end.
func rankedDays(lists []sqlc.RankingsOfDaysRow) []report.StoredRankedDay {
	return Each(rankings(lists), func(r ranking) report.StoredRankedDay {
		out := report.StoredRankedDay{Day: r.highest.Day, Whole: r.highest.Whole, Currency: r.highest.Currency, FetchedAt: r.highest.FetchedAt}
		if r.lowest != nil && r.lowest.FetchedAt.Before(out.FetchedAt) {
			out.FetchedAt = r.lowest.FetchedAt
		}
		return out
	})
}

// offerDays are the offers' rows in the rankings. If both ends of a day's ranking have an offer, the
// newer row counts.
func offerDays(lists []sqlc.RankingsOfDaysRow, rows []sqlc.RowsOfOffersRow) report.StoredOfferDays {
	out, of := report.StoredOfferDays{Ranked: rankedDays(lists)}, map[civil.Date]ranking{}
	for _, r := range rankings(lists) {
		of[r.highest.Day] = r
	}
	for _, r := range rows {
		list, n := of[r.Day].highest, len(out.Days)
		if r.Direction == fact.Lowest {
			list = of[r.Day].lowest
		}
		if list == nil {
			continue
		}
		d := report.StoredOfferDay{OfferID: r.OfferID, Day: r.Day, Revenue: r.Revenue, Claims: r.Claims, Currency: list.Currency}
		switch {
		case n == 0 || out.Days[n-1].OfferID != d.OfferID || out.Days[n-1].Day != d.Day:
			out.Days = append(out.Days, d)
		case list.FetchedAt.After(of[r.Day].highest.FetchedAt):
			out.Days[n-1] = d
		}
	}
	return out
}
