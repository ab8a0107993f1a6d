package db_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// answered is one end of a ranking as a reply has it: "a 9, b 5" for one window, with claims equal to
// the amounts.
type answered struct {
	start, end, direction string
	limit                 int
	offers                string
	at                    time.Duration // after first
}

func (h *house) rank(lists ...answered) {
	h.t.Helper()
	proven := sqlc.ProveTopListsParams{StoreID: h.acme}
	h.write(func(b *db.Batch) {
		for _, l := range lists {
			key := func(more map[string]any) map[string]any {
				row := told(first.Add(l.at), more)
				row["window_start"], row["window_end"], row["direction"] = l.start, l.end, l.direction
				return row
			}
			var rows []map[string]any
			for text := range strings.SplitSeq(l.offers, ", ") {
				id, amount, _ := strings.Cut(text, " ")
				rows = append(rows, key(map[string]any{
					"place": len(rows) + 1, "offer_id": id, "name": "Offer " + id, "placement": "Post-purchase upsell", "status": "active",
					"ab_test": false, "revenue": amount, "claims": amount, "deleted": false,
				}))
			}
			db.Queue(b, (*sqlc.Queries).ReplaceTopLists, sqlc.ReplaceTopListsParams{
				StoreID: h.acme, Lists: list(key(map[string]any{"row_limit": l.limit, "row_count": len(rows)})), Rows: list(rows...),
			})
			proven.Starts, proven.Ends = append(proven.Starts, date(l.start)), append(proven.Ends, date(l.end))
		}
		db.Queue(b, (*sqlc.Queries).ProveTopLists, proven)
	})
}

// earned writes a window's placement revenue.
func (h *house) earned(start, end, postPurchase, thankYou string, at time.Duration) {
	h.t.Helper()
	h.write(func(b *db.Batch) {
		row := func(placement string, revenue any, position int) map[string]any {
			out := told(first.Add(at), map[string]any{"placement": placement, "impressions": 5, "claims": 1, "revenue": revenue, "shop_offer_count": 3, "position": position})
			out["window_start"], out["window_end"] = start, end
			return out
		}
		db.Queue(b, (*sqlc.Queries).UpsertPlacementStats, sqlc.UpsertPlacementStatsParams{StoreID: h.acme, Rows: list(
			row("Post-purchase upsell", postPurchase, 0), row("Thank you page upsell", thankYou, 1), row("Coupon offer", nil, 2),
		)})
	})
}

const (
	rankedDay = "2026-11-18"
	highest   = "highest"
	lowest    = "lowest"
)

func dayList(direction string, limit int, offers string, at time.Duration) answered {
	return answered{rankedDay, rankedDay, direction, limit, offers, at}
}

// monthList is a list for another window, answered a minute before.
func monthList(limit, rows int) answered {
	var offers []string
	for i := range rows {
		offers = append(offers, fmt.Sprintf("m%d %d", i, 1000-i))
	}
	return answered{"2026-10-20", rankedDay, highest, limit, strings.Join(offers, ", "), -time.Minute}
}

