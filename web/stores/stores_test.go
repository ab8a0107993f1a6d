package stores_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/webtest"
)

// links are the addresses that a page links to.
var links = regexp.MustCompile(`(?:href|action)="([^"]*)"`)

func TestTheListNamesNothingOfForeignStoresGroupsAndTags(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into store_tags (store_id, tag) select id, slug || '-tag' from stores`)
	w.Exec(`with g as (insert into groups (name) values ('Canary clients') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where slug = 'birch'`)
	w.Exec(`insert into groups (name) values ('Canary without stores')`)
	b := w.Agency()
	w.Exec(`with g as (insert into groups (name) values ('Own clients') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where slug in ('acme', 'birch', 'elm')`)
	for _, address := range []string{
		"/", "/?by=group", "/?by=tag", "/?group=1", "/?tag=birch-tag", "/?q=canary", "/?q=birch", "/?currency=EUR", "/?show=all&by=nothing", "/wall", "/wall?q=birch",
		"/stores.csv", "/stores.csv?by=group", "/stores.csv?group=1", "/stores.csv?q=birch",
	} {
		r := b.Get(address)
		if r.Status != 200 || strings.Contains(r.Body, webtest.Canary) || strings.Contains(r.Body, "birch.example") || strings.Contains(r.Body, ">birch-tag") || strings.Contains(r.Body, "birch,") {
			t.Errorf("%s: %d, shows something of the foreign store", address, r.Status)
		}
	}
	r := b.Get("/?by=group")
	w.Has(r, "4 stores: 4 are working", "Own clients 2", "In no group 2", "Acme Foods", "Cedar Works")
	// A foreign group can't be told apart from one that doesn't exist.
	if foreign, none := webtest.Words(b.Get("/?group=1")), webtest.Words(b.Get("/?group=99")); foreign != none {
		t.Errorf("%s\n%s", foreign, none)
	}
	// Nothing of a store that was removed, or that the person no longer has access to, is kept.
	w.Exec(`update stores set removed_at = now() where slug = 'cedar'`)
	_, err := w.Access.RevokePerson(t.Context(), w.Person.ID, "dogwood")
	w.Must(err)
	w.HasNot(b.Get("/"), "Cedar Works", "Dogwood Tea")
	w.Has(b.Get("/"), "2 stores", "Acme Foods", "Elm Street")
}

func TestAmountsOfTheListMeetInOneCurrencyOnly_N34(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	r := b.Get("/")
	w.Has(r, "EUR 1", "JPY 1", "USD 2", "3,007 .50 USD", "Amounts stay in each store’s currency.", "21 Oct – 19 Nov 2026 · 30 days · in each store’s time zone · reported by the app")
	w.HasNot(r, "6,015", "9,022", "12,030", "upsold in")
	r = b.Get("/?currency=USD&sort=value")
	w.Has(r, "6,015.00 USD upsold in 240 orders by 2 stores, in each store’s time zone", "highest upsold value")
	w.HasNot(r, "Dogwood", "Elm", "900.10 USD upsold", "1,800.20", "7,815")
	w.Exec(`delete from summaries where window_end - window_start = 29 and store_id = (select id from stores where slug = 'cedar')`)
	r = b.Get("/?currency=USD")
	w.Has(r, "3,007.50 USD upsold in 120 orders by 1 store, in its time zone", "Left out: \u2068Cedar Works\u2069 (1 day is missing)", "29 of 30 days", "reported by the app, 1 added up from daily data")
	r = b.Get("/?sort=value")
	w.Has(r, "Sorted by name: choose one currency to sort by value")
	// Each row says where its numbers come from.
	if n := strings.Count(b.Get("/").Body, `aria-label="Where “Upsold value” comes from: as reported"`); n != 3 {
		t.Errorf("%d signs of reported values, want 3", n)
	}
	for _, address := range links.FindAllStringSubmatch(b.Get("/").Body, -1) {
		if strings.Contains(address[1], "sort=value") {
			t.Errorf("an order by value of several currencies is offered: %s", address[1])
		}
	}
}

func TestEachStoreOfTheListIsOnItsOwnDay(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	// 10:30 UTC: three days are under way on Earth.
	w.Clock.Add(time.Date(2026, 11, 20, 10, 30, 0, 0, time.UTC).Sub(w.Clock.Now()))
	w.Exec(`update stores set timezone = case slug when 'cedar' then 'Pacific/Kiritimati' when 'dogwood' then 'Pacific/Pago_Pago' else timezone end`)
	w.Exec(`update stores set upsell_pulled_at = '2026-11-20 10:20Z', last_day = case slug when 'cedar' then date '2026-11-20' when 'dogwood' then date '2026-11-18' else last_day end`)
	w.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, asked_start, asked_end, partial, fetched_at)
		select s.id, '2026-11-20', '2026-11-20', 777, 7, 70, 'USD', '2026-11-20', '2026-11-20', false, now() from stores s where slug = 'cedar'`)
	rows := map[string]map[string]string{}
	for _, row := range webtest.File(t, b.Get("/stores.csv?window=yesterday")) {
		rows[row["store"]] = row
	}
	for slug, want := range map[string]string{"cedar": "2026-11-20 777", "acme": "2026-11-19 100.25", "elm": "2026-11-19 100.25", "dogwood": "2026-11-18 100.25"} {
		if got := rows[slug]["window_end"] + " " + rows[slug]["total_upsold_value"]; got != want {
			t.Errorf("yesterday of %s is %s, want %s", slug, got, want)
		}
	}
	// ownDays are the days that a row names as its own.
	ownDays := func(body, slug string) string {
		_, row, found := strings.Cut(body, `class="store-link" href="/stores/`+slug+`"`)
		if !found {
			t.Errorf("no row of %s", slug)
		}
		row, _, _ = strings.Cut(row, "</tr>")
		_, days, _ := strings.Cut(row, `own-days" title="`)
		days, _, _ = strings.Cut(days, `"`)
		return days
	}
	r := b.Get("/?window=yesterday")
	w.Has(r, "19 Nov 2026 · 1 day · in each store’s time zone · reported by the app · 2 stores differ", "Kiritimati time", "Pago Pago time")
	for slug, want := range map[string]string{"cedar": "20 Nov", "acme": "", "elm": "", "dogwood": "18 Nov"} {
		if got := ownDays(r.Body, slug); got != want {
			t.Errorf("the row of %s names %q as its own days, want %q", slug, got, want)
		}
	}
	// Half an hour later it is midnight in Pago Pago: its yesterday becomes the 19th, without a
	// sync.
	w.Clock.Add(31 * time.Minute)
	w.Exec(`update stores set last_day = '2026-11-19' where slug = 'dogwood'`)
	if got := ownDays(b.Get("/?window=yesterday").Body, "dogwood"); got != "" {
		t.Errorf("after its midnight, the row of dogwood names %q as its own days", got)
	}
}

func TestWhatCantBeAskedOfTheListIsSaidBesideAllStores(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	for query, want := range map[string]string{
		"health=ill": "use person, late, filling, working or paused", "window=today": "several stores are shown for", "start=2026-11-09": "YYYY-MM-DD", "sort=x": "use name, freshness",
		"tag=" + strings.Repeat("x", 50): "no such tag", "currency=%22%3E": "three letters",
	} {
		r := b.Get("/?" + query)
		if r.Status != 400 || strings.Contains(r.Body, `">"`) {
			t.Errorf("%s: %d", query, r.Status)
		}
		w.Has(r, want, "Acme Foods")
		if f := b.Get("/stores.csv?" + query); f.Status != 400 || f.Header.Get("Content-Disposition") != "" {
			t.Errorf("the file of %s: %d", query, f.Status)
		}
	}
	// The page contains the search term next to its form token: such a page isn't compressed,
	// so that its length reveals nothing.
	r := b.Do("GET", "/?q=acme", nil, http.Header{"Accept-Encoding": {"gzip"}})
	if r.Header.Get("Content-Encoding") != "" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", r.Header)
	}
	w.Has(r, "1 of 4 stores")
	w.HasNot(r, "Cedar")
	r = b.Get("/?q=zebra")
	w.Has(r, "No matching store", "Show all 4 stores")
	if !strings.Contains(r.Body, `value="zebra"`) {
		t.Error("the form has forgotten what was searched for")
	}
}

