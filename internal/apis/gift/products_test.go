package gift_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

const products = `{"requested":3,"found":2,"notFound":["ghost"],"products":[
	{"handle":"mug","status":"ACTIVE","totalInventory":12,"tracksInventory":true,"publishedOnOnlineStore":true,
	 "variants":[{"stockStatus":"in_stock","giftable":true,"inventoryQuantity":12,"inventoryPolicy":"deny"}],
	 "variantCount":1,"giftableVariantCount":1,"canBeGifted":true,"issues":[]},
	{"handle":"card","status":"DRAFT","totalInventory":null,"tracksInventory":false,"publishedOnOnlineStore":false,
	 "variants":[{"stockStatus":"not_tracked","giftable":true,"inventoryQuantity":null,"inventoryPolicy":null}],
	 "variantCount":1,"giftableVariantCount":1,"canBeGifted":false,"issues":[{"code":"DRAFT","message":"It is a draft"},"unpublished"]}]}`

func TestProductsAreReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(products))
	got, err := s.Products(t.Context(), []string{"mug", "card", "ghost"})
	must.NoError(t, err)
	must.Equal(t, "mug,card,ghost", s.sent(t, "/products").Get("handles"))
	must.Equal(t, gift.Handles{"ghost"}, got.Data.NotFound)
	mug, card := got.Data.Products[0], got.Data.Products[1]
	must.Equal(t, int64(12), *mug.TotalInventory.Count)
	must.True(t, mug.CanBeGifted && *mug.TracksInventory && *mug.Variants[0].InventoryQuantity.Count == 12)
	must.Equal(t, "deny", *mug.Variants[0].InventoryPolicy)
	must.True(t, !card.CanBeGifted && !*card.PublishedOnOnlineStore)
	must.Equal(t, "DRAFT", card.Issues[0].Code)
	must.Equal(t, "unpublished", card.Issues[1].Message)
}

func TestN56_AnUntrackedQuantityIsNoneAndNotZero(t *testing.T) {
	t.Parallel()
	tracked := func(quantity string) gift.Product {
		body := strings.Replace(products, `"totalInventory":null`, `"totalInventory":`+quantity, 1)
		got, err := open(t, upstreamtest.OK(strings.Replace(body, `"inventoryQuantity":null`, `"inventoryQuantity":`+quantity, 1))).
			Products(t.Context(), []string{"card"})
		must.NoError(t, err)
		return got.Data.Products[1]
	}
	for _, none := range []string{`null`, `""`} {
		p := tracked(none)
		must.Equal(t, gift.NotTracked, p.Variants[0].StockStatus)
		must.True(t, p.TotalInventory.Count == nil && p.Variants[0].InventoryQuantity.Count == nil && p.Variants[0].InventoryPolicy == nil)
		must.True(t, p.Variants[0].Giftable, "the verdict is the service's, not the quantity's")
	}
	for text, want := range map[string]int64{"0": 0, "-3": -3, "1.2e1": 12, "7.0": 7} {
		p := tracked(text)
		must.Equal(t, want, *p.TotalInventory.Count)
		must.Equal(t, want, *p.Variants[0].InventoryQuantity.Count)
	}
}

func TestN57_AtMostFiftyHandlesAreAskedForAtOnce(t *testing.T) {
	t.Parallel()
	handles := make([]string, 121)
	for i := range handles {
		handles[i] = fmt.Sprint("p-", i)
	}
	s := open(t, upstreamtest.OK(products))
	for _, n := range []int{0, 51, 121} {
		_, err := s.Products(t.Context(), handles[:n])
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	for _, handle := range []string{"", ",", "a,b", "A title", "products/mug"} {
		_, err := s.Products(t.Context(), []string{"mug", handle})
		must.Equal(t, upstream.OurFault, failure(t, err).Kind, handle)
	}
	must.Equal(t, 0, len(s.Requests()))

	var asked []string
	for _, chunk := range gift.Chunks(handles) {
		_, err := s.Products(t.Context(), chunk)
		must.NoError(t, err)
		asked = append(asked, strings.Split(s.sent(t, "/products").Get("handles"), ",")...)
	}
	must.Equal(t, handles, asked)
	must.Equal(t, 3, len(s.Requests()))
	must.Equal(t, 0, len(gift.Chunks(nil)))
}

func TestN57_WhatWasNotFoundMustBeSaid(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"notFound", "products", "variants", "canBeGifted", "issues", "stockStatus", "giftable"} {
		_, err := open(t, replaced(products, `"`+key+`":`, `"x":`)).Products(t.Context(), []string{"mug"})
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind, key)
	}
	got, err := open(t, replaced(products, `"notFound":["ghost"]`, `"notFound":1.0`)).Products(t.Context(), []string{"mug"})
	must.NoError(t, err)
	must.True(t, got.Data.NotFound == nil)
}
