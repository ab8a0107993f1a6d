package stores_test

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/web/webtest"
)

// shops is a world whose Admin reaches made-up services over HTTP.
type shops struct {
	*webtest.World
	services *sandbox.Server
	at       string
	// secrets are every token that a test has pasted.
	secrets []string
}

func newShops(t *testing.T) *shops {
	t.Helper()
	w := webtest.NewWorldThatMayCall(t, "http://localhost:8080", "127.0.0.1")
	s := &shops{World: w, services: sandbox.New(sandbox.Config{Seed: 1, Now: w.Clock.Now})}
	server := httptest.NewServer(s.services)
	t.Cleanup(server.Close)
	s.at = server.URL
	return s
}

// shop is one of the made-up ones.
func (s *shops) shop(n int) sandbox.Store { return s.services.Stores()[n] }

// both are the fields of the first step for a shop.
func (s *shops) both(of sandbox.Store) []string {
	s.secrets = append(s.secrets, of.UpsellToken, of.GiftKey)
	return []string{"upsell_url", s.at + of.UpsellPath, "upsell_token", of.UpsellToken, "gift_url", s.at + of.GiftPath, "gift_token", of.GiftKey}
}

// found completes the first step and returns the address of the second.
func (s *shops) found(b *webtest.Browser, of sandbox.Store) string {
	s.T.Helper()
	r := b.Send("/stores/new", s.both(of)...)
	if r.Status != http.StatusSeeOther || !strings.HasPrefix(r.Header.Get("Location"), "/stores/new/") {
		s.T.Fatalf("%d %q: %s", r.Status, r.Header.Get("Location"), said(r))
	}
	return r.Header.Get("Location")
}

// added completes both steps.
func (s *shops) added(b *webtest.Browser, of sandbox.Store, slug string) {
	s.T.Helper()
	r := b.Send(s.found(b, of), "name", of.Name, "slug", slug, "timezone", of.Timezone, "history_days", "30")
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/stores/"+slug {
		s.T.Fatalf("%d %q: %s", r.Status, r.Header.Get("Location"), said(r))
	}
}

