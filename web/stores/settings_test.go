package stores_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/web/webtest"
)

// north is a world in which Ada has added the first shop as "north".
func north(t *testing.T) (*shops, *webtest.Browser) {
	t.Helper()
	s := newShops(t)
	b := s.SignedIn()
	s.added(b, s.shop(0), "north")
	s.Audit()
	return s, b
}

func TestATokenIsReplacedByOneOfTheSameShopAlone(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	shop, other := s.shop(0), s.shop(1)
	form := "/stores/north/settings/upsell"
	s.tells("the form", b.Get(form), 200, "Replace the upsell token", "A stored token is never sent to a new address")
	sealed := s.StoredTexts(`select encode(token_sealed, 'hex') from credentials where service = 'upsell' and store_id = (select id from stores where slug = 'north')`)[0]
	arrived := len(s.services.Arrivals())
	s.tells("no token", b.Send(form, "upsell_url", "http://127.0.0.1:1/v1"), 422, "Paste the upsell token too.")
	s.tells("nothing", b.Send(form), 422, "Paste the base address and the upsell token.")
	if got := len(s.services.Arrivals()); got != arrived {
		t.Errorf("%d calls were made without a token", got-arrived)
	}
	s.secrets = append(s.secrets, other.UpsellToken)
	s.tells("another shop's", b.Send(form, "upsell_url", s.at+other.UpsellPath, "upsell_token", other.UpsellToken), 422, "The token belongs to another shop: "+other.Domain+". This store belongs to "+shop.Domain)
	r := b.Send(form, "upsell_url", s.at+shop.UpsellPath+"/", "upsell_token", "up_nobody_has_this_token")
	s.tells("nobody's", r, 422, "The upsell token was refused.")
	if !strings.Contains(r.Body, `value="`+s.at+shop.UpsellPath+`/"`) {
		t.Error("the address has to be typed again")
	}
	if now := s.StoredTexts(`select encode(token_sealed, 'hex') from credentials where service = 'upsell' and store_id = (select id from stores where slug = 'north')`)[0]; now != sealed {
		t.Error("a token that was refused was saved")
	}
	s.Recorded()

	renewed := s.services.Renew(sandbox.Upsell, shop.Slug)
	s.secrets = append(s.secrets, renewed.UpsellToken)
	r = b.Send(form, "upsell_url", s.at+renewed.UpsellPath, "upsell_token", renewed.UpsellToken)
	if r.Status != 303 || r.Header.Get("Location") != "/stores/north/settings?done=replaced" {
		t.Fatalf("%d %q: %s", r.Status, r.Header.Get("Location"), said(r))
	}
	s.tells("settings", b.Get("/stores/north/settings?done=replaced"), 200, "Replaced. The old one is deleted", "ends in "+renewed.UpsellToken[len(renewed.UpsellToken)-4:], "Token or address replaced on ", "Working, nothing updated yet")
	s.Recorded("person ada@example.com credential.rotated north upsell, at " + s.at + shop.UpsellPath)
	s.secretsKept()
}

func TestAServiceIsDisconnectedAndConnectedAgainLater(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	shop := s.shop(0)
	s.Exec(`insert into ledger (store_id, pull, subject, service, outcome, last_good_at) select id, 'gift.plan', '', 'gift', 'good', $1 from stores where slug = 'north'`, s.Clock.Now())
	s.tells("asked first", b.Get("/stores/north/settings/gift/disconnect"), 200, "Disconnect the gift app?", "Stored numbers stay")
	r := b.Send("/stores/north/settings/gift/disconnect")
	s.tells("done", b.Get(r.Header.Get("Location")), 200, "Disconnected. Its address and its token or key are deleted; stored numbers stay.", "Not connected")
	if n := s.count(`credentials where service = 'gift' and store_id = (select id from stores where slug = 'north')`); n != 0 {
		t.Error("the key is still there")
	}
	if n := s.count(`ledger where service = 'gift' and store_id = (select id from stores where slug = 'north')`); n != 1 {
		t.Error("what was pulled is gone")
	}
	s.tells("again", b.Send("/stores/north/settings/gift/disconnect"), 303)
	s.tells("checked", b.Send("/stores/north/settings/gift/check"), 422, "The gift app isn’t connected to this store.")
	s.tells("the form", b.Get("/stores/north/settings/gift"), 200, "Connect the gift app")
	r = b.Send("/stores/north/settings/gift", "gift_url", s.at+shop.GiftPath, "gift_token", shop.GiftKey)
	if r.Header.Get("Location") != "/stores/north/settings?done=connected" {
		t.Errorf("%d: %s", r.Status, said(r))
	}
	s.Recorded("person ada@example.com credential.removed north gift", "person ada@example.com credential.added north gift, at "+s.at+shop.GiftPath)
	s.tells("no such service", b.Get("/stores/north/settings/mail"), 404)
}

