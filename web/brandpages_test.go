package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// htmlSpace is what a title is shortened by.
var htmlSpace = regexp.MustCompile(`[ \t\n\f\r]+`)

// Whatever is in the name, the color or a file's name appears in pages only as text, or not at
// all.
func TestFiveHundredPayloadsInTheBrandingRunNowhere(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	p, admin := w.Admin("root@example.com")
	logo := aLogo(t)
	tab := browsertest.Open(t)
	tab.Before(t, trap)
	bySavedLink(w, tab, p)
	seen := strings.NewReplacer("window.pwned !== undefined", "window.ran !== undefined", `"img,`, `"img:not(.logo),`).Replace(obeyed)
	check := func(about string) {
		t.Helper()
		if found := browsertest.Eval[string](t, tab, seen); found != "" {
			t.Errorf("%s: %s", about, found)
		}
		for _, said := range tab.Said() {
			if !failedLoad.MatchString(said) {
				t.Errorf("%s: the console says %q", about, said)
			}
		}
	}
	names, all := 0, payloads(500)
	for n, payload := range all {
		// As a file's name: it isn't even read.
		want := http.StatusSeeOther
		if strings.Contains(payload, "\x01") { // which no browser sends
			want = http.StatusBadRequest
		}
		if r := upload(admin, url.Values{"name": {"Acme"}}, payload, logo); r.Status != want {
			t.Errorf("a file called %q: %d", payload, r.Status)
		}
		name, err := brand.Name(payload)
		if err != nil {
			continue
		}
		names++
		w.Exec(`insert into branding (name, accent, logo) values ($1, '#7a1fa2', case when $3 then $2::bytea end)
			on conflict (only_one) do update set name = excluded.name, logo = excluded.logo, revision = branding.revision + 1`, name, logo, n%2 == 0)
		w.Clock.Add(site.BrandAge)
		tab.Show(t, w.HTTP.URL+"/sign-in/forgotten", 1440, "light")
		check(payload)
		if title := browsertest.Eval[string](t, tab, "document.title"); title != "Set a new password · "+strings.TrimSpace(htmlSpace.ReplaceAllString(name, " ")) {
			t.Errorf("%q: the title is %q", payload, title)
		}
	}
	// As the form repeats invalid values.
	for several := range slices.Chunk(all, 50) {
		tab.Show(t, w.HTTP.URL+"/branding", 1440, "light")
		typed, err := json.Marshal(several)
		w.Must(err)
		browsertest.Eval[any](t, tab, `for (const field of document.querySelectorAll("#b-name, #b-accent")) { field.removeAttribute("maxlength"); field.value = `+string(typed)+`.join(" "); }`)
		tab.Press(t, ".brand-form .sheet-acts button")
		check("a refused form")
		if kept := browsertest.Eval[int](t, tab, `document.querySelector("#b-accent").value.length`); kept < 1000 {
			t.Errorf("the form kept %d characters", kept)
		}
	}
	if names < 200 {
		t.Errorf("only %d of the payloads are names", names)
	}
	if log := w.Log.String(); strings.Contains(log, "evil") || strings.Contains(log, "route=(none)") {
		t.Error("something was asked for that no page of ours asks for")
	}
	t.Logf("%d payloads as file names and in the form, %d as names, 0 executions", len(all), names)
}

// Axe and the policy have nothing against the colors and the logo, whatever the branding. A page is
// opened once and then switched to dark and narrow.
func TestBrandedPagesAreQuietAndAccessible(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	p, admin := w.Admin("root@example.com")
	open, locked := w.Share(nil), w.Share(withPassword)
	tab := browsertest.Open(t)
	tab.Before(t, watch)
	tab.LoadAxe(t)
	bySavedLink(w, tab, p)
	check := func(about, path string) {
		t.Helper()
		tab.Show(t, w.HTTP.URL+path, 1440, "light")
		for _, v := range []struct {
			width  int64
			scheme string
		}{{1440, "light"}, {1440, "dark"}, {800, "light"}, {390, "light"}} {
			about := fmt.Sprintf("%s: %s in %s at %d", about, path, v.scheme, v.width)
			tab.Theme(t, v.scheme)
			tab.Resize(t, v.width)
			if found := browsertest.Eval[string](t, tab, spilt); found != "" {
				t.Errorf("%s: %s", about, found)
			}
			if found := browsertest.Eval[string](t, tab, `window.violations.join("; ")`); found != "" {
				t.Errorf("%s: the policy refuses %s", about, found)
			}
			if v.width < 1000 {
				continue
			}
			if found := tab.Violations(t, "document", append(browsertest.Colors, "image-alt")...); found != "" {
				t.Errorf("%s: %s", about, found)
			}
		}
	}
	for _, b := range []struct{ name, accent, logo string }{
		{strings.Repeat("W", 40), "#ffd400", ""}, {"Noir", "#000000", "logo.png"}, {"", "#ffffff", "logo.png"}, {"Northwind Reporting", "#7f7f00", ""},
	} {
		upload(admin, url.Values{"name": {b.name}, "accent": {b.accent}, "no-logo": {"true"}}, b.logo, aLogo(t))
		check(b.accent+", a preview", "/branding")
	}
	for _, b := range []struct{ name, accent, logo string }{{strings.Repeat("W", 40), "#ffd400", ""}, {"Noir", "#000000", "logo.png"}} {
		upload(admin, url.Values{"name": {b.name}, "accent": {b.accent}, "no-logo": {"true"}}, b.logo, aLogo(t))
		admin.Submit("/branding", nil)
		w.Clock.Add(site.BrandAge)
		for _, path := range []string{"/", "/wall?theme=system", "/stores/" + webtest.Own, "/stores/" + webtest.Own + "/offers", open, locked, "/sign-in/forgotten"} {
			check(b.accent, path)
		}
	}
}

// In a browser: the color is used in both appearances, the preview works, and the policy has
// nothing to refuse.
func TestABrandColoursThePagesUnderThePolicy(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	upload(admin, url.Values{"name": {strings.Repeat("W", 40)}, "accent": {"#7a1fa2"}}, "logo.png", aLogo(t))
	admin.Submit("/branding", nil)
	tab := browsertest.Open(t)
	tab.Before(t, watch)
	for scheme, want := range map[string]string{"light": "rgb(122, 31, 162)", "dark": ""} {
		for _, width := range []int64{390, 1440} {
			tab.Show(t, w.HTTP.URL+"/sign-in", width, scheme)
			got := browsertest.Eval[string](t, tab, `getComputedStyle(document.querySelector(".btn-primary")).backgroundColor`)
			if want != "" && got != want || got == "rgb(98, 198, 181)" || got == "rgb(14, 98, 89)" || !strings.HasPrefix(got, "rgb(") {
				t.Errorf("%s: the accent is %q", scheme, got)
			}
			if found := browsertest.Eval[string](t, tab, spilt); found != "" {
				t.Errorf("%s at %d: %s", scheme, width, found)
			}
			if found := browsertest.Eval[string](t, tab, `window.violations.join("; ")`); found != "" {
				t.Errorf("%s: the policy refuses %s", scheme, found)
			}
			if loaded := browsertest.Eval[bool](t, tab, `document.querySelector("img.logo").naturalWidth === 60`); !loaded {
				t.Errorf("%s: the logo is not drawn", scheme)
			}
		}
	}
}
