package pulls_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// credential is the state of a service's credential.
type credential struct {
	State, Cause, Said string
}

func (w *world) credential(slug, service string) credential {
	w.t.Helper()
	var c credential
	err := w.db.Pool.QueryRow(context.Background(), `
		select c.state, coalesce(c.paused_cause, ''), coalesce(c.paused_said, '')
		from credentials c join stores s on s.id = c.store_id where s.slug = $1 and c.service = $2`, slug, service).Scan(&c.State, &c.Cause, &c.Said)
	if err != nil {
		w.t.Fatal(err)
	}
	return c
}

// A refused token gets one retry, one probe since a person waits, and then no call before the
// next scheduled one. The person reads the service's own words, and everything else continues.
func TestARefusedTokenPausesItsServiceAlone_N37(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    sandbox.Fault
		requests int
		state    string
		cause    string
		says     string
	}{
		"revoked":              {sandbox.Fault{Cause: sandbox.Revoked}, 3, "doubtful", "token", "Invalid token"},
		"app uninstalled":      {sandbox.Fault{Cause: sandbox.Uninstalled}, 3, "doubtful", "token", "Invalid token"},
		"could not be checked": {sandbox.Fault{Cause: sandbox.Unchecked}, 3, "doubtful", "token", "Unauthorized"},
		"reworded":             {sandbox.Fault{Status: 401, Body: `{"success":false,"message":"Nope <b>you</b>"}`}, 3, "doubtful", "token", "Nope <b>you</b>"},
		"another shop's (N39)": {sandbox.Fault{Status: 403, Body: `{"success":false,"message":"Token is not authorized for this shop"}`}, 1, "paused", "wrong_shop", "Token is not authorized for this shop"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{at: settledTime, rateLimit: 90})
			numbers := w.dump(numberTables[:8])
			w.sandbox.Break(sandbox.Upsell, shop, c.fault)
			w.wakeAll()
			from := w.mark()
			result := w.run()
			equal(t, "upsell requests", len(w.arrivals(sandbox.Upsell, from)), c.requests)
			equal(t, "gift requests", len(w.arrivals(sandbox.Gift, from)), 18) // one of each pull, four languages, and the week, month and quarter to date
			equal(t, "failed pulls", result.Failed, 1)
			same(t, w.dump(numberTables[:8]), numbers)
			got := w.credential(shop, "upsell")
			if got.State != c.state || got.Cause != c.cause || !strings.Contains(got.Said, c.says) {
				t.Errorf("the credential is %+v, want %s for %s with %q", got, c.state, c.cause, c.says)
			}
			equal(t, "gift", w.credential(shop, "gift").State, "good")
			r := w.one("offer_count") // the first in the queue
			equal(t, "attempts", r.Attempts, 1)
			equal(t, "says what the service said", strings.HasPrefix(result.Failures[0], "upsell: ") && strings.Contains(result.Failures[0], "The app said: “"+c.says), true)

			from = w.mark()
			result = w.run()
			equal(t, "upsell requests before the next probe", len(w.arrivals(sandbox.Upsell, from)), 0)
			equal(t, "says when the next is", strings.Contains(result.Failures[0], "Storeglass checks again at ") && strings.Contains(result.Failures[0], " UTC and continues"), true)
			equal(t, "still says what the service said", strings.Contains(result.Failures[0], "The app said: “"+c.says), true)

			w.sandbox.Clear(sandbox.Upsell, shop)
			if err := w.db.Resume(context.Background(), w.seen(shop)); err != nil {
				t.Fatal(err)
			}
			w.sync(shop)
			equal(t, "resumed", w.credential(shop, "upsell"), credential{"good", "", ""})
		})
	}
}

func TestA401ThatWasAnAccidentIsForgotten_N37(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Cause: sandbox.Unchecked, Times: 1})
	w.wake("lifetime")
	from := w.mark()
	w.sync(shop)
	equal(t, "requests", len(w.arrivals(sandbox.Upsell, from)), 2)
	equal(t, "credential", w.credential(shop, "upsell").State, "good")
}

func TestOneStoresRefusedTokenLeavesTheOtherStoresAlone_N37(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	w.add("wattle", 1)
	w.sandbox.Break(sandbox.Upsell, shop, sandbox.Fault{Cause: sandbox.Revoked})
	w.wakeAll()
	w.run()
	w.sync("wattle")
	equal(t, "refused", w.credential(shop, "upsell").State, "doubtful")
	equal(t, "the other", w.credential("wattle", "upsell").State, "good")
}

