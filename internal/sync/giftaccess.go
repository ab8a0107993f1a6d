package pulls

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

// ServiceAccess is what a call to a store's service needs when a person waits for it.
type ServiceAccess struct {
	Transport *upstream.Transport
	Base      *url.URL
	Token     upstream.Secret
	// Gate is the lane for people in the token's budget.
	Gate upstream.Gate

	credential sqlc.Credential
}

// WithGift runs call with access to a store's gift service. key, if set, replaces the stored
// key, which may only be able to read; it must belong to the same shop, which is checked first
// (N35). call isn't run if the service is paused or would revoke the store's keys (N40). Errors
// are those of call and of Probe, ErrUnknownStore, ErrNoGift and ErrPaused.
func (s *Syncer) WithGift(ctx context.Context, slug string, key upstream.Secret, call func(ServiceAccess) error) error {
	return s.withService(ctx, slug, Gift, key, call)
}

func (s *Syncer) withService(ctx context.Context, slug, service string, key upstream.Secret, call func(ServiceAccess) error) error {
	cred, err := s.credentialOf(ctx, slug, service)
	if err != nil {
		return err
	}
	w, err := s.begin(ctx, cred.ID)
	if err != nil {
		return err
	}
	base, err := upstream.CheckBase(cred.BaseUrl, s.Allow)
	if err != nil {
		return err
	}
	if service == Gift {
		if ended, lapsed, err := w.lapsed(ctx); err != nil {
			return err
		} else if lapsed {
			return fmt.Errorf("%w on %s", ErrTrialLapsed, locale.English.DayYear(ended))
		}
	}
	access := ServiceAccess{Transport: s.Transport, Base: base, Token: w.token, credential: w.cred}
	budget := cred.Budget
	if !key.IsZero() && key.Reveal() != w.token.Reveal() {
		access.Token = key
		if budget, err = s.budgetName(ctx, s.DB.Queries(), key.Reveal()); err != nil {
			return err
		}
	}
	return w.keepCause(ctx, s.interactive(ctx, budget, func(g upstream.Gate) error {
		access.Gate = g
		if access.Token != w.token {
			found, err := s.ask(ctx, service, base, access.Token, g)
			if err != nil {
				return err
			}
			if err := s.sameShopAs(ctx, w.store.ID, found.Domain); err != nil {
				return err
			}
		}
		return call(access)
	}))
}

var (
	// ErrNoGift means that the store has no gift service connected.
	ErrNoGift = errors.New("no gift service is connected")
	// ErrPaused means that the service is paused; the reason follows.
	ErrPaused = errors.New("the gift service is paused")

	errNoUpsell     = errors.New("no upsell service is connected")
	errUpsellPaused = errors.New("the upsell service is paused")
)

func (s *Syncer) credentialOf(ctx context.Context, slug, service string) (sqlc.Credential, error) {
	none, paused := ErrNoGift, ErrPaused
	if service == Upsell {
		none, paused = errNoUpsell, errUpsellPaused
	}
	q := s.DB.Queries()
	store, err := q.StoreBySlug(ctx, slug)
	if err != nil {
		return sqlc.Credential{}, db.Absent(err, fmt.Errorf("%w %q", ErrUnknownStore, slug), "find store %s", slug)
	}
	if store.RemovedAt != nil {
		return sqlc.Credential{}, fmt.Errorf("%w %q", ErrUnknownStore, slug)
	}
	creds, err := q.CredentialsOfStore(ctx, store.ID)
	if err != nil {
		return sqlc.Credential{}, fmt.Errorf("read credentials of %s: %w", slug, err)
	}
	for _, c := range creds {
		switch {
		case c.Service != service:
		case stopped(c):
			return sqlc.Credential{}, fmt.Errorf("%w: %s", paused, Stored(c).Advice().In(locale.English))
		default:
			return c, nil
		}
	}
	return sqlc.Credential{}, fmt.Errorf("%w to %s", none, slug)
}
