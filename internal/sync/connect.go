package pulls

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Found is what a service said about itself when it was first asked.
type Found = stores.Found

// Check calls a service once to see whether address and token are right, and returns what it
// found. The calls count toward the budget like any other. A gift service whose trial has ended
// unpaid is not called further (N40). For advice to people about an error, see [Advice].
func (s *Syncer) Check(ctx context.Context, service, baseURL string, token upstream.Secret) (Found, error) {
	return s.check(ctx, service, baseURL, token, false)
}

// Discover is Check for a person who is about to save the store: it also asks for things that
// only help to recognize the shop. Those that can't be had right now are listed in Untold; that
// isn't an error.
func (s *Syncer) Discover(ctx context.Context, service, baseURL string, token upstream.Secret) (Found, error) {
	return s.check(ctx, service, baseURL, token, true)
}

func (s *Syncer) check(ctx context.Context, service, baseURL string, token upstream.Secret, closely bool) (found Found, err error) {
	base, err := upstream.CheckBase(baseURL, s.Allow)
	if err != nil {
		return Found{}, err
	}
	budget, err := s.budgetName(ctx, s.DB.Queries(), token.Reveal())
	if err != nil {
		return Found{}, err
	}
	err = s.interactive(ctx, budget, func(g upstream.Gate) error {
		if found, err = s.ask(ctx, service, base, token, g); err != nil {
			return err
		}
		if service == Upsell {
			if closely {
				s.askCurrency(ctx, upsell.New(s.Transport, base, token, g), &found)
			}
			return nil
		}
		client := gift.New(s.Transport, base, token, g)
		got, err := client.Analytics(ctx, 1, false)
		if err != nil {
			return err
		}
		found.Currency, found.Timezone = string(got.Data.Currency), got.Data.Period.Timezone
		found.Domain = cmp.Or(found.Domain, got.Data.Domain)
		if closely {
			s.askHealth(ctx, client, &found)
		}
		return nil
	})
	if err != nil {
		return Found{}, err
	}
	return found, nil
}

// askCurrency makes the cheapest call that names the currency.
func (s *Syncer) askCurrency(ctx context.Context, client *upsell.Client, found *Found) {
	got, err := client.Lifetime(ctx)
	if err != nil {
		s.Log.Info("a new store's currency could not be asked", "error", err)
		found.Untold = append(found.Untold, "currency")
		return
	}
	found.Currency = string(got.Data.Currency)
}

// askHealth asks whether gifts can be shown at all.
func (s *Syncer) askHealth(ctx context.Context, client *gift.Client, found *Found) {
	got, err := client.SetupHealth(ctx)
	if err != nil {
		s.Log.Info("a new store's setup health could not be asked", "error", err)
		found.Untold = append(found.Untold, "health")
		return
	}
	if n := got.Data.Campaigns; n != nil {
		found.ActiveCampaigns = &n.Active
	}
	if !got.Data.Complete() { // issues follow from the sections: if a section is missing, some issues may be too (N50)
		found.Untold = append(found.Untold, "health")
		return
	}
	for _, i := range got.Data.Issues {
		found.Issues = append(found.Issues, reportgift.HealthIssue{Code: i.Code, Message: i.Message})
	}
}

// Probe calls the service of a stored credential once, with its cheapest call, and returns what it found. It changes
// nothing: the next pull decides what follows from a refusal, except for one that ends every key of the store. A gift
// service that would revoke the store's keys isn't called (N40). Errors are those of Check, *OtherShop and
// ErrTrialLapsed.
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
		return Found{}, cmp.Or(err, fmt.Errorf("%w on %s", ErrTrialLapsed, locale.English.DayYear(ended)))
	}
	err = s.interactive(ctx, w.cred.Budget, func(g upstream.Gate) error {
		found, err = s.ask(ctx, w.cred.Service, base, w.token, g)
		return err
	})
	if err != nil {
		return Found{}, w.keepCause(ctx, err)
	}
	return found, s.sameShopAs(ctx, w.store.ID, found.Domain)
}

// interactive makes calls in the lane for people.
func (s *Syncer) interactive(ctx context.Context, budgetKey []byte, call func(upstream.Gate) error) error {
	return s.inLane(ctx, budgetKey, fact.Interactive, call)
}

// inLane makes calls that aren't pulls.
func (s *Syncer) inLane(ctx context.Context, budgetKey []byte, lane fact.Lane, call func(upstream.Gate) error) error {
	b, err := s.budgetOf(budgetKey, func() error { return s.DB.EnsureSlots(ctx, budgetKey) })
	if err != nil {
		return err
	}
	g := &gate{budget: b, lane: lane}
	defer func() {
		// A slot that can't be released frees itself when its hold ends.
		ns, untils := db.SlotColumns(g.spent())
		_ = s.DB.Queries().ReleaseSlots(context.WithoutCancel(ctx), sqlc.ReleaseSlotsParams{Hold: db.HoldAfterReply, Budget: b.key, Ns: ns, Untils: untils})
	}()
	return call(g)
}

// lastClock is the last time zone on earth to end a day, used while the shop's own clock is
// unknown.
var lastClock = time.FixedZone("", -12*60*60)

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
		is := got.Data.Plan
		body := reportgift.PlanBody{Paid: &is.IsPaid, TrialEndsAt: string(is.TrialEndsAt)}
		if on, lapsed := trialEnded(body, s.Now(), lastClock); lapsed {
			return Found{}, &upstream.Failure{
				Kind: upstream.Pause, Op: "ask the gift service", Code: trialLapsed, Err: ErrTrialLapsed, Message: trialWords(on),
			}
		}
		return Found{Service: service, Domain: got.Data.Domain, Plan: string(is.Plan), Paid: &is.IsPaid}, nil
	}
	return Found{}, fmt.Errorf("service %q is neither upsell nor gift", service)
}

// Advice is what a person should do about an error of Check or Connect, and what the service said; nil
// when the error's own words are enough.
func Advice(service string, err error) locale.Sentences {
	f, ok := asFailure(err)
	if !ok || f.Kind != upstream.Pause {
		return nil
	}
	return refusalBy(service, f).Advice()
}
