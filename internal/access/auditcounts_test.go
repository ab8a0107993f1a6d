package access_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// counted is the total of all counts.
func (w world) counted(t *testing.T) (times int64) {
	t.Helper()
	counts, err := w.AuditCounts(t.Context(), access.AuditFilter{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		times += c.Times
	}
	return times
}

// network is an address in the i-th network: IPv4 addresses and IPv6 /48s alternate.
func network(i int) netip.Addr {
	if i%2 == 0 {
		return netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)})
	}
	return netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, byte(i >> 8), byte(i), 7: 9, 15: 1})
}

func TestFailedSignInsOfManyNetworksAreCountedInBoundedRows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.WithPassword(t, "ada@example.com")
	records := w.Count(t, "audit")
	for i := range 500 {
		at := network(i % 300)
		if i%25 != 0 { // hashing a password takes long
			w.recordFrom(t, at, access.Event{Action: access.SignInFailed})
			continue
		}
		email := "eve@example.com"
		if i%100 == 0 {
			email = "ada@example.com"
		}
		w.Clock.Add(3 * time.Minute)
		_, err := w.SignIn(accesstest.From(t, at), access.Try{Email: email, Password: "not the password", From: at})
		accesstest.Wants(t, err, fault.Denied)
	}
	if n := w.Count(t, "audit"); n != records {
		t.Errorf("%d records more", n-records)
	}
	counts, err := w.AuditCounts(t.Context(), access.AuditFilter{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	if len(counts) > 202 {
		t.Errorf("%d rows", len(counts))
	}
	networks := map[string]int64{}
	for _, c := range counts {
		networks[c.Network] += c.Times
	}
	if len(networks) < 198 || networks["198.18.0.2"] != 2 || networks["2001:db8:3::/48"] != 2 || networks[access.OtherNetworks] < 99 {
		t.Errorf("%d networks: %v", len(networks), networks)
	}
	days := access.CountedDays(counts)
	if len(days) != 1 || days[0].Times != 500 || !slices.Equal(days[0].Abouts, []access.Counted{{What: "ada@example.com", Times: 5}}) {
		t.Errorf("%d days: %+v", len(days), days)
	}
	if got, want := days[0].Words(locale.English), fmt.Sprintf("500 failed sign-ins from more than %d networks", len(networks)-1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A stranger who has filled a day's rows can't hide attempts on an account.
func TestAnAccountIsCountedAlsoBeyondTheNamedNetworks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.WithPassword(t, "ada@example.com")
	for i := range 250 {
		w.recordFrom(t, network(i), access.Event{Action: access.SignInFailed})
	}
	for i := range 3 {
		w.recordFrom(t, network(1000+i), access.Event{Action: access.SignInFailed, PersonID: ada.ID})
	}
	accesstest.WantCounts(t, w.Counts(t, access.AuditFilter{Who: "ADA@"}), "2026-11-20 sign-in.failed others ada@example.com 3")
	if n := len(w.Counts(t, access.AuditFilter{})); n != 202 {
		t.Errorf("%d rows", n)
	}
}

func (w world) recordFrom(t *testing.T, a netip.Addr, e access.Event) {
	t.Helper()
	if err := w.Record(accesstest.From(t, a), e); err != nil {
		t.Fatal(err)
	}
}

// Everything that anyone can do without a session, as often as they like.
func TestWhatStrangersCauseIsCountedAndNeverRecorded(t *testing.T) {
	t.Parallel()
	s := accesstest.New(t)
	s.WithPassword(t, "cy@example.com")
	ada, pages := s.Person(t, "ada@example.com"), access.New(s.Pages(t), s.Clock.Now)
	secret, err := s.CreateShare(t.Context(), s.Held(t, ada, "acme"), access.NewShare{
		By: ada.ID, Label: "For the board", Pages: []access.SharePage{access.ShareOverview}, Password: "copper kettle on a rope",
		Window: access.ShareWindow{Preset: "last_30_days"}, Until: s.Clock.Now().AddDate(0, 0, 30),
	})
	if err != nil {
		t.Fatal(err)
	}
	link, visit, err := pages.ResolveShare(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	at := netip.MustParseAddr("203.0.113.9")
	ctx := accesstest.From(t, at)
	cy, err := s.SignIn(ctx, access.Try{Email: "cy@example.com", Password: accesstest.Password, From: at})
	if err != nil {
		t.Fatal(err)
	}
	causes := map[access.Action]func() error{
		access.SignInFailed: func() error {
			_, err := s.SignIn(ctx, access.Try{Email: "CY@example.com", Password: "x", From: at})
			return err
		},
		access.CodeRefused:    func() error { return s.TakeRecovery(ctx, cy, "0000") },
		access.PasskeyRefused: nil, access.PasskeyCopied: nil, // caused by a browser in package web: TestPasskey…
		access.SSORefused: func() error {
			_, err := s.PersonBySSO(ctx, access.SSOIdentity{Issuer: "https://login.example", Subject: "7", Email: "cy@example.com"})
			if errors.Is(err, accesstest.Refusal("account.problem.sso_unverified")) {
				return fault.Denied
			}
			return err
		},
		access.LinkRefused:   func() error { return errors.Join(fault.Denied, s.TakeLink(ctx, at)) },
		access.SignInLimited: func() error { return errors.Join(fault.Denied, s.Limited(ctx)) },
		access.ResetAsked: func() error {
			return errors.Join(fault.Denied, s.TakeReset(ctx, "cy@example.com", at, ""))
		},
		access.ShareRefused: func() error {
			_, err := pages.UnlockShare(access.Acting(db.WithVisit(t.Context(), visit), access.ActorOf(ctx)), link, "x", at)
			return err
		},
	}
	records := s.Count(t, "audit")
	var want []string
	for _, g := range access.ActionGroups() {
		for _, a := range g.Actions {
			cause, listed := causes[a]
			if a.Counted() != listed {
				t.Errorf("%s: counted %v, in this list %v", a, a.Counted(), listed)
			}
			if cause == nil {
				continue
			}
			if err := cause(); !errors.Is(err, fault.Denied) {
				t.Errorf("%s: %v", a, err)
			}
			about := map[access.Action]string{access.SignInFailed: " cy@example.com", access.CodeRefused: " cy@example.com", access.SSORefused: " cy@example.com", access.ShareRefused: " For the board acme"}[a]
			want = append(want, "2026-11-20 "+string(a)+" 203.0.113.9"+about+" 1")
		}
	}
	slices.Sort(want)
	accesstest.WantCounts(t, s.Counts(t, access.AuditFilter{}), want...)
	if n := s.Count(t, "audit"); n != records {
		t.Errorf("%d records more: %q", n-records, s.Recorded(t, access.AuditFilter{}))
	}
}

// New actions are covered too: one that a stranger can cause must be counted. Only an
// action that uses up a link we sent may have a record.
func TestAStrangerHasARecordOnlyForALinkThatWasSent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	byLink := []access.Action{
		access.PasswordChanged, access.PasswordReset, access.PersonJoined, access.MailConfirmed, access.MailEnded, access.AlertMailEnded,
	}
	for _, g := range access.ActionGroups() {
		for _, a := range g.Actions {
			before := w.Count(t, "audit")
			w.recordFrom(t, network(2), access.Event{Action: a})
			if recorded := w.Count(t, "audit") > before; recorded != slices.Contains(byLink, a) {
				t.Errorf("%s: recorded %v", a, recorded)
			}
		}
	}
}

func TestCountsReadAsOneLine(t *testing.T) {
	t.Parallel()
	one := []access.Counted{{What: "192.0.2.1", Times: 1}}
	two := append(one, access.Counted{What: "unknown", Times: 3})
	for want, d := range map[string]access.CountedDay{
		"1 failed sign-in from 1 network":                   {Action: access.SignInFailed, Times: 1, Networks: one},
		"4 wrong passwords for share links from 2 networks": {Action: access.ShareRefused, Times: 4, Networks: two},
		"Store paused: 4 from 2 networks":                   {Action: access.StorePaused, Times: 4, Networks: two},
	} {
		if got := d.Words(locale.English); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The role of the web pages can add counts, and shows them only to people who see every store.
func TestPagesCountBehindTheWall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pages := access.New(w.Pages(t), w.Clock.Now)
	if err := pages.Limited(accesstest.From(t, accesstest.Home)); err != nil {
		t.Fatal(err)
	}
	seen, err := pages.AuditCounts(t.Context(), access.AuditFilter{}, 10)
	if err != nil || len(seen) != 0 {
		t.Errorf("nobody sees %v, %v", seen, err)
	}
	accesstest.WantCounts(t, w.Counts(t, access.AuditFilter{}), "2026-11-20 sign-in.limited 203.0.113.7 1")
}

func TestAuditCountsAreFiltered(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.recordFrom(t, network(2), access.Event{Action: access.SignInFailed})
	w.Clock.Add(24 * time.Hour)
	w.recordFrom(t, network(3), access.Event{Action: access.ShareRefused})
	early, late := "2026-11-20 sign-in.failed 198.18.0.2 1", "2026-11-21 share.refused 2001:db8:3::/48 1"
	day := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		filter access.AuditFilter
		want   []string
	}{
		"everything":    {access.AuditFilter{}, []string{late, early}},
		"one action":    {access.AuditFilter{About: "sign-in.failed"}, []string{early}},
		"several":       {access.AuditFilter{About: "share"}, []string{late}},
		"since":         {access.AuditFilter{Since: day}, []string{late}},
		"until":         {access.AuditFilter{Until: day}, []string{early}},
		"nobody":        {access.AuditFilter{Who: "Nobody"}, []string{late, early}},
		"a person":      {access.AuditFilter{Who: "ada"}, nil},
		"a network":     {access.AuditFilter{Text: "2001:DB8"}, []string{late}},
		"another store": {access.AuditFilter{Store: "acme"}, nil},
	} {
		if got := w.Counts(t, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