// said is what a page's main part says, as text.
func said(r webtest.Response) string {
	_, body, _ := strings.Cut(r.Body, "<main")
	var b strings.Builder
	in := false
	for _, c := range body {
		switch {
		case c == '<':
			in = true
		case c == '>':
			in = false
			b.WriteByte(' ')
		case !in:
			b.WriteRune(c)
		}
	}
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// tells fails for every text that isn't on the page.
func (s *shops) tells(what string, r webtest.Response, status int, texts ...string) {
	s.T.Helper()
	if r.Status != status {
		s.T.Errorf("%s: %d, want %d", what, r.Status, status)
	}
	for _, text := range texts {
		if !strings.Contains(said(r), text) {
			s.T.Errorf("%s: the page does not say %q:\n%s", what, text, said(r))
		}
	}
	for _, secret := range s.secrets {
		if strings.Contains(webtest.WholeText(r)+fmt.Sprint(r.Header), secret) {
			s.T.Errorf("%s: the answer holds a token", what)
		}
	}
}

// secretsKept fails if a pasted token is stored anywhere unencrypted.
func (s *shops) secretsKept() {
	s.T.Helper()
	places := map[string]string{"the log": s.Log.String()}
	for _, table := range []string{"audit", "pending_connections", "credentials", "stores", "sessions", "replies"} {
		places[table] = strings.Join(s.StoredTexts(`select to_jsonb(x)::text from `+table+` x`), "\n")
	}
	for _, job := range jobstest.Of(s.T, s.DB.Pool, "") {
		places["the job "+job.Kind] = string(job.EncodedArgs)
	}
	for place, text := range places {
		for _, secret := range s.secrets {
			if len(secret) > 8 && strings.Contains(text, secret) {
				s.T.Errorf("%s holds a token", place)
			}
		}
	}
}

func (s *shops) count(what string) int {
	s.T.Helper()
	var n int
	s.Must(s.DB.Pool.QueryRow(s.T.Context(), `select count(*) from `+what).Scan(&n))
	return n
}

func TestAStoreIsAddedAfterNamingBackWhatWasFound(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	shop := s.shop(0)
	s.tells("first step", b.Get("/stores/new"), 200, "Step 1 of 2", "Developer Tools", "Store API")
	second := s.found(b, shop)
	if stores := s.count("stores"); stores != 2 {
		t.Errorf("%d stores are there before anything was saved", stores)
	}
	s.tells("second step", b.Get(second), 200, shop.Domain, shop.Currency, shop.Timezone, "offers, in any status", "Plan", "ends in "+shop.UpsellToken[len(shop.UpsellToken)-4:], "read only")
	if page := b.Get(second).Body; !strings.Contains(page, `value="`+stores.SuggestSlug(shop.Domain)+`"`) {
		t.Error("no short name is suggested")
	}

	s.Audit()
	r := b.Send(second, "name", " Northern Goods ", "slug", "northern", "timezone", shop.Timezone, "history_days", "30")
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/stores/northern" {
		t.Fatalf("%d %q: %s", r.Status, r.Header.Get("Location"), said(r))
	}
	s.Recorded("person ada@example.com store.added northern Northern Goods",
		"person ada@example.com credential.added northern upsell, at "+s.at+shop.UpsellPath,
		"person ada@example.com credential.added northern gift, at "+s.at+shop.GiftPath,
		"person ada@example.com grant.given northern ada@example.com")
	page := b.Get("/stores/northern")
	s.tells("its first page", page, 200, "Northern Goods", "Loading: 0 of 9 first answers are in", "You can close this page and loading continues", "7 days")
	if !strings.Contains(page.Body, `<noscript><meta http-equiv="refresh" content="2"></noscript>`) || !strings.Contains(page.Body, `data-loaded=`) {
		t.Error("the page does not load again by itself")
	}
	if jobs := len(jobstest.Of(t, s.DB.Pool, "drain")); jobs != 2 {
		t.Errorf("%d jobs were started", jobs)
	}

	for what, again := range map[string]webtest.Response{
		"sent twice":   b.Send(second, "name", "Other", "slug", "other", "timezone", "UTC", "history_days", "1"),
		"gone back to": b.Get(second),
	} {
		if again.Status != http.StatusSeeOther || again.Header.Get("Location") != "/stores/northern" {
			t.Errorf("%s: %d %q", what, again.Status, again.Header.Get("Location"))
		}
	}
	if stores := s.count("stores"); stores != 3 {
		t.Errorf("%d stores", stores)
	}
	s.secretsKept()
}

func TestAFormThatIsSentTwiceAtOnceMakesOneStore(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	shop := s.shop(0)
	second := s.found(b, shop)
	form := url.Values{"csrf": {b.CSRF()}, "name": {"North"}, "slug": {"north"}, "timezone": {shop.Timezone}, "history_days": {"30"}}
	var wait sync.WaitGroup
	var answers [4]webtest.Response
	for i := range answers {
		wait.Go(func() { answers[i] = b.Post(second, form) })
	}
	wait.Wait()
	for _, r := range answers {
		if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/stores/north" {
			t.Errorf("%d %q: %s", r.Status, r.Header.Get("Location"), said(r))
		}
	}
	if stores, grants := s.count("stores"), s.count(`grants where person_id = (select id from people where email = 'ada@example.com')`); stores != 3 || grants != 2 {
		t.Errorf("%d stores, %d grants", stores, grants)
	}
}

