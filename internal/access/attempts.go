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

// limit lets burst attempts through at once, and then one every so often.
type limit struct {
	name  string
	burst int
	every time.Duration
}

// The limits. What a stranger can spend never keeps an owner out permanently: a
// browser that signed in before has a limit of its own, and a passkey, single
// sign-on and a one-time link don't ask the account's.
var (
	// limitOverall bounds what strangers can have done for each of the ways that they may
	// spend: for passwords, how many are hashed at all, a sixth of a core.
	limitOverall = limit{"overall", 100, 200 * time.Millisecond}
	// limitAddress is for everything tried from one address: an office has one. See from.
	limitAddress = limit{"address", 30, 10 * time.Second}
	// limitAccount is for one account, whether or not there is one of that name.
	limitAccount = limit{"account", 10, 2 * time.Minute}
	// limitDevice takes its place in a browser that signed in there before.
	limitDevice = limit{"device", 10, 2 * time.Minute}
	// limitConfirm is for the password of someone who is signed in.
	limitConfirm = limit{"confirm", 10, 2 * time.Minute}
	// limitCode is for the second step: three codes of a million are right at a time.
	limitCode = limit{"code", 5, 5 * time.Minute}
	// limitAnswer lets one answer through to what a browser was asked for a passkey, of
	// two that come at the same moment too.
	limitAnswer = limit{"answer", 1, passkeyWithin}
	// limitLink is for one-time links from one address that don't work. Nobody
	// guesses 256 bits; it spares us the work.
	limitLink = limit{"link", 60, time.Second}
	// limitReset bounds the mails that a stranger can have sent to someone, and
	// limitResetFrom those that one address can ask for.
	limitReset     = limit{"reset", 3, 20 * time.Minute}
	limitResetFrom = limit{"reset-from", 10, time.Minute}
	// limitProbe is how often one person can have services asked at addresses of their
	// choice: a key that is mistyped a few times is let through, a search for hosts is not.
	limitProbe = limit{"probe", 20, 30 * time.Second}
	// limitMail is how often one person can have a mail written and sent at once: one to
	// try, or one that asks someone else.
	limitMail = limit{"mail", 10, 2 * time.Minute}
	// limitWindow is how often one person, token or share link can have services asked
	// about a window of their choice: each takes up to five calls.
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

// take counts one attempt against each of the limits, or against none of them and
// returns a fault.TooMany.
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
	taken, wait := true, time.Second // of two at the same moment the second may have read too early
	for _, r := range rows {
		taken = taken && r.Taken
		wait = max(wait, r.ReadyAt.Sub(now))
	}
	if taken && len(rows) == len(tries) {
		return nil
	}
	return &fault.Error{Kind: fault.TooMany, After: wait}
}

// What strangers spend together. What they spend in one way leaves the others, and
// leaves what is kept for browsers in which someone signed in before.
const (
	forPasswords = "passwords"
	forShares    = "shares"
	forResets    = "resets"
	forKnown     = "known"
)

// TakeLink counts a one-time link that does not work. fault.TooMany.
func (a *Access) TakeLink(ctx context.Context, from netip.Addr) error {
	if err := a.take(ctx, limitLink.from(from)...); err != nil {
		return err
	}
	return a.Record(ctx, Event{Action: LinkRefused, Actor: Actor{Kind: ActorNobody}})
}

// TakeStart counts the start of a sign-in with a passkey or at a provider, which
// keeps a row for each. fault.TooMany.
func (a *Access) TakeStart(ctx context.Context, from netip.Addr) error {
	return a.take(ctx, limitAddress.from(from)...)
}

// TakeProbe counts one probe of services for a person, at addresses that person
// names. fault.TooMany.
func (a *Access) TakeProbe(ctx context.Context, personID int64) error {
	return a.take(ctx, limitProbe.of(strconv.FormatInt(personID, 10)))
}

// TakeWindow counts one window that services are asked about for a principal, such as
// "person 7". fault.TooMany.
func (a *Access) TakeWindow(ctx context.Context, principal string) error {
	return a.take(ctx, limitWindow.of(principal))
}

// TakeMail counts one mail that a person has sent at once. fault.TooMany.
func (a *Access) TakeMail(ctx context.Context, personID int64) error {
	return a.take(ctx, limitMail.of(strconv.FormatInt(personID, 10)))
}

// TakeShare counts a try of a share link's password from the address, before it is
// hashed. fault.TooMany.
func (a *Access) TakeShare(ctx context.Context, shareID int64, from netip.Addr) error {
	return a.take(ctx, append(limitAddress.from(from), limitShare.of(strconv.FormatInt(shareID, 10)), limitOverall.of(forShares))...)
}

// from counts an attempt against the address, and of an IPv6 address against the networks
// that one connection (/64), one household (/56) and one office (/48) are given: anyone who
// has one may choose from all of its addresses. The wider ones take two and four times as
// much.
func (l limit) from(a netip.Addr) []try {
	var tries []try
	for i, network := range networksOf(a) {
		wider := limit{l.name, l.burst << i, l.every >> i}
		tries = append(tries, wider.of(network))
	}
	return tries
}

// networksOf are the networks of an address from the narrowest to the widest: an IPv4
// address alone, and of an IPv6 address its /64, /56 and /48.
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

// account names the account of a mail address in a bucket, however it is spelled
// and whether or not it is there, and keeps the address out of the table.
func account(email string) string {
	h := sha256.Sum256([]byte("storeglass account\x00" + foldEmail(email)))
	return base64.RawURLEncoding.EncodeToString(h[:])
}

func foldEmail(email string) string {
	return strings.ToLower(norm.NFC.String(strings.TrimSpace(email)))
}
