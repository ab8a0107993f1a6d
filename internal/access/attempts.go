package access

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// limit lets burst attempts through at once, and after that one per interval.
type limit struct {
	name  string
	burst int
	every time.Duration
}

// The limits. Strangers who use theirs up never lock an owner out: a browser that
// signed in before has a limit of its own, and passkeys, single sign-on and
// one-time links don't count against the account.
var (
	// limitOverall bounds what all strangers together can cause in each of their ways in.
	// For passwords it bounds how many are hashed at all: a sixth of a core.
	limitOverall = limit{"overall", 100, 200 * time.Millisecond}
	// limitAddress is for everything tried from one address; a whole office may share it. See from.
	limitAddress = limit{"address", 30, 10 * time.Second}
	// limitAccount is for one account name, whether or not the account exists.
	limitAccount = limit{"account", 10, 2 * time.Minute}
	// limitDevice replaces limitAccount in a browser that signed in to the account before.
	limitDevice = limit{"device", 10, 2 * time.Minute}
	// limitConfirm is for the password of someone who is signed in.
	limitConfirm = limit{"confirm", 10, 2 * time.Minute}
	// limitCode is for the second step, where three codes out of a million are valid at a time.
	limitCode = limit{"code", 5, 5 * time.Minute}
	// limitAnswer accepts one answer to each passkey challenge, even when two arrive at the
	// same moment.
	limitAnswer = limit{"answer", 1, passkeyWithin}
	// limitLink is for one-time links from one address that don't work. Nobody
	// guesses 256 bits; the limit only saves us the work.
	limitLink = limit{"link", 60, time.Second}
	// limitReset bounds the reset mails that strangers can send to one account, and
	// limitResetFrom those that one address can request.
	limitReset     = limit{"reset", 3, 20 * time.Minute}
	limitResetFrom = limit{"reset-from", 10, time.Minute}
	// limitProbe is how often one person can have services probed at addresses of their
	// choice: enough to mistype a key a few times, too few to scan for hosts.
	limitProbe = limit{"probe", 20, 30 * time.Second}
	// limitMail is how often one person can have a mail sent right away: a test, or one
	// that asks an address to confirm.
	limitMail = limit{"mail", 10, 2 * time.Minute}
	// limitWindow is how often one person, token or share link can query services for
	// a window of their choice: each query takes up to five calls.
	limitWindow = limit{"window", 10, 30 * time.Second}
	// limitShare is for the password of one share link.
	limitShare = limit{"share", 20, 30 * time.Second}
)

// try is one attempt against one limit.
type try struct {
	limit
	of string
}

func (l limit) of(what string) try { return try{l, what} }

func (t try) bucket() string { return t.name + ":" + t.of }

// take counts one attempt against each of the limits. If one is used up, it counts
// against none of them and returns a fault.TooMany.
func (a *Access) take(ctx context.Context, tries ...try) error {
	now := a.now()
	p := sqlc.TakeAttemptParams{Now: now}
	for _, t := range tries {
		p.Buckets = append(p.Buckets, t.bucket())
		p.Steps = append(p.Steps, t.every.Microseconds())
		p.Rooms = append(p.Rooms, (time.Duration(t.burst-1) * t.every).Microseconds())
	}
	rows, err := a.q.TakeAttempt(ctx, p)
	if err != nil {
		return fmt.Errorf("count an attempt: %w", err)
	}
	taken, wait := true, time.Second // the second of two simultaneous attempts may have read too early
	for _, r := range rows {
		taken = taken && r.Taken
		wait = max(wait, r.ReadyAt.Sub(now))
	}
	if taken && len(rows) == len(tries) {
		return nil
	}
	return &fault.Error{Kind: fault.TooMany, After: wait}
}

// The budgets that strangers share. Using up one leaves the others, and the limits of
// browsers in which someone signed in before.
const (
	forPasswords = "passwords"
	forShares    = "shares"
	forResets    = "resets"
	forKnown     = "known"
)

// TakeLink counts a one-time link that doesn't work. fault.TooMany.
func (a *Access) TakeLink(ctx context.Context, from netip.Addr) error {
	if err := a.take(ctx, limitLink.from(from)...); err != nil {
		return err
	}
	return a.Record(ctx, Event{Action: LinkRefused, Actor: Actor{Kind: ActorNobody}})
}

// TakeStart counts the start of a sign-in by passkey or single sign-on. It is limited because
// each start stores a row. fault.TooMany.
func (a *Access) TakeStart(ctx context.Context, from netip.Addr) error {
	return a.take(ctx, limitAddress.from(from)...)
}

// TakeProbe counts one probe of services at addresses that the person chose.
// fault.TooMany.
func (a *Access) TakeProbe(ctx context.Context, personID int64) error {
	return a.take(ctx, limitProbe.of(strconv.FormatInt(personID, 10)))
}

// TakeWindow counts one query to services for a window of the principal's choice.
// The principal is text such as "person 7". fault.TooMany.
func (a *Access) TakeWindow(ctx context.Context, principal string) error {
	return a.take(ctx, limitWindow.of(principal))
}

// TakeMail counts one mail that a person has sent right away. fault.TooMany.
func (a *Access) TakeMail(ctx context.Context, personID int64) error {
	return a.take(ctx, limitMail.of(strconv.FormatInt(personID, 10)))
}

// TakeShare counts one try of a share link's password from the address, before the
// password is hashed. fault.TooMany.
func (a *Access) TakeShare(ctx context.Context, shareID int64, from netip.Addr) error {
	return a.take(ctx, append(limitAddress.from(from), limitShare.of(strconv.FormatInt(shareID, 10)), limitOverall.of(forShares))...)
}

// from counts an attempt against the address. For IPv6 it counts against the networks that
// one connection (/64), one household (/56) and one office (/48) get, since the owner of a
// network can use any address in it. The wider ones allow two and four times as many attempts.
func (l limit) from(a netip.Addr) []try {
	var tries []try
	for i, network := range networksOf(a) {
		wider := limit{l.name, l.burst << i, l.every >> i}
		tries = append(tries, wider.of(network))
	}
	return tries
}

// networksOf returns the networks of an address from the narrowest to the widest: just the
// address for IPv4, and its /64, /56 and /48 for IPv6.
func networksOf(a netip.Addr) []string {
	a = a.Unmap().WithZone("")
	switch {
	case !a.IsValid():
		return []string{"unknown"}
	case a.Is4():
		return []string{a.String()}
	}
	var networks []string
	for _, bits := range []int{64, 56, 48} {
		networks = append(networks, netip.PrefixFrom(a, bits).Masked().String())
	}
	return networks
}

// account names the account of a mail address in a bucket, whatever its spelling and
// whether or not it exists. Hashing keeps the address out of the table.
func account(email string) string {
	h := sha256.Sum256([]byte("storeglass account\x00" + foldEmail(email)))
	return base64.RawURLEncoding.EncodeToString(h[:])
}

func foldEmail(email string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))
}
