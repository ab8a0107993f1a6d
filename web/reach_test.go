package web

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/site"
)

func TestAnAdminTakesEverythingAwayFromSomebodyInOneStep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, admin := w.admin("root@example.com")
	ada := w.signedIn()
	w.exec(`insert into alert_channels (person_id, kind, name, host, sealed, key_id) values ($1, 'slack', 'Shop <b>', 'hooks.example.com', '', '')`, w.person.ID)
	w.exec(`insert into subscriptions (store_id, address, created_by, confirmed_at) select id, 'board@example.com', $2, now() from stores where slug = $1`, own, w.person.ID)
	w.exec(`insert into shares (store_id, token_hash, label, pages, preset, expires_at, created_by) select id, 'x', 'For the board', '{overview}', 'last_30_days', $3::timestamptz + interval '1 day', $2 from stores where slug = $1`, own, w.person.ID, w.clock.now())
	path := site.PersonPath(w.person.ID) + "/reach"
	for _, from := range []string{"/people", site.PersonPath(w.person.ID)} {
		if !strings.Contains(admin.get(from).body, `href="`+path+`"`) {
			t.Errorf("%s does not lead to %s", from, path)
		}
	}
	page := admin.get(path)
	for _, want := range []string{
		"Grant for a store", "Acme Foods", "Signed in", "Alert channel", "Shop &lt;b&gt;, hooks.example.com", "Share link", "For the board", "21 Nov 2026, 15:30 UTC",
		"Weekly mail they set up", "board@example.com", `href="/stores/acme/shares"`, "1 session", "1 share link", "1 weekly mail to another address",
	} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	r := admin.submit(site.PersonPath(w.person.ID)+"/offboard", nil)
	if r.status != http.StatusSeeOther || r.header.Get("Location") != path+"?done=offboarded" {
		t.Fatalf("%d, to %q", r.status, r.header.Get("Location"))
	}
	page = admin.get(path + "?done=offboarded")
	if !strings.Contains(page.body, "Everything is taken away.") || !strings.Contains(page.body, "Nothing left") || strings.Contains(page.body, `action="`+site.PersonPath(w.person.ID)+`/offboard"`) {
		t.Errorf("something is left: %s", page.body)
	}
	if r := ada.get("/"); r.status != http.StatusSeeOther {
		t.Errorf("who was offboarded still gets %d", r.status)
	}
	if got := w.storedTexts(`select subject from audit where action = 'person.offboarded' and actor_name = 'root@example.com'`); len(got) != 1 ||
		got[0] != "ada@example.com: ended 1 store grant, 1 session, 1 share link, 1 alert channel, 1 subscription to alert mails, 1 weekly mail to another address" {
		t.Errorf("recorded is %q", got)
	}
}

func TestThePageSaysWhoCannotBeOffboarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, admin := w.admin("root@example.com")
	path := site.PersonPath(root.ID)
	if body := admin.get(path + "/reach").body; !strings.Contains(body, "This is you.") || strings.Contains(body, `action="`+path+`/offboard"`) {
		t.Error("oneself can be offboarded")
	}
	if r := admin.submit(path+"/offboard", nil); r.status != http.StatusConflict || !strings.Contains(r.body, "another admin can") {
		t.Errorf("oneself: %d", r.status)
	}
	// Who never signed in does not count as an admin who can.
	_, second := w.admin("second@example.com")
	w.exec(`update people set joined_at = null where email = 'second@example.com'`)
	if body := second.get(path + "/reach").body; !strings.Contains(body, "This is the last admin") || strings.Contains(body, `action="`+path+`/offboard"`) {
		t.Error("the last admin can be offboarded")
	}
	if r := second.submit(path+"/offboard", nil); r.status != http.StatusConflict || !strings.Contains(r.body, "This is the last admin") {
		t.Errorf("the last admin: %d", r.status)
	}
	for _, id := range []string{"987654321", "0", "x"} {
		if r := admin.get("/people/" + id + "/reach"); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", id, r.status)
		}
	}
}

// Whoever stands above the wall between stores looks itself whether the asker may.
func TestTheOffboarderRefusesWhoDoesNotManagePeople(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, _ := w.admin("root@example.com")
	for _, role := range []access.Role{access.Viewer, access.Agency, access.Merchant} {
		p, err := w.access.CreatePerson(t.Context(), string(role)+"@example.com", "", role)
		w.must(err)
		w.must(w.access.GrantPerson(t.Context(), p.ID, access.AllStores))
		if _, _, err := w.server.parts.admin.Offboarder.Holdings(t.Context(), p.ID, w.person.ID); site.Explain(err).Status != http.StatusNotFound {
			t.Errorf("%s lists: %v", role, err)
		}
		if _, err := w.server.parts.admin.Offboarder.Offboard(t.Context(), p.ID, w.person.ID); site.Explain(err).Status != http.StatusNotFound {
			t.Errorf("%s offboards: %v", role, err)
		}
	}
	// An admin whose session the database doesn't know is nobody.
	if _, _, err := w.server.parts.admin.Offboarder.Holdings(t.Context(), root.ID, w.person.ID); site.Explain(err).Status != http.StatusNotFound {
		t.Errorf("without a session: %v", err)
	}
	if got := w.storedTexts(`select email from people where disabled_at is not null`); len(got) > 0 {
		t.Errorf("disabled are %v", got)
	}
}
