package views_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/chart"
	"github.com/storeglass/storeglass/views/gallery"
)

// policy is the server's: nothing inline, nothing from elsewhere.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types ours"

// serveGallery serves the gallery's pages, in the language of ?lang=, and the built files
// under the policy.
func serveGallery(t *testing.T) *httptest.Server {
	t.Helper()
	raw, err := os.ReadFile("../web/dist/manifest.json")
	if err != nil {
		t.Fatal("the front end is not built: run npm ci and npm run build")
	}
	var manifest map[string]string
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	base := components.Base{Asset: func(name string) string { return "/static/" + manifest[name] }}
	pages := map[string]templ.Component{} // by language and name
	for _, l := range locale.All() {
		base.Locale = l
		pages[l.Code()+"/index"] = gallery.Index(base, func(name string) string { return "/" + name })
		for _, p := range gallery.Pages(base) {
			pages[l.Code()+"/"+p.Name] = p.View
		}
	}
	mux := http.NewServeMux()
	files := http.StripPrefix("/static/", http.FileServer(http.Dir("../web/dist")))
	mux.HandleFunc("/static/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // as the server does
		files.ServeHTTP(w, r)
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		l, _ := locale.Of(r.URL.Query().Get("lang"))
		c, ok := pages[l.Code()+r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		ctx := locale.With(r.Context(), l)
		if r.URL.Query().Has("charts") {
			ctx = chart.WithData(ctx)
		}
		if err := c.Render(ctx, w); err != nil {
			t.Error(err)
		}
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

// browser is a tab on the gallery.
type browser struct {
	*browsertest.Tab
	url string
}

func startBrowser(t *testing.T) *browser {
	t.Helper()
	return &browser{browsertest.Open(t), serveGallery(t).URL}
}

// open shows a page at a width and in an appearance, with its charts drawn.
func (b *browser) open(t *testing.T, name string, width int64, scheme string) {
	t.Helper()
	b.Show(t, b.url+"/"+name, width, scheme)
}

func eval[T any](t *testing.T, b *browser, js string) T {
	t.Helper()
	return browsertest.Eval[T](t, b.Tab, js)
}

// A page that stays open keeps its numbers' ages up to date, wherever it shows them, even after
// the machine slept.
func TestEveryAgeTicksWhileItsPageIsOpen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.Before(t, `{
		const now = performance.now.bind(performance), date = Date.now.bind(Date);
		let awake = 0, all = 0;
		performance.now = () => now() + awake; // stands still while a machine sleeps
		Date.now = () => date() + all;
		globalThis.later = (seconds, asleep) => {
			all += 1000 * seconds;
			if (!asleep) awake += 1000 * seconds;
			document.dispatchEvent(new Event("visibilitychange"));
		};
	}`)
	for name, least := range map[string]int{"overview": 10, "stores": 24, "sync": 1, "offers": 1, "gifts": 3} {
		t.Run(name, func(t *testing.T) {
			b.open(t, name, 1440, "light")
			found := eval[[]string](t, b, `(() => {
				const found = [], ages = [...document.querySelectorAll("[data-age]")];
				if (ages.length < `+strconv.Itoa(least)+`) found.push("only " + ages.length + " ages tick");
				const walk = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
				while (walk.nextNode()) {
					const e = walk.currentNode.parentElement;
					if ((/\b(minutes?|hours?|days?) ago\b/.test(walk.currentNode.data) || e.closest(".pulled") && /^\d+ (min|hr|days?)$/.test(walk.currentNode.data)) && !e.closest("[data-age]")) found.push("stands still: " + e.textContent.trim().slice(0, 80));
				}
				const minutes = (e) => Number(e.textContent.match(/^(\d+) (minutes? ago|min)$/)?.[1] ?? NaN), before = ages.map(minutes);
				later(300);
				ages.forEach((e, i) => { if (before[i] + 5 < 60 && minutes(e) !== before[i] + 5) found.push(before[i] + " minutes became " + e.textContent); });
				later(3600, true);
				const hours = (e) => { const h = Math.floor((Number(e.dataset.age) + 3900) / 3600); if ("short" in e.dataset) return h < 48 ? h + " hr" : Math.floor(h / 24) + " days"; return h < 48 ? h + (h > 1 ? " hours ago" : " hour ago") : Math.floor(h / 24) + " days ago"; };
				for (const e of ages) if (e.textContent !== hours(e)) found.push("an hour later " + e.dataset.age + " seconds are " + e.textContent + ", want " + hours(e));
				return found;
			})()`)
			if len(found) > 0 {
				t.Error(strings.Join(found, "\n"))
			}
		})
	}
}

// Its reason is beside the field, which may be far down the page.
func TestARefusedFormOpensAtWhatWasWrong(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "alert-settings-refused", 390, "light")
	b.until(t, `document.activeElement.id === "s-from" && scrollY > 0`) // a page takes its focus when it is first painted
}

func TestPaperHasNoButtonsAndFilters(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, name := range []string{"stores", "overview", "offers"} {
		b.open(t, name, 1440, "light")
		if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
			t.Fatal(err)
		}
		if shown := eval[[]string](t, b, `[...document.querySelectorAll("main button, main summary, main input, main select, main .opener, main a[download], .todos-foot a, .goal a")].filter((e) => e.checkVisibility() && e.getClientRects().length > 0).map((e) => e.outerHTML.slice(0, 100))`); len(shown) > 0 {
			t.Errorf("%s prints %q", name, shown)
		}
	}
}

