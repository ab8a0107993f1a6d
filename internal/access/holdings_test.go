package access_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// reachesBy lists, for every column that refers to a person, the kinds of holdings it leads
// to, or says why there are none. A new column that is missing here fails the test: its
// author has to decide whether it gives a departed person any access.
var reachesBy = map[string][]access.HoldingKind{
	"passwords.person_id":           {access.HoldsPassword},
	"totps.person_id":               {access.HoldsApp},
	"recovery_codes.person_id":      {access.HoldsRecovery},
	"passkeys.person_id":            {access.HoldsPasskey},
	"identities.person_id":          {access.HoldsIdentity},
	"sessions.person_id":            {access.HoldsSession},
	"sign_in_links.person_id":       {access.HoldsLink},
	"sign_in_links.created_by":      {access.HoldsSent},
	"grants.person_id":              {access.HoldsEvery, access.HoldsGroup, access.HoldsGrant},
	"api_tokens.owner_id":           {access.HoldsToken},
	"shares.created_by":             {access.HoldsShare},
	"alert_channels.person_id":      {access.HoldsChannel},
	"alert_settings.person_id":      {access.HoldsAlerts},
	"subscriptions.person_id":       {access.HoldsSubscription, access.HoldsMails},
	"subscriptions.created_by":      {access.HoldsReader, access.HoldsMails},
	"stores.removed_by_person":      {access.HoldsRemoved},
	"pending_connections.person_id": {access.HoldsPending},

	"notes.written_by":            nil, // the note stays, without its author
	"saved_views.person_id":       nil, // a filter of the store list, for its owner only
	"branding_drafts.person_id":   nil, // only its owner sees it
	"alert_preferences.person_id": nil, // adjusts which mails alert_settings sends
	"mail_links.person_id":        nil, // stops the person's alert mails, and shows nothing
	"alert_snoozes.person_id":     nil, // delays mails, and shows nothing
	"alert_snoozes.created_by":    nil, // a name on the page, which stays
	"alerts.assigned_to":          nil, // a name next to the alert, and opens nothing
	"alerts.done_by":              nil, // a name next to the alert, which stays
	"goals.set_by":                nil, // a name next to the goal, which stays
	"thresholds.set_by":           nil, // a name next to the threshold, which stays
	"alert_letters.person_id":     nil, // checked again before it is sent
	"alert_notices.person_id":     nil, // becomes a letter
}

func TestEveryColumnThatRefersToAPersonIsDecided(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	found := w.texts(t, `
		select c.conrelid::regclass::text || '.' || a.attname
		from pg_constraint c
		join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
		where c.contype = 'f' and c.confrelid = 'people'::regclass
		order by 1`)
	if want := slices.Sorted(maps.Keys(reachesBy)); !slices.Equal(found, want) {
		t.Errorf("columns that refer to people\n%v\nlisted\n%v", found, want)
	}
	var listed []access.HoldingKind
	for _, kinds := range reachesBy {
		listed = append(listed, kinds...)
	}
	for _, k := range access.AllHoldingKinds() {
		if k != access.HoldsRole && !slices.Contains(listed, k) {
			t.Errorf("%s comes of no column", k)
		}
	}
}

