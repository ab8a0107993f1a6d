package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
)

func TestAGroupIsMadeFilledRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	_, b := w.admin("root@example.com")
	r := b.submit("/groups", url.Values{"name": {" North <b> "}})
	at := r.header.Get("Location")
	if r.status != http.StatusSeeOther || !regexp.MustCompile(`^/groups/\d+$`).MatchString(at) {
		t.Fatalf("%d to %q", r.status, at)
	}
	for path, form := range map[string]url.Values{"/groups": {"name": {"NORTH <B>"}}, at + "/name": {"name": {"South"}}} {
		if path != "/groups" {
			_, err := w.access.AddGroup(ctx, "south")
			w.must(err)
		}
		if r := b.submit(path, form); r.status != http.StatusConflict || !strings.Contains(r.body, "There is a group of this name already") {
			t.Errorf("%s: %d", path, r.status)
		}
	}
	for _, name := range []string{"", " ", "a\nb", "a\u202eb", strings.Repeat("é", 61)} {
		for _, path := range []string{"/groups", at + "/name"} {
			if r := b.submit(path, url.Values{"name": {name}}); r.status != http.StatusBadRequest || !strings.Contains(r.body, "1 to 60 characters") {
				t.Errorf("%s %q: %d", path, name, r.status)
			}
		}
	}
	if r := b.submit(at+"/stores", url.Values{"store": {own}}); r.header.Get("Location") != at+"?done=put" {
		t.Errorf("%d", r.status)
	}
	for _, slug := range []string{"nowhere", "NO", ""} {
		if r := b.submit(at+"/stores", url.Values{"store": {slug}}); r.status != http.StatusBadRequest || !strings.Contains(r.body, "no store of this short name") {
			t.Errorf("%q: %d", slug, r.status)
		}
	}
	g, err := w.access.GroupByName(ctx, "north <b>")
	w.must(err)
	_, err = w.access.RevokePerson(ctx, w.person.ID, own)
	w.must(err)
	w.must(w.access.GrantPersonGroup(ctx, w.person.ID, g.ID))
	body := b.get(at).body
	for _, want := range []string{"North &lt;b&gt;", "1 store in it", "Acme Foods", site.PersonPath(w.person.ID), "loses Acme Foods"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if body := b.get("/groups").body; !strings.Contains(body, "Ada Byron King") || !strings.Contains(body, "2 groups") {
		t.Error("the list lacks the holder")
	}
	ada := w.signedIn()
	if r := ada.get("/stores/" + own); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
	if r := b.submit(at+"/name", url.Values{"name": {"West"}}); r.header.Get("Location") != at+"?done=renamed" {
		t.Errorf("%d", r.status)
	}
	if r := b.submit(at+"/stores/take", url.Values{"store": {own}}); r.header.Get("Location") != at+"?done=out" {
		t.Errorf("%d", r.status)
	}
	if r := ada.get("/stores/" + own); r.status != http.StatusNotFound {
		t.Errorf("the store left the group, and its holder gets %d", r.status)
	}
	w.must(w.access.AddStoreToGroup(ctx, g.ID, own))
	if r := b.submit(at+"/delete", nil); r.header.Get("Location") != "/groups?done=deleted" {
		t.Errorf("%d", r.status)
	}
	if r := ada.get("/stores/" + own); r.status != http.StatusNotFound {
		t.Errorf("the group went, and its holder gets %d", r.status)
	}
	for _, path := range []string{at, "/groups/0", "/groups/x", "/groups/999"} {
		if r := b.get(path); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.status)
		}
		if r := b.submit(path+"/delete", nil); r.status != http.StatusNotFound {
			t.Errorf("%s/delete: %d", path, r.status)
		}
	}
}

func TestTagsAreSavedAndFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	if r := b.submit("/groups/tags", url.Values{"store": {own}, "tags": {"EU, <i>key</i>"}, "query": {"acme"}}); r.header.Get("Location") != "/groups?done=tagged&query=acme#tags" {
		t.Fatalf("%d to %q", r.status, r.header.Get("Location"))
	}
	body := b.get("/groups?query=eu").body
	if !strings.Contains(body, `value="&lt;i&gt;key&lt;/i&gt;, EU"`) || strings.Contains(body, canary) {
		t.Error("the store is not found by its tag, or another is")
	}
	for name, form := range map[string]url.Values{
		"too long":  {"store": {own}, "tags": {strings.Repeat("a", 41)}},
		"too many":  {"store": {own}, "tags": {"a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u"}},
		"no text":   {"store": {own}, "tags": {"a\x01"}},
		"no store":  {"store": {"nowhere"}, "tags": {"a"}},
		"no slug":   {"store": {"a b"}, "tags": {"a"}},
		"not given": {"tags": {"a"}},
	} {
		if r := b.submit("/groups/tags", form); r.status != http.StatusBadRequest && r.status != http.StatusConflict || !strings.Contains(r.body, `role="alert"`) {
			t.Errorf("%s: %d", name, r.status)
		}
	}
	stores, _, err := w.access.TaggedStores(t.Context(), own, 0, 1)
	if err != nil || !slices.Equal(stores[0].Tags, []string{"<i>key</i>", "EU"}) {
		t.Errorf("%+v, %v", stores, err)
	}
}

