package upsell_test

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// words describes a condition: kind, resources, marks.
func words(c upsell.TriggerCondition) string {
	said := []string{c.Kind}
	for _, r := range c.Resources {
		word := string(r.Kind) + ":" + r.ID + "/" + r.Title
		if r.Deleted {
			word += "!"
		}
		said = append(said, word)
	}
	if c.Deleted {
		said = append(said, "DELETED")
	}
	return strings.Join(strings.Fields(strings.Join(said, " ")), " ")
}

func TestConditionsAreReadUnderPlausibleNames(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ body, want string }{
		"lists of objects":       {`{"type":"product","products":[{"id":"1","title":"Socks"},{"id":"2","name":"Hat"}]}`, "product product:1/Socks product:2/Hat"},
		"lists of texts":         {`{"type":"tags","operator":"any","tags":["vip","new"]}`, "tags tag:/vip tag:/new"},
		"one object":             {`{"kind":"collection","collection":{"id":"c","title":"Winter"}}`, "collection collection:c/Winter"},
		"ids only":               {`{"products":["gid://p/Product/1"],"productIds":["gid://p/Product/1",2]}`, "product:gid://p/Product/1/ product:2/"},
		"ids before names":       {`{"productIds":["1"],"products":[{"id":"1","title":"Socks","deleted":true}]}`, "product:1/Socks!"},
		"value of the kind":      {`{"field":"collection","value":"Winter"}`, "collection collection:/Winter"},
		"values of the kind":     {`{"field":"product_tag","values":["vip"]}`, "product_tag tag:/vip"},
		"wrapped":                {`{"type":"product","resource":{"nodes":[{"product":{"id":"1","title":"a"},"isDeleted":true}]}}`, "product product:1/a!"},
		"the condition itself":   {`{"type":"product","id":"1","title":"Socks","status":"deleted"}`, "product product:1/Socks! DELETED"},
		"order value":            {`{"type":"order_value","operator":"gte","value":5.0e1}`, "order_value"},
		"value and unit":         {`{"type":"cart","amount":"50","unit":"EUR"}`, "cart"},
		"not the product's type": {`{"type":"product_type","value":"Shoes"}`, "product_type"},
		"an empty list":          {`{"type":"product","id":"cond_1","title":"By product","products":[]}`, "product"},
		"not what is excluded":   {`{"type":"product","products":["a"],"excludedProducts":["b"],"notTags":["c"]}`, "product product:/a"},
		"yes and no":             {`{"type":"order","hasProducts":true,"anyProduct":true,"product":false}`, "order"},
		"a text":                 {`"all of it"`, "all of it"},
		"a number":               {`1.2e1`, "12"},
		"nothing known":          {`{"x":[1,{"y":null}],"":{}}`, ""},
		"same name, other kinds": {`{"products":["a"],"tags":["a"],"collections":["a","a"]}`, "product:/a tag:/a collection:/a"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := upstream.Decode[upsell.TriggerCondition]([]byte(c.body))
			must.NoError(t, err)
			must.Equal(t, c.want, words(got))
			must.Equal(t, c.body, string(got.Raw), "what came is kept")
		})
	}
}

func TestADeletedResourceIsMarkedInWhateverForm(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{
		`"deleted":true`, `"isDeleted":true`, `"is_deleted":"true"`, `"Deleted":1`, `"removed":true`, `"missing":true`, `"exists":false`,
		`"deletedAt":"2026-01-01"`, `"deleted_at":1767225600`, `"status":"deleted"`, `"state":"REMOVED"`,
	} {
		got, err := upstream.Decode[upsell.TriggerCondition]([]byte(`{"type":"product","products":[{"id":"1","title":"a",` + mark + `},{"id":"2","title":"b"}]}`))
		must.NoError(t, err)
		must.Equal(t, "product product:1/a! product:2/b", words(got), mark)
		must.True(t, got.Resources[0].Deleted && !got.Deleted, mark)
		got, err = upstream.Decode[upsell.TriggerCondition]([]byte(`{"type":"product","products":[{"id":"1"},{"id":"2"}],` + mark + `}`))
		must.NoError(t, err)
		must.True(t, got.Deleted && !got.Resources[0].Deleted, mark)
		got, err = upstream.Decode[upsell.TriggerCondition]([]byte(`{"type":"product","products":[{"id":"1"}],` + mark + `}`))
		must.NoError(t, err)
		must.True(t, got.Resources[0].Deleted, "the only one it can mean", mark)
	}
	for _, none := range []string{`"deleted":false`, `"deleted":null`, `"deleted":0`, `"exists":true`, `"deletedAt":null`, `"deletedAt":""`, `"status":"active"`, `"undeleted":true`} {
		got, err := upstream.Decode[upsell.TriggerCondition]([]byte(`{"type":"product","products":[{"id":"1","title":"a",` + none + `}]}`))
		must.NoError(t, err)
		must.True(t, !got.Deleted && !got.Resources[0].Deleted, none)
	}
	for _, list := range []string{`"deletedProducts":["x"]`, `"removed_products":[{"title":"x"}]`, `"deleted":["x"]`} {
		got, err := upstream.Decode[upsell.TriggerCondition]([]byte(`{"type":"product","products":["a"],` + list + `}`))
		must.NoError(t, err)
		must.Equal(t, "product product:/a product:/x!", words(got), list)
	}
}
