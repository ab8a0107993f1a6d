package gift_test

import (
	"context"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestACampaignIsReadWhereverItsIdIs(t *testing.T) {
	t.Parallel()
	groups := `"triggerConditions":{"minimum":50},"giftProducts":[{"id":1}],"discountSettings":"all","schedule":null`
	for name, body := range map[string]string{
		"beside found": `{"found":true,"id":"c_1",` + groups + `,"more":1}`,
		"in campaign":  `{"found":true,"campaign":{"id":"c_1",` + groups + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, upstreamtest.OK(body))
			got, err := s.Campaign(t.Context(), "c_1")
			must.NoError(t, err)
			must.True(t, got.Data.Found)
			must.Equal(t, upstream.ID("c_1"), got.Data.ID)
			must.JSON(t, body, string(got.Data.Raw))
			s.sent(t, "/campaigns/c_1")
		})
	}
	other := open(t, upstreamtest.OK(`{"found":true,"data":{"anything":1}}`))
	got, err := other.Campaign(t.Context(), "c_1")
	must.NoError(t, err)
	must.True(t, got.Data.Found)
	must.JSON(t, `{"found":true,"data":{"anything":1}}`, string(got.Data.Raw))
}

func TestAnotherCampaignsAnswerBreaksTheContract(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"found":true,"id":"c_2"}`)).Campaign(t.Context(), "c_1")
	must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
	must.ErrorContains(t, err, "it is another campaign's")
	must.True(t, !got.Data.Found && got.Data.Raw == nil)
	number, err := open(t, upstreamtest.OK(`{"found":true,"id":42}`)).Campaign(t.Context(), "42")
	must.NoError(t, err)
	must.Equal(t, upstream.ID("42"), number.Data.ID)
}

// Any other list could be something else: taken for the campaigns, it would say that all of them are gone.
func TestCampaignsAreReadFromTheirListOrAnOnlyOne_N52(t *testing.T) {
	t.Parallel()
	one := `{"id":"c_1","name":"Socks","status":"active"}`
	for body, says := range map[string]string{
		`{"total":1,"campaigns":[` + one + `],"warnings":[]}`:          "",
		`{"warnings":[],"total":1,"campaigns":[` + one + `]}`:          "",
		`{"total":1,"items":[` + one + `]}`:                            "",
		`{"total":1,"items":[` + one + `],"warnings":[]}`:              "at /data: it has no list of campaigns",
		`{"total":1,"items":{"c_1":` + one + `}}`:                      "at /data: it has no list of campaigns",
		`{"total":1,"campaigns":null,"items":[` + one + `]}`:           "at /data/campaigns: ",
		`{"campaigns":[` + one + `]}`:                                  `at /data: the required field "total" is missing`,
		`{"total":2,"items":[` + one + `,{"id":"c_2","name":"gone"}]}`: `at /data/items/1: the required field "status" is missing`,
	} {
		got, err := open(t, upstreamtest.OK(body)).Campaigns(t.Context(), nil)
		if says != "" {
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind, body)
			must.ErrorContains(t, err, says)
			continue
		}
		must.NoError(t, err, body)
		must.True(t, len(got.Data.Campaigns) == 1 && got.Data.Total == 1 && got.Data.Campaigns[0].Name == "Socks")
	}
}

func TestN54_FoundFalseIsAnAnswer(t *testing.T) {
	t.Parallel()
	ask := map[string]func(context.Context, shop) (bool, error){
		"campaign": func(ctx context.Context, s shop) (bool, error) {
			got, err := s.Campaign(ctx, "c_9")
			return got.Data.Found, err
		},
		"widget": func(ctx context.Context, s shop) (bool, error) {
			got, err := s.Widget(ctx, "badge")
			return got.Data.Found, err
		},
		"settings": func(ctx context.Context, s shop) (bool, error) {
			got, err := s.Settings(ctx)
			return got.Data.Found, err
		},
		"translations": func(ctx context.Context, s shop) (bool, error) {
			got, err := s.Translations(ctx, "fr")
			return got.Data.Found, err
		},
	}
	for name, ask := range ask {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := ask(t.Context(), open(t, upstreamtest.OK(`{"found":false,"message":"see /widgets"}`)))
			must.NoError(t, err)
			must.True(t, !found)
			_, err = ask(t.Context(), open(t, upstreamtest.OK(`{"message":"nothing said"}`)))
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind, "an answer that does not say is none")
			_, err = ask(t.Context(), open(t, refuse(404, gift.NotFound)))
			must.Equal(t, upstream.OurFault, failure(t, err).Kind, "N60: a path that is not there is no such answer")
		})
	}
}

func TestNamesInPathsAreEscapedAndNeverClimb(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"found":true}`))
	for name, path := range map[string]string{"a/b": "a%2Fb", "gid://x/1?y#z": "gid:%2F%2Fx%2F1%3Fy%23z", "é": "%C3%A9", "..a": "..a"} {
		_, err := s.Campaign(t.Context(), name)
		must.NoError(t, err)
		must.Equal(t, "/store/v1/campaigns/"+path, s.Last(t).URL.EscapedPath())
		_, err = s.Widget(t.Context(), name)
		must.NoError(t, err)
		must.Equal(t, "/store/v1/widgets/"+path, s.Last(t).URL.EscapedPath())
	}
	sent := len(s.Requests())
	for _, name := range []string{"", " ", ".", ".."} {
		_, err := s.Campaign(t.Context(), name)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
		_, err = s.Widget(t.Context(), name)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, sent, len(s.Requests()))
}

func TestWidgetsAndSavedSettingsAreReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"total":2.0,"types":[
		{"type":"cart_message","title":"Cart message","isPremium":false,"isLocked":false},
		{"type":"popup","title":"Pop-up","isPremium":true,"isLocked":true,"since":1},
		{"type":"bar","title":null,"isPremium":null}]}`))
	got, err := s.Widgets(t.Context())
	must.NoError(t, err)
	must.Equal(t, 3, len(got.Data.Types))
	must.Equal(t, gift.WidgetType{Type: "bar"}, got.Data.Types[2]) // what one type lacks doesn't hide the others
	must.Equal(t, gift.WidgetType{Type: "popup", Title: "Pop-up", IsPremium: true, IsLocked: true}, got.Data.Types[1])
	must.Equal(t, 0, len(s.sent(t, "/widgets")))

	saved := `{"found":true,"settings":{"color":"#fff","deep":[[1]]}}`
	s = open(t, upstreamtest.OK(saved))
	widget, err := s.Widget(t.Context(), "cart_message")
	must.NoError(t, err)
	must.JSON(t, saved, string(widget.Data.Raw))
	s.sent(t, "/widgets/cart_message")
	settings, err := s.Settings(t.Context())
	must.NoError(t, err)
	must.True(t, settings.Data.Found)
	must.JSON(t, saved, string(settings.Data.Raw))
	s.sent(t, "/settings")
}

func TestTheListsOfTheServiceItselfAreReadAtTheBaseAddress(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"endpoints":[{"method":"GET","path":"/plan"}]}`))
	got, err := s.Endpoints(t.Context())
	must.NoError(t, err)
	must.JSON(t, `{"endpoints":[{"method":"GET","path":"/plan"}]}`, string(got.Data.Raw))
	must.Equal(t, "/store/v1", strings.TrimSuffix(s.Last(t).URL.Path, "/"))
	tools, err := s.Tools(t.Context())
	must.NoError(t, err)
	must.True(t, len(tools.Data.Raw) > 0)
	s.sent(t, "/mcp/tools")
	_, err = open(t, upstreamtest.OK(`"text"`)).Endpoints(t.Context())
	must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
}

func TestEveryResolverAsksItsPath(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"total":1,"results":[{"id":"gid://1","stockStatus":"not_tracked","totalInventory":null}]}`))
	for _, kind := range []gift.Kind{
		gift.GiftProducts, gift.TriggerProducts, gift.Collections, gift.CustomerSegments, gift.CustomerLocations, gift.ShippingRates, gift.PosLocations,
	} {
		path := "/" + string(kind)
		got, err := s.Find(t.Context(), kind, "socks & más")
		must.NoError(t, err)
		must.Equal(t, "socks & más", s.sent(t, path).Get("query"))
		must.Equal(t, gift.NotTracked, got.Data.List[0].StockStatus)
		must.JSON(t, `{"id":"gid://1","stockStatus":"not_tracked","totalInventory":null}`, string(got.Data.List[0].Raw))
		_, err = s.Find(t.Context(), kind, "")
		must.NoError(t, err)
		must.True(t, !s.sent(t, path).Has("query"))
	}
	_, err := s.Find(t.Context(), gift.Markets, "socks")
	must.NoError(t, err)
	must.Equal(t, 0, len(s.sent(t, "/markets")))
}

func TestACandidateSaysWhatACampaignNamesItBy_N56(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"zones":[{"name":"Gulf","rates":[{"id":7,"title":"Express","price":5.50,"totalInventory":0,"x":null}]}],
		"products":[{"handle":"socks","id":"gid://1","name":"Socks","stockStatus":"out_of_stock","blockers":["draft",{"code":"X","message":"no"}],"image":{"id":"i"}}]}`)).
		Find(t.Context(), gift.ShippingRates, "")
	must.NoError(t, err)
	must.Equal(t, 2, len(got.Data.List))
	rate, product := got.Data.List[0], got.Data.List[1]
	must.Equal(t, "7 7 Express Gulf", string(rate.ID)+" "+rate.IDText()+" "+rate.Name+" "+rate.Within)
	must.Equal(t, []gift.Detail{{Name: "price", Value: "5.50"}}, rate.Details)
	must.Equal(t, `"gid://1" gid://1 Socks socks `, string(product.ID)+" "+product.IDText()+" "+product.Name+" "+product.Handle+" "+product.Within)
	must.True(t, product.StockStatus == "out_of_stock" && product.Blockers[0].Message == "draft" && product.Blockers[1].Code == "X")
}

func TestCandidatesOfAnyShapeAreKept(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`[]`: 0, `[{"id":1},"a"]`: 1, `{"a":{"b":[1]}}`: 0, `{"zones":[{"rates":[]}],"hint":"x"}`: 0, `{"a":[1],"b":[2]}`: 0, `{}`: 0,
		`{"id":null,"title":"x"}`: 0, `{"markets":[{"id":1}],"countries":[{"code":"KW"}]}`: 2, `{"edges":[{"node":{"id":"a","image":{"id":"b"}}}]}`: 1,
		`{"zones":[{"name":"Gulf","rates":[{"id":1},{"id":2}]}]}`: 2, `[{"id":1,"title":"Gulf","rates":[{"id":2}]}]`: 2,
	} {
		got, err := open(t, upstreamtest.OK(body)).Find(t.Context(), gift.Collections, "x")
		must.NoError(t, err)
		must.Equal(t, want, len(got.Data.List), body)
		must.JSON(t, body, string(got.Data.Raw))
	}
	for _, body := range []string{`7`, `"x"`, `true`} {
		_, err := open(t, upstreamtest.OK(body)).Find(t.Context(), gift.Collections, "x")
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind, body)
	}
}
