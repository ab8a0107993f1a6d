package sandbox

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// keyed calls fernhollow's gift service with a key.
func (w *served) keyed(key, method, path string) answer {
	w.t.Helper()
	return w.sendBody(method, w.store("fernhollow").GiftPath+path, "Bearer "+key, "{}")
}

func TestTheEndpointListAndTheToolsAreWhatIsServed(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	list := data[struct {
		Total     int
		Endpoints []struct{ Method, Path, Access string }
	}](t, w.gift("fernhollow", ""))
	tools := data[struct {
		Total int
		Tools []struct {
			Name, Endpoint string
			InputSchema    struct {
				Properties map[string]any
				Required   []string
			}
		}
	}](t, w.gift("fernhollow", "/mcp/tools"))
	same(t, []int{26, 26, 26, 26}, []int{list.Total, len(list.Endpoints), tools.Total, len(tools.Tools)})
	id := data[gotCampaigns](t, w.gift("fernhollow", "/campaigns")).Campaigns[0].ID
	access, names := map[string]int{}, map[string]bool{}
	for i, e := range list.Endpoints {
		access[e.Method[:1]+e.Access]++
		same(t, e.Method+" "+e.Path, tools.Tools[i].Endpoint)
		names[tools.Tools[i].Name] = true
		path := strings.NewReplacer("{id}", id, "{type}", "gift_popup").Replace(e.Path)
		if e.Path == "/products" {
			path += "?handles=x"
		}
		a := w.write("fernhollow", e.Method, path, "{}")
		hold(t, a.status == http.StatusOK || a.status == http.StatusBadRequest && e.Method != http.MethodGet, e.Path, a.status, a.body)
	}
	same(t, map[string]int{"Gread": 18, "Pwrite": 6, "Pdelete": 2}, access)
	same(t, 26, len(names))
	byName := func(name string) (properties map[string]any, required []string) {
		for _, tool := range tools.Tools {
			if tool.Name == name {
				return tool.InputSchema.Properties, tool.InputSchema.Required
			}
		}
		return nil, nil
	}
	properties, required := byName("create_campaign")
	same(t, 9, len(properties))
	hold(t, properties["triggerConditions"] != nil && strings.Contains(strings.Join(required, " "), "confirmationToken"), required)
	_, required = byName("edit_campaign")
	same(t, []string{"confirmationToken"}, required, "an edit names what it changes")
}

// Every endpoint with every kind of key: too little access is 403 before the path is looked up, never
// 404.
func TestEveryEndpointWithEveryKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	st := w.store("fernhollow")
	keys := []struct {
		key string
		may Access
	}{{st.GiftKey, Read}, {st.GiftWriteKey, Write}, {st.GiftDeleteKey, Delete}}
	asked := append([]giftEndpoint{
		{Method: "GET", Path: "", Access: Read}, {Method: "GET", Path: "/mcp/tools", Access: Read}, {Method: "GET", Path: "/nowhere", Access: Read},
		{Method: "POST", Path: "/nowhere", Access: Write}, {Method: "PATCH", Path: "/campaigns", Access: Write}, {Method: "PUT", Path: "/plan", Access: Write},
		{Method: "POST", Path: "/nowhere/delete", Access: Delete}, {Method: "DELETE", Path: "/campaigns/1", Access: Delete},
	}, giftEndpoints...)
	for _, e := range asked {
		for _, k := range keys {
			a := w.keyed(k.key, e.Method, e.Path)
			if !k.may.covers(e.Access) {
				requireGiftError(t, a, http.StatusForbidden, codeInsufficientScope)
				continue
			}
			hold(t, a.status != http.StatusForbidden, e.Method, e.Path, k.may)
			same(t, e.handler == nil && e.Path != "" && e.Path != "/mcp/tools", a.status == http.StatusNotFound, e.Method, e.Path, a.body)
		}
		requireGiftError(t, w.keyed(st.MCPKey, e.Method, e.Path), http.StatusUnauthorized, codeWrongSurface)
		requireGiftError(t, w.keyed(storeKeyPrefix+"nobody", e.Method, e.Path), http.StatusUnauthorized, codeInvalidKey)
	}
}

func TestAnotherLevelDoesNotChangeTheKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	key := w.store("fernhollow").GiftKey
	path := "/campaigns/x/deletion-preview"
	for may, status := range map[Access]int{Read: 403, Write: 403, Delete: 200} {
		w.Allow("fernhollow", may)
		same(t, status, w.keyed(key, "POST", path).status, may)
		same(t, key, w.store("fernhollow").GiftKey)
	}
	w.Revoke(Gift, "fernhollow")
	w.Allow("fernhollow", Delete)
	requireGiftError(t, w.keyed(key, "POST", path), http.StatusUnauthorized, codeInvalidKey)
}

func TestALapsedPlanRevokesEveryKeyForGoodAtTheFirstRequest_N40(t *testing.T) {
	t.Parallel()
	for _, first := range []func(Store) string{
		func(s Store) string { return s.GiftKey }, func(s Store) string { return s.GiftWriteKey }, func(s Store) string { return s.GiftDeleteKey },
	} {
		w := newWorld(t, Config{})
		st := w.store("fernhollow")
		w.LapsePlan("fernhollow")
		requireGiftError(t, w.keyed(st.MCPKey, "GET", "/plan"), http.StatusUnauthorized, codeWrongSurface) // revokes nothing
		requireGiftError(t, w.keyed(first(st), "GET", "/nowhere"), http.StatusForbidden, codeNoPlan)
		everyKeyIsUnknown := func() {
			t.Helper()
			for _, key := range []string{st.GiftKey, st.GiftWriteKey, st.GiftDeleteKey} {
				requireGiftError(t, w.keyed(key, "GET", "/plan"), http.StatusUnauthorized, codeInvalidKey)
			}
		}
		everyKeyIsUnknown()
		w.RestorePlan("fernhollow")
		everyKeyIsUnknown()
		same(t, http.StatusOK, w.upsell("fernhollow", "/data/offers/count").status, "the other service is another matter")
		same(t, http.StatusOK, w.gift("lumen", "/plan").status)
		st = w.Renew(Gift, "fernhollow")
		same(t, http.StatusOK, w.keyed(st.GiftDeleteKey, "GET", "/plan").status)

		w.LapsePlan("fernhollow")
		w.Renew(Gift, "fernhollow")
		requireGiftError(t, w.gift("fernhollow", "/plan"), http.StatusForbidden, codeNoPlan) // a new key doesn't pay for a plan
		requireGiftError(t, w.gift("fernhollow", "/plan"), http.StatusUnauthorized, codeInvalidKey)
	}
}

func TestOfManyRequestsWithoutAPlanOneIsToldWhy_N40(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	w.LapsePlan("lumen")
	answers := make(chan int)
	for range 12 {
		go func() { answers <- w.gift("lumen", "/plan").status }()
	}
	statuses := map[int]int{}
	for range 12 {
		statuses[<-answers]++
	}
	same(t, map[int]int{http.StatusForbidden: 1, http.StatusUnauthorized: 11}, statuses)
}

func TestARefusedRequestRevokesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Limit: 60})
	for range 60 {
		w.gift("kumo", "/plan")
	}
	w.LapsePlan("kumo")
	requireGiftError(t, w.gift("kumo", "/plan"), http.StatusTooManyRequests, codeRateLimit)
	w.RestorePlan("kumo")
	w.clock.forward(2 * time.Minute)
	same(t, http.StatusOK, w.gift("kumo", "/plan").status)
}

func TestATrialRunsOutByTheClock_N40(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	type got struct {
		Plan struct {
			IsPaid      bool
			TrialEndsAt *string
		}
	}
	plan := func() got { return data[got](t, w.gift("wattle", "/plan")) }
	hold(t, !plan().Plan.IsPaid && *plan().Plan.TrialEndsAt > "2026-11-30", "a trial is running")
	w.EndTrial("wattle", w.clock.now().Add(48*time.Hour))
	same(t, "2026-11-22T20:00:00.000Z", *plan().Plan.TrialEndsAt)
	w.clock.forward(48*time.Hour - time.Second)
	hold(t, !plan().Plan.IsPaid)
	w.clock.forward(time.Second)
	requireGiftError(t, w.gift("wattle", "/plan"), http.StatusForbidden, codeNoPlan)
	requireGiftError(t, w.gift("wattle", "/plan"), http.StatusUnauthorized, codeInvalidKey)
	w.RestorePlan("wattle")
	w.Renew(Gift, "wattle")
	hold(t, plan().Plan.IsPaid && plan().Plan.TrialEndsAt == nil)
}
