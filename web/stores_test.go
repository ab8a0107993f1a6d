package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/access"
)

// agency is a browser of the world's person, who sees four stores beside the foreign
// one: two in dollars, one in euros, one in yen.
func (w *world) agency() *browser {
	w.t.Helper()
	w.store("cedar", "Cedar Works", "USD")
	w.store("dogwood", "Dogwood Tea", "EUR")
	w.store("elm", "Elm Street", "JPY")
	for _, slug := range []string{"cedar", "dogwood", "elm"} {
		w.must(w.access.GrantPerson(w.t.Context(), w.person.ID, slug))
	}
	return w.signedIn()
}

// words are what a page says, closed notes left out.
func words(r response) string {
	root, err := html.Parse(strings.NewReader(r.body))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
		for _, a := range n.Attr {
			if a.Key == "popover" {
				return
			}
		}
		if n.Data == "script" || n.Data == "symbol" || n.Data == "noscript" {
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(root)
	return strings.Join(strings.Fields(b.String()), " ")
}

// links are the addresses that a page leads to.
var links = regexp.MustCompile(`(?:href|action)="([^"]*)"`)

func (w *world) has(r response, want ...string) {
	w.t.Helper()
	text := words(r)
	for _, each := range want {
		if !strings.Contains(text, each) {
			w.t.Errorf("%q is not in: %s", each, text)
		}
	}
}

func (w *world) hasNot(r response, unwanted ...string) {
	w.t.Helper()
	text := words(r)
	for _, each := range unwanted {
		if strings.Contains(text, each) {
			w.t.Errorf("%q is in: %s", each, text)
		}
	}
}

func TestTheListNamesNothingOfForeignStoresGroupsAndTags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into store_tags (store_id, tag) select id, slug || '-tag' from stores`)
	w.exec(`with g as (insert into groups (name) values ('Canary clients') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where slug = 'birch'`)
	w.exec(`insert into groups (name) values ('Canary without stores')`)
	b := w.agency()
	w.exec(`with g as (insert into groups (name) values ('Own clients') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where slug in ('acme', 'birch', 'elm')`)
	for _, address := range []string{
		"/", "/?by=group", "/?by=tag", "/?group=1", "/?tag=birch-tag", "/?q=canary", "/?q=birch", "/?currency=EUR", "/?show=all&by=nothing", "/wall", "/wall?q=birch",
		"/stores.csv", "/stores.csv?by=group", "/stores.csv?group=1", "/stores.csv?q=birch",
	} {
		r := b.get(address)
		if r.status != 200 || strings.Contains(r.body, canary) || strings.Contains(r.body, "birch.example") || strings.Contains(r.body, ">birch-tag") || strings.Contains(r.body, "birch,") {
			t.Errorf("%s: %d, shows something of the foreign store", address, r.status)
		}
	}
	r := b.get("/?by=group")
	w.has(r, "4 stores: 4 work", "Own clients 2", "In no group 2", "Acme Foods", "Cedar Works")
	// A store's row and a group that is foreign can't be told from one that is not there.
	if foreign, none := words(b.get("/?group=1")), words(b.get("/?group=99")); foreign != none {
		t.Errorf("%s\n%s", foreign, none)
	}
	// Nothing of a store that was removed, or that is not one's any more, is kept.
	w.exec(`update stores set removed_at = now() where slug = 'cedar'`)
	_, err := w.access.RevokePerson(t.Context(), w.person.ID, "dogwood")
	w.must(err)
	w.hasNot(b.get("/"), "Cedar Works", "Dogwood Tea")
	w.has(b.get("/"), "2 stores", "Acme Foods", "Elm Street")
}

func TestAmountsOfTheListMeetInOneCurrencyOnly_N34(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.agency()
	r := b.get("/")
	w.has(r, "EUR 1", "JPY 1", "USD 2", "3,007 .50 USD", "never added up, converted or ranked across currencies", "21 Oct – 19 Nov 2026 · 30 days · each store’s own clock · as reported")
	w.hasNot(r, "6,015", "9,022", "12,030", "upsold in")
	r = b.get("/?currency=USD&sort=value")
	w.has(r, "6,015.00 USD upsold in 240 orders, by 2 stores on each store’s own days", "highest upsold value")
	w.hasNot(r, "Dogwood", "Elm", "900.10 USD upsold", "1,800.20", "7,815")
	w.exec(`delete from summaries where window_end - window_start = 29 and store_id = (select id from stores where slug = 'cedar')`)
	r = b.get("/?currency=USD")
	w.has(r, "3,007.50 USD upsold in 120 orders, by 1 store on its own days", "Left out: Cedar Works (1 day is missing)", "29 of 30 days", "as reported, 1 added up from daily data")
	r = b.get("/?sort=value")
	w.has(r, "Sorted by name: choose one currency to sort by value")
	// Each row says where its numbers come from.
	if n := strings.Count(b.get("/").body, `aria-label="Where “Upsold value” comes from: as reported"`); n != 3 {
		t.Errorf("%d signs of reported values, want 3", n)
	}
	for _, address := range links.FindAllStringSubmatch(b.get("/").body, -1) {
		if strings.Contains(address[1], "sort=value") {
			t.Errorf("an order by value of several currencies is offered: %s", address[1])
		}
	}
}

func TestEachStoreOfTheListIsOnItsOwnDay(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.agency()
	// 10:30 UTC: three days are under way on Earth.
	w.clock.add(time.Date(2026, 11, 20, 10, 30, 0, 0, time.UTC).Sub(w.clock.now()))
	w.exec(`update stores set timezone = case slug when 'cedar' then 'Pacific/Kiritimati' when 'dogwood' then 'Pacific/Pago_Pago' else timezone end`)
	w.exec(`update stores set upsell_pulled_at = '2026-11-20 10:20Z', last_day = case slug when 'cedar' then date '2026-11-20' when 'dogwood' then date '2026-11-18' else last_day end`)
	w.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, asked_start, asked_end, partial, fetched_at)
		select s.id, '2026-11-20', '2026-11-20', 777, 7, 70, 'USD', '2026-11-20', '2026-11-20', false, now() from stores s where slug = 'cedar'`)
	rows := map[string]map[string]string{}
	for _, row := range file(t, b.get("/stores.csv?window=yesterday")) {
		rows[row["store"]] = row
	}
	for slug, want := range map[string]string{"cedar": "2026-11-20 777", "acme": "2026-11-19 100.25", "elm": "2026-11-19 100.25", "dogwood": "2026-11-18 100.25"} {
		if got := rows[slug]["window_end"] + " " + rows[slug]["total_upsold_value"]; got != want {
			t.Errorf("yesterday of %s is %s, want %s", slug, got, want)
		}
	}
	r := b.get("/?window=yesterday")
	w.has(r, "19 Nov 2026 · 1 day · each store’s own clock · as reported · 2 stores differ", "window 20 Nov", "window 18 Nov", "Kiritimati time", "Pago Pago time")
	// Half an hour later it is midnight in Pago Pago: its yesterday is the 19th, without a sync.
	w.clock.add(31 * time.Minute)
	w.exec(`update stores set last_day = '2026-11-19' where slug = 'dogwood'`)
	w.hasNot(b.get("/?window=yesterday"), "window 18 Nov")
}

func TestWhatCantBeAskedOfTheListIsSaidBesideAllStores(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.agency()
	for query, want := range map[string]string{
		"health=ill": "use person, late, filling, working or paused", "window=today": "several stores are shown for", "start=2026-11-09": "YYYY-MM-DD", "sort=x": "use name, freshness",
		"tag=" + strings.Repeat("x", 50): "no such tag", "currency=%22%3E": "three letters",
	} {
		r := b.get("/?" + query)
		if r.status != 400 || strings.Contains(r.body, `">"`) {
			t.Errorf("%s: %d", query, r.status)
		}
		w.has(r, want, "Acme Foods")
		if f := b.get("/stores.csv?" + query); f.status != 400 || f.header.Get("Content-Disposition") != "" {
			t.Errorf("the file of %s: %d", query, f.status)
		}
	}
	// What was searched for stands in the page, beside the token of its forms: such a
	// page is not compressed, so that its length tells nothing.
	r := b.do("GET", "/?q=acme", nil, http.Header{"Accept-Encoding": {"gzip"}})
	if r.header.Get("Content-Encoding") != "" || r.header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", r.header)
	}
	w.has(r, "1 of 4 stores")
	w.hasNot(r, "Cedar")
	r = b.get("/?q=zebra")
	w.has(r, "No store is like that", "Show all 4 stores")
	if !strings.Contains(r.body, `value="zebra"`) {
		t.Error("the form has forgotten what was searched for")
	}
}

