package admin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestSigningInAndOutIsRecorded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	secret := w.Link()
	w.Audit()
	b := w.Browser()
	b.Post("/sign-in", url.Values{"token": {secret}})
	w.Recorded("person ada@example.com sign-in.succeeded one-time link")
	w.Browser().Post("/sign-in", url.Values{"token": {secret}})
	w.Recorded("counted sign-in.link-refused")
	b.Post("/sign-out", url.Values{"csrf": {w.CSRF()}})
	w.Recorded("person ada@example.com session.ended")
}

func TestARecordNamesAddressAndRequest(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	r := b.Get("/stores/acme/history.csv")
	records, err := w.AuditLog.Records(t.Context(), audit.Filter{}, 1)
	w.Must(err)
	want := audit.Actor{Kind: audit.ActorPerson, ID: w.Person.ID, Name: "ada@example.com", Address: "127.0.0.1", Request: r.Header.Get("X-Request-Id")}
	if records[0].Actor != want {
		t.Errorf("%+v, want %+v", records[0].Actor, want)
	}
}

func TestFilesThatLeaveAreRecordedOnce(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Audit()
	r := b.Get("/stores/acme/history.csv?window=yesterday")
	b.Get("/stores/acme/gift/campaigns.xlsx")
	w.Recorded("person ada@example.com export.downloaded acme acme-history.csv", "person ada@example.com export.downloaded acme acme-gift-campaigns.xlsx")
	b.Do("HEAD", "/stores/acme/history.csv", nil, nil)
	b.Do("GET", "/stores/acme/history.csv?window=yesterday", nil, http.Header{"If-None-Match": {r.Header.Get("ETag")}})
	b.Get("/stores/acme/history.csv?window=nonsense")
	b.Get("/stores/birch/history.csv")
	w.Recorded()
	for _, e := range reports.Exports {
		b.Get("/stores/acme/" + strings.Replace(e.Path(), ":id", "acme-offer-1", 1) + ".csv")
	}
	if got := w.Audit(); len(got) != len(reports.Exports) {
		t.Errorf("%d files gave %q", len(reports.Exports), got)
	}
}

// A file whose record can't be written isn't sent.
func TestNoFileLeavesUnrecorded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Exec(`alter table audit add constraint closed check (action <> 'export.downloaded') not valid`)
	r := b.Get("/stores/acme/history.csv")
	if r.Status != http.StatusInternalServerError || strings.Contains(r.Body, "total_upsold_value") || r.Header.Get("Content-Disposition") != "" {
		t.Errorf("%d %v %.200s", r.Status, r.Header, r.Body)
	}
}

func TestPausingAStoreIsRecordedWithIt(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	form := url.Values{"csrf": {w.CSRF()}}
	w.Audit()
	b.Post("/stores/acme/sync/pause", form)
	b.Post("/stores/acme/sync/resume", form)
	w.Recorded("person ada@example.com store.paused acme", "person ada@example.com store.resumed acme")
	w.Exec(`alter table audit add constraint closed check (action <> 'store.paused') not valid`)
	if r := b.Post("/stores/acme/sync/pause", form); r.Status != http.StatusInternalServerError {
		t.Errorf("unrecorded: %d", r.Status)
	}
	var paused bool
	w.Must(w.DB.Pool.QueryRow(t.Context(), `select paused_at is not null from stores where slug = 'acme'`).Scan(&paused))
	if paused {
		t.Error("the store was paused, and nothing tells who did it")
	}
}

func TestOpeningAStoredReplyIsRecorded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Audit()
	b.Get("/stores/acme/replies?pull=lifetime")
	b.Get("/stores/acme/replies?pull=nothing")
	b.Do("HEAD", "/stores/acme/replies?pull=lifetime", nil, nil)
	w.Recorded("person ada@example.com reply.opened acme lifetime")
}
