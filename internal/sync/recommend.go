package pulls

import (
	"context"
	"errors"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/sync/details"
)

var errOtherProduct = errors.New("the answer is not one that the question can have")

// Recommend asks the upsell service what goes with a product, in the lane for people. Nothing
// of the answer is stored, because it is about a product that a person chose, not an offer.
// Errors are ErrUnknownStore, a *offers.CallError, or our own.
func (s *Syncer) Recommend(ctx context.Context, storeSlug string, of offers.ProductQuery) (offers.ProductRecommendations, error) {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	out := offers.ProductRecommendations{Of: of}
	var used sqlc.Credential
	err := s.withService(ctx, storeSlug, Upsell, upstream.Secret{}, func(a ServiceAccess) error {
		used = a.credential
		client := upsell.New(a.Transport, a.Base, a.Token, a.Gate)
		got, err := patiently(ctx, func() (upstream.Answer[upsell.Recommendations], error) {
			return client.Recommendations(ctx, upsell.RecommendationsQuery{ProductID: of.ID, ProductName: of.Name})
		})
		if err != nil {
			return err
		}
		if got.Has(upstream.FlagFilterDiffers) {
			return errOtherProduct
		}
		out.RecommendationsBody = details.RecommendationsBody(got.Data).In(locale.From(ctx))
		out.Provenance = report.Provenance{
			Endpoint: "GET /data/products/recommendations", Basis: report.Reported, FetchedAt: got.FetchedAt, FetchedLast: got.FetchedAt, Replies: 1,
		}
		return nil
	})
	if err != nil {
		return offers.ProductRecommendations{}, s.callFailed(ctx, Upsell, storeSlug, used, err)
	}
	store, err := s.DB.Queries().StoreBySlug(ctx, storeSlug)
	if err != nil {
		return offers.ProductRecommendations{}, err
	}
	out.Provenance.Timezone, out.Provenance.TimezoneFrom = store.Timezone, "store"
	if out.Currency == "" { // best sellers and candidates come without a currency
		out.Currency = db.OrZero(store.Currency)
	}
	return out, nil
}