func TestFormsOfTheListKeepWhatTheyDoNotAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into store_tags (store_id, tag) select id, 'vip' from stores`)
	r := w.agency().get("/?currency=USD&tag=vip&by=clock&window=last_7_days&compare=weekday&page=2")
	if r.status != 200 {
		t.Fatal(r.status)
	}
	for _, want := range []string{
		`name="currency" value="USD"`, `name="tag" value="vip"`, `name="by" value="clock"`, `name="window" value="last_7_days"`, `name="compare" value="weekday"`,
		`href="/?by=clock&amp;compare=weekday&amp;currency=USD&amp;tag=vip&amp;window=last_90_days"`,
		`href="/?by=clock&amp;compare=weekday&amp;tag=vip&amp;window=last_7_days"`,
		`/stores.csv?by=clock&amp;compare=weekday&amp;currency=USD&amp;tag=vip&amp;window=last_7_days`,
	} {
		if !strings.Contains(r.body, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	if strings.Contains(r.body, `name="page"`) {
		t.Error("a form leads to a page of another list")
	}
}

func TestTheListsFileHasThePagesRowsOnceEach_N1_N3(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.agency()
	w.exec(`with g as (insert into groups (name) values ('One'), ('Two') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where slug <> 'birch'`)
	w.exec(`update credentials set state = 'paused', paused_cause = 'token', paused_at = now() where service = 'upsell' and store_id = (select id from stores where slug = 'elm')`)
	w.audit()
	r := b.get("/stores.csv?by=group&sort=name&reverse=true&currency=")
	w.recorded("person ada@example.com export.downloaded stores.csv")
	if got := r.header.Get("Content-Disposition"); got != `attachment; filename="stores.csv"` {
		t.Error(got)
	}
	var order []string
	for _, row := range file(t, r) {
		order = append(order, row["store"])
		if row["total_upsold_value"] != "3007.5" || row["currency"] == "" || row["basis"] != "reported" || row["window_start"] != "2026-10-21" || row["fetched_at"] == "" || row["timezone"] != "UTC" {
			t.Errorf("the row does not say where it comes from: %v", row)
		}
		if row["gift_revenue"] != "900.1" || row["gift_basis"] != "reported" || row["gift_window_end"] != "2026-11-19" {
			t.Errorf("gift revenue: %v", row)
		}
		if stale := row["store"] == "elm"; (row["last_good_numbers"] == "yes") != stale || strings.Contains(row["flags"], "stale") != stale {
			t.Errorf("%v", row)
		}
		if row["previous_total_upsold_value"] != "" || row["not_compared_because"] == "" {
			t.Errorf("a comparison with ten days: %v", row)
		}
	}
	if got := strings.Join(order, " "); got != "elm dogwood cedar acme" {
		t.Errorf("in the order %s", got)
	}
	for _, row := range file(t, b.get("/stores.csv?window=last_month")) {
		if row["basis"] != "stitched" || !strings.Contains(row["flags"], "missing_days") || row["upsell_success_rate"] != "0.08" {
			t.Errorf("ten days of October are missing: %v", row)
		}
	}
	for _, row := range file(t, b.get("/stores.csv?start=2026-01-01&end=2026-01-05")) {
		if row["total_upsold_value"] != "" || row["total_upsold_orders"] != "" || row["window_start"] != "" || row["no_numbers_because"] == "" {
			t.Errorf("days that are not stored: %v", row)
		}
	}
}

func TestSavedViewsOfTheList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.agency()
	csrf := w.csrf()
	send := func(path string, pairs ...string) response {
		t.Helper()
		form := url.Values{"csrf": {csrf}}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return b.post(path, form)
	}
	r := send("/views", "name", " Euro   clients ", "query", "currency=EUR&by=group&unknown=1&page=7")
	if r.status != 303 || !strings.HasPrefix(r.header.Get("Location"), "/?view=") {
		t.Fatal(r.status, r.header.Get("Location"))
	}
	view := r.header.Get("Location")
	id := strings.TrimPrefix(view, "/?view=")
	w.has(b.get(view), "View Euro clients", "Dogwood Tea", "1 of 4 stores", "Grouped by group")
	w.hasNot(b.get(view), "Acme Foods")
	w.has(b.get("/"), "Acme Foods", "View not saved")
	if got := w.column(`select query from saved_views`); got[0] != "by=group&currency=EUR" {
		t.Errorf("kept as %s", got[0])
	}
	w.has(b.get("/views"), "Euro clients", "30 days, in EUR, grouped by group")

	// It opens first when chosen; all stores have an address of their own then.
	if r := send("/views/"+id+"/opens", "opens", "yes"); r.status != 303 {
		t.Fatal(r.status)
	}
	r = b.get("/")
	w.has(r, "View Euro clients", "Dogwood Tea")
	if !strings.Contains(r.body, `href="/?view=all"`) {
		t.Error("no way back to all stores")
	}
	w.has(b.get("/?view=all"), "4 stores", "Acme Foods")
	w.has(b.get("/?by=nothing"), "4 stores") // what is asked for comes before what opens
	w.has(b.get("/wall"), "Euro clients", "Dogwood Tea")
	if rows := file(t, b.get("/stores.csv?view="+id)); len(rows) != 1 {
		t.Errorf("%d rows in the view's file", len(rows))
	}
	send("/views/"+id+"/opens", "opens", "no")
	w.has(b.get("/"), "Acme Foods")

	// A refused form keeps what was typed.
	long := strings.Repeat("x", 61)
	r = send("/views/"+id+"/rename", "name", long)
	if r.status != 422 || !strings.Contains(r.body, `value="`+long+`"`) {
		t.Errorf("%d", r.status)
	}
	w.has(r, "write a name of 1 to 60 characters")
	for _, name := range []string{"", "  ", "a\x01b", long} {
		if r := send("/views", "name", name, "query", ""); r.status != 422 {
			t.Errorf("the name %q: %d", name, r.status)
		}
	}
	if r := send("/views", "name", "x", "query", "sort=luck"); r.status != 422 {
		t.Errorf("a query that can't be asked: %d", r.status)
	}
	send("/views", "name", "Late", "query", "health=late")
	r = send("/views/"+id+"/rename", "name", "Late")
	if r.status != 422 {
		t.Error(r.status)
	}
	w.has(r, "Another of your views has this name")
	if r := send("/views/"+id+"/rename", "name", "Euros"); r.status != 303 {
		t.Error(r.status)
	}
	w.has(b.get("/views"), "Euros")

	// What is stored is read like what is typed: a query that was tampered with, or that
	// an older version wrote, shows what can be asked of it.
	w.exec(`update saved_views set query = 'currency=USD&sort=luck&q=%00&health="><script>' where id = $1`, id)
	r = b.get("/?view=" + id)
	if r.status != 200 || strings.Contains(r.body, `"><script>`) {
		t.Errorf("%d", r.status)
	}
	w.has(r, "That can’t be asked", "2 of 4 stores")
	w.has(b.get("/views"), "partly out of date")

	if r := send("/views/" + id + "/delete"); r.status != 303 {
		t.Error(r.status)
	}
	w.hasNot(b.get("/views"), "Euros")
	for _, path := range []string{"/views/" + id + "/delete", "/views/x/delete", "/views/0/opens", "/views/-1/rename", "/views/99999999999999999999/delete"} {
		if r := send(path, "name", "x"); r.status != 404 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	for _, address := range []string{"/?view=" + id, "/?view=x", "/wall?view=99", "/stores.csv?view=99"} {
		if r := b.get(address); r.status != 404 {
			t.Errorf("%s: %d", address, r.status)
		}
	}
}

