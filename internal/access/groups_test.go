package access_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/fault"
)

func (w world) group(t *testing.T, name string, slugs ...string) access.Group {
	t.Helper()
	g, err := w.AddGroup(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	for _, slug := range slugs {
		if err := w.AddStoreToGroup(t.Context(), g.ID, slug); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func (w world) sees(t *testing.T, p access.Person) []string {
	t.Helper()
	scope, err := w.DB.ScopeOfPerson(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	stores, err := w.DB.Stores(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range stores {
		out = append(out, s.Slug)
	}
	return out
}

func TestAGroupsStoresAreSeenByWhoHoldsItAtThatMoment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	g := w.group(t, "North", "acme")
	expect := func(what string, want ...string) {
		t.Helper()
		if got := w.sees(t, p); !slices.Equal(got, want) {
			t.Errorf("%s: sees %v, want %v", what, got, want)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	expect("without a grant")
	must(w.GrantPersonGroup(ctx, p.ID, g.ID))
	must(w.GrantPersonGroup(ctx, p.ID, g.ID)) // granting twice changes nothing
	expect("with the group", "acme")
	must(w.AddStoreToGroup(ctx, g.ID, "birch"))
	must(w.AddStoreToGroup(ctx, g.ID, "birch"))
	expect("a store came", "acme", "birch")
	if had, err := w.TakeStoreFromGroup(ctx, g.ID, "acme"); !had || err != nil {
		t.Error(had, err)
	}
	if had, err := w.TakeStoreFromGroup(ctx, g.ID, "acme"); had || err != nil {
		t.Error(had, err)
	}
	expect("a store went", "birch")
	if had, err := w.RevokePersonGroup(ctx, p.ID, g.ID); !had || err != nil {
		t.Error(had, err)
	}
	if had, err := w.RevokePersonGroup(ctx, p.ID, g.ID); had || err != nil {
		t.Error(had, err)
	}
	expect("the grant went")
	must(w.GrantPersonGroup(ctx, p.ID, g.ID))
	must(w.RemoveGroup(ctx, g.ID))
	expect("the group went")
	want := []string{
		"group.removed North", "grant.given ada@example.com, group North", "grant.taken ada@example.com, group North",
		"group.store-removed acme North", "group.store-added birch North", "grant.given ada@example.com, group North",
		"group.store-added acme North", "group.added North",
	}
	got := w.Recorded(t, audit.Filter{})
	got = slices.DeleteFunc(got, func(s string) bool { return strings.HasPrefix(s, "person.") })
	if !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestGroupsThatCantBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	g, other := w.group(t, "  North "), w.group(t, "South")
	if g.Name != "North" {
		t.Errorf("%q", g.Name)
	}
	_, err := w.AddGroup(ctx, "NORTH")
	accesstest.Wants(t, err, fault.Conflict)
	for _, name := range []string{"", " ", "a\nb", "\x00", "a\u202eb", "\xff", strings.Repeat("é", 61)} {
		_, err := w.AddGroup(ctx, name)
		accesstest.Wants(t, err, fault.Invalid)
		accesstest.Wants(t, w.RenameGroup(ctx, g.ID, name), fault.Invalid)
	}
	accesstest.Wants(t, w.RenameGroup(ctx, other.ID, "north"), fault.Conflict)
	accesstest.Wants(t, w.RenameGroup(ctx, 999, "West"), fault.Missing("group"))
	if err := w.RenameGroup(ctx, g.ID, "north"); err != nil { // the same name in different case
		t.Error(err)
	}
	accesstest.Wants(t, w.RemoveGroup(ctx, 999), fault.Missing("group"))
	accesstest.Wants(t, w.AddStoreToGroup(ctx, 999, "acme"), fault.Missing("group"))
	accesstest.Wants(t, w.AddStoreToGroup(ctx, g.ID, "nowhere"), fault.Missing("store"))
	accesstest.Wants(t, w.GrantPersonGroup(ctx, w.Person(t, "ada@example.com").ID, 999), fault.Missing("group"))
	accesstest.Wants(t, w.GrantPersonGroup(ctx, 999, g.ID), fault.Missing("person"))
	if found, err := w.GroupByName(ctx, " NORTH "); err != nil || found.ID != g.ID {
		t.Error(found, err)
	}
	_, err = w.GroupByName(ctx, "East")
	accesstest.Wants(t, err, fault.Missing("group"))
	_, err = w.Group(ctx, 999)
	accesstest.Wants(t, err, fault.Missing("group"))
}

func TestWhatAGroupsEndWouldTake(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	g := w.group(t, "North", "acme", "birch")
	south := w.group(t, "South", "acme")
	hold := func(email string, role access.Role, also func(access.Person) error) {
		t.Helper()
		p := w.SignedIn(t, email, role)
		if err := w.GrantPersonGroup(ctx, p.ID, g.ID); err != nil {
			t.Fatal(err)
		}
		if also != nil {
			if err := also(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	hold("all@example.com", access.Agency, nil)
	hold("half@example.com", access.Agency, func(p access.Person) error { return w.GrantPerson(ctx, p.ID, "birch") })
	hold("other@example.com", access.Agency, func(p access.Person) error { return w.GrantPersonGroup(ctx, p.ID, south.ID) })
	hold("every@example.com", access.Viewer, func(p access.Person) error { return w.GrantPerson(ctx, p.ID, access.AllStores) })
	hold("admin@example.com", access.Admin, nil)
	hold("gone@example.com", access.Viewer, func(p access.Person) error { return w.DisablePerson(ctx, p.ID) })
	if _, err := w.Tokens.Create(ctx, "script", []string{"acme"}, []int64{g.ID}, apitoken.Life); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tokens.Create(ctx, "dead", nil, []int64{g.ID}, apitoken.Life); err != nil {
		t.Fatal(err)
	}
	if err := w.Tokens.Revoke(ctx, "dead"); err != nil {
		t.Fatal(err)
	}
	losses, err := w.GroupLosses(ctx, g.ID)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range losses {
		got = append(got, l.Name+": "+strings.Join(l.Stores, " "))
	}
	if want := []string{"all: acme birch", "half: acme", "other: birch", "script: birch"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if detail, err := w.Group(ctx, g.ID); err != nil || !slices.Equal(detail.Tokens, []string{"script"}) || len(detail.PersonNames) != 5 || !slices.Equal(detail.Stores, []string{"acme", "birch"}) {
		t.Errorf("%+v, %v", detail, err)
	}
}

func TestATokenForAGroupReadsItsStores(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	g := w.group(t, "North", "acme")
	ada := w.Person(t, "ada@example.com")
	if err := w.SetRole(ctx, ada.ID, access.Admin); err != nil { // only admins make tokens
		t.Fatal(err)
	}
	token, err := w.Tokens.Create(accesstest.As(ctx, ada), "script", nil, []int64{g.ID}, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	reads := func(slug string) bool {
		t.Helper()
		v, err := w.Tokens.Resolve(ctx, token, slug)
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Store()
		return err == nil
	}
	if !reads("acme") || reads("birch") {
		t.Error("it reads not the group's stores")
	}
	if _, err := w.TakeStoreFromGroup(ctx, g.ID, "acme"); err != nil {
		t.Fatal(err)
	}
	if err := w.AddStoreToGroup(ctx, g.ID, "birch"); err != nil {
		t.Fatal(err)
	}
	if reads("acme") || !reads("birch") {
		t.Error("it does not follow the group")
	}
	tokens, err := w.Tokens.List(ctx)
	if err != nil || len(tokens) != 1 || tokens[0].MadeBy != "ada@example.com" || !slices.Equal(tokens[0].Groups, []string{"North"}) || tokens[0].AllStores {
		t.Errorf("%+v, %v", tokens, err)
	}
	if err := w.Tokens.RevokeByID(ctx, tokens[0].ID); err != nil {
		t.Fatal(err)
	}
	accesstest.Wants(t, w.Tokens.RevokeByID(ctx, tokens[0].ID), fault.Missing("token"))
	_, err = w.Tokens.Resolve(ctx, token, "birch")
	accesstest.Wants(t, err, fault.Denied)
	_, err = w.Tokens.Create(ctx, "x", nil, []int64{999}, apitoken.Life)
	accesstest.Wants(t, err, fault.Missing("group"))
	_, err = w.Tokens.Create(ctx, "x", nil, nil, apitoken.Life)
	accesstest.Wants(t, err, fault.Invalid)
	_, err = w.Tokens.Create(ctx, " ", []string{"acme"}, nil, apitoken.Life)
	accesstest.Wants(t, err, fault.Invalid)
	if left, err := w.Tokens.List(ctx); err != nil || len(left) != 1 {
		t.Error("a refused token was made", err)
	}
}

func TestTagsAreKeptOnceAndInOneSpelling(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	set := func(slug, text string) {
		t.Helper()
		tags, err := access.ParseTags(text)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.SetTags(ctx, slug, tags); err != nil {
			t.Fatal(err)
		}
	}
	set("acme", " Fashion, EU ,, fashion,  key   account")
	set("birch", "FASHION, food")
	set("birch", "FASHION, food") // the same tags: nothing to record
	stores, matched, err := w.TaggedStores(ctx, "", 0, 10)
	if err != nil || matched != 2 || !slices.Equal(stores[0].Tags, []string{"EU", "Fashion", "key account"}) || !slices.Equal(stores[1].Tags, []string{"Fashion", "food"}) {
		t.Errorf("%+v, %d, %v", stores, matched, err)
	}
	for text, want := range map[string]string{"FOOD": "birch", "acm": "acme", "birch": "birch", "key account": "acme"} {
		if stores, matched, err := w.TaggedStores(ctx, text, 0, 10); err != nil || matched != 1 || stores[0].Slug != want {
			t.Errorf("%s: %+v, %v", text, stores, err)
		}
	}
	if stores, matched, err := w.TaggedStores(ctx, "", 1, 1); err != nil || matched != 2 || len(stores) != 1 || stores[0].Slug != "birch" {
		t.Errorf("%+v, %d, %v", stores, matched, err)
	}
	if tags, err := w.Tags(ctx); err != nil || !slices.Equal(tags, []string{"EU", "Fashion", "food", "key account"}) {
		t.Errorf("%q, %v", tags, err)
	}
	if got := w.Recorded(t, audit.Filter{About: "store.tagged"}); !slices.Equal(got, []string{"store.tagged birch Fashion, food", "store.tagged acme EU, Fashion, key account"}) {
		t.Errorf("%q", got)
	}
	set("acme", "")
	if stores, _, err := w.TaggedStores(ctx, "", 0, 1); err != nil || len(stores[0].Tags) != 0 {
		t.Errorf("%+v, %v", stores, err)
	}
	accesstest.Wants(t, w.SetTags(ctx, "nowhere", nil), fault.Missing("store"))
	for _, bad := range []string{strings.Repeat("a", 41), "a\x00", "x\u202ey", "\xff", strings.Repeat("a,", 5) + "b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u"} {
		_, err := access.ParseTags(bad)
		accesstest.Wants(t, err, fault.Invalid)
	}
}
