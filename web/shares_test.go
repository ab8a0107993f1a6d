package web_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/web/webtest"
)

var shownSecret = regexp.MustCompile(`value="(http://localhost:8080/share/[\w-]{43})"`)

// wantedShare is a valid form for a link.
func wantedShare(w *webtest.World) url.Values {
	return url.Values{
		"csrf": {w.CSRF()}, "label": {" Board, November "}, "page": {"offers", "overview"}, "days": {"moving"}, "preset": {"last_7_days"},
		"start": {"2026-10-21"}, "end": {"2026-11-19"}, "until": {"2026-12-12"}, "password": {""},
	}
}

func TestALinkIsMadeShownOnceListedAndRevoked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	if page := b.Get("/stores/acme"); !strings.Contains(page.Body, `href="/stores/acme/shares"`) {
		t.Error("the overview does not lead to share links")
	}
	if page := b.Get("/stores/acme/shares"); page.Status != 200 || !strings.Contains(page.Body, "No share links yet") {
		t.Errorf("%d", page.Status)
	}
	form := b.Get("/stores/acme/shares/new")
	for _, text := range []string{`name="until" value="2026-12-20" min="2026-11-20" max="2027-11-20"`, `value="overview" checked`, `value="last_30_days" selected`} {
		if !strings.Contains(form.Body, text) {
			t.Errorf("the form lacks %s", text)
		}
	}
	made := b.Post("/stores/acme/shares", wantedShare(w))
	link := shownSecret.FindStringSubmatch(made.Body)
	if made.Status != 200 || link == nil || made.Header.Get("Cache-Control") != "no-store" || !strings.Contains(made.Body, "Overview and Offers of \u2068Acme Foods\u2069 until 12 Dec 2026") {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	path := strings.TrimPrefix(link[1], "http://localhost:8080")
	reader := w.Browser()
	page := reader.Get(path)
	if page.Status != 200 || !strings.Contains(page.Body, "13 – 19 Nov 2026") || !strings.Contains(page.Body, "Until 12 Dec 2026") {
		t.Errorf("%d", page.Status)
	}
	for below, want := range map[string]int{"/offers": 200, "/placements": 404, "/gift": 404} {
		if r := reader.Get(path + below); r.Status != want {
			t.Errorf("%s: %d", below, r.Status)
		}
	}
	list := b.Get("/stores/acme/shares")
	for _, text := range []string{"Board, November", "by \u2068Ada Byron King\u2069", "Overview, Offers", "7 days, rolling", "Until 12 Dec 2026", "2 times", "last 20 Nov 2026, 15:30"} {
		if !strings.Contains(list.Body, text) {
			t.Errorf("the list lacks %q", text)
		}
	}
	if strings.Contains(list.Body, strings.TrimPrefix(path, "/share/")) {
		t.Error("the list holds the secret")
	}
	revoke := "/stores/acme/shares/" + w.StoredTexts("select id::text from shares")[0] + "/revoke"
	if !strings.Contains(list.Body, `action="`+revoke+`"`) {
		t.Error("the list does not offer to revoke")
	}
	if r := b.Post(revoke, url.Values{}); r.Status != 403 || reader.Get(path).Status != 200 {
		t.Errorf("without the form's token: %d", r.Status)
	}
	if r := b.Post(revoke, url.Values{"csrf": {w.CSRF()}}); r.Status != 303 || r.Header.Get("Location") != "/stores/acme/shares?done=revoked" {
		t.Errorf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	if r := reader.Get(path); r.Status != 404 {
		t.Errorf("revoked: %d", r.Status)
	}
	list = b.Get("/stores/acme/shares?done=revoked")
	if !strings.Contains(list.Body, "Revoked 20 Nov 2026") || !strings.Contains(list.Body, "The link is revoked") || strings.Contains(list.Body, revoke) {
		t.Error(list.Body)
	}
	if r := b.Post(revoke, url.Values{"csrf": {w.CSRF()}}); r.Status != 404 {
		t.Errorf("revoked again: %d", r.Status)
	}
	records, err := w.AuditLog.Records(t.Context(), audit.Filter{Who: "ada", About: "share"}, 10)
	w.Must(err)
	if len(records) != 2 || records[0].Action != audit.ShareRevoked || records[1].Action != audit.ShareMade || records[1].Subject != "Board, November" || records[1].Store != webtest.Own {
		t.Errorf("%+v", records)
	}
}

func TestALinkToDaysThatStayIsMadeOnTheStoresClock(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`update stores set timezone = 'Pacific/Kiritimati' where slug = $1`, webtest.Own) // 14 hours ahead: there it is the 21st
	b := w.SignedIn()
	f := wantedShare(w)
	f.Set("days", "fixed")
	f.Set("end", "2026-11-21")
	f.Set("until", "2026-11-21")
	f.Set("password", sharePassword)
	made := b.Post("/stores/acme/shares", f)
	link := shownSecret.FindStringSubmatch(made.Body)
	if link == nil || !strings.Contains(made.Body, "until 21 Nov 2026. Readers are asked for the password") || strings.Contains(made.Body, sharePassword) {
		t.Fatalf("%d %s", made.Status, made.Body)
	}
	if got := w.StoredTexts(`select window_start || ' ' || window_end || ' ' || (expires_at at time zone 'UTC') from shares`); got[0] != "2026-10-21 2026-11-21 2026-11-21 10:00:00" {
		t.Errorf("%q", got)
	}
	reader := w.Browser()
	path := strings.TrimPrefix(link[1], "http://localhost:8080")
	reader.Post(path, url.Values{"password": {sharePassword}})
	if page := reader.Get(path).Body; !strings.Contains(page, "21 Oct – 20 Nov 2026") { // the unfinished day is left out
		t.Error(page)
	}
	w.Clock.Add(18 * time.Hour) // to 09:30 UTC: on the store's clock the 21st is not over
	if r := reader.Get(path); r.Status != 403 {
		t.Errorf("half an hour before the end, without the key: %d", r.Status)
	}
	w.Clock.Add(30 * time.Minute)
	if r := reader.Get(path); r.Status != 404 {
		t.Errorf("after the last day: %d", r.Status)
	}
}

