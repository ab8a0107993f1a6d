package audit_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// network is an address in the i-th network: IPv4 addresses and IPv6 /48s alternate.
func network(i int) netip.Addr {
	if i%2 == 0 {
		return netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)})
	}
	return netip.AddrFrom16([16]byte{0x20, 0x01, 0x0d, 0xb8, byte(i >> 8), byte(i), 7: 9, 15: 1})
}

func TestFailedSignInsOfManyNetworksAreCountedInBoundedRows(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	w.WithPassword(t, "ada@example.com")
	records := w.Count(t, "audit")
	for i := range 500 {
		at := network(i % 300)
		if i%25 != 0 { // hashing a password takes long
			recordFrom(t, w, at, audit.Event{Action: audit.SignInFailed})
			continue
		}
		email := "eve@example.com"
		if i%100 == 0 {
			email = "ada@example.com"
		}
		w.Clock.Add(3 * time.Minute)
		_, err := w.SignIn.ByPassword(accesstest.From(t, at), signin.Try{Email: email, Password: "not the password", From: at})
		accesstest.Wants(t, err, fault.Denied)
	}
	if n := w.Count(t, "audit"); n != records {
		t.Errorf("%d records more", n-records)
	}
	counts, err := w.Audit.Counts(t.Context(), audit.Filter{}, 10_000)
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
	if len(networks) < 198 || networks["198.18.0.2"] != 2 || networks["2001:db8:3::/48"] != 2 || networks[audit.OtherNetworks] < 99 {
		t.Errorf("%d networks: %v", len(networks), networks)
	}
	days := audit.CountedDays(counts)
	if len(days) != 1 || days[0].Times != 500 || !slices.Equal(days[0].Abouts, []audit.Counted{{What: "ada@example.com", Times: 5}}) {
		t.Errorf("%d days: %+v", len(days), days)
	}
	if got, want := days[0].Words(locale.English), fmt.Sprintf("500 failed sign-ins from more than %d networks", len(networks)-1); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A stranger who has filled a day's rows can't hide attempts on an account.
func TestAnAccountIsCountedAlsoBeyondTheNamedNetworks(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ada := w.WithPassword(t, "ada@example.com")
	for i := range 250 {
		recordFrom(t, w, network(i), audit.Event{Action: audit.SignInFailed})
	}
	for i := range 3 {
		recordFrom(t, w, network(1000+i), audit.Event{Action: audit.SignInFailed, PersonID: ada.ID})
	}
	accesstest.WantCounts(t, w.Counts(t, audit.Filter{Who: "ADA@"}), "2026-11-20 sign-in.failed others ada@example.com 3")
	if n := len(w.Counts(t, audit.Filter{})); n != 202 {
		t.Errorf("%d rows", n)
	}
}

func recordFrom(t *testing.T, w *accesstest.World, a netip.Addr, e audit.Event) {
	t.Helper()
	if err := w.Audit.Record(accesstest.From(t, a), e); err != nil {
		t.Fatal(err)
	}
}

// Everything that anyone can do without a session, as often as they like.
func TestWhatStrangersCauseIsCountedAndNeverRecorded(t *testing.T) {
	t.Parallel()
	s := accesstest.New(t)
	s.WithPassword(t, "cy@example.com")
	ada, pages := s.Person(t, "ada@example.com"), sharing.New(s.Pages(t), s.Clock.Now, s.Passwords)
	secret, err := s.Shares.Create(t.Context(), s.Held(t, ada, "acme"), sharing.Draft{
		By: ada.ID, Label: "For the board", Pages: []sharing.Page{sharing.Overview}, Password: "copper kettle on a rope",
		Window: sharing.Window{Preset: "last_30_days"}, Until: s.Clock.Now().AddDate(0, 0, 30),
	})
	if err != nil {
		t.Fatal(err)
	}
	link, visit, err := pages.Resolve(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	at := netip.MustParseAddr("203.0.113.9")
	ctx := accesstest.From(t, at)
	cy, err := s.SignIn.ByPassword(ctx, signin.Try{Email: "cy@example.com", Password: accesstest.Password, From: at})
	if err != nil {
		t.Fatal(err)
	}
	causes := map[audit.Action]func() error{
		audit.SignInFailed: func() error {
			_, err := s.SignIn.ByPassword(ctx, signin.Try{Email: "CY@example.com", Password: "x", From: at})
			return err
		},
		audit.CodeRefused:    func() error { return s.SignIn.TakeRecovery(ctx, cy, "0000") },
		audit.PasskeyRefused: nil, audit.PasskeyCopied: nil, // caused by a browser in package web: TestPasskey…
		audit.SSORefused: func() error {
			_, err := s.SignIn.BySSO(ctx, sso.Identity{Issuer: "https://login.example", Subject: "7", Email: "cy@example.com"})
			if errors.Is(err, accesstest.Refusal("account.problem.sso_unverified")) {
				return fault.Denied
			}
			return err
		},
		audit.LinkRefused:   func() error { return errors.Join(fault.Denied, s.SignIn.TakeLink(ctx, at)) },
		audit.SignInLimited: func() error { return errors.Join(fault.Denied, s.SignIn.Limited(ctx)) },
		audit.ResetAsked: func() error {
			return errors.Join(fault.Denied, s.SignIn.TakeReset(ctx, "cy@example.com", at, ""))
		},
		audit.ShareRefused: func() error {
			_, err := pages.Unlock(audit.Acting(db.WithVisit(t.Context(), visit), audit.ActorOf(ctx)), link, "x", at)
			return err
		},
	}
	records := s.Count(t, "audit")
	var want []string
	for _, g := range audit.ActionGroups() {
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
			about := map[audit.Action]string{audit.SignInFailed: " cy@example.com", audit.CodeRefused: " cy@example.com", audit.SSORefused: " cy@example.com", audit.ShareRefused: " For the board acme"}[a]
			want = append(want, "2026-11-20 "+string(a)+" 203.0.113.9"+about+" 1")
		}
	}
	slices.Sort(want)
	accesstest.WantCounts(t, s.Counts(t, audit.Filter{}), want...)
	if n := s.Count(t, "audit"); n != records {
		t.Errorf("%d records more: %q", n-records, s.Recorded(t, audit.Filter{}))
	}
}

// New actions are covered too: one that a stranger can cause must be counted. Only an
// action that uses up a link we sent may have a record.
func TestAStrangerHasARecordOnlyForALinkThatWasSent(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	byLink := []audit.Action{
		audit.PasswordChanged, audit.PasswordReset, audit.PersonJoined, audit.MailConfirmed, audit.MailEnded, audit.AlertMailEnded,
	}
	for _, g := range audit.ActionGroups() {
		for _, a := range g.Actions {
			before := w.Count(t, "audit")
			recordFrom(t, w, network(2), audit.Event{Action: a})
			if recorded := w.Count(t, "audit") > before; recorded != slices.Contains(byLink, a) {
				t.Errorf("%s: recorded %v", a, recorded)
			}
		}
	}
}

func TestCountsReadAsOneLine(t *testing.T) {
	t.Parallel()
	one := []audit.Counted{{What: "192.0.2.1", Times: 1}}
	two := append(one, audit.Counted{What: "unknown", Times: 3})
	for want, d := range map[string]audit.CountedDay{
		"1 failed sign-in from 1 network":                   {Action: audit.SignInFailed, Times: 1, Networks: one},
		"4 wrong passwords for share links from 2 networks": {Action: audit.ShareRefused, Times: 4, Networks: two},
		"Store paused: 4 from 2 networks":                   {Action: audit.StorePaused, Times: 4, Networks: two},
	} {
		if got := d.Words(locale.English); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The role of the web pages can add counts, and shows them only to people who see every store.
func TestPagesCountBehindTheWall(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	pages := signin.New(w.Pages(t), w.Clock.Now, nil, w.Passwords)
	if err := pages.Limited(accesstest.From(t, accesstest.Home)); err != nil {
		t.Fatal(err)
	}
	seen, err := audit.New(w.Pages(t), w.Clock.Now).Counts(t.Context(), audit.Filter{}, 10)
	if err != nil || len(seen) != 0 {
		t.Errorf("nobody sees %v, %v", seen, err)
	}
	accesstest.WantCounts(t, w.Counts(t, audit.Filter{}), "2026-11-20 sign-in.limited 203.0.113.7 1")
}

func TestAuditCountsAreFiltered(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	recordFrom(t, w, network(2), audit.Event{Action: audit.SignInFailed})
	w.Clock.Add(24 * time.Hour)
	recordFrom(t, w, network(3), audit.Event{Action: audit.ShareRefused})
	early, late := "2026-11-20 sign-in.failed 198.18.0.2 1", "2026-11-21 share.refused 2001:db8:3::/48 1"
	day := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		filter audit.Filter
		want   []string
	}{
		"everything":    {audit.Filter{}, []string{late, early}},
		"one action":    {audit.Filter{About: "sign-in.failed"}, []string{early}},
		"several":       {audit.Filter{About: "share"}, []string{late}},
		"since":         {audit.Filter{Since: day}, []string{late}},
		"until":         {audit.Filter{Until: day}, []string{early}},
		"nobody":        {audit.Filter{Who: "Nobody"}, []string{late, early}},
		"a person":      {audit.Filter{Who: "ada"}, nil},
		"a network":     {audit.Filter{Text: "2001:DB8"}, []string{late}},
		"another store": {audit.Filter{Store: "acme"}, nil},
	} {
		if got := w.Counts(t, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