func TestFormsOfTheListKeepWhatTheyDoNotAsk(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into store_tags (store_id, tag) select id, 'vip' from stores`)
	r := w.Agency().Get("/?currency=USD&tag=vip&by=clock&window=last_7_days&compare=weekday&page=2")
	if r.Status != 200 {
		t.Fatal(r.Status)
	}
	for _, want := range []string{
		`name="currency" value="USD"`, `name="tag" value="vip"`, `name="by" value="clock"`, `name="window" value="last_7_days"`, `name="compare" value="weekday"`,
		`href="/?by=clock&amp;compare=weekday&amp;currency=USD&amp;tag=vip&amp;window=last_90_days"`,
		`href="/?by=clock&amp;compare=weekday&amp;tag=vip&amp;window=last_7_days"`,
		`/stores.csv?by=clock&amp;compare=weekday&amp;currency=USD&amp;tag=vip&amp;window=last_7_days`,
	} {
		if !strings.Contains(r.Body, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	if strings.Contains(r.Body, `name="page"`) {
		t.Error("a form leads to a page of another list")
	}
}

func TestTheListsFileHasThePagesRowsOnceEach_N1_N3(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	w.Exec(`with g as (insert into groups (name) values ('One'), ('Two') returning id) insert into group_stores (group_id, store_id) select g.id, s.id from g, stores s where slug <> 'birch'`)
	w.Exec(`update credentials set state = 'paused', paused_cause = 'token', paused_at = now() where service = 'upsell' and store_id = (select id from stores where slug = 'elm')`)
	w.Audit()
	r := b.Get("/stores.csv?by=group&sort=name&reverse=true&currency=")
	w.Recorded("person ada@example.com export.downloaded stores.csv")
	if got := r.Header.Get("Content-Disposition"); got != `attachment; filename="stores.csv"` {
		t.Error(got)
	}
	var order []string
	for _, row := range webtest.File(t, r) {
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
	for _, row := range webtest.File(t, b.Get("/stores.csv?window=last_month")) {
		if row["basis"] != "stitched" || !strings.Contains(row["flags"], "missing_days") || row["upsell_success_rate"] != "0.08" {
			t.Errorf("ten days of October are missing: %v", row)
		}
	}
	for _, row := range webtest.File(t, b.Get("/stores.csv?start=2026-01-01&end=2026-01-05")) {
		if row["total_upsold_value"] != "" || row["total_upsold_orders"] != "" || row["window_start"] != "" || row["no_numbers_because"] == "" {
			t.Errorf("days that are not stored: %v", row)
		}
	}
}

func TestSavedViewsOfTheList(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	csrf := w.CSRF()
	send := func(path string, pairs ...string) webtest.Response {
		t.Helper()
		form := url.Values{"csrf": {csrf}}
		for i := 0; i < len(pairs); i += 2 {
			form.Set(pairs[i], pairs[i+1])
		}
		return b.Post(path, form)
	}
	r := send("/views", "name", " Euro   clients ", "query", "currency=EUR&by=group&unknown=1&page=7")
	if r.Status != 303 || !strings.HasPrefix(r.Header.Get("Location"), "/?view=") {
		t.Fatal(r.Status, r.Header.Get("Location"))
	}
	view := r.Header.Get("Location")
	id := strings.TrimPrefix(view, "/?view=")
	w.Has(b.Get(view), "View Euro clients", "Dogwood Tea", "1 of 4 stores", "Grouped by group")
	w.HasNot(b.Get(view), "Acme Foods")
	w.Has(b.Get("/"), "Acme Foods", "View not saved")
	if got := w.Column(`select query from saved_views`); got[0] != "by=group&currency=EUR" {
		t.Errorf("kept as %s", got[0])
	}
	w.Has(b.Get("/views"), "Euro clients", "30 days, in EUR, grouped by group")

	// It opens first when chosen; all stores have an address of their own then.
	if r := send("/views/"+id+"/opens", "opens", "yes"); r.Status != 303 {
		t.Fatal(r.Status)
	}
	r = b.Get("/")
	w.Has(r, "View Euro clients", "Dogwood Tea")
	if !strings.Contains(r.Body, `href="/?view=all"`) {
		t.Error("no way back to all stores")
	}
	w.Has(b.Get("/?view=all"), "4 stores", "Acme Foods")
	w.Has(b.Get("/?by=nothing"), "4 stores") // what is asked for comes before what opens
	w.Has(b.Get("/wall"), "Euro clients", "Dogwood Tea")
	if rows := webtest.File(t, b.Get("/stores.csv?view="+id)); len(rows) != 1 {
		t.Errorf("%d rows in the view's file", len(rows))
	}
	send("/views/"+id+"/opens", "opens", "no")
	w.Has(b.Get("/"), "Acme Foods")

	// A refused form keeps what was typed.
	long := strings.Repeat("x", 61)
	r = send("/views/"+id+"/rename", "name", long)
	if r.Status != 422 || !strings.Contains(r.Body, `value="`+long+`"`) {
		t.Errorf("%d", r.Status)
	}
	w.Has(r, "write a name of 1 to 60 characters")
	for _, name := range []string{"", "  ", "a\x01b", long} {
		if r := send("/views", "name", name, "query", ""); r.Status != 422 {
			t.Errorf("the name %q: %d", name, r.Status)
		}
	}
	if r := send("/views", "name", "x", "query", "sort=luck"); r.Status != 422 {
		t.Errorf("a query that can't be asked: %d", r.Status)
	}
	send("/views", "name", "Late", "query", "health=late")
	r = send("/views/"+id+"/rename", "name", "Late")
	if r.Status != 422 {
		t.Error(r.Status)
	}
	w.Has(r, "Another of your views has this name")
	if r := send("/views/"+id+"/rename", "name", "Euros"); r.Status != 303 {
		t.Error(r.Status)
	}
	w.Has(b.Get("/views"), "Euros")

	// Stored queries are parsed like typed ones: a query that was tampered with, or written by
	// an older version, shows whatever part is valid.
	w.Exec(`update saved_views set query = 'currency=USD&sort=luck&q=%00&health="><script>' where id = $1`, id)
	r = b.Get("/?view=" + id)
	if r.Status != 200 || strings.Contains(r.Body, `"><script>`) {
		t.Errorf("%d", r.Status)
	}
	w.Has(r, "This can’t be shown", "2 of 4 stores")
	w.Has(b.Get("/views"), "partly out of date")

	if r := send("/views/" + id + "/delete"); r.Status != 303 {
		t.Error(r.Status)
	}
	w.HasNot(b.Get("/views"), "Euros")
	for _, path := range []string{"/views/" + id + "/delete", "/views/x/delete", "/views/0/opens", "/views/-1/rename", "/views/99999999999999999999/delete"} {
		if r := send(path, "name", "x"); r.Status != 404 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	for _, address := range []string{"/?view=" + id, "/?view=x", "/wall?view=99", "/stores.csv?view=99"} {
		if r := b.Get(address); r.Status != 404 {
			t.Errorf("%s: %d", address, r.Status)
		}
	}
}