func TestPaperShowsTheWholeNameOfABrand(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "shared-compared", 794, "light")
	if _, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}); err != nil {
		t.Fatal(err)
	}
	if !eval[bool](t, b, `(({scrollWidth, clientWidth}) => clientWidth > 0 && scrollWidth <= clientWidth)(document.querySelector(".paper-head .brand b"))`) {
		t.Error("the name is cut")
	}
}

func TestTheBarShowsTheWholeNameOfABrandBesideNoOtherName(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, width := range []int64{1440, 1000} {
		b.open(t, "branding-refused", width, "light")
		if cut := eval[string](t, b, `(({scrollWidth, clientWidth}) => scrollWidth > clientWidth ? clientWidth + " of " + scrollWidth : "")(document.querySelector(".bar .brand b"))`); cut != "" {
			t.Errorf("at %d it shows %s pixels of the name", width, cut)
		}
	}
}

func TestTheBarEndsWithThePageBesideALongBrand(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, width := range []int64{1440, 1280} {
		b.open(t, "overview", width, "light")
		if past := eval[float64](t, b, `document.querySelector(".bar .brand b").textContent = "W".repeat(40), document.querySelector(".bar .initials").getBoundingClientRect().right - document.querySelector(".foot").getBoundingClientRect().right`); past > 0.5 {
			t.Errorf("at %d it ends %g pixels past the page", width, past)
		}
	}
}

// Works for A4 and Letter: this is Letter, the shorter one.
func TestAnOverviewPrintsOnThreePages(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, name := range []string{"overview", "long-names"} {
		b.open(t, name, 1440, "light")
		printed, err := chromedp.Call(b.Ctx, page.PrintToPDF, page.PrintToPDFParams{})
		if err != nil {
			t.Fatal(err)
		}
		if pages := len(regexp.MustCompile(`/Type\s*/Page\b`).FindAll(printed.Data, -1)); pages < 1 || pages > 3 {
			t.Errorf("%s prints on %d pages", name, pages)
		}
	}
}

// Nobody scrolls a wallboard.
func TestTheWallboardEndsWithinItsScreen(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, width := range []int64{1440, 1600, 1920} { // all of 900 pixels' height
		b.open(t, "wall", width, "dark")
		if below := eval[float64](t, b, `document.querySelector(".wall-foot").getBoundingClientRect().bottom - innerHeight`); below > 0 {
			t.Errorf("at %d its last line ends %.0f pixels below the screen", width, below)
		}
	}
}

