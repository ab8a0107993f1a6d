package reports

import (
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/web/site"
)

// Export is a table of a store that can be downloaded as name.csv and name.xlsx next to the
// page that shows it, for the same window.
type Export struct {
	Name  string
	build func(*Handlers, *site.Call) (site.Table, error)
	// under is the path of the file's page below the store's address; empty for the store's own
	// page.
	under string
}

// file is the file's name; its rows say whose history it is.
func (e Export) file() string {
	switch e.under {
	case "":
		return e.Name
	case "gift":
		return "gift-" + e.Name
	case "placements":
		return "placements-" + e.Name
	}
	return "offer-" + e.Name
}

// Path is the file's address below the store's, without its ending.
func (e Export) Path() string {
	if e.under == "" {
		return e.Name
	}
	return e.under + "/" + e.Name
}

var Exports = []Export{
	{Name: "history", build: ofOverview(historyTable)},
	{Name: "placements", build: ofOverview(placementsTable)},
	{Name: "history", build: ofOverview(placementDaysTable), under: "placements"},
	{Name: "top", build: ofOverview(topTable)},
	{Name: "ledger", build: ledgerTable},
	{Name: "offers", build: ofWindow(offersTable)},
	{Name: "history", build: ofWindow(offerHistoryTable), under: "offers/:id"},
	{Name: "history", build: ofGift(giftHistoryTable), under: "gift"},
	{Name: "campaigns", build: ofGift(giftCampaignsTable), under: "gift"},
	{Name: "setup-health", build: ofGift(giftHealthTable), under: "gift"},
	{Name: "widgets", build: ofGift(giftWidgetsTable), under: "gift"},
	{Name: "translations", build: ofGift(giftTranslationsTable), under: "gift"},
}

// ExportFile makes the handler of a table's file.
func (s *Handlers) ExportFile(e Export, f site.Format) func(*site.Call) error {
	return s.File(f, e.file(), func(c *site.Call) (site.Table, error) {
		// A file is for programs: its words are in English, whatever language the reader uses.
		c.SetRequest(c.Request().WithContext(locale.With(c.Request().Context(), locale.English)))
		t, err := e.build(s, c)
		if err == nil && c.Link != nil {
			t = t.Without(untold(e, c.Link.Window.Fixed())...)
		}
		return t, err
	})
}

// ofWindow builds from a value of the window in the address.
func ofWindow(build func(*Handlers, *site.Call, report.Choice, time.Time) (site.Table, error)) func(*Handlers, *site.Call) (site.Table, error) {
	return func(s *Handlers, c *site.Call) (site.Table, error) {
		now := c.Minute()
		choice, err := c.Choice(now)
		if err != nil {
			return site.Table{}, err
		}
		return build(s, c, choice, now)
	}
}

// ofOverview builds from the same value that the overview shows.
func ofOverview(build func(overview.Overview) site.Table) func(*Handlers, *site.Call) (site.Table, error) {
	return ofWindow(func(s *Handlers, c *site.Call, choice report.Choice, now time.Time) (site.Table, error) {
		choice.Group = c.RowGroup(choice)
		o, err := s.Overview(c, choice, now)
		if err != nil {
			return site.Table{}, err
		}
		return build(o), nil
	})
}

// historyTable has one row per day, week or month, with the number of days in it.
func historyTable(o overview.Overview) site.Table {
	trend, title, span := o.Trend.Grouped(o.Choice.Group), "Daily history", []string{}
	grouped := o.Choice.Group != report.ByDay
	if grouped {
		title, span = "History by "+string(o.Choice.Group), []string{"last_day", "days_counted", "days_of", "missing_days"}
	}
	t := site.Table{
		Title: title,
		Columns: slices.Concat([]string{"store", "day"}, span, []string{
			"stored", "currency", "total_upsold_value", "total_upsold_orders", "total_orders",
			"upsell_success_rate", "average_upsold_value", "offer_views", "partial", "revised", "day_fetched_at", "notes",
		}, site.ProvenanceColumns),
		About: site.AboutProvenance(o.Store, trend.Provenance),
	}
	for _, d := range trend.Rows() {
		span := []site.Cell{}
		if grouped {
			span = []site.Cell{site.DayCell(d.Last()), site.CountCell(int64(d.DaysCounted)), site.CountCell(int64(d.DaysOf)), site.TextCell(site.DaysText(d.Missing))}
		}
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{site.TextCell(o.Store.Slug), site.DayCell(d.Day)}, span, []site.Cell{
			site.YesCell(d.Stored), site.TextCell(d.Currency),
			site.MoneyOrNone(d.Value, d.Currency), site.CountOrNone(d.Orders), site.CountOrNone(d.TotalOrders),
			site.NumberOrNone(d.SuccessRate), site.MoneyOrNone(d.Average, d.Currency), site.CountOrNone(d.Views),
			site.YesCell(d.Partial), site.YesCell(d.Revised), site.TimeCell(d.FetchedAt), notesCell(o.Trend.Notes, report.Window{Start: d.Day, End: d.Last()}),
		}, site.ProvenanceCells(trend.Provenance)))
	}
	return t
}

// notesCell contains the notes of a row's days; since a file may be passed on, it marks private
// ones.
func notesCell(notes []report.DayNote, of report.Window) site.Cell {
	var texts []string
	for _, n := range notes {
		switch {
		case !n.Days().Overlaps(of):
		case n.ForClients:
			texts = append(texts, n.Text)
		default:
			texts = append(texts, "Private: "+n.Text)
		}
	}
	return site.TextCell(strings.Join(texts, " · "))
}

