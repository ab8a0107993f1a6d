package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

const sharePassword = "copper kettle on a rope"

func withPassword(n *sharing.Draft) { n.Password = sharePassword }

var october = sharing.Window{Start: civil.Date{Year: 2026, Month: 10, Day: 21}, End: civil.Date{Year: 2026, Month: 10, Day: 31}}

func fixed(n *sharing.Draft) { n.Window = october }

// sharedAddresses are everything that can be read below a link, with the page that
// each belongs to.
func sharedAddresses(w *webtest.World) map[string]sharing.Page {
	out := map[string]sharing.Page{}
	for _, r := range w.Server.Parts.Share.LinkRoutes() {
		if r.Method != "GET" || strings.HasSuffix(r.Path, "/live") { // the stream of any page of the link
			continue
		}
		below := strings.TrimPrefix(webtest.Address(r, webtest.Own), "/share/"+webtest.OwnLinkSecret)
		page := sharing.Overview
		for _, p := range []sharing.Page{sharing.Placements, sharing.Offers, sharing.Gifts} {
			if strings.HasPrefix(below, "/"+string(p)) {
				page = p
			}
		}
		out[below] = page
	}
	return out
}

func TestTheSameGuardStandsBeforePagesFilesAndAnswers(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	addresses := sharedAddresses(w)
	forms := map[string]int{}
	for below := range addresses {
		forms[regexp.MustCompile(`\.\w+$`).FindString(below)]++
	}
	if forms[""] != 6 || forms[".csv"] != 8 || forms[".xlsx"] != 8 || forms[".json"] != 6 {
		t.Errorf("addresses: %v", forms)
	}
	// unlocked is a browser that has given the password.
	unlocked := func(link string) *webtest.Browser {
		t.Helper()
		b := w.Browser()
		if r := b.Post(link, url.Values{"password": {sharePassword}, "next": {link + "/offers"}}); r.Status != http.StatusSeeOther || r.Header.Get("Location") != link+"/offers" {
			t.Fatalf("the password gives %d to %q: %s", r.Status, r.Header.Get("Location"), r.Body)
		}
		return b
	}
	locked, other := w.Share(withPassword), w.Share(withPassword)
	stolen := w.Browser() // the key of another link, at this one's address
	stolen.Header.Set("Cookie", w.Server.Parts.Share.CookieName()+"="+keyOf(unlocked(other), other))
	forged := w.Browser()
	forged.Header.Set("Cookie", w.Server.Parts.Share.CookieName()+"="+strings.Repeat("A", 54))
	ended := func(sql string) string {
		link := w.Share(nil)
		w.Exec(sql+" where token_hash = sha256(convert_to($1, 'UTF8'))", strings.TrimPrefix(link, "/share/"))
		return link
	}
	for name, c := range map[string]struct {
		link string
		as   *webtest.Browser
		// want is the status of every address.
		want int
		ask  string
	}{
		"right":                  {link: w.Share(nil), want: 200},
		"right, days that stay":  {link: w.Share(fixed), want: 200},
		"other days":             {link: w.Share(nil), ask: "?window=last_7_days", want: 400},
		"the first of its days":  {link: w.Share(fixed), ask: "?start=2026-10-21", want: 400},
		"the last of its days":   {link: w.Share(fixed), ask: "?end=2026-10-31", want: 400},
		"a comparison":           {link: w.Share(nil), ask: "?compare=previous", want: 400},
		"a stranger's parameter": {link: w.Share(nil), ask: "?utm_source=mail", want: 200},
		"no password":            {link: locked, want: 403},
		"a forged key":           {link: locked, as: forged, want: 403},
		"another link's key":     {link: locked, as: stolen, want: 403},
		"the right password":     {link: locked, as: unlocked(locked), want: 200},
		"expired":                {link: ended(`update shares set expires_at = '2026-11-20 15:30:20Z'`), want: 404},
		"revoked":                {link: ended(`update shares set revoked_at = now()`), want: 404},
		"the maker is gone":      {link: ended(`update shares set created_by = null`), want: 404},
		"unknown":                {link: "/share/" + strings.Repeat("E", 43), want: 404},
		"malformed":              {link: "/share/x", want: 404},
		"too long":               {link: "/share/" + strings.Repeat("A", 44), want: 404},
		"no text":                {link: "/share/%00%ff", want: 404},
	} {
		b := c.as
		if b == nil {
			b = w.Browser()
		}
		for below := range addresses {
			r := b.Get(c.link + below + c.ask)
			if r.Status != c.want {
				t.Errorf("%s: %s gives %d, want %d: %.200s", name, below, r.Status, c.want, r.Body)
			}
			if text := webtest.WholeText(r); (c.want == 403 || c.want == 404) && (strings.Contains(text, "Acme") || strings.Contains(text, "/stores") || strings.Contains(text, "For the board")) {
				t.Errorf("%s: %s tells of the store: %s", name, below, text)
			}
			if leak := webtest.Leaks(r); leak != "" {
				t.Errorf("%s: %s shows %q", name, below, leak)
			}
		}
	}
	// A page that wasn't chosen, and ids of another store.
	for below, page := range addresses {
		link := w.Share(func(n *sharing.Draft) {
			n.Pages = slices.DeleteFunc(slices.Clone(sharing.Pages), func(p sharing.Page) bool { return p == page })
		})
		want := 404
		if below == "" { // leads to the first page that was
			want = 303
		}
		if r := w.Browser().Get(link + below); r.Status != want || want == 303 && r.Header.Get("Location") != link+"/placements" {
			t.Errorf("%s, not chosen: %d to %q", below, r.Status, r.Header.Get("Location"))
		}
		if strings.Contains(below, "acme-") {
			for _, id := range []string{"birch-", "nothing-", "%00-"} {
				if r := w.Browser().Get(w.Share(nil) + strings.Replace(below, "acme-", id, 1)); r.Status != 404 || webtest.Leaks(r) != "" {
					t.Errorf("%s of %s: %d, %q", below, id, r.Status, webtest.Leaks(r))
				}
			}
		}
	}
	open := w.Share(nil)
	for _, c := range []struct {
		what, sql string
		want      int
	}{
		{"paused", `update stores set paused_at = now() where slug = $1`, 200}, // what is stored stays what it is
		{"removed", `update stores set removed_at = now() where slug = $1`, 404},
		{"brought back", `update stores set removed_at = null where slug = $1`, 200},
	} {
		w.Exec(c.sql, webtest.Own)
		for below := range addresses {
			if r := w.Browser().Get(open + below); r.Status != c.want {
				t.Errorf("%s of a store that is %s: %d", below, c.what, r.Status)
			}
		}
	}
}

