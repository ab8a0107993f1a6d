package db

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// ExportTable is a table of a store's numbers as written to a file.
type ExportTable struct {
	// Name is the table's, and the file's.
	Name string
	// Says describes its contents in one line.
	Says string
	// Endpoint is the upstream call that its rows come from, Basis how they were obtained; "" if each
	// row says so itself, or if there is none.
	Endpoint, Basis string
	// Columns are its columns except the store's, in the table's order.
	Columns []ExportColumn
	// order makes the same rows always give the same file.
	order string
}

// ExportColumn is a column of an exported table.
type ExportColumn struct {
	Name string
	// Words: it may contain text from outside, which a spreadsheet could run as a formula.
	Words bool
}

const reported, computed = "reported", "computed here"

// exportTables is every table of a store's numbers. A test compares it with the schema.
var exportTables = []ExportTable{
	{Name: "summaries", Says: "the shop-wide results of each window; a day is a window of one day", Endpoint: "GET /data/analytics/summary", Basis: reported, order: "window_start, window_end"},
	{Name: "placement_stats", Says: "each placement's results of each window; placements are never to be summed", Endpoint: "GET /data/analytics/stats", Basis: reported, order: "window_start, window_end, position"},
	{Name: "top_lists", Says: "the rankings of offers by revenue that were asked for, and how much of each came", Endpoint: "GET /data/analytics/top", Basis: reported, order: "window_start, window_end, direction"},
	{Name: "top_offers", Says: "the rows of those rankings", Endpoint: "GET /data/analytics/top", Basis: reported, order: "window_start, window_end, direction, place"},
	{Name: "coverage", Says: "which placements have an active offer, as of fetched_at; the window is that of recent_revenue alone", Endpoint: "GET /data/analytics/coverage", Basis: reported, order: "position"},
	{Name: "lifetimes", Says: "the totals of all time, which have no window", Endpoint: "GET /data/analytics/lifetime", Basis: reported, order: "fetched_at"},
	{Name: "offer_counts", Says: "how many offers there are in each placement, as of fetched_at", Endpoint: "GET /data/offers/count", Basis: reported, order: "position"},
	{Name: "offers", Says: "the offers as last listed; revenue is that of all time", Endpoint: "GET /data/offers", Basis: reported, order: "offer_id"},
	{Name: "offer_events", Says: "what changed about an offer, and when it was seen", Endpoint: "GET /data/offers", Basis: computed, order: "at, offer_id, kind"},
	{Name: "offer_setups", Says: "how each offer is set up", Endpoint: "GET /data/offer/{id}", Basis: reported, order: "offer_id"},
	{Name: "offer_stages", Says: "what each offer sells, stage by stage", Endpoint: "GET /data/offer/{id}/stages", Basis: reported, order: "offer_id"},
	{Name: "offer_recommendations", Says: "which products the service suggests for each offer", Endpoint: "GET /data/products/recommendations", Basis: reported, order: "offer_id"},
	{Name: "revisions", Says: "values that a later answer replaced, with when they were seen", Basis: reported, order: "id"},
	{Name: "window_checks", Says: "the nightly comparison of reported windows with the sum of their days", Basis: computed, order: "window_start, window_end"},
	{Name: "suspect_days", Says: "days whose numbers may be out of date and are being pulled again", Basis: computed, order: "service, first_day, last_day, noticed_by"},
	{Name: "gift_windows", Says: "the gift campaigns' results of each window; basis says which days were derived", Endpoint: "GET /analytics", order: "window_start, window_end, includes_today"},
	{Name: "gift_window_checks", Says: "the same comparison for gifts", Basis: computed, order: "window_start, window_end"},
	{Name: "gift_health", Says: "whether the gift widget can appear, section by section", Endpoint: "GET /setup-health", Basis: reported, order: "section"},
	{Name: "gift_plans", Says: "the gift plan and its use, as of fetched_at", Endpoint: "GET /plan", Basis: reported, order: "fetched_at"},
	{Name: "gift_plan_days", Says: "the last answer about the plan on each of the store's days", Endpoint: "GET /plan", Basis: reported, order: "day"},
	{Name: "gift_campaign_lists", Says: "what the list of campaigns said about itself", Endpoint: "GET /campaigns", Basis: reported, order: "fetched_at"},
	{Name: "gift_campaigns", Says: "the gift campaigns as last listed", Endpoint: "GET /campaigns", Basis: reported, order: "campaign_id"},
	{Name: "gift_campaign_configs", Says: "how each campaign is set up, as the service sent it", Endpoint: "GET /campaigns/{id}", Basis: reported, order: "campaign_id"},
	{Name: "gift_widgets", Says: "the types of gift widget", Endpoint: "GET /widgets", Basis: reported, order: "position, type"},
	{Name: "gift_widget_settings", Says: "how each is set up, as the service sent it", Endpoint: "GET /widgets/{type}", Basis: reported, order: "type"},
	{Name: "gift_translations", Says: "customised wording by language", Endpoint: "GET /translations", Basis: reported, order: "locale"},
	{Name: "gift_settings", Says: "the store-wide gift settings, as the service sent them", Endpoint: "GET /settings", Basis: reported, order: "fetched_at"},
	{Name: "notes", Says: "the notes that people wrote about days; for_clients says which of them clients see", Basis: "written by people", order: "first_day, id"},
	{Name: "ledger", Says: "every pull: when it is due, how it went last, its last good answer", order: "service, pull, subject"},
}

