package access_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/fault"
)

type world struct{ *accesstest.World }

func newWorld(t *testing.T) world {
	t.Helper()
	return world{accesstest.New(t)}
}

func TestPersonIsKnownByAddressInAnySpelling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Person(t, "Ada@Example.com")
	if p.Role != access.Viewer || p.Name != "Ada" {
		t.Errorf("defaults: %+v", p)
	}
	found, err := w.PersonByEmail(t.Context(), " ada@example.COM ")
	if err != nil || found.ID != p.ID {
		t.Errorf("found %+v, %v", found, err)
	}
	_, err = w.CreatePerson(t.Context(), "ADA@example.com", "", "")
	accesstest.Wants(t, err, fault.Conflict)
	_, err = w.PersonByEmail(t.Context(), "eve@example.com")
	accesstest.Wants(t, err, fault.Missing("person"))
	for _, bad := range []string{"", "ada", "Ada <ada@example.com>", "ada@example.com, eve@example.com"} {
		if _, err := w.CreatePerson(t.Context(), bad, "", ""); err == nil {
			t.Errorf("address %q was taken", bad)
		}
	}
	if _, err := w.CreatePerson(t.Context(), "bo@example.com", "", "owner"); err == nil {
		t.Error("an unknown role was taken")
	}
}

func TestGrantsDecideWhatAScopeHolds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	sees := func() []string {
		t.Helper()
		scope, err := w.DB.ScopeOfPerson(ctx, p.ID)
		if err != nil {
			t.Fatal(err)
		}
		stores, err := w.DB.Stores(ctx, scope)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, s := range stores {
			out = append(out, s.Slug)
		}
		return out
	}
	expect := func(what string, want ...string) {
		t.Helper()
		if got := sees(); !slices.Equal(got, want) {
			t.Errorf("%s: sees %v, want %v", what, got, want)
		}
	}
	expect("without a grant")
	for range 2 { // twice changes nothing
		if err := w.GrantPerson(ctx, p.ID, "acme"); err != nil {
			t.Fatal(err)
		}
	}
	expect("one grant", "acme")
	accesstest.Wants(t, w.GrantPerson(ctx, p.ID, "nowhere"), fault.Missing("store"))
	if err := w.GrantPerson(ctx, p.ID, access.AllStores); err != nil {
		t.Fatal(err)
	}
	expect("all stores", "acme", "birch")
	people, err := w.Roster(ctx)
	if err != nil || len(people) != 1 || !people[0].AllStores || !slices.Equal(people[0].Stores, []string{"acme"}) {
		t.Errorf("listed %+v, %v", people, err)
	}
	if had, err := w.RevokePerson(ctx, p.ID, access.AllStores); err != nil || !had {
		t.Error(had, err)
	}
	expect("all stores revoked", "acme")
	if had, err := w.RevokePerson(ctx, p.ID, "acme"); err != nil || !had {
		t.Error(had, err)
	}
	if had, err := w.RevokePerson(ctx, p.ID, "acme"); err != nil || had {
		t.Error("a grant was revoked twice", err)
	}
	expect("everything revoked")
}

func TestDisabledPersonLosesEverythingAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	if err := w.GrantPerson(ctx, p.ID, access.AllStores); err != nil {
		t.Fatal(err)
	}
	secret := w.Link(t, p)
	other := w.Person(t, "bo@example.com")
	s := w.SessionStore
	w.SaveSession(t, "ada-session", p)
	w.SaveSession(t, "bo-session", other)
	if err := w.DisablePerson(ctx, p.ID); err != nil {
		t.Fatal(err)
	}
	_, err := w.SignIn.UseLink(ctx, secret)
	accesstest.Wants(t, err, fault.NotFound)
	if _, found, err := s.FindCtx(ctx, "ada-session"); err != nil || found {
		t.Error("the session lives on", err)
	}
	if _, found, err := s.FindCtx(ctx, "bo-session"); err != nil || !found {
		t.Error("another person's session went too", err)
	}
	if scope, err := w.DB.ScopeOfPerson(ctx, p.ID); err != nil || scope.Every() {
		t.Error("the grants still allow", err)
	}
	p, err = w.PersonByEmail(ctx, p.Email)
	if err != nil || !p.Disabled {
		t.Errorf("%+v, %v", p, err)
	}
	_, _, err = w.SignIn.CreateLink(ctx, p, 0)
	accesstest.Wants(t, err, accesstest.Refusal("person.problem.disabled"))
	accesstest.Wants(t, w.DisablePerson(ctx, 999), fault.Missing("person"))
}

func TestSecretsAreStoredAsHashes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	link := w.Link(t, w.Person(t, "ada@example.com"))
	token, err := w.Tokens.Create(ctx, "ci", []string{"acme"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	var rows string
	err = w.DB.Pool.QueryRow(ctx, `select
		(select string_agg(l::text || encode(token_hash, 'escape'), '') from sign_in_links l) ||
		(select string_agg(t::text || encode(token_hash, 'escape'), '') from api_tokens t)`).Scan(&rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{link, token, token[len(apitoken.Prefix):]} {
		if len(secret) < 43 {
			t.Errorf("secret %q has less than 256 bits", secret)
		}
		if strings.Contains(rows, secret) {
			t.Errorf("the database holds %q", secret)
		}
	}
}
