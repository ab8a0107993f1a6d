package main

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

func TestWhatTheGiftServiceOffersIsListed(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	list := good(t, s.env, "gift", "endpoints", "--store", "acme")
	if strings.Count(list, "\n") != 27 || strings.Count(list, " yes ") != 26 || !strings.Contains(list, "\nPATCH   /widgets/{type} ") {
		t.Errorf("got\n%s", list)
	}
	tools := good(t, s.env, "gift", "tools", "--store", "acme")
	if strings.Count(tools, "\n") != 27 || !strings.Contains(tools, " PUT     /campaigns/{id}/status ") || !strings.Contains(tools, " enabled ") {
		t.Errorf("got\n%s", tools)
	}
	for _, what := range []string{"endpoints", "tools"} {
		if raw := good(t, s.env, "gift", what, "--store", "acme", "--json"); !strings.HasPrefix(raw, `{"total":26,`) {
			t.Errorf("got\n%s", raw)
		}
	}
	s.box.Break(sandbox.Gift, s.store.Slug, sandbox.Fault{Body: `{"success":true,"error":null,"data":{"docs":"elsewhere"}}`})
	s.box.Break(sandbox.Gift, s.store.Slug, sandbox.Fault{Body: `{"success":true,"error":null,"data":{"docs":"elsewhere"}}`})
	for _, what := range []string{"endpoints", "tools"} {
		o := run(t, s.env, "gift", what, "--store", "acme")
		if o.code != exitOK || o.stdout != "docs: elsewhere\n" || !strings.Contains(o.stderr, "can't be compared") {
			t.Errorf("%+v", o)
		}
	}
}

// offers makes the service list edited endpoints once.
func (s *giftShop) offers(edit func(string) string) {
	s.box.Clear(sandbox.Gift, s.store.Slug)
	s.box.Break(sandbox.Gift, s.store.Slug, sandbox.Fault{Edit: func(body []byte) []byte { return []byte(edit(string(body))) }})
}

func TestTheDoctorSaysWhatIsNewGoneOrChangedAtTheGiftService(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	line := func() string { return run(t, s.env, "doctor").line("acme gift endpoints") }
	if got := line(); got != "ok 26, all as this program knows them" {
		t.Error(got)
	}
	for name, c := range map[string]struct {
		edit func(string) string
		want string
	}{
		"new": {func(body string) string {
			return strings.Replace(body, `"endpoints":[`, `"endpoints":[{"method":"GET","path":"/coupons"},`, 1)
		}, "ok new and not used here: GET /coupons"},
		"gone": {func(body string) string { return strings.Replace(body, "/pos-locations", "/points-of-sale", 1) },
			"DO gone: GET /pos-locations; new and not used here: GET /points-of-sale. Look for a newer version of this program"},
		"changed": {func(body string) string { return strings.ReplaceAll(body, `"enabled"`, `"on"`) },
			"DO changed: PUT /campaigns/{id}/status no longer takes enabled. Look for a newer version of this program"},
		"not read": {func(body string) string {
			if strings.Contains(body, `"endpoints"`) {
				return `{"success":true,"error":null,"data":[]}`
			}
			return body
		}, "ok not compared: the service's list can't be read; look at it with `dashboard gift endpoints --store acme`"},
	} {
		s.offers(c.edit)
		if got := line(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	s.box.Clear(sandbox.Gift, s.store.Slug)
	if o := run(t, s.env, "doctor", "--offline"); strings.Contains(o.stdout, "gift endpoints") {
		t.Errorf("offline it says %s", o.stdout)
	}
}
