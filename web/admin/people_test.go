package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestOnlyWhoManagesPeopleReachesTheirPages(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	var paths []string
	for _, r := range w.Server.Routes() {
		if r.Needs == access.Manage {
			paths = append(paths, r.Method+" "+r.Path)
		}
	}
	if len(paths) < 16 {
		t.Fatalf("few routes are for who manages people: %v", paths)
	}
	for _, role := range []access.Role{access.Viewer, access.Agency, access.Merchant} {
		w.Exec(`update people set role = $1 where id = $2`, string(role), w.Person.ID)
		b := w.SignedIn()
		for _, line := range paths {
			method, path, _ := strings.Cut(line, " ")
			path = strings.NewReplacer(":id", fmt.Sprint(w.Person.ID), ":slug", webtest.Own).Replace(path)
			var r webtest.Response
			if method == "GET" {
				r = b.Get(path)
			} else {
				r = b.Submit(path, nil)
			}
			if r.Status != http.StatusForbidden || strings.Contains(r.Body, "root@example.com") {
				t.Errorf("%s: %s gives %d", role, line, r.Status)
			}
		}
		if body := b.Get("/stores/acme").Body; strings.Contains(body, "/people") {
			t.Errorf("%s is offered the people's pages", role)
		}
	}
	for _, path := range []string{"/people", "/people/new", site.PersonPath(w.Person.ID), "/audit"} {
		if r := admin.Get(path); r.Status != http.StatusOK || !strings.Contains(r.Body, `href="/people"`) {
			t.Errorf("an admin gets %d at %s", r.Status, path)
		}
	}
}

