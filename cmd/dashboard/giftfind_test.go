package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// shapes are the two structures that stores answer with where the document doesn't say.
var shapes = map[string]sandbox.Config{"one shape": {Seed: 7}, "the other": {Seed: 8}}

func (s *giftShop) find(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, s.env, append([]string{"gift", "find", "--store", "acme"}, args...)...)
}

func TestEveryKindOfIDIsFound_N56(t *testing.T) {
	t.Parallel()
	for name, c := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openGiftShop(t, c)
			for kind, want := range map[string][]string{
				"products":         {"ID", "NAME", "HANDLE", "STOCK", "BLOCKED BY", "gid://shop/Product/"},
				"trigger-products": {"HANDLE", "gid://shop/Product/"},
				"collections":      {"ID", "NAME", "gid://shop/Collection/"},
				"segments":         {"gid://shop/Segment/", "Newsletter readers"},
				"locations":        {"gid://shop/Market/", "Europe", "US"},
				"shipping-rates":   {"gid://shop/ShippingRate/", "Express", "price "},
				"markets":          {"gid://shop/Market/", "Asia"},
				"pos":              {"gid://shop/Location/", "Harbour"},
			} {
				o := s.find(t, kind)
				for _, part := range want {
					if o.code != exitOK || !strings.Contains(o.stdout, part) {
						t.Errorf("%s: %q is not in %+v", kind, part, o)
					}
				}
				if strings.Contains(o.stdout, "totalInventory") {
					t.Errorf("%s: a stock that judges nothing is shown", kind)
				}
				var rows []struct {
					ID, Name string
					AsSent   json.RawMessage `json:"as_sent"`
				}
				o = s.find(t, kind, "--json")
				if err := json.Unmarshal([]byte(o.stdout), &rows); err != nil || len(rows) == 0 || rows[0].ID == "" || rows[0].Name == "" || rows[0].AsSent == nil {
					t.Errorf("%s: %v in %s", kind, err, o.stdout)
				}
			}
			if o := s.find(t, "products"); !strings.Contains(o.stderr, "The service shows ten at most") {
				t.Errorf("%+v", o)
			}
			if o := s.find(t, "markets", "asi"); strings.Count(o.stdout, "\n") != 2 || !strings.Contains(o.stdout, "Asia") {
				t.Errorf("%+v", o)
			}
			if o := s.find(t, "products", "trail-socks"); o.code != exitOK || !strings.Contains(o.stdout, " Trail socks ") {
				t.Errorf("by its handle: %+v", o)
			}
			if s.wrote() > 0 {
				t.Error("looking wrote something")
			}
		})
	}
}

func TestWhatIsNotFoundSaysWhy(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	for _, c := range []struct{ kind, query, why string }{
		{"collections", "nothing", `no collection is called "nothing"; the store has: Winter 2026, Boots, `},
		{"products", "no-such-thing", `no product has the name or handle "no-such-thing"; the first of them: `},
		{"products", "No such thing", `no product is called "No such thing"; the first of them: `},
		{"markets", "Mars", `no market is called "Mars"`},
		{"pos", "Mars", `no point of sale is called "Mars"; the store has: Main street, Harbour, Station, Warehouse`},
	} {
		o := s.find(t, c.kind, c.query)
		if o.code != exitFailed || o.stdout != "" || !strings.HasPrefix(o.stderr, "dashboard: "+c.why) {
			t.Errorf("%s %s: %+v", c.kind, c.query, o)
		}
		if o := s.find(t, c.kind, c.query, "--json"); o.code != exitFailed || o.stdout != "[]\n" {
			t.Errorf("%s %s: %+v", c.kind, c.query, o)
		}
	}
	answer := func(data string) {
		s.box.Clear(sandbox.Gift, s.store.Slug)
		s.box.Break(sandbox.Gift, s.store.Slug, sandbox.Fault{Path: "/customer-segments", Body: `{"success":true,"error":null,"data":` + data + `}`})
	}
	answer(`{"segments":[]}`)
	if o := s.find(t, "segments", "VIP"); o.stderr != "dashboard: no customer segment is called \"VIP\": the store has no customer segments\n" {
		t.Errorf("%+v", o)
	}
	answer(`{"segments":["VIP"]}`)
	o := s.find(t, "segments", "VIP")
	if o.code != exitFailed || o.stdout != "segments:\n  - VIP\n" || !strings.HasPrefix(o.stderr, "dashboard: the gift service's answer names nothing with an id") {
		t.Errorf("%+v", o)
	}
}

