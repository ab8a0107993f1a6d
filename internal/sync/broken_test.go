package pulls_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/db/dbtest"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// shop is the store of most tests: Berlin, euros.
const shop = "lumen"

// synced is a world with the shop, one day of history, everything pulled once. The first test
// of each time and rate makes the pulls, the others get copies of its database; their services
// haven't seen those requests.
func synced(t *testing.T, o options) *world {
	t.Helper()
	key := fmt.Sprint(o.at.UnixNano(), o.rateLimit, o.details)
	filled, _ := pulled.LoadOrStore(key, &dbtest.Filled{})
	w := newWorldOn(t, o, filled.(*dbtest.Filled).New(t, func(t testing.TB, pool *pgxpool.Pool) {
		w := newWorldOn(t, o, pool)
		w.add(shop, 1)
		w.sync(shop)
	}))
	w.exec(`update credentials set base_url = $1 || substring(base_url from '://[^/]+(.*)')`, w.http.URL)
	if o.at.IsZero() { // some of it may be due again
		w.sync(shop)
	}
	return w
}

// pulled are the databases that synced copies.
var pulled sync.Map

// run pulls what is due and expects that some pulls fail.
func (w *world) run() pulls.Result {
	w.t.Helper()
	r, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{})
	if err != nil {
		w.t.Fatalf("run: %v", err)
	}
	return r
}

func (w *world) wakeAll() {
	w.t.Helper()
	w.exec(`update ledger set due_at = '2020-01-01'`)
}

// breakBoth breaks every answer of both services in the same way.
func (w *world) breakBoth(f sandbox.Fault) {
	w.sandbox.Break(sandbox.Upsell, shop, f)
	w.sandbox.Break(sandbox.Gift, shop, f)
}

func replaced(old, new string) func([]byte) []byte {
	return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(new)) }
}

