package app

import (
	"context"
	"errors"

	"github.com/storeglass/storeglass/internal/report/offers"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web/reports"
)

// productChecks let the pages and the JSON API ask a store's services, which they can't reach
// themselves.
type productChecks struct{ sync *pulls.Syncer }

// CheckProducts implements reports.ServiceCaller.
func (p productChecks) CheckProducts(ctx context.Context, slug string, handles []string) (offers.ProductCheck, error) {
	check, err := p.sync.CheckProducts(ctx, slug, handles)
	return check, p.forPages(slug, err)
}

// Recommend implements reports.ServiceCaller.
func (p productChecks) Recommend(ctx context.Context, slug string, of offers.ProductQuery) (offers.ProductRecommendations, error) {
	got, err := p.sync.Recommend(ctx, slug, of)
	return got, p.forPages(slug, err)
}

// forPages keeps the words of a failed call for the person, and its cause for the log.
func (p productChecks) forPages(slug string, err error) error {
	if refused, ok := errors.AsType[*pulls.CallError](err); ok {
		p.sync.Log.Info("a call for a person failed", "store", slug, "error", refused.Unwrap())
		return &reports.CallError{Said: refused.Said}
	}
	return err
}
