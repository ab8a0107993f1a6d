package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/webtest"
)

// A canary is a text or a number in one column of one row that the principal may not see, and
// nowhere else: if it appears in an answer, we know where it leaked. Texts are cnry00001 and
// up, numbers 91730001 and up.
const (
	textCanary   = "cnry"
	numberCanary = 91730000
	// smallCanary is for columns that can't hold more than 32,767.
	smallCanary = 29173
	// currencyCanary is a currency of no country; CLDR gives it two digits.
	currencyCanary = "XTS"
)

// canaryForms are the forms in which one could leak: as it is, as bytes in base64 or hex, and
// as digits of a number without separators.
var canaryForms = regexp.MustCompile(`(?i:cnry\d{5}|636e7279)|Y25yeT|9173\d{4}|29173|\bXTS\b`)

// canaryHints are contained in every form in lower case: searching for them costs a hundredth
// of searching for the forms.
var canaryHints = []string{"cnry", "636e7279", "y25yet", "9173", "xts"}

// formsIn are the canaries in a text.
func formsIn(text string) []string {
	lower := strings.ToLower(text)
	if !slices.ContainsFunc(canaryHints, func(hint string) bool { return strings.Contains(lower, hint) }) {
		return nil
	}
	return canaryForms.FindAllString(text, -1)
}

// withoutSeparators removes separators between a number's digits.
func withoutSeparators(text string) string {
	digit := func(at int) bool { return at >= 0 && at < len(text) && text[at] >= '0' && text[at] <= '9' }
	var b strings.Builder
	b.Grow(len(text))
	for at := 0; at < len(text); at++ {
		if text[at] == ',' || text[at] == '\xc2' || text[at] == '\xe2' {
			separator := ""
			for _, s := range []string{",", "\u00a0", "\u202f"} {
				if strings.HasPrefix(text[at:], s) {
					separator = s
				}
			}
			if separator != "" && digit(at-1) && digit(at+len(separator)) {
				at += len(separator) - 1
				continue
			}
		}
		b.WriteByte(text[at])
	}
	return b.String()
}

// vocabulary are the columns without a canary, and why: texts that are one of a few words,
// names in addresses, ids, and numbers that decide what a page reads. A column that is neither
// here nor a key (an id or a reference) gets canaries.
var vocabulary = map[string]string{
	"stores": "slug timezone history_days revision", "credentials": "service state", "people": "role language", "audit": "actor actor_id action store_id store_slug", "audit_counts": "action share_id",
	"sessions": "token data", "sign_in_links": "token_hash purpose", "api_tokens": "token_hash", "shares": "token_hash pages preset",
	"ledger": "pull subject service lane outcome flags claim", "replies": "pull subject status", "budget_slots": "n lane budget",
	"offer_slices": "n placement status sort", "priority_walks": "placement walk",
	"summaries": "source flags", "placement_stats": "placement source", "coverage": "placement source", "lifetimes": "flags", "offer_counts": "placement",
	"top_lists": "direction source", "top_offers": "direction place offer_id placement status", "revisions": "pull",
	"suspect_days": "service noticed_by",
	"offers":       "offer_id status placement created_at_text last_walk priority_walk", "offer_events": "offer_id kind", "offer_setups": "offer_id",
	"offer_stages": "offer_id", "offer_recommendations": "offer_id",
	"gift_windows": "asked_days timezone conversion_rate_unit flags basis", "gift_health": "section",
	"gift_campaigns": "campaign_id status type target_page start_date end_date", "gift_campaign_configs": "campaign_id",
	"subscriptions": "weekday hour week_begins end_cause", "deliveries": "state claimed_by stores folded_into", "delivery_tries": "n outcome", "mail_links": "hash",
	"alerts": "rule subject end_cause", "alert_checks": "revision", "alert_settings": "quiet_from quiet_to zone campaign_days", "alert_preferences": "rule",
	"alert_snoozes": "rule subject", "alert_channels": "kind off_cause rules", "alert_letters": "state", "alert_notices": "kind state",
	"goals": "kind currency", "thresholds": "metric placement kind currency", "branding_drafts": "accent", "gift_widgets": "type", "gift_widget_settings": "type", "gift_translations": "locale active_languages",
}

// The values of columns that take no plain text; %s is the canary.
var canaryTemplates = map[string]string{
	"*.url": "https://admin.example/%s", "credentials.base_url": "https://%s.example",
	"people.email": "%s@example.com", "identities.email": "%s@example.com", "saved_views.query": "sort=%s",
	"*.domain": "%s.example.com", "*.shop_domain": "%s.example.com",
}

