package upsell_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// recommend asks for an offer's recommendations.
func recommend(t *testing.T, data string) (upstream.Answer[upsell.Recommendations], error) {
	t.Helper()
	return open(t, upstreamtest.OK(data)).Recommendations(t.Context(), upsell.RecommendationsQuery{OfferID: "o_1"})
}

const best = `"shopBestSellers":[{"id":"1","title":"Hat","price":12.50}],"bestSellersOnly":true`

func TestN36_BoughtTogetherKeepsEvidenceApartFromPadding(t *testing.T) {
	t.Parallel()
	got, err := recommend(t, `{"triggers":[{"id":"t","title":"Socks",
		"boughtTogether":[{"id":"1","title":"Shoes","price":50,"coPurchasedOrders":12.0,"pastRevenue":1.2e3}],
		"sameCategoryPicks":[{"id":"2","title":"Tights","price":9.90,"coPurchasedOrders":99}]}],
		"omittedTriggers":3,"deletedTriggers":[{"id":"x","title":"Old"}],"currency":"EUR","shopDomain":"acme.example"}`)
	must.NoError(t, err)
	must.Equal(t, 0, len(got.Flags))
	must.Equal(t, "acme.example", got.Data.Shop())
	b, ok := got.Data.(upsell.BoughtTogether)
	must.True(t, ok)
	evidence := b.Triggers[0].BoughtTogether[0]
	must.Equal(t, int64(12), evidence.CoPurchasedOrders)
	must.Equal(t, "Shoes 50 1200", evidence.Title+" "+evidence.Price.String()+" "+evidence.PastRevenue.String())
	must.Equal(t, "Tights 9.9", b.Triggers[0].SameCategoryPicks[0].Title+" "+b.Triggers[0].SameCategoryPicks[0].Price.String())
	must.Equal(t, int64(3), *b.OmittedTriggers.Count)
	must.Equal(t, []upsell.Resource{{Kind: upsell.Product, ID: "x", Title: "Old"}}, b.DeletedTriggers.Products)
}