func TestWhyAServiceWasNotConnectedIsSaidInWords(t *testing.T) {
	t.Parallel()
	type fields = []string
	refused := func(status int, code string) sandbox.Fault {
		return sandbox.Fault{Status: status, Body: `{"success":false,"data":null,"error":{"code":"` + code + `","message":"Said so."}}`}
	}
	upsell := func(s *shops, path, token string) fields {
		return fields{"upsell_url", path, "upsell_token", token}
	}
	gift := func(s *shops, path, token string) fields { return fields{"gift_url", path, "gift_token", token} }
	goodUpsell := func(s *shops) fields { return upsell(s, s.at+s.shop(0).UpsellPath, s.shop(0).UpsellToken) }
	goodGift := func(s *shops) fields { return gift(s, s.at+s.shop(0).GiftPath, s.shop(0).GiftKey) }
	for name, c := range map[string]struct {
		before func(*shops)
		form   func(*shops) fields
		words  string
	}{
		"nothing":          {nil, func(*shops) fields { return nil }, "Paste the base address and token of at least one app."},
		"no token":         {nil, func(s *shops) fields { return upsell(s, s.at+s.shop(0).UpsellPath, " ") }, "Paste the upsell token too."},
		"no address":       {nil, func(s *shops) fields { return gift(s, "", s.shop(0).GiftKey) }, "Paste the base address too, and the gift key again."},
		"unknown token":    {nil, func(s *shops) fields { return upsell(s, s.at+s.shop(0).UpsellPath, "up_nobody_has_this_token") }, "The upsell token was refused. Check that the app is installed and, in its settings under Developer Tools, that the token wasn’t revoked. Then connect the store again. Make sure that this is the upsell app’s token, and not the gift key. The app said: “Invalid token.”"},
		"a blank in it":    {nil, func(s *shops) fields { return upsell(s, s.at+s.shop(0).UpsellPath, "Bearer up_one_of_the_tokens") }, "The token is missing or has characters that no token has, so it wasn’t sent. Copy it again."},
		"the gift key":     {nil, func(s *shops) fields { return upsell(s, s.at+s.shop(0).UpsellPath, s.shop(0).GiftKey) }, "and not the gift key."},
		"the upsell token": {nil, func(s *shops) fields { return gift(s, s.at+s.shop(0).GiftPath, s.shop(0).UpsellToken) }, "Make sure that this is the gift app’s Store API key, and not the upsell token."},
		"the assistant's":  {nil, func(s *shops) fields { return gift(s, s.at+s.shop(0).GiftPath, s.shop(0).MCPKey) }, "This key is for the assistant (MCP), not the Store API"},
		"two shops": {nil, func(s *shops) fields {
			return append(goodUpsell(s), gift(s, s.at+s.shop(1).GiftPath, s.shop(1).GiftKey)...)
		}, "The two tokens belong to two shops: "},
		"one of two": {nil, func(s *shops) fields {
			return append(goodUpsell(s), gift(s, s.at+s.shop(0).GiftPath, "sk_nobody_has_this_key")...)
		}, "This app answered. Paste its token again too"},
		"not public":        {nil, func(s *shops) fields { return upsell(s, "https://10.0.0.7/v1", "a-token-of-some-length") }, "This address isn’t public, so we don’t call it."},
		"not https":         {nil, func(s *shops) fields { return upsell(s, "http://shop.example/v1", "a-token-of-some-length") }, "This address can’t be used. Enter it in full with https"},
		"no address at all": {nil, func(s *shops) fields { return upsell(s, "shop", "a-token-of-some-length") }, "This address can’t be used. Enter it in full with https"},
		"no such name":      {nil, func(s *shops) fields { return upsell(s, "https://shop.example/v1", "a-token-of-some-length") }, "The upsell app can’t be reached ("},
		"no such path":      {nil, func(s *shops) fields { return upsell(s, s.at+"/nowhere", s.shop(0).UpsellToken) }, "Nothing is at this address (404). Check that it’s complete"},
		"another service": {func(s *shops) {
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Body: "<html>", ContentType: "text/html"})
		}, goodUpsell, "The reply from this address isn’t the upsell app’s ("},
		"broken JSON": {func(s *shops) {
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Body: `{"success":true,"data":{"total":`})
		}, goodUpsell, "The upsell app’s reply doesn’t match its documentation (200: reply breaks the contract at /data/total: it ends too early)."},
		"a reply that differs from the documents": {func(s *shops) {
			s.services.Break(sandbox.Gift, s.shop(0).Slug, sandbox.Fault{Path: "/plan", Body: `{"success":true,"data":{"plan":null}}`})
		}, goodGift, "The gift app’s reply doesn’t match its documentation (200: reply breaks the contract at /data/plan: it is null). The address is right."},
		"another shop's address": {func(s *shops) {
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Status: 403, Body: `{"success":false,"message":"Token is not authorized for this shop"}`})
		}, goodUpsell, "This token doesn’t belong to the address it’s used with. Copy the base address from the app’s settings, under Developer Tools, and connect the store again. The app said: “Token is not authorized for this shop.”"},
		"trial over": {func(s *shops) {
			s.services.Break(sandbox.Gift, s.shop(0).Slug, sandbox.Fault{Path: "/plan", Edit: func(b []byte) []byte {
				return bytes.ReplaceAll(bytes.ReplaceAll(b, []byte(`"isPaid":true`), []byte(`"isPaid":false`)), []byte(`"trialEndsAt":null`), []byte(`"trialEndsAt":"2026-11-18T12:30:00"`))
			}})
		}, goodGift, "The gift plan’s trial has ended and the plan isn’t paid."},
		"elsewhere": {func(s *shops) { s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Status: 302}) }, goodUpsell, "redirects are never followed"},
		"down": {func(s *shops) {
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Cause: sandbox.Internal})
		}, goodUpsell, "The upsell app returned an error (500"},
		"the count failed": {func(s *shops) {
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Cause: sandbox.CountFailed})
		}, goodUpsell, "The upsell app returned an error (200: reply breaks the contract at /success"},
		"no connection": {func(s *shops) { s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Drop: true}) }, goodUpsell, "The upsell app can’t be reached ("},
		"too slow": {func(s *shops) {
			s.StoreAdmin.Patience = 200 * time.Millisecond
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Delay: time.Hour})
		}, goodUpsell, "The upsell app didn’t answer within 1 second. Nothing was changed."},
		"too many calls": {func(s *shops) {
			s.services.Break(sandbox.Upsell, s.shop(0).Slug, sandbox.Fault{Cause: sandbox.Limited})
		}, goodUpsell, "The upsell app asks us to wait. Try again in 30 seconds."},
		"our calls are spent": {func(s *shops) {
			s.SignedIn().Send("/stores/new", goodUpsell(s)...)
			s.Exec(`update budget_slots set held_until = now() + interval '80 seconds'`)
		}, goodUpsell, "This minute’s calls are used up. Try again in "},
		"too often": {func(s *shops) {
			for range 20 {
				s.SignedIn().Send("/stores/new", upsell(s, "https://10.0.0.7/v1", "a-token-of-some-length")...)
			}
		}, goodUpsell, "You’ve had apps checked many times within a few minutes. Try again in 30 seconds."},
		"no plan": {func(s *shops) { s.services.Break(sandbox.Gift, s.shop(0).Slug, sandbox.Fault{Cause: sandbox.NoPlan}) }, goodGift, "This store is no longer on a paid gift plan"},
		"uninstalled": {func(s *shops) {
			s.services.Break(sandbox.Gift, s.shop(0).Slug, sandbox.Fault{Cause: sandbox.Uninstalled})
		}, goodGift, "The gift app was uninstalled. Install it again, then create a new key."},
		"level": {func(s *shops) { s.services.Break(sandbox.Gift, s.shop(0).Slug, refused(403, "INSUFFICIENT_SCOPE")) }, goodGift, "The key’s access level is too low. Set it to “read” in the app’s settings; the key stays the same. The app said: “Said so.”"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShops(t)
			if c.before != nil {
				c.before(s)
			}
			pending := s.count("pending_connections")
			form := c.form(s)
			typed := map[string]string{}
			for pair := range slices.Chunk(form, 2) {
				typed[pair[0]] = pair[1]
				if strings.HasSuffix(pair[0], "_token") && len(pair[1]) > 8 {
					s.secrets = append(s.secrets, pair[1])
				}
			}
			r := s.SignedIn().Send("/stores/new", form...)
			s.tells(name, r, http.StatusUnprocessableEntity, c.words)
			for half, field := range map[string]string{"no token": "upsell_token", "no address": "gift_url"} {
				if name == half && !strings.Contains(r.Body, `aria-describedby="f-`+field+`-problem"`) {
					t.Errorf("%s isn't marked as wrong", field)
				}
			}
			for _, address := range []string{typed["upsell_url"], typed["gift_url"]} {
				if address != "" && !strings.Contains(html.UnescapeString(r.Body), `value="`+address+`"`) {
					t.Errorf("the address %q has to be typed again", address)
				}
			}
			if stores, now := s.count("stores"), s.count("pending_connections"); stores != 2 || now != pending {
				t.Errorf("%d stores, %d connections are kept, %d before", stores, now, pending)
			}
			s.secretsKept()
		})
	}
}