// spread puts a canary into every text and every number of the rows that the principal may not
// see, table by table from the database's catalog.
type spread struct {
	w *webtest.World
	// rows are the conditions that say which rows of a table these are.
	rows map[string]string
	next int
	// from is the first canary of each column, in order.
	from []columnFrom
	// stored is the state that every matrix starts with.
	stored map[string]string
}

// columnFrom is a column with the first of its canaries.
type columnFrom struct {
	n      int
	column string
}

// foreignRows says which rows of each table the principal may not see: by the store, the
// person, or as listed here. Tables without an owner are left out.
func foreignRows(w *webtest.World, store, person, group, token int64) map[string]string {
	rows := map[string]string{
		"stores": fmt.Sprintf("id = %d", store), "people": fmt.Sprintf("id = %d", person), "groups": fmt.Sprintf("id = %d", group),
		"api_tokens":   fmt.Sprintf("id = %d", token),
		"budget_slots": fmt.Sprintf("budget in (select budget from credentials where store_id = %d)", store),
		"offer_slices": fmt.Sprintf("walk_id in (select id from offer_walks where store_id = %d)", store),
		"grants":       fmt.Sprintf("store_id = %d or person_id = %d or api_token_id = %d", store, person, token),
	}
	for column, id := range map[string]int64{"store_id": store, "person_id": person} {
		for _, table := range w.StoredTexts(`select c.relname::text from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = $1 and not a.attisdropped
			where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`, column) {
			if rows[table] == "" || column == "store_id" && table != "grants" {
				rows[table] = fmt.Sprintf("%s = %d", column, id)
			}
		}
	}
	return rows
}

// ownerless are tables whose rows belong to no store and to no person.
var ownerless = []string{"attempts", "branding", "suppressions", "goose_db_version"}

func spreadCanaries(w *webtest.World, rows map[string]string) *spread {
	w.T.Helper()
	s := &spread{w: w, rows: rows}
	for _, table := range w.StoredTexts(`select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'river%'`) {
		if rows[table] == "" && !slices.Contains(ownerless, table) {
			w.T.Errorf("nobody says which rows of %s are foreign: see foreignRows", table)
		}
	}
	for _, table := range slices.Sorted(maps.Keys(rows)) {
		if n := len(w.StoredTexts(`select '' from ` + table + ` where ` + rows[table])); n == 0 {
			w.T.Errorf("%s has no foreign row: seed one in foreignWorld", table)
		}
		for _, c := range columnsOf(w, table) {
			s.column(table, c[0], c[1])
		}
	}
	if s.next > 9999 { // numbers have four digits of their own
		w.T.Fatalf("%d canaries are too many", s.next)
	}
	return s
}

// columnsOf are the names and types of a table's columns that aren't keys.
func columnsOf(w *webtest.World, table string) [][2]string {
	w.T.Helper()
	var out [][2]string
	for _, c := range w.StoredTexts(`select a.attname || ' ' || format_type(a.atttypid, null) from pg_attribute a
		where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> 'id'
			and not exists (select from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'f' and a.attnum = any(k.conkey)) order by a.attnum`, table) {
		name, kind, _ := strings.Cut(c, " ")
		out = append(out, [2]string{name, kind})
	}
	return out
}

func (s *spread) column(table, name, kind string) {
	if slices.Contains(strings.Fields(vocabulary[table]), name) {
		return
	}
	template := "%s"
	for _, k := range []string{"*." + name, table + "." + name} {
		if canaryTemplates[k] != "" {
			template = canaryTemplates[k]
		}
	}
	switch kind {
	case "text":
		if name == "currency" {
			s.w.Exec(fmt.Sprintf(`update %s set %s = '%s' where %s is not null and (%s)`, table, name, currencyCanary, name, s.rows[table]))
			return
		}
		s.each(table, name, "replace('"+template+"', '%s', "+textOfN+")")
	case "bytea":
		s.each(table, name, "convert_to("+textOfN+", 'UTF8')")
	case "bigint", "integer", "numeric":
		s.each(table, name, fmt.Sprint(numberCanary, " + numbered.n"))
	case "smallint":
		s.w.Exec(fmt.Sprintf(`update %s set %s = %d where %s`, table, name, smallCanary, s.rows[table]))
	case "jsonb":
		s.json(table, name)
	case "text[]":
		s.each(table, name, "array["+textOfN+"]")
	case "boolean", "date", "timestamp with time zone":
	default:
		s.w.T.Errorf("%s.%s is a %s: say how it holds a canary", table, name, kind)
	}
}

// textOfN is the text canary of the number n, in SQL.
const textOfN = `('cnry' || lpad(numbered.n::text, 5, '0'))`

func textOf(n int) string { return fmt.Sprintf("%s%05d", textCanary, n) }

