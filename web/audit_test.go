package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web/reports"
)

// audit lists what was recorded since the last call as "actor action store subject", oldest first,
// and then what was counted as "counted action person share".
func (w *world) audit() []string {
	w.t.Helper()
	records, err := w.access.Audit(w.t.Context(), access.AuditFilter{}, 1000)
	w.must(err)
	var out []string
	for _, r := range slices.Backward(records) {
		if r.ID > w.audited {
			out = append(out, strings.Join(strings.Fields(strings.Join([]string{string(r.Actor.Kind), r.Actor.Name, string(r.Action), r.Store, r.Subject}, " ")), " "))
		}
	}
	if len(records) > 0 {
		w.audited = records[0].ID
	}
	counts, err := w.access.AuditCounts(w.t.Context(), access.AuditFilter{}, 1000)
	w.must(err)
	for _, c := range counts {
		what := strings.TrimSpace("counted " + string(c.Action) + " " + c.Person + c.Share)
		times := c.Times
		c.Times = 0
		for range times - w.countedBefore[c] {
			out = append(out, what)
		}
		w.countedBefore[c] = times
	}
	return out
}

func (w *world) recorded(want ...string) {
	w.t.Helper()
	if got := w.audit(); !slices.Equal(got, want) {
		w.t.Errorf("recorded\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

func TestSigningInAndOutIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := w.link()
	w.audit()
	b := w.browser()
	b.post("/sign-in", url.Values{"token": {secret}})
	w.recorded("person ada@example.com sign-in.succeeded one-time link")
	w.browser().post("/sign-in", url.Values{"token": {secret}})
	w.recorded("counted sign-in.link-refused")
	b.post("/sign-out", url.Values{"csrf": {w.csrf()}})
	w.recorded("person ada@example.com session.ended")
}

func TestARecordNamesAddressAndRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	r := b.get("/stores/acme/history.csv")
	records, err := w.access.Audit(t.Context(), access.AuditFilter{}, 1)
	w.must(err)
	want := access.Actor{Kind: access.ActorPerson, ID: w.person.ID, Name: "ada@example.com", Address: "127.0.0.1", Request: r.header.Get("X-Request-Id")}
	if records[0].Actor != want {
		t.Errorf("%+v, want %+v", records[0].Actor, want)
	}
}

func TestFilesThatLeaveAreRecordedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	w.audit()
	r := b.get("/stores/acme/history.csv?window=yesterday")
	b.get("/stores/acme/gift/campaigns.xlsx")
	w.recorded("person ada@example.com export.downloaded acme acme-history.csv", "person ada@example.com export.downloaded acme acme-gift-campaigns.xlsx")
	b.do("HEAD", "/stores/acme/history.csv", nil, nil)
	b.do("GET", "/stores/acme/history.csv?window=yesterday", nil, http.Header{"If-None-Match": {r.header.Get("ETag")}})
	b.get("/stores/acme/history.csv?window=nonsense")
	b.get("/stores/birch/history.csv")
	w.recorded()
	for _, e := range reports.Exports {
		b.get("/stores/acme/" + strings.Replace(e.Path(), ":id", "acme-offer-1", 1) + ".csv")
	}
	if got := w.audit(); len(got) != len(reports.Exports) {
		t.Errorf("%d files gave %q", len(reports.Exports), got)
	}
}

// A file whose record can't be written does not leave.
func TestNoFileLeavesUnrecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	w.exec(`alter table audit add constraint closed check (action <> 'export.downloaded') not valid`)
	r := b.get("/stores/acme/history.csv")
	if r.status != http.StatusInternalServerError || strings.Contains(r.body, "total_upsold_value") || r.header.Get("Content-Disposition") != "" {
		t.Errorf("%d %v %.200s", r.status, r.header, r.body)
	}
}

func TestPausingAStoreIsRecordedWithIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	form := url.Values{"csrf": {w.csrf()}}
	w.audit()
	b.post("/stores/acme/sync/pause", form)
	b.post("/stores/acme/sync/resume", form)
	w.recorded("person ada@example.com store.paused acme", "person ada@example.com store.resumed acme")
	w.exec(`alter table audit add constraint closed check (action <> 'store.paused') not valid`)
	if r := b.post("/stores/acme/sync/pause", form); r.status != http.StatusInternalServerError {
		t.Errorf("unrecorded: %d", r.status)
	}
	var paused bool
	w.must(w.db.Pool.QueryRow(t.Context(), `select paused_at is not null from stores where slug = 'acme'`).Scan(&paused))
	if paused {
		t.Error("the store was paused, and nothing tells who did it")
	}
}

func TestOpeningAStoredReplyIsRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	b := w.signedIn()
	w.audit()
	b.get("/stores/acme/replies?pull=lifetime")
	b.get("/stores/acme/replies?pull=nothing")
	b.do("HEAD", "/stores/acme/replies?pull=lifetime", nil, nil)
	w.recorded("person ada@example.com reply.opened acme lifetime")
}
