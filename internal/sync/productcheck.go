package pulls

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/sync/fetch"
)

// How long a person waits for a product check: for a slot, and in total.
const (
	slotPatience  = 5 * time.Second
	checkPatience = 25 * time.Second
)

// CheckProducts asks the gift service whether products can be given away, 50 handles a call
// (N57), in the lane for people. Nothing of the answer is stored. A refusal that needs
// attention pauses the credential, as for a pull, because later answers to a dead key say less
// (N40). Errors are ErrUnknownStore, a *offers.CallError, or our own.
func (s *Syncer) CheckProducts(ctx context.Context, storeSlug string, handles []string) (offers.ProductCheck, error) {
	ctx, cancel := context.WithTimeout(ctx, checkPatience)
	defer cancel()
	check := offers.ProductCheck{Requested: handles, NotFound: []string{}, Products: []offers.CheckedProduct{}}
	store, err := s.DB.Queries().StoreBySlug(ctx, storeSlug)
	if err == nil {
		check.Provenance = report.Provenance{Endpoint: "GET /products", Basis: report.Reported, Timezone: store.Timezone, TimezoneFrom: "store"}
	}
	var used sqlc.Credential
	err = s.WithGift(ctx, storeSlug, upstream.Secret{}, func(a ServiceAccess) error {
		used = a.credential
		client := gift.New(a.Transport, a.Base, a.Token, a.Gate)
		for _, chunk := range gift.Chunks(handles) {
			got, err := patiently(ctx, func() (upstream.Answer[gift.Products], error) { return client.Products(ctx, chunk) })
			if err != nil {
				return err
			}
			add(&check, chunk, got)
		}
		return nil
	})
	if err != nil {
		return offers.ProductCheck{}, s.callFailed(ctx, Gift, storeSlug, used, err)
	}
	return check, nil
}

// patiently makes a call, and makes it again if no slot was free but one comes free within a
// few seconds.
func patiently[T any](ctx context.Context, call func() (T, error)) (T, error) {
	got, err := call()
	var none *upstream.NoSlot
	if !errors.As(err, &none) || time.Until(none.Until) > slotPatience {
		return got, err
	}
	if e := upstream.Sleep(ctx, time.Until(none.Until)+50*time.Millisecond); e != nil {
		return got, e
	}
	return call()
}

// add adds one call's answer.
func add(check *offers.ProductCheck, asked []string, got upstream.Answer[gift.Products]) {
	p := &check.Provenance
	if p.Replies == 0 {
		p.FetchedAt = got.FetchedAt
	}
	p.Replies, p.FetchedLast = p.Replies+1, got.FetchedAt
	for _, product := range got.Data.Products {
		check.Products = append(check.Products, checked(product))
	}
	missing := got.Data.NotFound
	if missing == nil { // only the number is given: nothing came back for those
		for _, handle := range asked {
			if !slices.ContainsFunc(got.Data.Products, func(p gift.Product) bool { return strings.EqualFold(string(p.Handle), handle) }) {
				missing = append(missing, handle)
			}
		}
	}
	check.NotFound = append(check.NotFound, missing...)
}

func checked(p gift.Product) offers.CheckedProduct {
	out := offers.CheckedProduct{
		Handle: string(p.Handle), Title: string(p.Title), Status: string(p.Status), CanBeGifted: &p.CanBeGifted,
		TracksInventory: p.TracksInventory, TotalInventory: p.TotalInventory.Count, Published: p.PublishedOnOnlineStore,
		VariantCount: p.VariantCount, GiftableCount: p.GiftableVariantCount, Issues: fetch.Notices(p.Issues),
		Variants: make([]offers.CheckedVariant, 0, len(p.Variants)),
	}
	if p.TracksInventory != nil && !*p.TracksInventory {
		out.TotalInventory = nil // not counted, whatever the reply says (N56)
	}
	for _, v := range p.Variants {
		variant := offers.CheckedVariant{
			Title: string(v.Title), Giftable: &v.Giftable, StockStatus: string(v.StockStatus), Quantity: v.InventoryQuantity.Count, Policy: db.OrZero(v.InventoryPolicy),
		}
		if v.StockStatus == gift.NotTracked {
			variant.Quantity = nil
		}
		out.Variants = append(out.Variants, variant)
	}
	return out
}

// callFailed describes a failure for the person who asked, logs it, and pauses the credential if a pull would.
func (s *Syncer) callFailed(ctx context.Context, service, storeSlug string, used sqlc.Credential, cause error) error {
	said, err := s.callSaid(ctx, service, used, cause)
	if err != nil {
		return err
	}
	s.Log.Info("a call for a person failed", "store", storeSlug, "error", cause)
	return &offers.CallError{Said: said, Cause: cause}
}

// callSaid is what to tell the person who asked. The error is set only if something of ours failed.
func (s *Syncer) callSaid(ctx context.Context, service string, used sqlc.Credential, cause error) (locale.Sentences, error) {
	say := func(m locale.Message) (locale.Sentences, error) { return locale.Sentences{m}, nil }
	f, failed := asFailure(cause)
	var none *upstream.NoSlot
	switch {
	case errors.Is(cause, ErrNoGift), errors.Is(cause, errNoUpsell):
		return say(locale.M("call.not_connected." + service))
	case errors.Is(cause, ErrPaused), errors.Is(cause, errUpsellPaused):
		return say(locale.M("call.paused." + service))
	case errors.Is(cause, ErrTrialLapsed):
		return say(locale.M("state.advice.gift.trial_lapsed"))
	case errors.Is(cause, errOtherProduct):
		return say(locale.M("call.other_product"))
	case errors.As(cause, &none):
		return say(locale.M("call.none_left", "n", seconds(time.Until(none.Until))))
	case errors.Is(cause, context.DeadlineExceeded):
		return say(locale.M("call.slow." + service))
	case !failed:
		return nil, cause
	case f.Kind == upstream.Pause:
		if err := s.pauseFor(ctx, used, f); err != nil {
			return nil, errors.Join(err, cause)
		}
		return refusalBy(service, f).Advice(), nil
	case f.Kind == upstream.Wait:
		return say(locale.M("call.wait."+service, "n", seconds(cmp.Or(f.RetryAfter, time.Minute))))
	case f.Kind == upstream.OurFault:
		reason := words(f)
		if f.Message != "" {
			reason = locale.Text(f.Message)
		}
		return say(locale.M("call.not_taken."+service, "reason", reason))
	case f.Kind == upstream.Quarantine:
		return say(locale.M("call.unreadable." + service))
	}
	return say(locale.M("call.no_answer." + service))
}

func seconds(d time.Duration) int { return int(math.Ceil(max(d, time.Second).Seconds())) }
