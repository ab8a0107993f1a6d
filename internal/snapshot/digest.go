package snapshot

import (
	"context"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// ReadDigest reads, in a language, the week that begins on first of all stores that the person may see
// at this moment, each on its own clock. The mail waits for data until the moment given.
func ReadDigest(ctx context.Context, d *db.DB, person int64, first civil.Date, now, until time.Time, t report.Tongue) (report.Week, error) {
	scope, err := d.ScopeOfPerson(ctx, person)
	if err != nil {
		return report.Week{}, err
	}
	list, err := d.Portfolio(ctx, scope, report.DigestQuery(first), now)
	if err != nil {
		return report.Week{}, err
	}
	return report.NewDigest(t, list, until), nil
}