func TestAShopThatIsHereIsToldToThoseAloneWhoMaySeeIt(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	shop := s.shop(0)
	s.added(s.SignedIn(), shop, "north")
	s.tells("who holds it", s.SignedIn().Send("/stores/new", s.both(shop)...), 422, "This shop is already connected as "+locale.Name(shop.Name)+".", "Go to its settings")
	eve, err := s.Access.CreatePerson(t.Context(), "eve@example.com", "Eve", access.Merchant)
	s.Must(err)
	b := s.SignedInAs(eve)
	r := b.Send("/stores/new", s.both(shop)...)
	s.tells("who does not", r, 422, "This shop is already connected here, but you don’t have access to it. Ask an administrator.")
	if strings.Contains(said(r), shop.Name) || strings.Contains(r.Body, "/stores/north") {
		t.Error("a foreign store is named")
	}

	s.added(b, s.shop(1), "west") // Eve's own, which she removes
	b.Send("/stores/west/settings/remove", "slug", "west")
	s.tells("who removed it", b.Send("/stores/new", s.both(s.shop(1))...), 422, "This shop is already here as "+locale.Name(s.shop(1).Name)+", which was removed and can be restored.", "Go to removed stores")
	s.tells("another", s.SignedIn().Send("/stores/new", s.both(s.shop(1))...), 422, "you don’t have access to it")
	second := s.found(s.SignedIn(), s.shop(2))
	ada := s.SignedIn()
	s.tells("a name that is kept", ada.Send(second, "name", "West", "slug", "west", "timezone", s.shop(2).Timezone, "history_days", "30"), 422, "A removed store keeps this name until 20 Dec 2026. Choose another.")
	s.tells("a name in use", ada.Send(second, "name", "North", "slug", "north", "timezone", s.shop(2).Timezone, "history_days", "30"), 422, "Another store has this name. Choose another.")
	s.tells("a foreign name in use", ada.Send(second, "name", "North", "slug", webtest.Foreign, "timezone", s.shop(2).Timezone, "history_days", "30"), 422, "Another store has this name. Choose another.")
}

