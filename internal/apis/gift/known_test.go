package gift_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestTheServicesListIsReadInAnyArrangement(t *testing.T) {
	t.Parallel()
	objects, texts, byMethod, byPath := []any{}, []string{}, map[string][]string{}, map[string]map[string]any{}
	for _, k := range gift.Known() {
		odd := strings.NewReplacer("{id}", ":campaignId", "{type}", "<kind>").Replace(k.Path)
		objects = append(objects, map[string]any{"method": k.Method, "path": k.Path, "access": k.Access})
		texts = append(texts, k.Method+" https://gift.example/shop/a/v1"+odd)
		byMethod[k.Method] = append(byMethod[k.Method], odd)
		if byPath[k.Path] == nil {
			byPath[k.Path] = map[string]any{}
		}
		byPath[k.Path][strings.ToLower(k.Method)] = "what it does"
	}
	for name, value := range map[string]any{"objects": map[string]any{"endpoints": objects}, "texts": texts, "by method": byMethod, "by path": byPath} {
		raw, err := json.Marshal(value)
		must.NoError(t, err)
		list := gift.Listing{Raw: raw}.List()
		must.Equal(t, 26, len(list), name)
		must.True(t, gift.Compare(list, nil).None(), name+fmt.Sprint(gift.Compare(list, nil)))
	}
	for _, odd := range []string{`{}`, `[]`, `{"total":3}`, `["a","b"]`} {
		must.Equal(t, 0, len(gift.Listing{Raw: upstream.Raw(odd)}.List()), odd)
	}
}

func TestWhatIsNewGoneOrChangedAtTheServiceIsNamed(t *testing.T) {
	t.Parallel()
	list := []gift.Endpoint{{Method: "GET", Path: "/coupons"}, {Method: "GET", Path: "/"}, {Method: "GET", Path: "/mcp/tools"}}
	for _, k := range gift.Known() {
		switch k.Path {
		case "/pos-locations":
			continue
		case "/campaigns/{id}/status":
			k.Method = "PATCH"
		case "/plan":
			k.Access = "write"
		}
		list = append(list, k)
	}
	d := gift.Compare(list, []gift.Endpoint{{Method: "GET", Path: "/analytics", Takes: []string{"days"}}})
	must.Equal(t, 1, len(d.New))
	must.Equal(t, "/coupons", d.New[0].Path)
	must.Equal(t, 1, len(d.Gone))
	must.Equal(t, "/pos-locations", d.Gone[0].Path)
	must.Equal(t, []string{
		"GET /analytics no longer takes includeToday", "GET /plan needs the access level write, not read", "/campaigns/{id}/status is called by PATCH, not PUT",
	}, d.Changed)
}

func TestTheSandboxOffersWhatThisProgramKnows(t *testing.T) {
	t.Parallel()
	box := sandbox.New(sandbox.Config{Seed: 7})
	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	store := box.Stores()[0]
	base, err := url.Parse(server.URL + store.GiftPath)
	must.NoError(t, err)
	c := gift.New(upstreamtest.Transport(t), base, upstream.NewSecret(store.GiftKey), &upstreamtest.Gate{})
	endpoints, err := c.Endpoints(t.Context())
	must.NoError(t, err)
	tools, err := c.Tools(t.Context())
	must.NoError(t, err)
	d := gift.Compare(endpoints.Data.List(), tools.Data.List())
	must.True(t, d.None(), fmt.Sprint(d))
	must.Equal(t, 26, len(tools.Data.List()))
	for _, e := range tools.Data.List() {
		must.True(t, e.Tool != "" && e.Takes != nil && e.Method != "", e.Path)
	}
}
