package live_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/web/webtest"
)

// shop is a world with a store of the sandbox, and what pulls it: with connections of its
// own, as a worker in another process has them.
type shop struct {
	*webtest.World
	*browsertest.Tab
	slug   string
	worker *pulls.Syncer
}

func openShop(t *testing.T) *shop {
	t.Helper()
	w := webtest.NewWorldForBrowsers(t, "127.0.0.1")
	services := sandbox.New(sandbox.Config{Seed: 1, Hostile: true, Now: w.Clock.Now})
	upstreams := httptest.NewServer(services)
	t.Cleanup(upstreams.Close)
	allow, err := upstream.ParseAllow("127.0.0.1")
	w.Must(err)
	sealer, err := seal.NewSealer(strings.Repeat("k", seal.MinSecretKey))
	w.Must(err)
	s := &shop{World: w, worker: pulls.New(pulls.Config{
		DB: db.From(dbtest.As(t, w.DB.Pool, db.Worker), 2400), Transport: upstream.NewTransport(upstream.Options{Allow: allow, Clock: callers{w.Clock}}), Allow: allow, Sealer: sealer,
		Log: slog.New(slog.DiscardHandler), Now: w.Clock.Now,
	})}
	all := services.Stores()
	made := all[slices.IndexFunc(all, func(s sandbox.Store) bool { return s.Slug == "grim" })] // the smallest
	s.slug = made.Slug
	store, err := w.DB.Queries().InsertStore(t.Context(), sqlc.InsertStoreParams{Slug: made.Slug, Name: made.Name, Timezone: made.Timezone, HistoryDays: 1})
	w.Must(err)
	for service, at := range map[string][2]string{pulls.Upsell: {made.UpsellPath, made.UpsellToken}, pulls.Gift: {made.GiftPath, made.GiftKey}} {
		_, err := s.worker.Connect(t.Context(), store.ID, service, upstreams.URL+at[0], upstream.NewSecret(at[1]))
		w.Must(err)
	}
	w.Must(w.Access.GrantPerson(t.Context(), w.Person.ID, s.slug))
	s.pull()
	s.Tab = browsertest.Open(t)
	s.Show(t, w.HTTP.URL+"/sign-in/"+w.Link(), 1440, "light")
	s.Press(t, "main form button")
	return s
}

// callers is the world's clock as the calls of the services see it: no time passes between two
// tries.
type callers struct{ *accesstest.Clock }

func (c callers) Wait(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// pull pulls what is due.
func (s *shop) pull() {
	s.T.Helper()
	_, err := s.worker.Run(s.T.Context(), s.slug, pulls.RunOptions{BackfillDays: 1})
	s.Must(err)
}

// open shows a page of the store, and returns when it follows.
func (s *shop) open(path string) {
	s.T.Helper()
	s.Show(s.T, s.HTTP.URL+"/stores/"+s.slug+path, 1440, "light")
}

// caughtUp waits until the page shows the store's newest revision.
func (s *shop) caughtUp() {
	s.T.Helper()
	newest := s.Column(`select revision::text from stores where slug = '` + s.slug + `'`)[0]
	s.until(`document.querySelector("main").dataset.live.endsWith("revision=` + newest + `")`)
}

func (s *shop) until(js string) {
	s.T.Helper()
	ctx, cancel := context.WithTimeout(s.Ctx, time.Minute)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](js)); err != nil {
		s.T.Fatalf("never came: %s: %v %v", js, err, s.Said())
	}
}

