package db

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// StoredSettings reads everything that a store's Settings page needs.
func (d *DB) StoredSettings(ctx context.Context, s ScopedStore, now time.Time) (stores.Settings, error) {
	rows, err := d.q.ServicesOfStore(ctx, s.id)
	if err != nil {
		return stores.Settings{}, fmt.Errorf("read services of %s: %w", s.Slug, err)
	}
	services := Each(rows, func(r sqlc.ServicesOfStoreRow) stores.StoredService {
		return stores.StoredService{
			StoredCredential: report.StoredCredential{
				Service: r.Service, State: r.State, Cause: OrZero(r.PausedCause), Said: OrZero(r.PausedSaid),
				PausedAt: OrZero(r.PausedAt), NextProbe: OrZero(r.NextProbeAt), OutageSince: OrZero(r.OutageSince),
			},
			Address: r.BaseUrl, Tail: r.TokenTail, Domain: OrZero(r.ShopDomain),
			ConnectedAt: r.CreatedAt, ReplacedAt: OrZero(r.ReplacedAt), LastGoodAt: Known(r.LastGoodAt), Timezone: r.Timezone,
		}
	})
	return stores.NewSettings(locale.From(ctx), s.Store, s.HistoryDays, s.Paused, services, now), nil
}
