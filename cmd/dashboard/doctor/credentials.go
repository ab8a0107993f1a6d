package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/settings"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// Credentials looks whether each token can be opened and is in use, and asks
// its service once unless offline.
func Credentials(ctx context.Context, a *app.App, offline bool) []Finding {
	stores, err := a.DB.Queries().AllStores(ctx)
	if err != nil {
		return []Finding{{"stores", err.Error(), true}}
	}
	if len(stores) == 0 {
		return []Finding{{What: "stores", Words: "none yet: connect one with `dashboard store add`"}}
	}
	var sync *pulls.Syncer
	if !offline {
		s, done, err := a.Syncer()
		if err != nil {
			return []Finding{{"stores", err.Error(), true}}
		}
		defer done()
		sync = s
	}
	var findings []Finding
	for _, store := range stores {
		creds, err := a.DB.Queries().CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return append(findings, Finding{"store " + store.Slug, err.Error(), true})
		}
		if len(creds) == 0 {
			findings = append(findings, Finding{"store " + store.Slug, "no service is connected: run `dashboard store set " + store.Slug + "` with its address", true})
		}
		for _, c := range creds {
			found, answers := credential(ctx, a, sync, store, c)
			findings = append(findings, found)
			if answers && c.Service == pulls.Gift {
				findings = append(findings, giftEndpoints(ctx, sync, store))
			}
		}
	}
	return findings
}

// credential asks only where the worker would: a paused credential keeps its
// first cause. answers reports whether the service was asked and answered. sync is nil
// offline.
func credential(ctx context.Context, a *app.App, sync *pulls.Syncer, store sqlc.Store, c sqlc.Credential) (found Finding, answers bool) {
	what := store.Slug + " " + c.Service
	switch {
	case !opens(a.Settings, c.KeyID):
		return Finding{what, fmt.Sprintf("its token was encrypted with another secret key: add that key, or enter the token again with `dashboard store set %s --%s-token`", store.Slug, c.Service), true}, false
	case pulls.Stored(c).NeedsPerson():
		return Finding{what, fmt.Sprintf("paused since %s: %s", words.Moment(c.PausedAt), pulls.Stored(c).Words(locale.English, time.Now(), time.UTC)), true}, false
	case pulls.Stored(c).Stopped(): // it may pass by itself, so nothing is to do yet
		return Finding{What: what, Words: pulls.Stored(c).Words(locale.English, time.Now(), time.UTC)}, false
	case store.PausedAt != nil:
		return Finding{What: what, Words: "paused by hand since " + words.Moment(store.PausedAt)}, false
	}
	if sync == nil {
		return Finding{What: what, Words: string(c.State) + ", " + c.BaseUrl + ", not asked"}, false
	}
	ctx, cancel := context.WithTimeout(ctx, ProbeTime)
	defer cancel()
	said, err := sync.Probe(ctx, c.ID)
	if f, ok := errors.AsType[*upstream.Failure](err); ok && f.Kind == upstream.Wait { // nothing is wrong
		return Finding{What: what, Words: string(c.State) + ", not asked: no call is left until " + words.Clock(f.Until)}, false
	}
	if errors.Is(err, pulls.ErrTrialLapsed) {
		return Finding{what, err.Error() + ", and a call would let the service revoke every key: choose a plan in the gift app, then run `dashboard store resume " + store.Slug + "`", true}, false
	}
	if err != nil {
		return Finding{what, words.ServiceError(c.Service, c.BaseUrl, err).Error(), true}, false
	}
	return Finding{What: what, Words: c.BaseUrl + " answers: " + words.Found(said)}, true
}

// ProbeTime is how long a service may take to answer the doctor.
const ProbeTime = 20 * time.Second

// opens reports whether one of the keys has that id.
func opens(s settings.Settings, keyID string) bool {
	sealer, err := s.Sealer()
	return err == nil && sealer.Opens(keyID)
}