// What the list keeps in memory about a store is dropped when its revision changes.
func TestTheListOfStoresFollowsWhatIsConnected(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	shop := s.shop(0)
	s.HasNot(b.Get("/?q=north"), "Free gifts only")
	b.Send("/stores/north/settings/upsell/disconnect")
	s.Has(b.Get("/?q=north"), "Free gifts only")
	b.Send("/stores/north/settings/upsell", "upsell_url", s.at+shop.UpsellPath, "upsell_token", shop.UpsellToken)
	s.HasNot(b.Get("/?q=north"), "Free gifts only")
}

func TestACheckSaysHowItIsAndLetsAMendedServiceGoOn(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	shop := s.shop(0)
	check := func() webtest.Response { return b.Send("/stores/north/settings/upsell/check") }
	r := check()
	s.tells("good", b.Get(r.Header.Get("Location")), 200, "The app answered and accepted its token or key.")
	s.services.Break(sandbox.Upsell, shop.Slug, sandbox.Fault{Cause: sandbox.Revoked})
	r = check()
	s.tells("refused", r, 422, "The upsell token was refused.", "The app said: “Invalid token.”")
	if strings.Count(said(r), "Working") != 1 { // the gift app
		t.Error("what was refused is called working")
	}
	s.Exec(`update credentials set state = 'paused', paused_cause = 'token', paused_said = 'Refused before.', paused_at = $1 where service = 'upsell'`, s.Clock.Now())
	s.tells("paused", b.Get("/stores/north/settings"), 200, "Refused before.")
	s.tells("the banner leads there", b.Get("/stores/north"), 200, "Refused before.", "Open settings")
	s.services.Clear(sandbox.Upsell, shop.Slug)
	r = check()
	s.tells("repaired", b.Get(r.Header.Get("Location")), 200, "Updates continue.", "Working, nothing updated yet")
	s.Exec(`update credentials set token_sealed = '\x00' where service = 'upsell'`)
	s.tells("sealed with another key", check(), 422, "can’t be decrypted: this server’s secret key has changed. Paste the token again.")
}

func TestTheBannerSaysWhomToAskToThoseWhoMayNot(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	s.Exec(`update credentials set state = 'paused', paused_cause = 'token', paused_said = 'Refused before.', paused_at = $1 where service = 'upsell'`, s.Clock.Now())
	vera, err := s.Access.CreatePerson(t.Context(), "vera@example.com", "Vera", access.Viewer)
	s.Must(err)
	s.Must(s.Access.GrantPerson(t.Context(), vera.ID, "north"))
	may, mayNot := b.Get("/stores/north"), s.SignedInAs(vera).Get("/stores/north") // the page is cached for each kind of reader
	s.tells("who may", may, 200, "Open settings")
	s.tells("who may not", mayNot, 200, "A merchant of this store or an administrator can connect it.")
	if strings.Contains(said(mayNot), "Open settings") || strings.Contains(said(may), "can connect it") || strings.Contains(mayNot.Body, "/settings") {
		t.Error("the two pages were mixed up")
	}
}

