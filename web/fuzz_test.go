package web_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// fuzzRound is how many requests one world gets: many of them change it.
const fuzzRound = 500

// fuzzRequests are how many requests are made; FUZZ_REQUESTS sets more.
func fuzzRequests(t *testing.T) int {
	t.Helper()
	if n, err := strconv.Atoi(os.Getenv("FUZZ_REQUESTS")); err == nil {
		return n
	}
	return 2 * fuzzRound
}

// Every route, with every field and query that any handler reads, as a stranger, a viewer, a
// merchant, an admin and a token, with unexpected values: none gets a server error, and no
// stranger causes an ERROR log line.
func TestNoInputIsAnsweredAsAFaultOfOurs(t *testing.T) {
	t.Parallel()
	names := fieldNames(t)
	for round := range max(1, fuzzRequests(t)/fuzzRound) {
		t.Run(fmt.Sprint("seed ", round), func(t *testing.T) {
			f := newFuzz(t, uint64(round), names) // one world after the other: each is a database
			for range fuzzRound {
				f.ask()
			}
			if faults := regexp.MustCompile(`(?m)^.*level=ERROR.*$`).FindAllString(f.Log.String(), 5); faults != nil {
				t.Errorf("ERROR lines: %s", strings.Join(faults, "\n"))
			}
			if len(f.statuses) < 8 {
				t.Errorf("only these statuses were met, so little was asked: %v", f.statuses)
			}
			t.Log(f.statuses)
		})
	}
}

// fieldNames are all names under which a handler reads something of a form or a query.
func fieldNames(t *testing.T) []string {
	t.Helper()
	found := map[string]bool{}
	reads := regexp.MustCompile(`(?:\.(?:Get|QueryParam|Has)\(|(?:form|Form|q|params|[fF]orm\(\))\[)"([a-z][a-z_-]*)"`)
	for _, pattern := range []string{"*.go", "*/*.go", "../internal/report/*.go", "../internal/report/*/*.go", "../internal/access/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range reads.FindAllStringSubmatch(string(source), -1) {
				found[m[1]] = true
			}
		}
	}
	if len(found) < 60 {
		t.Fatalf("only %d names were found", len(found))
	}
	delete(found, "csrf")
	return slices.Sorted(maps.Keys(found))
}

// alsoSent are fields that a form has besides those that the matrix sends.
var alsoSent = map[string][]string{
	"/sign-in":                    {"email", "password", "next"},
	"/sign-in/code":               {"code", "recovery"},
	"/account/confirm":            {"password", "next"},
	"/account/password":           {"current"},
	"/account/identities/remove":  {"issuer", "subject"},
	"/people":                     {"name", "note", "group"},
	"/people/:id/grants":          {"group"},
	"/tokens":                     {"group"},
	"/snapshots":                  {"address", "language", "zone", "weekday", "hour"},
	"/snapshots/new":              {"address"},
	"/alerts/settings":            {"quiet_from", "quiet_to", "rules"},
	"/alerts/channels":            {"rule"},
	"/alerts/channels/:id":        {"rule", "kind"},
	"/alerts/snoozes":             {"store", "rule", "subject"},
	"/stores/new":                 {"gift_url", "gift_token"},
	"/stores/:slug/settings":      {"tags", "sure"},
	"/stores/:slug/shares":        {"start", "end", "password"},
	"/stores/:slug/snapshot/test": {"language", "address"},
}

type fuzz struct {
	*matrix
	*rand.Rand
	names    []string
	routes   []site.Route
	roles    []*fuzzRole
	statuses map[int]int
	// broken: the request may contain invalid text. Most don't, or no handler would ever see
	// one.
	broken bool
}

// fuzzRole is one of the principals, who is signed in again if a request ended the session.
type fuzzRole struct {
	*principal
	access.Person
}

func newFuzz(t *testing.T, seed uint64, names []string) *fuzz {
	f := &fuzz{matrix: newMatrix(t, false), Rand: rand.New(rand.NewPCG(seed, 1)), names: names, statuses: map[int]int{}}
	f.Server.Mail, f.Server.Parts.Reports.Products = nobodysMail{}, nobodysProducts{}
	f.routes = f.Server.Routes()
	for _, a := range append(f.principals, f.admin) {
		if slices.Contains([]string{"nobody", "viewer", "merchant", "token", "admin"}, a.name) {
			f.roles = append(f.roles, &fuzzRole{a, a.person})
		}
	}
	return f
}

// of picks one at random.
func of[T any](f *fuzz, all ...T) T { return all[f.IntN(len(all))] }