func (w world) texts(t *testing.T, sql string, args ...any) []string {
	t.Helper()
	rows, err := w.DB.Pool.Query(t.Context(), sql, args...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (w world) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	if _, err := w.DB.Pool.Exec(t.Context(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// holdsEverything makes an admin with a holding of every kind, and also holdings of other
// people. It returns the secrets of the share link and the API token.
func (w world) holdsEverything(t *testing.T, email string) (p access.Person, share, token string) {
	t.Helper()
	ctx, now := t.Context(), w.Clock.Now()
	p = w.SignedIn(t, email, access.Admin)
	as := accesstest.As(ctx, p)
	north, err := w.AddGroup(ctx, "North of "+email)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{
		w.GrantPerson(ctx, p.ID, "acme"), w.GrantPersonGroup(ctx, p.ID, north.ID), w.GrantPerson(ctx, p.ID, access.AllStores),
		w.AddStoreToGroup(ctx, north.ID, "birch"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	token, err = w.Tokens.Create(as, "sheet of "+email, []string{"acme", "birch"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	scope, err := w.DB.ScopeOfPerson(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	store, err := w.DB.Store(ctx, scope, "acme")
	if err != nil {
		t.Fatal(err)
	}
	share, err = w.Shares.Create(as, store, sharing.Draft{
		By: p.ID, Label: "For the board", Pages: sharing.Pages[:1], Window: sharing.Window{Preset: "last_30_days"}, Until: now.AddDate(0, 0, 30),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err = w.SignIn.InvitePerson(as, signin.Invite{Email: "new-" + email}); err != nil {
		t.Fatal(err)
	}
	w.Link(t, p)
	for _, sql := range []string{
		`insert into passwords (person_id, hash) values ($1, 'x')`,
		`insert into totps (person_id, secret_sealed, key_id, confirmed_at) values ($1, '', 'k', now())`,
		`insert into recovery_codes (person_id, code_hash) values ($1, convert_to('code ' || $1::bigint, 'UTF8'))`,
		`insert into passkeys (person_id, name, credential_id, credential) values ($1, 'Laptop', convert_to('key ' || $1::bigint, 'UTF8'), '{}')`,
		`insert into identities (person_id, issuer, subject, email) values ($1, 'https://id.example.com', 'subject ' || $1::bigint, 'ada@id.example.com')`,
		`insert into alert_channels (person_id, kind, name, host, sealed, key_id) values ($1, 'slack', 'Shop', 'hooks.example.com', '', '')`,
		`insert into saved_views (person_id, name, query) values ($1, 'Late', 'health=late')`,
		`insert into alert_snoozes (store_id, created_by) select id, $1 from stores where slug = 'acme'`,
	} {
		w.exec(t, sql, p.ID)
	}
	w.exec(t, `insert into sessions (token, data, expiry, person_id, created_at) values ('session of ' || $1::bigint, '{"values": {"agent": "Firefox", "from": "203.0.113.7"}}', $2::timestamptz + interval '1 day', $1, $2)`, p.ID, now)
	w.exec(t, `insert into pending_connections (id_hash, person_id, found, key_id, expires_at) values (convert_to('pending ' || $1::bigint, 'UTF8'), $1, '{}', 'k', $2::timestamptz + interval '1 hour')`, p.ID, now)
	w.exec(t, `insert into stores (slug, name, timezone, history_days, removed_at, removed_by_person) values ('gone-' || $1::bigint, 'Gone', 'UTC', 90, $2, $1)`, p.ID, now)
	w.mail(t, `insert into subscriptions (store_id, person_id, confirmed_at) select id, $1, now() from stores where slug = 'acme' returning id`, p.ID)
	w.mail(t, `insert into subscriptions (store_id, address, created_by, confirmed_at) select id, 'board-' || $1::bigint || '@example.com', $1, now() from stores where slug = 'acme' returning id`, p.ID)
	return p, share, token
}

// mail inserts a subscription and a sent mail that its link opens.
func (w world) mail(t *testing.T, sql string, args ...any) {
	t.Helper()
	var id int64
	if err := w.DB.Pool.QueryRow(t.Context(), sql, args...).Scan(&id); err != nil {
		t.Fatal(err)
	}
	w.exec(t, `
		with d as (
			insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, sent_at, written_at, body, stores)
			select s.id, s.store_id, '2026-11-09', $2, $2, 'mail ' || s.id, 'sent', $2, $2, 'x', array[s.store_id] from subscriptions s where s.id = $1
			returning id, subscription_id, store_id
		)
		insert into mail_links (hash, subscription_id, delivery_id, store_id) select convert_to('link ' || id, 'UTF8'), subscription_id, id, store_id from d`, id, w.Clock.Now())
}

func kindsOf(held []access.Holding) []access.HoldingKind {
	var kinds []access.HoldingKind
	for _, h := range held {
		if !slices.Contains(kinds, h.Kind) {
			kinds = append(kinds, h.Kind)
		}
	}
	return kinds
}

func (w world) holdings(t *testing.T, p access.Person) []access.Holding {
	t.Helper()
	_, held, err := w.Holdings(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return held
}

// openMails is how many mails their links can open.
func (w world) openMails(t *testing.T) string {
	t.Helper()
	return w.texts(t, `select count(*)::text from mail_links l join deliveries d on d.id = l.delivery_id where reader_holds(d.subscription_id, d.stores)`)[0]
}

func TestOffboardingListsAndEndsEveryKindAndLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	ada, share, token := w.holdsEverything(t, "ada@example.com")
	bo, boShare, boToken := w.holdsEverything(t, "bo@example.com")
	before := w.holdings(t, bo)
	held := w.holdings(t, ada)
	if got := kindsOf(held); !slices.Equal(got, access.AllHoldingKinds()) {
		t.Fatalf("listed are\n%v of\n%v", got, access.AllHoldingKinds())
	}
	for _, h := range held {
		if kind, _ := h.Words(locale.English); kind == "" || !h.Works {
			t.Errorf("%q: %+v", kind, h)
		}
	}
	if got := w.openMails(t); got != "4" {
		t.Errorf("%s mails can be opened, want 4", got)
	}

	ended, err := w.Offboard(accesstest.As(ctx, bo), ada.ID)
	if err != nil || len(ended) != len(held) {
		t.Fatalf("%d of %d ended, %v", len(ended), len(held), err)
	}
	if left := w.holdings(t, ada); len(left) > 0 {
		t.Errorf("left is %+v", left)
	}
	if got := w.Recorded(t, audit.Filter{About: "person.offboarded", Who: "bo@example.com"}); len(got) != 1 ||
		!strings.HasPrefix(got[0], "person.offboarded ada@example.com, 1 role, 1 grant for every store, 1 group grant, 1 store grant, 1 session, 1 one-time link, ") {
		t.Errorf("recorded is %q", got)
	}

	// Enabling the person restores nothing.
	if err := w.EnablePerson(ctx, ada.ID); err != nil {
		t.Fatal(err)
	}
	if left := w.holdings(t, ada); len(left) > 0 {
		t.Errorf("with the person comes back %+v", left)
	}
	_, _, err = w.Shares.Resolve(ctx, share)
	accesstest.Wants(t, err, fault.NotFound)
	_, err = w.Tokens.Resolve(ctx, token, "")
	accesstest.Wants(t, err, fault.Denied)

	// Someone else's holdings haven't changed.
	if after := w.holdings(t, bo); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("bo held\n%+v\nand holds\n%+v", before, after)
	}
	if _, _, err := w.Shares.Resolve(ctx, boShare); err != nil {
		t.Error(err)
	}
	if _, err := w.Tokens.Resolve(ctx, boToken, ""); err != nil {
		t.Error(err)
	}
	if got := w.openMails(t); got != "2" {
		t.Errorf("%s mails can be opened, want bo's 2", got)
	}
}

// The name of a token's maker is kept as it was, and an address may go to someone else.
func TestOffboardingRevokesNoTokenOfAnEarlierOwnerOfTheAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, _, _ := w.holdsEverything(t, "ada@example.com")
	_, _, boToken := w.holdsEverything(t, "bo@example.com")
	w.exec(t, `update api_tokens set made_by = 'ada@example.com' where made_by = 'bo@example.com'`)
	if _, err := w.Offboard(t.Context(), ada.ID); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tokens.Resolve(t.Context(), boToken, ""); err != nil {
		t.Error(err)
	}
}

func TestWhatHadEndedBeforeAnOffboardingKeepsItsDate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, _, _ := w.holdsEverything(t, "ada@example.com")
	w.SignedIn(t, "root@example.com", access.Admin)
	earlier := w.Clock.Now().AddDate(0, 0, -3)
	for _, sql := range []string{
		`update shares set revoked_at = $1`,
		`update api_tokens set revoked_at = $1`,
		`update subscriptions set ended_at = $1, end_cause = 'reader'`,
	} {
		w.exec(t, sql, earlier)
	}
	if _, err := w.Offboard(t.Context(), ada.ID); err != nil {
		t.Fatal(err)
	}
	if moved := w.texts(t, `
		select 'share' from shares where revoked_at <> $1
		union all
		select 'token' from api_tokens where revoked_at <> $1
		union all
		select 'subscription' from subscriptions where ended_at <> $1`, earlier); len(moved) > 0 {
		t.Errorf("the end date changed of: %v", moved)
	}
}

func TestADisabledPersonsThingsAreListedAsStopped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada, _, _ := w.holdsEverything(t, "ada@example.com")
	w.SignedIn(t, "root@example.com", access.Admin)
	if err := w.DisablePerson(t.Context(), ada.ID); err != nil {
		t.Fatal(err)
	}
	// Two outlive the person who made them: an invitation, and mail to an address without an account.
	outlive := []access.HoldingKind{access.HoldsReader, access.HoldsSent, access.HoldsMails}
	for _, h := range w.holdings(t, ada) {
		if h.Kind == access.HoldsSession || h.Kind == access.HoldsLink {
			t.Errorf("not ended: %+v", h)
		}
		if h.Works && !slices.Contains(outlive, h.Kind) {
			t.Errorf("said to work: %+v", h)
		}
	}
}

func TestATokenFromBeforeOwnersIsItsMakers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.SignedIn(t, "ada@example.com", access.Merchant)
	token, err := w.Tokens.Create(t.Context(), "old", []string{"acme"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	w.exec(t, `update api_tokens set made_by = 'Ada@Example.com'`)
	others, err := w.Tokens.Create(t.Context(), "another's", []string{"acme"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	if held := w.holdings(t, ada); len(held) != 1 || held[0].Kind != access.HoldsToken || !held[0].Works || held[0].Reaches(locale.English) != "acme" {
		t.Errorf("%+v", held)
	}
	if _, err := w.Offboard(t.Context(), ada.ID); err != nil {
		t.Fatal(err)
	}
	_, err = w.Tokens.Resolve(t.Context(), token, "")
	accesstest.Wants(t, err, fault.Denied)
	if _, err := w.Tokens.Resolve(t.Context(), others, ""); err != nil {
		t.Errorf("a token of someone else: %v", err)
	}
}

func TestALinkThatAnAdminMadeForSomeoneElseIsTheirs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, ada, bo := w.SignedIn(t, "root@example.com", access.Admin), w.SignedIn(t, "ada@example.com", access.Admin), w.SignedIn(t, "bo@example.com", access.Viewer)
	secret, _, err := w.SignIn.CreateLink(accesstest.As(t.Context(), ada), bo, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	held := w.holdings(t, ada)
	if i := slices.IndexFunc(held, func(h access.Holding) bool { return h.Kind == access.HoldsSent && h.Ref == bo.ID }); i < 0 {
		t.Errorf("%+v", held)
	}
	if _, err := w.Offboard(accesstest.As(t.Context(), root), ada.ID); err != nil {
		t.Fatal(err)
	}
	accesstest.Wants(t, w.SignIn.CheckLink(t.Context(), secret), fault.NotFound)
}

func TestTheLastAdminAndOneselfAreNotOffboarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	ada, _, _ := w.holdsEverything(t, "ada@example.com")
	held := len(w.holdings(t, ada))
	for _, try := range []struct {
		ctx  context.Context
		want error
	}{{accesstest.As(ctx, ada), accesstest.Refusal("person.problem.oneself")}, {ctx, accesstest.Refusal("person.last_admin")}} {
		_, err := w.Offboard(try.ctx, ada.ID)
		accesstest.Wants(t, err, try.want)
	}
	if n := len(w.holdings(t, ada)); n != held {
		t.Errorf("%d of %d are left", n, held)
	}
	_, err := w.Offboard(ctx, 999)
	accesstest.Wants(t, err, fault.Missing("person"))
	_, _, err = w.Holdings(ctx, 999)
	accesstest.Wants(t, err, fault.Missing("person"))
}
