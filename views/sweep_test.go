package views_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
)

func names(t *testing.T) []string {
	out := []string{"index"}
	for _, p := range gallery.Pages(components.Base{}) {
		out = append(out, p.Name)
	}
	return out
}

// unlike are elements with words or values: one for each look that the tab hasn't shown yet. A look
// is the words' color, size and weight, and what is behind them.
const unlike = `(() => {
	const behind = new Map(), found = [];
	for (const e of document.querySelectorAll("*")) { // parents come first
		const s = getComputedStyle(e);
		let at = behind.get(e.parentElement) ?? "";
		if (s.backgroundColor !== "rgba(0, 0, 0, 0)" || s.backgroundImage !== "none" || s.opacity !== "1") at += s.backgroundColor + s.backgroundImage + s.opacity;
		if (/absolute|fixed|sticky/.test(s.position)) at += e.tagName + e.getAttribute("class"); // which may be above anything
		behind.set(e, at);
		if (!e.checkVisibility({visibilityProperty: true}) || !e.matches("input, select, textarea") && ![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim())) continue;
		const look = [s.color, s.fontSize, s.fontWeight, s.textDecorationLine, e.tagName, getComputedStyle(e.parentElement).color, at].join();
		if (look in sessionStorage) continue;
		sessionStorage[look] = "";
		found.push(e);
	}
	return found;
})()`

// Every page is opened once, on a desktop in light mode; then it turns dark and narrow while
// open, as it may for a reader.
func TestEveryPageIsQuietAccessibleAndNeverScrollsSideways(t *testing.T) {
	t.Parallel()
	all := names(t)
	for half := range 2 { // a browser for each
		t.Run(fmt.Sprint("half ", half+1), func(t *testing.T) {
			t.Parallel()
			b := startBrowser(t)
			b.LoadAxe(t)
			for i := half * len(all) / 2; i < (half+1)*len(all)/2; i++ { // pages of a kind, which share their looks
				t.Run(all[i], func(t *testing.T) {
					b.open(t, all[i], 1440, "light")
					if found := b.Violations(t, "document"); found != "" {
						t.Error(found)
					}
					for _, scheme := range []string{"light", "dark"} {
						b.Theme(t, scheme)
						if found := b.Violations(t, unlike, browsertest.Colors...); found != "" {
							t.Error(scheme, ": ", found)
						}
					}
					widths := []int64{1440, 390}
					if languages[i%4] == "en" {
						widths = append(widths, narrowest...)
					}
					b.fits(t, widths)
					if said := b.Said(); len(said) > 0 {
						t.Errorf("the console says %q", said)
					}
				})
			}
		})
	}
}

// German words are the longest of the four languages. French and Spanish have the longest amounts.
func TestEveryPageHoldsOtherLanguagesAtEveryWidth(t *testing.T) {
	t.Parallel()
	b := startBrowser(t)
	for i, name := range names(t) {
		widths := map[string][]int64{"de": {1440, 1000, 768, 390, 320}}
		if lang := languages[i%4]; lang != "en" {
			widths[lang] = append(widths[lang], narrowest...)
		}
		for lang, widths := range widths {
			t.Run(name+" "+lang, func(t *testing.T) {
				b.Visit(t, b.url+"/"+name+"?lang="+lang, widths[0], "light")
				if got := eval[string](t, b, "document.documentElement.lang"); got != lang {
					t.Fatalf("the page is in %q", got)
				}
				b.fits(t, widths)
			})
		}
	}
}

// Each layout is at its tightest just before the next begins. There, a page is held in one language.
// Pages of a kind stand next to each other, so nearly every kind is in all four.
var (
	narrowest = []int64{1100, 900, 360}
	languages = []string{"en", "fr", "de", "es"}
)

// fits fails if anything is out of place in the open page at any of the widths, the widest first.
func (b *browser) fits(t *testing.T, widths []int64) {
	t.Helper()
	slices.SortFunc(widths, func(a, b int64) int { return int(b - a) })
	for _, width := range widths {
		b.Resize(t, width)
		if found := eval[string](t, b, misplaced); found != "" {
			t.Errorf("at %d:\n%s", width, found)
		}
	}
}

