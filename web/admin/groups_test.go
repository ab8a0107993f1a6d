package admin_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestAGroupIsMadeFilledRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ctx := t.Context()
	_, b := w.Admin("root@example.com")
	r := b.Submit("/groups", url.Values{"name": {" North <b> "}})
	at := r.Header.Get("Location")
	if r.Status != http.StatusSeeOther || !regexp.MustCompile(`^/groups/\d+$`).MatchString(at) {
		t.Fatalf("%d to %q", r.Status, at)
	}
	for path, form := range map[string]url.Values{"/groups": {"name": {"NORTH <B>"}}, at + "/name": {"name": {"South"}}} {
		if path != "/groups" {
			_, err := w.Access.AddGroup(ctx, "south")
			w.Must(err)
		}
		if r := b.Submit(path, form); r.Status != http.StatusConflict || !strings.Contains(r.Body, "This name is taken") || webtest.WrongField(r) != "name" {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	for _, name := range []string{"", " ", "a\nb", "a\u202eb", strings.Repeat("é", 61)} {
		for _, path := range []string{"/groups", at + "/name"} {
			if r := b.Submit(path, url.Values{"name": {name}}); r.Status != http.StatusBadRequest || !strings.Contains(r.Body, "1 to 60 characters") || webtest.WrongField(r) != "name" {
				t.Errorf("%s %q: %d", path, name, r.Status)
			}
		}
	}
	w.Exec(`update stores set domain = 'acme-foods.example' where slug = $1`, webtest.Own)
	for _, called := range []string{" acme FOODS ", "ACME", "Acme-Foods.example"} {
		if r := b.Submit(at+"/stores", url.Values{"store": {called}}); r.Header.Get("Location") != at+"?done=put" {
			t.Errorf("%q: %d", called, r.Status)
		}
	}
	for _, slug := range []string{"nowhere", "NO", ""} {
		if r := b.Submit(at+"/stores", url.Values{"store": {slug}}); r.Status != http.StatusNotFound || !strings.Contains(r.Body, "No store has this name, short name or shop domain.") || webtest.WrongField(r) != "store" {
			t.Errorf("%q: %d", slug, r.Status)
		}
	}
	g, err := w.Access.GroupByName(ctx, "north <b>")
	w.Must(err)
	_, err = w.Access.RevokePerson(ctx, w.Person.ID, webtest.Own)
	w.Must(err)
	w.Must(w.Access.GrantPersonGroup(ctx, w.Person.ID, g.ID))
	body := b.Get(at).Body
	for _, want := range []string{"North &lt;b&gt;", "1 store in this group", "Acme Foods", site.PersonPath(w.Person.ID), "loses Acme Foods"} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if body := b.Get("/groups").Body; !strings.Contains(body, "Ada Byron King") || !strings.Contains(body, "2 groups") {
		t.Error("the list lacks the holder")
	}
	ada := w.SignedIn()
	if r := ada.Get("/stores/" + webtest.Own); r.Status != http.StatusOK {
		t.Errorf("%d", r.Status)
	}
	if r := b.Submit(at+"/name", url.Values{"name": {"West"}}); r.Header.Get("Location") != at+"?done=renamed" {
		t.Errorf("%d", r.Status)
	}
	if r := b.Submit(at+"/stores/take", url.Values{"store": {webtest.Own}}); r.Header.Get("Location") != at+"?done=out" {
		t.Errorf("%d", r.Status)
	}
	if r := ada.Get("/stores/" + webtest.Own); r.Status != http.StatusNotFound {
		t.Errorf("the store left the group, and its holder gets %d", r.Status)
	}
	w.Must(w.Access.AddStoreToGroup(ctx, g.ID, webtest.Own))
	if r := b.Submit(at+"/delete", nil); r.Header.Get("Location") != "/groups?done=deleted" {
		t.Errorf("%d", r.Status)
	}
	if r := ada.Get("/stores/" + webtest.Own); r.Status != http.StatusNotFound {
		t.Errorf("the group went, and its holder gets %d", r.Status)
	}
	for _, path := range []string{at, "/groups/0", "/groups/x", "/groups/999"} {
		if r := b.Get(path); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
		if r := b.Submit(path+"/delete", nil); r.Status != http.StatusNotFound {
			t.Errorf("%s/delete: %d", path, r.Status)
		}
	}
}

func TestTagsAreSavedAndFound(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	if r := b.Submit("/groups/tags", url.Values{"store": {webtest.Own}, "tags": {"EU, <i>key</i>"}, "query": {"acme"}}); r.Header.Get("Location") != "/groups?done=tagged&query=acme#tags" {
		t.Fatalf("%d to %q", r.Status, r.Header.Get("Location"))
	}
	body := b.Get("/groups?query=eu").Body
	if !strings.Contains(body, `value="&lt;i&gt;key&lt;/i&gt;, EU"`) || strings.Contains(body, webtest.Canary) {
		t.Error("the store is not found by its tag, or another is")
	}
	for name, tags := range map[string]string{"too long": strings.Repeat("a", 41), "too many": "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u", "no text": "a\x01"} {
		if r := b.Submit("/groups/tags", url.Values{"store": {webtest.Own}, "tags": {tags}}); r.Status != http.StatusBadRequest || webtest.WrongField(r) != "tags" {
			t.Errorf("%s: %d", name, r.Status)
		}
	}
	for name, form := range map[string]url.Values{
		"no store":  {"store": {"nowhere"}, "tags": {"a"}},
		"no slug":   {"store": {"a b"}, "tags": {"a"}},
		"not given": {"tags": {"a"}},
	} {
		if r := b.Submit("/groups/tags", form); r.Status != http.StatusNotFound || !strings.Contains(r.Body, `role="alert"`) {
			t.Errorf("%s: %d", name, r.Status)
		}
	}
	if r := b.Submit("/groups/tags", url.Values{"store": {webtest.Own}, "tags": {"vip, " + strings.Repeat("a", 41)}}); !strings.Contains(r.Body, `value="vip, aaa`) {
		t.Error("rejected tags are lost")
	}
	stores, _, err := w.Access.TaggedStores(t.Context(), webtest.Own, 0, 1)
	if err != nil || !slices.Equal(stores[0].Tags, []string{"<i>key</i>", "EU"}) {
		t.Errorf("%+v, %v", stores, err)
	}
}

func TestStoresWithTagsArePaged(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	w.Exec(`insert into stores (slug, name, timezone, history_days) select 'shop-' || n, 'Shop ' || lpad(n::text, 3, '0'), 'UTC', 90 from generate_series(1, 60) n`)
	first, second := b.Get("/groups?query=shop").Body, b.Get("/groups?page=2&query=shop").Body
	row := regexp.MustCompile(`Tags of Shop \d+`)
	if n, m := len(row.FindAllString(first, -1)), len(row.FindAllString(second, -1)); n != 50 || m != 10 {
		t.Errorf("%d and %d stores", n, m)
	}
	if !strings.Contains(first, `rel="next" href="/groups?page=2&amp;query=shop#tags"`) || strings.Contains(second, `rel="next"`) || !strings.Contains(second, `rel="prev"`) {
		t.Error("the pages don't lead to each other")
	}
	for _, page := range []string{"0", "-1", "x", "99999999999999999999"} {
		if r := b.Get("/groups?page=" + page); r.Status != http.StatusOK {
			t.Errorf("page %s: %d", page, r.Status)
		}
	}
}

func TestATokenIsMadeInTheBrowserShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	ctx := t.Context()
	_, b := w.Admin("root@example.com")
	g, err := w.Access.AddGroup(ctx, "North")
	w.Must(err)
	w.Must(w.Access.AddStoreToGroup(ctx, g.ID, webtest.Own))
	r := b.Submit("/tokens", url.Values{"name": {"weekly <b>"}, "group": {fmt.Sprint(g.ID)}})
	token := regexp.MustCompile(`sg_[A-Za-z0-9_-]{43}`).FindString(r.Body)
	if r.Status != http.StatusOK || token == "" || r.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	api := w.APIClient(token)
	if r := api.Get("/api/v1/stores/" + webtest.Own); r.Status != http.StatusOK {
		t.Errorf("%d", r.Status)
	}
	if r := api.Get("/api/v1/stores/" + webtest.Foreign); r.Status != http.StatusNotFound {
		t.Errorf("%d", r.Status)
	}
	_, err = w.Access.TakeStoreFromGroup(ctx, g.ID, webtest.Own)
	w.Must(err)
	if r := api.Get("/api/v1/stores/" + webtest.Own); r.Status != http.StatusNotFound {
		t.Errorf("the store left the group, and the token gets %d", r.Status)
	}
	list := b.Get("/tokens").Body
	for _, want := range []string{"weekly &lt;b&gt;", "group North", "root@example.com", "15:30 UTC"} {
		if !strings.Contains(list, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	if strings.Contains(list, token) || strings.Contains(w.Log.String(), token) {
		t.Error("the token is shown again, or logged")
	}
	action := regexp.MustCompile(`/tokens/\d+/revoke`).FindString(list)
	if r := b.Submit(action, nil); r.Header.Get("Location") != "/tokens?done=revoked" {
		t.Errorf("%d", r.Status)
	}
	if r := api.Get("/api/v1/stores"); r.Status != http.StatusUnauthorized {
		t.Errorf("revoked, and %d", r.Status)
	}
	if r := b.Submit(action, nil); r.Status != http.StatusNotFound {
		t.Errorf("revoked twice: %d", r.Status)
	}
	if body := b.Get("/tokens").Body; !strings.Contains(body, "Revoked") || strings.Contains(body, action) {
		t.Error("a revoked token is not told")
	}
	for _, path := range []string{"/tokens/0/revoke", "/tokens/x/revoke"} {
		if r := b.Submit(path, nil); r.Status != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}

func TestTokensThatCantBeAreAnsweredWithTheFormAsItWas(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, b := w.Admin("root@example.com")
	w.Token(webtest.Own)
	for name, c := range map[string]struct {
		form url.Values
		says string
	}{
		"no name":       {url.Values{"name": {" "}, "store": {webtest.Own}}, "1 to 60 characters"},
		"a long name":   {url.Values{"name": {strings.Repeat("é", 61)}, "store": {webtest.Own}}, "1 to 60 characters"},
		"a name in use": {url.Values{"name": {"test " + webtest.Own}, "store": {webtest.Own}}, "name is taken"},
		"nothing":       {url.Values{"name": {"x"}}, "Choose what the token can read"},
		"no such store": {url.Values{"name": {"x"}, "store": {webtest.Own, "nowhere"}}, "doesn’t exist"},
		"a hidden all":  {url.Values{"name": {"x"}, "store": {"*"}}, "doesn’t exist"},
		"no such group": {url.Values{"name": {"x"}, "group": {"999"}}, "no longer exists"},
		"no group":      {url.Values{"name": {"x"}, "group": {"x"}}, "no longer exists"},
	} {
		r := b.Submit("/tokens", c.form)
		if r.Status < http.StatusBadRequest || r.Status >= http.StatusInternalServerError || !strings.Contains(r.Body, c.says) {
			t.Errorf("%s: %d", name, r.Status)
		}
		if slices.Contains(c.form["store"], webtest.Own) && !regexp.MustCompile(`value="acme" checked`).MatchString(r.Body) {
			t.Errorf("%s: the form lost what was chosen", name)
		}
	}
	if tokens, err := w.Tokens.List(t.Context()); err != nil || len(tokens) != 1 {
		t.Errorf("%d tokens, %v", len(tokens), err)
	}
	w.Clock.Add(site.ProvedFor)
	for _, method := range []string{"GET /tokens/new", "POST /tokens"} {
		r := b.Get("/tokens/new")
		if strings.HasPrefix(method, "POST") {
			r = b.Submit("/tokens", url.Values{"name": {"x"}, "every": {"true"}})
		}
		if r.Header.Get("Location") != "/account/confirm?next=%2Ftokens%2Fnew" {
			t.Errorf("%s without a fresh sign-in: %d", method, r.Status)
		}
	}
}
