package report

import (
	"encoding/json"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
)

// naming returns a placement's offers whose trigger points to something deleted.
func naming(t *testing.T, p Placement, offers int64, id, name string, names ...ConditionName) StoredDeletedTriggers {
	t.Helper()
	body, err := json.Marshal(map[string]any{"conditions": []any{map[string]any{"names": append(names, ConditionName{Kind: "product", Name: "Boots"})}}})
	if err != nil {
		t.Fatal(err)
	}
	return StoredDeletedTriggers{Placement: p, Offers: offers, OfferID: id, Name: name, Setup: body}
}

func TestAnOfferWhoseTriggerWasDeletedIsNamed(t *testing.T) {
	t.Parallel()
	gone := func(kind, name string) ConditionName { return ConditionName{Kind: kind, Name: name, Deleted: true} }
	for name, c := range map[string]struct {
		stored                    []StoredDeletedTriggers
		title, text, action, href string
	}{
		"a product": {
			[]StoredDeletedTriggers{naming(t, PostPurchase, 1, "a/b", "Care kit", gone("product", "GTX"))},
			"A trigger product was deleted", "“Care kit” still points to GTX.", "Open the offer", "/stores/acme/offers/a%2Fb",
		},
		"two collections": {
			[]StoredDeletedTriggers{naming(t, PostPurchase, 1, "a", "Care kit", gone("collection", "Boots"), gone("collection", "Shoes"))},
			"2 trigger collections were deleted", "“Care kit” still points to Boots and 1 more.", "Open the offer", "/stores/acme/offers/a",
		},
		"with only an id left": {
			[]StoredDeletedTriggers{naming(t, ThankYou, 1, "a", "Care kit", gone("product", "gid://shop/Product/7"))},
			"A trigger product was deleted", "“Care kit” still points to a deleted product.", "Open the offer", "/stores/acme/offers/a",
		},
		"nobody says what": {
			[]StoredDeletedTriggers{naming(t, ThankYou, 1, "a", "Care kit", gone("", "what it named"))},
			"A trigger points to something that was deleted", "“Care kit” still points to something that was deleted.", "Open the offer", "/stores/acme/offers/a",
		},
		"a body that can't be read": {
			[]StoredDeletedTriggers{{Placement: Coupon, Offers: 1, OfferID: "a", Name: "Care kit", Setup: []byte("[]")}},
			"A trigger points to something that was deleted", "“Care kit” points to a deleted product or collection.", "Open the offer", "/stores/acme/offers/a",
		},
		"in two placements": {
			[]StoredDeletedTriggers{naming(t, Coupon, 1, "a", "Care kit", gone("tag", "vip")), naming(t, ThankYou, 1, "b", "Cap", gone("tag", "vip"))},
			"2 offers point to deleted products or collections", "“Care kit” and 1 other offer point to deleted products or collections.", "See the 2 offers", "/stores/acme/offers?trigger_deleted=true",
		},
		"many": {
			[]StoredDeletedTriggers{naming(t, Coupon, 1200, "a", "Care kit", gone("tag", "vip"))},
			"1,200 offers point to deleted products or collections", "“Care kit” and 1,199 other offers point to deleted products or collections.", "See the 1,200 offers", "/stores/acme/offers?trigger_deleted=true",
		},
	} {
		d := Builder{In: Stored{Store: Store{Slug: "acme"}, Triggers: c.stored}}.DeletedTriggers()
		equal(t, name, d.Title().In(locale.English), c.title)
		equal(t, name+", text", unisolated(d.Text().In(locale.English)), c.text)
		equal(t, name+", action", d.Action(locale.English), c.action)
		equal(t, name+", link", d.Href, c.href)
	}
}

func TestCoverageNamesThePlacementsOwnDeletedTriggersAlone(t *testing.T) {
	t.Parallel()
	in := three()
	in.Coverage = []StoredCover{
		{Placement: PostPurchase, HasActive: true, ActiveCount: 1, TotalCount: 1, FetchedAt: noon}, {Placement: ThankYou, HasActive: true, ActiveCount: 2, TotalCount: 2, FetchedAt: noon},
	}
	in.Triggers = []StoredDeletedTriggers{naming(t, ThankYou, 2, "a", "Cap", ConditionName{Kind: "tag", Name: "vip", Deleted: true})}
	rows := overview(t, in, threeDays).Coverage.Rows
	if rows[0].Deleted != nil || rows[1].Deleted == nil {
		t.Fatalf("post-purchase has %v, thank you page %v", rows[0].Deleted, rows[1].Deleted)
	}
	equal(t, "link", rows[1].Deleted.Href, "/stores/acme/offers?placement=thank_you&trigger_deleted=true")
}
