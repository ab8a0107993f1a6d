package pulls

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
)

// ErrNotAsked means that a call could make the service revoke the store's keys, so only a
// person may resume it.
var ErrNotAsked = errors.New("it is not checked by itself")

// recheck calls the service of a refused credential once, with its cheapest call and without
// retrying. If it answers, the pulls continue where they were; otherwise the error says why
// not, and the next probe follows on schedule. A probe that a person asks for is extra and
// doesn't move the schedule.
func (w *work) recheck(ctx context.Context, lane fact.Lane) error {
	if w.cred.NextProbeAt == nil {
		return ErrNotAsked
	}
	if err := w.spareKeys(ctx); err != nil {
		if f, ok := asFailure(err); ok {
			return errors.Join(err, w.pauseFor(ctx, w.cred, f))
		}
		return err
	}
	found, err := w.askOnce(ctx, lane)
	if err == nil {
		err = w.sameShopAs(ctx, w.store.ID, found.Domain)
	}
	after := context.WithoutCancel(ctx)
	if err == nil {
		return w.goOn(after)
	}
	return errors.Join(err, w.stillRefused(after, err, lane))
}

// askOnce makes the cheapest call with a single attempt, so that probes don't hammer the
// service.
func (w *work) askOnce(ctx context.Context, lane fact.Lane) (found Found, err error) {
	base, err := upstream.CheckBase(w.cred.BaseUrl, w.Allow)
	if err != nil {
		return Found{}, err
	}
	once := &Syncer{Config: w.Config}
	once.Transport = w.Transport.Once()
	err = w.inLane(ctx, w.cred.Budget, lane, func(g upstream.Gate) error {
		found, err = once.ask(ctx, w.cred.Service, base, w.token, g)
		return err
	})
	return found, err
}

// goOn puts the credential back into use, and starts its pulls and the probes of those that
// were refused along with it.
func (w *work) goOn(ctx context.Context) error {
	err := w.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		ids, err := q.CredentialAnswers(ctx, sqlc.CredentialAnswersParams{ID: w.cred.ID, Version: w.cred.Version, Now: w.Now()})
		if err != nil {
			return fmt.Errorf("put the %s credential of %s back to use: %w", w.cred.Service, w.store.Slug, err)
		}
		w.Log.Info("a refused credential answers again", "store", w.store.Slug, "service", w.cred.Service, "others", max(0, len(ids)-1))
		return start(ctx, tx, ids...)
	})
	if err == nil {
		w.cred.State, w.cred.NextProbeAt = fact.CredentialGood, nil
	}
	return err
}

// stillRefused records a probe without a good answer.
func (w *work) stillRefused(ctx context.Context, cause error, lane fact.Lane) error {
	q, now := w.DB.Queries(), w.Now()
	f, failed := asFailure(cause)
	refused := failed && f.Kind == upstream.Pause
	switch {
	case refused && patienceOf(causeOf(w.cred.Service, f)) == silence:
		return w.pauseFor(ctx, w.cred, f)
	case lane == fact.Interactive:
		return q.NoteProbe(ctx, sqlc.NoteProbeParams{ID: w.cred.ID, Version: w.cred.Version, Now: now})
	case failed && f.Kind == upstream.Wait: // the service's wait is in real time, the schedule on our clock
		wait := max(cmp.Or(f.RetryAfter, time.Until(f.Until)), time.Second)
		return q.PutProbeOff(ctx, sqlc.PutProbeOffParams{ID: w.cred.ID, Version: w.cred.Version, NextProbeAt: now.Add(wait)})
	}
	probes := int(w.cred.Probes) + 1
	return q.ProbeFailed(ctx, sqlc.ProbeFailedParams{
		ID: w.cred.ID, Version: w.cred.Version, Now: now, NextProbeAt: *nextProbe(db.OrZero(w.cred.PausedCause), probes, now),
		HandOver: refused && handedOver(db.OrZero(w.cred.PausedCause), probes),
	})
}

// probeDue probes a refused credential if it is time, and reports whether pulls may continue.
func (w *work) probeDue(ctx context.Context) bool {
	if w.cred.NextProbeAt == nil || w.cred.NextProbeAt.After(w.Now()) {
		return false
	}
	err := w.recheck(ctx, fact.Schedule)
	if err != nil {
		w.Log.Info("a credential is still refused", "store", w.store.Slug, "service", w.cred.Service, "probe", w.cred.Probes+1, "error", err)
	}
	return err == nil
}

// Rechecked is how a check of a refused credential went.
type Rechecked struct {
	// Answers: the credential is in use again.
	Answers bool
	// Words tell a person why not otherwise, with times on the store's clock.
	Words string
}

// Recheck probes a refused credential now, for a person. The service's refusal is in the
// result; an error is always our own.
func (s *Syncer) Recheck(ctx context.Context, credentialID int64) (Rechecked, error) {
	w, err := s.begin(ctx, credentialID)
	if err != nil {
		return Rechecked{}, err
	}
	out := Rechecked{Answers: !stopped(w.cred)}
	if out.Answers {
		return out, nil
	}
	err = w.recheck(ctx, fact.Interactive)
	out.Answers = err == nil
	if err == nil {
		return out, nil
	}
	failure, failed := asFailure(err)
	_, elsewhere := errors.AsType[*OtherShop](err)
	if !failed && !errors.Is(err, ErrNotAsked) && !elsewhere {
		return out, err
	}
	cred, readErr := s.DB.Queries().CredentialByID(ctx, credentialID)
	if readErr != nil {
		return out, fmt.Errorf("load credential %d: %w", credentialID, readErr)
	}
	out.Words = refusalWords(Stored(cred), s.Now())
	if failed && failure.Kind != upstream.Pause {
		out.Words = words(failure).In(locale.English) + ". " + out.Words
	}
	if elsewhere {
		out.Words = sentence(err.Error())
	}
	return out, nil
}

// RecheckSoon has workers probe the refused credentials of stores at once, except those probed
// within the last minute. It returns how many.
func (s *Syncer) RecheckSoon(ctx context.Context, stores []int64) (n int, err error) {
	err = s.DB.Tx(ctx, func(tx pgx.Tx, q *sqlc.Queries) error {
		now := s.Now()
		ids, err := q.ProbeNow(ctx, sqlc.ProbeNowParams{StoreIds: stores, Now: now, Since: now.Add(-time.Minute)})
		if err != nil {
			return fmt.Errorf("wake refused credentials: %w", err)
		}
		n = len(ids)
		return start(ctx, tx, ids...)
	})
	return n, err
}
