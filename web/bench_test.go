package web_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/storeglass/storeglass/web/webtest"
)

// BenchmarkPages compares the signed-in overview with an Echo handler that makes one round trip
// to the database, over eight connections.
func BenchmarkPages(b *testing.B) {
	w := webtest.NewWorld(b)
	e := echo.New()
	e.GET("/", func(c echo.Context) error {
		var one int
		if err := w.DB.Pool.QueryRow(c.Request().Context(), "select 1").Scan(&one); err != nil {
			return err
		}
		return c.String(http.StatusOK, "ok")
	})
	plain := httptest.NewServer(e)
	b.Cleanup(plain.Close)
	reader := w.SignedIn()
	cookie := reader.W.Server.CookieName() + "=" + reader.Session()
	for name, ask := range map[string]func(i int) (address, cookie string){
		"echo one round trip": func(int) (string, string) { return plain.URL + "/", "" },
		"overview":            func(int) (string, string) { return w.HTTP.URL + "/stores/acme", cookie },
		"overview not kept": func(int) (string, string) {
			w.Clock.Add(time.Minute) // each asking is the first of its minute
			return w.HTTP.URL + "/stores/acme", cookie
		},
	} {
		b.Run(name, func(b *testing.B) { hammer(b, ask) })
	}
}

func hammer(b *testing.B, ask func(int) (string, string)) {
	client := &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 8, MaxConnsPerHost: 8, DialContext: (&net.Dialer{}).DialContext,
	}}
	work := make(chan int)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range work {
				address, cookie := ask(i)
				r, err := http.NewRequest("GET", address, nil)
				if err != nil {
					b.Error(err)
					return
				}
				r.Header.Set("Accept-Encoding", "gzip")
				if cookie != "" {
					r.Header.Set("Cookie", cookie)
				}
				resp, err := client.Do(r)
				if err != nil {
					b.Error(err)
					return
				}
				n, err := io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
				if err != nil || resp.StatusCode != 200 || n == 0 {
					b.Errorf("%s: %d, %d bytes, %v", address, resp.StatusCode, n, err)
				}
			}
		})
	}
	b.ResetTimer()
	for i := range b.N {
		work <- i
	}
	close(work)
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}