func TestWhatIsTypedAboutANewStoreIsChecked(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	shop := s.shop(0)
	second := s.found(b, shop)
	for name, c := range map[string]struct{ name, slug, zone, days, words string }{
		"no name":           {" ", "north", shop.Timezone, "30", "Enter the name that pages show."},
		"a long name":       {strings.Repeat("é", 101), "north", shop.Timezone, "30", "Enter at most 100 characters."},
		"a bell in it":      {"No\arth", "north", shop.Timezone, "30", "This name has characters that can’t be shown."},
		"a slug with blank": {"North", "north shop", shop.Timezone, "30", "Use a to z, 0 to 9 and dashes"},
		"a page of ours":    {"North", "removed", shop.Timezone, "30", "“removed” is reserved."},
		"no clock":          {"North", "north", "", "30", "Choose the store’s time zone."},
		"no such clock":     {"North", "north", "Local", "30", "Choose the store’s time zone."},
		"no days":           {"North", "north", shop.Timezone, "many", "Enter a number from 1 to 3,660."},
		"too many days":     {"North", "north", shop.Timezone, "3661", "Enter a number from 1 to 3,660."},
	} {
		r := b.Send(second, "name", c.name, "slug", c.slug, "timezone", c.zone, "history_days", c.days)
		s.tells(name, r, 422, c.words)
		for _, typed := range []string{strings.TrimSpace(c.name), c.slug, c.days} {
			if typed != "" && !strings.Contains(html.UnescapeString(r.Body), `value="`+typed+`"`) {
				t.Errorf("%s: %q has to be typed again", name, typed)
			}
		}
		if c.zone == shop.Timezone && !strings.Contains(r.Body, `value="`+c.zone+`" selected`) {
			t.Errorf("%s: the clock has to be chosen again", name)
		}
	}
	if stores := s.count("stores"); stores != 2 {
		t.Errorf("%d stores", stores)
	}
}

func TestAnotherClockThanTheGiftServicesIsPointedOutFirst(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	shop := s.shop(0)
	second := s.found(b, shop)
	form := []string{"name", "North", "slug", "north", "timezone", "Asia/Tokyo", "history_days", "30"}
	s.tells("unsaid", b.Send(second, form...), 422, "The gift app reports "+shop.Timezone+". With Tokyo time, the two apps’ days would start at different times", "Use Tokyo time anyway")
	s.tells("said of another", b.Send(second, append(form, "sure", "Asia/Seoul")...), 422, "The gift app reports ")
	if r := b.Send(second, append(form, "sure", "Asia/Tokyo")...); r.Status != http.StatusSeeOther {
		t.Errorf("%d: %s", r.Status, said(r))
	}
	if zone := s.StoredTexts(`select timezone from stores where slug = 'north'`); zone[0] != "Asia/Tokyo" {
		t.Errorf("%q", zone)
	}
}

