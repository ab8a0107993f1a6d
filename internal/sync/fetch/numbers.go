package fetch

import (
	"context"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// Numbers are the values that replies set. Numbers of replies that are written together are
// merged, so each table takes one statement however many replies there are.
type Numbers struct {
	summaries []sqlc.Summary
	stats     []sqlc.PlacementStat
	lists     []sqlc.TopList
	ranks     []sqlc.TopOffer
	// deleted are the offers that rankings report as deleted.
	deleted sqlc.MarkDeletedParams
	// others queue the rarer statements.
	others []func(*db.Batch)
}

// set adds a statement that writes numbers of the answer.
func set[P any](a *Answer, statement func(*sqlc.Queries, context.Context, P) error, params P) {
	a.Numbers.others = append(a.Numbers.others, func(b *db.Batch) { db.Queue(b, statement, params) })
}

// Add adds those of another reply.
func (n *Numbers) Add(m Numbers) {
	n.summaries = append(n.summaries, m.summaries...)
	n.stats = append(n.stats, m.stats...)
	n.lists = append(n.lists, m.lists...)
	n.ranks = append(n.ranks, m.ranks...)
	n.deleted.OfferIds = append(n.deleted.OfferIds, m.deleted.OfferIds...)
	n.deleted.Ats = append(n.deleted.Ats, m.deleted.Ats...)
	n.others = append(n.others, m.others...)
}

// Queue queues the statements that write the numbers of a store.
func (n *Numbers) Queue(b *db.Batch, store int64) {
	if len(n.summaries) > 0 {
		db.Queue(b, (*sqlc.Queries).UpsertSummaries, sqlc.UpsertSummariesParams{StoreID: store, Rows: db.Rows(n.summaries)})
	}
	if len(n.stats) > 0 {
		db.Queue(b, (*sqlc.Queries).UpsertPlacementStats, sqlc.UpsertPlacementStatsParams{StoreID: store, Rows: db.Rows(n.stats)})
	}
	if len(n.lists) > 0 {
		db.Queue(b, (*sqlc.Queries).ReplaceTopLists, sqlc.ReplaceTopListsParams{StoreID: store, Lists: db.Rows(n.lists), Rows: db.Rows(n.ranks)})
	}
	if len(n.deleted.OfferIds) > 0 {
		n.deleted.StoreID = store
		db.Queue(b, (*sqlc.Queries).MarkDeleted, n.deleted)
	}
	if len(n.lists) > 0 || len(n.stats) > 0 {
		n.queueProofs(b, store)
	}
	for _, queue := range n.others {
		queue(b)
	}
}

// queueProofs finds the rankings that are now known to be complete, and asks for the other end of
// new days that aren't. Placement stats may prove a ranking that came before them.
func (n *Numbers) queueProofs(b *db.Batch, store int64) {
	proven, asked := sqlc.ProveTopListsParams{StoreID: store}, sqlc.AskLowestOfDaysParams{StoreID: store}
	for _, l := range n.lists {
		proven.Starts, proven.Ends = append(proven.Starts, l.WindowStart), append(proven.Ends, l.WindowEnd)
		if l.WindowStart == l.WindowEnd {
			asked.Days = append(asked.Days, l.WindowStart)
		}
	}
	for _, s := range n.stats {
		proven.Starts, proven.Ends = append(proven.Starts, s.WindowStart), append(proven.Ends, s.WindowEnd)
	}
	db.Queue(b, (*sqlc.Queries).ProveTopLists, proven)
	if len(asked.Days) > 0 {
		db.Queue(b, (*sqlc.Queries).AskLowestOfDays, asked)
	}
	db.Queue(b, (*sqlc.Queries).UnaskProvenDays, store)
}
