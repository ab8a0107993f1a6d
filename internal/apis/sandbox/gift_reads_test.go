package sandbox

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

type (
	gotDetail struct {
		Found bool
		gotFull
		Campaign gotFull // in the second shape
	}
	gotFull struct {
		ID, Name, Status, Type, TargetPage, StartDate               string
		EndDate, Code                                               *string
		TriggerConditions, GiftProducts, DiscountSettings, Schedule json.RawMessage
	}
	gotCheck struct {
		Handle, Status                     string
		TotalInventory                     *int
		TracksInventory, CanBeGifted       bool
		PublishedOnOnlineStore             bool
		VariantCount, GiftableVariantCount int
		Issues                             []json.RawMessage
		Variants                           []struct {
			StockStatus       string
			Giftable          bool
			InventoryQuantity *int
			InventoryPolicy   *string
		}
	}
	gotChecks struct {
		Requested, Found json.RawMessage
		NotFound         []string
		Products         []gotCheck
	}
	gotWidgets struct {
		Total int
		Types []struct {
			Type, Title         string
			IsPremium, IsLocked bool
		}
	}
)

// full is the configuration of either shape.
func full(t *testing.T, a answer) gotFull {
	t.Helper()
	d := data[gotDetail](t, a)
	hold(t, d.Found, a.body)
	if d.Campaign.ID != "" {
		return d.Campaign
	}
	return d.gotFull
}

func found(t *testing.T, a answer) bool {
	t.Helper()
	return data[struct{ Found bool }](t, a).Found
}

func TestTheDetailOfACampaignIsItsRowAndFourGroups(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true, Hostile: true})
	for _, st := range w.Stores() {
		for _, row := range data[gotCampaigns](t, w.gift(st.Slug, "/campaigns")).Campaigns {
			got := full(t, w.gift(st.Slug, "/campaigns/"+url.PathEscape(row.ID)))
			same(t, []string{row.ID, row.Name, row.Status, row.Type, row.TargetPage, row.StartDate},
				[]string{got.ID, got.Name, got.Status, got.Type, got.TargetPage, got.StartDate})
			for _, group := range []json.RawMessage{got.TriggerConditions, got.GiftProducts, got.DiscountSettings, got.Schedule} {
				hold(t, len(group) > 2, "a group says something", st.Slug, row.ID)
			}
		}
	}
}

func TestACampaignThatIsUnknownForeignOrDeletedIsNotFound_N54(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	foreign := data[gotCampaigns](t, w.gift("lumen", "/campaigns")).Campaigns[0].ID
	deleted := data[gotCampaigns](t, w.gift("fernhollow", "/campaigns?status=deleted")).Campaigns[0].ID
	for _, id := range []string{foreign, deleted, "nothing", "preview"} {
		hold(t, !found(t, w.gift("fernhollow", "/campaigns/"+id)), id)
	}
	requireGiftError(t, w.gift("fernhollow", "/campaigns/a/b"), http.StatusNotFound, codeNotFound)
}

func TestAWorldAnswersWhatTheDocumentLeavesOpenInBothShapes(t *testing.T) {
	t.Parallel()
	for _, seed := range []uint64{7, 8} {
		w := newWorld(t, Config{Seed: seed})
		nested := map[bool]int{}
		for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
			id := data[gotCampaigns](t, w.gift(slug, "/campaigns")).Campaigns[0].ID
			nested[strings.Contains(w.gift(slug, "/campaigns/"+id).body, `"campaign":{`)]++
		}
		hold(t, nested[true] > 0 && nested[false] > 0, nested)
	}
}