// nasty is a value, as it is in a form or a query: sometimes invalid text.
func (f *fuzz) nasty() string {
	if f.broken && f.IntN(2) == 0 {
		return of(f, "%zz", "%", "%00", "a%00b", "%ff%fe", "%c3%28", "%ed%a0%80", "a%00%40example.com", "%ff%40example.com", "%22%00%22%40example.com", strings.Repeat("w", 2049))
	}
	return of(f,
		"%ef%bb%bf", "", "+", "0", "-1", "1e309", "NaN", "9223372036854775808", strings.Repeat("9", 400),
		"2026-11-09", "2026-02-30", "0000-00-00", "99999-12-31", "-0001-01-01", "true", "%5bobject%5d", "null", "%7b%22a%22%3a%22%5cu0000%22%7d", "%7b", "%27%3b--",
		"%3cscript%3e", "%e2%80%ae", "%f0%9f%8e%81", "..%2f..%2fetc", "javascript%3aalert(1)", "http%3a%2f%2f127.0.0.1%3a1", "https%3a%2f%2f%5b%3a%3a1", "a%40example.com",
		strings.Repeat("a", 300)+"%40example.com", strings.Repeat("w", 2048), strings.Repeat("%f0%9f%8e%81", 300), "Europe%2fBerlin", "Local", "%2e%2e%2f",
		"last_7_days", "upsell", "all", webtest.Own, webtest.Foreign, "1;2", "%0d%0aSet-Cookie%3a+x", "%09", "%c2%85", "%ef%bf%bf",
	)
}

// big is a value of a megabyte, sometimes.
func (f *fuzz) big() string {
	return strings.Repeat(of(f, "x", "%00", "%zz", "%f0%9f%8e%81"), 1<<20/12)
}

// values is the text of a form or a query: what the page sends, some of it broken, and fields
// of other pages.
func (f *fuzz) values(sent url.Values) string {
	var parts []string
	for name, all := range sent {
		for _, v := range all {
			text := url.QueryEscape(v)
			if f.IntN(2) == 0 {
				text = of(f, "", f.nasty(), text+f.nasty())
			}
			parts = append(parts, name+"="+text)
		}
	}
	for range f.IntN(8) {
		parts = append(parts, of(f, f.names...)+"="+f.nasty())
	}
	if f.broken && f.IntN(5) == 0 {
		parts = append(parts, of(f, "%zz=1", "%00=1", "a;b", "%ff", "=", "&&", "a=%zz"))
	}
	if f.IntN(100) == 0 {
		parts = append(parts, of(f, f.names...)+"="+f.big())
	}
	return strings.Join(parts, "&")
}

// path is an address of the route.
func (f *fuzz) path(r site.Route) string {
	var b strings.Builder
	parts := strings.Split(strings.TrimPrefix(r.Path, "/"), "/")
	for i, part := range parts {
		name, ending, _ := strings.Cut(part, ".")
		if !strings.HasPrefix(name, ":") && name != "*" {
			b.WriteString("/" + part)
			continue
		}
		p, ok := f.forms[name]
		if !ok && i > 0 {
			p = f.forms[parts[i-1]+"/"+name]
		}
		v := p.own
		switch n := f.IntN(8); {
		case n == 0:
			v = p.random
		case n == 1 && len(p.malformed) > 0:
			v = of(f, p.malformed...)
		case n == 2 || v == "":
			v = f.nasty()
		}
		b.WriteString("/" + v)
		if ending != "" {
			b.WriteString("." + ending)
		}
	}
	return b.String()
}

// sent is what the route's form sends, with the principal's own ids.
func (f *fuzz) sent(r site.Route) url.Values {
	out := url.Values{}
	for field, value := range forms[r.Path] {
		if name, isParameter := strings.CutPrefix(value, ":"); isParameter {
			p, ok := f.forms[name]
			if !ok {
				p = f.forms[value]
			}
			value = p.own
		}
		out.Set(field, value)
	}
	for _, field := range alsoSent[r.Path] {
		out.Set(field, "a")
	}
	return out
}

// body is a form, in one of the ways in which forms travel, or something else.
func (f *fuzz) body(r site.Route, csrf string) (kind string, body []byte) {
	text := f.values(f.sent(r))
	switch f.IntN(10) {
	case 0:
		return of(f, "application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x", "", "\xff"), []byte(of(f, text, `{"a":"\u0000"}`, "\x00\xff", "--x\r\n\r\n"))
	case 1, 2:
		var b bytes.Buffer
		m := multipart.NewWriter(&b)
		fields, _ := url.ParseQuery(text)
		fields.Set("csrf", csrf)
		for name, all := range fields {
			for _, v := range all {
				_ = m.WriteField(name, v)
			}
		}
		if w, err := m.CreateFormFile("logo", of(f, "logo.png", "\x00", "../x")); err == nil {
			_, _ = w.Write([]byte(of(f, "", "\x89PNG\r\n\x1a\n", "GIF89a", strings.Repeat("\x00", 600<<10))))
		}
		_ = m.Close()
		return m.FormDataContentType(), b.Bytes()
	}
	return "application/x-www-form-urlencoded", []byte("csrf=" + csrf + "&" + text)
}