func TestN36_AnEmptyBoughtTogetherIsAnAnswer(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"with padding":    `{"triggers":[{"id":"t","title":"a","boughtTogether":[],"sameCategoryPicks":[{"id":"2","title":"b","price":1}]}],"currency":"EUR"}`,
		"with nothing":    `{"triggers":[{"id":"t","boughtTogether":[],"sameCategoryPicks":[]}]}`,
		"without padding": `{"triggers":[{"id":"t","boughtTogether":[]}],"shopBestSellers":null}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := recommend(t, data)
			must.NoError(t, err)
			b := got.Data.(upsell.BoughtTogether)
			must.True(t, b.Triggers[0].BoughtTogether != nil && len(b.Triggers[0].BoughtTogether) == 0)
			must.True(t, b.OmittedTriggers == nil && b.DeletedTriggers == nil)
		})
	}
}

func TestN36_CausesOfBestSellers(t *testing.T) {
	t.Parallel()
	offer, product, name := upsell.RecommendationsQuery{OfferID: "o_1"}, upsell.RecommendationsQuery{ProductID: "gid://p/Product/1"}, upsell.RecommendationsQuery{ProductName: "a"}
	cases := map[string]struct {
		fields  string
		query   upsell.RecommendationsQuery
		want    upsell.Cause
		differs bool
	}{
		"nothing named":             {`"nothingNamed":true`, upsell.RecommendationsQuery{}, upsell.NothingNamed, false},
		"no product trigger":        {`"hasProductTrigger":false`, offer, upsell.NoProductTrigger, false},
		"triggers deleted, list":    {`"hasProductTrigger":true,"deletedTriggers":["x"]`, offer, upsell.TriggersDeleted, false},
		"triggers deleted, count":   {`"hasProductTrigger":true,"deletedTriggers":2`, offer, upsell.TriggersDeleted, false},
		"triggers deleted, yes":     {`"hasProductTrigger":true,"deletedTriggers":true`, offer, upsell.TriggersDeleted, false},
		"product deleted":           {`"namedProduct":"deleted"`, product, upsell.ProductDeleted, false},
		"no match":                  {`"namedProduct":"no_match"`, name, upsell.NoMatch, false},
		"an unknown one":            {`"namedProduct":"archived"`, name, upsell.CauseUnknown, false},
		"none":                      {`"other":1`, name, upsell.CauseUnknown, false},
		"two":                       {`"nothingNamed":true,"namedProduct":"no_match"`, name, upsell.CauseUnknown, false},
		"triggers, none deleted":    {`"hasProductTrigger":true,"deletedTriggers":[]`, offer, upsell.CauseUnknown, false},
		"triggers without a word":   {`"hasProductTrigger":true`, offer, upsell.CauseUnknown, false},
		"said to be no cause":       {`"nothingNamed":false,"namedProduct":"no_match"`, name, upsell.NoMatch, false},
		"N30 named and not heard":   {`"nothingNamed":true`, offer, upsell.NothingNamed, true},
		"N30 nothing named, a name": {`"namedProduct":"no_match"`, upsell.RecommendationsQuery{}, upsell.NoMatch, true},
		"N30 another's cause":       {`"hasProductTrigger":false`, product, upsell.NoProductTrigger, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, upstreamtest.OK(`{`+best+`,`+c.fields+`}`)).Recommendations(t.Context(), c.query)
			must.NoError(t, err)
			b := got.Data.(upsell.BestSellers)
			must.Equal(t, c.want, b.Cause)
			must.Equal(t, "Hat", b.Products[0].Title)
			must.Equal(t, c.differs, got.Has(upstream.FlagFilterDiffers))
			must.Equal(t, upstream.Currency(""), b.Currency, "N34: none is said, none is made up")
		})
	}
}

func TestN36_CandidatesAndNoSlot(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"candidates":[{"id":"1","title":"Hat"},{"productId":2,"name":"Hat","price":1.0},"Hat"]}`)).
		Recommendations(t.Context(), upsell.RecommendationsQuery{ProductName: "hat"})
	must.NoError(t, err)
	must.Equal(t, 0, len(got.Flags))
	products := got.Data.(upsell.Candidates).Products
	must.Equal(t, "1 2 ", string(products[0].ID+" "+products[1].ID+" "+products[2].ID))
	must.True(t, products[0].Price == nil && products[1].Price.String() == "1" && products[2].Title == "Hat")

	got, err = recommend(t, `{"holdsUpsellProducts":false,"couponOffer":true}`)
	must.NoError(t, err)
	must.Equal(t, upsell.NoProductSlot{CouponOffer: true}, got.Data.(upsell.NoProductSlot))
	must.Equal(t, 0, len(got.Flags))
}

func TestN36_AReplyOfNoneOrTwoShapesIsBroken(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, says string }{
		"empty":               {`{}`, "none of triggers"},
		"a list":              {`[]`, "expected an object"},
		"all null":            {`{"triggers":null,"shopBestSellers":null,"candidates":null,"holdsUpsellProducts":null}`, "none of triggers"},
		"a fifth":             {`{"suggestions":[]}`, "none of triggers"},
		"a slot and no list":  {`{"holdsUpsellProducts":true}`, "none of triggers"},
		"two":                 {`{"triggers":[],` + best + `}`, "more than one of"},
		"not only":            {`{"shopBestSellers":[],"bestSellersOnly":false}`, "not all"},
		"evidence missing":    {`{"triggers":[{"id":"t","sameCategoryPicks":[]}]}`, `at /data/triggers/0: the required field "boughtTogether" is missing`},
		"evidence null":       {`{"triggers":[{"id":"t","boughtTogether":null}]}`, "is null"},
		"evidence unproven":   {`{"triggers":[{"id":"t","boughtTogether":[{"id":"1"}]}]}`, `"coPurchasedOrders" is missing`},
		"orders below zero":   {`{"triggers":[{"id":"t","boughtTogether":[{"id":"1","coPurchasedOrders":-1}]}]}`, "below zero"},
		"money in nothing":    {`{"triggers":[{"id":"t","boughtTogether":[{"id":"1","coPurchasedOrders":1,"price":1}]}]}`, "money without a currency"},
		"padding's money":     {`{"triggers":[{"id":"t","boughtTogether":[],"sameCategoryPicks":[{"id":"1","price":1}]}]}`, "money without a currency"},
		"a candidate of none": {`{"candidates":[{"x":1}]}`, "neither id nor title"},
		"a slot in words":     {`{"holdsUpsellProducts":"no"}`, "expected a boolean"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := recommend(t, c.data)
			f := failure(t, err)
			must.Equal(t, upstream.Quarantine, f.Kind)
			must.ErrorContains(t, err, "pull recommendations", c.says)
			must.True(t, got.Data == nil && len(f.Raw) > 0)
		})
	}
}

