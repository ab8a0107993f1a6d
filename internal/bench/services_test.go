//go:build bench

package bench

import (
	"encoding/json"
	"net"
	"net/http"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// serviced is the greeting of the services' process: where to ask for what has arrived, and
// what a client of each store needs.
type serviced struct {
	Arrivals string
	Accounts []account
}

type account struct {
	Slug, Name, Timezone   string
	UpsellURL, GiftURL     string
	UpsellToken, GiftToken string
}

// playServices serves both services of every demo store without a limit.
func playServices() error {
	world := sandbox.New(sandbox.Config{Seed: 1})
	mux := http.NewServeMux()
	mux.Handle("/", world)
	mux.HandleFunc("GET /arrivals", func(w http.ResponseWriter, _ *http.Request) {
		var paths []string
		for _, a := range world.Arrivals() {
			paths = append(paths, a.Path)
		}
		_ = json.NewEncoder(w).Encode(paths)
	})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(l, mux) }()
	base := "http://" + l.Addr().String()
	s := serviced{Arrivals: base + "/arrivals"}
	for _, a := range world.Stores() {
		s.Accounts = append(s.Accounts, account{
			Slug: a.Slug, Name: a.Name, Timezone: a.Timezone, UpsellToken: a.UpsellToken, GiftToken: a.GiftKey,
			UpsellURL: base + a.UpsellPath, GiftURL: base + a.GiftPath,
		})
	}
	return greet(s)
}

func services(t testing.TB) serviced {
	t.Helper()
	var s serviced
	role(t, "services", &s)
	return s
}

// arrived is what the services were asked so far: paths with their queries.
func (s serviced) arrived(t testing.TB) []string {
	t.Helper()
	answer, err := http.Get(s.Arrivals)
	must(t, err)
	defer func() { _ = answer.Body.Close() }()
	var paths []string
	must(t, json.NewDecoder(answer.Body).Decode(&paths))
	return paths
}
