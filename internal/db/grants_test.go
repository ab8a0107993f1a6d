package db_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/db"
)

// What pages may do with each table, apart from the columns that they may only change or not see. A
// table that isn't listed fails the test: its author decides in the migration and records the decision
// here.
var pagesMay = map[string]string{
	"stores": "r", "ledger": "r", "gift_plans": "r", "credentials": "",
	"replies": "r", "offer_walks": "r",
	"summaries": "r", "placement_stats": "r", "top_lists": "r", "top_offers": "r", "coverage": "r", "lifetimes": "r",
	"offer_counts": "r", "offers": "r", "revisions": "r", "window_checks": "r", "suspect_days": "r",
	"offer_events": "r", "offer_setups": "r", "offer_stages": "r", "offer_recommendations": "r",
	"gift_windows": "r", "gift_health": "r", "gift_plan_days": "r", "gift_campaigns": "r", "gift_campaign_lists": "r",
	"gift_campaign_configs": "r", "gift_widgets": "r", "gift_widget_settings": "r", "gift_translations": "r",
	"gift_settings": "r", "gift_window_checks": "r",

	"people": "rawd", "passwords": "rawd", "totps": "rawd", "recovery_codes": "rawd", "passkeys": "rawd", "identities": "rawd",
	"sign_in_links": "rawd", "sessions": "rawd", "attempts": "raw", "api_tokens": "rawd", "grants": "rawd", "groups": "rawd",
	"group_stores": "rawd", "store_tags": "rawd", "shares": "rawd", "saved_views": "rawd", "notes": "rawd", "branding": "rawd", "branding_drafts": "rawd",
	"audit": "ra", "audit_counts": "r",
	// They read all columns of the first two except those below.
	"subscriptions": "", "deliveries": "", "delivery_tries": "r", "mail_links": "", "suppressions": "",
	"alerts": "r", "alert_notices": "r", "alert_settings": "rawd", "alert_preferences": "rawd", "alert_snoozes": "ra", "goals": "ra", "thresholds": "rad",
	"alert_channels": "", "alert_letters": "", "alert_checks": "r",

	"store_slots": "r", "budget_sharers": "r",
	"goose_db_version": "r", "river_migration": "r",
	"budget_slots": "", "pending_connections": "", "offer_slices": "", "priority_walks": "r",
	"river_job": "", "river_leader": "", "river_queue": "", "river_client": "", "river_client_queue": "", "river_notification": "",
}

// The same by column, for tables that aren't open as a whole.
var pagesMayChange = map[string]string{
	"stores":        "paused_at revision",
	"ledger":        "due_at attempts wanted_at",
	"gift_plans":    "doubted",
	"credentials":   "state paused_cause paused_said paused_at next_due_at next_probe_at probes outage_since",
	"alerts":        "assigned_to done_at done_by",
	"alert_snoozes": "ended_at",
}

// What the worker may do, if not everything.
var workerMay = map[string]string{"audit": "ra", "goals": "ra", "thresholds": "r", "audit_counts": "r", "goose_db_version": "r", "store_slots": "r", "budget_sharers": "r"}

// privileges are a role's privileges on a whole table, as letters of pg_class.relacl.
const privileges = `select string_agg(letter, '' order by n) from unnest(array['SELECT','INSERT','UPDATE','DELETE','TRUNCATE','REFERENCES','TRIGGER'], array['r','a','w','d','D','x','t']) with ordinality as p (name, letter, n) where has_table_privilege($1, $2::text, name)`

