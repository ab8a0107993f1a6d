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
	kept map[int64]facts
}

// of returns the facts that are still current, by store, and the ids of the other stores.
func (k *storeFacts) of(stores []ScopedStore) (kept map[int64]facts, others []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept = make(map[int64]facts, len(stores))
	for _, s := range stores {
		if have, ok := k.kept[s.id]; ok && have.revision == s.Revision {
			kept[s.id] = have
		} else {
			others = append(others, s.id)
		}
	}
	return kept, others
}

func (k *storeFacts) keep(read map[int64]facts) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept)+len(read) > mostStoreFacts {
		k.kept = make(map[int64]facts, len(read))
	}
	for id, s := range read {
		k.kept[id] = s
	}
}

// storeFactRows are the rows that facts are made of.
type storeFactRows struct {
	credentials []sqlc.CredentialStatesRow
	coverage    []sqlc.Coverage
	suspects    []sqlc.SuspectDaysRow
}

func (r *storeFactRows) ask(b *Batch, ids []int64) {
	ask(b, &r.credentials, (*sqlc.Queries).CredentialStates, ids)
	ask(b, &r.coverage, (*sqlc.Queries).CoverageRows, ids)
	ask(b, &r.suspects, (*sqlc.Queries).SuspectDays, ids)
}

// read makes the facts of the stores with these ids.
func (r *storeFactRows) read(ids []int64, revision map[int64]int64) map[int64]facts {
	out := make(map[int64]facts, len(ids))
	for _, id := range ids {
		out[id] = facts{revision: revision[id]}
	}
	for _, c := range r.credentials {
		s := out[c.StoreID]
		s.credentials = append(s.credentials, credential(c))
		out[c.StoreID] = s
	}
	for _, c := range r.coverage {
		s := out[c.StoreID]
		s.coverage = append(s.coverage, cover(c))
		out[c.StoreID] = s
	}
	for _, d := range r.suspects {
		s := out[d.StoreID]
		s.suspects = append(s.suspects, suspect(d))
		out[d.StoreID] = s
	}
	return out
}