// However a reply is broken, no stored number changes, the last good answer stays, the ledger
// says what happened, and the broken reply is kept.
func TestABrokenReplyChangesNoNumber_N4(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    sandbox.Fault
		outcome  string
		says     string // in every row's text
		kept     bool   // whether the raw reply is kept
		attempts int    // requests per pull
	}{
		"HTML with status 200": {sandbox.Fault{Body: "<html>Sorry</html>", ContentType: "text/html"}, "quarantined", "Reply breaks the contract: it is not valid JSON", true, 1},
		"an empty object":      {sandbox.Fault{Body: "{}"}, "quarantined", `the required field "success" is missing`, true, 1},
		"an empty body":        {sandbox.Fault{Edit: func([]byte) []byte { return nil }}, "quarantined", "Reply breaks the contract: ", false, 1},
		"cut in the middle":    {sandbox.Fault{Edit: func(b []byte) []byte { return b[:len(b)/2] }}, "quarantined", "it ends too early", true, 1},
		"bytes behind it":      {sandbox.Fault{Edit: func(b []byte) []byte { return append(b, "{}"...) }}, "quarantined", "bytes follow the JSON value", true, 1},
		"a key twice":          {sandbox.Fault{Edit: replaced(`"data":{`, `"success":true,"data":{`)}, "quarantined", "a key appears twice", true, 1},
		"success is false":     {sandbox.Fault{Edit: replaced(`"success":true`, `"success":false`)}, "quarantined", "/success", true, 1},
		"success is a word":    {sandbox.Fault{Edit: replaced(`"success":true`, `"success":"true"`)}, "quarantined", "/success", true, 1},
		"data is null":         {sandbox.Fault{Body: `{"success":true,"data":null,"error":null}`}, "quarantined", "/data", true, 1},
		"data is a list":       {sandbox.Fault{Body: `{"success":true,"data":[],"error":null}`}, "quarantined", "/data", true, 1},
		"the server fails":     {sandbox.Fault{Cause: sandbox.Internal}, "failed", "Server error (500)", false, 3},
		"the gateway fails":    {sandbox.Fault{Status: 502, Body: "<html>Bad gateway</html>"}, "failed", "Server error (502)", false, 3},
		"the line is cut":      {sandbox.Fault{Cut: 20}, "failed", "Reply cut off: ", false, 3},
		"no answer":            {sandbox.Fault{Drop: true}, "failed", "No answer: ", false, 3},
		"too long":             {sandbox.Fault{Edit: func(b []byte) []byte { return append(b, bytes.Repeat([]byte(" "), 8<<20)...) }}, "quarantined", "it is longer than 8388608 bytes", true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{})
			numbers := w.dump(numberTables)
			w.breakBoth(c.fault)
			w.wakeAll()
			switch name {
			case "too long", "the gateway fails", "no answer": // 8 MiB each, and a silent service isn't asked for everything
				w.exec(`update ledger set due_at = '2100-01-01' where pull not in ('lifetime', 'gift.plan')`)
			}
			good := w.due()
			start, from := time.Now(), w.mark()
			result := w.run()
			equal(t, "failed pulls", result.Failed, len(good))
			equal(t, "requests", w.mark()-from, c.attempts*len(good))
			same(t, w.dump(numberTables), numbers)
			for _, before := range good {
				what := before.Pull + " " + before.Subject
				r := w.row(before.Pull, before.Subject)
				equal(t, what+": outcome", r.Outcome, c.outcome)
				equal(t, what+": attempts", r.Attempts, 1)
				equal(t, what+": last good answer", r.LastGood.UnixMicro(), before.LastGood.UnixMicro())
				equal(t, what+": applied window", r.Applied, before.Applied)
				if !strings.Contains(r.Text, c.says) {
					t.Errorf("%s says %q, want %q in it", what, r.Text, c.says)
				}
				if r.FailingSince == nil || r.FailingSince.Before(start.Add(-time.Second)) || r.Claimed != nil {
					t.Errorf("%s fails since %v, held until %v", what, r.FailingSince, r.Claimed)
				}
				if wait := r.Due.Sub(start); wait < 5*time.Minute || wait > 6*time.Minute {
					t.Errorf("%s is tried again after %s, want 5 minutes", what, wait)
				}
			}
			kept := get[int](w, `select count(*) from replies b join replies g using (store_id, pull, subject) where not b.good and g.good and b.body <> g.body`)
			want := 0
			if c.kept {
				want = len(good)
			}
			equal(t, "broken replies kept beside the good ones", kept, want)

			w.sandbox.Clear(sandbox.Upsell, shop)
			w.sandbox.Clear(sandbox.Gift, shop)
			w.wakeAll()
			w.sync(shop)
			for _, r := range w.ledger("") {
				if r.Outcome != "good" || r.Attempts != 0 || r.FailingSince != nil {
					t.Errorf("once the service works, %s %s is %s after %d attempts, failing since %v", r.Pull, r.Subject, r.Outcome, r.Attempts, r.FailingSince)
				}
			}
		})
	}
}

func TestRepeatedFailuresBackOff(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Cause: sandbox.Internal})
	since := time.Time{}
	for attempt, want := range []time.Duration{5 * time.Minute, 10 * time.Minute, 20 * time.Minute} {
		w.wake("lifetime")
		start := time.Now()
		w.run()
		r := w.one("lifetime")
		equal(t, "attempts", r.Attempts, attempt+1)
		if wait := r.Due.Sub(start); wait < want || wait > want+time.Minute {
			t.Errorf("after %d attempts the next is in %s, want %s", r.Attempts, wait, want)
		}
		if attempt == 0 {
			since = *r.FailingSince
		}
		equal(t, "failing since the first", r.FailingSince.UnixMicro(), since.UnixMicro())
	}
}

// The one endpoint that sends a payload along with success: false.
func TestACountThatFailedKeepsTheOldCount_N7(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	before := w.dump([]string{"offer_counts"})
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Cause: sandbox.CountFailed})
	w.wake("offer_count")
	w.run()
	same(t, w.dump([]string{"offer_counts"}), before)
	r := w.one("offer_count")
	equal(t, "outcome", r.Outcome, "quarantined")
	equal(t, "text", r.Text, "Reply breaks the contract at /success: it is false beside a status of success")
	equal(t, "kept", get[string](w, `select convert_from(body, 'UTF8') from replies where pull = 'offer_count' and not good`), `{"success":false,"data":{"total":0}}`)
}

