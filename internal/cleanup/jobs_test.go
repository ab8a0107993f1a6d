package cleanup

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
)

// Each rule gets two rows: one a minute before it expires, which must stay, and one a minute
// after.
func TestEachKindOfRowIsDeletedWhenItsTimeIsOver(t *testing.T) {
	t.Parallel()
	owner := dbtest.New(t)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := owner.Exec(t.Context(), `
		insert into people (email, name) values ('ada@example.com', 'Ada');
		insert into stores (slug, name, timezone) values ('acme', 'Acme', 'UTC');
		insert into subscriptions (store_id, address, confirmed_at) select id, 'ben@example.com', now() from stores`)
	must(err)
	const ages = `from people p, stores s, subscriptions b, (values ('stays', interval '-1 minute'), ('old', interval '1 minute')) as v (name, past)`
	rules := map[string]struct{ insert, left string }{
		"sessions": {
			`insert into sessions (token, data, expiry) select v.name, '', now() - past ` + ages, `select token from sessions where token in ('stays', 'old')`},
		"unused sessions": {
			`insert into sessions (token, data, expiry, seen_at) select 'unused ' || v.name, '', now() + interval '1 day', now() - interval '7 days' - past ` + ages,
			`select substr(token, 8) from sessions where token like 'unused %'`},
		"one-time links": {
			`insert into sign_in_links (token_hash, person_id, expires_at) select convert_to(v.name, 'UTF8'), p.id, now() - interval '7 days' - past ` + ages,
			`select convert_from(token_hash, 'UTF8') from sign_in_links`},
		"attempts": {
			`insert into attempts (bucket, free_at) select v.name, now() - interval '1 hour' - past ` + ages, `select bucket from attempts`},
		"connections that nobody saved": {
			`insert into pending_connections (id_hash, person_id, found, key_id, expires_at) select convert_to(v.name, 'UTF8'), p.id, '[]', '', now() - past ` + ages,
			`select convert_from(id_hash, 'UTF8') from pending_connections`},
		"the text of mails": {
			`insert into deliveries (subscription_id, store_id, week, due_at, next_at, state, message_id, body, address, written_at, sent_at)
			select b.id, s.id, current_date - (case v.name when 'old' then 77 else 70 end), now(), now(), 'sent', v.name, 'text', 'ben@example.com', now() - interval '60 days' - past, now() ` + ages,
			`select message_id from deliveries where body is not null`},
		"alerts": {
			`insert into alerts (store_id, rule, subject, since, opened_at, closed_at, end_cause, title, text)
			select s.id, 'plan', v.name, now(), now(), now() - interval '400 days' - past, 'recovered', '""', '""' ` + ages, `select subject from alerts`},
		"messages about alerts": {
			`insert into alert_letters (person_id, message_id, created_at, state, next_at) select p.id, v.name, now() - interval '400 days' - past, 'refused', now() ` + ages,
			`select message_id from alert_letters`},
		"audit records": {
			`insert into audit (at, actor, action, subject) select now() - interval '30 days' - past, 'command', 'store.added', v.name ` + ages, `select subject from audit`},
	}
	for what, rule := range rules {
		if _, err := owner.Exec(t.Context(), rule.insert); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	c := Cleanup{DB: db.From(dbtest.As(t, owner, db.Worker), 60), AuditDays: 30, Now: time.Now}
	must(c.delete(t.Context()))
	for what, rule := range rules {
		rows, err := owner.Query(t.Context(), rule.left)
		must(err)
		left, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(err)
		if len(left) != 1 || left[0] != "stays" {
			t.Errorf("%s: left are %q", what, left)
		}
	}
}
