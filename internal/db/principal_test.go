package db_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// sum is the number that a statement gives to pages, asked by a principal at that moment.
func (w *walled) sum(kind, key string, at time.Time, sql string) (n int) {
	w.t.Helper()
	w.must(pgx.BeginFunc(w.t.Context(), w.pages.Pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(w.t.Context(), `select set_principal($1, $2, $3)`, kind, key, at); err != nil {
			return err
		}
		return tx.QueryRow(w.t.Context(), sql).Scan(&n)
	}))
	return n
}

// A request that began in time may reach the database after its session or token has expired.
func TestASessionOrATokenSeesItsStoresUntilItExpires(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	session := w.session(w.person("acme"))
	token := sha256.Sum256([]byte("token"))
	w.exec(`update api_tokens set token_hash = $1 where id = $2`, token[:], w.token("acme"))
	w.exec(`update sessions set expiry = $1`, w.now)
	w.exec(`update api_tokens set expires_at = $1`, w.now)
	for kind, key := range map[string]string{"session": session, "token": hex.EncodeToString(token[:])} {
		equal(t, kind+" before", w.sum(kind, key, w.now.Add(-time.Second), `select count(*) from stores`), 1)
		equal(t, kind+" at its end", w.sum(kind, key, w.now, `select count(*) from stores`), 0)
	}
}

func TestWhatAPersonSetForAllStoresIsSeenByThemUntilTheyAreDisabled(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	ada := w.person("acme")
	w.exec(`insert into alert_channels (person_id, kind, name, host, sealed, key_id) values ($1, 'slack', 'Shop', 'hooks.example.com', '', '')`, ada)
	w.exec(`insert into alert_snoozes (person_id) values ($1)`, ada)
	adas, bens := w.session(ada), w.session(w.person("acme", "birch"))
	sees := func(who, session string, want int) {
		t.Helper()
		for _, table := range []string{"alert_channels", "alert_snoozes"} {
			equal(t, who+" sees of "+table, w.sum("session", session, w.now, fmt.Sprintf(`select count(id) from %s`, table)), want)
		}
	}
	sees("their person", adas, 1)
	sees("someone with the same store", bens, 0)
	w.exec(`update people set disabled_at = now() where id = $1`, ada)
	sees("their person, disabled,", adas, 0)
}

func TestAPersonSeesTheGroupsOfTheirStoresOnly(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	for _, id := range []int64{w.acme, w.birch} {
		w.exec(`with g as (insert into groups (name) values (gen_random_uuid()::text) returning id) insert into group_stores (group_id, store_id) select id, $1 from g`, id)
	}
	for n, stores := range [][]string{nil, {"acme"}, {"acme", "birch"}} {
		equal(t, fmt.Sprint(stores), w.sum("session", w.session(w.person(stores...)), w.now, `select count(*) from groups`), n)
	}
}

func TestTokensAndLinksSeeOnlyNotesForClientsAndChangeNone(t *testing.T) {
	t.Parallel()
	w := newWalled(t)
	for _, store := range []int64{w.acme, w.birch} {
		w.exec(`insert into notes (store_id, first_day, last_day, text, for_clients) values ($1, '2026-11-03', '2026-11-03', 'x', true), ($1, '2026-11-03', '2026-11-03', 'x', false)`, store)
	}
	every := w.bearer()
	w.exec(`insert into grants (api_token_id) select id from api_tokens where token_hash = $1`, every)
	hash := sha256.Sum256([]byte("secret"))
	w.exec(`insert into shares (store_id, token_hash, label, pages, preset, expires_at, created_by) values ($1, $2, 'x', '{overview}', 'last_7_days', $3, $4)`, w.birch, hash[:], w.now.Add(time.Hour), w.person())
	for name, c := range map[string]struct {
		kind, key             string
		sees, private, writes int
	}{
		"a person":                 {"session", w.session(w.person("acme")), 2, 1, 2},
		"a person of every store":  {"session", w.session(w.person("*")), 4, 2, 4},
		"a person without a grant": {"session", w.session(w.person()), 0, 0, 0},
		"nobody":                   {"session", "none", 0, 0, 0},
		"a token":                  {"token", hex.EncodeToString(w.bearer("acme")), 1, 0, 0},
		"a token of every store":   {"token", hex.EncodeToString(every), 2, 0, 0},
		"a link":                   {"share", hex.EncodeToString(hash[:]), 1, 0, 0},
	} {
		equal(t, name+" sees", w.sum(c.kind, c.key, w.now, `select count(*)::int from notes`), c.sees)
		equal(t, name+" sees in private", w.sum(c.kind, c.key, w.now, `select count(*)::int from notes where not for_clients`), c.private)
		equal(t, name+" changes", w.sum(c.kind, c.key, w.now, `with n as (update notes set text = 'y' returning 1) select count(*)::int from n`), c.writes)
	}
}