// begin records that the following canaries belong to the column.
func (s *spread) begin(table, name string) {
	s.from = append(s.from, columnFrom{s.next + 1, table + "." + name})
}

// each sets the column of every foreign row, even if it was null, to a unique value: an
// expression of numbered.n.
func (s *spread) each(table, name, value string) {
	s.w.T.Helper()
	s.begin(table, name)
	rows := s.w.StoredTexts(fmt.Sprintf(`
		with numbered as (select ctid as at, %d + row_number() over (order by ctid) as n from %s where %s)
		update %[2]s set %[4]s = %[5]s from numbered where %[2]s.ctid = numbered.at returning ''`, s.next, table, s.rows[table], name, value))
	s.next += len(rows)
}

// json puts canaries into the texts and numbers of a body, as far as pages can still read it:
// the services' own words stay.
func (s *spread) json(table, name string) {
	s.w.T.Helper()
	s.begin(table, name)
	for _, at := range s.w.StoredTexts(`select ctid::text from ` + table + ` where ` + s.rows[table]) {
		var body any
		d := json.NewDecoder(strings.NewReader(s.w.StoredTexts(`select ` + name + `::text from ` + table + ` where ctid = '` + at + `'`)[0]))
		d.UseNumber()
		s.w.Must(d.Decode(&body))
		changed, err := json.Marshal(s.walk("", body))
		s.w.Must(err)
		s.w.Exec(fmt.Sprintf(`update %s set %s = $1 where ctid = '%s'`, table, name, at), string(changed))
	}
}

// jsonWords are the keys whose texts are words of the services' own.
var jsonWords = []string{
	"status", "placement", "kind", "type", "shape", "branch", "discount_type", "trigger_criteria", "start_date", "end_date", "currency", "path", "section", "state",
}

func (s *spread) walk(key string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			v[k] = s.walk(k, v[k])
		}
	case []any:
		for i := range v {
			v[i] = s.walk(key, v[i])
		}
	case json.Number:
		s.next++
		return json.Number(strconv.Itoa(numberCanary + s.next))
	case string:
		if key == "currency" {
			return currencyCanary
		}
		if slices.Contains(jsonWords, key) || v == "" {
			return v
		}
		s.next++
		if _, err := strconv.ParseFloat(v, 64); err == nil {
			return strconv.Itoa(numberCanary + s.next)
		}
		if strings.HasPrefix(v, "{") { // a value as it came
			return `{"a": "` + textOf(s.next) + `"}`
		}
		return textOf(s.next)
	}
	return v
}

// where names the column that a canary is in.
func (s *spread) where(found string) string {
	digits := strings.TrimPrefix(strings.ToLower(found), textCanary)
	n, err := strconv.Atoi(digits)
	if err != nil {
		return "?"
	}
	if n > numberCanary {
		n -= numberCanary
	}
	column := "?"
	for _, f := range s.from {
		if f.n <= n {
			column = f.column
		}
	}
	return column
}

// canariesIn are the canaries of an answer, in its headers and in its body, whatever its
// format.
func canariesIn(r webtest.Response) []string {
	var b strings.Builder
	for name, values := range r.Header {
		fmt.Fprintln(&b, name, values)
	}
	b.WriteString(webtest.WholeText(r))
	text := b.String()
	found := append(formsIn(text), formsIn(withoutSeparators(text))...)
	slices.Sort(found)
	return slices.Compact(found)
}

// state is everything that is stored of the foreign rows, by table.
func (s *spread) state() map[string]string {
	s.w.T.Helper()
	var asked []string
	for table, rows := range s.rows {
		asked = append(asked, `select '`+table+` ' || count(*) || ' ' || coalesce(md5(string_agg(to_jsonb(x)::text, ',' order by to_jsonb(x)::text)), '') from `+table+` x where `+rows)
	}
	out := map[string]string{}
	for _, stored := range s.w.StoredTexts(strings.Join(asked, " union all ")) {
		table, rows, _ := strings.Cut(stored, " ")
		out[table] = rows
	}
	return out
}

func TestEveryFormOfACanaryIsFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a CNRY00012 b": "CNRY00012", "636E7279": "636E7279", "=Y25yeTAw": "Y25yeT", "91730012": "91730012", "$91,730,012.00": "91730012",
		"91\u00a0730\u202f012": "91730012", "129173": "29173", "in XTS ": "XTS", "EXTSA": "", "9,1,7,3,0,0,1,2": "91730012", "nothing 1,234": "",
	} {
		if found := strings.Join(canariesIn(webtest.Response{Body: text}), " "); found != want {
			t.Errorf("%q: %q, not %q", text, found, want)
		}
	}
}