func TestMissingTriggersMayBeCountedOrListed(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`2`: "2/0", `2.0`: "2/0", `"2"`: "2/0", `true`: "?/0", `["a","gid://p/Product/1"]`: "2/2", `[1,{"title":"x"}]`: "2/2",
		`{"count":5,"products":[{"id":"1"}]}`: "5/1", `{"ids":["a","b"]}`: "2/2", `"some"`: "?/0", `{"why":"too many"}`: "?/0",
		`0`: "nil", `[]`: "nil", `false`: "nil", `null`: "nil", `{}`: "nil", `""`: "nil", `{"count":0}`: "nil",
	} {
		got, err := recommend(t, `{"triggers":[],"omittedTriggers":`+value+`}`)
		must.NoError(t, err)
		missing := got.Data.(upsell.BoughtTogether).OmittedTriggers
		said := "nil"
		if missing != nil {
			said = count(missing.Count) + "/" + string(rune('0'+len(missing.Products)))
			must.Equal(t, value, string(missing.Raw))
		}
		must.Equal(t, want, said, value)
	}
}

func TestRecommendationsNamesAtMostOneThing(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{`+best+`}`))
	for name, q := range map[string]upsell.RecommendationsQuery{
		"offer and product": {OfferID: "o", ProductID: "gid://p/Product/1"},
		"product and name":  {ProductID: "gid://p/Product/1", ProductName: "a"},
		"all":               {OfferID: "o", ProductID: "gid://p/Product/1", ProductName: "a"},
		"blank offer":       {OfferID: " "},
		"blank name":        {ProductName: "\t"},
		"bare number":       {ProductID: "12"},
		"another resource":  {ProductID: "gid://p/Collection/1"},
		"no platform":       {ProductID: "gid:///Product/1"},
		"no number":         {ProductID: "gid://p/Product/"},
		"more behind it":    {ProductID: "gid://p/Product/1/2"},
	} {
		_, err := s.Recommendations(t.Context(), q)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind, name)
	}
	must.Equal(t, 0, len(s.Requests()))
	for want, q := range map[string]upsell.RecommendationsQuery{
		"":                                      {},
		"offerId=a%2Fb%26c":                     {OfferID: "a/b&c"},
		"productId=gid%3A%2F%2Fp%2FProduct%2F1": {ProductID: "gid://p/Product/1"},
		"productName=Socks+%3Cb%3E":             {ProductName: "Socks <b>"},
	} {
		_, err := s.Recommendations(t.Context(), q)
		must.NoError(t, err)
		must.Equal(t, want, s.Last(t).URL.RawQuery)
		s.sent(t, "/data/products/recommendations")
	}
}

func TestEachOfTheFourAnswersHasItsWords(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]upsell.Recommendations{
		"together: 0 triggers":     upsell.BoughtTogether{},
		"best sellers: unknown, 0": upsell.BestSellers{},
		"candidates: 0":            upsell.Candidates{},
		"no slot: false":           upsell.NoProductSlot{},
	} {
		must.Equal(t, want, inWords(r))
		must.Equal(t, "", r.Shop())
	}
	must.Equal(t, "no match", upsell.NoMatch.String())
}
