package main

import (
	"cmp"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// giftShop is a store whose gift service is connected with a read-only key.
type giftShop struct {
	env   []string
	box   *sandbox.Server
	store sandbox.Store
	base  string
}

func openGiftShop(t *testing.T, c sandbox.Config) *giftShop {
	t.Helper()
	c.Seed = cmp.Or(c.Seed, 7)
	s := &giftShop{env: emptyDatabase(t), box: sandbox.New(c)}
	server := httptest.NewServer(s.box)
	t.Cleanup(server.Close)
	s.store = s.box.Stores()[0]
	s.base = server.URL + s.store.GiftPath
	good(t, append(tokens(s.store), s.env...), "store", "add", "--slug", "acme", "--name", "Acme", "--gift-url", s.base)
	return s
}

// with is the environment with a different key.
func (s *giftShop) with(key string) []string {
	return append([]string{"STORE_GIFT_TOKEN=" + key}, s.env...)
}

// first is the id of the first campaign listed.
func (s *giftShop) first(t *testing.T) string {
	t.Helper()
	lines := strings.Split(good(t, s.env, "gift", "campaigns", "list", "--store", "acme"), "\n")
	return strings.Fields(lines[1])[0]
}

// wrote counts the calls that weren't GET.
func (s *giftShop) wrote() (n int) {
	for _, a := range s.box.Arrivals() {
		if a.Method != "GET" {
			n++
		}
	}
	return n
}

func TestCampaignsAreListedAndShown(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	all := good(t, s.env, "gift", "campaigns", "list", "--store", "acme")
	if !regexp.MustCompile(`^ID +NAME +STATUS +TYPE +PAGE +START +END +CODE\n(.+\n)+$`).MatchString(all) {
		t.Errorf("got\n%s", all)
	}
	active := good(t, s.env, "gift", "campaigns", "list", "--store", "acme", "--status", "active")
	if rows := strings.Count(active, "\n") - 1; rows != strings.Count(all, " active ") || rows == 0 {
		t.Errorf("%d active campaigns in\n%s", rows, all)
	}
	shown := good(t, s.env, "gift", "campaigns", "show", "--store", "acme", s.first(t))
	for _, part := range []string{"found: true\n", "\ntriggerConditions:\n  ", "\ngiftProducts:\n  ", "\nschedule:\n  "} {
		if !strings.Contains(shown, part) {
			t.Errorf("%q is not in\n%s", part, shown)
		}
	}
	if s.wrote() > 0 {
		t.Error("looking wrote something")
	}
}

func TestN54_ACampaignThatIsNotFoundIsSaidSo(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	refused(t, exitFailed, s.env, "dashboard: acme has no campaign \"nope\": `dashboard gift campaigns list --store acme` lists them\n",
		"gift", "campaigns", "show", "--store", "acme", "nope")
	refused(t, exitFailed, s.env, "dashboard: there is no store \"other\": `dashboard store list` lists them\n",
		"gift", "campaigns", "list", "--store", "other")
}

func TestACampaignIsNotCalledForWithoutAGiftService(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	base, store := world(t)
	good(t, append(tokens(store), env...), "store", "add", "--slug", "acme", "--name", "Acme", "--timezone", "Asia/Tokyo", "--upsell-url", base+store.UpsellPath)
	refused(t, exitFailed, env, "dashboard: no gift service is connected to acme: connect it with `dashboard store set acme --gift-url U`\n",
		"gift", "campaigns", "list", "--store", "acme")
}

func TestAKeyOfAnotherShopIsNotUsed(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	other := s.box.Stores()[1]
	o := run(t, s.with(other.GiftKey), "gift", "campaigns", "list", "--store", "acme")
	if o.code != exitFailed || o.stdout != "" || !strings.Contains(o.stderr, "the token belongs to another shop: it is "+other.Domain) {
		t.Errorf("%+v", o)
	}
}

func TestAPausedServiceIsNotCalled(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	s.box.LapsePlan(s.store.Slug)
	if o := run(t, s.env, "sync", "--store", "acme"); o.code != exitFailed {
		t.Fatalf("%+v", o)
	}
	before := len(s.box.Arrivals())
	o := run(t, s.env, "gift", "campaigns", "list", "--store", "acme")
	if o.code != exitFailed || !strings.Contains(o.stderr, "the gift service is paused: This store is no longer on a paid gift plan") {
		t.Errorf("%+v", o)
	}
	if after := len(s.box.Arrivals()); after != before {
		t.Errorf("%d calls were made", after-before)
	}
}

func TestWhatNobodyCanAgreeToIsNotEvenPreviewed(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	before := len(s.box.Arrivals())
	for args, what := range map[string]string{
		"create":     "This creates a campaign at acme",
		"edit c_1":   "This changes the campaign c_1 at acme",
		"on c_1":     "This turns the campaign c_1 at acme on",
		"off c_1":    "This turns the campaign c_1 at acme off",
		"delete c_1": "This deletes the campaign c_1 at acme and can't be undone; `off` stops it without losing it",
	} {
		refused(t, exitUsage, s.env, "dashboard: "+what+": confirm with --yes, or run this in a terminal. Nothing was changed\n",
			strings.Fields("gift campaigns "+args+" --store acme")...)
	}
	if after := len(s.box.Arrivals()); after != before {
		t.Errorf("%d calls were made", after-before)
	}
}
