package web_test

import (
	"encoding/base64"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	netmail "net/mail"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/jobs"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/internal/weekly"
	"github.com/storeglass/storeglass/web/mails"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// postOffice is a world whose mails are sent to its own mail server.
type postOffice struct {
	*webtest.World
	mails *mailtest.Server
	post  *weekly.Sender
	admin access.Person
}

func newPostOffice(t testing.TB) *postOffice {
	t.Helper()
	o := &postOffice{World: webtest.NewWorld(t), mails: mailtest.Start(t, mailtest.Plain)}
	sender, err := mail.New(&url.URL{Scheme: "smtp", Host: o.mails.Addr}, netmail.Address{Name: "Storeglass", Address: "reports@example.com"})
	o.Must(err)
	base := &url.URL{Scheme: "https", Host: "reports.example"}
	room := o.Server.Parts.Mails.Subscriptions.(*weekly.SubscriptionService)
	room.Sender = sender
	o.post = &weekly.Sender{DB: o.DB, Composer: room.Composer, Courier: mail.NewCourier(sender), Base: base, Host: "reports.example", Now: o.Clock.Now, Log: slog.New(slog.DiscardHandler)}
	admin, err := o.Access.CreatePerson(t.Context(), "root@example.com", "Root", access.Admin)
	o.Must(err)
	o.admin = admin
	return o
}

// round sends what is due, and returns what arrived.
func (o *postOffice) round() []mailtest.Mail {
	o.T.Helper()
	_, err := o.post.Schedule(o.T.Context())
	o.Must(err)
	o.Must(o.post.Deliver(o.T.Context()))
	return o.arrived()
}

func (o *postOffice) arrived() (mails []mailtest.Mail) {
	for {
		select {
		case m := <-o.mails.Got:
			mails = append(mails, m)
		default:
			return mails
		}
	}
}

var mailToken = regexp.MustCompile(`/(unsubscribe|confirm)/([A-Za-z0-9_-]{43})`)

// token is the secret in a mail's link.
func (o *postOffice) token(m mailtest.Mail) string {
	o.T.Helper()
	found := mailToken.FindStringSubmatch(strings.ReplaceAll(m.Raw, "=\r\n", ""))
	if found == nil {
		o.T.Fatalf("no link in %.2000s", m.Raw)
	}
	return found[2]
}

// asked has an address asked to confirm, and returns the secret of its mail.
func (o *postOffice) asked(address string) string {
	o.T.Helper()
	if r := o.SignedIn().Send("/snapshots", "store", webtest.Own, "address", address); r.Status != http.StatusSeeOther {
		o.T.Fatalf("ask %s: %d %s", address, r.Status, r.Body)
	}
	mails := o.arrived()
	if len(mails) != 1 || mails[0].To != address {
		o.T.Fatalf("%d mails arrived", len(mails))
	}
	return o.token(mails[0])
}

// subscribed is a subscription of an address with a mail that was sent; the token is that mail's.
func (o *postOffice) subscribed(address string) (token string) {
	o.T.Helper()
	if r := o.Browser().Post(site.ConfirmPath+o.asked(address), url.Values{}); r.Status != http.StatusOK {
		o.T.Fatalf("confirm: %d %s", r.Status, r.Body)
	}
	o.Clock.Add(7 * 24 * time.Hour)
	mails := o.round()
	if len(mails) != 1 {
		o.T.Fatalf("%d mails", len(mails))
	}
	return o.token(mails[0])
}

func (o *postOffice) shows(r webtest.Response, words ...string) {
	o.T.Helper()
	if r.Status != http.StatusOK {
		o.T.Errorf("status %d: %.500s", r.Status, r.Body)
	}
	for _, w := range words {
		if !strings.Contains(r.Body, w) {
			o.T.Errorf("nothing says %q", w)
		}
	}
}

func TestProgramsThatLookThroughMailsEndNothingAndConfirmNothing(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	token := o.subscribed("carol@example.net")
	asked := o.asked("dora@example.net")
	scans := 2500 // four in five are GETs; MAIL_SCANS tries more
	if n, err := strconv.Atoi(os.Getenv("MAIL_SCANS")); err == nil {
		scans = n
	}
	agents := []string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36", "BarracudaCentral", "Mimecast", "Microsoft Office Existence Discovery",
		"GoogleImageProxy", "Mozilla/5.0 (compatible; Proofpoint URL Defense)", "Slackbot-LinkExpanding 1.0", "curl/8.5", "python-requests/2.31", "",
	}
	methods := []string{"GET", "GET", "HEAD", "GET", "GET"}
	marks := []http.Header{{}, {"Purpose": {"prefetch"}}, {"Sec-Purpose": {"prefetch;prerender"}}, {"X-Moz": {"prefetch"}}, {"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://mail.example"}}, {"X-Purpose": {"preview"}}}
	paths := []string{site.UnsubscribePath + token, site.ConfirmPath + asked, site.MailPath + token, site.MailPath + token + "/days.png", site.UnsubscribePath + token + "?List-Unsubscribe=One-Click", site.ConfirmPath + asked + "?confirm=1"}
	var lines sync.WaitGroup
	var mu sync.Mutex
	answers := map[string]int{}
	for line := range 8 {
		lines.Go(func() {
			b := o.Browser()
			for i := line; i < scans; i += 8 {
				h := marks[i%len(marks)].Clone()
				h.Set("User-Agent", agents[i/len(marks)%len(agents)])
				method, path := methods[i%len(methods)], paths[i/7%len(paths)]
				r := b.Do(method, path, nil, h)
				mu.Lock()
				answers[fmt.Sprint(method, " ", r.Status)]++
				mu.Unlock()
			}
		})
	}
	lines.Wait()
	if got := o.StoredTexts(`select address || ' ' || (confirmed_at is not null) || ' ' || (ended_at is null) from subscriptions order by address`); strings.Join(got, ", ") != "carol@example.net true true, dora@example.net false true" {
		t.Errorf("after %d scans: %v", scans, got)
	}
	if answers["GET 200"] == 0 || answers["HEAD 200"] == 0 {
		t.Errorf("the links did not work: %v", answers)
	}
	t.Logf("%d scans: %v", scans, answers)
}