func TestEveryTableIsWalledAndItsGrantsAreDecided(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	tables := column(h, `select c.relname::text from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f') order by 1`)
	for _, table := range tables {
		may := func(role db.Role) string {
			return deref(get[*string](h, privileges, string(role), table))
		}
		want, decided := pagesMay[table]
		if !decided {
			t.Errorf("%s: nobody decided what pages may do with it: grant it in its migration and list it here", table)
			continue
		}
		equal(t, table+": pages may", may(db.Pages), want)
		want, ok := workerMay[table]
		if !ok {
			want = "rawd"
		}
		equal(t, table+": the worker may", may(db.Worker), want)
		changes := column(h, `select a.attname::text from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
			and has_column_privilege($2, a.attrelid, a.attnum, 'update') and not has_table_privilege($2, a.attrelid, 'update') order by 1`, table, string(db.Pages))
		equal(t, table+": pages may change", changes, sorted(strings.Fields(pagesMayChange[table])))
	}
	for _, table := range slices.Sorted(maps.Keys(pagesMay)) {
		if !slices.Contains(tables, table) && !strings.HasPrefix(table, "river_") {
			t.Errorf("%s is listed here and is not there", table)
		}
	}
	for table, want := range map[string][]string{
		"credentials": {"budget", "key_id", "token_sealed"}, "subscriptions": {"confirm_hash"}, "deliveries": {"body"},
		"alert_channels": {"key_id", "sealed"},
	} {
		equal(t, "what pages can't see of "+table, column(h, `
			select a.attname::text from pg_attribute a
			where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and not has_column_privilege('storeglass_pages', a.attrelid, a.attnum, 'select')
			order by 1`, table), want)
	}

	equal(t, "tables of stores without a wall", column(h, `
		select c.relname::text from pg_class c
		where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
			and (c.relname = 'stores' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'store_id' and not a.attisdropped))
			and not (
				c.relrowsecurity and c.relforcerowsecurity
				and exists (select from pg_policy p where p.polrelid = c.oid and p.polroles = array['storeglass_worker'::regrole::oid])
				and exists (select from pg_policy p where p.polrelid = c.oid and p.polroles = array['storeglass_pages'::regrole::oid])
			)`), nil)
	// The owner, a member of the worker's role, can dump the whole database.
	equal(t, "tables whose rows the worker doesn't all see", column(h, `
		select c.relname::text from pg_class c
		where c.relnamespace = 'public'::regnamespace and c.relrowsecurity
			and not exists (
				select from pg_policy p
				where p.polrelid = c.oid and p.polroles = array['storeglass_worker'::regrole::oid]
					and p.polcmd = '*' and pg_get_expr(p.polqual, p.polrelid) = 'true'
			)`), nil)
	// Policies add up: one for everyone, or of another kind, would be a hole.
	equal(t, "policies on other than these roles", column(h, `
		select polrelid::regclass::text || ' ' || polname from pg_policy
		where not polpermissive or polroles not in (array['storeglass_worker'::regrole::oid], array['storeglass_pages'::regrole::oid])`), nil)
	equal(t, "what looks with the owner's eyes", column(h, `
		select oid::regprocedure::text from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
		union all
		select oid::regclass::text from pg_class where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')
		order by 1`), []string{"budget_sharers", "count_audit(date,text,text,bigint,bigint)", "forget_audit(integer)", "set_principal(text,text,timestamp with time zone)", "store_slots"})
}

func TestTheRolesOwnNothingAndMayNothingMore(t *testing.T) {
	t.Parallel()
	h := newHouse(t, 60)
	for _, role := range []string{"storeglass_pages", "storeglass_worker"} {
		for what, sql := range map[string]string{
			"is more than a role": `select rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin or rolreplication from pg_roles where rolname = $1`,
			"owns a relation":     `select exists (select from pg_class where relowner = $1::regrole)`,
			"owns a function":     `select exists (select from pg_proc where proowner = $1::regrole)`,
			"owns a schema":       `select exists (select from pg_namespace where nspowner = $1::regrole)`,
			"owns the database":   `select exists (select from pg_database where datdba = $1::regrole)`,
			"makes tables":        `select has_schema_privilege($1, 'public', 'create') or has_database_privilege($1, current_database(), 'create')`,
			"is another's member": `select exists (select from pg_auth_members where member = $1::regrole)`,
			"builds walls":        `select has_function_privilege($1, 'build_wall(regclass, name)', 'execute')`,
			"keeps answers":       `select has_function_privilege($1, 'keep_answers(regclass[])', 'execute')`,
		} {
			if get[bool](h, sql, role) {
				t.Errorf("%s: %s", role, what)
			}
		}
	}
	if get[bool](h, `select has_function_privilege('storeglass_worker', 'set_principal(text, text, timestamptz)', 'execute')`) {
		t.Error("the worker, which nobody asks, may name a principal")
	}
	faults, err := db.WallFaults(t.Context(), h.Pool)
	h.must(err)
	equal(t, "faults", faults, nil)
}