func TestSavedViewsAreNobodyElses(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ada := w.Agency()
	if r := ada.Post("/views", url.Values{"csrf": {w.CSRF()}, "name": {"Secret round"}, "query": {"q=acme"}}); r.Status != 303 {
		t.Fatal(r.Status)
	}
	id := w.Column(`select id::text from saved_views`)[0]
	if r := ada.Post("/views/"+id+"/delete", url.Values{"csrf": {"x"}}); r.Status != 403 {
		t.Errorf("without the form's token: %d", r.Status)
	}
	var err error
	w.Person, err = w.Access.CreatePerson(t.Context(), "ben@example.com", "Ben", access.Admin)
	w.Must(err)
	ben := w.SignedIn()
	form := url.Values{"csrf": {w.Column(`select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions order by id desc limit 1`)[0]}, "name": {"Mine"}, "opens": {"yes"}}
	for _, address := range []string{"/", "/views", "/wall"} {
		w.HasNot(ben.Get(address), "Secret round")
	}
	if r := ben.Get("/?view=" + id); r.Status != 404 {
		t.Errorf("the view of someone else: %d", r.Status)
	}
	for _, what := range []string{"rename", "opens", "delete"} {
		if r := ben.Post("/views/"+id+"/"+what, form); r.Status != 404 {
			t.Errorf("%s the view of someone else: %d", what, r.Status)
		}
	}
	w.Has(ada.Get("/views"), "Secret round")
}