func TestOneClickEndsMailsAtOnceFromAnywhere(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	token := o.subscribed("carol@example.net")
	o.Clock.Add(7 * 24 * time.Hour)
	if _, err := o.post.Schedule(t.Context()); err != nil { // the next is on its way
		t.Fatal(err)
	}
	foreign := http.Header{"Origin": {"https://mail.example"}, "Sec-Fetch-Site": {"cross-site"}}
	for range 2 {
		r := o.Browser().Do("POST", site.UnsubscribePath+token, url.Values{"List-Unsubscribe": {"One-Click"}}, foreign)
		o.shows(r, "No more weekly mails", "carol@example.net", "Acme Foods", "To get it again")
		if len(r.Header.Values("Set-Cookie")) > 0 {
			t.Error("it sets a cookie")
		}
	}
	for range 3 {
		if mails := o.round(); len(mails) > 0 {
			t.Errorf("%d mails after the end", len(mails))
		}
		o.Clock.Add(7 * 24 * time.Hour)
	}
	o.shows(o.Browser().Get(site.UnsubscribePath+token), "No more weekly mails")
	if r := o.Browser().Do("POST", site.ConfirmPath+o.asked("dora@example.net"), url.Values{}, foreign); r.Status != http.StatusForbidden {
		t.Errorf("another site's page says yes: %d", r.Status)
	}
}

func TestForgedLinksOfMailsAreAllAnsweredAlike(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	token := o.subscribed("carol@example.net")
	asked := o.asked("dora@example.net")
	chance := rand.NewChaCha8([32]byte{7})
	forged := []string{strings.Repeat("A", 43), token[:42], token + "A", strings.ToLower(token), asked, "%20" + token, token + "%00", "..%2f" + token}
	for range 40 {
		secret := make([]byte, 32)
		_, _ = chance.Read(secret)
		forged = append(forged, base64.RawURLEncoding.EncodeToString(secret))
	}
	for _, ask := range []struct{ method, prefix, suffix string }{
		{"GET", site.UnsubscribePath, ""}, {"POST", site.UnsubscribePath, ""}, {"GET", site.MailPath, ""}, {"GET", site.MailPath, "/days.png"}, {"GET", site.MailPath, "/weeks"}, {"GET", site.MailPath, "/weeks/2026-11-09"}, {"GET", site.MailPath, "/weeks/2026-11-09/days.png"}, {"GET", site.ConfirmPath, ""}, {"POST", site.ConfirmPath, ""},
	} {
		first := ""
		for _, f := range forged {
			if f == asked && ask.prefix == site.ConfirmPath {
				f = token // neither is the other's
			}
			var form url.Values
			if ask.method == "POST" {
				form = url.Values{}
			}
			r := o.Browser().Do(ask.method, ask.prefix+f+ask.suffix, form, nil)
			if first == "" {
				first = r.Body
			}
			if r.Status != http.StatusNotFound || r.Body != first || !strings.Contains(r.Body, "This link doesn’t work") {
				t.Errorf("%s %s%s: %d, the same bytes: %v", ask.method, ask.prefix, f, r.Status, r.Body == first)
			}
		}
	}
	for _, path := range []string{site.UnsubscribePath, site.ConfirmPath, site.MailPath + token + "/days.png/x", site.UnsubscribePath + token + "/", "/Unsubscribe/" + token} {
		if r := o.Browser().Get(path); r.Status != http.StatusNotFound || r.Header.Get("Location") != "" {
			t.Errorf("%s: %d %s", path, r.Status, r.Header.Get("Location"))
		}
	}
}

