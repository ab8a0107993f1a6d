package db

import (
	"sync"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// saying is what is said of a store whatever window is asked for. It is made of rows
// that change only together with the store's revision.
type saying struct {
	revision    int64
	credentials []report.StoredCredential
	coverage    []report.StoredCover
	gift        stores.GiftSetup
	suspects    []report.Suspect
}

// mostSayings are kept at once, a few kilobytes each.
const mostSayings = 10_000

// sayings keeps them in memory, so that a list of a thousand stores reads those that
// changed since. It answers no question of rights: whoever asks has found stores and
// revisions in the database, behind the wall.
type sayings struct {
	mu   sync.Mutex
	kept map[int64]saying
}

// of is what is kept of the stores as they are now, by id, and the ids of the others.
func (k *sayings) of(stores []ScopedStore) (kept map[int64]saying, others []int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	kept = make(map[int64]saying, len(stores))
	for _, s := range stores {
		if have, ok := k.kept[s.id]; ok && have.revision == s.Revision {
			kept[s.id] = have
		} else {
			others = append(others, s.id)
		}
	}
	return kept, others
}

func (k *sayings) keep(read map[int64]saying) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil || len(k.kept)+len(read) > mostSayings {
		k.kept = make(map[int64]saying, len(read))
	}
	for id, s := range read {
		k.kept[id] = s
	}
}

// sayingRows are the rows that sayings are made of.
type sayingRows struct {
	credentials []CredentialsOfStoresRow
	coverage    []CoverageOfStoresRow
	health      []GiftHealth
	plans       []GiftPlansOfStoresRow
	suspects    []SuspectDaysOfStoresRow
}

func (r *sayingRows) ask(b *Batch, ids []int64) {
	ask(b, &r.credentials, (*Queries).CredentialsOfStores, ids)
	ask(b, &r.coverage, (*Queries).CoverageOfStores, ids)
	ask(b, &r.health, (*Queries).SetupHealthOfStores, ids)
	ask(b, &r.plans, (*Queries).GiftPlansOfStores, ids)
	ask(b, &r.suspects, (*Queries).SuspectDaysOfStores, ids)
}

// sayings are those of the stores with these ids.
func (r *sayingRows) sayings(ids []int64, revision map[int64]int64) map[int64]saying {
	out := make(map[int64]saying, len(ids))
	for _, id := range ids {
		out[id] = saying{revision: revision[id]}
	}
	for _, c := range r.credentials {
		s := out[c.StoreID]
		s.credentials = append(s.credentials, report.StoredCredential{
			Service: c.Service, Host: c.Host, State: report.CredentialState(c.State), Cause: text(c.PausedCause), Text: text(c.PausedText),
			PausedAt: moment(c.PausedAt), NextProbe: moment(c.NextProbeAt), OutageSince: moment(c.OutageSince),
		})
		out[c.StoreID] = s
	}
	for _, c := range r.coverage {
		s := out[c.StoreID]
		s.coverage = append(s.coverage, report.StoredCover{Placement: report.Placement(c.Placement), ActiveCount: c.ActiveCount, TotalCount: c.TotalCount})
		out[c.StoreID] = s
	}
	for _, d := range r.suspects {
		s := out[d.StoreID]
		s.suspects = append(s.suspects, suspect(SuspectDaysRow{d.Service, d.FirstDay, d.LastDay, d.NoticedAt, d.Unexplained}))
		out[d.StoreID] = s
	}
	health := map[int64][]report.StoredHealth{}
	for _, h := range r.health {
		health[h.StoreID] = append(health[h.StoreID], healthSection(GiftHealthRowsRow{h.Section, h.Body, h.FetchedAt}))
	}
	plans := map[int64]*report.StoredJSON{}
	for _, p := range r.plans {
		plans[p.StoreID] = &report.StoredJSON{Body: p.Body, FetchedAt: p.FetchedAt}
	}
	for id, s := range out {
		s.gift = stores.ReadGiftSetup(health[id], plans[id])
		out[id] = s
	}
	return out
}
