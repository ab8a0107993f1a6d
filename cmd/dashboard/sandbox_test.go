package main

import (
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestTheSandboxIsBrokenByFlagsAndAtItsControlAddress(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), nil, "sandbox", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0", "--late-orders", "--moving-rows", "--clamp-windows", "--refuse-many-handles",
		"--do", "fernhollow:gift:internal:/plan", "--do", "fernhollow:upsell:clamped-windows")
	line := p.after("--gift-url   ")
	base, key, _ := strings.Cut(strings.Fields(line)[0]+" "+line[strings.Index(line, "=")+1:], " ")
	key = strings.Fields(key)[0]
	control := strings.TrimSuffix(strings.Fields(p.after("Control at "))[0], ":")
	ask := func(path string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+key)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	order := func(body string) int {
		resp, err := http.Post(control, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	if got := ask("/plan"); got != http.StatusInternalServerError {
		t.Errorf("broken by a flag it answers %d", got)
	}
	if got := ask("/settings"); got != http.StatusOK {
		t.Errorf("another path answers %d", got)
	}
	if got := order(`{"store":"fernhollow","service":"gift","do":"clear"}`); got != http.StatusOK || ask("/plan") != http.StatusOK {
		t.Errorf("cleared: %d, then %d", got, ask("/plan"))
	}
	if got := order(`{"store":"fernhollow","service":"gift","do":"uninstall"}`); got != http.StatusOK || ask("/plan") != http.StatusForbidden {
		t.Errorf("uninstalled: %d, then %d", got, ask("/plan"))
	}
}

func TestADeedThatTheSandboxDoesNotKnowIsRefused(t *testing.T) {
	t.Parallel()
	for order, says := range map[string]string{
		"fernhollow":                "there is no service \"\": it is upsell or gift",
		"nobody:gift:clear":         "there is no store \"nobody\"",
		"fernhollow:gift:revoke:/x": "revoke takes neither a path nor a number of times",
	} {
		refused(t, exitUsage, nil, "dashboard: --do \""+order+"\": "+says+"\n", "sandbox", "--listen", "127.0.0.1:0", "--do", order)
	}
}

func TestATakenPortMovesTheDemoOnlyWhereNobodyAskedForIt(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	at := taken.Addr().String()
	if _, err := listenNear("pages", "--listen", at, false); err == nil || !strings.HasSuffix(err.Error(), " is in use by another program: stop it, or choose another address with --listen") {
		t.Errorf("%v", err)
	}
	moved, err := listenNear("pages", "--listen", at, true)
	if err != nil {
		t.Fatal(err)
	}
	defer moved.Close()
	if moved.Addr().String() == at {
		t.Error("two listeners on one port")
	}
}