func TestTheSecretOfAMailStandsInNoPageAndNoLog(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	asked := o.asked("dora@example.net")
	token := o.subscribed("carol@example.net")
	secret := func(r webtest.Response, of string) {
		t.Helper()
		if strings.Contains(r.Body, of) || strings.Contains(fmt.Sprint(r.Header), of) {
			t.Errorf("the secret is in %.200s", r.Body)
		}
		if r.Header.Get("Referrer-Policy") != "same-origin" || !strings.Contains(r.Header.Get("X-Robots-Tag"), "noindex") || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("headers: %v", r.Header)
		}
	}
	secret(o.Browser().Get(site.ConfirmPath+asked), asked)
	secret(o.Browser().Post(site.ConfirmPath+asked, url.Values{}), asked)
	secret(o.Browser().Get(site.UnsubscribePath+token), token)
	secret(o.Browser().Post(site.UnsubscribePath+token, url.Values{}), token)
	secret(o.Browser().Get(site.UnsubscribePath+token+"/x"), token)
	for _, page := range []string{"/snapshots", "/snapshots/sent", "/audit"} {
		if r := o.SignedInAs(o.admin).Get(page); strings.Contains(r.Body, token) || strings.Contains(r.Body, asked) {
			t.Errorf("%s shows a secret", page)
		}
	}
	if log := o.Log.String(); strings.Contains(log, token) || strings.Contains(log, asked) {
		t.Error("the log holds a secret")
	}
}

func TestAMailIsShownAsItWasSentAndNothingInItRuns(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	token := o.subscribed("carol@example.net")
	r := o.Browser().Get(site.MailPath + token)
	o.shows(r, "Acme Foods", `src="`+token+`/days.png"`)
	if got := r.Header.Get("Content-Security-Policy"); got != mails.MailPolicy {
		t.Errorf("policy %q", got)
	}
	if strings.Contains(r.Body, "cid:") {
		t.Error("a picture is called by its place in the mail")
	}
	picture := o.Browser().Get(site.MailPath + token + "/days.png")
	if picture.Status != http.StatusOK || picture.Header.Get("Content-Type") != "image/png" || !strings.HasPrefix(picture.Body, "\x89PNG") {
		t.Errorf("picture: %d %v", picture.Status, picture.Header)
	}
	o.Exec(`update stores set removed_at = now(), removed_by = 'someone' where slug = $1`, webtest.Own)
	if r := o.Browser().Get(site.MailPath + token); r.Status != http.StatusNotFound {
		t.Errorf("of a removed store: %d", r.Status)
	}
	o.shows(o.Browser().Post(site.UnsubscribePath+token, url.Values{}), "No more weekly mails")
}

// alertMail is a mail about an alert to a person who holds the store, and its secret.
func (o *postOffice) alertMail(p access.Person) (token string) {
	o.T.Helper()
	alerts := &alert.Alerts{DB: o.DB, Courier: o.post.Courier, Base: o.post.Base, Host: "reports.example", Now: o.Clock.Now, Log: slog.New(slog.DiscardHandler)}
	o.Exec(`delete from alerts`)
	o.Exec(`with a as (insert into alerts (store_id, rule, since, seen_at, opened_at, title, text, href, evidence) select id, 'drift', $2, $2, $2, '"It fell"', '["By much."]', '', '{}' from stores where slug = $1 returning id, store_id)
		insert into alert_notices (alert_id, store_id, kind, person_id, created_at, at) select a.id, a.store_id, 'opened', $3, $2, $2 from a`, webtest.Own, o.Clock.Now(), p.ID)
	set, at := jobs.NewSet(), o.T.Context()
	schedule, err := jobs.ParseSchedule("@every 1s")
	o.Must(err)
	alerts.Jobs(set, schedule)
	engine, err := jobs.Start(at, o.DB.Pool, alerts.Log, set)
	o.Must(err)
	m := <-o.mails.Got
	o.Must(engine.Stop(at))
	if m.To != p.Email {
		o.T.Fatalf("a mail to %s", m.To)
	}
	return o.token(m)
}

