package web_test

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/web/site"
)

// watch notes every script that was blocked, before a page begins.
const watch = `window.violations = []; document.addEventListener("securitypolicyviolation", (e) => window.violations.push(e.violatedDirective + " " + e.blockedURI + " " + e.sample));
	window.alert = window.confirm = window.prompt = () => { window.pwned = "a dialog"; };`

// obeyed is what a page did with the data other than show it.
const obeyed = `(() => {
	const wrong = window.violations.map((v) => "the policy kept it from: " + v);
	if (window.pwned !== undefined) wrong.push("a script ran: " + window.pwned);
	for (const e of document.querySelectorAll("img, iframe:not(.mail-frame), object, embed, base, meta[http-equiv], textarea:not(#handles, #note-text, #h-message), marquee, body style, body link")) wrong.push("an element of the data: " + e.outerHTML.slice(0, 120));
	for (const e of document.querySelectorAll("script")) if (e.type !== "application/json" && !(e.src.startsWith(location.origin + "/static/") && e.textContent === "")) wrong.push("a script of the data: " + e.outerHTML.slice(0, 120));
	for (const e of document.querySelectorAll("*")) for (const a of e.attributes) if (/^on/i.test(a.name) || a.name === "style" && !e.closest("[data-chart]")) wrong.push("an attribute of the data: " + a.name + " at " + e.outerHTML.slice(0, 120));
	for (const e of document.querySelectorAll("iframe")) if (!/^allow-popups allow-popups-to-escape-sandbox$/.test(e.sandbox.value) || !new RegExp("^" + location.origin + "/stores/[a-z]+/snapshot/mail[?]").test(e.src)) wrong.push("a frame of the data: " + e.outerHTML.slice(0, 120));
	for (const a of document.querySelectorAll("a[href], form[action]")) {
		const to = new URL(a.href ?? a.action, location.href);
		if (to.origin === location.origin) continue;
		if (to.protocol !== "https:" || to.username !== "" || !/noopener/.test(a.rel)) wrong.push("a link to " + to.href.slice(0, 80));
	}
	return wrong.join("\n");
})()`

// spilt finds text that overflows its box, at first and with each note and menu open. Text that
// is shortened with an ellipsis, or that scrolls, stays within it.
const spilt = `(() => {
	const wrong = new Set();
	const name = (e) => e.tagName.toLowerCase() + "." + e.className + " “" + e.textContent.trim().slice(0, 30) + "”";
	const hidden = (e) => {
		if (!e.checkVisibility() || e.closest("svg, script, .skip")) return true;
		for (; e; e = e.parentElement) if (getComputedStyle(e).clipPath !== "none") return true;
		return false;
	};
	const check = (root, where) => {
		if (document.documentElement.scrollWidth > innerWidth) wrong.add(where + "the page scrolls sideways: " + document.documentElement.scrollWidth);
		const text = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), range = document.createRange();
		while (text.nextNode()) {
			const around = text.currentNode.parentElement;
			if (!text.currentNode.data.trim() || hidden(around)) continue;
			range.selectNodeContents(text.currentNode);
			const words = range.getBoundingClientRect();
			for (let e = around; e && e !== document.body; e = e.parentElement) {
				const s = getComputedStyle(e), box = e.getBoundingClientRect();
				if (s.textOverflow === "ellipsis" || /auto|scroll/.test(s.overflowX)) break;
				if (s.display === "inline" || s.display === "contents") continue;
				const over = Math.max(words.right - box.right, box.left - words.left);
				if (over > 1.5) wrong.add(where + "“" + text.currentNode.data.trim().slice(0, 30) + "” leaves " + name(e) + " by " + Math.round(over));
				if (e.matches("[popover], .drop-panel")) break;
			}
		}
		for (const e of root.querySelectorAll("*:not(.sign)")) {
			const s = getComputedStyle(e), above = e.parentElement, box = above.getBoundingClientRect(), b = e.getBoundingClientRect();
			if (hidden(e) || b.height === 0 || !/static|relative/.test(s.position) || /inline$|contents/.test(s.display)) continue;
			if (getComputedStyle(above).overflowY === "visible" && getComputedStyle(above).display !== "inline" && b.bottom > box.bottom + 2) wrong.add(where + name(e) + " hangs " + Math.round(b.bottom - box.bottom) + " below " + name(above));
		}
	};
	check(document.body, "");
	for (const note of document.querySelectorAll("[popover]")) {
		document.querySelector('[popovertarget="' + note.id + '"]').scrollIntoView({block: "center"});
		note.showPopover();
		const b = note.getBoundingClientRect();
		if (b.left < -1 || b.right > innerWidth + 1) wrong.add(name(note) + " leaves the window: " + b.left + " to " + b.right);
		check(note, "in a note: ");
		note.hidePopover();
	}
	for (const menu of document.querySelectorAll("details:not([open])")) {
		if (!menu.checkVisibility()) continue;
		menu.open = true;
		check(menu, "in a menu: ");
		for (const p of menu.querySelectorAll(".drop-panel")) {
			const b = p.getBoundingClientRect();
			if (b.left < -1 || b.right > innerWidth + 1) wrong.add(name(p) + " leaves the window: " + b.left + " to " + b.right);
		}
		menu.open = false;
	}
	return [...wrong].slice(0, 8).join("\n");
})()`

