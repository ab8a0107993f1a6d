package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

// admin is another person, who manages people, and a browser in which they are signed in.
func (w *world) admin(email string) (access.Person, *browser) {
	w.t.Helper()
	p, err := w.access.CreatePerson(w.t.Context(), email, "", access.Admin)
	w.must(err)
	return p, w.signedInAs(p)
}

// submit is send for forms that may hold a field more than once.
func (b *browser) submit(path string, form url.Values) response {
	b.w.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	form.Set("csrf", b.csrf())
	return b.post(path, form)
}

func TestOnlyWhoManagesPeopleReachesTheirPages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, admin := w.admin("root@example.com")
	var paths []string
	for _, r := range w.server.routes() {
		if r.Needs == access.Manage {
			paths = append(paths, r.Method+" "+r.Path)
		}
	}
	if len(paths) < 16 {
		t.Fatalf("few routes are for who manages people: %v", paths)
	}
	for _, role := range []access.Role{access.Viewer, access.Agency, access.Merchant} {
		w.exec(`update people set role = $1 where id = $2`, string(role), w.person.ID)
		b := w.signedIn()
		for _, line := range paths {
			method, path, _ := strings.Cut(line, " ")
			path = strings.NewReplacer(":id", fmt.Sprint(w.person.ID), ":slug", own).Replace(path)
			var r response
			if method == "GET" {
				r = b.get(path)
			} else {
				r = b.submit(path, nil)
			}
			if r.status != http.StatusForbidden || strings.Contains(r.body, "root@example.com") {
				t.Errorf("%s: %s gives %d", role, line, r.status)
			}
		}
		if body := b.get("/stores/acme").body; strings.Contains(body, "/people") {
			t.Errorf("%s is offered the people's pages", role)
		}
	}
	for _, path := range []string{"/people", "/people/new", site.PersonPath(w.person.ID), "/audit"} {
		if r := admin.get(path); r.status != http.StatusOK || !strings.Contains(r.body, `href="/people"`) {
			t.Errorf("an admin gets %d at %s", r.status, path)
		}
	}
}

func TestThePeopleListTellsStatesRolesAndStores(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	_, b := w.admin("root@example.com")
	w.signedIn()
	g, err := w.access.AddGroup(ctx, "North <b>")
	w.must(err)
	w.must(w.access.GrantPersonGroup(ctx, w.person.ID, g.ID))
	_, _, _, err = w.access.InvitePerson(ctx, access.Invite{Email: "new@example.com"})
	w.must(err)
	gone, err := w.access.CreatePerson(ctx, "gone@example.com", "", "")
	w.must(err)
	w.must(w.access.DisablePerson(ctx, gone.ID))
	body := b.get("/people").body
	for _, want := range []string{
		"4 people: 1 admin, 1 invited, 1 disabled", "Ada Byron King", "merchant", "group North &lt;b&gt;, Acme Foods", "20 Nov 2026", "15:30 UTC",
		"until 23 Nov, 15:30 UTC", "Disabled", "every store",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	// Whoever has no working invitation and never came is no active person.
	w.clock.add(access.InvitationLife)
	if body := b.get("/people").body; !strings.Contains(body, "no invitation works") {
		t.Error("an invitation that is over is not told")
	}
}

func TestSomebodyIsInvitedAndTheLinkIsShownOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	g, err := w.access.AddGroup(t.Context(), "North")
	w.must(err)
	r := b.submit("/people", url.Values{
		"email": {" Noor@Example.com "}, "name": {"Noor"}, "role": {"agency"}, "life": {"30m"}, "group": {fmt.Sprint(g.ID)}, "store": {own},
	})
	link := regexp.MustCompile(`http://localhost:8080/invitation/([A-Za-z0-9_-]{43})`).FindStringSubmatch(r.body)
	if r.status != http.StatusOK || link == nil || !strings.Contains(r.body, "20 Nov 2026, 16:00 UTC") || r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	invited, err := w.access.CheckInvitation(t.Context(), link[1])
	if err != nil || invited.Person.Email != "Noor@Example.com" || invited.Person.Role != access.Agency || invited.By != "root" {
		t.Fatalf("%+v, %v", invited, err)
	}
	m, err := w.access.Member(t.Context(), invited.Person.ID)
	if err != nil || !slices.Equal(m.Stores, []string{own}) || !slices.Equal(m.Groups, []string{"North"}) || m.AllStores {
		t.Errorf("%+v, %v", m, err)
	}
	if log := w.log.String(); strings.Contains(log, link[1]) {
		t.Error("the log holds the link")
	}
	if body := b.get(site.PersonPath(m.ID)).body; strings.Contains(body, link[1]) {
		t.Error("the link is shown again")
	}
	again := b.submit(site.PersonPath(m.ID)+"/invitation", url.Values{"life": {"168h"}})
	newer := regexp.MustCompile(`/invitation/([A-Za-z0-9_-]{43})`).FindStringSubmatch(again.body)
	if again.status != http.StatusOK || newer == nil || newer[1] == link[1] {
		t.Fatalf("%d %s", again.status, again.body)
	}
	if _, err := w.access.CheckInvitation(t.Context(), link[1]); err == nil {
		t.Error("the first link still works")
	}
	if r := b.submit(site.PersonPath(m.ID)+"/invitation/withdraw", nil); r.header.Get("Location") != "/people?done=withdrawn" {
		t.Errorf("%d", r.status)
	}
	if _, err := w.access.CheckInvitation(t.Context(), newer[1]); err == nil {
		t.Error("a link that was taken back works")
	}
	if r := b.get(site.PersonPath(m.ID)); r.status != http.StatusNotFound {
		t.Errorf("who was never there has a page: %d", r.status)
	}
}

