package reports

import "github.com/storeglass/storeglass/internal/access/sharing"

// SharedExports are the tables that a link can offer as files, each with its page.
var SharedExports = map[string]sharing.Page{
	"history": sharing.Overview, "top": sharing.Overview, "placements": sharing.Placements, "placements/history": sharing.Placements,
	"offers": sharing.Offers, "offers/:id/history": sharing.Offers,
	"gift/history": sharing.Gifts, "gift/campaigns": sharing.Gifts,
}

// untold are the columns of a table hidden from readers of a link. They would be empty, and an
// empty cell means something else.
func untold(e Export, fixed bool) []string {
	switch e.Path() {
	case "top":
		if fixed {
			return []string{"revenue_all_time", "url", "status"}
		}
		return []string{"revenue_all_time", "url"}
	case "offers":
		if fixed {
			return []string{"revenue_all_time", "currency_all_time", "url", "status", "ab_test", "display_order", "deleted", "unlisted"}
		}
		return []string{"revenue_all_time", "currency_all_time", "url"}
	case "gift/campaigns":
		if fixed {
			return []string{"status", "first_seen_at", "last_listed_at"}
		}
	}
	return nil
}
