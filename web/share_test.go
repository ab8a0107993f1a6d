package web

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

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
)

// ownLinkSecret is that of a link to everything of the own store that a link can show.
var ownLinkSecret = strings.Repeat("A", 43)

// ownLink makes that link.
func (w *world) ownLink() {
	w.t.Helper()
	w.exec(`insert into shares (store_id, token_hash, label, pages, preset, created_by, created_at, expires_at)
		select s.id, sha256(convert_to($1, 'UTF8')), 'For everybody', '{overview,placements,offers,gift}', 'last_30_days', $2, $3, $3::timestamptz + interval '30 days'
		from stores s where s.slug = $4`, ownLinkSecret, w.person.ID, w.clock.now(), own)
}

// scoped is the store as the world's person holds it.
func (w *world) scoped(slug string) db.ScopedStore {
	w.t.Helper()
	scope, err := w.db.ScopeOfPerson(w.t.Context(), w.person.ID)
	w.must(err)
	store, err := w.db.Store(w.t.Context(), scope, slug)
	w.must(err)
	return store
}

// share makes a link to all pages of the last 30 days, changed as wanted, and
// returns its address.
func (w *world) share(change func(*access.NewShare)) string {
	w.t.Helper()
	n := access.NewShare{
		By: w.person.ID, Label: "For the board", Pages: access.SharePages, Window: access.ShareWindow{Preset: "last_30_days"},
		Until: w.clock.now().AddDate(0, 0, 30),
	}
	if change != nil {
		change(&n)
	}
	secret, err := w.access.CreateShare(w.t.Context(), w.scoped(own), n)
	w.must(err)
	return "/share/" + secret
}

const sharePassword = "copper kettle on a rope"

func withPassword(n *access.NewShare) { n.Password = sharePassword }

var october = access.ShareWindow{Start: civil.Date{Year: 2026, Month: 10, Day: 21}, End: civil.Date{Year: 2026, Month: 10, Day: 31}}

func fixed(n *access.NewShare) { n.Window = october }

