package offers

import (
	"testing"

	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

func TestStoredStagesAreWordedInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	stored := StagesBody{Currency: "EUR", Stages: []StageBody{{
		Bundle: &Bundle{Tiers: []BundleTier{
			{Parts: &TierParts{Quantity: reporttest.N64(3), DiscountType: "percentage", DiscountValue: "15"}},
			{Parts: &TierParts{Name: "Duo"}},
			{Parts: &TierParts{DiscountType: "free_shipping"}},
			{Raw: `{"v":"?"}`},
		}},
		Arms: []StageArm{{Number: 2, Share: "50"}, {Name: "Blue", Number: 1}, {}},
	}}}
	for l, want := range map[locale.Locale][]string{
		locale.English: {"3 items: 15% off", "Duo", "free shipping", "", "Variant 2, share 50", "Blue", "Under test"},
		locale.German:  {"3 Artikel: 15\u00a0% Rabatt", "Duo", "kostenloser Versand", "", "Variante 2, Anteil 50", "Blue", "Im Test"},
	} {
		stage := stored.In(l).Stages[0]
		var got []string
		for _, tier := range stage.Bundle.Tiers {
			got = append(got, tier.Words)
			if tier.Parts != nil {
				t.Errorf("the parts of %q go to readers", tier.Words)
			}
		}
		for _, arm := range stage.Arms {
			got = append(got, arm.Name)
		}
		reporttest.Equal(t, l.Code(), got, want)
	}
	if stored.Stages[0].Bundle.Tiers[0].Parts == nil || stored.Stages[0].Arms[0].Number != 2 {
		t.Error("words for one reader changed what is stored")
	}
}

func TestMissingTriggersAreNamedAsFarAsListed(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]*MissingTriggers{
		"":                    nil,
		"2":                   {Count: reporttest.N64(2)},
		"3, including GTX, A": {Count: reporttest.N64(3), Names: []string{"GTX", "A"}},
		"GTX, A":              {Count: reporttest.N64(2), Names: []string{"GTX", "A"}},
		"some":                {},
	} {
		reporttest.Equal(t, "words", RecommendationsBody{OmittedTriggers: m}.In(locale.English).Omitted, want)
	}
}