// keyOf is what the browser keeps of the link's password.
func keyOf(b *webtest.Browser, link string) string {
	u, err := url.Parse(b.W.HTTP.URL + link)
	b.W.Must(err)
	for _, cookie := range b.Client.Jar.Cookies(u) {
		return cookie.Value
	}
	b.W.T.Fatal("no key is kept")
	return ""
}

func TestLinksThatDoNotWorkCantBeToldApart(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	// ended makes a link that no longer works by what is done to it.
	ended := func(sql string) string {
		link := w.Share(withPassword)
		w.Exec(sql+` where token_hash = sha256(convert_to($1, 'UTF8'))`, strings.TrimPrefix(link, "/share/"))
		return link
	}
	revoked := ended(`update shares set revoked_at = now()`)
	expired := ended(`update shares set expires_at = '2026-11-20 15:30:20Z'`)
	unmade := ended(`update shares set created_by = null`)
	removed := ended(`update shares set store_id = (select id from stores where slug = 'birch')`)
	w.Exec(`update stores set removed_at = now() where slug = 'birch'`)
	for _, below := range []string{"", "/offers", "/history.csv", "/overview.json"} {
		strip := func(r webtest.Response) string {
			id := r.Header.Get("X-Request-Id")
			return strings.NewReplacer(id, "", strings.ToLower(id), "").Replace(r.Body)
		}
		b := w.Browser()
		first := b.Get(revoked + below)
		for _, link := range []string{expired, unmade, removed, "/share/" + strings.Repeat("E", 43), "/share/x", "/share/" + strings.Repeat("9", 500)} {
			if r := b.Get(link + below); r.Status != first.Status || strip(r) != strip(first) || r.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
				t.Errorf("%s%s: %d %s\n%d %s", link, below, r.Status, strip(r), first.Status, strip(first))
			}
		}
	}
	// Unknown addresses below /share get the same answer, and don't lead to sign-in, whose
	// address would contain the secret.
	for _, path := range []string{"/share", "/share/", "/Share/x", "/share%2Fx", "/share/x/sync", revoked + "/settings", revoked + "/replies", revoked + "/"} {
		if r := w.SignedIn().Get(path); r.Status != 404 || !strings.Contains(r.Body, "This link doesn’t work") {
			t.Errorf("%s: %d to %q", path, r.Status, r.Header.Get("Location"))
		}
	}
}

