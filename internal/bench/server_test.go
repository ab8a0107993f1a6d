//go:build bench

package bench

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web"
)

// databaseVariable tells a role where the database is.
const databaseVariable = "STOREGLASS_BENCH_DATABASE"

// serving is where the servers of the role listen, as host:port.
type serving struct{ Pages, Anew, Plain string }

// playServer serves the pages as production does. From the same process and pool it also serves
// uncached pages, and an Echo handler that only makes one round trip to the database.
func playServer() error {
	app.CollectSeldom()
	pool, err := db.Open(context.Background(), os.Getenv(databaseVariable), db.As(db.Pages))
	if err != nil {
		return err
	}
	var addrs [3]string
	for i, handler := range []func(addr string) (http.Handler, error){
		pages(pool, 0),
		pages(pool, -1),
		func(string) (http.Handler, error) { return plain(pool), nil },
	} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		addrs[i] = l.Addr().String()
		h, err := handler(addrs[i])
		if err != nil {
			return err
		}
		go func() { _ = http.Serve(l, h) }()
	}
	return greet(serving{Pages: addrs[0], Anew: addrs[1], Plain: addrs[2]})
}

func pages(pool *pgxpool.Pool, pageBytes int) func(addr string) (http.Handler, error) {
	d := db.From(pool, 60)
	return func(addr string) (http.Handler, error) {
		s, err := web.New(web.Config{
			DB: d, Version: "bench", PageBytes: pageBytes,
			BaseURL: &url.URL{Scheme: "http", Host: addr},
			Log:     slog.New(slog.NewTextHandler(os.Stderr, nil)), // written as in production, but discarded
		})
		if err != nil {
			return nil, err
		}
		return s.Handler(), nil
	}
}

func plain(pool *pgxpool.Pool) http.Handler {
	e := echo.New()
	e.GET("/", func(c echo.Context) error {
		var one int
		if err := pool.QueryRow(c.Request().Context(), "select 1").Scan(&one); err != nil {
			return err
		}
		return c.String(http.StatusOK, "ok")
	})
	return e
}