func TestThePeopleListTellsStatesRolesAndStores(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ctx := t.Context()
	_, b := w.Admin("root@example.com")
	w.SignedIn()
	g, err := w.Access.AddGroup(ctx, "North <b>")
	w.Must(err)
	w.Must(w.Access.GrantPersonGroup(ctx, w.Person.ID, g.ID))
	_, _, _, err = w.SignIn.InvitePerson(ctx, signin.Invite{Email: "new@example.com"})
	w.Must(err)
	gone, err := w.Access.CreatePerson(ctx, "gone@example.com", "", "")
	w.Must(err)
	w.Must(w.Access.DisablePerson(ctx, gone.ID))
	body := b.Get("/people").Body
	for _, want := range []string{
		"4 people: 1 admin, 1 invited, 1 disabled", "Ada Byron King", "Merchant", "group North &lt;b&gt;, Acme Foods", "20 Nov 2026", "15:30 UTC",
		"until 23 Nov 2026, 15:30 UTC", "Disabled", "every store",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	// A person without a working invitation who never joined isn't active.
	w.Clock.Add(signin.InvitationLife)
	if body := b.Get("/people").Body; !strings.Contains(body, "no valid invitation") {
		t.Error("an invitation that is over is not told")
	}
}

func TestAnInvitationThatWasNotMailedIsToldUntilTheNext(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	p, _ := w.Invited("new@example.com")
	w.Must(w.DB.Queries().NoteAccountMail(t.Context(), sqlc.NoteAccountMailParams{Address: "NEW@example.com", Problem: locale.Text("RCPT: 550 <no>")}))
	const said = "Our last email hasn’t been delivered: RCPT: 550 &lt;no&gt;"
	for _, path := range []string{"/people", site.PersonPath(p.ID)} {
		if strings.Count(b.Get(path).Body, said) != 1 {
			t.Errorf("%s must say it once", path)
		}
	}
	if !strings.Contains(b.Get(site.PersonPath(p.ID)).Body, `<option value="72h" selected>`) {
		t.Error("a new link isn't suggested to work for as long as an invitation")
	}
	if r := b.Submit(site.PersonPath(p.ID)+"/invitation", url.Values{"life": {"72h"}}); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if strings.Contains(b.Get("/people").Body, said) {
		t.Error("a new invitation still has the problem of the one before")
	}
}

func TestSomeoneIsInvitedAndTheLinkIsShownOnce(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	g, err := w.Access.AddGroup(t.Context(), "North")
	w.Must(err)
	r := b.Submit("/people", url.Values{
		"email": {" Noor@Example.com "}, "name": {"Noor"}, "role": {"agency"}, "life": {"30m"}, "group": {fmt.Sprint(g.ID)}, "store": {webtest.Own},
	})
	link := regexp.MustCompile(`http://localhost:8080/invitation/([A-Za-z0-9_-]{43})`).FindStringSubmatch(r.Body)
	if r.Status != http.StatusOK || link == nil || !strings.Contains(r.Body, "20 Nov 2026, 16:00 UTC") || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	invited, err := w.SignIn.CheckInvitation(t.Context(), link[1])
	if err != nil || invited.Person.Email != "Noor@example.com" || invited.Person.Role != access.Agency || invited.By != "root" {
		t.Fatalf("%+v, %v", invited, err)
	}
	m, err := w.Access.Member(t.Context(), invited.Person.ID)
	if err != nil || !slices.Equal(m.Stores, []string{webtest.Own}) || !slices.Equal(m.Groups, []string{"North"}) || m.AllStores {
		t.Errorf("%+v, %v", m, err)
	}
	if log := w.Log.String(); strings.Contains(log, link[1]) {
		t.Error("the log holds the link")
	}
	if body := b.Get(site.PersonPath(m.ID)).Body; strings.Contains(body, link[1]) {
		t.Error("the link is shown again")
	}
	again := b.Submit(site.PersonPath(m.ID)+"/invitation", url.Values{"life": {"168h"}})
	newer := regexp.MustCompile(`/invitation/([A-Za-z0-9_-]{43})`).FindStringSubmatch(again.Body)
	if again.Status != http.StatusOK || newer == nil || newer[1] == link[1] {
		t.Fatalf("%d %s", again.Status, again.Body)
	}
	if _, err := w.SignIn.CheckInvitation(t.Context(), link[1]); err == nil {
		t.Error("the first link still works")
	}
	if r := b.Submit(site.PersonPath(m.ID)+"/invitation/withdraw", nil); r.Header.Get("Location") != "/people?done=withdrawn" {
		t.Errorf("%d", r.Status)
	}
	if _, err := w.SignIn.CheckInvitation(t.Context(), newer[1]); err == nil {
		t.Error("a link that was taken back works")
	}
	if r := b.Get(site.PersonPath(m.ID)); r.Status != http.StatusNotFound {
		t.Errorf("who was never there has a page: %d", r.Status)
	}
}

func TestInvitationsThatCantBeAreAnsweredWithTheFormAsItWas(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	good := url.Values{"email": {"noor@example.com"}, "name": {"Noor <i>"}, "role": {"viewer"}, "life": {"72h"}, "store": {webtest.Own}}
	for name, c := range map[string]struct {
		field, value string
		status       int
		says         string
	}{
		"no address":         {"email", "noor", 400, "Enter an email address"},
		"an address turned":  {"email", "a\u202eb@example.com", 400, "without line breaks"},
		"two addresses":      {"email", "a@example.com, b@example.com", 400, "Enter an email address"},
		"someone there":      {"email", "ADA@example.com", 409, "is already listed"},
		"a name on lines":    {"name", "a\nb", 400, "without line breaks"},
		"a name turned":      {"name", "a\u202eb", 400, "without line breaks"},
		"a name without end": {"name", strings.Repeat("é", 101), 400, "too long"},
		"no role":            {"role", "owner", 400, "Choose a role"},
		"a life of its own":  {"life", "1000h", 400, "how long"},
		"an unknown store":   {"store", "nowhere", 404, "doesn’t exist"},
		"every store hidden": {"store", "*", 400, "doesn’t exist"},
		"an unknown group":   {"group", "999", 404, "no longer exists"},
		"no group":           {"group", "x", 400, "no longer exists"},
	} {
		form := url.Values{}
		for k, v := range good {
			form[k] = slices.Clone(v)
		}
		form.Set(c.field, c.value)
		r := b.Submit("/people", form)
		if r.Status != c.status || !strings.Contains(r.Body, c.says) {
			t.Errorf("%s: %d", name, r.Status)
		}
		if wrong := webtest.WrongField(r); wrong != "" && wrong != c.field || wrong == "" && (c.field == "email" || c.field == "name") {
			t.Errorf("%s: the wrong field is %q", name, wrong)
		}
		if c.field != "name" && !strings.Contains(r.Body, `value="Noor &lt;i&gt;"`) {
			t.Errorf("%s: the form lost what was typed", name)
		}
	}
	var n int
	w.Must(w.DB.Pool.QueryRow(t.Context(), `select count(*) from people`).Scan(&n))
	if n != 2 {
		t.Errorf("%d people", n)
	}
}

func TestAPersonsStoresChangeAtTheirNextRequest(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ctx := t.Context()
	_, admin := w.Admin("root@example.com")
	ada, page := w.SignedIn(), site.PersonPath(w.Person.ID)
	g, err := w.Access.AddGroup(ctx, "North")
	w.Must(err)
	group := url.Values{"group": {fmt.Sprint(g.ID)}}
	sees := func(what string, want bool) {
		t.Helper()
		for _, path := range []string{"/stores/" + webtest.Foreign, "/stores/" + webtest.Foreign + "/history.csv"} {
			if got := ada.Get(path).Status == http.StatusOK; got != want {
				t.Errorf("%s: sees %s: %v", what, path, got)
			}
		}
	}
	does := func(path string, form url.Values) {
		t.Helper()
		if r := admin.Submit(path, form); r.Status != http.StatusSeeOther {
			t.Fatalf("%s: %d %s", path, r.Status, r.Body)
		}
	}
	sees("before", false)
	does(page+"/grants", group)
	sees("an empty group", false)
	w.Must(w.Access.AddStoreToGroup(ctx, g.ID, webtest.Foreign))
	sees("a store came into the group", true)
	_, err = w.Access.TakeStoreFromGroup(ctx, g.ID, webtest.Foreign)
	w.Must(err)
	sees("it left the group", false)
	w.Must(w.Access.AddStoreToGroup(ctx, g.ID, webtest.Foreign))
	does(page+"/grants/take", group)
	sees("the group was taken back", false)
	w.Exec(`update stores set name = 'Twin'`)
	if r := admin.Submit(page+"/grants", url.Values{"store": {"twin"}}); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "Several stores have this name") {
		t.Errorf("a name of two stores: %d", r.Status)
	}
	does(page+"/grants", url.Values{"store": {webtest.Foreign}})
	sees("the store was given", true)
	does(page+"/grants/take", url.Values{"store": {webtest.Foreign}})
	does(page+"/grants/take", url.Values{"store": {webtest.Foreign}}) // twice changes nothing
	sees("the store was taken back", false)
	does(page+"/grants", url.Values{"every": {"true"}})
	sees("every store was given", true)
	does(page+"/grants/take", url.Values{"every": {"true"}})
	sees("every store was taken back", false)
	does(page+"/role", url.Values{"role": {"admin"}})
	sees("an admin", true)
	if r := ada.Get("/people"); r.Status != http.StatusOK {
		t.Errorf("the new admin gets %d", r.Status)
	}
	does(page+"/role", url.Values{"role": {"viewer"}})
	sees("a viewer", false)
	if r := ada.Submit("/stores/acme/refresh", nil); r.Status != http.StatusForbidden {
		t.Errorf("a viewer asks for pulls: %d", r.Status)
	}
	does(page+"/disable", nil)
	if r := ada.Get("/stores/" + webtest.Own); r.Status != http.StatusSeeOther {
		t.Errorf("who was disabled gets %d", r.Status)
	}
	does(page+"/enable", nil)
	if r := ada.Get("/stores/" + webtest.Own); r.Status != http.StatusSeeOther {
		t.Errorf("a session of before lives again: %d", r.Status)
	}
	if r := w.SignedIn().Get("/stores/" + webtest.Own); r.Status != http.StatusOK {
		t.Errorf("who was enabled gets %d", r.Status)
	}
}