func TestAThousandForgedLinksOpenNothing(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret := strings.TrimPrefix(w.Share(nil), "/share/")
	const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.~%"
	b := w.Browser()
	for n := range 1000 { // one sign of the right one is another
		at := n % len(secret)
		sign := signs[n/len(secret)*3%len(signs)]
		forged := secret[:at] + string(sign) + secret[at+1:]
		if forged == secret {
			forged = secret + string(sign)
		}
		if r := b.Get("/share/" + url.PathEscape(forged)); r.Status != 404 || strings.Contains(r.Body, "Acme") {
			t.Fatalf("%q: %d", forged, r.Status)
		}
	}
	if n := hits(w); n != 0 {
		t.Errorf("%d hits", n)
	}
}

func hits(w *webtest.World) (n int) {
	w.T.Helper()
	w.Must(w.DB.Pool.QueryRow(w.T.Context(), "select coalesce(sum(hits), 0) from shares").Scan(&n))
	return n
}

func TestOnlyPagesThatWereShownCountAsHits(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link, locked := w.Share(nil), w.Share(withPassword)
	b := w.Browser()
	r := b.Get(link)
	for _, path := range []string{link + "/offers", link + "/offers?query=bundle", link + "/gift"} {
		b.Do("GET", path, nil, http.Header{"Sec-Fetch-Mode": {"navigate"}})
	}
	if n := hits(w); n != 4 {
		t.Errorf("%d hits after four pages", n)
	}
	for what, ask := range map[string]func() webtest.Response{
		"not modified": func() webtest.Response {
			return b.Do("GET", link, nil, http.Header{"If-None-Match": {r.Header.Get("Etag")}})
		},
		"an open page, again": func() webtest.Response {
			return b.Do("GET", link, nil, http.Header{"Sec-Fetch-Mode": {"cors"}})
		},
		"HEAD":              func() webtest.Response { return b.Do("HEAD", link, nil, nil) },
		"a file":            func() webtest.Response { return b.Get(link + "/history.csv") },
		"JSON":              func() webtest.Response { return b.Get(link + "/overview.json") },
		"no such page":      func() webtest.Response { return b.Get(link + "/offers/nothing") },
		"a wrong filter":    func() webtest.Response { return b.Get(link + "/offers?sort=revenue") },
		"the password page": func() webtest.Response { return b.Get(locked) },
	} {
		if r := ask(); hits(w) != 4 {
			t.Errorf("%s (%d) was counted", what, r.Status)
		}
	}
	var readers sync.WaitGroup
	for range 12 { // at once
		readers.Go(func() {
			if r := w.Browser().Get(link + "/placements"); r.Status != 200 {
				t.Errorf("one of several readers: %d", r.Status)
			}
		})
	}
	readers.Wait()
	if n := hits(w); n != 4+12 {
		t.Errorf("%d hits after 12 more pages", n)
	}
	var last time.Time
	w.Must(w.DB.Pool.QueryRow(t.Context(), "select last_hit_at from shares where hits > 0").Scan(&last))
	if !last.Equal(w.Clock.Now().Truncate(time.Minute)) {
		t.Errorf("last hit at %v", last)
	}
}