// written is a file with a campaign whose gifts and triggers are given by name.
func written(t *testing.T, gives, of string) (file string) {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"name": "By name", "type": "buy_product", "targetPage": "cart",
		"triggerConditions": map[string]any{"collectionIds": []string{of}},
		"giftProducts":      map[string]any{"products": []any{map[string]any{"productId": gives}}},
		"discountSettings":  map[string]any{},
		"schedule":          map[string]any{"startDate": time.Now().AddDate(0, 0, 3).Format(time.DateOnly)},
	})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "campaign.json")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestACampaignsFileMayNameThingsByHandle(t *testing.T) {
	t.Parallel()
	for name, c := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openGiftShop(t, c)
			for _, names := range [][2]string{{"@products:trail-socks", "@collections:boots"}, {"trail-socks", "Boots"}, {"@products:Trail Socks", "boots"}} {
				file := written(t, names[0], names[1])
				o := run(t, s.with(s.store.GiftWriteKey), "gift", "campaigns", "preview", "--store", "acme", "--file", file)
				shown, preview, _ := strings.Cut(o.stdout, "\n\n")
				for _, part := range []string{names[0] + " is Trail socks, gid://shop/Product/", names[1] + " is Boots, gid://shop/Collection/"} {
					if o.code != exitOK || !strings.Contains(shown, part) {
						t.Errorf("%q is not in %q of %+v", part, shown, o)
					}
				}
				if !strings.Contains(preview, "title: Trail socks\n") || !strings.Contains(preview, "title: Boots\n") {
					t.Errorf("%v: the preview is\n%s", names, preview)
				}
			}
			wrote := s.wrote()
			o := run(t, s.with(s.store.GiftWriteKey), "gift", "campaigns", "create", "--store", "acme", "--yes", "--file", written(t, "@products:trail-socks", "@collections:Boots"))
			if o.code != exitOK || !strings.HasPrefix(o.stdout, "@products:trail-socks is Trail socks, ") || !strings.Contains(o.stdout, "\nThe campaign is created.\n") || s.wrote() != wrote+2 {
				t.Errorf("%+v", o)
			}
		})
	}
}

func TestANameThatDoesNotTellOneThingIsNotSent(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	for _, c := range []struct{ gives, of, why string }{
		{"@products:no-such-thing", "Boots", `@products:no-such-thing in the file: no product has the name or handle "no-such-thing"; the first of them: `},
		{"@products:o", "Boots", "@products:o in the file: it fits "},
	} {
		o := run(t, s.with(s.store.GiftWriteKey), "gift", "campaigns", "create", "--store", "acme", "--yes", "--file", written(t, c.gives, c.of))
		if o.code != exitFailed || o.stdout != "" || !strings.HasPrefix(o.stderr, "dashboard: "+c.why) || !strings.HasSuffix(o.stderr, ". Nothing was changed\n") {
			t.Errorf("%+v", o)
		}
	}
	if n := s.wrote(); n != 0 {
		t.Errorf("%d writes were sent", n)
	}
	// Without @ the text may be an id of a kind that we don't know.
	o := run(t, s.with(s.store.GiftWriteKey), "gift", "campaigns", "create", "--store", "acme", "--yes", "--file", written(t, "ZX-9", "Boots"))
	if !strings.Contains(o.stdout, "ZX-9 is sent as written: no product is called") || !strings.Contains(o.stderr, "the gift service refuses this: ") {
		t.Errorf("%+v", o)
	}
}
