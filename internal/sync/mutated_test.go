package pulls_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/overview"
)

// mutatedReplies is how many replies to mutate: a thousand by default, or the value of
// MUTATED_REPLIES.
func mutatedReplies(t *testing.T) int {
	t.Helper()
	text := os.Getenv("MUTATED_REPLIES")
	if text == "" {
		return 1000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("MUTATED_REPLIES is %q: write a number above 0", text)
	}
	return n
}

// A reply is valid or it isn't: one that the client or the sync calls broken writes no row,
// however it is broken, and pages keep showing the last good number, marked as stale.
func TestMutatedRepliesChangeNoNumber_N4(t *testing.T) {
	t.Parallel()
	total := mutatedReplies(t)
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			f := newFuzzed(t, seed)
			for round := uint64(1); f.service.total() < total/2; round++ {
				f.round(round)
				if t.Failed() {
					t.Fatalf("in round %d", round)
				}
			}
			if f.outcomes["good"] < total/100 || f.outcomes["quarantined"] < total/4 {
				t.Errorf("the mutations are one-sided: %v", f.outcomes)
			}
			t.Logf("%d mutated replies of %d endpoints, outcomes %v, %v", f.service.total(), len(f.turns), f.outcomes, f.service.counts)
		})
	}
}

// pull is a row of the ledger by its key.
type pull struct{ kind, subject string }

// fuzzed is a world in which everything was pulled once, and that can be restored to that
// state. It notes every number written and every outcome.
type fuzzed struct {
	*world
	service  *mutating
	turns    map[string][]pull // by endpoint
	restore  string            // the statement that puts every table back
	nonsense string            // the query that finds impossible values
	gold     map[pull]shown    // what pages show from the good replies
	outcomes map[string]int
}

// bookkeeping are a store's tables that hold no numbers: those of the sync and the progress of
// its walks.
var bookkeeping = []string{"stores", "credentials", "grants", "ledger", "replies", "window_checks", "gift_window_checks", "suspect_days", "offer_walks", "offer_slices", "priority_walks"}

func newFuzzed(t *testing.T, seed uint64) *fuzzed {
	t.Helper()
	f := &fuzzed{world: newWorld(t, options{at: settledTime, details: true}), turns: map[string][]pull{}, outcomes: map[string]int{}}
	f.service = &mutating{inner: f.http.Config.Handler, seed: seed, counts: map[string]int{}}
	f.http.Config.Handler = f.service
	f.add(shop, 1)
	f.sync(shop)
	for _, line := range f.column(`select concat_ws('|', endpoint, pull, subject) from replies where good order by 1`) {
		l := strings.SplitN(line, "|", 3)
		f.turns[endpointOf(l[0])] = append(f.turns[endpointOf(l[0])], pull{l[1], l[2]})
	}
	f.exec(`create schema gold`)
	f.exec(`create table noted (tx xid8, about text, outcome text)`)
	f.exec(`grant insert on noted to storeglass_worker`)
	f.exec(`create function note() returns trigger language plpgsql as 'begin insert into noted values (pg_current_xact_id(), tg_table_name, null); return null; end'`)
	f.exec(`create function note_outcome() returns trigger language plpgsql as 'begin
		insert into noted values (pg_current_xact_id(), new.pull || '' '' || new.subject,
			case when new.outcome_text ->> ''id'' = ''sync.said.other_days'' then ''good'' else new.outcome end);
		return null; end'`)
	f.exec(fmt.Sprintf(`create trigger note after update on ledger for each row
		when (old.claimed_until is not null and new.claimed_until is null and new.tried_at > '%s') execute function note_outcome()`, settledTime.Format(time.RFC3339)))
	var restore, nonsense []string
	for _, table := range f.column(`select distinct table_name::text from information_schema.columns join information_schema.tables using (table_schema, table_name)
		where table_schema = 'public' and table_type = 'BASE TABLE' and (column_name = 'store_id' or table_name = 'stores')`) {
		columns := strings.Join(f.column(`select quote_ident(column_name) from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`, table), ", ")
		f.exec(`create table gold.` + table + ` as select * from ` + table)
		restore = append(restore, fmt.Sprintf(`delete from %[1]s; insert into %[1]s (%[2]s) overriding system value select %[2]s from gold.%[1]s`, table, columns))
		if slices.Contains(bookkeeping, table) {
			continue
		}
		f.exec(`create trigger note after insert or update or delete on ` + table + ` for each row execute function note()`)
		for _, never := range f.column(`
			select case data_type
				when 'numeric' then format('%1$I in (''NaN'', ''Infinity'', ''-Infinity'')', column_name)
				when 'date' then format('%1$I not between ''2000-01-01'' and ''2100-01-01''', column_name)
				else format('%1$I < 0', column_name) end
			from information_schema.columns where table_schema = 'public' and table_name = $1 and data_type in ('numeric', 'bigint', 'integer', 'date')`, table) {
			nonsense = append(nonsense, fmt.Sprintf(`select '%[1]s: ' || r::text from %[1]s r where %[2]s`, table, never))
		}
	}
	f.restore = `begin; set local session_replication_role = replica; ` + strings.Join(restore, "; ") +
		`; update budget_slots set held_until = 'epoch' where held_until > 'epoch'; truncate noted; commit`
	f.nonsense = strings.Join(nonsense, " union all ")
	f.clock.set(settledTime.Add(time.Minute))
	f.gold = f.read(slices.Concat(slices.Collect(maps.Values(f.turns))...))
	return f
}

