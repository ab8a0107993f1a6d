// Package browsertest opens pages in a headless Chromium, for tests.
package browsertest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/storeglass/storeglass/internal/pdf"
)

// Tab is a tab that ends with the test. It shares its Chromium with other running tests, but no
// cookies or storage.
type Tab struct {
	Ctx context.Context

	width int64 // of the window; 0 before the first page
	large bool  // painted at its size

	mu   sync.Mutex
	said []string
}

// chromium is this process's browser while any tab is open: starting it takes longer than most
// tests.
var chromium struct {
	mu   sync.Mutex
	tabs int
	ctx  context.Context
	end  func()
}

// Open opens a tab as if it were the only one, in a Chromium that it starts if none runs.
func Open(t testing.TB) *Tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(running(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	tab := &Tab{Ctx: ctx}
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatal("chromium opens no tab: ", err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			tab.mu.Lock()
			tab.said = append(tab.said, m.String())
			tab.mu.Unlock()
		}
	}()
	return tab
}

// running is the Chromium's own tab. The last test that has asked for it ends it.
func running(t testing.TB) context.Context {
	t.Helper()
	chromium.mu.Lock()
	defer chromium.mu.Unlock()
	if chromium.tabs == 0 {
		start(t)
	}
	chromium.tabs++
	t.Cleanup(func() {
		chromium.mu.Lock()
		defer chromium.mu.Unlock()
		if chromium.tabs--; chromium.tabs == 0 {
			chromium.end()
		}
	})
	return chromium.ctx
}

func start(t testing.TB) {
	t.Helper()
	printer, err := pdf.Find("")
	if err != nil {
		t.Fatal(err, ": install one (make setup) to run the browser tests")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(printer.Path()), chromedp.Flag("disable-background-networking", true),
		// Nobody goes back, so no page is kept alive for that, and no process waits for a site that nobody visits.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,BackForwardCache,SpareRendererForSitePerProcess"),
		// No page is open for so long that optimizing its scripts is worth the time.
		chromedp.Flag("js-flags", "--no-opt,--no-maglev"),
		chromedp.Flag("host-resolver-rules", "MAP *.test 127.0.0.1")) // names of other machines, to which browsers grant less than to localhost
	alloc, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(alloc)
	chromium.ctx, chromium.end = ctx, func() { cancel(); end() }
	if err := chromedp.Do(ctx, chromedp.Navigate("about:blank")); err != nil {
		chromium.end()
		t.Fatal("chromium does not start: ", err)
	}
}

// Before runs a script in every page from now on, ahead of the page's own.
func (tab *Tab) Before(t testing.TB, js string) {
	t.Helper()
	if _, err := chromedp.Call(tab.Ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: js}); err != nil {
		t.Fatal(err)
	}
}

// Show opens an address at a width and in an appearance, and returns when its
// charts are drawn. Below 768 pixels it is a phone.
func (tab *Tab) Show(t testing.TB, address string, width int64, scheme string) {
	t.Helper()
	tab.Visit(t, address, width, scheme)
	tab.drawn(t, address)
}

// Visit opens a page like Show, but draws no charts. The page keeps the pictures that a reader sees
// before touching one.
func (tab *Tab) Visit(t testing.TB, address string, width int64, scheme string) {
	t.Helper()
	tab.Theme(t, scheme)
	ctx, cancel := context.WithTimeout(tab.Ctx, patience)
	defer cancel()
	if width != tab.width {
		// The page before would be laid out for the new width, and its charts drawn, for nobody.
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[any]("document.body?.remove()")); err != nil {
			t.Fatalf("leave for %s: %v", address, err)
		}
	}
	tab.Resize(t, width)
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		t.Fatalf("%s: %v", address, err)
	}
}

// Theme has the system prefer light or dark, and no motion: a colour that is still on its
// way to another is none that the page has.
func (tab *Tab) Theme(t testing.TB, scheme string) {
	t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}}
	if _, err := chromedp.Call(tab.Ctx, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
}

// Press clicks what leads to another page, and returns that page's status when its
// charts are drawn.
func (tab *Tab) Press(t testing.TB, selector string) (status int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(tab.Ctx, patience)
	defer cancel()
	tab.Aim(t)
	r, err := chromedp.RunResponse(ctx, chromedp.Click(chromedp.CSS(selector)))
	if err != nil {
		t.Fatalf("%s: %v", selector, err)
	}
	tab.drawn(t, selector)
	return r.Status
}

// drawn waits for a page that was asked for, turns to its charts, and waits for them.
func (tab *Tab) drawn(t testing.TB, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(tab.Ctx, patience)
	defer cancel()
	for {
		_, err := chromedp.Run(ctx, chromedp.Poll[bool](`document.readyState === "complete" && (document.querySelector("[data-chart]")?.dispatchEvent(new Event("focusin", {bubbles: true})), true) && [...document.querySelectorAll("[data-chart]")].every((e) => e.dataset.drawn)`))
		if err == nil {
			return
		}
		if ctx.Err() != nil || !strings.Contains(err.Error(), "Cannot find context") { // the page before was still there
			t.Fatalf("%s: the chart is not drawn: %v %v", what, err, tab.Said())
		}
	}
}

// Resize shows the same page at another width. Below 768 pixels it is a phone.
func (tab *Tab) Resize(t testing.TB, width int64) {
	t.Helper()
	if width == tab.width && !tab.large {
		return
	}
	// A phone differs in several settings, and each change would lay the page out again. A page with
	// drawn charts stays in view, since they would be drawn again without any room.
	turns := isPhone(width) != isPhone(tab.width)
	if turns {
		Eval[bool](t, tab, `document.documentElement.hidden = !document.querySelector("[data-drawn]")`)
	}
	tab.emulate(t, width, false)
	if turns {
		Eval[bool](t, tab, "document.documentElement.hidden = false")
	}
}

func isPhone(width int64) bool { return width < 768 }

// Aim readies the page for a mouse: until the next Show, Visit or Resize it is painted at its full size,
// so a mouse finds everything where the layout puts it.
func (tab *Tab) Aim(t testing.TB) {
	t.Helper()
	tab.emulate(t, tab.width, true)
}

// emulate sets the window's size. Nobody looks at the page, so unless it must be large it is painted at
// a twentieth of its size, which takes less time.
func (tab *Tab) emulate(t testing.TB, width int64, large bool) {
	t.Helper()
	options := []chromedp.EmulateViewportOption{func(p *emulation.SetDeviceMetricsOverrideParams, _ *emulation.SetTouchEmulationEnabledParams) {
		if !large {
			p.Scale = 0.05
		}
	}}
	if isPhone(width) {
		options = append(options, chromedp.EmulateMobile)
	}
	if err := chromedp.Do(tab.Ctx, chromedp.EmulateViewport(width, 900, options...)); err != nil {
		t.Fatal(err)
	}
	tab.width, tab.large = width, large
}

// Said returns what the console has said since the last call.
func (tab *Tab) Said() []string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	said := tab.said
	tab.said = nil
	return said
}

// Eval returns the value of an expression in the page, awaiting a promise. The page's content
// policy doesn't apply to it.
func Eval[T any](t testing.TB, tab *Tab, js string) T {
	t.Helper()
	ctx, cancel := context.WithTimeout(tab.Ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.80s: %v", js, err)
	}
	return v
}

const patience = 60 * time.Second