func TestNameClockAndHistoryAreChanged(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	s.Exec(`insert into ledger (store_id, pull, subject, service, outcome, due_at) select id, 'lifetime', '', 'upsell', 'good', now() + interval '1 hour' from stores where slug = 'north'`)
	version := s.count(`credentials where version = 1 and store_id = (select id from stores where slug = 'north')`)
	settings := "/stores/north/settings"
	s.tells("the time to load at 60 calls a minute", b.Get(settings), 200, "90 days load in about 6 minutes.")
	s.tells("wrong", b.Send(settings, "name", "", "timezone", "Mars/Olympus", "history_days", "0"), 422, "Enter the name that pages show.", "Choose the store’s time zone.", "Enter a number from 1 to 3,660.")
	opened := webtest.OpenedWith(b.Get(settings))
	r := b.Send(settings, "name", "North by Tokyo", "timezone", "Asia/Tokyo", "history_days", "60")
	s.tells("saved", b.Get(r.Header.Get("Location")), 200, "Saved.", "Tokyo, 00:30")
	s.Recorded("person ada@example.com store.changed north name: " + s.shop(0).Name + " → North by Tokyo, time zone: " + s.shop(0).Timezone + " → Asia/Tokyo, history: 30 → 60 days")
	if s.count(`ledger where due_at <= now()`) == 0 || s.count(`credentials where version = 2 and store_id = (select id from stores where slug = 'north')`) != version {
		t.Error("what depends on the clock is not pulled again")
	}
	r = b.Send(settings, "name", "North", "timezone", "Asia/Tokyo", "history_days", "60", "opened", opened)
	s.tells("opened before", r, 409, "Stored now: “\u2068North by Tokyo\u2069”.")
	s.tells("sent again", b.Get(b.Send(settings, "name", "North", "timezone", "Asia/Tokyo", "history_days", "60", "opened", webtest.OpenedWith(r)).Header.Get("Location")), 200, "Saved.")
}

func TestAClockThatTheGiftAppContradictsIsAskedAboutOnce(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	zone := s.shop(0).Timezone
	s.Exec(`insert into gift_windows (store_id, window_start, window_end, includes_today, asked_days, timezone, currency, cached, fetched_at)
		select id, current_date, current_date, true, 1, $1, 'USD', false, now() from stores where slug = 'north'`, zone)
	send := func(timezone, sure string) webtest.Response {
		return b.Send("/stores/north/settings", "name", "North", "timezone", timezone, "history_days", "30", "sure", sure)
	}
	s.tells("asked", send("Asia/Tokyo", ""), 422, "The gift app reports "+zone, "the two apps’ days would start at different times")
	s.tells("asked about the new choice", send("Asia/Seoul", "Asia/Tokyo"), 422, "The gift app reports "+zone)
	s.tells("saved", b.Get(send("Asia/Tokyo", "Asia/Tokyo").Header.Get("Location")), 200, "Saved.")
	s.tells("not asked again", b.Get(send("Asia/Tokyo", "").Header.Get("Location")), 200, "Saved.")
	s.tells("nor about the app's own", b.Get(send(zone, "").Header.Get("Location")), 200, "Saved.")
}

func TestARemovedStoreIsGoneForEveryoneAndComesBackAsItWas(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	api := s.APIClient(s.Token("north"))
	eve, err := s.Access.CreatePerson(t.Context(), "eve@example.com", "Eve", access.Merchant)
	s.Must(err)
	s.Must(s.Access.GrantPerson(t.Context(), eve.ID, "north"))
	root, err := s.Access.CreatePerson(t.Context(), "root@example.com", "Root", access.Admin)
	s.Must(err)
	asEve, asRoot := s.SignedInAs(eve), s.SignedInAs(root)
	s.Audit()
	remove := "/stores/north/settings/remove"
	s.tells("asked first", b.Get(remove), 200, "Download everything first", "Its tokens are kept encrypted until then", "For 30 days")
	s.tells("not meant", b.Send(remove, "slug", "south"), 422, "Nothing was removed. Type north")
	s.tells("there", b.Get("/stores/north"), 200)
	r := b.Send(remove, "slug", "north")
	s.tells("listed", b.Get(r.Header.Get("Location")), 200, "Removed. Nothing of it is shown or updated any more.", s.shop(0).Name, "Ada Byron King", "20 Nov 2026", "20 Dec 2026")
	for path, c := range map[string]*webtest.Browser{
		"/stores/north": b, "/stores/north/settings": b, "/stores/north/export.zip": b, "/stores/north/history.csv": b, "/api/v1/stores/north": api, "/api/v1/stores/north/summary": api,
	} {
		if got := c.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, got.Status)
		}
	}
	s.tells("removed twice", b.Send(remove, "slug", "north"), 404)
	s.tells("of someone else", asEve.Get("/stores/removed"), 200, "Nothing to restore")
	s.tells("by someone else", asEve.Send("/stores/removed", "slug", "north"), 404, "That store can’t be restored")
	s.tells("never removed", b.Send("/stores/removed", "slug", webtest.Own), 404, "That store can’t be restored")

	r = b.Send("/stores/removed", "slug", "north")
	s.tells("back", b.Get(r.Header.Get("Location")), 200, "Restored, as it was.", "ends in "+s.shop(0).UpsellToken[len(s.shop(0).UpsellToken)-4:])
	s.tells("for the other too", asEve.Get("/stores/north"), 200)
	s.tells("for scripts too", api.Get("/api/v1/stores/north"), 200)
	b.Send(remove, "slug", "north")
	s.Recorded("person ada@example.com store.removed north", "person ada@example.com store.restored north", "person ada@example.com store.removed north")
	s.tells("an administrator", asRoot.Get("/stores/removed"), 200, s.shop(0).Name)
	s.Clock.Add(30 * 24 * time.Hour)
	b = s.SignedIn()
	s.tells("after 30 days", b.Get("/stores/removed"), 200, "Nothing to restore")
	s.tells("after 30 days", b.Send("/stores/removed", "slug", "north"), 404, "That store can’t be restored")
}