func TestWhatALinkIsUsedForIsRecorded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link := w.Share(nil)
	b := w.Browser()
	for range 3 {
		b.Get(link)
	}
	b.Get(link + "/top.xlsx")
	w.Clock.Add(24 * time.Hour)
	b.Get(link)
	records, err := w.AuditLog.Records(t.Context(), audit.Filter{Who: "share"}, 100)
	w.Must(err)
	var got []string
	for _, r := range records {
		if r.Actor.Name != "For the board" || r.Actor.ID == 0 || r.Actor.Address != "127.0.0.1" || r.Actor.Request == "" {
			t.Errorf("%+v", r)
		}
		got = append(got, string(r.Action)+" "+r.Store+" "+r.Subject)
	}
	slices.Reverse(got)
	if want := []string{"share.opened acme For the board", "export.downloaded acme acme-top.xlsx", "share.opened acme For the board"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestALinkAndASessionGrantNothingToEachOther(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link := w.Share(func(n *sharing.Draft) { n.Pages = []sharing.Page{sharing.Gifts} })
	locked := w.Share(withPassword)
	person := w.SignedIn()
	for path, want := range map[string]int{link + "/gift": 200, link + "/offers": 404, link + "/sync": 404, link + "/gift?window=last_7_days": 400, locked: 403} {
		if r := person.Get(path); r.Status != want {
			t.Errorf("signed in, %s: %d, want %d", path, r.Status, want)
		}
	}
	page := person.Get(link + "/gift").Body
	for _, never := range []string{"Ada", w.CSRF(), "/sign-out", "/stores/", "Sync"} {
		if strings.Contains(page, never) {
			t.Errorf("signed in, the link's page holds %q", never)
		}
	}
	reader := w.Browser()
	reader.Post(locked, url.Values{"password": {sharePassword}})
	reader.Header.Set("Cookie", w.Server.Parts.Share.CookieName()+"="+keyOf(reader, locked))
	for _, path := range []string{"/", "/stores/acme", "/stores/acme/history.csv", "/stores/acme/sync"} {
		if r := reader.Get(path); r.Status != 303 || !strings.HasPrefix(r.Header.Get("Location"), "/sign-in") {
			t.Errorf("with a link's key, %s: %d", path, r.Status)
		}
	}
	if r := reader.Get("/api/v1/stores"); r.Status != 401 {
		t.Errorf("with a link's key, the JSON API: %d", r.Status)
	}
	for name, values := range map[string]string{"Authorization": "Bearer " + w.Token(webtest.Own), "Cookie": "storeglass=x"} {
		b := w.Browser()
		b.Header.Set(name, values)
		if r := b.Get(link + "/offers"); r.Status != 404 {
			t.Errorf("with %s: %d", name, r.Status)
		}
	}
}

var addressed = regexp.MustCompile(`(?:href|src|action|content)="([^"]*)"`)

func TestPagesOfALinkLeadNowhereElse(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`update credentials set state = 'paused', paused_at = $1, paused_cause = 'INVALID_KEY', paused_said = 'The token was refused. Make a new one.'`, w.Clock.Now())
	for name, link := range map[string]string{"moving": w.Share(nil), "fixed": w.Share(fixed), "one page": w.Share(func(n *sharing.Draft) { n.Pages = sharing.Pages[:1] })} {
		b := w.Browser()
		for below := range sharedAddresses(w) {
			r := b.Get(link + below)
			text := webtest.WholeText(r)
			for _, never := range []string{
				"/stores/", "admin.example", "Raw reply", "/replies", "Ada", "ada@example.com", "csrf", "/sign-", "og:", "Do next", "was refused", "Make a new one",
				"needs attention", "acme.example.com", "123456.78", "See the pulls", "Birch", webtest.Canary,
			} {
				if strings.Contains(text, never) {
					t.Errorf("%s: %s holds %q", name, below, never)
				}
			}
			for _, m := range addressed.FindAllStringSubmatch(r.Body, -1) {
				to := m[1]
				if strings.HasPrefix(to, "/static/") || strings.HasPrefix(to, "#") || to == link || strings.HasPrefix(to, link+"/") || strings.HasPrefix(to, link+"?") {
					if strings.HasPrefix(to, link) {
						if got := b.Get(strings.ReplaceAll(to, "&amp;", "&")); got.Status != 200 {
							t.Errorf("%s: %s leads to %s, which gives %d", name, below, strings.TrimPrefix(to, link), got.Status)
						}
					}
					continue
				}
				if !strings.Contains(to, "/") { // the texts of meta elements
					continue
				}
				t.Errorf("%s: %s leads to %s", name, below, to)
			}
		}
	}
}

func TestAnswersBelowALinkAreKeptByNobodyAndTellNobody(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link, locked := w.Share(nil), w.Share(withPassword)
	b := w.Browser()
	for _, path := range []string{link, link + "/offers", link + "/history.csv", link + "/top.xlsx", link + "/gift.json", link + "/nothing", link + "?window=all", locked, "/share/x", "/share/x/history.csv"} {
		for _, method := range []string{"GET", "HEAD", "DELETE"} {
			r := b.Do(method, path, nil, nil)
			for name, want := range map[string]string{"Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex, nofollow, noarchive", "Cache-Control": "no-store"} {
				if got := r.Header.Values(name); len(got) != 1 || got[0] != want {
					t.Errorf("%s %s (%d): %s is %q", method, path, r.Status, name, got)
				}
			}
		}
	}
	if r := b.Do("DELETE", locked, nil, nil); r.Status != 404 || strings.Contains(r.Body, "Acme") {
		t.Errorf("another method tells of the store: %d", r.Status)
	}
	if r := b.Get("/robots.txt"); r.Status != 200 || r.Body != "User-agent: *\nDisallow: /\n" {
		t.Errorf("robots.txt: %d %q", r.Status, r.Body)
	}
	log := w.Log.String()
	for _, secret := range []string{strings.TrimPrefix(link, "/share/"), strings.TrimPrefix(locked, "/share/")} {
		if strings.Contains(log, secret) {
			t.Error("the log holds a link's secret")
		}
		if n := w.StoredTexts(`select a::text from audit a where a::text like '%' || $1 || '%'`, secret); len(n) > 0 {
			t.Errorf("the audit log holds a link's secret: %q", n)
		}
	}
	if !strings.Contains(log, "route=/share/:token/offers") || !strings.Contains(log, "share=") {
		t.Errorf("the log does not tell of the link: %s", log)
	}
}

