package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	storesync "github.com/storeglass/storeglass/internal/sync"
)

// checkCredentials looks whether each token can be opened and is in use, and asks
// its service once unless offline.
func (h *house) checkCredentials(ctx context.Context, offline bool) []finding {
	stores, err := h.db.Queries().AllStores(ctx)
	if err != nil {
		return []finding{{"stores", err.Error(), true}}
	}
	if len(stores) == 0 {
		return []finding{{what: "stores", words: "none yet: connect one with `dashboard store add`"}}
	}
	var sync *storesync.Syncer
	if !offline {
		s, done, err := h.syncer()
		if err != nil {
			return []finding{{"stores", err.Error(), true}}
		}
		defer done()
		sync = s
	}
	var findings []finding
	for _, store := range stores {
		creds, err := h.db.Queries().CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return append(findings, finding{"store " + store.Slug, err.Error(), true})
		}
		if len(creds) == 0 {
			findings = append(findings, finding{"store " + store.Slug, "no service is connected: run `dashboard store set " + store.Slug + "` with its address", true})
		}
		for _, c := range creds {
			found, answers := h.checkCredential(ctx, sync, store, c)
			findings = append(findings, found)
			if answers && c.Service == storesync.Gift {
				findings = append(findings, h.checkGiftList(ctx, sync, store))
			}
		}
	}
	return findings
}

// checkCredential asks only where the worker would: a paused credential keeps its
// first cause. answers tells whether the service was asked and answered. sync is nil
// offline.
func (h *house) checkCredential(ctx context.Context, sync *storesync.Syncer, store db.Store, c db.Credential) (found finding, answers bool) {
	what := store.Slug + " " + c.Service
	switch {
	case !opens(h.settings, c.KeyID):
		return finding{what, fmt.Sprintf("its token was sealed with another secret key: give that key too, or the token again with `dashboard store set %s --%s-token`", store.Slug, c.Service), true}, false
	case storesync.Stored(c).NeedsPerson():
		return finding{what, fmt.Sprintf("paused since %s: %s", moment(c.PausedAt), storesync.Stored(c).Words(time.Now(), time.UTC)), true}, false
	case storesync.Stored(c).Stopped():
		return finding{what, storesync.Stored(c).Words(time.Now(), time.UTC), true}, false
	case store.PausedAt != nil:
		return finding{what: what, words: "paused by hand since " + moment(store.PausedAt)}, false
	}
	if sync == nil {
		return finding{what: what, words: c.State + ", " + c.BaseUrl + ", not asked"}, false
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	said, err := sync.Probe(ctx, c.ID)
	if f, ok := errors.AsType[*upstream.Failure](err); ok && f.Kind == upstream.Wait { // nothing is wrong
		return finding{what: what, words: c.State + ", not asked: no call is left until " + f.Until.Local().Format(time.TimeOnly)}, false
	}
	if errors.Is(err, storesync.ErrTrialLapsed) {
		return finding{what, err.Error() + ", and a call would let the service revoke every key: choose a plan in the gift app, then run `dashboard store resume " + store.Slug + "`", true}, false
	}
	if err != nil {
		return finding{what, connectError(c.Service, c.BaseUrl, err).Error(), true}, false
	}
	return finding{what: what, words: c.BaseUrl + " answers: " + foundWords(said)}, true
}

// probeTime is how long a service may take to answer the doctor.
const probeTime = 20 * time.Second