// "Check tokens now" checks the stores that the person has access to, and isn't for people who may
// only look.
func TestN70CheckAllNowChecksOnesOwnStores(t *testing.T) {
	t.Parallel()
	s, b := north(t)
	root, err := s.Access.CreatePerson(t.Context(), "root@example.com", "Root", access.Admin)
	s.Must(err)
	vera, err := s.Access.CreatePerson(t.Context(), "vera@example.com", "Vera", access.Viewer)
	s.Must(err)
	s.Must(s.Access.GrantPerson(t.Context(), vera.ID, "north"))
	s.Exec(`with s as (insert into stores (slug, name, timezone) values ('south', 'South', 'UTC') returning id)
		insert into credentials (store_id, service, base_url, token_sealed, key_id, budget) select id, 'upsell', 'https://x.example', '', '', '' from s`)
	s.Exec(`update credentials set state = 'doubtful', paused_cause = 'token', paused_said = 'Refused.', paused_at = $1, next_probe_at = $2 where service = 'upsell'`,
		s.Clock.Now(), s.Clock.Now().Add(time.Hour))
	due := `select s.slug from credentials c join stores s on s.id = c.store_id where c.next_probe_at <= $1 order by 1`
	asVera, asRoot := s.SignedInAs(vera), s.SignedInAs(root)
	s.tells("who may not", asVera.Send("/stores/check"), 403)
	if got := s.StoredTexts(due, s.Clock.Now()); len(got) > 0 {
		t.Errorf("a viewer had %q checked", got)
	}
	s.tells("the page of one of them", b.Get("/stores/north/sync"), 200, "Check tokens now")
	if r := asVera.Get("/stores/north/sync"); strings.Contains(r.Body, "Check tokens now") {
		t.Error("a viewer is offered to check tokens")
	}
	if got := b.Send("/stores/check").Header.Get("Location"); got != "/?done=checking" {
		t.Errorf("leads to %s", got)
	}
	if got := strings.Join(s.StoredTexts(due, s.Clock.Now()), " "); got != "acme north" {
		t.Errorf("a merchant had %q checked, want the stores held", got)
	}
	s.tells("the list", asRoot.Get("/"), 200, "Check tokens now", "Upsell token refused since ")
	for store, want := range map[string]string{"south": "/stores/south/sync?done=checking", "nowhere": "/?done=checking"} {
		s.Exec(`update credentials set next_probe_at = $1, probed_at = null where state = 'doubtful'`, s.Clock.Now().Add(time.Hour))
		if got := asRoot.Send("/stores/check", "store", store).Header.Get("Location"); got != want {
			t.Errorf("asked for %s, it leads to %s", store, got)
		}
	}
	s.Exec(`update credentials set next_probe_at = $1, probed_at = null where state = 'doubtful'`, s.Clock.Now().Add(time.Hour))
	r := asRoot.Send("/stores/check")
	s.tells("an administrator", asRoot.Get(r.Header.Get("Location")), 200, "Checking now.")
	if got := strings.Join(s.StoredTexts(due, s.Clock.Now()), " "); got != "acme birch north south" {
		t.Errorf("an administrator had %q checked, want all", got)
	}
}
