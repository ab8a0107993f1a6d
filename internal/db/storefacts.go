package db

import (
	"sync"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/report"
)

// facts are what is known about one store regardless of the window. Their rows only change along with
// the store's revision.
type facts struct {
	revision    int64
	credentials []report.StoredCredential
	coverage    []report.StoredCover
	suspects    []report.Suspect
}

// mostStoreFacts is how many stores are kept in memory, at a few kilobytes each.
const mostStoreFacts = 10_000

// storeFacts caches facts of stores, so that a list of a thousand stores reads only those that changed.
// It checks no rights: the caller has read the stores and their revisions from the database, limited to
// the principal's.
type storeFacts struct {
	mu   sync.Mutex
	kept map[int64]*facts
}

// of returns the facts of the stores: those that are still current, and empty ones for the others, whose ids
// it lists.
func (k *storeFacts) of(stores []ScopedStore) (of map[int64]*facts, others []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	of = make(map[int64]*facts, len(stores))
	for _, s := range stores {
		if have, ok := k.kept[s.id]; ok && have.revision == s.Revision {
			of[s.id] = have
		} else {
			of[s.id] = &facts{revision: s.Revision}
			others = append(others, s.id)
		}
	}
	return of, others
}

// keep keeps the facts of the stores with these ids, which were just read.
func (k *storeFacts) keep(read map[int64]*facts, ids []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept)+len(ids) > mostStoreFacts {
		k.kept = make(map[int64]*facts, len(ids))
	}
	for _, id := range ids {
		k.kept[id] = read[id]
	}
}

// askFacts reads the facts of the stores with these ids into the map.
func askFacts(b *Batch, ids []int64, into map[int64]*facts) {
	askFor(b, (*sqlc.Queries).CredentialStates, ids, func(r sqlc.CredentialStatesRow) {
		into[r.StoreID].credentials = append(into[r.StoreID].credentials, credential(r))
	})
	askFor(b, (*sqlc.Queries).CoverageRows, ids, func(r sqlc.Coverage) {
		into[r.StoreID].coverage = append(into[r.StoreID].coverage, cover(r))
	})
	askFor(b, (*sqlc.Queries).SuspectDays, ids, func(r sqlc.SuspectDaysRow) {
		into[r.StoreID].suspects = append(into[r.StoreID].suspects, suspect(r))
	})
}