// misplaced names what no page may show at any width: what reaches beyond the window, words under 12
// pixels, amounts and usual words over two lines, words on words, signs on labels, a bar of two lines,
// tabs out of sight except on a phone, a box that touches the head above it or the end of the page,
// menus that leave the window, chosen words of ours that are cut, explanations of absent signs, a last
// note that is hidden, links in a hidden head that take the focus, wrong fields that don't say why
// beside them, targets of less than 24 pixels (a word in a sentence may be less, and so may one with
// as much room around its middle), and names for screen readers without the words that are seen.
// Charts redraw after a frame's callbacks, so it looks in the task behind them.
const misplaced = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => {
	const found = new Set(), box = (e) => e.getBoundingClientRect(), words = [], root = document.documentElement;
	const once = (f, kept = new Map()) => (e) => kept.has(e) ? kept.get(e) : (kept.set(e, f(e)), kept.get(e));
	const style = once((e) => getComputedStyle(e));
	const shown = (e) => e.checkVisibility({visibilityProperty: true}) && box(e).width > 0;
	if (root.scrollWidth > root.clientWidth) {
		const beyond = [...document.querySelectorAll("body *")].filter((e) => shown(e) && box(e).right > root.clientWidth + 1);
		for (const e of beyond.slice(0, 5)) found.add("too wide: " + e.tagName + "." + e.className + " " + e.textContent.slice(0, 40));
		if (!beyond.length) found.add("the page is too wide");
	}
	const unseen = once((e) => e !== null && (style(e).clipPath !== "none" || unseen(e.parentElement)));
	const common = (p, q) => ({left: Math.max(p.left, q.left), right: Math.min(p.right, q.right), top: Math.max(p.top, q.top), bottom: Math.min(p.bottom, q.bottom)});
	// the rectangle in which scrolling and hiding ancestors let an element show
	const opening = once((e) => {
		if (!e || e === document.body) return {left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity};
		return style(e).overflowX === "visible" ? opening(e.parentElement) : common(opening(e.parentElement), box(e));
	});
	const range = document.createRange(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const n = walk.currentNode, e = n.parentElement;
		if (!n.data.trim() || !shown(e) || e.closest("script, style, option, [popover]") || unseen(e)) continue;
		const said = n.data.trim().slice(0, 40);
		if (parseFloat(style(e).fontSize) < 12) found.add("small: " + said);
		range.selectNodeContents(n);
		const lines = new Set();
		for (const r of range.getClientRects()) {
			if (r.width > 0) lines.add(Math.round(r.top / 4));
			if (r.width > 1 && !e.closest("svg, pre")) words.push([common(r, opening(e)), n]);
		}
		if (lines.size < 2 || e.closest("pre, code")) continue;
		const hyphenates = style(e).hyphens === "auto"; // with dictionaries that this browser may lack
		for (const m of [...n.data.matchAll(/(?<![\w./:-])[-−]?[$€£¥]?\d{1,3}(,\d{3})*(\.\d+)?%?(?![\w/])/g), ...n.data.matchAll(/(?<=^|[\s„“«(\u2068])[\p{L}’]{4,16}(?=[\s“”»).,:;!?…\u2069-]|$)/gu)]) {
			if (hyphenates && isNaN(parseFloat(m[0]))) continue;
			range.setStart(n, m.index);
			range.setEnd(n, m.index + m[0].length);
			if (new Set([...range.getClientRects()].filter((r) => r.width > 0).map((r) => Math.round(r.top / 4))).size > 1) found.add("broken: " + m[0] + " of " + said);
		}
	}
	words.sort((a, b) => a[0].top - b[0].top);
	for (let i = 0; i < words.length; i++) for (let j = i + 1; j < words.length && words[j][0].top < words[i][0].bottom; j++) {
		const [p, a] = words[i], [q, b] = words[j];
		if (a !== b && Math.min(p.right, q.right) - Math.max(p.left, q.left) > 2 && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 5) found.add("on each other: " + a.data.trim().slice(0, 30) + " and " + b.data.trim().slice(0, 30));
	}
	for (const e of document.querySelectorAll(".v-kpi, .v-panel, .v-offer, .all-time dd")) {
		if (shown(e) && box(e).height > 1.6 * parseFloat(style(e).lineHeight)) found.add("broken: " + e.textContent);
	}
	for (const e of document.querySelectorAll(".verdict :is(h1, h2) > span")) if (e.getClientRects().length > 1) found.add("broken: " + e.textContent.trim());
	const last = [...document.querySelectorAll("main > *")].filter(shown).pop();
	if (last && root.scrollHeight - scrollY - box(last).bottom < 12) found.add("touches the end: " + last.className);
	const signs = [...document.querySelectorAll(".kpi-label .sign")].filter(shown);
	for (const s of signs) for (const l of document.querySelectorAll(".kpi-label")) {
		if (l.contains(s) || !shown(l)) continue;
		const p = box(s), q = box(l);
		if (p.left < q.right && q.left < p.right && p.top < q.bottom && q.top < p.bottom) found.add("a sign covers: " + l.textContent);
	}
	const [brand, end] = [".bar .brand", ".bar-end"].map((at) => document.querySelector(at));
	if (brand && end && shown(brand) && shown(end) && Math.abs(box(brand).top + box(brand).bottom - box(end).top - box(end).bottom) > 20) found.add("the bar breaks over two lines");
	const tabs = document.querySelector(".bar .tabs");
	if (tabs && innerWidth >= 768 && tabs.scrollWidth > tabs.clientWidth + 1) found.add("hidden tabs: " + tabs.textContent.trim());
	for (const h of document.querySelectorAll(".head")) {
		let next = h.nextElementSibling;
		while (next && !shown(next)) next = next.nextElementSibling;
		const drawn = next && (parseFloat(style(next).borderTopWidth) > 0 || style(next).backgroundColor !== "rgba(0, 0, 0, 0)");
		if (drawn && box(next).top - box(h).bottom < 8) found.add("touches the head: " + next.className);
	}
	const signed = document.querySelector(".sign") !== null;
	for (const e of document.querySelectorAll(".foot > *")) {
		if (shown(e) && !signed && e.querySelector(".mark")) found.add("explains a sign that is nowhere: " + e.textContent.trim());
		if (!shown(e) && !e.querySelector(".mark")) found.add("hides its last note: " + e.textContent.trim());
	}
	for (const e of document.querySelectorAll(".picker .choose-text, .tool-menus span.choose-text")) if (shown(e) && e.scrollWidth > e.clientWidth + 1) found.add("cut: " + e.textContent);
	const targets = [...document.querySelectorAll("a, button, summary, select, input:not([type=hidden])")].filter((e) => shown(e) && !unseen(e) && !e.closest("[popover]"));
	for (const e of targets) {
		const {left, right, top, bottom, width, height} = box(e.matches("[type=checkbox], [type=radio]") ? e.closest("label") ?? e : e), x = (left + right) / 2, y = (top + bottom) / 2;
		const alone = style(e).display !== "inline", near = (o) => o !== e && Math.hypot(Math.max(box(o).left - x, 0, x - box(o).right), Math.max(box(o).top - y, 0, y - box(o).bottom)) < 12;
		if ((width < 23.9 || height < 23.9) && (alone || e.parentElement.textContent.trim() === e.textContent.trim() && targets.some(near))) found.add("a small target: " + e.outerHTML.slice(0, 80) + " " + Math.round(width) + " × " + Math.round(height));
		const said = (words) => words.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
		if (e.ariaLabel && !said(e.ariaLabel).includes(said(e.innerText))) found.add("named without its words: " + e.ariaLabel + ", " + e.innerText);
	}
	for (const e of document.querySelectorAll('[aria-invalid="true"]')) {
		const [id] = (e.getAttribute("aria-describedby") ?? "").split(" "), why = id && document.getElementById(id);
		if (shown(e) && (!why?.textContent.trim() || !shown(why))) found.add("does not say what is wrong: " + e.outerHTML.slice(0, 80));
		else if (shown(e) && box(why).top - box(e).bottom > 120 && e.type !== "checkbox") found.add("says what is wrong far away: " + e.outerHTML.slice(0, 80));
	}
	for (const t of document.querySelectorAll("time[data-age]")) {
		if (/flex|grid/.test(style(t.parentElement).display)) found.add("a gap around the age: " + t.parentElement.textContent.trim());
	}
	for (const e of document.querySelectorAll("thead a")) if (shown(e) && unseen(e)) found.add("focus that no one sees: " + e.textContent.trim());
	const drops = [...document.querySelectorAll("details.drop")].filter(shown);
	for (const d of drops) d.open = true;
	for (const d of drops) {
		const p = box(d.querySelector(".drop-panel"));
		if (p.width > 0 && (p.left < 0 || p.right > innerWidth)) found.add("leaves the window: " + d.textContent.trim().slice(0, 60));
	}
	for (const d of drops) d.open = false;
	done([...found].slice(0, 8).join("\n"));
})))`
