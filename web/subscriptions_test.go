package web_test

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/weekly"
	"github.com/storeglass/storeglass/web/mails"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestASubscriptionIsMadeChangedAndEndedOnItsPages(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	ada := o.SignedIn()
	o.shows(ada.Get("/snapshots"), "Mondays, 08:00 in the store’s time zone", "Add someone", "Sent mails")
	if r := ada.Send("/snapshots", "store", webtest.Own); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/snapshots?done=subscribed" {
		t.Fatalf("subscribe: %d %s", r.Status, r.Body)
	}
	if r := ada.Send("/snapshots", "store", webtest.Own); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "You already get this mail.") {
		t.Errorf("twice: %d", r.Status)
	}
	path := site.SubscriptionPath(mustInt(t, o.StoredTexts(`select id::text from subscriptions`)[0]))
	o.shows(ada.Get(path), "UTC", "Cancel subscription")
	if r := ada.Send(path, "weekday", "8", "hour", "24", "language", "xx"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "Choose an hour.") {
		t.Errorf("a wrong hour: %d", r.Status)
	}
	if r := ada.Send(path, "weekday", "3", "hour", "17", "language", "en", "pdf", "true"); r.Status != http.StatusSeeOther {
		t.Errorf("change: %d %s", r.Status, r.Body)
	}
	o.shows(ada.Get("/snapshots?done=changed"), "Wednesdays, 17:00", "with a PDF", "Changed, starting with the next mail")
	viewer, err := o.Access.CreatePerson(t.Context(), "vic@example.com", "Vic", access.Viewer)
	o.Must(err)
	o.Must(o.Access.GrantPerson(t.Context(), viewer.ID, webtest.Own))
	vic := o.SignedInAs(viewer)
	if r := vic.Get("/snapshots"); r.Status != http.StatusOK || strings.Contains(r.Body, "ada@example.com") || strings.Contains(r.Body, "Add someone") {
		t.Errorf("a viewer sees others': %d", r.Status)
	}
	for _, p := range []string{path, "/snapshots/sent", "/snapshots/suppressed"} {
		if r := vic.Get(p); r.Status < 400 {
			t.Errorf("%s for a viewer: %d", p, r.Status)
		}
	}
	if r := vic.Send("/snapshots", "store", webtest.Own, "address", "x@example.net"); r.Status != http.StatusNotFound {
		t.Errorf("a viewer asks: %d", r.Status)
	}
	admin := o.SignedInAs(o.admin)
	o.shows(admin.Get("/snapshots"), "ada@example.com")
	if r := admin.Get(path); r.Status != http.StatusNotFound {
		t.Errorf("an administrator changes another person's own: %d", r.Status)
	}
	if r := ada.Send(path + "/end"); r.Status != http.StatusSeeOther {
		t.Errorf("end: %d", r.Status)
	}
	if r := ada.Get(path); r.Status != http.StatusNotFound {
		t.Errorf("after its end: %d", r.Status)
	}
}