// round breaks the reply of one pull of every endpoint.
func (f *fuzzed) round(round uint64) {
	f.t.Helper()
	random := rand.New(rand.NewPCG(f.service.seed, round))
	f.exec(f.restore)
	var woken []pull
	for _, at := range slices.Sorted(maps.Keys(f.turns)) {
		p := f.turns[at][random.IntN(len(f.turns[at]))]
		f.exec(`update ledger set due_at = '2020-01-01' where pull = $1 and subject = $2`, p.kind, p.subject)
		woken = append(woken, p)
	}
	f.service.start(round)
	f.run()

	for _, wrong := range f.column(`
		select n.about || ' was written beside ' || coalesce((select string_agg(o.about || ': ' || o.outcome, ', ') from noted o where o.tx = n.tx and o.outcome is not null), 'no outcome')
		from (select distinct tx, about from noted where outcome is null) n
		where not coalesce((select bool_and(o.outcome = 'good') from noted o where o.tx = n.tx and o.outcome is not null), false)`) {
		f.t.Error(wrong)
	}
	for _, wrong := range f.column(f.nonsense) {
		f.t.Errorf("nonsense was written: %.400s", wrong)
	}
	good, broken := f.ended(woken)
	for p, panel := range f.read(broken) {
		if slices.Contains(broken, p) && !panel.stale {
			f.t.Errorf("%v is broken, and its panel is not called stale", p)
		}
		if good == 0 && panel.values != f.gold[p].values {
			f.t.Errorf("%v shows another number: %s, before %s", p, panel.values, f.gold[p].values)
		}
	}
	if good > 0 {
		return
	}
	if slices.Contains(broken, pull{"summary.window", "30"}) {
		f.rendered()
	}
}

// ended reads the outcomes from the ledger. A pull whose service was paused or whose offer was
// deleted before its turn hasn't ended.
func (f *fuzzed) ended(woken []pull) (good int, broken []pull) {
	f.t.Helper()
	ended := f.column(`select about from noted where outcome is not null`)
	for _, p := range woken {
		if !slices.Contains(ended, p.kind+" "+p.subject) {
			continue
		}
		l := f.row(p.kind, p.subject)
		f.outcomes[l.Outcome]++
		if l.Outcome == "good" || strings.HasPrefix(l.Text, "The app answered for ") {
			good++
			body := get[[]byte](f.world, `select body from replies where good and pull = $1 and subject = $2`, p.kind, p.subject)
			if !f.service.sound[string(body)] {
				f.t.Errorf("%v was taken for good: %.300s", p, body)
			}
			continue
		}
		broken = append(broken, p)
		kept := get[bool](f.world, `
			select l.last_good_at = g.last_good_at and l.applied_start is not distinct from g.applied_start and r.body = h.body
			from ledger l join gold.ledger g using (store_id, pull, subject)
				join replies r using (store_id, pull, subject) join gold.replies h using (store_id, pull, subject, good)
			where l.pull = $1 and l.subject = $2 and r.good`, p.kind, p.subject)
		refused := l.Outcome == "waiting" && l.Text == "Waiting: the app refused the token" // that isn't a failure of the pull (N70)
		if !kept || (l.FailingSince == nil) != refused || l.Claimed != nil {
			f.t.Errorf("%v is %s: the last good answer is kept: %v; failing since %v, held until %v", p, l.Outcome, kept, l.FailingSince, l.Claimed)
		}
	}
	return good, broken
}

