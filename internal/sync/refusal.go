package pulls

import (
	"context"
	"time"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
)

// patience is what follows from a refusal, by its cause.
type patience int

const (
	// mayPass: services refuse good tokens now and then (N70). The first probe comes soon, and
	// people are notified only if the refusal lasts.
	mayPass patience = iota
	// needsPerson: it ends when a person acts, which a later probe notices.
	needsPerson
	// silence: a call could make the service revoke every key of the store (N40), or would tell
	// nothing new. A person resumes the store.
	silence
)

func patienceOf(cause string) patience {
	switch cause {
	case gift.NoPlan, gift.AppUninstalled, trialLapsed:
		return silence
	case gift.WrongSurface, gift.InsufficientScope, wrongShopCause, blockedCause, addressCause:
		return needsPerson
	}
	return mayPass
}

// Causes of a refusal without an error code from the service.
const (
	tokenCause     = "token"
	wrongShopCause = "wrong_shop"
	// blockedCause: something in front of the service refuses our calls, such as a firewall.
	blockedCause = "blocked"
	addressCause = "address"
)

// probeSteps are the waits before the first probe, the second and so on; the last one repeats
// forever. slowSteps are for causes that need attention.
var (
	probeSteps = []time.Duration{
		time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
		time.Hour, 2 * time.Hour, 4 * time.Hour, 6 * time.Hour,
	}
	slowSteps = probeSteps[5:]
)

// lastingProbes is how many refused probes make a refusal lasting: 18 minutes.
const lastingProbes = 4

// nextProbe is when a refused credential is probed next, given the probes so far; nil means
// only when a person asks.
func nextProbe(cause string, probes int, now time.Time) *time.Time {
	steps := probeSteps
	switch patienceOf(cause) {
	case silence:
		return nil
	case needsPerson:
		steps = slowSteps
	}
	return new(now.Add(steps[min(probes, len(steps)-1)]))
}

// handedOver reports whether this many probes are enough to notify people.
func handedOver(cause string, probes int) bool {
	return patienceOf(cause) != mayPass || probes >= lastingProbes
}

// pausing pauses a credential that was just refused.
func pausing(cred sqlc.Credential, cause, said string, now time.Time) sqlc.PauseCredentialParams {
	state := fact.CredentialDoubtful
	if handedOver(cause, 0) {
		state = fact.CredentialPaused
	}
	return sqlc.PauseCredentialParams{
		ID: cred.ID, Version: cred.Version, State: string(state), Cause: cause, Said: said, Now: now, NextProbeAt: nextProbe(cause, 0, now),
	}
}

// pauseFor pauses a credential with a failure's cause; an earlier cause stays.
func (s *Syncer) pauseFor(ctx context.Context, cred sqlc.Credential, f *upstream.Failure) error {
	return s.DB.Queries().PauseCredential(context.WithoutCancel(ctx), pausing(cred, causeOf(cred.Service, f), saidBy(f), s.Now()))
}

// Stored is a credential as pages and the command line show it.
func Stored(c sqlc.Credential) report.StoredCredential {
	return report.StoredCredential{
		Service: c.Service, Host: c.Host, State: c.State, Cause: db.OrZero(c.PausedCause), Said: db.OrZero(c.PausedSaid),
		PausedAt: db.OrZero(c.PausedAt), NextProbe: db.OrZero(c.NextProbeAt), OutageSince: db.OrZero(c.OutageSince),
	}
}

func stopped(c sqlc.Credential) bool { return Stored(c).Stopped() }
