package app

import (
	"errors"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestAFullDatabaseServerNeedsOtherAdvice(t *testing.T) {
	t.Parallel()
	full := &pgconn.PgError{Code: "53300"}
	if err := advised(full, "start it"); !errors.Is(err, full) || err.Error() != full.Error() {
		t.Errorf("full: %v", err)
	}
	if err := advised(errors.New("refused"), "start it"); err.Error() != "refused: start it" {
		t.Errorf("away: %v", err)
	}
}