func TestSignOpensItsProvenanceBesideItsNumber(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, width := range []int64{1440, 390} {
		b.open(t, "overview", width, "light")
		for _, id := range []string{"value", "orders", "rate", "average", "views", "placement-0", "placement-3", "gift-aov-store", "all-time"} {
			t.Run(fmt.Sprint(width, "/", id), func(t *testing.T) {
				eval[any](t, b, `document.querySelector('[popovertarget="from-`+id+`"]').scrollIntoView({block: "center"}); document.querySelector('[popovertarget="from-`+id+`"]').focus(); 1`)
				if err := chromedp.Do(b.Ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
					t.Fatal(err)
				}
				state := eval[string](t, b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
					const box = document.getElementById("from-`+id+`");
					if (!box.matches(":popover-open")) return done("Enter does not open it");
					const p = box.getBoundingClientRect(), n = box.closest(".signed").querySelector(".number").getBoundingClientRect();
					if (p.left < 0 || p.right > innerWidth || p.top < 0 || p.bottom > innerHeight) return done("it leaves the window: " + JSON.stringify(p));
					if (p.left < n.right && n.left < p.right && p.top < n.bottom && n.top < p.bottom) return done("it covers its number: " + JSON.stringify([p, n]));
					done("");
				})))`)
				if state != "" {
					t.Error(state)
				}
				if err := chromedp.Do(b.Ctx, chromedp.KeyEvent(kb.Escape)); err != nil {
					t.Fatal(err)
				}
				if eval[bool](t, b, `document.getElementById("from-`+id+`").matches(":popover-open")`) {
					t.Error("Esc does not close it")
				}
			})
		}
	}
}

func TestOfferPageOpensBesideItsNumbersAndInTables(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, width := range []int64{1440, 390} {
		b.open(t, "offer", width, "dark")
		for _, id := range []string{"offer-value", "offer-rate", "offer-all", "offer-day", "offer-stages", "offer-instead"} {
			state := eval[string](t, b, `new Promise((done) => {
				const sign = document.querySelector('[popovertarget="from-`+id+`"]');
				sign.scrollIntoView({block: "center"});
				sign.click();
				requestAnimationFrame(() => requestAnimationFrame(() => {
					const box = document.getElementById("from-`+id+`"), p = box.getBoundingClientRect();
					const n = box.closest(".signed").querySelector(".number").getBoundingClientRect();
					const found = !box.matches(":popover-open") ? "it does not open"
						: p.left < 0 || p.right > innerWidth || p.top < 0 || p.bottom > innerHeight ? "it leaves the window: " + JSON.stringify(p)
						: p.left < n.right && n.left < p.right && p.top < n.bottom && n.top < p.bottom ? "it covers its number" : "";
					box.hidePopover();
					done(found);
				}));
			})`)
			if state != "" {
				t.Errorf("%d, %s: %s", width, id, state)
			}
		}
		if rows := eval[int](t, b, `(() => { document.querySelector('[popovertarget="days-table"]').click(); return [...document.querySelectorAll("#days-table:popover-open tbody tr")].length; })()`); rows != 30 {
			t.Errorf("%d: the table of days has %d rows", width, rows)
		}
		b.open(t, "placements", width, "light")
		if rows := eval[int](t, b, `(() => { document.querySelector('[popovertarget="placement-days-2"]').click(); return [...document.querySelectorAll("#placement-days-2:popover-open tbody tr")].length; })()`); rows != 30 {
			t.Errorf("%d: the table of a placement's days has %d rows", width, rows)
		}
		if said := b.Said(); len(said) > 0 {
			t.Errorf("the console says %q", said)
		}
	}
}

// If the lines miss their stages, the picture isn't a tree.
func TestFunnelLinesMeetTheirStages(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, width := range []int64{1440, 1250} {
		for _, page := range []string{"offer", "offer-unbalanced"} {
			b.open(t, page, width, "light")
			found := eval[string](t, b, `(() => {
			const card = document.querySelector(".funnel-card").getBoundingClientRect(), wrong = [];
			for (const stage of document.querySelectorAll(".stage")) {
				const s = stage.getBoundingClientRect();
				if (s.right > card.right - 12 || s.bottom > card.bottom) wrong.push(stage.textContent.trim().slice(0, 20) + " leaves its card");
			}
			for (const edge of document.querySelectorAll(".twigs > .twig > .edge")) {
				const path = edge.querySelector("path").getBoundingClientRect();
				const from = edge.closest(".twigs").previousElementSibling.getBoundingClientRect();
				const to = [...edge.parentElement.children].find((e) => e.matches(".stage, .nothing")).getBoundingClientRect();
				const middle = (to.top + to.bottom) / 2;
				if (Math.abs(path.left - from.right) > 3 || path.right > to.left + 3) wrong.push("a line does not reach from side to side");
				if (Math.min(Math.abs(path.top - middle), Math.abs(path.bottom - middle)) > 4) wrong.push("a line misses the middle of " + to.width);
				if (Math.max(path.top, from.top) > Math.min(path.bottom, from.bottom) + 3) wrong.push("a line starts outside its stage");
				const branches = edge.closest(".twigs").getBoundingClientRect().height, start = (from.top + from.bottom) / 2;
				if (Math.min(Math.abs(path.top - start), Math.abs(path.bottom - start)) > 0.06 * branches + 4) wrong.push("a line leaves far from the middle of its stage");
			}
			for (const end of document.querySelectorAll(".nothing")) {
				if (end.parentElement.offsetHeight > 64) wrong.push("a way that ends takes " + end.parentElement.offsetHeight + " px");
			}
			return wrong.join("; ");
		})()`)
			if found != "" {
				t.Errorf("%s at %d: %s", page, width, found)
			}
		}
	}
}

func TestNoLineRunsThroughTheWordsAboutToday(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for _, page := range []string{"overview", "dinar", "nothing"} {
		for _, width := range []int64{1440, 390} {
			b.open(t, page, width, "light")
			crossed := eval[string](t, b, `(() => {
				const words = [...document.querySelectorAll(".drawing text")].find((e) => e.textContent.includes("so far"));
				if (!words) return "";
				const box = words.getBoundingClientRect(), wrong = [];
				for (const path of document.querySelectorAll('.drawing path[fill="none"]')) {
					if (!["2.25", "1.25"].includes(path.getAttribute("stroke-width"))) continue;
					const matrix = path.getScreenCTM(), length = path.getTotalLength();
					for (let at = 0; at <= length; at += 2) {
						const p = path.getPointAtLength(at).matrixTransform(matrix);
						if (p.x > box.left + 1 && p.x < box.right - 1 && p.y > box.top + 2 && p.y < box.bottom - 2) { wrong.push(path.getAttribute("stroke-width")); break; }
					}
				}
				return wrong.join(", ");
			})()`)
			if crossed != "" {
				t.Errorf("%s at %d: lines of width %s run through the words", page, width, crossed)
			}
		}
	}
}

func TestChartTipAndAppearanceKeepThePolicy(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "long-names", 1440, "light")
	box := eval[map[string]float64](t, b, `(() => {
		const chart = document.querySelector(".chart.tall");
		chart.scrollIntoView({block: "center"});
		const r = chart.getBoundingClientRect();
		return {x: r.x, y: r.y, w: r.width, h: r.height};
	})()`)
	b.Aim(t)
	for _, at := range []float64{0.2, 0.4, 0.45, 0.8} {
		if err := chromedp.Do(b.Ctx, chromedp.MouseEvent("mouseMoved", box["x"]+box["w"]*at, box["y"]+box["h"]*0.4)); err != nil {
			t.Fatal(err)
		}
	}
	if tip := eval[string](t, b, `document.querySelector(".chart .tip:not([hidden])")?.innerText ?? ""`); !strings.Contains(tip, "Difference") || !strings.Contains(tip, "November 2026") {
		t.Errorf("the tip says %q", tip)
	}
	if !eval[bool](t, b, `[...document.querySelectorAll(".tip-row")].every((row) => [...row.classList].every((each) => each.startsWith("tip-")))`) {
		t.Error("a row of the tip is styled as another part of the page")
	}
	const line = `getComputedStyle(document.querySelector('.drawing path[stroke-width="2.25"]')).stroke`
	light := eval[string](t, b, line)
	eval[any](t, b, `document.querySelector('[data-theme-choice="dark"]').click()`)
	if dark := eval[string](t, b, line); dark == light {
		t.Errorf("the line is %s in light and %s in the dark", light, dark)
	}
	b.open(t, "overview", 1440, "light")
	if eval[string](t, b, `document.documentElement.dataset.theme ?? ""`) != "dark" {
		t.Error("the choice is not kept")
	}
	eval[any](t, b, `document.querySelector('[data-metric="orders"]').click()`)
	if got := eval[string](t, b, `document.querySelector("[data-chart-title]").textContent + " " + document.querySelector(".trend [data-chart]").dataset.drawn`); got != "Upsold orders by day orders" {
		t.Errorf("the chart is headed %q", got)
	}
	if said := b.Said(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

func TestArrowKeysMoveAlongTheDaysAndSayThem(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "overview", 1440, "light")
	press := func(keys string) string {
		if err := chromedp.Do(b.Ctx, chromedp.KeyEvent(keys)); err != nil {
			t.Fatal(err)
		}
		return eval[string](t, b, `document.querySelector(".trend [role=status]:not([hidden])")?.innerText.replace(/\n/g, " ") ?? ""`)
	}
	eval[any](t, b, `document.querySelector(".trend [data-chart]").focus()`)
	for _, each := range []struct{ keys, want string }{
		{kb.Home, "Wednesday 21 October 2026 These dates, Wed 21 Oct $1,554.21 Compared with Mon 21 Sep $1,231.21 Difference +$323.00"},
		{kb.ArrowRight, "Thursday 22 October 2026"},
		{strings.Repeat(kb.ArrowRight, 13), "Wednesday 4 November 2026 These dates, Wed 4 Nov missing"},
		{kb.End, "Friday 20 November 2026 These dates, Fri 20 Nov $745.28 so far"},
		{kb.ArrowLeft, "Thursday 19 November 2026"},
	} {
		if got := press(each.keys); !strings.HasPrefix(got, each.want) {
			t.Errorf("it says %q, want %q", got, each.want)
		}
	}
	if got := press(kb.Escape); got != "" {
		t.Errorf("Esc leaves %q", got)
	}
	if said := b.Said(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// The picture is there at once, without the script that draws charts, which is loaded when
// someone interacts with one and replaces the picture.
func TestAPictureIsInPlaceOfAChartUntilSomeoneTurnsToIt(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	const frame = `JSON.stringify([...document.querySelectorAll("[data-chart]")].map((e) => { const r = e.getBoundingClientRect(); return [r.x, r.y + scrollY, r.width, r.height]; }))`
	if err := chromedp.Do(b.Ctx, chromedp.Navigate(b.url+"/overview")); err != nil {
		t.Fatal(err)
	}
	picture := eval[string](t, b, `(() => {
		if (document.querySelector("script[src*=charts]")) return "the script is there";
		const drawn = [...document.querySelectorAll("[data-chart] .stand-in:not([hidden]) svg")].filter((e) => e.getBoundingClientRect().height > 30);
		return drawn.length < 5 ? drawn.length + " pictures" : "";
	})()`)
	if picture != "" {
		t.Error(picture)
	}
	before := eval[string](t, b, frame)
	b.open(t, "overview", eval[int64](t, b, `innerWidth`), "light")
	if after := eval[string](t, b, frame); after != before {
		t.Errorf("drawing moves charts from %s to %s", before, after)
	}
	if left := eval[int](t, b, `[...document.querySelectorAll("[data-chart] .stand-in")].filter((e) => e.checkVisibility()).length`); left > 0 {
		t.Errorf("%d pictures are still there", left)
	}
}

func TestOnAPhoneTheStoresMenusAreTwoRows(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "stores", 375, "light")
	if rows := eval[int](t, b, `new Set([...document.querySelectorAll(".tool-menus .drop")].map((e) => e.getBoundingClientRect().top)).size`); rows != 2 {
		t.Errorf("%d rows", rows)
	}
}

func TestOnAPhoneAnOffersChangeIsBelowItsPlacementAndNotBesideItsClaims(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	b.open(t, "offers", 390, "light")
	if far := eval[int](t, b, `[...document.querySelectorAll(".inventory td.change .delta > :first-child")].filter((e) => Math.abs(e.getBoundingClientRect().left - e.closest("tr").querySelector(".placed").getBoundingClientRect().left) > 4).length`); far != 0 {
		t.Errorf("%d changes are elsewhere", far)
	}
}