func TestStoresWithTagsArePaged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	w.exec(`insert into stores (slug, name, timezone, history_days) select 'shop-' || n, 'Shop ' || lpad(n::text, 3, '0'), 'UTC', 90 from generate_series(1, 60) n`)
	first, second := b.get("/groups?query=shop").body, b.get("/groups?page=2&query=shop").body
	row := regexp.MustCompile(`Tags of Shop \d+`)
	if n, m := len(row.FindAllString(first, -1)), len(row.FindAllString(second, -1)); n != 50 || m != 10 {
		t.Errorf("%d and %d stores", n, m)
	}
	if !strings.Contains(first, `rel="next" href="/groups?page=2&amp;query=shop#tags"`) || strings.Contains(second, `rel="next"`) || !strings.Contains(second, `rel="prev"`) {
		t.Error("the pages don't lead to each other")
	}
	for _, page := range []string{"0", "-1", "x", "99999999999999999999"} {
		if r := b.get("/groups?page=" + page); r.status != http.StatusOK {
			t.Errorf("page %s: %d", page, r.status)
		}
	}
}

func TestATokenIsMadeInTheBrowserShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	_, b := w.admin("root@example.com")
	g, err := w.access.AddGroup(ctx, "North")
	w.must(err)
	w.must(w.access.AddStoreToGroup(ctx, g.ID, own))
	r := b.submit("/tokens", url.Values{"name": {"weekly <b>"}, "group": {fmt.Sprint(g.ID)}})
	token := regexp.MustCompile(`sg_[A-Za-z0-9_-]{43}`).FindString(r.body)
	if r.status != http.StatusOK || token == "" || r.header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.status, r.body)
	}
	api := w.apiClient(token)
	if r := api.get("/api/v1/stores/" + own); r.status != http.StatusOK {
		t.Errorf("%d", r.status)
	}
	if r := api.get("/api/v1/stores/" + foreign); r.status != http.StatusNotFound {
		t.Errorf("%d", r.status)
	}
	_, err = w.access.TakeStoreFromGroup(ctx, g.ID, own)
	w.must(err)
	if r := api.get("/api/v1/stores/" + own); r.status != http.StatusNotFound {
		t.Errorf("the store left the group, and the token gets %d", r.status)
	}
	list := b.get("/tokens").body
	for _, want := range []string{"weekly &lt;b&gt;", "group North", "root@example.com", "15:30 UTC"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	if strings.Contains(list, token) || strings.Contains(w.log.String(), token) {
		t.Error("the token is shown again, or logged")
	}
	action := regexp.MustCompile(`/tokens/\d+/revoke`).FindString(list)
	if r := b.submit(action, nil); r.header.Get("Location") != "/tokens?done=revoked" {
		t.Errorf("%d", r.status)
	}
	if r := api.get("/api/v1/stores"); r.status != http.StatusUnauthorized {
		t.Errorf("revoked, and %d", r.status)
	}
	if r := b.submit(action, nil); r.status != http.StatusConflict {
		t.Errorf("revoked twice: %d", r.status)
	}
	if body := b.get("/tokens").body; !strings.Contains(body, "Revoked") || strings.Contains(body, action) {
		t.Error("a revoked token is not told")
	}
	for _, path := range []string{"/tokens/0/revoke", "/tokens/x/revoke"} {
		if r := b.submit(path, nil); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.status)
		}
	}
}

func TestTokensThatCantBeAreAnsweredWithTheFormAsItWas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, b := w.admin("root@example.com")
	w.token(own)
	for name, c := range map[string]struct {
		form url.Values
		says string
	}{
		"no name":       {url.Values{"name": {" "}, "store": {own}}, "1 to 60 characters"},
		"a long name":   {url.Values{"name": {strings.Repeat("é", 61)}, "store": {own}}, "1 to 60 characters"},
		"a name in use": {url.Values{"name": {"test " + own}, "store": {own}}, "is in use"},
		"nothing":       {url.Values{"name": {"x"}}, "Choose what the token reads"},
		"no such store": {url.Values{"name": {"x"}, "store": {own, "nowhere"}}, "not there any more"},
		"a hidden all":  {url.Values{"name": {"x"}, "store": {"*"}}, "not there any more"},
		"no such group": {url.Values{"name": {"x"}, "group": {"999"}}, "not there any more"},
		"no group":      {url.Values{"name": {"x"}, "group": {"x"}}, "not there any more"},
	} {
		r := b.submit("/tokens", c.form)
		if r.status != http.StatusBadRequest || !strings.Contains(r.body, c.says) {
			t.Errorf("%s: %d", name, r.status)
		}
		if slices.Contains(c.form["store"], own) && !regexp.MustCompile(`value="acme" checked`).MatchString(r.body) {
			t.Errorf("%s: the form lost what was chosen", name)
		}
	}
	if tokens, err := w.access.Tokens(t.Context()); err != nil || len(tokens) != 1 {
		t.Errorf("%d tokens, %v", len(tokens), err)
	}
	w.clock.add(site.ProvedFor)
	for _, method := range []string{"GET /tokens/new", "POST /tokens"} {
		r := b.get("/tokens/new")
		if strings.HasPrefix(method, "POST") {
			r = b.submit("/tokens", url.Values{"name": {"x"}, "every": {"true"}})
		}
		if r.header.Get("Location") != "/account/confirm?next=%2Ftokens%2Fnew" {
			t.Errorf("%s without a fresh sign-in: %d", method, r.status)
		}
	}
}
