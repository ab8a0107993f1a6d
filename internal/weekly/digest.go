package weekly

import (
	"context"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// ReadDigest reads the week that begins on first for all stores that the person may see now,
// each in its own time zone, in the language l. It also returns the ids of these stores. The
// mail waits for data until the given time.
func ReadDigest(ctx context.Context, d *db.DB, person int64, first civil.Date, now, until time.Time, l locale.Locale) (weekly.Week, []int64, error) {
	scope, err := d.ScopeOfPerson(ctx, person)
	if err != nil {
		return weekly.Week{}, nil, err
	}
	shown, err := d.StoreIDs(ctx, scope)
	if err != nil {
		return weekly.Week{}, nil, err
	}
	list, err := d.Portfolio(locale.With(ctx, l), db.AlertPrincipal{Scope: scope, Person: person, Now: now}, weekly.DigestQuery(first), now)
	if err != nil {
		return weekly.Week{}, nil, err
	}
	return weekly.NewDigest(l, list, until), shown, nil
}
