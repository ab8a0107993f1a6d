package offers

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestFourShapesAndFiveCausesHaveTheirOwnWords_N36(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, r := range map[string]RecommendationsBody{
		"nothing named": {Shape: ShapeBestSellers, Cause: "nothing_named"}, "no product trigger": {Shape: ShapeBestSellers, Cause: "no_product_trigger"},
		"triggers deleted": {Shape: ShapeBestSellers, Cause: "triggers_deleted"}, "product deleted": {Shape: ShapeBestSellers, Cause: "product_deleted"},
		"no match": {Shape: ShapeBestSellers, Cause: "no_match"}, "unknown": {Shape: ShapeBestSellers, Cause: "unknown"},
		"candidates": {Shape: ShapeCandidates}, "no slot": {Shape: ShapeNoSlot}, "another shape": {Shape: "moon"}, "no trigger": {Shape: ShapeBoughtTogether},
	} {
		title, text, listed := r.Words(locale.English)
		if title == "" || text == "" {
			t.Errorf("%s says nothing: %q %q", name, title, text)
		}
		if other, ok := seen[title]; ok {
			t.Errorf("%s and %s say the same: %q", name, other, title)
		}
		seen[title] = name
		if lists := r.Shape == ShapeBestSellers || r.Shape == ShapeCandidates; lists != (listed != "") {
			t.Errorf("%s: its list is %q", name, listed)
		}
	}
}

func TestEmptyEvidenceIsAnAnswer_N36(t *testing.T) {
	t.Parallel()
	r := RecommendationsBody{Shape: ShapeBoughtTogether, Triggers: []RecommendationTrigger{{Title: "Boots", Padding: []RecommendedProduct{{Title: "Sandal"}}}}}
	if title, text, listed := r.Words(locale.English); title+text+listed != "" {
		t.Errorf("no evidence is worded as a shape: %q", title)
	}
	reporttest.Equal(t, "bars have no scale", r.Triggers[0].MostBought(), int64(0))
	r.Triggers[0].Evidence = []RecommendedProduct{{CoPurchased: reporttest.N64(7)}, {CoPurchased: reporttest.N64(86)}, {}}
	reporttest.Equal(t, "scale", r.Triggers[0].MostBought(), int64(86))
}

func TestTriggersWithoutARowAreNamed(t *testing.T) {
	t.Parallel()
	r := RecommendationsBody{Shape: ShapeBoughtTogether, Deleted: "GTX", Omitted: "2 more", Triggers: []RecommendationTrigger{{}}}
	reporttest.Equal(t, "words", reporttest.Unisolated(r.LeftOutWords(locale.English)), "Deleted products, not shown: GTX. Trigger products that weren’t looked up: 2 more. At most 6 suggestions per trigger; real orders come first.")
	reporttest.Equal(t, "nothing left out", RecommendationsBody{Shape: ShapeNoSlot}.LeftOutWords(locale.English), "")
}