// The service revokes every key at our first request. That cause is kept, although every later
// answer only says that the key is unknown, and pulls that hadn't begun when the first answer
// came aren't sent.
func TestTheFirstCauseIsKeptWhenKeysAreRevoked_N40(t *testing.T) {
	t.Parallel()
	for range 2 {
		w := synced(t, options{rateLimit: 9600}) // eight are claimed together, four run at once
		w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Cause: sandbox.NoPlan})
		w.wakeAll()
		from := w.mark()
		w.run()
		got := w.credential(shop, "gift")
		if got.State != "paused" || got.Cause != "NO_PLAN" || got.Said != "The store is not on a paid plan." {
			t.Errorf("the credential is %+v", got)
		}
		if n := len(w.arrivals(sandbox.Gift, from)); n > 4 {
			t.Errorf("%d calls were made, want those that were under way", n)
		}
		from = w.mark()
		w.run()
		equal(t, "calls while paused", len(w.arrivals(sandbox.Gift, from)), 0)
	}
}

func TestNothingFollowsARefusedKeyAtTheDocumentedPace_N40_N41(t *testing.T) {
	t.Parallel()
	for cause, c := range map[sandbox.Cause]struct {
		calls int
		credential
	}{
		sandbox.NoPlan:      {1, credential{"paused", "NO_PLAN", "The store is not on a paid plan."}},
		sandbox.Uninstalled: {1, credential{"paused", "APP_UNINSTALLED", "The app is not installed on this store."}},
		sandbox.Revoked:     {2, credential{"doubtful", "INVALID_KEY", "This Store API key is not valid."}}, // a probe: an unknown key revokes nothing
	} {
		t.Run(c.Cause, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60})
			w.sandbox.Break(sandbox.Gift, shop, sandbox.Fault{Cause: cause})
			w.wake("gift.setup_health", "gift.plan", "gift.today", "gift.window", "gift.campaigns")
			from := w.mark()
			w.run()
			equal(t, "calls", len(w.arrivals(sandbox.Gift, from)), c.calls)
			got := w.credential(shop, "gift")
			if got.State != c.State || got.Cause != c.Cause || got.Said != c.Said {
				t.Errorf("the credential is %+v, want %+v", got, c)
			}
			equal(t, "upsell", w.credential(shop, "upsell").State, "good")
		})
	}
}

// "Too many requests" isn't an error: the service decides when we may come back, no attempt is
// used up, and meanwhile nothing is sent with this token.
func TestTooManyRequestsIsAWaitAndNoError_N38_N42(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		service     sandbox.Service
		pull, other string
		wait        time.Duration
	}{
		"upsell says when":           {sandbox.Upsell, "offer_count", "lifetime", 30 * time.Second},
		"gift does not (N42): 61 s.": {sandbox.Gift, "gift.setup_health", "gift.plan", 61 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{rateLimit: 60})
			w.sandbox.Break(c.service, shop, sandbox.Fault{Cause: sandbox.Limited, Times: 1})
			w.exec(`update ledger set attempts = 2 where pull = $1`, c.pull)
			w.wake(c.pull, c.other)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var waited time.Duration
			from, start := w.mark(), time.Now()
			_, err := w.syncer.Run(ctx, shop, pulls.RunOptions{Progress: func(p pulls.Progress) {
				if p.Waiting > 0 {
					waited = p.Waiting
					cancel()
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("the run did not wait: %v", err)
			}
			equal(t, "requests", len(w.arrivals(c.service, from)), 1)
			if waited < c.wait-5*time.Second || waited > c.wait+time.Second {
				t.Errorf("nothing is sent for %s, want %s", waited, c.wait)
			}
			r := w.one(c.pull)
			equal(t, "outcome", r.Outcome+", "+r.Text, "waiting, Waiting for a slot (429)")
			equal(t, "attempts", r.Attempts, 2)
			if r.FailingSince != nil {
				t.Errorf("it counts as failing since %s", r.FailingSince)
			}
			if due := r.Due.Sub(start); due < c.wait-time.Second || due > c.wait+5*time.Second {
				t.Errorf("it is due in %s, want %s", due, c.wait)
			}
		})
	}
}

// A command that may not call the address says so, and must not pause the credential: a server
// with other settings may call it.
func TestAnAddressThatIsNotPublicIsNotCalledAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	w := synced(t, options{rateLimit: 60})
	before := w.credential(shop, "upsell")
	w.exec(`update credentials set base_url = 'https://10.1.2.3/up' where service = 'upsell'`)
	w.wake("lifetime")
	r, err := w.syncer.Run(context.Background(), shop, pulls.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "failures", strings.Join(r.Failures, "; "), "upsell: upstream address 10.1.2.3 is not public: allow it with DASHBOARD_UPSTREAM_ALLOW=10.1.2.3")
	equal(t, "credential", w.credential(shop, "upsell"), before)
}

