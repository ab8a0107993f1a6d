package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

func TestAStoreIsAddedAfterNamingBackWhatWasFound(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	base, store := world(t)
	got := good(t, append(tokens(store), env...), "store", "add", "--slug", "acme", "--name", " Acme ",
		"--upsell-url", base+store.UpsellPath, "--gift-url", base+store.GiftPath)
	lines := strings.Split(got, "\n")
	if !strings.HasPrefix(lines[0], "upsell: "+store.Domain+", ") || !strings.HasSuffix(lines[0], " offers") ||
		!strings.HasPrefix(lines[1], "gift:   "+store.Domain+", USD, America/New_York, plan ") ||
		lines[2] != "Added acme (Acme, America/New_York). Pull its numbers now with: dashboard sync --store acme" {
		t.Errorf("got\n%s", got)
	}
	for _, secret := range []string{store.UpsellToken, store.GiftKey} {
		if shown := good(t, env, "store", "show", "acme"); strings.Contains(shown, secret) || !strings.Contains(shown, "ends in "+secret[len(secret)-4:]) {
			t.Errorf("token in\n%s", shown)
		}
	}
	refused(t, exitFailed, append(tokens(store), env...), "dashboard: store \"acme\" exists: change it with `dashboard store set acme`, or choose another --slug\n",
		"store", "add", "--slug", "acme", "--name", "Acme", "--upsell-url", base+store.UpsellPath)
}

func TestOneServiceAloneIsAStore(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	base, store := world(t)
	add := func(slug, flag, url string, more ...string) outcome {
		args := append([]string{"store", "add", "--slug", slug, "--name", slug, flag, url, "--history-days", "1"}, more...)
		return run(t, append(tokens(store), env...), args...)
	}
	if o := add("only-gift", "--gift-url", base+store.GiftPath); o.code != exitOK {
		t.Errorf("%+v", o)
	}
	want := "dashboard: no service names the store's time zone: write --timezone, such as America/New_York\n"
	if o := add("only-upsell", "--upsell-url", base+store.UpsellPath); o.code != exitUsage || o.stderr != want {
		t.Errorf("%+v", o)
	}
	zone := []string{"--timezone", store.Timezone}
	want = "dashboard: this shop is already connected as only-gift: `dashboard store set only-gift` changes it; --again adds it a second time\n"
	if o := add("only-upsell", "--upsell-url", base+store.UpsellPath, zone...); o.code != exitFailed || o.stderr != want {
		t.Errorf("%+v", o)
	}
	if o := add("only-upsell", "--upsell-url", base+store.UpsellPath, append(zone, "--again")...); o.code != exitOK {
		t.Errorf("%+v", o)
	}
	for _, slug := range []string{"only-gift", "only-upsell"} {
		if got := good(t, env, "sync", "--store", slug); !strings.HasSuffix(got, ", all good.\n") {
			t.Errorf("%s", got)
		}
	}
}

func TestATimeZoneOtherThanTheServicesIsPointedOut(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	base, store := world(t)
	o := run(t, append(tokens(store), env...), "store", "add", "--slug", "acme", "--name", "Acme", "--gift-url", base+store.GiftPath, "--timezone", "Asia/Tokyo")
	want := "dashboard: warning: the gift service says that the store's clock is America/New_York, not Asia/Tokyo: days will begin at another hour than there\n"
	if o.code != exitOK || o.stderr != want {
		t.Errorf("%+v", o)
	}
}

func TestAChangedStoreKeepsWhatWasNotNamed(t *testing.T) {
	t.Parallel()
	env, base, store := withStore(t)
	before := good(t, env, "store", "show", store.Slug)
	good(t, env, "store", "set", store.Slug, "--name", "New", "--timezone", "Asia/Tokyo")
	after := good(t, env, "store", "show", store.Slug)
	for _, line := range []string{"name         New", "time zone    Asia/Tokyo", "history      2 days", "  address    " + base + store.UpsellPath} {
		if !strings.Contains(after, line+"\n") {
			t.Errorf("no line %q; before\n%s\nafter\n%s", line, before, after)
		}
	}
}