func TestAPullUpdatesAnOpenPageAndLeavesItsReaderAlone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.open("?window=last_7_days")
	const main = `document.querySelector("main").innerText`
	before := browsertest.Eval[string](t, s.Tab, main)
	browsertest.Eval[any](t, s.Tab, `{
		const custom = document.querySelector("main input[type=date]");
		custom.closest("details")?.setAttribute("open", "");
		custom.value = "2026-11-03";
		const note = document.querySelector("main [popover].prov"), focused = document.querySelector("main .trend button");
		note.showPopover();
		focused.focus({preventScroll: true});
		scrollTo(0, 700);
		window.kept = {custom, note, focused, panel: document.querySelector("main .trend"), chart: document.querySelector("[data-chart] svg")};
	}`)
	s.Clock.Add(3 * time.Hour)
	s.pull()
	s.caughtUp()
	if wrong := browsertest.Eval[[]string](t, s.Tab, `(() => {
		const wrong = [], {custom, note, focused, panel, chart} = kept;
		if (scrollY !== 700) wrong.push("scrolled to " + scrollY);
		if (document.activeElement !== focused) wrong.push("focus is on " + document.activeElement.outerHTML.slice(0, 80));
		if (!custom.isConnected || custom.value !== "2026-11-03") wrong.push("the date is " + custom.value);
		if (custom.closest("details") && !custom.closest("details").open) wrong.push("the picker closed");
		if (!note.matches(":popover-open")) wrong.push("the note closed");
		if (!panel.isConnected || !chart.isConnected) wrong.push("the chart is another");
		return wrong;
	})()`); len(wrong) > 0 {
		t.Error(strings.Join(wrong, "\n"))
	}
	if browsertest.Eval[string](t, s.Tab, main) == before {
		t.Error("the page says the same")
	}
	if said := s.Said(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

// A refresh is shown by the page it was asked on: its progress, then the newer numbers.
func TestARefreshIsShownInPlace(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.Server.Queue = pulls.Queue{DB: s.Pages(), Jobs: s.DB}
	s.Clock.Add(20 * time.Minute) // nothing is due
	s.open("?window=last_7_days")
	browsertest.Eval[any](t, s.Tab, `{
		globalThis.page = document.querySelector("main");
		document.body.style.minHeight = "4000px";
		scrollTo(0, 300);
		const button = document.querySelector("form.refresh button");
		button.focus({preventScroll: true});
		button.click();
	}`)
	const progress = `document.querySelector(".refresh-progress").textContent`
	s.until(progress + `.startsWith("0 of 9 answers")`)
	s.pull()
	s.until(progress + ` === ""`)
	s.until(`document.querySelector(".fresh time").dataset.age < 60`)
	if got := browsertest.Eval[string](t, s.Tab, `[page === document.querySelector("main"), document.activeElement.textContent, scrollY, location.search].join()`); got != "true,Refresh,300,?window=last_7_days" {
		t.Errorf("page, focus, scroll and address: %s", got)
	}
	if said := s.Said(); len(said) > 0 {
		t.Errorf("the console says %q", said)
	}
}

func TestAPageThatMayNotBeSeenAnyMoreStopsAsking(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.Server.Parts.Live.Beat = 20 * time.Millisecond
	s.Before(t, `{
		const Stream = EventSource;
		globalThis.streams = 0;
		EventSource = class extends Stream { constructor(at) { super(at); streams++; } };
		const send = XMLHttpRequest.prototype.send;
		XMLHttpRequest.prototype.send = function () { this.addEventListener("loadend", () => { globalThis.answered = this.status; }); send.call(this); };
	}`)
	s.open("")
	s.until(`streams === 1`)
	s.Exec(`delete from grants`)
	s.until(`globalThis.answered === 404`)
	if n := browsertest.Eval[int](t, s.Tab, `streams`); n > 2 {
		t.Errorf("%d streams were opened", n)
	}
}

// A hidden tab holds no stream; when shown again, it shows what has changed.
func TestAHiddenPageAsksForNothingUntilItIsSeen(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.Before(t, `{
		let hidden = false;
		Object.defineProperty(document, "hidden", { get: () => hidden });
		globalThis.hide = (h) => { hidden = h; document.dispatchEvent(new Event("visibilitychange")); };
		const Stream = EventSource;
		globalThis.streams = [];
		EventSource = class extends Stream { constructor(at) { super(at); streams.push(this); } };
	}`)
	s.open("")
	s.until(`streams[0]?.readyState === 1`)
	browsertest.Eval[any](t, s.Tab, `hide(true)`)
	if state := browsertest.Eval[int](t, s.Tab, `streams[0].readyState`); state != 2 {
		t.Fatalf("hidden, its stream is in state %d", state)
	}
	s.Clock.Add(3 * time.Hour)
	s.pull()
	browsertest.Eval[any](t, s.Tab, `hide(false)`)
	s.caughtUp()
	if n := browsertest.Eval[int](t, s.Tab, `streams.length`); n != 2 {
		t.Errorf("%d streams", n)
	}
}