func TestARankingIsWholeOnlyWhereThatIsProven_N16_N68(t *testing.T) {
	t.Parallel()
	const three, four = "a 9, b 5, c 4", "a 9, b 5, c 4, d 3"
	for name, c := range map[string]struct {
		lists  []answered
		earned string // for Post-purchase; empty: not stored
		at     time.Duration
		want   bool
	}{
		"fewer rows than the default":             {lists: []answered{dayList(highest, 250, "a 9, b 5", 0)}, want: true},
		"shorter than asked, which may be a cap":  {lists: []answered{dayList(highest, 250, four, 0)}},
		"a longer list with the same limit":       {lists: []answered{monthList(250, 5), dayList(highest, 250, four, 0)}, want: true},
		"as long as the longest, so maybe cut":    {lists: []answered{monthList(250, 4), dayList(highest, 250, four, 0)}},
		"a longer list with another limit":        {lists: []answered{monthList(50, 9), dayList(highest, 250, three, 0)}},
		"as long as asked":                        {lists: []answered{monthList(4, 4), dayList(highest, 4, four, 0)}},
		"the revenue of its placements":           {lists: []answered{dayList(highest, 250, four, 0)}, earned: "21", want: true},
		"less than the revenue of its placements": {lists: []answered{dayList(highest, 250, four, 0)}, earned: "23"},
		"revenue of another night":                {lists: []answered{dayList(highest, 250, four, 0)}, earned: "21", at: -24 * time.Hour},
		"ends that overlap":                       {lists: []answered{dayList(highest, 3, three, 0), dayList(lowest, 3, "d 1, c 4, b 5", 0)}, want: true},
		"ends that do not":                        {lists: []answered{dayList(highest, 3, three, 0), dayList(lowest, 3, "g 1, f 2, e 3", 0)}},
		"a tie at the cap, seen from both ends":   {lists: []answered{dayList(highest, 3, "a 9, b 5, c 5", 0), dayList(lowest, 3, "e 1, d 2, c 5", 0)}},
		"all earned the same, and may be cut":     {lists: []answered{dayList(highest, 250, "a 5, b 5, c 5", 0), dayList(lowest, 250, "a 5, b 5, c 5", 0)}},
		"all earned the same, and nothing else":   {lists: []answered{dayList(highest, 250, "a 5, b 5, c 5", 0)}, earned: "15", want: true},
		"an amount moved between the ends":        {lists: []answered{dayList(highest, 3, three, 0), dayList(lowest, 3, "d 1, c 4, b 6", time.Minute)}},
		"an offer rose between the ends":          {lists: []answered{dayList(highest, 3, three, 0), dayList(lowest, 4, "d 1, c 4, b 5, x 7", time.Minute)}},
		"an offer fell between the ends":          {lists: []answered{dayList(highest, 4, "a 9, x 6, b 5, c 4", 0), dayList(lowest, 4, "x 1, c 4, b 5, a 9", time.Minute)}},
		"a lowest end of the night before":        {lists: []answered{dayList(lowest, 3, "d 1, c 4, b 5", -24*time.Hour), dayList(highest, 3, three, 0)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t, 60)
			if c.earned != "" {
				h.earned(rankedDay, rankedDay, c.earned, "0", c.at)
			}
			h.rank(c.lists...)
			equal(t, "whole", get[bool](h, `select whole from top_lists where window_start = $1::date and window_end = window_start and direction = 'highest'`, rankedDay), c.want)
		})
	}
}

// stitched is the ranking of 17 to 19 November as pages see it.
func (h *house) stitched() string {
	h.t.Helper()
	s := h.stored("start=2026-11-17&end=2026-11-19")
	var out []string
	for _, r := range s.TopOfDays {
		out = append(out, fmt.Sprintf("%s %s %d", r.OfferID, r.Revenue, *r.Claims))
	}
	return strings.Join(out, ", ")
}

func TestDaysAreAddedUpByOfferOnlyWhereEveryOneIsWhole_N16_N68(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	one := func(day, offers string) answered { return answered{day, day, highest, 250, offers, 0} }
	h.rank(one("2026-11-17", "a 9, b 5"), one("2026-11-18", "b 7"))
	equal(t, "with a day that is not stored", h.stitched(), "")
	h.rank(one("2026-11-19", "a 9, b 5, c 4"))
	equal(t, "with a day that may be cut", h.stitched(), "")

	h.rank(answered{"2026-11-19", "2026-11-19", lowest, 250, "d 1, c 4, b 5", time.Minute}) // the two ends meet
	equal(t, "every day whole", h.stitched(), "a 18 18, b 17 17, c 4 4, d 1 1")
	h.exec(`update top_lists set currency = 'EUR' where window_start = '2026-11-17' and window_end = window_start`)
	equal(t, "in two currencies (N34)", h.stitched(), "")
	h.exec(`update top_lists set currency = 'USD'`)

	h.rank(answered{"2026-11-17", "2026-11-19", highest, 250, "z 40, a 18, b 17", 0})
	equal(t, "beside a list that may be cut", h.stitched(), "a 18 18, b 17 17, c 4 4, d 1 1")
	h.exec(`update top_lists set whole = true where window_end > window_start`)
	equal(t, "the whole list of the window itself comes first", h.stitched(), "")
}

// A nightly pull repeats a day, but its lowest end still comes from an earlier answer.
func TestAnOlderLowestEndAddsNoOffer_N27_N68(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	for _, day := range []string{"2026-11-17", "2026-11-18", "2026-11-19"} {
		h.rank(answered{day, day, highest, 3, "a 9, b 5, c 4", 0}, answered{day, day, lowest, 3, "d 1, c 4, b 5", time.Minute})
		h.rank(answered{day, day, highest, 3, "a 9, b 5", 24 * time.Hour})
	}
	equal(t, "offers", h.stitched(), "a 27 27, b 15 15")
}
