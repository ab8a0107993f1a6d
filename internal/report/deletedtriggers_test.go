package report_test

import (
	"encoding/json"
	"testing"

	"github.com/storeglass/storeglass/internal/report/overview"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

// naming returns a placement's offers whose trigger points to something deleted.
func naming(t *testing.T, p report.Placement, offers int64, id, name string, names ...report.ConditionName) report.StoredDeletedTriggers {
	t.Helper()
	body, err := json.Marshal(map[string]any{"conditions": []any{map[string]any{"names": append(names, report.ConditionName{Kind: "product", Name: "Boots"})}}})
	if err != nil {
		t.Fatal(err)
	}
	return report.StoredDeletedTriggers{Placement: p, Offers: offers, OfferID: id, Name: name, Setup: body}
}

func TestAnOfferWhoseTriggerWasDeletedIsNamed(t *testing.T) {
	t.Parallel()
	gone := func(kind, name string) report.ConditionName {
		return report.ConditionName{Kind: kind, Name: name, Deleted: true}
	}
	for name, c := range map[string]struct {
		stored                    []report.StoredDeletedTriggers
		title, text, action, href string
	}{
		"a product": {
			[]report.StoredDeletedTriggers{naming(t, report.PostPurchase, 1, "a/b", "Care kit", gone("product", "GTX"))},
			"A trigger product was deleted", "“Care kit” still points to GTX.", "Open the offer", "/stores/acme/offers/a%2Fb",
		},
		"two collections": {
			[]report.StoredDeletedTriggers{naming(t, report.PostPurchase, 1, "a", "Care kit", gone("collection", "Boots"), gone("collection", "Shoes"))},
			"2 trigger collections were deleted", "“Care kit” still points to Boots and 1 more.", "Open the offer", "/stores/acme/offers/a",
		},
		"with only an id left": {
			[]report.StoredDeletedTriggers{naming(t, report.ThankYou, 1, "a", "Care kit", gone("product", "gid://shop/Product/7"))},
			"A trigger product was deleted", "“Care kit” still points to a deleted product.", "Open the offer", "/stores/acme/offers/a",
		},
		"nobody says what": {
			[]report.StoredDeletedTriggers{naming(t, report.ThankYou, 1, "a", "Care kit", gone("", "what it named"))},
			"A trigger points to something that was deleted", "“Care kit” still points to something that was deleted.", "Open the offer", "/stores/acme/offers/a",
		},
		"a body that can't be read": {
			[]report.StoredDeletedTriggers{{Placement: report.Coupon, Offers: 1, OfferID: "a", Name: "Care kit", Setup: []byte("[]")}},
			"A trigger points to something that was deleted", "“Care kit” points to a deleted product or collection.", "Open the offer", "/stores/acme/offers/a",
		},
		"in two placements": {
			[]report.StoredDeletedTriggers{naming(t, report.Coupon, 1, "a", "Care kit", gone("tag", "vip")), naming(t, report.ThankYou, 1, "b", "Cap", gone("tag", "vip"))},
			"2 offers point to deleted products or collections", "“Care kit” and 1 other offer point to deleted products or collections.", "See the 2 offers", "/stores/acme/offers?trigger_deleted=true",
		},
		"many": {
			[]report.StoredDeletedTriggers{naming(t, report.Coupon, 1200, "a", "Care kit", gone("tag", "vip"))},
			"1,200 offers point to deleted products or collections", "“Care kit” and 1,199 other offers point to deleted products or collections.", "See the 1,200 offers", "/stores/acme/offers?trigger_deleted=true",
		},
	} {
		d := report.Builder{In: report.Stored{Store: report.Store{Slug: "acme"}, Triggers: c.stored}}.DeletedTriggers()
		reporttest.Equal(t, name, d.Title().In(locale.English), c.title)
		reporttest.Equal(t, name+", text", reporttest.Unisolated(d.Text().In(locale.English)), c.text)
		reporttest.Equal(t, name+", action", d.Action(locale.English), c.action)
		reporttest.Equal(t, name+", link", d.Href, c.href)
	}
}

func TestCoverageNamesThePlacementsOwnDeletedTriggersAlone(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Coverage = []report.StoredCover{
		{Placement: report.PostPurchase, HasActive: true, ActiveCount: 1, TotalCount: 1, FetchedAt: reporttest.Noon}, {Placement: report.ThankYou, HasActive: true, ActiveCount: 2, TotalCount: 2, FetchedAt: reporttest.Noon},
	}
	in.Triggers = []report.StoredDeletedTriggers{naming(t, report.ThankYou, 2, "a", "Cap", report.ConditionName{Kind: "tag", Name: "vip", Deleted: true})}
	rows := overview.New(locale.English, in, reporttest.Choose(t, reporttest.ThreeDays), reporttest.Noon).Coverage.Rows
	if rows[0].Deleted != nil || rows[1].Deleted == nil {
		t.Fatalf("post-purchase has %v, thank you page %v", rows[0].Deleted, rows[1].Deleted)
	}
	reporttest.Equal(t, "link", rows[1].Deleted.Href, "/stores/acme/offers?placement=thank_you&trigger_deleted=true")
}