// Workers differ in which addresses they may call, and while the secret key changes, in which tokens
// they can open. One that can't use a credential leaves the job to the others, logs it once, and
// touches neither credential nor ledger.
func TestAWorkerLeavesWhatItCannotCallToOthers(t *testing.T) {
	t.Parallel()
	other, err := seal.NewSealer(strings.Repeat("another secret k", 2))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*pulls.Config)
		says   []string
	}{
		"address": {func(c *pulls.Config) { c.Allow = upstream.AllowList{} }, []string{"the upsell service of " + shop, "DASHBOARD_UPSTREAM_ALLOW=127.0.0.1"}},
		"key":     {func(c *pulls.Config) { c.Sealer = other }, []string{"open the upsell token of " + shop, "DASHBOARD_SECRET_KEY", "`dashboard store set " + shop + " --upsell-token`"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := synced(t, options{})
			w.wake("lifetime")
			from, credential, ledger := w.mark(), w.credential(shop, "upsell"), w.dump([]string{"ledger"})
			id := get[int64](w, `select id from credentials where service = 'upsell'`)
			var said bytes.Buffer
			config := w.syncer.Config
			config.Log = slog.New(slog.NewTextHandler(&said, nil))
			c.change(&config)
			for work, n := pulls.Jobs(pulls.New(config)), 0; n < 2; n++ {
				if put := (*river.JobSnoozeError)(nil); !errors.As(work(t.Context(), id), &put) {
					t.Error("the job is not put off for another worker")
				}
			}
			equal(t, "requests", w.mark()-from, 0)
			equal(t, "credential", w.credential(shop, "upsell"), credential)
			same(t, w.dump([]string{"ledger"}), ledger)
			log := said.String()
			if strings.Count(log, "\n") != 1 || !strings.Contains(log, "level=WARN") {
				t.Errorf("the log says %s", log)
			}
			for _, words := range c.says {
				if !strings.Contains(log, words) {
					t.Errorf("the log says %s, want %s in it", log, words)
				}
			}
			if err := pulls.Jobs(w.syncer)(t.Context(), id); err != nil {
				t.Error(err)
			}
			equal(t, "requests of a worker that may", w.mark()-from, 1)
		})
	}
}

func TestConnectRefusesWhatCantBeRightAndSavesNothing_N35(t *testing.T) {
	t.Parallel()
	w := synced(t, options{})
	ctx := context.Background()
	before := w.dump([]string{"credentials"}, "next_due_at")
	store := get[int64](w, `select id from stores`)
	var kumo, lumen sandbox.Store
	for _, s := range w.sandbox.Stores() {
		switch s.Slug {
		case "kumo":
			kumo = s
		case shop:
			lumen = s
		}
	}
	otherShop := func(err error) bool { _, is := errors.AsType[*pulls.OtherShop](err); return is }
	for name, c := range map[string]struct {
		service, url, token string
		wrong               func(error) bool
	}{
		"another shop's upsell token": {pulls.Upsell, w.http.URL + kumo.UpsellPath, kumo.UpsellToken, otherShop},
		"another shop's gift key":     {pulls.Gift, w.http.URL + kumo.GiftPath, kumo.GiftKey, otherShop},
		"nobody's token":              {pulls.Upsell, w.http.URL + lumen.UpsellPath, "up_nobody", func(err error) bool { return upstreamtest.KindOf(err) == upstream.Pause }},
		"no service there":            {pulls.Upsell, w.http.URL + "/nowhere", lumen.UpsellToken, func(err error) bool { return upstreamtest.KindOf(err) == upstream.Quarantine }},
		"not an address":              {pulls.Upsell, "lumen", lumen.UpsellToken, func(err error) bool { return err != nil }},
		"an unknown service":          {"weather", w.http.URL, "x", func(err error) bool { return err != nil }},
	} {
		if _, err := w.syncer.Connect(ctx, store, c.service, c.url, upstream.NewSecret(c.token)); !c.wrong(err) {
			t.Errorf("%s: %v", name, err)
		} else if strings.Contains(err.Error(), c.token) && len(c.token) > 3 {
			t.Errorf("%s: the error tells the token: %v", name, err)
		}
	}
	same(t, w.dump([]string{"credentials"}, "next_due_at"), before)

	found, err := w.syncer.Connect(ctx, store, pulls.Upsell, w.http.URL+lumen.UpsellPath, upstream.NewSecret(lumen.UpsellToken))
	if err != nil || found.Domain != "lumen-optik.example" || found.Offers == 0 {
		t.Errorf("its own token again: %+v, %v", found, err)
	}
	if _, err := w.syncer.Run(ctx, "nobody", pulls.RunOptions{}); !errors.Is(err, pulls.ErrUnknownStore) {
		t.Errorf("an unknown store: %v", err)
	}
}