func TestInvitationsThatCantBeAreAnsweredWithTheFormAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	good := url.Values{"email": {"noor@example.com"}, "name": {"Noor <i>"}, "role": {"viewer"}, "life": {"72h"}, "store": {own}}
	for name, c := range map[string]struct {
		field, value string
		status       int
		says         string
	}{
		"no address":         {"email", "noor", 409, "This is not a mail address"},
		"two addresses":      {"email", "a@example.com, b@example.com", 409, "This is not a mail address"},
		"somebody there":     {"email", "ADA@example.com", 409, "is listed already"},
		"a name on lines":    {"name", "a\nb", 400, "no line breaks"},
		"a name turned":      {"name", "a\u202eb", 400, "no line breaks"},
		"a name without end": {"name", strings.Repeat("é", 101), 400, "too long"},
		"no role":            {"role", "owner", 400, "Choose a role"},
		"a life of its own":  {"life", "1000h", 400, "how long"},
		"an unknown store":   {"store", "nowhere", 409, "not there any more"},
		"every store hidden": {"store", "*", 400, "not there any more"},
		"an unknown group":   {"group", "999", 409, "not there any more"},
		"no group":           {"group", "x", 400, "not there any more"},
	} {
		form := url.Values{}
		for k, v := range good {
			form[k] = slices.Clone(v)
		}
		form.Set(c.field, c.value)
		r := b.submit("/people", form)
		if r.status != c.status || !strings.Contains(r.body, c.says) {
			t.Errorf("%s: %d", name, r.status)
		}
		if c.field != "name" && !strings.Contains(r.body, `value="Noor &lt;i&gt;"`) {
			t.Errorf("%s: the form lost what was typed", name)
		}
	}
	var n int
	w.must(w.db.Pool.QueryRow(t.Context(), `select count(*) from people`).Scan(&n))
	if n != 2 {
		t.Errorf("%d people", n)
	}
}

func TestAPersonsStoresChangeAtTheirNextRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	_, admin := w.admin("root@example.com")
	ada, page := w.signedIn(), site.PersonPath(w.person.ID)
	g, err := w.access.AddGroup(ctx, "North")
	w.must(err)
	group := url.Values{"group": {fmt.Sprint(g.ID)}}
	sees := func(what string, want bool) {
		t.Helper()
		for _, path := range []string{"/stores/" + foreign, "/stores/" + foreign + "/history.csv"} {
			if got := ada.get(path).status == http.StatusOK; got != want {
				t.Errorf("%s: sees %s: %v", what, path, got)
			}
		}
	}
	does := func(path string, form url.Values) {
		t.Helper()
		if r := admin.submit(path, form); r.status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", path, r.status, r.body)
		}
	}
	sees("before", false)
	does(page+"/grants", group)
	sees("an empty group", false)
	w.must(w.access.AddStoreToGroup(ctx, g.ID, foreign))
	sees("a store came into the group", true)
	_, err = w.access.TakeStoreFromGroup(ctx, g.ID, foreign)
	w.must(err)
	sees("it left the group", false)
	w.must(w.access.AddStoreToGroup(ctx, g.ID, foreign))
	does(page+"/grants/take", group)
	sees("the group was taken back", false)
	does(page+"/grants", url.Values{"store": {foreign}})
	sees("the store was given", true)
	does(page+"/grants/take", url.Values{"store": {foreign}})
	does(page+"/grants/take", url.Values{"store": {foreign}}) // twice changes nothing
	sees("the store was taken back", false)
	does(page+"/grants", url.Values{"every": {"true"}})
	sees("every store was given", true)
	does(page+"/grants/take", url.Values{"every": {"true"}})
	sees("every store was taken back", false)
	does(page+"/role", url.Values{"role": {"admin"}})
	sees("an admin", true)
	if r := ada.get("/people"); r.status != http.StatusOK {
		t.Errorf("the new admin gets %d", r.status)
	}
	does(page+"/role", url.Values{"role": {"viewer"}})
	sees("a viewer", false)
	if r := ada.submit("/stores/acme/sync/pull", nil); r.status != http.StatusForbidden {
		t.Errorf("a viewer asks for pulls: %d", r.status)
	}
	does(page+"/disable", nil)
	if r := ada.get("/stores/" + own); r.status != http.StatusSeeOther {
		t.Errorf("who was disabled gets %d", r.status)
	}
	does(page+"/enable", nil)
	if r := ada.get("/stores/" + own); r.status != http.StatusSeeOther {
		t.Errorf("a session of before lives again: %d", r.status)
	}
	if r := w.signedIn().get("/stores/" + own); r.status != http.StatusOK {
		t.Errorf("who was enabled gets %d", r.status)
	}
}

// What changes who gets in takes somebody who proved lately who they are: a browser
// that was left open is not enough.
func TestWhatChangesWhoGetsInTakesAFreshSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	w.signedIn()
	w.clock.add(site.ProvedFor)
	page := site.PersonPath(w.person.ID)
	for path, back := range map[string]string{
		"GET /people/new": "/people/new", "POST /people": "/people/new", "POST " + page + "/role": page, "POST " + page + "/grants": page, "POST " + page + "/grants/take": page,
		"POST " + page + "/disable": page, "POST " + page + "/enable": page, "POST " + page + "/sessions/end": page, "POST " + page + "/link": page,
		"POST " + page + "/invitation": page, "POST " + page + "/invitation/withdraw": page,
	} {
		method, path, _ := strings.Cut(path, " ")
		var r response
		if method == "GET" {
			r = b.get(path)
		} else {
			r = b.submit(path, url.Values{"role": {"admin"}, "store": {foreign}, "life": {"1h"}, "email": {"new@example.com"}})
		}
		if want := "/account/confirm?next=" + url.QueryEscape(back); r.status != http.StatusSeeOther || r.header.Get("Location") != want {
			t.Errorf("%s: %d to %s", path, r.status, r.header.Get("Location"))
		}
	}
	m, err := w.access.Member(t.Context(), w.person.ID)
	if err != nil || m.Role != access.Merchant || m.Disabled || !slices.Equal(m.Stores, []string{own}) {
		t.Errorf("%+v, %v", m, err)
	}
	if r := b.get(page); r.status != http.StatusOK {
		t.Errorf("looking takes a fresh sign-in too: %d", r.status)
	}
}

func TestSessionsOfAPersonAreEndedFromTheirPage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, admin := w.admin("root@example.com")
	one, two := w.signedIn(), w.signedIn()
	if r := admin.submit(site.PersonPath(w.person.ID)+"/sessions/end", nil); r.header.Get("Location") != site.PersonPath(w.person.ID)+"?done=ended" {
		t.Errorf("%d", r.status)
	}
	for _, b := range []*browser{one, two} {
		if r := b.get("/stores/acme"); r.status != http.StatusSeeOther {
			t.Errorf("still signed in: %d", r.status)
		}
	}
	if r := admin.get("/people"); r.status != http.StatusOK {
		t.Errorf("the admin is signed out too: %d", r.status)
	}
}