func TestProductChecksJudgeEveryWayAProductCanStand_N56(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range []string{"fernhollow", "lumen"} {
		sh := w.shopOf(slug)
		handles := []string{"no-such-product"}
		for _, it := range sh.Stock[:world.Ways] {
			handles = append(handles, it.Handle)
		}
		got := data[gotChecks](t, w.gift(slug, "/products?handles="+strings.Join(handles, ",")))
		same(t, []string{"no-such-product"}, got.NotFound)
		same(t, world.Ways, len(got.Products))
		in, sold, _ := sh.StockWords()
		for i, p := range got.Products {
			same(t, handles[i+1], p.Handle, "in the order in which they were asked for")
			same(t, len(p.Variants), p.VariantCount)
			same(t, p.CanBeGifted, len(p.Issues) == 0)
			same(t, p.CanBeGifted, p.GiftableVariantCount > 0)
			same(t, p.TracksInventory, p.TotalInventory != nil)
			for _, v := range p.Variants {
				untracked := v.StockStatus == "not_tracked"
				same(t, untracked, v.InventoryQuantity == nil, "null is not zero")
				same(t, untracked, v.InventoryPolicy == nil)
				same(t, p.CanBeGifted && v.StockStatus != sold, v.Giftable)
			}
		}
		same(t, in, got.Products[world.WayInStock].Variants[0].StockStatus)
		same(t, 3, got.Products[world.WayPartly].GiftableVariantCount)
		hold(t, got.Products[world.WayNotTracked].CanBeGifted && got.Products[world.WayNotTracked].TotalInventory == nil)
		hold(t, got.Products[world.WayOversold].CanBeGifted && *got.Products[world.WayOversold].TotalInventory < 0)
		same(t, 0, *got.Products[world.WaySoldOut].TotalInventory)
		same(t, "draft", got.Products[world.WayDraft].Status)
		hold(t, !got.Products[world.WayUnpublished].PublishedOnOnlineStore && got.Products[world.WayUnpublished].Status == "active")
		for _, way := range []int{world.WaySoldOut, world.WayDraft, world.WayUnpublished, world.WaySubscription} {
			hold(t, !got.Products[way].CanBeGifted, way)
		}
	}
}

func TestHandlesAreRequiredAndOnlyFiftyAreLookedUp_N57(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, query := range []string{"", "?handles=", "?handles=,,,", "?handles=%20,%20"} {
		a := w.gift("fernhollow", "/products"+query)
		requireGiftError(t, a, http.StatusBadRequest, codeInvalidInput)
		hold(t, strings.Contains(a.body, "handles"), "the message names the parameter", a.body)
	}
	handles := slices.Repeat([]string{"x"}, 51)
	for i := range handles {
		handles[i] += strings.Repeat("y", i)
	}
	handles[50] = "trail-socks"
	got := data[gotChecks](t, w.gift("fernhollow", "/products?handles="+strings.Join(handles, ",")))
	same(t, 50, len(got.NotFound))
	same(t, 0, len(got.Products), "the fifty-first is dropped without a word")
	same(t, "1", string(data[gotChecks](t, w.gift("fernhollow", "/products?handles=trail-socks,,trail-socks")).Requested))
}

func TestWidgetTypesAndTheirSettings_N54(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range sellers {
		list := data[gotWidgets](t, w.gift(slug, "/widgets"))
		same(t, list.Total, len(list.Types))
		saved, locked := 0, 0
		for _, row := range list.Types {
			a := w.gift(slug, "/widgets/"+row.Type)
			if found(t, a) {
				saved++
				hold(t, strings.Contains(a.body, `"devices":`), a.body)
			} else {
				hold(t, strings.Contains(a.body, "/widgets"), "points to the list", a.body)
			}
			if row.IsLocked {
				locked++
				hold(t, row.IsPremium && !found(t, a), row.Type)
			}
		}
		same(t, slug != "wattle", saved > 0, slug)
		hold(t, saved < list.Total, "one was never configured", slug)
		same(t, slug == "kumo" || slug == "wattle", locked > 0, slug)
	}
	unknown := w.gift("lumen", "/widgets/nothing")
	hold(t, !found(t, unknown) && strings.Contains(unknown.body, "/widgets"), unknown.body)
}