// sharedAddresses are everything that can be read below a link, with the page that
// each belongs to.
func (w *world) sharedAddresses() map[string]access.SharePage {
	out := map[string]access.SharePage{}
	for _, r := range w.server.parts.share.LinkRoutes() {
		if r.Method != "GET" {
			continue
		}
		below := strings.TrimPrefix(address(r, own), "/share/"+ownLinkSecret)
		page := access.ShareOverview
		for _, p := range []access.SharePage{access.SharePlacements, access.ShareOffers, access.ShareGifts} {
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
	w := newWorld(t)
	addresses := w.sharedAddresses()
	forms := map[string]int{}
	for below := range addresses {
		forms[regexp.MustCompile(`\.\w+$`).FindString(below)]++
	}
	if forms[""] != 6 || forms[".csv"] != 7 || forms[".xlsx"] != 7 || forms[".json"] != 6 {
		t.Errorf("addresses: %v", forms)
	}
	// unlocked is a browser that has given the password.
	unlocked := func(link string) *browser {
		t.Helper()
		b := w.browser()
		if r := b.post(link, url.Values{"password": {sharePassword}, "next": {link + "/offers"}}); r.status != http.StatusSeeOther || r.header.Get("Location") != link+"/offers" {
			t.Fatalf("the password gives %d to %q: %s", r.status, r.header.Get("Location"), r.body)
		}
		return b
	}
	locked, other := w.share(withPassword), w.share(withPassword)
	stolen := w.browser() // the key of another link, at this one's address
	stolen.header.Set("Cookie", w.server.parts.share.CookieName()+"="+keyOf(unlocked(other), other))
	forged := w.browser()
	forged.header.Set("Cookie", w.server.parts.share.CookieName()+"="+strings.Repeat("A", 54))
	ended := func(sql string) string {
		link := w.share(nil)
		w.exec(sql+" where token_hash = sha256(convert_to($1, 'UTF8'))", strings.TrimPrefix(link, "/share/"))
		return link
	}
	for name, c := range map[string]struct {
		link string
		as   *browser
		// want is the status of every address.
		want int
		ask  string
	}{
		"right":                  {link: w.share(nil), want: 200},
		"right, days that stay":  {link: w.share(fixed), want: 200},
		"other days":             {link: w.share(nil), ask: "?window=last_7_days", want: 400},
		"days of its own asked":  {link: w.share(fixed), ask: "?start=2026-10-21&end=2026-10-31", want: 400},
		"a comparison":           {link: w.share(nil), ask: "?compare=previous", want: 400},
		"a stranger's parameter": {link: w.share(nil), ask: "?utm_source=mail", want: 200},
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
			b = w.browser()
		}
		for below := range addresses {
			r := b.get(c.link + below + c.ask)
			if r.status != c.want {
				t.Errorf("%s: %s gives %d, want %d: %.200s", name, below, r.status, c.want, r.body)
			}
			if text := wholeText(r); (c.want == 403 || c.want == 404) && (strings.Contains(text, "Acme") || strings.Contains(text, "/stores") || strings.Contains(text, "For the board")) {
				t.Errorf("%s: %s tells of the store: %s", name, below, text)
			}
			if leak := leaks(r); leak != "" {
				t.Errorf("%s: %s shows %q", name, below, leak)
			}
		}
	}
	// A page that was not chosen, and ids of another store.
	for below, page := range addresses {
		link := w.share(func(n *access.NewShare) {
			n.Pages = slices.DeleteFunc(slices.Clone(access.SharePages), func(p access.SharePage) bool { return p == page })
		})
		want := 404
		if below == "" { // leads to the first page that was
			want = 303
		}
		if r := w.browser().get(link + below); r.status != want || want == 303 && r.header.Get("Location") != link+"/placements" {
			t.Errorf("%s, not chosen: %d to %q", below, r.status, r.header.Get("Location"))
		}
		if strings.Contains(below, "acme-") {
			for _, id := range []string{"birch-", "nothing-", "%00-"} {
				if r := w.browser().get(w.share(nil) + strings.Replace(below, "acme-", id, 1)); r.status != 404 || leaks(r) != "" {
					t.Errorf("%s of %s: %d, %q", below, id, r.status, leaks(r))
				}
			}
		}
	}
	open := w.share(nil)
	for _, c := range []struct {
		what, sql string
		want      int
	}{
		{"paused", `update stores set paused_at = now() where slug = $1`, 200}, // what is stored stays what it is
		{"removed", `update stores set removed_at = now() where slug = $1`, 404},
		{"brought back", `update stores set removed_at = null where slug = $1`, 200},
	} {
		w.exec(c.sql, own)
		for below := range addresses {
			if r := w.browser().get(open + below); r.status != c.want {
				t.Errorf("%s of a store that is %s: %d", below, c.what, r.status)
			}
		}
	}
}

// keyOf is what the browser keeps of the link's password.
func keyOf(b *browser, link string) string {
	u, err := url.Parse(b.w.http.URL + link)
	b.w.must(err)
	for _, cookie := range b.client.Jar.Cookies(u) {
		return cookie.Value
	}
	b.w.t.Fatal("no key is kept")
	return ""
}

func TestLinksThatDoNotWorkCantBeToldApart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	// ended makes a link that works no more by what is done to it.
	ended := func(sql string) string {
		link := w.share(withPassword)
		w.exec(sql+` where token_hash = sha256(convert_to($1, 'UTF8'))`, strings.TrimPrefix(link, "/share/"))
		return link
	}
	revoked := ended(`update shares set revoked_at = now()`)
	expired := ended(`update shares set expires_at = '2026-11-20 15:30:20Z'`)
	unmade := ended(`update shares set created_by = null`)
	removed := ended(`update shares set store_id = (select id from stores where slug = 'birch')`)
	w.exec(`update stores set removed_at = now() where slug = 'birch'`)
	for _, below := range []string{"", "/offers", "/history.csv", "/overview.json"} {
		strip := func(r response) string {
			id := r.header.Get("X-Request-Id")
			return strings.NewReplacer(id, "", strings.ToLower(id), "").Replace(r.body)
		}
		b := w.browser()
		first := b.get(revoked + below)
		for _, link := range []string{expired, unmade, removed, "/share/" + strings.Repeat("E", 43), "/share/x", "/share/" + strings.Repeat("9", 500)} {
			if r := b.get(link + below); r.status != first.status || strip(r) != strip(first) || r.header.Get("Content-Type") != first.header.Get("Content-Type") {
				t.Errorf("%s%s: %d %s\n%d %s", link, below, r.status, strip(r), first.status, strip(first))
			}
		}
	}
	// What is no address at all below /share is answered the same, and not by sign-in,
	// whose address would hold the secret.
	for _, path := range []string{"/share", "/share/", "/Share/x", "/share%2Fx", "/share/x/sync", revoked + "/settings", revoked + "/replies", revoked + "/"} {
		if r := w.signedIn().get(path); r.status != 404 || !strings.Contains(r.body, "This link does not work") {
			t.Errorf("%s: %d to %q", path, r.status, r.header.Get("Location"))
		}
	}
}

func TestAThousandForgedLinksOpenNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := strings.TrimPrefix(w.share(nil), "/share/")
	const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.~%"
	b := w.browser()
	for n := range 1000 { // one sign of the right one is another
		at := n % len(secret)
		sign := signs[n/len(secret)*3%len(signs)]
		forged := secret[:at] + string(sign) + secret[at+1:]
		if forged == secret {
			forged = secret + string(sign)
		}
		if r := b.get("/share/" + url.PathEscape(forged)); r.status != 404 || strings.Contains(r.body, "Acme") {
			t.Fatalf("%q: %d", forged, r.status)
		}
	}
	if n := w.hits(); n != 0 {
		t.Errorf("%d hits", n)
	}
}

func (w *world) hits() (n int) {
	w.t.Helper()
	w.must(w.db.Pool.QueryRow(w.t.Context(), "select coalesce(sum(hits), 0) from shares").Scan(&n))
	return n
}

func TestOnlyPagesThatWereShownCountAsHits(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link, locked := w.share(nil), w.share(withPassword)
	b := w.browser()
	r := b.get(link)
	for _, path := range []string{link + "/offers", link + "/offers?query=bundle", link + "/gift"} {
		b.get(path)
	}
	if n := w.hits(); n != 4 {
		t.Errorf("%d hits after four pages", n)
	}
	for what, ask := range map[string]func() response{
		"not modified":      func() response { return b.do("GET", link, nil, http.Header{"If-None-Match": {r.header.Get("Etag")}}) },
		"HEAD":              func() response { return b.do("HEAD", link, nil, nil) },
		"a file":            func() response { return b.get(link + "/history.csv") },
		"JSON":              func() response { return b.get(link + "/overview.json") },
		"no such page":      func() response { return b.get(link + "/offers/nothing") },
		"a wrong filter":    func() response { return b.get(link + "/offers?sort=revenue") },
		"the password page": func() response { return b.get(locked) },
	} {
		if r := ask(); w.hits() != 4 {
			t.Errorf("%s (%d) was counted", what, r.status)
		}
	}
	var readers sync.WaitGroup
	for range 12 { // at once
		readers.Go(func() {
			if r := w.browser().get(link + "/placements"); r.status != 200 {
				t.Errorf("one of several readers: %d", r.status)
			}
		})
	}
	readers.Wait()
	if n := w.hits(); n != 4+12 {
		t.Errorf("%d hits after 12 more pages", n)
	}
	var last time.Time
	w.must(w.db.Pool.QueryRow(t.Context(), "select last_hit_at from shares where hits > 0").Scan(&last))
	if !last.Equal(w.clock.now().Truncate(time.Minute)) {
		t.Errorf("last hit at %v", last)
	}
}

func TestWhatALinkIsUsedForIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link := w.share(nil)
	b := w.browser()
	for range 3 {
		b.get(link)
	}
	b.get(link + "/top.xlsx")
	w.clock.add(24 * time.Hour)
	b.get(link)
	records, err := w.access.Audit(t.Context(), access.AuditFilter{Who: "share"}, 100)
	w.must(err)
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

func TestPasswordsOfALinkAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link := w.share(withPassword)
	b := w.browser()
	status := map[int]int{}
	before := w.server.Access.PasswordHashes()
	for range 40 {
		r := b.post(link, url.Values{"password": {"not the password"}})
		status[r.status]++
		if r.status == 429 && (r.header.Get("Retry-After") == "" || !strings.Contains(r.body, "and try again")) {
			t.Errorf("%v %s", r.header, r.body)
		}
		if r.status == 403 && !strings.Contains(r.body, "This is not the password") || strings.Contains(r.body, "not the password\"") {
			t.Errorf("%s", r.body)
		}
	}
	if status[403] != 20 || status[429] != 20 || w.server.Access.PasswordHashes()-before != 20 {
		t.Errorf("%v, %d passwords were hashed", status, w.server.Access.PasswordHashes()-before)
	}
	if r := b.post(link, url.Values{"password": {sharePassword}}); r.status != 429 {
		t.Errorf("the right one, too late: %d", r.status)
	}
	w.clock.add(10 * time.Minute)
	if r := b.post(link, url.Values{"password": {sharePassword}}); r.status != 303 || r.header.Get("Location") != link {
		t.Errorf("the right one, later: %d to %q", r.status, r.header.Get("Location"))
	}
	if r := b.get(link); r.status != 200 {
		t.Errorf("then the page: %d", r.status)
	}
	w.clock.add(access.ShareKeyLife)
	if r := b.get(link); r.status != 403 {
		t.Errorf("twelve hours later: %d", r.status)
	}
}

func TestThePasswordPageTellsNothingAndLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	for base, cookie := range map[string]string{"http://localhost:8080": "storeglass-share=", "https://reports.example.com": "__Secure-storeglass-share="} {
		w := newWorldAt(t, base)
		link := w.share(withPassword)
		b := w.browser()
		r := b.get(link + "/offers?query=%3Cb%3E")
		for _, never := range []string{"Acme", "acme", "Offers", "For the board", "Ada", "2026"} {
			if strings.Contains(r.body, never) {
				t.Errorf("the page holds %q", never)
			}
		}
		if !strings.Contains(r.body, "<title>A shared report · Storeglass</title>") || !strings.Contains(r.body, `name="next" value="`+link+`/offers?query=%3Cb%3E"`) {
			t.Error(r.body)
		}
		for _, next := range []string{"https://evil.example/", "//evil.example", link + "/../../people", "/stores/acme", "/share/" + strings.Repeat("E", 43), link + "x", ""} {
			r := b.post(link, url.Values{"password": {sharePassword}, "next": {next}})
			if r.status != 303 || r.header.Get("Location") != link {
				t.Errorf("next %q leads to %q (%d)", next, r.header.Get("Location"), r.status)
			}
			if set := r.header.Get("Set-Cookie"); set != "" {
				for _, part := range []string{cookie, "; Path=" + link + ";", "; HttpOnly", "; SameSite=Lax", "Max-Age=43200"} {
					if !strings.Contains(set, part) {
						t.Errorf("cookie %q lacks %q", set, part)
					}
				}
				if strings.HasPrefix(base, "https") != strings.Contains(set, "; Secure") {
					t.Errorf("cookie %q over %s", set, base)
				}
			}
		}
	}
}

func TestALinkAndASessionGrantNothingToEachOther(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link := w.share(func(n *access.NewShare) { n.Pages = []access.SharePage{access.ShareGifts} })
	locked := w.share(withPassword)
	person := w.signedIn()
	for path, want := range map[string]int{link + "/gift": 200, link + "/offers": 404, link + "/sync": 404, link + "/gift?window=last_7_days": 400, locked: 403} {
		if r := person.get(path); r.status != want {
			t.Errorf("signed in, %s: %d, want %d", path, r.status, want)
		}
	}
	page := person.get(link + "/gift").body
	for _, never := range []string{"Ada", w.csrf(), "/sign-out", "/stores/", "Sync"} {
		if strings.Contains(page, never) {
			t.Errorf("signed in, the link's page holds %q", never)
		}
	}
	reader := w.browser()
	reader.post(locked, url.Values{"password": {sharePassword}})
	reader.header.Set("Cookie", w.server.parts.share.CookieName()+"="+keyOf(reader, locked))
	for _, path := range []string{"/", "/stores/acme", "/stores/acme/history.csv", "/stores/acme/sync"} {
		if r := reader.get(path); r.status != 303 || !strings.HasPrefix(r.header.Get("Location"), "/sign-in") {
			t.Errorf("with a link's key, %s: %d", path, r.status)
		}
	}
	if r := reader.get("/api/v1/stores"); r.status != 401 {
		t.Errorf("with a link's key, the JSON API: %d", r.status)
	}
	for name, values := range map[string]string{"Authorization": "Bearer " + w.token(own), "Cookie": "storeglass=x"} {
		b := w.browser()
		b.header.Set(name, values)
		if r := b.get(link + "/offers"); r.status != 404 {
			t.Errorf("with %s: %d", name, r.status)
		}
	}
}