func TestTheWallboardShowsWhatNeedsAttentionFirstAndIsDated(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Agency()
	w.Exec(`update credentials set state = 'paused', paused_cause = 'token', paused_at = '2026-11-18 12:00Z' where service = 'upsell' and store_id = (select id from stores where slug = 'elm')`)
	w.Exec(`insert into alerts (store_id, rule, subject, since, title, text) select id, 'credential', 'upsell', '2026-11-18 12:00Z', '{"id": "store.need.upsell_token"}', '[]' from stores where slug = 'elm'`)
	r := b.Get("/wall?by=currency")
	w.Has(r, "as of 15:30 UTC, 20 Nov 2026", "1 needs attention", "3 are working", "Elm Street Upsell token refused · since 18 Nov", "Updated 11 minutes ago", "21 Oct – 19 Nov 2026")
	text := webtest.Words(r)
	if strings.Index(text, "Elm Street") > strings.Index(text, "Acme Foods") {
		t.Error("what needs attention is not first")
	}
	if !strings.Contains(r.Body, `<noscript><meta http-equiv="refresh" content="60"`) || !strings.Contains(r.Body, `data-theme="dark"`) || r.Header.Get("Cache-Control") != "no-store" {
		t.Error("it is not dark, does not ask again, or may be kept")
	}
	if r := b.Get("/wall?theme=light"); !strings.Contains(r.Body, `data-theme="light"`) {
		t.Error("the theme of the address is not taken")
	}
	if r := b.Get(`/wall?theme=%22onload`); !strings.Contains(r.Body, `data-theme="dark"`) {
		t.Error("a theme that there is not is taken")
	}
	w.Has(b.Get("/wall?currency=USD"), "6,015.00 USD", "upsold in 240 orders by 2 stores")
	w.Has(b.Get("/wall?q=zebra"), "No matching store")
	// The session ends: the screen says so at the same address, without numbers.
	w.Exec(`delete from sessions`)
	r = b.Get("/wall?currency=USD")
	if r.Status != 401 {
		t.Errorf("%d", r.Status)
	}
	w.Has(r, "This screen is signed out", "no numbers are shown", "as of 15:30 UTC, 20 Nov 2026")
	w.HasNot(r, "Acme", "6,015", "3,007", "work")
	if !strings.Contains(r.Body, `data-live="/live"`) || !strings.Contains(r.Body, `href="/sign-in?next=%2Fwall%3Fcurrency%3DUSD"`) || !strings.Contains(r.Body, `content="60"`) {
		t.Error("it does not lead back, or does not ask again")
	}
}