func TestOneClickEndsAlertMailsAndNothingElse(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	weekly := o.subscribed("carol@example.net")
	token := o.alertMail(o.admin)
	page := site.UnsubscribePath + token
	for range 3 { // as mail scanners do
		o.shows(o.Browser().Get(page), "Stop alert mails?", "root@example.com", `method="post"`)
	}
	settings := func() []string { return o.StoredTexts(`select mail::text from alert_settings`) }
	if got := settings(); len(got) != 0 {
		t.Errorf("opened, it set %v", got)
	}
	foreign := http.Header{"Origin": {"https://mail.example"}, "Sec-Fetch-Site": {"cross-site"}}
	for range 2 {
		r := o.Browser().Do("POST", page, url.Values{"List-Unsubscribe": {"One-Click"}}, foreign)
		o.shows(r, "No more alert mails", "root@example.com", "/alerts/settings")
		if strings.Contains(r.Body, token) || len(r.Header.Values("Set-Cookie")) > 0 {
			t.Error("it shows its secret or sets a cookie")
		}
	}
	if got := settings(); len(got) != 1 || got[0] != "false" {
		t.Errorf("settings %v", got)
	}
	if got := o.StoredTexts(`select action || ' ' || subject || ' ' || (details #>> '{0,id}') from audit where action = 'alert.mail-ended'`); len(got) != 1 || got[0] != "alert.mail-ended root@example.com audit.detail.by_link" {
		t.Errorf("audit %v", got)
	}
	if got := o.StoredTexts(`select address from subscriptions where ended_at is null`); len(got) != 1 {
		t.Errorf("weekly mails that go on: %v", got)
	}
	if r := o.SignedInAs(o.admin).Get("/alerts/settings"); !strings.Contains(r.Body, `name="mail"`) || regexp.MustCompile(`name="mail"[^>]*checked`).MatchString(r.Body) {
		t.Errorf("the settings show mails as on: %.600s", r.Body)
	}
	for _, path := range []string{site.MailPath + token, site.MailPath + token + "/weeks", site.ConfirmPath + token} {
		if r := o.Browser().Get(path); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	o.shows(o.Browser().Get(site.UnsubscribePath+weekly), "Stop this weekly mail?")

	// Once turned on, they come again, and the earlier link ends them once more.
	o.Exec(`update alert_settings set mail = true`)
	second := o.alertMail(o.admin)
	o.shows(o.Browser().Post(page, url.Values{}), "No more alert mails")
	o.shows(o.Browser().Get(site.UnsubscribePath+second), "No more alert mails")
}

func TestEarlierWeeksOpenFromTheMailThatStandsForThem(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	o.Browser().Post(site.ConfirmPath+o.asked("carol@example.net"), url.Values{})
	o.Clock.Add(6 * 7 * 24 * time.Hour)
	o.Exec(`insert into summaries (store_id, window_start, window_end, total_upsold_value, total_upsold_orders, total_orders, currency, source, asked_start, asked_end, partial, fetched_at)
		select s.id, d, d, 100, 4, 30, coalesce(s.currency, 'USD'), 'merchant', d, d, false, $2 from stores s, generate_series(1, 60) n, lateral (select $2::date - n as d) x where s.slug = $1 on conflict do nothing`, webtest.Own, o.Clock.Now())
	came := o.round()
	if len(came) != 1 {
		t.Fatalf("%d mails", len(came))
	}
	token := o.token(came[0])
	list := o.Browser().Get(site.MailPath + token + "/weeks")
	o.shows(list, "Earlier reports", "carol@example.net", "Acme Foods")
	if strings.Contains(list.Body, token) {
		t.Error("the secret is in the list")
	}
	weeks := regexp.MustCompile(`href="weeks/([0-9-]{10})"`).FindAllStringSubmatch(list.Body, -1)
	if len(weeks) != 5 {
		t.Fatalf("listed %v", weeks)
	}
	for _, w := range weeks {
		r := o.Browser().Get(site.MailPath + token + "/weeks/" + w[1])
		o.shows(r, "Acme Foods", `src="`+w[1]+`/days.png"`)
		if got := r.Header.Get("Content-Security-Policy"); got != mails.MailPolicy || strings.Contains(r.Body, "cid:") {
			t.Errorf("%s: policy %q", w[1], got)
		}
		picture := o.Browser().Get(site.MailPath + token + "/weeks/" + w[1] + "/days.png")
		if picture.Status != http.StatusOK || !strings.HasPrefix(picture.Body, "\x89PNG") {
			t.Errorf("%s: picture: %d", w[1], picture.Status)
		}
	}
	for _, wrong := range []string{"/weeks/1999-01-04", "/weeks/none", "/weeks/" + weeks[0][1] + "/nothing.png"} {
		if r := o.Browser().Get(site.MailPath + token + wrong); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", wrong, r.Status)
		}
	}
	sent := o.SignedInAs(o.admin).Get("/snapshots/sent")
	o.shows(sent, "In a later mail", "with the mail of ")
	o.Exec(`update stores set removed_at = now(), removed_by = 'someone' where slug = $1`, webtest.Own)
	for _, gone := range []string{"/weeks", "/weeks/" + weeks[0][1], "/weeks/" + weeks[0][1] + "/days.png"} {
		if r := o.Browser().Get(site.MailPath + token + gone); r.Status != http.StatusNotFound {
			t.Errorf("%s of a removed store: %d", gone, r.Status)
		}
	}
}