var addressed = regexp.MustCompile(`(?:href|src|action|content)="([^"]*)"`)

func TestPagesOfALinkLeadNowhereElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`update credentials set state = 'paused', paused_at = $1, paused_cause = 'INVALID_KEY', paused_text = 'The token was refused. Make a new one.'`, w.clock.now())
	for name, link := range map[string]string{"moving": w.share(nil), "fixed": w.share(fixed), "one page": w.share(func(n *access.NewShare) { n.Pages = access.SharePages[:1] })} {
		b := w.browser()
		for below := range w.sharedAddresses() {
			r := b.get(link + below)
			text := wholeText(r)
			for _, never := range []string{
				"/stores/", "admin.example", "Raw reply", "/replies", "Ada", "ada@example.com", "csrf", "/sign-", "og:", "What to do next", "refused", "Make a new one",
				"needs attention", "acme.example.com", "123456.78", "See the pulls", "Birch", canary,
			} {
				if strings.Contains(text, never) {
					t.Errorf("%s: %s holds %q", name, below, never)
				}
			}
			for _, m := range addressed.FindAllStringSubmatch(r.body, -1) {
				to := m[1]
				if strings.HasPrefix(to, "/static/") || strings.HasPrefix(to, "#") || to == link || strings.HasPrefix(to, link+"/") || strings.HasPrefix(to, link+"?") {
					if strings.HasPrefix(to, link) {
						if got := b.get(strings.ReplaceAll(to, "&amp;", "&")); got.status != 200 {
							t.Errorf("%s: %s leads to %s, which gives %d", name, below, strings.TrimPrefix(to, link), got.status)
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
	w := newWorld(t)
	link, locked := w.share(nil), w.share(withPassword)
	b := w.browser()
	for _, path := range []string{link, link + "/offers", link + "/history.csv", link + "/top.xlsx", link + "/gift.json", link + "/nothing", link + "?window=all", locked, "/share/x", "/share/x/history.csv"} {
		for _, method := range []string{"GET", "HEAD", "DELETE"} {
			r := b.do(method, path, nil, nil)
			for name, want := range map[string]string{"Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex, nofollow, noarchive", "Cache-Control": "no-store"} {
				if got := r.header.Values(name); len(got) != 1 || got[0] != want {
					t.Errorf("%s %s (%d): %s is %q", method, path, r.status, name, got)
				}
			}
		}
	}
	if r := b.do("DELETE", locked, nil, nil); r.status != 404 || strings.Contains(r.body, "Acme") {
		t.Errorf("another method tells of the store: %d", r.status)
	}
	if r := b.get("/robots.txt"); r.status != 200 || r.body != "User-agent: *\nDisallow: /\n" {
		t.Errorf("robots.txt: %d %q", r.status, r.body)
	}
	log := w.log.String()
	for _, secret := range []string{strings.TrimPrefix(link, "/share/"), strings.TrimPrefix(locked, "/share/")} {
		if strings.Contains(log, secret) {
			t.Error("the log holds a link's secret")
		}
		if n := w.storedTexts(`select a::text from audit a where a::text like '%' || $1 || '%'`, secret); len(n) > 0 {
			t.Errorf("the audit log holds a link's secret: %q", n)
		}
	}
	if !strings.Contains(log, "route=/share/:token/offers") || !strings.Contains(log, "share=") {
		t.Errorf("the log does not tell of the link: %s", log)
	}
}

func TestEachLinkHasItsOwnKeptPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	all, few, old := w.share(nil), w.share(func(n *access.NewShare) { n.Pages = access.SharePages[:1] }), w.share(fixed)
	person, b := w.signedIn(), w.browser()
	for range 2 {
		pages := map[string]string{"person": person.get("/stores/acme").body}
		for name, link := range map[string]string{"all": all, "few": few, "old": old} {
			pages[name] = strings.ReplaceAll(b.get(link).body, link, "")
		}
		for name, has := range map[string][]string{
			"person": {"What to do next", "/stores/acme/offers", "21 Oct – 19 Nov 2026"},
			"all":    {"/offers/acme-offer-1", "21 Oct – 19 Nov 2026"}, "few": {"21 Oct – 19 Nov 2026"}, "old": {"21 – 31 Oct 2026", "/offers"},
		} {
			for _, text := range has {
				if !strings.Contains(pages[name], text) {
					t.Errorf("%s lacks %q", name, text)
				}
			}
		}
		if strings.Contains(pages["few"], "/offers") || strings.Contains(pages["old"], "19 Nov") || strings.Contains(pages["all"], "What to do next") {
			t.Error("one reader met another's page")
		}
	}
}

func TestALinksNumbersAreThoseOfThePageAndTheJSONAPI(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	link, b := w.share(nil), w.browser()
	api := w.apiClient(w.token(own))
	read := func(c *browser, path string) map[string]any {
		t.Helper()
		var out map[string]any
		r := c.get(path)
		if err := json.Unmarshal([]byte(r.body), &out); err != nil || r.status != 200 {
			t.Fatalf("%s: %d %v", path, r.status, err)
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
	if page := b.get(link).body; !strings.Contains(page, "$3,007") || !strings.Contains(page, "Acme Foods") || !strings.Contains(page, "Until") {
		t.Error("the page lacks the window's value, the store's name or the link's end")
	}
	rows := strings.Split(strings.TrimSpace(b.get(link+"/history.csv").body), "\n")
	if len(rows) != 31 {
		t.Errorf("%d rows of 30 days", len(rows))
	}
	if person := w.signedIn().get("/stores/acme/history.csv").body; person != b.get(link+"/history.csv").body {
		t.Error("the link's file is another than a person's of the same days")
	}
	if head, _, _ := strings.Cut(b.get(link+"/offers.csv").body, "\n"); strings.Contains(head, "all_time") || strings.Contains(head, "url") || !strings.Contains(head, "status") {
		t.Errorf("columns %s", head)
	}
	if head, _, _ := strings.Cut(b.get(w.share(fixed)+"/offers.csv").body, "\n"); strings.Contains(head, "status") {
		t.Errorf("columns of days that stay: %s", head)
	}
}

// outside are, by table, the own store's rows that a link to the days must tell
// nothing of.
func outside(w *world, window access.ShareWindow) map[string]string {
	store := w.storedTexts(`select id::text from stores where slug = $1`, own)[0]
	of := "store_id = " + store
	windowed := fmt.Sprintf("%s and (window_start < '%s' or window_end > '%s')", of, window.Start, window.End)
	rows := map[string]string{}
	for _, table := range []string{"summaries", "placement_stats", "top_lists", "top_offers", "gift_windows"} {
		rows[table] = windowed
	}
	for _, table := range []string{ // no day, or all time
		"lifetimes", "coverage", "gift_health", "gift_plans", "gift_plan_days", "gift_widgets", "gift_widget_settings", "gift_translations",
		"gift_settings", "offer_recommendations", "replies", "credentials",
	} {
		rows[table] = of
	}
	return rows
}

func canariesOutside(w *world, rows map[string]string) *spread {
	w.t.Helper()
	s := &spread{w: w, rows: rows}
	for table := range rows {
		if n := len(w.storedTexts(`select '' from ` + table + ` where ` + rows[table])); n == 0 {
			w.t.Errorf("%s has no row outside", table)
		}
		for _, c := range w.columnsOf(table) {
			s.column(table, c[0], c[1])
		}
	}
	return s
}

func TestALinkTellsNothingOfOtherDays(t *testing.T) {
	t.Parallel()
	for name, window := range map[string]access.ShareWindow{"days that stay": october, "days that move": {Preset: "last_7_days"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			days := window
			if !window.Fixed() {
				days = access.ShareWindow{Start: civil.Date{Year: 2026, Month: 11, Day: 13}, End: civil.Date{Year: 2026, Month: 11, Day: 19}}
			}
			// today, which is not over, as the pages of people show it
			w.exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, offer_views, currency, source, asked_start, asked_end, partial, fetched_at)
				select id, '2026-11-20', '2026-11-20', 7, 7, 7, 7, 'USD', 'merchant', '2026-11-20', '2026-11-20', true, $2 from stores where slug = $1`, own, w.clock.now())
			// the store's answer for exactly these days compares with the days before
			w.exec(`insert into gift_windows (store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached, orders, revenue, orders_previous, revenue_previous,
					orders_change, revenue_change, conversion_rate_unit, fetched_at, basis)
				select id, $2, $3, false, 7, 'UTC', 'USD', false, 60, 900.10, 91739991, 91739992, 91739993, 91739994, 'percentage', $4, 'reported' from stores where slug = $1`,
				own, days.Start.String(), days.End.String(), w.clock.now())
			rows := outside(w, days)
			if !window.Fixed() { // how many offers are active is told
				delete(rows, "coverage")
			}
			s := canariesOutside(w, rows)
			// All-time values beside what may be told.
			w.exec(`update offers set revenue = 91739995, url = 'https://admin.example/cnry99995'`)
			w.exec(`update coverage set recent_revenue = 91739985`)
			w.exec(`update offer_setups set body = body || '{"revenue": "91739996", "claims": 91739997, "acceptance_rate": "91739998", "url": "https://admin.example/cnry99996"}'`)
			w.exec(`insert into offer_events (store_id, offer_id, at, kind, before, after) select id, 'acme-offer-1', $2::date - 1, 'renamed', 'cnry99997', 'cnry99998' from stores where slug = $1`, own, days.Start.String())
			if window.Fixed() { // what is true now
				later := days.End.AddDays(1).String()
				w.exec(`update offers set created_at_text = $1, name = 'cnry99994' where offer_id = 'acme-offer-2'`, later+"T09:00:00")
				w.exec(`update gift_campaigns set start_date = $1, name = 'cnry99993' where campaign_id = 'acme-campaign-2'`, later+"T09:00:00Z")
				w.exec(`update gift_campaign_configs set body = '{"found": true, "giftProducts": [{"title": "cnry99992"}]}'`)
				w.exec(`update offer_setups set body = body || '{"name": "cnry99991"}'`)
				w.exec(`update offer_stages set body = '{"stages": [{"products": [{"title": "cnry99990"}]}]}'`)
				w.exec(`update offer_counts set total = 91739989, active = 91739988, scheduled = 91739987, expired = 91739986`)
			}
			link, b := w.share(func(n *access.NewShare) { n.Window = window }), w.browser()
			asked, shown := 0, 0
			addresses := w.sharedAddresses()
			addresses["/offers/acme-offer-2"], addresses["/offers?sort=oldest"], addresses["/gift/campaigns/acme-campaign-2"] = "", "", ""
			for below := range addresses {
				r := b.get(link + below)
				if r.status == 200 {
					shown++
				}
				asked++
				for _, found := range canariesIn(r) {
					t.Errorf("%s (%d) shows %s of %s", below, r.status, found, s.where(found))
				}
			}
			want := asked
			if window.Fixed() {
				want -= 2 // the later offer and the later campaign are not there
			}
			if shown != want {
				t.Errorf("%d of %d addresses answer", shown, asked)
			}
			// The canaries sing for who may see everything.
			person := w.signedIn()
			met := map[string]bool{}
			for _, path := range []string{"/stores/acme", "/stores/acme?window=all&compare=none", "/stores/acme/offers", "/stores/acme/offers/acme-offer-1", "/stores/acme/gift", "/stores/acme/placements", "/stores/acme/gift/campaigns/acme-campaign-1"} {
				for _, found := range canariesIn(person.get(path)) {
					met[found] = true
				}
			}
			if len(met) < 20 {
				t.Errorf("a person meets only %d canaries", len(met))
			}
		})
	}
}

func TestALinkToDaysThatMoveTellsWhatIsNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.browser()
	moving, stays := w.share(nil), w.share(fixed)
	for below, text := range map[string]string{
		"/offers": "Status now", "/offers/acme-offer-1": "What the customer meets", "/gift": "Status now", "/gift/campaigns/acme-campaign-1": "Configuration", "": "Status now", "/placements": "active now",
	} {
		if !strings.Contains(b.get(moving+below).body, text) {
			t.Errorf("moving%s lacks %q", below, text)
		}
		if strings.Contains(b.get(stays+below).body, text) {
			t.Errorf("fixed%s holds %q", below, text)
		}
	}
	for query, want := range map[string][2]int{"sort=name": {200, 200}, "status=active": {200, 400}, "sort=revenue": {400, 400}, "never_earned=true": {400, 400}, "sort=priority&placement=post_purchase": {200, 400}} {
		for i, link := range []string{moving, stays} {
			for _, below := range []string{"/offers", "/offers.csv", "/offers.json"} {
				if r := b.get(link + below + "?" + query); r.status != want[i] {
					t.Errorf("%s?%s: %d, want %d", below, query, r.status, want[i])
				}
			}
		}
	}
}