// ask makes one request. It bypasses the HTTP client, which would refuse to send many of them;
// the server reads the same.
func (f *fuzz) ask() {
	f.T.Helper()
	role, r := of(f, f.roles...), of(f, f.routes...)
	for range 3 { // most requests get past access checks, and most of those change something
		if let := r.Admits == site.AdmitVisitor && role.kind == byNobody || r.Admits == site.AdmitToken && role.kind == byBearer || r.Admits == site.AdmitPerson && role.role.May(r.Needs) && r.Method != http.MethodGet; let {
			break
		}
		role, r = of(f, f.roles...), of(f, f.routes...)
	}
	f.broken = f.IntN(4) == 0
	csrf := f.present(role)
	target := f.path(r)
	if f.IntN(3) > 0 {
		target += "?" + f.values(url.Values{"window": {"last_7_days"}})
	}
	var raw bytes.Buffer
	fmt.Fprintf(&raw, "%s %s HTTP/1.1\r\nHost: localhost:8080\r\n", r.Method, target)
	for name, values := range role.Header {
		fmt.Fprintf(&raw, "%s: %s\r\n", name, values[0])
	}
	u, _ := url.Parse(f.HTTP.URL)
	for _, c := range role.Client.Jar.Cookies(u) {
		fmt.Fprintf(&raw, "Cookie: %s=%s\r\n", c.Name, c.Value)
	}
	if f.IntN(10) == 0 {
		fmt.Fprintf(&raw, "%s: %s\r\n", of(f, "X-Forwarded-For", "User-Agent", "Accept-Language", "If-None-Match", "Range", "Accept-Encoding", "Cookie", "Authorization", "Accept"), of(f, "\xff", "\"", "bytes=9-1", "storeglass=\xff", "Bearer \xff", strings.Repeat("x", 9000), "storeglass-device=a.b"))
	}
	if r.Method != http.MethodGet {
		kind, body := f.body(r, csrf)
		fmt.Fprintf(&raw, "Content-Type: %s\r\nContent-Length: %d\r\n", kind, len(body))
		if f.IntN(4) == 0 {
			fmt.Fprintf(&raw, "X-CSRF-Token: %s\r\n", csrf)
		}
		raw.WriteString("\r\n")
		raw.Write(body)
	} else {
		raw.WriteString("\r\n")
	}
	req, err := http.ReadRequest(bufio.NewReader(&raw))
	if err != nil {
		f.statuses[http.StatusBadRequest]++ // by net/http itself, before us
		return
	}
	req.RemoteAddr = "203.0.113.7:4711"
	answer := httptest.NewRecorder()
	f.Server.Handler().ServeHTTP(answer, req.WithContext(f.T.Context()))
	f.Server.Background.Wait()
	f.statuses[answer.Code]++
	if answer.Code >= 500 {
		f.T.Errorf("%s %s as %s: %d\n%.200q %.200q", r.Method, r.Path, role.name, answer.Code, target, req.PostForm.Encode())
	}
}

// present signs the principal in again if a request ended the session, and restores what others
// took away. It returns the token of their forms.
func (f *fuzz) present(role *fuzzRole) string {
	f.T.Helper()
	f.Exec(`delete from attempts`)
	f.Exec(`update stores set removed_at = null where slug = $1 and removed_at is not null`, webtest.Own)
	if role.kind != bySession {
		return "x"
	}
	f.Exec(`update people set disabled_at = null, role = $2 where id = $1 and (disabled_at is not null or role <> $2)`, role.ID, string(role.role))
	f.Exec(`delete from totps where person_id = $1`, role.ID)
	sum := sha256.Sum256([]byte(role.Session()))
	const ofSession = `select convert_from(data, 'UTF8')::jsonb #>> '{values,csrf}' from sessions where token = $1`
	csrf := f.StoredTexts(ofSession, base64.RawURLEncoding.EncodeToString(sum[:]))
	if len(csrf) == 0 {
		role.Browser = f.SignedInAs(role.Person)
		return role.CSRF()
	}
	return csrf[0]
}

// nobodysMail takes every mail.
type nobodysMail struct{}

func (nobodysMail) Send(context.Context, site.Mail) error { return nil }

// nobodysProducts finds no product.
type nobodysProducts struct{}

func (nobodysProducts) CheckProducts(context.Context, string, []string) (offers.ProductCheck, error) {
	return offers.ProductCheck{}, nil
}

func (nobodysProducts) Recommend(context.Context, string, offers.ProductQuery) (offers.ProductRecommendations, error) {
	return offers.ProductRecommendations{}, nil
}
