package plan

import (
	"time"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
)

// Ledger is the ledger of one credential, by kind and subject.
type Ledger map[Key]sqlc.Ledger

// Key names a ledger row.
type Key struct {
	Kind    Kind
	Subject string
}

// NewLedger indexes rows.
func NewLedger(rows []sqlc.Ledger) Ledger {
	l := make(Ledger, len(rows))
	for _, r := range rows {
		l[Key{Kind(r.Pull), r.Subject}] = r
	}
	return l
}

// Of are the rows of a kind.
func (l Ledger) Of(kind Kind) []sqlc.Ledger {
	var out []sqlc.Ledger
	for key, row := range l {
		if key.Kind == kind {
			out = append(out, row)
		}
	}
	return out
}

func (l Ledger) has(kind Kind, subject string) bool {
	_, ok := l[Key{kind, subject}]
	return ok
}

// Held reports whether a worker currently has the row claimed.
func Held(row sqlc.Ledger, now time.Time) bool {
	return row.ClaimedUntil != nil && row.ClaimedUntil.After(now)
}

// wantedFor is how long we assume a person looks at a page they opened. The SQL statements use
// the same ten minutes.
const wantedFor = 10 * time.Minute

// wanted reports whether a person waits for this pull and it hasn't been tried since, or was
// only told to come back later.
func wanted(row sqlc.Ledger, now time.Time) bool {
	return row.WantedAt != nil && now.Sub(*row.WantedAt) < wantedFor &&
		(row.TriedAt == nil || row.TriedAt.Before(*row.WantedAt) || row.Outcome == fact.PullWaiting)
}