// shown is what a panel shows, as JSON without the provenance, and whether it is marked as the
// last good answer.
type shown struct {
	stale  bool
	values string
}

// read reads the panels by the pull behind each: the overview's and the list's, and those of
// display orders and offers that the pulls are about.
func (f *fuzzed) read(about []pull) map[pull]shown {
	f.t.Helper()
	all := map[pull]shown{}
	keep := func(kind, subject string, panel report.Panel, value any) {
		reflect.ValueOf(value).Elem().FieldByName("Panel").SetZero()
		text, err := json.Marshal(value)
		if err != nil {
			f.t.Fatal(err)
		}
		values := strings.ReplaceAll(string(text), `"flags":["stale"]`, `"flags":[]`) // of a neighboring window
		all[pull{kind, subject}] = shown{panel.Trouble != nil && panel.Provenance.Has(report.FlagStale), values}
	}
	o := f.overview("")
	keep("summary.window", "30", o.Summary.Panel, &o.Summary)
	keep("stats.window", "30", o.Placements.Panel, &o.Placements)
	keep("top.highest", "30", o.Top.Panel, &o.Top)
	keep("coverage", "", o.Coverage.Panel, &o.Coverage)
	keep("lifetime", "", o.Lifetime.Panel, &o.Lifetime)
	keep("gift.window", "30", o.Gift.Panel, &o.Gift)
	keep("gift.setup_health", "", o.Health.Panel, &o.Health)
	keep("gift.plan", "", o.Plan.Panel, &o.Plan)
	keep("gift.campaigns", "", o.Campaigns.Panel, &o.Campaigns)
	list := f.offers(shop, report.OfferFilter{})
	keep("offers", "", list.Panel, &list)
	for _, p := range about {
		switch p.kind {
		case "offers.priority":
			at := slices.IndexFunc(report.Placements, func(at report.Placement) bool { return at.Key() == p.subject })
			list := f.offers(shop, report.OfferFilter{Placement: report.Placements[at], Sort: report.SortPriority})
			keep(p.kind, p.subject, list.Panel, &list)
		case "offer.setup", "offer.stages", "offer.recommendations":
			stored, err := f.detail(shop, p.subject)
			if err != nil {
				f.t.Fatal(err)
			}
			d := offers.NewDetail(locale.English, stored, o.Choice, f.clock.Now())
			keep("offer.setup", p.subject, d.Setup.Panel, &d.Setup)
			keep("offer.stages", p.subject, d.Stages.Panel, &d.Stages)
			keep("offer.recommendations", p.subject, d.Recommendations.Panel, &d.Recommendations)
		}
	}
	return all
}

// rendered checks the page itself.
func (f *fuzzed) rendered() {
	f.t.Helper()
	o := f.overview("")
	var page bytes.Buffer
	base := components.Base{Now: o.Now, Asset: func(name string) string { return name }}
	if err := overview.Show(overview.Page{Base: base, Overview: o}).Render(context.Background(), &page); err != nil {
		f.t.Fatal(err)
	}
	value := locale.English.Money(o.Summary.TotalUpsoldValue, o.Summary.Currency)
	for _, words := range []string{"You’re seeing the last good numbers.", value.Main + `<span class="quiet">` + value.Muted} {
		if !strings.Contains(page.String(), words) {
			f.t.Errorf("the page does not say %q", words)
		}
	}
}

// column reads texts.
func (w *world) column(sql string, args ...any) []string {
	w.t.Helper()
	rows, err := w.db.Pool.Query(context.Background(), sql, args...)
	if err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
	return out
}