func TestAPlainInstallHasNeitherTranslationsNorSettings_N54(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, path := range []string{"/translations", "/translations?locale=en", "/settings"} {
		hold(t, !found(t, w.gift("wattle", path)), path)
		hold(t, !strings.Contains(w.gift("lumen", path).body, `"found":false`), path)
	}
}

func TestResolversFindTenAtMostAndSayWhatBlocksAProduct(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	type product struct {
		Title, Handle, StockStatus string
		TotalInventory             int
		Blockers                   []json.RawMessage
	}
	type answer struct{ Candidates, Results []product }
	find := func(slug, path, query string) []product {
		got := data[answer](t, w.gift(slug, path+"?query="+url.QueryEscape(query)))
		return append(got.Candidates, got.Results...)
	}
	for _, slug := range []string{"fernhollow", "lumen"} {
		for _, path := range []string{"/gift-products", "/trigger-products"} {
			blocked := 0
			for _, p := range find(slug, path, "") {
				blocked += len(p.Blockers)
				if p.StockStatus == "not_tracked" {
					same(t, 0, p.TotalInventory, "which judges nothing")
				}
			}
			same(t, 4, blocked, slug)
		}
	}
	same(t, 10, len(find("fernhollow", "/gift-products", "")))
	same(t, "trail-socks", find("fernhollow", "/gift-products", " TRAIL SOCKS ")[0].Handle)
	same(t, 0, len(find("fernhollow", "/gift-products", "no such thing")))
	for path, query := range map[string]string{
		"/collections": "boots", "/customer-segments": "newsletter", "/customer-locations": "europe", "/shipping-rates": "asia", "/pos-locations": "station",
	} {
		hold(t, len(find("fernhollow", path, query)) > 0, path)
		hold(t, len(find("fernhollow", path, "")) <= 10, path)
	}
	hold(t, len(data[struct{ Markets []struct{ ID string } }](t, w.gift("lumen", "/markets")).Markets) > 0)
}

func TestSectionsOfSetupHealthFailOneByOne_N50(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range []string{"fernhollow", "lumen"} {
		for cause, lost := range map[Cause]string{ThemeAway: "theme", CampaignsAway: "campaigns", IssuesAway: "issues"} {
			w.Break(Gift, slug, Fault{Times: 1, Path: "/setup-health", Cause: cause})
			health := data[map[string]json.RawMessage](t, w.gift(slug, "/setup-health"))
			hold(t, len(health["errors"]) > 2, cause)
			for _, section := range []string{"theme", "campaigns", "issues"} {
				same(t, section == lost, string(health[section]) == "null", cause, section)
			}
		}
		same(t, 0, len(data[gotHealth](t, w.gift(slug, "/setup-health")).Errors))
	}
}

func TestTheHostileStoreIsHostileInEveryGiftAnswer(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Hostile: true})
	odd := 0
	for _, row := range data[gotCampaigns](t, w.gift("grim", "/campaigns")).Campaigns {
		if strings.ContainsAny(row.ID, `<"%`) {
			odd++
		}
	}
	same(t, 1, odd, "an id that must be escaped in a path")
	for _, path := range []string{
		"/campaigns", "/translations", "/translations?locale=ar", "/settings", "/widgets", "/widgets/gift_popup", "/setup-health",
		"/products?handles=" + w.shopOf("grim").Stock[0].Handle, "/gift-products", "/collections", "/customer-segments", "/shipping-rates",
	} {
		var v any
		body := w.gift("grim", path).body
		hold(t, json.Unmarshal([]byte(body), &v) == nil, body)
		hostile := false
		eachString(v, func(s string) {
			hostile = hostile || slices.ContainsFunc(world.GrimTexts, func(g string) bool { return strings.Contains(s, g) })
		})
		hold(t, hostile, path, body)
	}
}
