package main

import (
	"context"
	"errors"

	"github.com/storeglass/storeglass/internal/report"
	storesync "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web"
)

// productChecks let the pages ask a store's gift service, which they can't reach
// themselves.
type productChecks struct{ sync *storesync.Syncer }

// CheckProducts implements web.ProductChecker.
func (p productChecks) CheckProducts(ctx context.Context, slug string, handles []string) (report.ProductCheck, error) {
	check, err := p.sync.CheckProducts(ctx, slug, handles)
	if refused, ok := errors.AsType[*storesync.ProductCheckError](err); ok {
		p.sync.Log.Info("products were not checked", "store", slug, "error", refused.Unwrap())
		return check, &web.ProductCheckError{Reason: refused.Words}
	}
	return check, err
}