func placementsTable(o overview.Overview) site.Table {
	p := o.Placements
	t := site.Table{
		Title: "Placements, side by side; never to be summed",
		Columns: slices.Concat([]string{
			"store", "placement", "currency", "revenue", "revenue_reported", "impressions", "claims",
		}, site.ProvenanceColumns),
		About: site.AboutProvenance(o.Store, p.Provenance),
	}
	for _, r := range p.Rows {
		impressions, claims := site.CountCell(r.Impressions), site.CountCell(r.Claims)
		if r.Absent { // the service sent no row, which isn't zero
			impressions, claims = site.Cell{}, site.Cell{}
		}
		t.Rows = append(t.Rows, slices.Concat([]site.Cell{
			site.TextCell(o.Store.Slug), site.TextCell(string(r.Placement)), site.TextCell(p.Currency),
			site.MoneyOrNone(r.Revenue, p.Currency), site.YesCell(r.Revenue != nil), impressions, claims,
		}, site.ProvenanceCells(p.Provenance)))
	}
	return t
}

// placementDaysTable has the days of each placement, one placement after the other.
func placementDaysTable(o overview.Overview) site.Table {
	p := o.Placements
	t := site.Table{
		Title: "Each placement by day; never to be summed",
		Columns: slices.Concat([]string{
			"store", "placement", "day", "stored", "currency", "revenue", "revenue_reported", "impressions", "claims",
		}, site.ProvenanceColumns),
		About: site.AboutProvenance(o.Store, p.Drawn),
	}
	for _, r := range p.Rows {
		for _, d := range r.Days {
			impressions, claims := site.Cell{}, site.Cell{}
			if d.Stored {
				impressions, claims = site.CountCell(d.Impressions), site.CountCell(d.Claims)
			}
			t.Rows = append(t.Rows, slices.Concat([]site.Cell{
				site.TextCell(o.Store.Slug), site.TextCell(string(r.Placement)), site.DayCell(d.Day), site.YesCell(d.Stored), site.TextCell(d.Currency),
				site.MoneyOrNone(d.Revenue, d.Currency), site.YesCell(d.Revenue != nil), impressions, claims,
			}, site.ProvenanceCells(p.Drawn)))
		}
	}
	return t
}

func topTable(o overview.Overview) site.Table {
	t := site.Table{
		Title: "Offers by revenue earned in the window",
		Columns: slices.Concat([]string{
			"store", "list", "rank", "offer_id", "offer", "placement", "status", "deleted", "ab_test", "currency",
			"revenue_in_window", "revenue_all_time", "claims", "acceptance_rate_as_reported", "acceptance_unit", "url",
		}, site.ProvenanceColumns),
		About: site.AboutProvenance(o.Store, o.Top.Provenance),
	}
	add := func(list string, rows []report.TopRow) {
		for _, r := range rows {
			rank := site.Cell{}
			if r.Rank > 0 {
				rank = site.CountCell(int64(r.Rank))
			}
			t.Rows = append(t.Rows, slices.Concat([]site.Cell{
				site.TextCell(o.Store.Slug), site.TextCell(list), rank, site.TextCell(r.OfferID), site.TextCell(r.Name),
				site.TextCell(string(r.Placement)), site.TextCell(r.Status), site.YesCell(r.Deleted), site.YesCell(r.ABTest), site.TextCell(o.Top.Currency),
				site.MoneyOrNone(r.Revenue, o.Top.Currency), site.MoneyOrNone(r.RevenueAllTime, o.Top.Currency), site.CountOrNone(r.Claims), site.NumberOrNone(r.AcceptanceRate), site.TextCell(string(o.Top.AcceptanceUnit)), site.TextCell(r.URL),
			}, site.ProvenanceCells(o.Top.Provenance)))
		}
	}
	add("highest", o.Top.Highest)
	add("lowest", o.Top.Lowest)
	return t
}

func ledgerTable(s *Handlers, c *site.Call) (site.Table, error) {
	now := c.Minute()
	stored, err := s.DB.StoredSync(c.Request().Context(), c.Store)
	if err != nil {
		return site.Table{}, err
	}
	sync := ledger.New(locale.English, stored, "all", now)
	t := site.Table{
		Title: "Ledger: every pull with its last outcome",
		Columns: []string{
			"store", "service", "pull", "subject", "label", "endpoint", "window", "outcome", "state", "last_good_at", "due_at", "attempts", "lane",
		},
		About: [][2]string{{"Store", sync.Store.Name}, {"As of", now.UTC().Format("2006-01-02 15:04 MST")}, {"State", sync.Words}},
	}
	for _, r := range sync.Rows {
		t.Rows = append(t.Rows, []site.Cell{
			site.TextCell(c.Store.Slug), site.TextCell(r.Service), site.TextCell(r.Pull), site.TextCell(r.Subject), site.TextCell(r.Label), site.TextCell(r.Endpoint),
			site.TextCell(r.Window), site.TextCell(r.Outcome), site.TextCell(r.State), site.TimeOrNone(r.LastGood), site.TimeOrNone(r.Due),
			site.CountCell(int64(r.Attempts)), site.TextCell(string(r.Lane)),
		})
	}
	return t, nil
}