func TestEachLinkHasItsOwnKeptPages(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	all, few, old := w.Share(nil), w.Share(func(n *sharing.Draft) { n.Pages = sharing.Pages[:1] }), w.Share(fixed)
	person, b := w.SignedIn(), w.Browser()
	for range 2 {
		pages := map[string]string{"person": person.Get("/stores/acme").Body}
		for name, link := range map[string]string{"all": all, "few": few, "old": old} {
			pages[name] = strings.ReplaceAll(b.Get(link).Body, link, "")
		}
		for name, has := range map[string][]string{
			"person": {"Do next", "/stores/acme/offers", "21 Oct – 19 Nov 2026"},
			"all":    {"/offers/acme-offer-1", "21 Oct – 19 Nov 2026"}, "few": {"21 Oct – 19 Nov 2026"}, "old": {"21 – 31 Oct 2026", "/offers"},
		} {
			for _, text := range has {
				if !strings.Contains(pages[name], text) {
					t.Errorf("%s lacks %q", name, text)
				}
			}
		}
		if strings.Contains(pages["few"], "/offers") || strings.Contains(pages["old"], "19 Nov") || strings.Contains(pages["all"], "Do next") {
			t.Error("one reader met another's page")
		}
	}
}

func TestALinksNumbersAreThoseOfThePageAndTheJSONAPI(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	link, b := w.Share(nil), w.Browser()
	api := w.APIClient(w.Token(webtest.Own))
	read := func(c *webtest.Browser, path string) map[string]any {
		t.Helper()
		var out map[string]any
		r := c.Get(path)
		if err := json.Unmarshal([]byte(r.Body), &out); err != nil || r.Status != 200 {
			t.Fatalf("%s: %d %v", path, r.Status, err)
		}
		return out
	}
	shared := read(b, link+"/overview.json")
	for part, path := range map[string]string{"summary": "summary", "placements": "placements", "gift": "gift/analytics"} {
		got, want := shared[part].(map[string]any), read(api, "/api/v1/stores/acme/"+path+"?compare=none")
		for _, name := range []string{"currency", "total_upsold_value", "total_upsold_orders", "offer_views", "upsell_success_rate", "provenance"} {
			if fmt.Sprint(got[name]) != fmt.Sprint(want[name]) {
				t.Errorf("%s.%s: %v, the JSON API has %v", part, name, got[name], want[name])
			}
		}
		if part == "gift" {
			value := func(m map[string]any, of string) any { return m[of].(map[string]any)["value"] }
			if value(got, "revenue") != value(want, "revenue") || value(got, "revenue") == nil {
				t.Errorf("gift revenue %v, the JSON API has %v", got["revenue"], want["revenue"])
			}
		}
	}
	if page := b.Get(link).Body; !strings.Contains(page, "$3,007") || !strings.Contains(page, "Acme Foods") || !strings.Contains(page, "Until") {
		t.Error("the page lacks the window's value, the store's name or the link's end")
	}
	rows := strings.Split(strings.TrimSpace(b.Get(link+"/history.csv").Body), "\n")
	if len(rows) != 31 {
		t.Errorf("%d rows of 30 days", len(rows))
	}
	if person := w.SignedIn().Get("/stores/acme/history.csv").Body; person != b.Get(link+"/history.csv").Body {
		t.Error("the link's file is another than a person's of the same days")
	}
	if head, _, _ := strings.Cut(b.Get(link+"/offers.csv").Body, "\n"); strings.Contains(head, "all_time") || strings.Contains(head, "url") || !strings.Contains(head, "status") {
		t.Errorf("columns %s", head)
	}
	if head, _, _ := strings.Cut(b.Get(w.Share(fixed)+"/offers.csv").Body, "\n"); strings.Contains(head, "status") {
		t.Errorf("columns of days that stay: %s", head)
	}
}