func TestSavedViewsAreNobodyElses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := w.agency()
	if r := ada.post("/views", url.Values{"csrf": {w.csrf()}, "name": {"Secret round"}, "query": {"q=acme"}}); r.status != 303 {
		t.Fatal(r.status)
	}
	id := w.column(`select id::text from saved_views`)[0]
	if r := ada.post("/views/"+id+"/delete", url.Values{"csrf": {"x"}}); r.status != 403 {
		t.Errorf("without the form's token: %d", r.status)
	}
	var err error
	w.person, err = w.access.CreatePerson(t.Context(), "ben@example.com", "Ben", access.Admin)
	w.must(err)
	ben := w.signedIn()
	form := url.Values{"csrf": {w.column(`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions order by id desc limit 1`)[0]}, "name": {"Mine"}, "opens": {"yes"}}
	for _, address := range []string{"/", "/views", "/wall"} {
		w.hasNot(ben.get(address), "Secret round")
	}
	if r := ben.get("/?view=" + id); r.status != 404 {
		t.Errorf("the view of somebody else: %d", r.status)
	}
	for _, what := range []string{"rename", "opens", "delete"} {
		if r := ben.post("/views/"+id+"/"+what, form); r.status != 404 {
			t.Errorf("%s the view of somebody else: %d", what, r.status)
		}
	}
	w.has(ada.get("/views"), "Secret round")
}

