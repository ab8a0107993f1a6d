package upsell_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func stagesOf(t *testing.T, stages ...string) *upsell.Stages {
	t.Helper()
	s := open(t, upstreamtest.OK(`{"offerName":"Socks","stages":[`+strings.Join(stages, ",")+`],"currency":"EUR","shopDomain":"acme.example"}`))
	got, err := s.Stages(t.Context(), "o_1")
	must.NoError(t, err)
	s.sent(t, "/data/offer/o_1/stages")
	return got.Data
}

func TestStagesAreReadInFull(t *testing.T) {
	t.Parallel()
	got := stagesOf(t, `{"products":[{"id":"1","title":"Hat","discountType":"percentage","discountValue":10},{"id":"2","discountType":"none","discountValue":0}],
		"bundleDeal":{"type":"volume","discountType":"percentage","tiers":[{"quantity":2.0,"discountValue":10},{"title":"Best","minQty":"3","discount":{"type":"fixed","value":"5.00"}}]},
		"stage":{"label":"First upsell","follows":null}}`)
	must.Equal(t, "Socks EUR acme.example", got.OfferName+" "+string(got.Currency)+" "+got.ShopDomain)
	stage := got.Stages[0]
	must.Equal(t, "Hat percentage 10", stage.Products[0].Title+" "+stage.Products[0].DiscountType+" "+string(stage.Products[0].Discount))
	must.Equal(t, upsell.DiscountValue("0"), stage.Products[1].Discount, "stated even when there is none")
	tiers := stage.BundleDeal.Tiers
	must.Equal(t, "2 10", fmt.Sprint(*tiers[0].Quantity, " ", tiers[0].Discount))
	must.Equal(t, "3 Best fixed 5", fmt.Sprint(*tiers[1].Quantity, " ", tiers[1].Name, " ", tiers[1].DiscountType, " ", tiers[1].Discount))
	must.Equal(t, "First upsell", stage.Label.Name)
	must.True(t, stage.ABTest == nil && stage.Label.Follows == "" && stage.Label.Outcome == "")
}

func TestN33_WhatAStageDoesNotCarryIsNil(t *testing.T) {
	t.Parallel()
	stage := stagesOf(t, `{}`).Stages[0]
	must.True(t, stage.Products == nil && stage.BundleDeal == nil && stage.ABTest == nil && stage.Label == nil)
	stage = stagesOf(t, `{"products":[{"discountType":"","discountValue":null}],"bundleDeal":null,"abTest":null,"stage":null}`).Stages[0]
	must.True(t, stage.Products != nil && stage.Products[0].Discount == "" && stage.BundleDeal == nil && stage.ABTest == nil && stage.Label == nil)
}

