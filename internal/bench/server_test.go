//go:build bench

package bench

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web"
)

// databaseVariable tells a role where the database is.
const databaseVariable = "STOREGLASS_BENCH_DATABASE"

// serving is where the two servers of the role listen, as host:port.
type serving struct{ Pages, Plain string }

// playServer serves the pages as production does, and beside them, from the same
// process and the same pool, an Echo handler that makes one round trip to the
// database and nothing else.
func playServer() error {
	pool, err := db.Open(context.Background(), os.Getenv(databaseVariable))
	if err != nil {
		return err
	}
	d := db.From(pool, 60)
	pages, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server, err := web.New(web.Config{
		DB: d, Access: access.New(d, nil), Version: "bench",
		BaseURL: &url.URL{Scheme: "http", Host: pages.Addr().String()},
		Log:     slog.New(slog.NewTextHandler(os.Stderr, nil)), // written like in production, to nowhere
	})
	if err != nil {
		return err
	}
	e := echo.New()
	e.GET("/", func(c echo.Context) error {
		var one int
		if err := pool.QueryRow(c.Request().Context(), "select 1").Scan(&one); err != nil {
			return err
		}
		return c.String(http.StatusOK, "ok")
	})
	go func() { _ = server.HTTPServer(pages.Addr().String()).Serve(pages) }()
	go func() { _ = http.Serve(plain, e) }()
	return greet(serving{Pages: pages.Addr().String(), Plain: plain.Addr().String()})
}
