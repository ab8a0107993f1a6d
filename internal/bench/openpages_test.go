//go:build bench

package bench

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
)

const (
	// openPages is how many pages stay open, each reloading at its own time every five minutes,
	// as in browsers.
	openPages = 200
	openFor   = time.Minute
	openAgain = 5 * time.Minute
	// perReader is how many pages a reader may have open at once.
	perReader = 20
	// openCPU is the goal: the share of a core that the server uses for all of them.
	openCPU = 0.02
)

// Open pages while nothing happens: each stream sends a beat, checks that its reader may
// still see the store, and reconnects after five minutes. All streams of a process share
// one database connection to hear of changes.
func TestOpenPagesCostNearlyNothing(t *testing.T) {
	w := newWorld(t)
	shop := services(t).Accounts[0]
	w.add(t, shop.Slug, shop, 30)
	w.sync(t, shop.Slug)
	var s serving
	pid := role(t, "server", &s, databaseVariable+"="+w.server.URL())
	var cookies []string
	for i := range openPages / perReader {
		person, err := w.access.CreatePerson(context.Background(), fmt.Sprintf("reader%d@example.com", i), "Ina Berg", access.Viewer)
		must(t, err)
		must(t, w.access.GrantPerson(context.Background(), person.ID, access.AllStores))
		cookies = append(cookies, w.signInAs(t, s.Pages, person, 1)...)
	}
	stream := make([]net.Conn, openPages)
	open := func(i int) {
		if stream[i] != nil {
			must(t, stream[i].Close())
			newTarget(s.Pages, "/stores/"+shop.Slug, http.StatusOK, "Cookie: "+cookies[i/perReader]).each(t, 1)
		}
		conn, err := net.Dial("tcp", s.Pages)
		must(t, err)
		_, err = conn.Write(request(s.Pages, "/stores/"+shop.Slug+"/live", "Accept: text/event-stream", "Cookie: "+cookies[i/perReader]))
		must(t, err)
		status, err := bufio.NewReader(conn).ReadString('\n')
		must(t, err)
		if status != "HTTP/1.1 200 OK\r\n" {
			t.Fatalf("stream %d is answered %q", i, status)
		}
		stream[i] = conn
	}
	for i := range stream {
		open(i)
	}
	t.Cleanup(func() {
		for _, conn := range stream {
			_ = conn.Close()
		}
	})
	newTarget(s.Pages, "/stores/"+shop.Slug, http.StatusOK, "Cookie: "+cookies[0]).each(t, 6) // statements are planned
	server, data, began := cpuOf(pid), cpuOf(w.server.PID()), time.Now()
	turns := time.NewTicker(openAgain / openPages)
	defer turns.Stop()
	for i := 0; time.Since(began) < openFor; i++ {
		<-turns.C
		open(i % openPages)
	}
	took := time.Since(began)
	share, database := float64(cpuOf(pid)-server)/float64(took), float64(cpuOf(w.server.PID())-data)/float64(took)
	owner, err := pgx.Connect(context.Background(), w.server.URL()) // others don't see what is asked
	must(t, err)
	defer func() { _ = owner.Close(context.Background()) }()
	var listening int
	must(t, owner.QueryRow(context.Background(), `select count(*) from pg_stat_activity where datname = current_database() and query = 'listen store_changed'`).Scan(&listening))
	report("open pages, nothing happens\tof a core: server\tdatabase\tconnections that listen\tgoals",
		fmt.Sprintf("%d\t%.2f %%\t%.2f %%\t%d\t≤ %.0f %% %s, 1 %s", openPages, 100*share, 100*database, listening, 100*openCPU, verdict(share <= openCPU), verdict(listening == 1)))
	if share > openCPU || listening != 1 {
		t.Errorf("%d open pages cost the server %.2f %% of a core and %d connections", openPages, 100*share, listening)
	}
}