func TestAStageUnderTestHasNoProductsOrBundleOfItsOwn(t *testing.T) {
	t.Parallel()
	const own = `"products":[{"id":"own"}],"bundleDeal":{"type":"own"}`
	const arms = `{"name":"A","share":50.0,"products":[{"id":"1","discountType":"none","discountValue":0}]},{"name":"B","bundleDeal":{"type":"volume","tiers":[]}}`
	for name, test := range map[string]string{
		"a list":              `[` + arms + `]`,
		"a list by a name":    `{"status":"running","variants":[` + arms + `]}`,
		"by letter":           `{"A":{"weight":"50","products":[{"id":"1"}]},"B":{"bundle":{"type":"volume"}},"schedule":{"from":1}}`,
		"by letter in a list": `{"arms":{"A":[{"id":"1"}],"B":{"bundleDeal":{"type":"volume"}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stage := stagesOf(t, `{`+own+`,"abTest":`+test+`}`).Stages[0]
			must.True(t, stage.Products == nil && stage.BundleDeal == nil)
			must.Equal(t, 2, len(stage.ABTest.Arms))
			must.Equal(t, "A 1 B volume", strings.Join([]string{
				stage.ABTest.Arms[0].Name, stage.ABTest.Arms[0].Products[0].ID, stage.ABTest.Arms[1].Name, stage.ABTest.Arms[1].BundleDeal.Type,
			}, " "))
			must.Equal(t, test, string(stage.ABTest.Raw))
		})
	}
	for _, test := range []string{`true`, `"running"`, `{}`, `[]`, `{"id":7,"products":[{"id":"1"}]}`} {
		stage := stagesOf(t, `{`+own+`,"abTest":`+test+`}`).Stages[0]
		must.True(t, stage.Products == nil && stage.BundleDeal == nil && stage.ABTest != nil && len(stage.ABTest.Arms) == 0, test)
	}
	stage := stagesOf(t, `{`+own+`,"abTest":false}`).Stages[0]
	must.True(t, stage.ABTest == nil && stage.Products[0].ID == "own" && stage.BundleDeal.Type == "own")
}

func TestAStageLabelIsReadUnderPlausibleNames(t *testing.T) {
	t.Parallel()
	for _, label := range []string{
		`{"label":"Two","follows":"One","branch":"declined"}`,
		`{"name":"Two","after":{"label":"One"},"on":"decline"}`,
		`{"title":"Two","previous":{"name":"One","accepted":false}}`,
		`{"label":"Two","parent":"One","accepted":false}`,
		`{"label":"Two","parentStage":"One","declined":true}`,
		`{"label":"Two","follows_declined":"One"}`,
		`{"stage":"Two","previousStage":"One","previousOutcome":"DECLINED"}`,
		`{"label":"Two","follows":{"stage":"One","when":"was rejected"}}`,
		`{"label":"Two","after":"One","wasAccepted":false,"outcome":"declined"}`,
	} {
		l := stagesOf(t, `{"stage":`+label+`}`).Stages[0].Label
		must.Equal(t, "Two after One declined", l.Name+" after "+l.Follows+" "+string(l.Outcome), label)
	}
	for label, want := range map[string]upsell.StageLabel{
		`"First upsell"`: {Name: "First upsell"},
		`{"label":"a","outcome":"accepted","declined":true}`: {Name: "a"},
		`{"label":"a","on":"not accepted"}`:                  {Name: "a"},
		`{"label":"a","branch":"left"}`:                      {Name: "a"},
		`{"position":2.0,"follows":1,"accepted":true}`:       {ID: "2", Follows: "1", Outcome: upsell.Accepted},
		`[]`: {},
	} {
		must.Equal(t, want, *stagesOf(t, `{"stage":`+label+`}`).Stages[0].Label, label)
	}
}

func TestParentsMakeATreeOfAnyFunnel(t *testing.T) {
	t.Parallel()
	label := func(name, follows string) string {
		return fmt.Sprintf(`{"stage":{"label":%q,"follows":%q}}`, name, follows)
	}
	cases := map[string]struct {
		stages []string
		want   []int
	}{
		"a funnel":            {[]string{label("One", ""), label("Two", "one "), label("Three", "One"), label("Four", "Three")}, []int{-1, 0, 0, 2}},
		"the parent comes by": {[]string{label("Two", "One"), label("One", "")}, []int{1, -1}},
		"by id before name":   {[]string{`{"stage":{"id":"x","label":"One"}}`, `{"stage":{"id":"y","label":"x"}}`, label("Two", "x")}, []int{-1, -1, 0}},
		"no such stage":       {[]string{label("One", "Nine")}, []int{-1}},
		"two of that name":    {[]string{label("One", ""), label("One", ""), label("Two", "One")}, []int{-1, -1, -1}},
		"itself":              {[]string{label("One", "One")}, []int{-1}},
		"a ring":              {[]string{label("One", "Three"), label("Two", "One"), label("Three", "Two"), label("Four", "Two")}, []int{2, -1, 1, 1}},
		"without labels":      {[]string{`{}`, label("One", "")}, []int{-1, -1}},
		"none":                {nil, []int{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			must.Equal(t, c.want, stagesOf(t, c.stages...).Parents())
		})
	}
}

func TestStagesThatBreakTheContract(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, says string }{
		"no name":            {`{"stages":[],"currency":"EUR"}`, `"offerName" is missing`},
		"no stages":          {`{"offerName":"a"}`, `"stages" is missing`},
		"stages an object":   {`{"offerName":"a","stages":{}}`, "expected an array"},
		"a stage a text":     {`{"offerName":"a","stages":["x"]}`, "at /data/stages/0: expected an object"},
		"a stage null":       {`{"offerName":"a","stages":[null]}`, "is null"},
		"products an object": {`{"offerName":"a","stages":[{"products":{}}]}`, "at /data/stages/0/products: expected an array"},
		"a product a number": {`{"offerName":"a","stages":[{"products":[1]}]}`, "at /data/stages/0/products/0: expected an object"},
		"bundle a text":      {`{"offerName":"a","stages":[{"bundleDeal":"x"}]}`, "expected an object"},
		"NUL in a label":     {`{"offerName":"a","stages":[{"stage":"\u0000"}]}`, "NUL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, upstreamtest.OK(c.data)).Stages(t.Context(), "o_1")
			must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
			must.ErrorContains(t, err, "pull stages of offer o_1: ", c.says)
			must.Nil(t, got.Data)
		})
	}
}

func TestADiscountsValueIsANumberWhereItReadsAsOne(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`12`: "12", `12.0`: "12", `1.2e1`: "12", `"12"`: "12", `"1.2e1"`: "12", `0`: "0", `-5.50`: "-5.5",
		`"15%"`: "15%", `"1e999"`: "1e999", `1e999`: "1e999", `true`: "true", `{"a":1}`: `{"a":1}`, `""`: "", `" 5"`: "5",
	} {
		p := stagesOf(t, `{"products":[{"discountValue":`+value+`}]}`).Stages[0].Products[0]
		must.Equal(t, want, string(p.Discount), value)
	}
}