func TestAOneTimeLinkIsMadeForAPerson(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, admin := w.admin("root@example.com")
	w.signedIn()
	page := site.PersonPath(w.person.ID)
	r := admin.submit(page+"/link", url.Values{"life": {"1h"}})
	link := regexp.MustCompile(`http://localhost:8080/sign-in/([A-Za-z0-9_-]{43})`).FindStringSubmatch(r.body)
	if r.status != http.StatusOK || link == nil || !strings.Contains(r.body, "16:30 UTC") {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if r := w.browser().post("/sign-in", url.Values{"token": {link[1]}}); r.status != http.StatusSeeOther {
		t.Errorf("%d", r.status)
	}
	if r := admin.submit(page+"/link", url.Values{"life": {"1000h"}}); r.status != http.StatusBadRequest {
		t.Errorf("a link for ever: %d", r.status)
	}
	invited, _, _, err := w.access.InvitePerson(t.Context(), access.Invite{Email: "new@example.com"})
	w.must(err)
	if r := admin.submit(site.PersonPath(invited.ID)+"/link", url.Values{"life": {"1h"}}); r.status != http.StatusConflict {
		t.Errorf("a link around the invitation: %d", r.status)
	}
}

func TestWhatWouldLockEverybodyOutIsRefusedInWords(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, b := w.admin("root@example.com")
	w.signedIn()
	own, other := site.PersonPath(root.ID), site.PersonPath(w.person.ID)
	for path, form := range map[string]url.Values{own + "/role": {"role": {"viewer"}}, own + "/disable": {}} {
		if r := b.submit(path, form); r.status != http.StatusConflict || !strings.Contains(r.body, "another admin can") {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	if body := b.get(own).body; strings.Contains(body, `action="`+own+`/role"`) || strings.Contains(body, `action="`+own+`/disable"`) {
		t.Error("the page offers what is refused")
	}
	if r := b.submit(other+"/role", url.Values{"role": {"admin"}}); r.status != http.StatusSeeOther {
		t.Fatalf("%d", r.status)
	}
	ada := w.signedIn()
	if r := ada.submit(own+"/role", url.Values{"role": {"viewer"}}); r.status != http.StatusSeeOther {
		t.Fatalf("%d", r.status)
	}
	if r := b.get("/people"); r.status != http.StatusForbidden {
		t.Errorf("who was an admin gets %d", r.status)
	}
	for path, form := range map[string]url.Values{other + "/role": {"role": {"owner"}}, other + "/grants": {"store": {"NO"}}, other + "/grants/take": {}} {
		if r := ada.submit(path, form); r.status != http.StatusBadRequest {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	for _, path := range []string{"/people/0", "/people/-1", "/people/x", "/people/999", "/people/99999999999999999999"} {
		if r := ada.get(path); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.status)
		}
		if r := ada.submit(path+"/role", url.Values{"role": {"admin"}}); r.status != http.StatusNotFound {
			t.Errorf("%s/role: %d", path, r.status)
		}
	}
}

func TestTheAuditPageAndItsFilesShowCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	fail := func(times int, address string, e access.Event) {
		for range times {
			w.must(w.access.Record(access.Acting(t.Context(), access.Actor{Kind: access.ActorNobody, Address: address}), e))
		}
	}
	fail(14, "192.0.2.1", access.Event{Action: access.SignInFailed, PersonID: w.person.ID})
	for i := range 11 {
		fail(1, rotating(i), access.Event{Action: access.SignInFailed})
	}
	fail(1, "2001:db8::1", access.Event{Action: access.ShareRefused})
	page := words(b.get("/audit"))
	for _, line := range []string{
		"20 Nov 2026 25 failed sign-ins from 12 networks About ada@example.com 14 From 192.0.2.1 14 198.18.0.0 1",
		"other networks 2", "20 Nov 2026 1 wrong password for a share link from 1 network From 2001:db8::/48 1",
	} {
		if !strings.Contains(page, line) {
			t.Errorf("no %q in %s", line, page)
		}
	}
	if page := words(b.get("/audit?what=share")); strings.Contains(page, "failed sign-ins from") || !strings.Contains(page, "wrong password for a share link") {
		t.Error("counts are not filtered")
	}
	file := b.get("/audit.csv?what=sign-in.failed").body
	for _, line := range []string{
		"at,actor,name,action,what,store,subject,address,request,times",
		"2026-11-20,nobody,,sign-in.failed,Sign-in failed,,ada@example.com,192.0.2.1,,14",
		"2026-11-20,nobody,,sign-in.failed,Sign-in failed,,,198.18.0.10,,1",
	} {
		if !strings.Contains(file, line) {
			t.Errorf("no %q in %s", line, file)
		}
	}
	if r := b.get("/audit.xlsx"); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
}

func TestTheAuditPageIsFilteredPagedAndExported(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	for i := range 60 {
		w.must(w.access.Record(access.Acting(t.Context(), access.Actor{Kind: access.ActorToken, Name: "script"}),
			access.Event{Action: access.StoreTagged, Store: own, Subject: fmt.Sprintf("=tag %02d", i)}))
	}
	row := regexp.MustCompile(`=tag \d\d`)
	first := b.get("/audit?what=store.tagged")
	older := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)
	if got := row.FindAllString(first.body, -1); first.status != 200 || len(got) != 50 || got[0] != "=tag 59" || got[49] != "=tag 10" || older == nil {
		t.Fatalf("%d: %v %v", first.status, got, older)
	}
	next := b.get(strings.ReplaceAll(older[1], "&amp;", "&"))
	if got := row.FindAllString(next.body, -1); len(got) != 10 || got[0] != "=tag 09" || strings.Contains(next.body, `rel="next"`) || !strings.Contains(next.body, `href="/audit?what=store.tagged"`) {
		t.Errorf("the next page: %v", got)
	}
	for _, want := range []string{"Store’s tags changed", "script", "API token", "15:30:20 UTC", `datetime="2026-11-20T15:30:20Z"`} {
		if !strings.Contains(first.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if body := b.get("/audit?from=2026-11-21").body; !strings.Contains(body, "Nothing on record matches") {
		t.Error("the days are not taken")
	}
	if r := b.get("/audit?from=2026-11-20&to=2026-11-20&who=script&store=acme&text=tag+41"); len(row.FindAllString(r.body, -1)) != 1 {
		t.Errorf("all filters at once: %v", row.FindAllString(r.body, -1))
	}
	for query, says := range map[string]string{
		"what=store.exploded": "choose from the list", "from=yesterday": "2026-11-20", "from=2026-11-20&to=2026-11-19": "before the first", "text=%00": "broken UTF-8", "who=%ff": "broken UTF-8",
	} {
		if r := b.get("/audit?" + query); r.status != http.StatusBadRequest || !strings.Contains(r.body, says) {
			t.Errorf("%s: %d", query, r.status)
		}
		if r := b.get("/audit.csv?" + query); r.status != http.StatusBadRequest {
			t.Errorf("%s as a file: %d", query, r.status)
		}
	}
	for _, after := range []string{"x", "1-", "-1", "1-x", "99999999999999999999-1", "1-0"} {
		if r := b.get("/audit?after=" + after); r.status != http.StatusSeeOther || r.header.Get("Location") != "/audit" {
			t.Errorf("after %s: %d to %s", after, r.status, r.header.Get("Location"))
		}
	}
	w.audit()
	file := b.get("/audit.csv?what=store.tagged")
	lines := strings.Split(strings.TrimSpace(file.body), "\n")
	if file.status != 200 || len(lines) != 61 || lines[0] != "at,actor,name,action,what,store,subject,address,request,times" ||
		lines[1] != "2026-11-20T15:30:20Z,token,script,store.tagged,Store’s tags changed,acme,'=tag 59,,,1" {
		t.Errorf("%d, %d lines: %q", file.status, len(lines), lines[:2])
	}
	if r := b.get("/audit.xlsx"); r.status != 200 || r.header.Get("Content-Disposition") != `attachment; filename="audit-log.xlsx"` {
		t.Errorf("%d %v", r.status, r.header)
	}
	w.recorded("person root@example.com export.downloaded audit-log.csv", "person root@example.com export.downloaded audit-log.xlsx")
}
