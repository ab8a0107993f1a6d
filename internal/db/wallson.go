//go:build !wallsoff

package db

import "context"

// withoutChecks gives the visit as it is: what the grants hold, and no more. See
// its other self in wallsoff.go.
func (d *DB) withoutChecks(_ context.Context, v Visit, _ string) (Visit, error) { return v, nil }