// ExportTables lists an export's tables, without their columns.
func ExportTables() []ExportTable { return exportTables }

// exportStep is how many rows are in memory at once.
const exportStep = 500

// Export passes every table of the store to begin, and each of its rows, in order, to the function that
// begin returns. All are from the same moment. A row is the text of its columns, nil for null, and only
// valid until the next one.
func (d *DB) Export(ctx context.Context, s ScopedStore, begin func(ExportTable) (row func([]*string) error, err error)) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return d.begin(ctx, options, func(tx pgx.Tx) error {
		for _, table := range exportTables {
			if err := exportTable(ctx, tx, s.id, table, begin); err != nil {
				return fmt.Errorf("export %s of %s: %w", table.Name, s.Slug, err)
			}
		}
		return nil
	})
}

func exportTable(ctx context.Context, tx pgx.Tx, store int64, table ExportTable, begin func(ExportTable) (func([]*string) error, error)) error {
	var err error
	if table.Columns, err = exportColumns(ctx, tx, table.Name); err != nil {
		return err
	}
	names := make([]string, len(table.Columns))
	for i, c := range table.Columns {
		names[i] = pgx.Identifier{c.Name}.Sanitize()
	}
	// A cursor avoids reading years of rows at once, or in one long statement.
	_, err = tx.Exec(ctx, fmt.Sprintf("declare export no scroll cursor for select %s from %s where store_id = %d order by %s",
		strings.Join(names, ", "), pgx.Identifier{table.Name}.Sanitize(), store, table.order))
	if err != nil {
		return err
	}
	row, err := begin(table)
	if err != nil {
		return err
	}
	for {
		n, err := exportRows(ctx, tx, row)
		if err != nil {
			return err
		}
		if n < exportStep {
			break
		}
	}
	_, err = tx.Exec(ctx, "close export")
	return err
}

func exportRows(ctx context.Context, tx pgx.Tx, row func([]*string) error) (n int, err error) {
	rows, err := tx.Query(ctx, fmt.Sprintf("fetch %d from export", exportStep), pgx.QueryExecModeSimpleProtocol) // all of it as text
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		raw := rows.RawValues()
		values := make([]*string, len(raw))
		for i, v := range raw {
			if v != nil {
				values[i] = new(string(v))
			}
		}
		if err := row(values); err != nil {
			return n, err
		}
		n++
	}
	return n, rows.Err()
}

// exportColumns are the table's columns except the store, people's ids, and what only workers need.
func exportColumns(ctx context.Context, tx pgx.Tx, table string) ([]ExportColumn, error) {
	rows, err := tx.Query(ctx, `
		select a.attname::text, t.typcategory not in ('N', 'B', 'D') and t.typname not in ('date', 'timestamptz')
		from pg_attribute a
		join pg_type t on t.oid = a.atttypid
		where a.attrelid = $1::text::regclass and a.attnum > 0 and not a.attisdropped
			and a.attname not in ('store_id', 'claim', 'claimed_until', 'claimed_by', 'last_walk', 'priority_walk', 'written_by')
		order by a.attnum`, table)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[ExportColumn])
}