func mustInt(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestTheLogTellsWhatBecameOfMailsAndSendsThemAgain(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	o.subscribed("carol@example.net")
	o.Exec(`insert into suppressions (address, cause) values ('erin@example.net', '"550 5.1.1 no such user"')`)
	o.Exec(`with s as (insert into subscriptions (store_id, address, confirmed_at) select id, 'erin@example.net', $2 from stores where slug = $1 returning id, store_id)
		insert into deliveries (subscription_id, store_id, week, due_at, next_at, message_id, state, reason) select s.id, s.store_id, date '2020-01-06' + 7 * n, timestamptz '2020-01-13' + n * interval '7 days', $2, '', 'refused', '"the server: 550 5.1.1 no such user"' from s, generate_series(0, 60) n`, webtest.Own, o.Clock.Now())
	ada := o.SignedIn()
	first := ada.Get("/snapshots/sent")
	o.shows(first, "carol@example.net", "Sent", "550 5.1.1 no such user", "Older")
	older := regexp.MustCompile(`href="(/snapshots/sent\?before=[^"]+)"`).FindStringSubmatch(first.Body)
	second := ada.Get(older[1])
	o.shows(second, "6 Jan", "Newest")
	if strings.Contains(second.Body, "carol@example.net") {
		t.Error("the newest is on the second page too")
	}
	o.shows(ada.Get("/snapshots/sent?state=sent"), "carol@example.net")
	if strings.Contains(ada.Get("/snapshots/sent?state=sent").Body, "erin@") {
		t.Error("the state does not filter")
	}
	resend := func(address string) webtest.Response {
		id := o.StoredTexts(`select max(d.id)::text from deliveries d join subscriptions s on s.id = d.subscription_id where s.address = '` + address + `'`)[0]
		return ada.Send("/snapshots/sent/" + id + "/resend")
	}
	if r := resend("erin@example.net"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "Nothing is sent to this address any more") {
		t.Errorf("to a suppressed address: %d", r.Status)
	}
	if r := resend("carol@example.net"); r.Status != http.StatusSeeOther {
		t.Errorf("resend: %d %s", r.Status, r.Body)
	}
	if mails := o.round(); len(mails) != 1 || mails[0].To != "carol@example.net" {
		t.Errorf("%d mails", len(mails))
	}
	o.shows(o.SignedInAs(o.admin).Get("/snapshots/suppressed"), "erin@example.net")
	if r := o.SignedInAs(o.admin).Send("/snapshots/suppressed", "address", "erin@example.net"); r.Status != http.StatusSeeOther {
		t.Errorf("free an address: %d", r.Status)
	}
	o.shows(o.SignedInAs(o.admin).Get("/snapshots/suppressed?done=lifted"), "No blocked addresses")
}

func TestAPreviewIsAMailInAFrameAndATestGoesToOneself(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	ada := o.SignedIn()
	page := ada.Get("/stores/acme/snapshot")
	o.shows(page, "The week of 9 – 15 Nov 2026", "As text", "Acme Foods", `src="/stores/acme/snapshot/mail?language=en&amp;week=2026-11-09"`, "Send me a test")
	if got := page.Header.Get("Content-Security-Policy"); got != mails.FramingPolicy {
		t.Errorf("policy %q", got)
	}
	frame := ada.Get("/stores/acme/snapshot/mail?language=en&week=2026-11-09")
	o.shows(frame, "Acme Foods", "data:image/png;base64,", `<base target="_blank">`)
	if frame.Header.Get("Content-Security-Policy") != mails.PreviewPolicy || frame.Header.Get("X-Frame-Options") != "SAMEORIGIN" {
		t.Errorf("headers of the frame: %v", frame.Header)
	}
	if strings.Contains(frame.Body, "cid:") {
		t.Error("a picture is called by its place in the mail")
	}
	o.shows(ada.Get("/stores/acme/snapshot?week=2026-11-05&language=de"), "The week of 2 – 8 Nov 2026", "Week after")
	for _, week := range []string{"2026-12-01", "x", "0001-01-01", "2026-11-20"} {
		o.shows(ada.Get("/stores/acme/snapshot?week="+week), "The week of 9 – 15 Nov 2026")
	}
	if r := ada.Get("/stores/birch/snapshot"); r.Status != http.StatusNotFound {
		t.Errorf("of a store not held: %d", r.Status)
	}
	if r := ada.Send("/stores/acme/snapshot/test", "week", "2026-11-02"); r.Status != http.StatusSeeOther {
		t.Fatalf("test: %d %s", r.Status, r.Body)
	}
	mails := o.arrived()
	if len(mails) != 1 || mails[0].To != "ada@example.com" || strings.Contains(mails[0].Raw, "List-Unsubscribe") {
		t.Fatalf("%d mails: %.300v", len(mails), mails)
	}
	for range 12 {
		ada.Send("/stores/acme/snapshot/test")
	}
	if r := ada.Send("/stores/acme/snapshot/test"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "many mails sent within a short time") {
		t.Errorf("after many: %d", r.Status)
	}
	if n := len(o.arrived()); n > 10 {
		t.Errorf("%d mails", n)
	}
	o.Server.Parts.Mails.Subscriptions.(*weekly.SubscriptionService).Sender = nil
	if r := ada.Send("/stores/acme/snapshot/test"); r.Status != http.StatusUnprocessableEntity || !strings.Contains(r.Body, "DASHBOARD_SMTP_URL") {
		t.Errorf("without a mail server: %d", r.Status)
	}
}
