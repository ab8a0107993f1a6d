package admin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestAnAdminTakesEverythingAwayFromSomeoneInOneStep(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	ada := w.SignedIn()
	w.Exec(`insert into alert_channels (person_id, kind, name, host, sealed, key_id) values ($1, 'slack', 'Shop <b>', 'hooks.example.com', '', '')`, w.Person.ID)
	w.Exec(`insert into subscriptions (store_id, address, created_by, confirmed_at) select id, 'board@example.com', $2, now() from stores where slug = $1`, webtest.Own, w.Person.ID)
	w.Exec(`insert into shares (store_id, token_hash, label, pages, preset, expires_at, created_by) select id, 'x', 'For the board', '{overview}', 'last_30_days', $3::timestamptz + interval '1 day', $2 from stores where slug = $1`, webtest.Own, w.Person.ID, w.Clock.Now())
	path := site.PersonPath(w.Person.ID) + "/reach"
	for _, from := range []string{"/people", site.PersonPath(w.Person.ID)} {
		if !strings.Contains(admin.Get(from).Body, `href="`+path+`"`) {
			t.Errorf("%s does not lead to %s", from, path)
		}
	}
	page := admin.Get(path)
	for _, want := range []string{
		"Grant for a store", "Acme Foods", "Signed in", "Alert channel", "Shop &lt;b&gt;, hooks.example.com", "Share link", "For the board", "21 Nov 2026, 15:30 UTC",
		"Weekly mail they set up", "board@example.com", `href="/stores/acme/shares"`, "1 session", "1 share link", "1 weekly mail to another address",
	} {
		if !strings.Contains(page.Body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	r := admin.Submit(site.PersonPath(w.Person.ID)+"/offboard", nil)
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != path+"?done=offboarded" {
		t.Fatalf("%d, to %q", r.Status, r.Header.Get("Location"))
	}
	page = admin.Get(path + "?done=offboarded")
	if !strings.Contains(page.Body, "Everything is taken away.") || !strings.Contains(page.Body, "Nothing left") || strings.Contains(page.Body, `action="`+site.PersonPath(w.Person.ID)+`/offboard"`) {
		t.Errorf("something is left: %s", page.Body)
	}
	if r := ada.Get("/"); r.Status != http.StatusSeeOther {
		t.Errorf("who was offboarded still gets %d", r.Status)
	}
	if got := w.Audit(); !slices.Contains(got, "person root@example.com person.offboarded ada@example.com, 1 store grant, 1 session, 1 share link, 1 alert channel, 1 subscription to alert mails, 1 weekly mail to another address") {
		t.Errorf("recorded is %q", got)
	}
}

func TestThePageSaysWhoCannotBeOffboarded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	root, admin := w.Admin("root@example.com")
	path := site.PersonPath(root.ID)
	if body := admin.Get(path + "/reach").Body; !strings.Contains(body, "This is you.") || strings.Contains(body, `action="`+path+`/offboard"`) {
		t.Error("oneself can be offboarded")
	}
	if r := admin.Submit(path+"/offboard", nil); r.Status != http.StatusConflict || !strings.Contains(r.Body, "Another admin can") {
		t.Errorf("oneself: %d", r.Status)
	}
	// A person who never signed in doesn't count as an admin who can.
	_, second := w.Admin("second@example.com")
	w.Exec(`update people set joined_at = null where email = 'second@example.com'`)
	if body := second.Get(path + "/reach").Body; !strings.Contains(body, "This is the last admin") || strings.Contains(body, `action="`+path+`/offboard"`) {
		t.Error("the last admin can be offboarded")
	}
	if r := second.Submit(path+"/offboard", nil); r.Status != http.StatusConflict || !strings.Contains(r.Body, "This is the last admin") {
		t.Errorf("the last admin: %d", r.Status)
	}
	for _, id := range []string{"987654321", "0", "x"} {
		if r := admin.Get("/people/" + id + "/reach"); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", id, r.Status)
		}
	}
}

// Code that isn't limited by grants checks itself whether the principal may.
func TestTheOffboarderRefusesWhoDoesNotManagePeople(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	root, _ := w.Admin("root@example.com")
	for _, role := range []access.Role{access.Viewer, access.Agency, access.Merchant} {
		p, err := w.Access.CreatePerson(t.Context(), string(role)+"@example.com", "", role)
		w.Must(err)
		w.Must(w.Access.GrantPerson(t.Context(), p.ID, access.AllStores))
		if _, _, err := w.Server.Parts.Admin.Offboarder.Holdings(t.Context(), p.ID, w.Person.ID); site.Explain(err).Status != http.StatusNotFound {
			t.Errorf("%s lists: %v", role, err)
		}
		if _, err := w.Server.Parts.Admin.Offboarder.Offboard(t.Context(), p.ID, w.Person.ID); site.Explain(err).Status != http.StatusNotFound {
			t.Errorf("%s offboards: %v", role, err)
		}
	}
	// An admin whose session the database doesn't know is nobody.
	if _, _, err := w.Server.Parts.Admin.Offboarder.Holdings(t.Context(), root.ID, w.Person.ID); site.Explain(err).Status != http.StatusNotFound {
		t.Errorf("without a session: %v", err)
	}
	if got := w.StoredTexts(`select email from people where disabled_at is not null`); len(got) > 0 {
		t.Errorf("disabled are %v", got)
	}
}