// Changes to how people sign in need a recently confirmed identity: a browser that was left
// open isn't enough.
func TestWhatChangesWhoGetsInTakesAFreshSignIn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	w.SignedIn()
	w.Clock.Add(site.ProvedFor)
	page := site.PersonPath(w.Person.ID)
	for path, back := range map[string]string{
		"GET /people/new": "/people/new", "POST /people": "/people/new", "POST " + page + "/role": page, "POST " + page + "/grants": page, "POST " + page + "/grants/take": page,
		"POST " + page + "/disable": page, "POST " + page + "/enable": page, "POST " + page + "/sessions/end": page, "POST " + page + "/link": page,
		"POST " + page + "/invitation": page, "POST " + page + "/invitation/withdraw": page,
		"POST /groups/1/stores": "/groups/1", "POST /groups/1/stores/take": "/groups/1", "POST /groups/1/delete": "/groups/1",
	} {
		method, path, _ := strings.Cut(path, " ")
		var r webtest.Response
		if method == "GET" {
			r = b.Get(path)
		} else {
			r = b.Submit(path, url.Values{"role": {"admin"}, "store": {webtest.Foreign}, "life": {"1h"}, "email": {"new@example.com"}})
		}
		if want := "/account/confirm?next=" + url.QueryEscape(back); r.Status != http.StatusSeeOther || r.Header.Get("Location") != want {
			t.Errorf("%s: %d to %s", path, r.Status, r.Header.Get("Location"))
		}
	}
	m, err := w.Access.Member(t.Context(), w.Person.ID)
	if err != nil || m.Role != access.Merchant || m.Disabled || !slices.Equal(m.Stores, []string{webtest.Own}) {
		t.Errorf("%+v, %v", m, err)
	}
	if r := b.Get(page); r.Status != http.StatusOK {
		t.Errorf("looking takes a fresh sign-in too: %d", r.Status)
	}
}