func TestWhoSeesNoStoreIsToldWhatToDo(t *testing.T) {
	t.Parallel()
	for role, want := range map[access.Role]string{
		access.Viewer: "Ask someone who manages people here", access.Agency: "or a group of stores", access.Merchant: "To add a store, enter the base addresses", access.Admin: "Connect your first store, or look around first",
	} {
		w := webtest.NewWorld(t)
		w.Exec(`update people set role = $1`, string(role))
		_, err := w.Access.RevokePerson(t.Context(), w.Person.ID, webtest.Own)
		w.Must(err)
		if role == access.Admin { // an admin sees every store that there is
			w.Exec(`update stores set removed_at = now()`)
		}
		b := w.SignedIn()
		r := b.Get("/")
		if r.Status != 200 || webtest.Leaks(r) != "" {
			t.Errorf("%s: %d, shows %q", role, r.Status, webtest.Leaks(r))
		}
		w.Has(r, want)
		if may := strings.Contains(r.Body, `href="/stores/new"`); may != role.May(access.Connect) {
			t.Errorf("%s is told to add a store: %v", role, may)
		}
		for _, address := range []string{"/wall", "/views"} {
			if r := b.Get(address); r.Status != 200 || webtest.Leaks(r) != "" {
				t.Errorf("%s, %s: %d", role, address, r.Status)
			}
		}
		if rows := webtest.File(t, b.Get("/stores.csv")); len(rows) != 0 {
			t.Errorf("%s: %d rows", role, len(rows))
		}
	}
}
