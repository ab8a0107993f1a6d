package pulls

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db"
)

// numbers are the values that replies set. Those of replies that are written together
// are put together: one statement writes the rows of a table, however many replies
// brought them. Fields of a row are named like the table's columns.
type numbers struct {
	summaries []summaryRow
	stats     []statRow
	lists     []topList
	ranks     []topRow
	// others queue the statements of what comes seldom.
	others []func(*db.Batch)
}

// window is the key that most rows have in common.
type window struct {
	WindowStart civil.Date `json:"window_start"`
	WindowEnd   civil.Date `json:"window_end"`
}

type summaryRow struct {
	window
	TotalUpsoldValue   decimal.Decimal  `json:"total_upsold_value"`
	TotalUpsoldOrders  int64            `json:"total_upsold_orders"`
	TotalOrders        int64            `json:"total_orders"`
	UpsellSuccessRate  *decimal.Decimal `json:"upsell_success_rate"`
	AverageUpsoldValue *decimal.Decimal `json:"average_upsold_value"`
	OfferViews         *int64           `json:"offer_views"`
	Currency           string           `json:"currency"`
	Source             string           `json:"source"`
	AskedStart         civil.Date       `json:"asked_start"`
	AskedEnd           civil.Date       `json:"asked_end"`
	Partial            bool             `json:"partial"`
	Flags              []string         `json:"flags"`
	FetchedAt          time.Time        `json:"fetched_at"`
}

type statRow struct {
	window
	Placement      string           `json:"placement"`
	Impressions    int64            `json:"impressions"`
	Claims         int64            `json:"claims"`
	Revenue        *decimal.Decimal `json:"revenue"`
	Currency       string           `json:"currency"`
	ShopOfferCount int64            `json:"shop_offer_count"`
	Source         string           `json:"source"`
	Partial        bool             `json:"partial"`
	Position       int              `json:"position"`
	FetchedAt      time.Time        `json:"fetched_at"`
}

// ranking is the key of a list and of its rows.
type ranking struct {
	window
	Direction string `json:"direction"`
}

type topList struct {
	ranking
	RowLimit       int       `json:"row_limit"`
	RowCount       int       `json:"row_count"`
	ShopOfferCount int64     `json:"shop_offer_count"`
	Currency       string    `json:"currency"`
	Source         string    `json:"source"`
	Partial        bool      `json:"partial"`
	FetchedAt      time.Time `json:"fetched_at"`
}

type topRow struct {
	ranking
	Place          int              `json:"place"`
	OfferID        string           `json:"offer_id"`
	Name           string           `json:"name"`
	Placement      string           `json:"placement"`
	Status         string           `json:"status"`
	ABTest         bool             `json:"ab_test"`
	Revenue        *decimal.Decimal `json:"revenue"`
	Claims         *int64           `json:"claims"`
	AcceptanceRate *decimal.Decimal `json:"acceptance_rate"`
	Deleted        bool             `json:"deleted"`
	URL            *string          `json:"url"`
	fetchedAt      time.Time
}

// queued are numbers that a function queues by itself.
func queued(f func(*db.Batch)) numbers {
	return numbers{others: []func(*db.Batch){f}}
}

func (n *numbers) add(m numbers) {
	n.summaries = append(n.summaries, m.summaries...)
	n.stats = append(n.stats, m.stats...)
	n.lists = append(n.lists, m.lists...)
	n.ranks = append(n.ranks, m.ranks...)
	n.others = append(n.others, m.others...)
}

// queue queues the statements that write the numbers of a store.
func (n *numbers) queue(b *db.Batch, store int64) {
	if len(n.summaries) > 0 {
		db.Queue(b, (*db.Queries).UpsertSummaries, db.UpsertSummariesParams{StoreID: store, Rows: rows(n.summaries)})
	}
	if len(n.stats) > 0 {
		db.Queue(b, (*db.Queries).UpsertPlacementStats, db.UpsertPlacementStatsParams{StoreID: store, Rows: rows(n.stats)})
	}
	if len(n.lists) > 0 {
		n.queueLists(b, store)
	}
	for _, queue := range n.others {
		queue(b)
	}
}

// queueLists writes rankings and what follows from them: which offers are deleted,
// which lists are whole, and which days are to be asked for their other end.
func (n *numbers) queueLists(b *db.Batch, store int64) {
	db.Queue(b, (*db.Queries).ReplaceTopLists, db.ReplaceTopListsParams{StoreID: store, Lists: rows(n.lists), Rows: rows(n.ranks)})
	deleted := db.MarkDeletedParams{StoreID: store}
	for _, r := range n.ranks {
		if r.Deleted {
			deleted.OfferIds, deleted.Ats = append(deleted.OfferIds, r.OfferID), append(deleted.Ats, r.fetchedAt)
		}
	}
	if len(deleted.OfferIds) > 0 {
		db.Queue(b, (*db.Queries).MarkDeleted, deleted)
	}
	proven, asked := db.ProveTopListsParams{StoreID: store}, db.AskLowestOfDaysParams{StoreID: store}
	for _, l := range n.lists {
		proven.Starts, proven.Ends = append(proven.Starts, day(l.WindowStart)), append(proven.Ends, day(l.WindowEnd))
		if l.WindowStart == l.WindowEnd {
			asked.Days = append(asked.Days, day(l.WindowStart))
		}
	}
	db.Queue(b, (*db.Queries).ProveTopLists, proven)
	db.Queue(b, (*db.Queries).AskLowestOfDays, asked)
	db.Queue(b, (*db.Queries).UnaskProvenDays, store)
}