func TestNothingOfTheHostileStoreRunsOrLeavesItsBox(t *testing.T) {
	t.Parallel()
	w := hostileWorld(t)
	tab := browsertest.Open(t)
	tab.Before(t, watch)
	signIn := sync.OnceFunc(func() {
		tab.Show(t, w.HTTP.URL+"/sign-in/"+w.Link(), 390, "light")
		tab.Press(t, "main form button")
	})
	pages := 0
	routes := w.Server.Routes()
	slices.SortStableFunc(routes, func(a, b site.Route) int { // those that are open to anyone come first
		return cmp.Compare(signedInOnly(a), signedInOnly(b))
	})
	for _, r := range routes {
		if r.Admits == site.AdmitPerson {
			signIn()
		}
		page := r.Method == "GET" && (r.Admits == site.AdmitPerson || r.Admits == site.AdmitVisitor) && !isFile.MatchString(r.Path) && !strings.HasSuffix(r.Path, ".zip") && !strings.HasSuffix(r.Path, site.LivePath) && r.Path != "/stores/:slug/snapshot/mail" // a mail has its own styles
		addresses := addresses(w, r)
		if page != (len(addresses) > 0) {
			t.Errorf("%s %s: a page is %v, and it has %d addresses", r.Method, r.Path, page, len(addresses))
		}
		for _, address := range some(addresses) {
			t.Run(address, func(t *testing.T) {
				pages++
				tab.Said()
				tab.Show(t, w.HTTP.URL+address, 390, "light")
				if at := browsertest.Eval[string](t, tab, "location.href"); at != w.HTTP.URL+address {
					t.Fatalf("the browser stands at %s", at)
				}
				shownAsText(t, tab)
				for _, said := range tab.Said() {
					if !failedLoad.MatchString(said) { // the page itself, where it is one of an error
						t.Errorf("the console says %q", said)
					}
				}
			})
		}
	}
	t.Logf("%d pages", pages)

	// What a service says to a token that a person has pasted.
	w.Services.Break(sandbox.Upsell, grim, sandbox.Fault{Path: "/data/offers/count", Status: http.StatusUnauthorized, Body: `{"success":false,"message":"` + evil + `"}`})
	upsellAt, token := w.Column(`select base_url from credentials where service = 'upsell'`)[0], ""
	for _, shop := range w.Services.Stores() {
		if shop.Slug == grim {
			token = shop.UpsellToken
		}
	}
	fill := `for (const e of document.querySelectorAll('[name="upsell_url"]')) e.value = ` + strconv.Quote(upsellAt) + `; for (const e of document.querySelectorAll('[name="upsell_token"]')) e.value = ` + strconv.Quote(token) + `; ""`
	for page, button := range map[string]string{
		"/stores/new":                           `form[action="/stores/new"] button`,
		"/stores/" + grim + "/settings/upsell":  `form[action$="/settings/upsell"] button`,
		"/stores/" + grim + "/settings?of=gift": `form[action$="/settings/gift/check"] button`,
	} {
		t.Run("refused at "+page, func(t *testing.T) {
			tab.Show(t, w.HTTP.URL+page, 390, "light")
			browsertest.Eval[string](t, tab, fill)
			if status := tab.Press(t, button); status != http.StatusUnprocessableEntity {
				t.Errorf("%d", status)
			}
			if text := browsertest.Eval[string](t, tab, "document.body.innerText"); !strings.Contains(text, "window.pwned=9") {
				t.Errorf("the page does not say why: %s", text)
			}
			shownAsText(t, tab)
		})
	}
}

// shownAsText fails if text overflows its box in the open page, or the page did anything with
// the data other than show it.
func shownAsText(t *testing.T, tab *browsertest.Tab) {
	t.Helper()
	for _, width := range []int64{390, 1440} {
		tab.Resize(t, width)
		if found := browsertest.Eval[string](t, tab, spilt); found != "" {
			t.Errorf("at %d:\n%s", width, found)
		}
	}
	if found := browsertest.Eval[string](t, tab, obeyed); found != "" {
		t.Error(found)
	}
}

var (
	isFile     = regexp.MustCompile(`\.(csv|xlsx)$`)
	failedLoad = regexp.MustCompile(`Failed to load resource: the server responded with a status of (400|404|410)`)
)

func signedInOnly(r site.Route) int {
	if r.Admits == site.AdmitPerson {
		return 1
	}
	return 0
}
