package signin

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/netip"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
)

// The limits. Strangers who use theirs up never lock an owner out: a browser that
// signed in before has a limit of its own, and passkeys, single sign-on and
// one-time links don't count against the account.
var (
	// limitAccount is for one account name, whether or not the account exists.
	limitAccount = limit.Limit{Name: "account", Burst: 10, Every: 2 * time.Minute}
	// limitDevice replaces limitAccount in a browser that signed in to the account before.
	limitDevice = limit.Limit{Name: "device", Burst: 10, Every: 2 * time.Minute}
	// limitConfirm is for the password of someone who is signed in.
	limitConfirm = limit.Limit{Name: "confirm", Burst: 10, Every: 2 * time.Minute}
	// limitCode is for the second step, where three codes out of a million are valid at a time.
	limitCode = limit.Limit{Name: "code", Burst: 5, Every: 5 * time.Minute}
	// limitAnswer accepts one answer to each passkey challenge, even when two arrive at the
	// same moment.
	limitAnswer = limit.Limit{Name: "answer", Burst: 1, Every: passkeyWithin}
	// limitLink is for one-time links from one address that don't work. Nobody
	// guesses 256 bits; the limit only saves us the work.
	limitLink = limit.Limit{Name: "link", Burst: 60, Every: time.Second}
	// limitReset bounds the reset mails that strangers can send to one account, and
	// limitResetFrom those that one address can request.
	limitReset     = limit.Limit{Name: "reset", Burst: 3, Every: 20 * time.Minute}
	limitResetFrom = limit.Limit{Name: "reset-from", Burst: 10, Every: time.Minute}
)

// The budgets that strangers share. Using up one leaves the others, and the limits of
// browsers in which someone signed in before.
const (
	forPasswords = "passwords"
	forResets    = "resets"
	forKnown     = "known"
)

// TakeLink counts a one-time link that doesn't work. fault.TooMany.
func (s *Service) TakeLink(ctx context.Context, from netip.Addr) error {
	if err := s.limits.Take(ctx, limitLink.From(from)...); err != nil {
		return err
	}
	return s.log.Record(ctx, audit.Event{Action: audit.LinkRefused, Actor: audit.Actor{Kind: audit.ActorNobody}})
}

// TakeStart counts the start of a sign-in by passkey or single sign-on. It is limited because
// each start stores a row. fault.TooMany.
func (s *Service) TakeStart(ctx context.Context, from netip.Addr) error {
	return s.limits.Take(ctx, limit.Address.From(from)...)
}

// account names the account of a mail address in a bucket, whatever its spelling and
// whether or not it exists. Hashing keeps the address out of the table.
func account(email string) string {
	h := sha256.Sum256([]byte("storeglass account\x00" + access.FoldAddress(email)))
	return base64.RawURLEncoding.EncodeToString(h[:])
}