func TestWithoutTheGiftServiceTheClockIsAskedFor(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	shop := s.shop(0)
	r := b.Send("/stores/new", s.both(shop)[:4]...)
	page := b.Get(r.Header.Get("Location"))
	s.tells("the second step", page, 200, "No app reported it.", "Choose the store’s time zone", "New York, 10:30", "Tokyo, 00:30")
	if strings.Contains(page.Body, " selected") {
		t.Error("a clock is chosen that nobody named")
	}
}

func TestWhatWasPastedIsKeptForAQuarterOfAnHourAndForThatPersonAlone(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	second := s.found(b, s.shop(0))
	eve, err := s.Access.CreatePerson(t.Context(), "eve@example.com", "Eve", access.Admin)
	s.Must(err)
	form := []string{"name", "North", "slug", "north", "timezone", s.shop(0).Timezone, "history_days", "30"}
	gone := "What you pasted was kept for 15 minutes and is gone."
	s.tells("someone else looks", s.SignedInAs(eve).Get(second), 404, gone)
	s.tells("someone else saves", s.SignedInAs(eve).Send(second, form...), 404, gone)
	s.Clock.Add(15 * time.Minute)
	s.tells("too late to look", b.Get(second), 404, gone)
	s.tells("too late to save", b.Send(second, form...), 404, gone)
	if stores := s.count("stores"); stores != 2 {
		t.Errorf("%d stores", stores)
	}
}

// Two people add the same shop: the second is told so, and learns nothing about the first.
func TestTwoPeopleWhoAddOneShopMakeOneStore(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	eve, err := s.Access.CreatePerson(t.Context(), "eve@example.com", "Eve", access.Merchant)
	s.Must(err)
	a, b := s.SignedIn(), s.SignedInAs(eve)
	shop := s.shop(0)
	first, second := s.found(a, shop), s.found(b, shop)
	s.tells("the first", a.Send(first, "name", "Ada’s own", "slug", "adas", "timezone", shop.Timezone, "history_days", "30"), 303)
	r := b.Send(second, "name", "Eve’s own", "slug", "eves", "timezone", shop.Timezone, "history_days", "30")
	s.tells("the second", r, 422, "This shop is already connected here, but you don’t have access to it. Ask an administrator.")
	if strings.Contains(r.Body, "adas") {
		t.Error("a foreign store is named")
	}
}

// A reader of a link can't connect anything, and isn't there to watch progress.
func TestAReaderOfALinkIsNotToldWhomToAskNorKeptWaiting(t *testing.T) {
	t.Parallel()
	s := newShops(t)
	b := s.SignedIn()
	shop := s.shop(0)
	r := b.Send("/stores/new", s.both(shop)[:4]...) // no gift service
	b.Send(r.Header.Get("Location"), "name", shop.Name, "slug", "north", "timezone", shop.Timezone, "history_days", "30")
	secret, err := s.Shares.Create(t.Context(), s.Scoped("north"), sharing.Draft{
		By: s.Person.ID, Label: "For the board", Pages: sharing.Pages, Window: sharing.Window{Preset: "last_30_days"}, Until: s.Clock.Now().AddDate(0, 0, 30),
	})
	s.Must(err)
	look := func(how string) {
		t.Helper()
		for _, below := range []string{"", "/gift"} {
			r := s.Browser().Get("/share/" + secret + below)
			s.tells(how+below, r, 200, "Nothing to show yet")
			for _, never := range []string{"can connect it", "can do that here", "data-loaded", `http-equiv="refresh"`} {
				if strings.Contains(r.Body, never) {
					t.Errorf("%s%s holds %q", how, below, never)
				}
			}
		}
	}
	look("while it fills in")
	s.Exec(`update credentials set state = 'paused', paused_cause = 'token', paused_said = 'Refused before.', paused_at = $1 where service = 'upsell'`, s.Clock.Now())
	look("while it is paused")
}
