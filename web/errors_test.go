package web_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestErrorsBecomeAHandfulOfProblems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want int
	}{
		"not in the scope":   {fmt.Errorf("find: %w", db.ErrNotFound), 404},
		"no route":           {echo.ErrNotFound, 404},
		"wrong method":       {echo.ErrMethodNotAllowed, 405},
		"wrong window":       {fmt.Errorf("x: %w", &report.ChoiceError{Field: "end", Reason: locale.Text("r")}), 400},
		"large body":         {fmt.Errorf("x: %w", &http.MaxBytesError{Limit: 1}), 413},
		"database away":      {fmt.Errorf("x: %w", &pgconn.ConnectError{}), 503},
		"database stops":     {fmt.Errorf("x: %w", &pgconn.PgError{Code: "57P01"}), 503},
		"database crashes":   {fmt.Errorf("x: %w", io.ErrUnexpectedEOF), 503},
		"database too slow":  {fmt.Errorf("x: %w", context.DeadlineExceeded), 503},
		"another's problem":  {echo.NewHTTPError(418), 500},
		"anything else":      {errors.New("x"), 500},
		"panic":              {&web.Panicked{}, 500},
		"one of ours":        {fmt.Errorf("x: %w", site.ErrNoRight), 403},
		"a join with a link": {errors.Join(errors.New("x"), site.ErrNoBearer), 401},
	} {
		if got := site.Explain(c.err); got.Status != c.want || got.Title.In(locale.English) == "" || got.Detail.In(locale.English) == "" || got.Kind == "" {
			t.Errorf("%s: %+v, want %d", name, got, c.want)
		}
	}
}

// A form isn't sent again: the browser would open its address without what was typed.
func TestAFailedPageOffersToTryAgain(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.SignedIn()
	w.Exec(`alter table offers rename column ab_test to gone`)
	w.Exec(`alter table audit add constraint closed check (action <> 'store.paused') not valid`)
	const again = `href="?status=active">Try again</a>`
	if r := b.Get("/stores/acme/offers?status=active"); r.Status != 500 || !strings.Contains(r.Body, again) {
		t.Errorf("%d %s", r.Status, webtest.Words(r))
	}
	if r := b.Post("/stores/acme/sync/pause", url.Values{"csrf": {w.CSRF()}}); r.Status != 500 || strings.Contains(r.Body, "Try again") {
		t.Errorf("a form: %d %s", r.Status, webtest.Words(r))
	}
}

func TestAnErrorIsNeverCachedAndHasNoHeaderOfTheAnswerItReplaces(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Must(w.Server.Mount([]site.Route{site.Get("/broken", site.AdmitAll, access.See, func(c *site.Call) error {
		for name, value := range map[string]string{
			"Cache-Control": "private, no-cache", "Content-Encoding": "gzip", "ETag": `"x"`, "Content-Disposition": "attachment", "Vary": "Cookie",
		} {
			c.Response().Header().Set(name, value)
		}
		return errors.New("x")
	})}))
	r := w.Browser().Get("/broken")
	if r.Status != http.StatusInternalServerError || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d, Cache-Control %q", r.Status, r.Header.Get("Cache-Control"))
	}
	for _, name := range []string{"Content-Encoding", "ETag", "Content-Disposition", "Vary"} {
		if got := r.Header.Get(name); got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