func TestAGoalIsSetOnTheCommandLineAsInItsForm(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	for goal, want := range map[string]string{
		"0":           "dashboard: --goal: Write an amount above 0, or choose “No goal”.\n",
		"1.5 orders":  "dashboard: --goal: Write a whole number such as 1,200.\n",
		"54000 cakes": "dashboard: --goal: Write an amount such as 25,000.\n",
	} {
		refused(t, exitUsage, env, want, "store", "set", store.Slug, "--goal", goal)
	}
	refused(t, exitUsage, env, "dashboard: --goal-from: Choose this month or one of the next eleven.\n", "store", "set", store.Slug, "--goal", "1200 orders", "--goal-from", "2020-01")
	refused(t, exitUsage, env, "dashboard: --goal-from needs --goal\n", "store", "set", store.Slug, "--goal-from", "2020-01")
	for _, goal := range []string{"1,200 orders", "none"} {
		good(t, env, "store", "set", store.Slug, "--goal", goal)
	}
	if log := good(t, env, "audit", "list"); !strings.Contains(log, "1200 orders from ") || !strings.Contains(log, "none from ") {
		t.Errorf("the audit log says\n%s", log)
	}
}

func TestANewAddressWantsTheTokenAgain(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	elsewhere := sandbox.New(sandbox.Config{Seed: 7}) // the same made-up stores
	var mu sync.Mutex
	sent := map[string]bool{} // the tokens that arrived there
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		sent[r.Header.Get("Authorization")+r.Header.Get("X-API-Key")] = true
		mu.Unlock()
		elsewhere.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	moved := server.URL
	refused(t, exitUsage, env, "dashboard: no upsell token: set STORE_UPSELL_TOKEN, or run this in a terminal\n",
		"store", "set", store.Slug, "--upsell-url", moved+store.UpsellPath)
	refused(t, exitFailed, append(env, "STORE_UPSELL_TOKEN=nobody"), "dashboard: the upsell service at "+moved+store.UpsellPath+": The upsell token was refused. Check that the app is installed and, in its settings under Developer Tools, that the token wasn’t revoked. Then connect the store again. The app said: “Invalid token.”\n",
		"store", "set", store.Slug, "--upsell-url", moved+store.UpsellPath)
	if len(sent) != 1 || !strings.Contains(fmt.Sprint(sent), "nobody") {
		t.Errorf("what was not given again was sent to the new address: %d kinds of tokens", len(sent))
	}
	good(t, append(tokens(store), env...), "store", "set", store.Slug, "--upsell-url", moved+store.UpsellPath, "--gift-token")
	if shown := good(t, env, "store", "show", store.Slug); !strings.Contains(shown, moved+store.UpsellPath) || strings.Contains(shown, moved+store.GiftPath) {
		t.Errorf("\n%s", shown)
	}
}

func TestATokenOfAnotherShopIsRefusedForGood(t *testing.T) {
	t.Parallel()
	env, base, store := withStore(t)
	other := sandbox.New(sandbox.Config{Seed: 7}).Stores()[1]
	o := run(t, append(env, "STORE_GIFT_TOKEN="+other.GiftKey), "store", "set", store.Slug, "--gift-url", base+other.GiftPath)
	want := "dashboard: the token belongs to another shop: it is " + other.Domain + ", the store " + store.Slug + " is bound to " + store.Domain +
		": use a token of that shop, or add the other shop as its own store\n"
	if o.code != exitFailed || o.stderr != want {
		t.Errorf("%+v", o)
	}
}

func TestAPausedStoreIsListedSoAndResumes(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	good(t, env, "store", "pause", store.Slug)
	if got := good(t, env, "store", "list"); !strings.Contains(got, "(store paused)") {
		t.Errorf("\n%s", got)
	}
	good(t, env, "store", "resume", store.Slug)
	if got := good(t, env, "store", "list"); strings.Contains(got, "paused") || !strings.Contains(got, "upsell unchecked, gift unchecked") {
		t.Errorf("\n%s", got)
	}
}

func TestASyncToAPipeSaysALineAPullAndWhatFailed(t *testing.T) {
	t.Parallel()
	env, _, store := withStore(t)
	got := good(t, env, "sync", "--store", store.Slug)
	if !strings.Contains(got, " summary.window 30: good\n") || !strings.HasSuffix(got, " pulls, all good.\n") {
		t.Errorf("\n%s", got)
	}
	if got := good(t, env, "sync", "--store", store.Slug); got != store.Slug+": nothing was due.\n" {
		t.Errorf("\n%s", got)
	}
}