func TestSessionsOfAPersonAreEndedFromTheirPage(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	one, two := w.SignedIn(), w.SignedIn()
	if r := admin.Submit(site.PersonPath(w.Person.ID)+"/sessions/end", nil); r.Header.Get("Location") != site.PersonPath(w.Person.ID)+"?done=ended" {
		t.Errorf("%d", r.Status)
	}
	for _, b := range []*webtest.Browser{one, two} {
		if r := b.Get("/stores/acme"); r.Status != http.StatusSeeOther {
			t.Errorf("still signed in: %d", r.Status)
		}
	}
	if r := admin.Get("/people"); r.Status != http.StatusOK {
		t.Errorf("the admin is signed out too: %d", r.Status)
	}
}

func TestAOneTimeLinkIsMadeForAPerson(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	w.SignedIn()
	page := site.PersonPath(w.Person.ID)
	r := admin.Submit(page+"/link", url.Values{"life": {"1h"}})
	link := regexp.MustCompile(`http://localhost:8080/sign-in/([A-Za-z0-9_-]{43})`).FindStringSubmatch(r.Body)
	if r.Status != http.StatusOK || link == nil || !strings.Contains(r.Body, "16:30 UTC") {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	if r := w.Browser().Post("/sign-in", url.Values{"token": {link[1]}}); r.Status != http.StatusSeeOther {
		t.Errorf("%d", r.Status)
	}
	if r := admin.Submit(page+"/link", url.Values{"life": {"1000h"}}); r.Status != http.StatusBadRequest {
		t.Errorf("a link for ever: %d", r.Status)
	}
	invited, _, _, err := w.SignIn.InvitePerson(t.Context(), signin.Invite{Email: "new@example.com"})
	w.Must(err)
	if r := admin.Submit(site.PersonPath(invited.ID)+"/link", url.Values{"life": {"1h"}}); r.Status != http.StatusConflict {
		t.Errorf("a link around the invitation: %d", r.Status)
	}
}

func TestWhatWouldLockEveryoneOutIsRefusedInWords(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	root, b := w.Admin("root@example.com")
	w.SignedIn()
	own, other := site.PersonPath(root.ID), site.PersonPath(w.Person.ID)
	for path, form := range map[string]url.Values{own + "/role": {"role": {"viewer"}}, own + "/disable": {}} {
		if r := b.Submit(path, form); r.Status != http.StatusConflict || !strings.Contains(r.Body, "Another admin can") {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	if body := b.Get(own).Body; strings.Contains(body, `action="`+own+`/role"`) || strings.Contains(body, `action="`+own+`/disable"`) {
		t.Error("the page offers what is refused")
	}
	if r := b.Submit(other+"/role", url.Values{"role": {"admin"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d", r.Status)
	}
	ada := w.SignedIn()
	if r := ada.Submit(own+"/role", url.Values{"role": {"viewer"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d", r.Status)
	}
	if r := b.Get("/people"); r.Status != http.StatusForbidden {
		t.Errorf("who was an admin gets %d", r.Status)
	}
	for path, form := range map[string]url.Values{other + "/role": {"role": {"owner"}}, other + "/grants": {"store": {"NO"}}, other + "/grants/take": {}} {
		if r := ada.Submit(path, form); r.Status != http.StatusBadRequest && r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	for _, path := range []string{"/people/0", "/people/-1", "/people/x", "/people/999", "/people/99999999999999999999"} {
		if r := ada.Get(path); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
		if r := ada.Submit(path+"/role", url.Values{"role": {"admin"}}); r.Status != http.StatusNotFound {
			t.Errorf("%s/role: %d", path, r.Status)
		}
	}
}

func TestTheAuditPageAndItsFilesShowCounts(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	fail := func(times int, address string, e audit.Event) {
		for range times {
			w.Must(w.AuditLog.Record(audit.Acting(t.Context(), audit.Actor{Kind: audit.ActorNobody, Address: address}), e))
		}
	}
	fail(14, "192.0.2.1", audit.Event{Action: audit.SignInFailed, PersonID: w.Person.ID})
	for i := range 11 {
		fail(1, webtest.Rotating(i), audit.Event{Action: audit.SignInFailed})
	}
	fail(1, "2001:db8::1", audit.Event{Action: audit.ShareRefused})
	page := webtest.Words(b.Get("/audit"))
	for _, line := range []string{
		"20 Nov 2026 25 failed sign-ins from 12 networks About ada@example.com 14 From 192.0.2.1 14 198.18.0.0 1",
		"other networks 2", "20 Nov 2026 1 wrong password for a share link from 1 network From 2001:db8::/48 1",
	} {
		if !strings.Contains(page, line) {
			t.Errorf("no %q in %s", line, page)
		}
	}
	if page := webtest.Words(b.Get("/audit?what=share")); strings.Contains(page, "failed sign-ins from") || !strings.Contains(page, "wrong password for a share link") {
		t.Error("counts are not filtered")
	}
	file := b.Get("/audit.csv?what=sign-in.failed").Body
	for _, line := range []string{
		"at,actor,name,action,what,store,subject,address,request,times",
		"2026-11-20,nobody,,sign-in.failed,Sign-in failed,,ada@example.com,192.0.2.1,,14",
		"2026-11-20,nobody,,sign-in.failed,Sign-in failed,,,198.18.0.10,,1",
	} {
		if !strings.Contains(file, line) {
			t.Errorf("no %q in %s", line, file)
		}
	}
	if r := b.Get("/audit.xlsx"); r.Status != http.StatusOK {
		t.Errorf("%d", r.Status)
	}
}

func TestTheAuditPageIsFilteredPagedAndExported(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	for i := range 60 {
		w.Must(w.AuditLog.Record(audit.Acting(t.Context(), audit.Actor{Kind: audit.ActorToken, Name: "script"}),
			audit.Event{Action: audit.StoreTagged, Store: webtest.Own, Subject: fmt.Sprintf("=tag %02d", i)}))
	}
	row := regexp.MustCompile(`=tag \d\d`)
	first := b.Get("/audit?what=store.tagged")
	older := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.Body)
	if got := row.FindAllString(first.Body, -1); first.Status != 200 || len(got) != 50 || got[0] != "=tag 59" || got[49] != "=tag 10" || older == nil {
		t.Fatalf("%d: %v %v", first.Status, got, older)
	}
	next := b.Get(strings.ReplaceAll(older[1], "&amp;", "&"))
	if got := row.FindAllString(next.Body, -1); len(got) != 10 || got[0] != "=tag 09" || strings.Contains(next.Body, `rel="next"`) || !strings.Contains(next.Body, `href="/audit?what=store.tagged"`) {
		t.Errorf("the next page: %v", got)
	}
	for _, want := range []string{"Store’s tags changed", "script", "API token", "15:30:20 UTC", `datetime="2026-11-20T15:30:20Z"`} {
		if !strings.Contains(first.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if body := b.Get("/audit?from=2026-11-21").Body; !strings.Contains(body, "No matching records") {
		t.Error("the days are not taken")
	}
	if r := b.Get("/audit?from=2026-11-20&to=2026-11-20&who=script&store=acme&text=tag+41"); len(row.FindAllString(r.Body, -1)) != 1 {
		t.Errorf("all filters at once: %v", row.FindAllString(r.Body, -1))
	}
	for query, says := range map[string]string{
		"what=store.exploded": "Choose one from the list", "from=yesterday": "2026-11-20", "from=2026-11-20&to=2026-11-19": "before the first", "text=%00": "can’t be stored", "who=%ff": "can’t be stored",
	} {
		if r := b.Get("/audit?" + query); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, says) {
			t.Errorf("%s: %d", query, r.Status)
		}
		if r := b.Get("/audit.csv?" + query); r.Status != http.StatusBadRequest {
			t.Errorf("%s as a file: %d", query, r.Status)
		}
	}
	for _, after := range []string{"x", "1-", "-1", "1-x", "99999999999999999999-1", "1-0"} {
		if r := b.Get("/audit?after=" + after); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/audit" {
			t.Errorf("after %s: %d to %s", after, r.Status, r.Header.Get("Location"))
		}
	}
	w.Audit()
	file := b.Get("/audit.csv?what=store.tagged")
	lines := strings.Split(strings.TrimSpace(file.Body), "\n")
	if file.Status != 200 || len(lines) != 61 || lines[0] != "at,actor,name,action,what,store,subject,address,request,times" ||
		lines[1] != "2026-11-20T15:30:20Z,token,script,store.tagged,Store’s tags changed,acme,'=tag 59,,,1" {
		t.Errorf("%d, %d lines: %q", file.Status, len(lines), lines[:2])
	}
	if r := b.Get("/audit.xlsx"); r.Status != 200 || r.Header.Get("Content-Disposition") != `attachment; filename="audit-log.xlsx"` {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	w.Recorded("person root@example.com export.downloaded audit-log.csv", "person root@example.com export.downloaded audit-log.xlsx")
}