func TestAReplyOfAnotherShopIsQuarantined_N35(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	numbers := w.dump(numberTables)
	w.breakBoth(sandbox.Fault{Edit: replaced("lumen-optik.example", "other.example")})
	named := []string{"summary.day", "summary.window", "coverage", "offer_count", "offers", "gift.window", "gift.today", "gift.plan", "gift.setup_health"}
	w.wake(named...)
	w.run()
	same(t, w.dump(numberTables), numbers)
	for _, pull := range named {
		for _, r := range w.ledger(pull) {
			equal(t, pull, r.Outcome+": "+r.Text, "quarantined: Reply breaks the contract: it belongs to other.example, this credential to lumen-optik.example")
		}
		kept := get[string](w, `select convert_from(body, 'UTF8') from replies where pull = $1 and not good limit 1`, pull)
		if !strings.Contains(kept, "other.example") {
			t.Errorf("%s: the reply is not kept: %.100s", pull, kept)
		}
	}
	equal(t, "the store's shop", get[string](w, `select domain from stores`), "lumen-optik.example")
}

// A credential saved before any reply named the shop is bound by the first reply that does,
// even within the same run.
func TestTheFirstReplyThatNamesAShopBindsTheRest_N35(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60}) // one call at a time
	w.exec(`update credentials set shop_domain = null`)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Path: "/data/analytics/coverage", Edit: replaced("lumen-optik.example", "other.example")})
	w.wake("offer_count", "coverage")
	w.run()
	equal(t, "first", w.one("offer_count").Outcome, "good")
	equal(t, "second", w.one("coverage").Outcome, "quarantined")
	equal(t, "bound to", get[string](w, `select shop_domain from credentials where service = 'upsell'`), "lumen-optik.example")
}

// A value that the database refuses must neither be lost silently nor stop the pulls after it.
func TestAReplyThatCantBeStoredIsQuarantinedAndTheRestGoesOn(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	numbers := w.dump([]string{"top_offers", "top_lists"})
	w.exec(`alter table top_lists add constraint no_such_number check (row_limit < 0) not valid`)
	w.wake("top.highest", "lifetime")
	before := w.one("lifetime").LastGood
	w.run()
	same(t, w.dump([]string{"top_offers", "top_lists"}), numbers)
	for _, r := range w.ledger("top.highest") {
		if r.Outcome != "quarantined" || !strings.HasPrefix(r.Text, "Reply breaks the contract: it can't be stored: ") || r.Claimed != nil {
			t.Errorf("%s is %s: %s", r.Subject, r.Outcome, r.Text)
		}
	}
	if after := w.one("lifetime"); after.Outcome != "good" || !after.LastGood.After(*before) {
		t.Errorf("the pull behind it is %s, last good %s", after.Outcome, after.LastGood)
	}
}

func TestOurOwnFaultIsNotRepeatedUnchanged_N39_N60(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.breakBoth(sandbox.Fault{Status: http.StatusNotFound, Body: `{"success":false,"message":"Not found","data":null,"error":{"code":"NOT_FOUND","message":"Not found"}}`})
	w.wake("lifetime", "coverage", "gift.plan", "top.day")
	from := w.mark()
	result := w.run()
	equal(t, "requests", w.mark()-from, result.Failed)
	for _, pull := range []string{"lifetime", "gift.plan", "top.day"} {
		for _, r := range w.ledger(pull) {
			if r.Outcome != "refused" || r.Due != nil {
				t.Errorf("%s %s is %s, due %v; want refused permanently", pull, r.Subject, r.Outcome, r.Due)
			}
		}
	}
	if r := w.one("coverage"); r.Outcome != "refused" || r.Due == nil || r.Due.Before(time.Now()) {
		t.Errorf("coverage is %s, due %v; want tomorrow's dates to be asked for", r.Outcome, r.Due)
	}
	w.sandbox.Clear(sandbox.Upsell, shop)
	w.sandbox.Clear(sandbox.Gift, shop)
	if err := w.db.Resume(context.Background(), w.seen(shop)); err != nil { // a person fixed the path
		t.Fatal(err)
	}
	w.sync(shop)
	equal(t, "once the service works", w.one("lifetime").Outcome, "good")
}