func TestTheWallboardShowsWhatNeedsAttentionFirstAndIsDated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.agency()
	w.exec(`update credentials set state = 'paused', paused_cause = 'token', paused_at = '2026-11-18 12:00Z' where service = 'upsell' and store_id = (select id from stores where slug = 'elm')`)
	r := b.get("/wall?by=currency")
	w.has(r, "as of 15:30 UTC, 20 Nov 2026", "1 needs attention", "3 work", "Elm Street Upsell token refused since 18 Nov", "Last pull 11 minutes ago", "21 Oct – 19 Nov 2026")
	text := words(r)
	if strings.Index(text, "Elm Street") > strings.Index(text, "Acme Foods") {
		t.Error("what needs attention is not first")
	}
	if !strings.Contains(r.body, `<noscript><meta http-equiv="refresh" content="60"`) || !strings.Contains(r.body, `data-theme="dark"`) || r.header.Get("Cache-Control") != "no-store" {
		t.Error("it is not dark, does not ask again, or may be kept")
	}
	if r := b.get("/wall?theme=light"); !strings.Contains(r.body, `data-theme="light"`) {
		t.Error("the theme of the address is not taken")
	}
	if r := b.get(`/wall?theme=%22onload`); !strings.Contains(r.body, `data-theme="dark"`) {
		t.Error("a theme that there is not is taken")
	}
	w.has(b.get("/wall?currency=USD"), "6,015.00 USD", "upsold in 240 orders, by 2 stores")
	w.has(b.get("/wall?q=zebra"), "No store is like that")
	// The session ends: the screen says so, in the same place, without a number.
	w.exec(`delete from sessions`)
	r = b.get("/wall?currency=USD")
	if r.status != 401 {
		t.Errorf("%d", r.status)
	}
	w.has(r, "This screen is signed out", "it shows no numbers", "as of 15:30 UTC, 20 Nov 2026")
	w.hasNot(r, "Acme", "6,015", "3,007", "work")
	if !strings.Contains(r.body, `data-wall`) || !strings.Contains(r.body, `href="/sign-in?next=%2Fwall%3Fcurrency%3DUSD"`) || !strings.Contains(r.body, `content="60"`) {
		t.Error("it does not lead back, or does not ask again")
	}
}

func TestWhoSeesNoStoreIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	for role, want := range map[access.Role]string{
		access.Viewer: "Ask somebody who manages people here", access.Agency: "or a group of stores", access.Merchant: "A store is added with the base addresses", access.Admin: "A store is added with the base addresses",
	} {
		w := newWorld(t)
		w.exec(`update people set role = $1`, string(role))
		_, err := w.access.RevokePerson(t.Context(), w.person.ID, own)
		w.must(err)
		if role == access.Admin { // an admin sees every store that there is
			w.exec(`update stores set removed_at = now()`)
		}
		b := w.signedIn()
		r := b.get("/")
		if r.status != 200 || leaks(r) != "" {
			t.Errorf("%s: %d, shows %q", role, r.status, leaks(r))
		}
		w.has(r, want)
		if may := strings.Contains(words(r), "No store yet"); may != role.May(access.Connect) {
			t.Errorf("%s is told to add a store: %v", role, may)
		}
		for _, address := range []string{"/wall", "/views"} {
			if r := b.get(address); r.status != 200 || leaks(r) != "" {
				t.Errorf("%s, %s: %d", role, address, r.status)
			}
		}
		if rows := file(t, b.get("/stores.csv")); len(rows) != 0 {
			t.Errorf("%s: %d rows", role, len(rows))
		}
	}
}
