package access_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func TestTheRosterTellsWhatEveryoneHoldsAndHowTheySignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	north, err := w.AddGroup(ctx, "North")
	if err != nil {
		t.Fatal(err)
	}
	ada := w.SignedIn(t, "ada@example.com", access.Merchant)
	for _, err := range []error{
		w.GrantPerson(ctx, ada.ID, "birch"), w.GrantPerson(ctx, ada.ID, "acme"), w.GrantPersonGroup(ctx, ada.ID, north.ID),
		w.Audit.Record(ctx, audit.Event{Action: audit.SignedIn, Actor: ada.Actor()}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.DB.Pool.Exec(ctx, `insert into totps (person_id, secret_sealed, key_id, confirmed_at) values ($1, '\x00', 'k', now())`, ada.ID); err != nil {
		t.Fatal(err)
	}
	bo, _, until, err := w.SignIn.InvitePerson(ctx, signin.Invite{Email: "bo@example.com", Stores: []string{access.AllStores}})
	if err != nil {
		t.Fatal(err)
	}
	cy := w.SignedIn(t, "cy@example.com", access.Viewer)
	if err := w.DisablePerson(ctx, cy.ID); err != nil {
		t.Fatal(err)
	}
	all, err := w.Roster(ctx)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d people, %v", len(all), err)
	}
	if m := all[0]; m.ID != ada.ID || !m.Joined || !m.SignedInAt.Equal(w.Clock.Now()) || !m.TwoFactor() || m.Password || m.AllStores ||
		!slices.Equal(m.Stores, []string{"acme", "birch"}) || !slices.Equal(m.Groups, []string{"North"}) || !slices.Equal(m.GroupIDs, []int64{north.ID}) {
		t.Errorf("%+v", m)
	}
	if m := all[1]; m.ID != bo.ID || m.Joined || !m.InvitedUntil.Equal(until) || !m.SignedInAt.IsZero() || !m.AllStores || m.TwoFactor() {
		t.Errorf("%+v", m)
	}
	if m := all[2]; m.ID != cy.ID || !m.Disabled || !m.InvitedUntil.IsZero() {
		t.Errorf("%+v", m)
	}
	one, err := w.Member(ctx, bo.ID)
	if err != nil || one.ID != bo.ID {
		t.Errorf("%+v, %v", one, err)
	}
	for _, id := range []int64{0, -1, 999} {
		_, err := w.Member(ctx, id)
		accesstest.Wants(t, err, fault.Missing("person"))
	}
	w.Clock.Add(signin.MaxInvitation)
	if one, err = w.Member(ctx, bo.ID); err != nil || !one.InvitedUntil.IsZero() {
		t.Errorf("an invitation that is over still counts: %v, %v", one.InvitedUntil, err)
	}
}

func TestARoleChangesAndIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.SignedIn(t, "ada@example.com", access.Viewer)
	for range 2 { // disabling twice changes nothing
		if err := w.SetRole(ctx, p.ID, access.Agency); err != nil {
			t.Fatal(err)
		}
	}
	if got := w.Recorded(t, audit.Filter{About: "person.role-changed"}); !slices.Equal(got, []string{"person.role-changed ada@example.com, Viewer → Agency member"}) {
		t.Errorf("%q", got)
	}
	if m, err := w.Member(ctx, p.ID); err != nil || m.Role != access.Agency {
		t.Errorf("%s, %v", m.Role, err)
	}
	accesstest.Wants(t, w.SetRole(ctx, p.ID, "owner"), fault.Invalid)
	accesstest.Wants(t, w.SetRole(ctx, 999, access.Viewer), fault.Missing("person"))
}

func TestNobodyChangesTheirOwnRoleOrDisablesThemselves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.SignedIn(t, "ada@example.com", access.Admin)
	bo := w.SignedIn(t, "bo@example.com", access.Admin)
	ctx := accesstest.As(t.Context(), ada)
	accesstest.Wants(t, w.SetRole(ctx, ada.ID, access.Viewer), accesstest.Refusal("person.problem.oneself"))
	accesstest.Wants(t, w.DisablePerson(ctx, ada.ID), accesstest.Refusal("person.problem.oneself"))
	if err := w.SetRole(ctx, bo.ID, access.Viewer); err != nil {
		t.Error(err)
	}
}

func TestTheLastAdminStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context() // the rule applies to the command line too
	ada := w.SignedIn(t, "ada@example.com", access.Admin)
	accesstest.Wants(t, w.SetRole(ctx, ada.ID, access.Merchant), accesstest.Refusal("person.last_admin"))
	accesstest.Wants(t, w.DisablePerson(ctx, ada.ID), accesstest.Refusal("person.last_admin"))
	// An admin who can't sign in doesn't count.
	invited := w.Person(t, "bo@example.com")
	disabled := w.SignedIn(t, "cy@example.com", access.Viewer)
	for _, err := range []error{w.SetRole(ctx, invited.ID, access.Admin), w.SetRole(ctx, disabled.ID, access.Admin), w.DisablePerson(ctx, disabled.ID)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	accesstest.Wants(t, w.SetRole(ctx, ada.ID, access.Merchant), accesstest.Refusal("person.last_admin"))
	if err := w.EnablePerson(ctx, disabled.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.SetRole(ctx, ada.ID, access.Merchant); err != nil {
		t.Error(err)
	}
	if err := w.DisablePerson(ctx, invited.ID); err != nil {
		t.Errorf("an admin who never came can't be disabled: %v", err)
	}
	accesstest.Wants(t, w.DisablePerson(ctx, disabled.ID), accesstest.Refusal("person.last_admin"))
}

func TestTwoAdminsWhoDemoteEachOtherAtOnceLeaveOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.SignedIn(t, "ada@example.com", access.Admin)
	bo := w.SignedIn(t, "bo@example.com", access.Admin)
	for range 20 {
		errs := make(chan error, 2)
		go func() { errs <- w.SetRole(accesstest.As(t.Context(), ada), bo.ID, access.Viewer) }()
		go func() { errs <- w.DisablePerson(accesstest.As(t.Context(), bo), ada.ID) }()
		first, second := <-errs, <-errs
		if (first == nil) == (second == nil) || !errors.Is(errors.Join(first, second), accesstest.Refusal("person.last_admin")) {
			t.Fatalf("%v and %v", first, second)
		}
		if err := w.EnablePerson(t.Context(), ada.ID); err != nil {
			t.Fatal(err)
		}
		if err := w.SetRole(t.Context(), bo.ID, access.Admin); err != nil {
			t.Fatal(err)
		}
	}
}

func TestWhoIsEnabledAgainHasTheirGrants(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.SignedIn(t, "ada@example.com", access.Viewer)
	for _, err := range []error{w.GrantPerson(ctx, p.ID, "acme"), w.DisablePerson(ctx, p.ID), w.EnablePerson(ctx, p.ID), w.EnablePerson(ctx, p.ID)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	scope, err := w.DB.ScopeOfPerson(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.DB.Store(ctx, scope, "acme"); err != nil {
		t.Error(err)
	}
	if got := w.Recorded(t, audit.Filter{About: "person.enabled"}); len(got) != 1 {
		t.Errorf("%q", got)
	}
	accesstest.Wants(t, w.EnablePerson(ctx, 999), fault.Missing("person"))
}

func TestWhatIsTakenOrEnabledIsOnePersonsAndOneGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p, other := w.SignedIn(t, "ada@example.com", access.Viewer), w.SignedIn(t, "bo@example.com", access.Viewer)
	must := func(errs ...error) {
		t.Helper()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	north, south := w.group(t, "North", "acme"), w.group(t, "South", "birch")
	for _, who := range []access.Person{p, other} {
		must(w.GrantPersonGroup(ctx, who.ID, north.ID), w.GrantPersonGroup(ctx, who.ID, south.ID))
	}
	if had, err := w.RevokePersonGroup(ctx, p.ID, north.ID); !had || err != nil {
		t.Error(had, err)
	}
	if one, two := w.sees(t, p), w.sees(t, other); !slices.Equal(one, []string{"birch"}) || !slices.Equal(two, []string{"acme", "birch"}) {
		t.Errorf("they see %v and %v", one, two)
	}
	must(w.DisablePerson(ctx, p.ID), w.DisablePerson(ctx, other.ID), w.EnablePerson(ctx, p.ID))
	if still, err := w.PersonByID(ctx, other.ID); err != nil || !still.Disabled {
		t.Errorf("someone else was enabled too: %v", err)
	}
}

func TestLastSignInIsTheNewest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Person(t, "ada@example.com")
	for range 3 {
		w.Clock.Add(time.Hour)
		if err := w.Audit.Record(t.Context(), audit.Event{Action: audit.SignedIn, Actor: p.Actor()}); err != nil {
			t.Fatal(err)
		}
	}
	if m, err := w.Member(t.Context(), p.ID); err != nil || !m.SignedInAt.Equal(w.Clock.Now()) {
		t.Errorf("%v, %v", m.SignedInAt, err)
	}
}
