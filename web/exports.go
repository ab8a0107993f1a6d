package web

import (
	"fmt"
	"slices"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
)

// export is a table of a store that can be had as a file, under name.csv and
// name.xlsx beside the page that shows it, for the same window.
type export struct {
	name  string
	build func(*reportsHandlers, *call) (table, error)
	// under is the address of the page that the file stands beside, below the
	// store's; empty for the store's own.
	under string
}

// file is the file's name; whose history it is stands in its rows.
func (e export) file() string {
	switch e.under {
	case "":
		return e.name
	case "gift":
		return "gift-" + e.name
	}
	return "offer-" + e.name
}

// path is the file's address below the store's, without its ending.
func (e export) path() string {
	if e.under == "" {
		return e.name
	}
	return e.under + "/" + e.name
}

var exports = []export{
	{name: "history", build: ofOverview(historyTable)},
	{name: "placements", build: ofOverview(placementsTable)},
	{name: "top", build: ofOverview(topTable)},
	{name: "ledger", build: ledgerTable},
	{name: "offers", build: offersTable},
	{name: "history", build: offerHistoryTable, under: "offers/:id"},
	{name: "history", build: ofGift(giftHistoryTable), under: "gift"},
	{name: "campaigns", build: ofGift(giftCampaignsTable), under: "gift"},
	{name: "setup-health", build: ofGift(giftHealthTable), under: "gift"},
	{name: "widgets", build: ofGift(giftWidgetsTable), under: "gift"},
	{name: "translations", build: ofGift(giftTranslationsTable), under: "gift"},
}

func (s *reportsHandlers) exportCSV(e export) func(*call) error {
	return s.exportFile(e, ".csv", csvType, table.csv)
}

func (s *reportsHandlers) exportXLSX(e export) func(*call) error {
	return s.exportFile(e, ".xlsx", xlsxType, table.xlsx)
}

func (s *reportsHandlers) exportFile(e export, ending, contentType string, write func(table) ([]byte, error)) func(*call) error {
	return func(c *call) error {
		t, err := e.build(s, c)
		if err != nil {
			return err
		}
		if c.link != nil {
			t = t.without(untold(e, c.link.Window.Fixed())...)
		}
		body, err := write(t)
		if err != nil {
			return err
		}
		// The slug has no character that would need quoting.
		return s.sendFile(c, fmt.Sprintf("%s-%s%s", c.store.Slug, e.file(), ending), newDocument(contentType, body))
	}
}

// ofOverview builds from the very value that the overview shows for the window in the address.
func ofOverview(build func(report.Overview) table) func(*reportsHandlers, *call) (table, error) {
	return func(s *reportsHandlers, c *call) (table, error) {
		now := c.minute()
		choice, err := c.choice(now)
		if err != nil {
			return table{}, err
		}
		o, err := s.overview(c, choice, now)
		if err != nil {
			return table{}, err
		}
		return build(o), nil
	}
}

func historyTable(o report.Overview) table {
	t := table{
		title: "Daily history",
		columns: slices.Concat([]string{
			"store", "day", "stored", "currency", "total_upsold_value", "total_upsold_orders", "total_orders",
			"upsell_success_rate", "average_upsold_value", "offer_views", "partial", "revised", "day_fetched_at",
		}, provenanceColumns),
		about: aboutProvenance(o.Store, o.Trend.Provenance),
	}
	for _, d := range o.Trend.Days {
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(o.Store.Slug), dayCell(d.Day), yesCell(d.Stored), textCell(d.Currency),
			moneyOrNone(d.Value, d.Currency), countOrNone(d.Orders), countOrNone(d.TotalOrders),
			numberOrNone(d.SuccessRate), moneyOrNone(d.Average, d.Currency), countOrNone(d.Views),
			yesCell(d.Partial), yesCell(d.Revised), timeCell(d.FetchedAt),
		}, provenanceCells(o.Trend.Provenance)))
	}
	return t
}

func placementsTable(o report.Overview) table {
	p := o.Placements
	t := table{
		title: "Placements, side by side; never to be summed",
		columns: slices.Concat([]string{
			"store", "placement", "currency", "revenue", "revenue_reported", "impressions", "claims",
		}, provenanceColumns),
		about: aboutProvenance(o.Store, p.Provenance),
	}
	for _, r := range p.Rows {
		impressions, claims := countCell(r.Impressions), countCell(r.Claims)
		if r.Absent { // the service sent no row: that is not zero
			impressions, claims = cell{}, cell{}
		}
		t.rows = append(t.rows, slices.Concat([]cell{
			textCell(o.Store.Slug), textCell(string(r.Placement)), textCell(p.Currency),
			moneyOrNone(r.Revenue, p.Currency), yesCell(r.Revenue != nil), impressions, claims,
		}, provenanceCells(p.Provenance)))
	}
	return t
}

func topTable(o report.Overview) table {
	t := table{
		title: "Offers by revenue earned in the window",
		columns: slices.Concat([]string{
			"store", "list", "rank", "offer_id", "offer", "placement", "status", "deleted", "ab_test", "currency",
			"revenue_in_window", "revenue_all_time", "claims", "acceptance_rate_as_reported", "acceptance_unit", "url",
		}, provenanceColumns),
		about: aboutProvenance(o.Store, o.Top.Provenance),
	}
	add := func(list string, rows []report.TopRow) {
		for _, r := range rows {
			rank := cell{}
			if r.Rank > 0 {
				rank = countCell(int64(r.Rank))
			}
			t.rows = append(t.rows, slices.Concat([]cell{
				textCell(o.Store.Slug), textCell(list), rank, textCell(r.OfferID), textCell(r.Name),
				textCell(string(r.Placement)), textCell(r.Status), yesCell(r.Deleted), yesCell(r.ABTest), textCell(o.Top.Currency),
				moneyOrNone(r.Revenue, o.Top.Currency), moneyOrNone(r.RevenueAllTime, o.Top.Currency), countOrNone(r.Claims), numberOrNone(r.AcceptanceRate), textCell(string(o.Top.AcceptanceUnit)), textCell(r.URL),
			}, provenanceCells(o.Top.Provenance)))
		}
	}
	add("highest", o.Top.Highest)
	add("lowest", o.Top.Lowest)
	return t
}

func ledgerTable(s *reportsHandlers, c *call) (table, error) {
	now := c.minute()
	stored, err := s.db.StoredSync(c.Request().Context(), c.store, now)
	if err != nil {
		return table{}, err
	}
	sync := ledger.New(stored, "all", now)
	t := table{
		title: "Ledger: every pull with its last outcome",
		columns: []string{
			"store", "service", "pull", "subject", "label", "endpoint", "window", "outcome", "state", "last_good_at", "due_at", "attempts", "lane",
		},
		about: [][2]string{{"Store", sync.Store.Name}, {"As of", now.UTC().Format("2006-01-02 15:04 MST")}, {"State", sync.Words}},
	}
	for _, r := range sync.Rows {
		t.rows = append(t.rows, []cell{
			textCell(c.store.Slug), textCell(r.Service), textCell(r.Pull), textCell(r.Subject), textCell(r.Label), textCell(r.Endpoint),
			textCell(r.Window), textCell(r.Outcome), textCell(r.State), timeOrNone(r.LastGood), timeOrNone(r.Due),
			countCell(int64(r.Attempts)), textCell(r.Lane),
		})
	}
	return t, nil
}