func TestALinkToDaysBeforeTheFirstNumbersIsMadeAndSaysSo(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Exec(`delete from summaries where window_start < '2026-11-01' and store_id = (select id from stores where slug = $1)`, webtest.Own)
	for last, want := range map[string]bool{"2026-10-31": true, "2026-11-01": false} {
		f := wantedShare(w)
		f.Set("days", "fixed")
		f.Set("end", last)
		made := b.Post("/stores/acme/shares", f)
		if shownSecret.FindString(made.Body) == "" || strings.Contains(made.Body, "No upsell numbers are stored for these dates. The first are from 1 Nov 2026.") != want {
			t.Errorf("up to %s: %d %s", last, made.Status, made.Body)
		}
	}
}

func TestAFormOfALinkThatCantBeMadeComesBackFilledIn(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	for name, c := range map[string]struct {
		change      map[string]string
		says, wrong string
	}{
		"no name":             {map[string]string{"label": " "}, "Give the link a name", "label"},
		"no page":             {map[string]string{"page": ""}, "Choose at least one page", "pages"},
		"another page":        {map[string]string{"page": "sync"}, "Choose at least one page", "pages"},
		"no such window":      {map[string]string{"preset": "fortnight"}, "is not a window", "window"},
		"a window of days":    {map[string]string{"preset": "custom"}, "Choose", "window"},
		"days backwards":      {map[string]string{"days": "fixed", "end": "2026-10-01"}, "the last day is before the first", "window"},
		"days to come":        {map[string]string{"days": "fixed", "end": "2026-11-21"}, "in the future", "window"},
		"no days":             {map[string]string{"days": "fixed", "start": "", "end": ""}, "Choose the first and the last day", "window"},
		"one day":             {map[string]string{"days": "fixed", "start": ""}, "YYYY-MM-DD", "window"},
		"no end":              {map[string]string{"until": ""}, "YYYY-MM-DD", "until"},
		"an end that is over": {map[string]string{"until": "2026-11-19"}, "Choose a day that isn’t over", "until"},
		"more than a year":    {map[string]string{"until": "2027-11-21"}, "a year at most", "until"},
		"a weak password":     {map[string]string{"password": "password1234"}, "most common passwords", "password"},
	} {
		f := wantedShare(w)
		f.Set("label", `Board "<b>`)
		for field, value := range c.change {
			f.Set(field, value)
		}
		r := b.Post("/stores/acme/shares", f)
		text := html.UnescapeString(r.Body)
		if r.Status != http.StatusBadRequest || !strings.Contains(text, c.says) {
			t.Errorf("%s: %d, does not say %q", name, r.Status, c.says)
		}
		if f.Get("label") != " " && !strings.Contains(r.Body, `value="Board &#34;&lt;b&gt;"`) || strings.Contains(r.Body, "password1234") {
			t.Errorf("%s: the form is not as it was filled in", name)
		}
		if wrong := webtest.WrongField(r); wrong != c.wrong {
			t.Errorf("%s: the wrong field is %q", name, wrong)
		}
		if until := f.Get("until"); until != "" && !strings.Contains(r.Body, `name="until" value="`+until+`"`) {
			t.Errorf("%s: the end is not as it was filled in", name)
		}
	}
	if n := w.StoredTexts("select id::text from shares"); len(n) > 0 {
		t.Errorf("%d links were made", len(n))
	}
	// The longest allowed.
	f := wantedShare(w)
	f.Set("until", "2027-11-20")
	if r := b.Post("/stores/acme/shares", f); r.Status != 200 {
		t.Errorf("a year: %d %s", r.Status, r.Body)
	}
}

