package pulls_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/jobs/jobstest"
)

// A person who adds a store is looking at its first page. Whatever else is under way, both
// services are asked for that page first, and it doesn't wait behind pulls that the schedule
// started for other stores.
func TestWhoAddsAStoreWhileAnotherFillsInSeesItsFirstPageFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, options{rateLimit: 60})
	ctx := context.Background()
	other := w.sandbox.Stores()[1]
	if other.Slug == shop {
		other = w.sandbox.Stores()[0]
	}
	w.add(other.Slug, 400)
	jobstest.DeleteAll(t, w.syncer.DB.Pool) // as if a worker had died: the tick finds what is due
	under := w.listen(`create function past() returns trigger language plpgsql as 'begin notify past; return null; end';
		create trigger past after insert on summaries for each row execute function past(); listen past`)
	w.work("@every 1h")
	under() // the other store has numbers already, and its worker continues

	upsell := w.listen(`create function behind() returns trigger language plpgsql as 'begin perform pg_notify(new.service, null); return null; end';
		create trigger behind after insert or update on ledger for each row
			when (new.pull in ('summary.day', 'gift.today') and new.last_good_at is not null and new.store_id > 1) execute function behind(); listen upsell`)
	gift := w.listen(`listen gift`)
	ada := w.person("ada")
	id, err := w.syncer.KeepPending(ctx, ada, w.look(shop))
	if err != nil {
		t.Fatal(err)
	}
	from := w.mark()
	store, err := w.syncer.SavePending(ctx, ada, id, newStore("acme"))
	if err != nil {
		t.Fatal(err)
	}
	upsell()
	gift()
	asked := map[sandbox.Service][]string{}
	for _, a := range w.sandbox.Arrivals()[from:] {
		if a.Token == w.shopOf(shop).UpsellToken || a.Token == w.shopOf(shop).GiftKey {
			path, _, _ := strings.Cut(a.Path[strings.Index(a.Path, "/v1")+3:], "?")
			asked[a.Service] = append(asked[a.Service], path)
		}
	}
	for service, want := range map[sandbox.Service][]string{
		sandbox.Upsell: {"/data/offers/count", "/data/analytics/summary", "/data/analytics/stats", "/data/analytics/top", "/data/analytics/coverage", "/data/analytics/lifetime", "/data/analytics/summary"},
		sandbox.Gift:   {"/setup-health", "/plan", "/analytics", "/analytics"},
	} {
		got := asked[service]
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Errorf("%s was asked\n %q\nbut the first page is made of\n %q", service, got, want)
		}
	}
	var added, others []int
	for _, job := range jobstest.Of(t, w.syncer.DB.Pool, "drain") {
		var args struct {
			CredentialID int64 `json:"credential_id"`
		}
		if err := json.Unmarshal(job.EncodedArgs, &args); err != nil {
			t.Fatal(err)
		}
		if get[int64](w, `select store_id from credentials where id = $1`, args.CredentialID) == store.ID {
			added = append(added, job.Priority)
		} else {
			others = append(others, job.Priority)
		}
	}
	if len(added) == 0 || len(others) == 0 || slices.Max(added) >= slices.Min(others) {
		t.Errorf("the added store's jobs have priorities %v, the other's %v", added, others)
	}
}
