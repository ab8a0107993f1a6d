package main

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
)

// A store is connected, pulled and read back with the program alone, from a server at any
// port and below any path: no demo, no shortcut.
func TestAStoreOfAnyServerIsPulledAndReadBackThroughTheAPI(t *testing.T) {
	t.Parallel()
	dir, env := t.TempDir(), emptyDatabase(t)
	arrivals := dir + "/arrivals.jsonl"
	sandbox := start(t, dir, nil, "sandbox", "--listen", "127.0.0.1:0", "--prefix", "/deep/below", "--seed", "99", "--limit", "0", "--log", arrivals)
	upsell := strings.Fields(sandbox.after("--upsell-url"))
	gift := strings.Fields(sandbox.after("--gift-url"))
	if !strings.Contains(upsell[0], "/deep/below/upsell/v1") {
		t.Fatalf("the sandbox is not below its prefix: %s", upsell[0])
	}

	good(t, append(env, upsell[1], gift[1]), "store", "add", "--slug", "anywhere", "--name", "Any Where", "--timezone", "America/New_York",
		"--upsell-url", upsell[0], "--gift-url", gift[0], "--history-days", "3")
	good(t, env, "sync", "--store", "anywhere")
	token := strings.TrimSpace(good(t, env, "token", "create", "--name", "reader", "--store", "anywhere"))

	server := start(t, dir, append(env, anyPort...), "serve", "--role", "web")
	pages := server.after("Storeglass is at ")
	var ours struct {
		Value      decimal.Decimal `json:"total_upsold_value"`
		Orders     int64           `json:"total_upsold_orders"`
		Provenance struct {
			Basis  string
			Window struct{ Start, End string }
		}
	}
	ask(t, pages+"/api/v1/stores/anywhere/summary?window=last_30_days", token, &ours)
	var theirs struct {
		Data struct {
			TotalUpsoldValue  decimal.Decimal
			TotalUpsoldOrders int64
		}
	}
	_, secret, _ := strings.Cut(upsell[1], "=")
	ask(t, upsell[0]+"/data/analytics/summary?start="+ours.Provenance.Window.Start+"&end="+ours.Provenance.Window.End, secret, &theirs)
	if !ours.Value.Equal(theirs.Data.TotalUpsoldValue) || ours.Orders != theirs.Data.TotalUpsoldOrders || ours.Value.IsZero() || ours.Provenance.Basis != "reported" {
		t.Errorf("we say %+v, the service says %+v", ours, theirs)
	}
	var health json.RawMessage
	ask(t, pages+"/api/v1/stores/anywhere/gift/setup-health", token, &health)
}

// ask gets a JSON answer.
func ask(t *testing.T, address, token string, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("GET %s: %s, %v\n%s", address, resp.Status, err, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("GET %s: %v\n%s", address, err, body)
	}
}