func TestOnlyWhoMayShareMeetsShareLinks(t *testing.T) {
	t.Parallel()
	for role, may := range map[access.Role]bool{access.Viewer: false, access.Agency: true, access.Merchant: true, access.Admin: true} {
		t.Run(string(role), func(t *testing.T) {
			t.Parallel()
			w := webtest.NewWorld(t)
			w.Share(nil)
			w.Exec(`update people set role = $1`, string(role))
			b := w.SignedIn()
			revoke := "/stores/acme/shares/" + w.StoredTexts("select id::text from shares")[0] + "/revoke"
			status := map[bool]int{true: 200, false: 403}[may]
			for _, path := range []string{"/stores/acme/shares", "/stores/acme/shares/new"} {
				if r := b.Get(path); r.Status != status {
					t.Errorf("%s: %d", path, r.Status)
				}
			}
			if r := b.Post("/stores/acme/shares", wantedShare(w)); r.Status != status {
				t.Errorf("make: %d", r.Status)
			}
			if r := b.Get("/stores/acme"); strings.Contains(r.Body, "/shares") != may {
				t.Errorf("the overview leads to share links: %v", !may)
			}
			if r := b.Post(revoke, url.Values{"csrf": {w.CSRF()}}); r.Status != map[bool]int{true: 303, false: 403}[may] {
				t.Errorf("revoke: %d", r.Status)
			}
		})
	}
}

func TestALinkOfAnotherStoreCantBeRevoked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into shares (store_id, token_hash, label, pages, preset, created_by, expires_at)
		select id, 'x', 'Not yours', '{overview}', 'last_30_days', $2, $3::timestamptz + interval '1 day' from stores where slug = $1`, webtest.Foreign, w.Person.ID, w.Clock.Now())
	b := w.SignedIn()
	id := w.StoredTexts("select id::text from shares")[0]
	for _, path := range []string{"/stores/acme/shares/" + id + "/revoke", "/stores/birch/shares/" + id + "/revoke", "/stores/acme/shares/" + strconv.Itoa(1<<40) + "/revoke", "/stores/acme/shares/x/revoke"} {
		if r := b.Post(path, url.Values{"csrf": {w.CSRF()}}); r.Status != 404 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	if r := b.Get("/stores/acme/shares"); strings.Contains(r.Body, "Not yours") {
		t.Error("the list holds another store's link")
	}
	if n := w.StoredTexts("select id::text from shares where revoked_at is not null"); len(n) > 0 {
		t.Error("it was revoked")
	}
}

func TestALinkStopsWhileItsMakerIsDisabled(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	bo, err := w.Access.CreatePerson(t.Context(), "bo@example.com", "Bo", access.Agency)
	w.Must(err)
	link := w.Share(func(n *sharing.Draft) { n.By = bo.ID })
	reader, b := w.Browser(), w.SignedIn()
	if r := reader.Get(link); r.Status != 200 {
		t.Fatal(r.Status)
	}
	w.Must(w.Access.DisablePerson(t.Context(), bo.ID))
	if r := reader.Get(link); r.Status != 404 {
		t.Errorf("disabled: %d", r.Status)
	}
	list := b.Get("/stores/acme/shares").Body
	if !strings.Contains(list, "Stopped: creator disabled") || !strings.Contains(list, "/revoke") {
		t.Error("the list does not say so, or does not offer to revoke")
	}
	w.Exec(`update people set disabled_at = null`)
	if r := reader.Get(link); r.Status != 200 {
		t.Errorf("enabled again: %d", r.Status)
	}
}
