package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// Found is what a service said about itself when it was first asked.
type Found struct {
	Service string
	// Domain is the shop that the token belongs to; empty when not said.
	Domain string
	// Offers is the number of offers in any status (upsell).
	Offers int64
	// Currency and Timezone are the service's own (gift); empty when not said.
	Currency, Timezone string
	// Plan is the name of the plan (gift).
	Plan string
}

// Check asks a service once whether address and token are right, and says what
// it found. The call is counted like any other. Errors carry words for people:
// see [Advice].
func (s *Syncer) Check(ctx context.Context, service, baseURL string, token upstream.Secret) (found Found, err error) {
	base, err := upstream.CheckBase(baseURL, s.Allow)
	if err != nil {
		return Found{}, err
	}
	err = s.interactive(ctx, s.Sealer.BudgetKey(token.Reveal()), func(g upstream.Gate) error {
		if found, err = s.ask(ctx, service, base, token, g); err != nil || service != Gift {
			return err
		}
		got, err := gift.New(s.Transport, base, token, g).Analytics(ctx, 1, false)
		if err != nil {
			return err
		}
		found.Currency, found.Timezone = string(got.Data.Currency), got.Data.Period.Timezone
		if found.Domain == "" {
			found.Domain = got.Data.Domain
		}
		return nil
	})
	if err != nil {
		return Found{}, err
	}
	return found, nil
}

// Probe asks the service of a stored credential once, by its cheapest call, and says
// what it found. It changes nothing: what follows from a refusal is for the next pull
// to decide, but for one that ends every key of the store. A gift service that would revoke the store's keys is not asked (N40).
// Errors are those of Check, ErrOtherShop and ErrTrialLapsed.
func (s *Syncer) Probe(ctx context.Context, credentialID int64) (found Found, err error) {
	w, err := s.begin(ctx, credentialID)
	if err != nil {
		return Found{}, err
	}
	base, err := upstream.CheckBase(w.cred.BaseUrl, s.Allow)
	if err != nil {
		return Found{}, err
	}
	if ended, lapsed, err := w.lapsed(ctx); err != nil || lapsed {
		return Found{}, cmp.Or(err, fmt.Errorf("%w on %s", ErrTrialLapsed, report.DayYear(ended)))
	}
	err = s.interactive(ctx, w.cred.Budget, func(g upstream.Gate) error {
		found, err = s.ask(ctx, w.cred.Service, base, w.token, g)
		return err
	})
	if err != nil {
		return Found{}, w.keepCause(ctx, err)
	}
	return found, s.sameShop(ctx, w.store.ID, found.Domain)
}

// interactive makes calls in the lane of people.
func (s *Syncer) interactive(ctx context.Context, budgetKey []byte, call func(upstream.Gate) error) error {
	b, err := s.budgetOf(ctx, budgetKey)
	if err != nil {
		return err
	}
	g := &gate{budget: b, lane: db.Interactive}
	defer func() {
		for _, slot := range g.spent() {
			// A slot that can't be released is free after its hold.
			_ = s.DB.Queries().ReleaseSlot(context.WithoutCancel(ctx), db.ReleaseSlotParams{Hold: db.HoldAfterReply, Budget: b.key, N: slot.N, HeldUntil: slot.HeldUntil})
		}
	}()
	return call(g)
}

// ask makes a service's cheapest call.
func (s *Syncer) ask(ctx context.Context, service string, base *url.URL, token upstream.Secret, g upstream.Gate) (Found, error) {
	switch service {
	case Upsell:
		got, err := upsell.New(s.Transport, base, token, g).Count(ctx)
		if err != nil {
			return Found{}, err
		}
		return Found{Service: service, Domain: got.Data.ShopDomain, Offers: got.Data.Total}, nil
	case Gift:
		got, err := gift.New(s.Transport, base, token, g).Plan(ctx)
		if err != nil {
			return Found{}, err
		}
		return Found{Service: service, Domain: got.Data.Domain, Plan: got.Data.Plan.Plan}, nil
	}
	return Found{}, fmt.Errorf("service %q is neither upsell nor gift", service)
}

// Advice is what a person should do about an error of Check or Connect; empty
// when there is nothing beyond the error's own words.
func Advice(service string, err error) string {
	f, ok := asFailure(err)
	if !ok || f.Kind != upstream.Pause {
		return ""
	}
	return advice(service, f)
}

// Connect checks a service's address and token by a live call, then seals the
// token and saves both. Nothing is saved when the check fails. A token of another
// shop than the one the store is bound to is refused.
func (s *Syncer) Connect(ctx context.Context, storeID int64, service, baseURL string, token upstream.Secret) (Found, error) {
	found, err := s.Check(ctx, service, baseURL, token)
	if err != nil {
		return found, err
	}
	if err := s.sameShop(ctx, storeID, found.Domain); err != nil {
		return found, err
	}
	return found, s.save(ctx, storeID, service, baseURL, token, found)
}

// ErrOtherShop: the token belongs to another shop than the store's.
var ErrOtherShop = errors.New("the token belongs to another shop")

// sameShop refuses a shop that is not the one the store's numbers are of (N35):
// those of two shops would stand in one history.
func (s *Syncer) sameShop(ctx context.Context, storeID int64, domain string) error {
	store, err := s.DB.Queries().StoreByID(ctx, storeID)
	if err != nil {
		return fmt.Errorf("load store %d: %w", storeID, err)
	}
	bound := []*string{store.Domain}
	creds, err := s.DB.Queries().CredentialsOfStore(ctx, storeID)
	if err != nil {
		return fmt.Errorf("read credentials of %s: %w", store.Slug, err)
	}
	for _, c := range creds {
		bound = append(bound, c.ShopDomain)
	}
	for _, want := range bound {
		if want != nil && domain != "" && !strings.EqualFold(*want, domain) {
			return fmt.Errorf("%w: it is %s, the store %s is bound to %s", ErrOtherShop, domain, store.Slug, *want)
		}
	}
	return nil
}

// save seals a token that was checked before and saves the credential.
func (s *Syncer) save(ctx context.Context, storeID int64, service, baseURL string, token upstream.Secret, found Found) error {
	base, err := upstream.CheckBase(baseURL, s.Allow)
	if err != nil {
		return err
	}
	sealed, keyID := s.Sealer.Seal([]byte(token.Reveal()), place(storeID, service))
	_, err = s.DB.Queries().UpsertCredential(ctx, db.UpsertCredentialParams{
		StoreID: storeID, Service: service, BaseUrl: base.String(), TokenSealed: sealed, KeyID: keyID,
		Budget: s.Sealer.BudgetKey(token.Reveal()), TokenTail: token.Tail(), ShopDomain: optional(found.Domain), State: "good",
	})
	if err != nil {
		return fmt.Errorf("save the %s credential: %w", service, err)
	}
	return nil
}
