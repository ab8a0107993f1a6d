package web_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/browsertest"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/web"
	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

// aLogo is a PNG, three times as wide as high.
func aLogo(t testing.TB) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 60, 20))
	for i := range 60 {
		m.Set(i, i%20, color.NRGBA{10, 90, 160, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// upload posts the form of the branding as a browser does, with a file.
func upload(b *webtest.Browser, fields url.Values, fileName string, file []byte) webtest.Response {
	b.W.T.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if fields.Get("csrf") == "" {
		b.W.Must(form.WriteField("csrf", b.CSRF()))
	}
	for name, values := range fields {
		b.W.Must(form.WriteField(name, values[0]))
	}
	if fileName != "" {
		part, err := form.CreateFormFile("logo", fileName)
		b.W.Must(err)
		_, err = part.Write(file)
		b.W.Must(err)
	}
	b.W.Must(form.Close())
	r, err := http.NewRequestWithContext(b.W.T.Context(), "POST", b.W.HTTP.URL+site.BrandingForm, &body)
	b.W.Must(err)
	r.Header.Set("Content-Type", form.FormDataContentType())
	return b.Answer(r)
}

var (
	styleLink = regexp.MustCompile(`<link rel="stylesheet" href="(/brand/[^"]+)"`)
	iconLink  = regexp.MustCompile(`<link rel="icon" type="image/svg\+xml" href="(/brand/[^"]+)"`)
	logoImage = regexp.MustCompile(`<img class="logo[^"]*" src="([^"]+)"`)
)

func TestBrandingIsPreviewedSavedAndSeenByEveryone(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	ada := w.SignedIn()
	page := "/stores/" + webtest.Own + "/placements"
	before := ada.Get(page)
	w.Audit()
	r := upload(admin, url.Values{"name": {` Acme & "Sons" <b> `}, "accent": {"#7A1FA2"}}, "logo.png", aLogo(t))
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/branding" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	preview := admin.Get("/branding").Body
	for _, want := range []string{"This is a preview", "Acme &amp; &#34;Sons&#34; &lt;b&gt;", `value="#7a1fa2"`, "/branding/logo.png?"} {
		if !strings.Contains(preview, want) {
			t.Errorf("the preview lacks %q", want)
		}
	}
	if got := ada.Get(page); got.Body != before.Body {
		t.Error("another sees what was not saved")
	}
	if r := ada.Get("/branding/logo.png"); r.Status != http.StatusForbidden {
		t.Errorf("another gets the logo of a draft: %d", r.Status)
	}
	w.Recorded()
	if r := admin.Submit("/branding", nil); r.Header.Get("Location") != "/branding?done=saved" {
		t.Fatalf("%d", r.Status)
	}
	w.Recorded(`person root@example.com branding.changed name Acme & "Sons" <b>, color #7a1fa2, a logo`)
	for name, b := range map[string]*webtest.Browser{"a reader": ada, "nobody": w.Browser()} {
		for _, path := range []string{page, "/sign-in", "/stores/nowhere"} {
			got := b.Get(path)
			if got.Status == http.StatusSeeOther {
				continue
			}
			style, icon, logo := styleLink.FindStringSubmatch(got.Body), iconLink.FindStringSubmatch(got.Body), logoImage.FindStringSubmatch(got.Body)
			if style == nil || icon == nil || logo == nil || !strings.Contains(got.Body, `· Acme &amp; &#34;Sons&#34; &lt;b&gt;</title>`) {
				t.Errorf("%s at %s (%d): %v %v %v", name, path, got.Status, style, icon, logo)
				continue
			}
			for address, kind := range map[string]string{style[1]: "text/css; charset=utf-8", icon[1]: "image/svg+xml", logo[1]: "image/png"} {
				file := w.Browser().Get(address)
				if file.Status != 200 || file.Header.Get("Content-Type") != kind || file.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
					file.Header.Get("X-Content-Type-Options") != "nosniff" || file.Header.Get("Content-Security-Policy") != site.Policy {
					t.Errorf("%s: %d %v", address, file.Status, file.Header)
				}
				if strings.Contains(file.Body, "script") || strings.Contains(file.Body, "Acme") {
					t.Errorf("%s holds %q", address, file.Body)
				}
			}
		}
	}
	if got := ada.Get(page); strings.Contains(got.Body, ">Storeglass<") {
		t.Error("our name still stands in the header")
	}
	// Saved twice, or discarded in another window: nothing happens.
	if r := admin.Submit("/branding", nil); r.Header.Get("Location") != "/branding" {
		t.Errorf("%d to %s", r.Status, r.Header.Get("Location"))
	}
	w.Recorded()
	old := logoImage.FindStringSubmatch(ada.Get(page).Body)[1]
	admin.Submit("/branding/own", nil)
	if body := admin.Get("/branding").Body; !strings.Contains(body, "This is a preview") || styleLink.MatchString(body) {
		t.Error("our own is not previewed")
	}
	admin.Submit("/branding", nil)
	w.Recorded("person root@example.com branding.changed Storeglass’s own")
	if got := ada.Get(page); got.Body != before.Body {
		t.Error("our own again differs from what it was")
	}
	if r := w.Browser().Get(old); r.Status != http.StatusNotFound {
		t.Errorf("the logo of before: %d", r.Status)
	}
}

func TestBrandingThatAnotherChangedMeanwhileIsReplacedOnlyKnowingly(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, root := w.Admin("root@example.com")
	_, rita := w.Admin("rita@example.com")
	upload(root, url.Values{"name": {"Rooted"}}, "", nil)
	upload(rita, url.Values{"name": {"Ritas"}}, "", nil)
	opened := webtest.OpenedWith(root.Get("/branding"))
	if r := rita.Send("/branding", "opened", webtest.OpenedWith(rita.Get("/branding"))); r.Header.Get("Location") != "/branding?done=saved" {
		t.Fatalf("%d", r.Status)
	}
	r := root.Send("/branding", "opened", opened)
	if r.Status != http.StatusConflict || !strings.Contains(r.Body, `This is a preview</b> <p class="problem" role="alert">The branding was changed after you opened this page`) || !strings.Contains(rita.Get("/branding").Body, "· Ritas</title>") {
		t.Errorf("%d, or not said, or saved", r.Status)
	}
	if r := root.Send("/branding", "opened", webtest.OpenedWith(r)); r.Header.Get("Location") != "/branding?done=saved" || !strings.Contains(rita.Get("/branding").Body, "· Rooted</title>") {
		t.Errorf("saved again: %d", r.Status)
	}
}

func TestADraftIsChangedPieceByPieceAndDiscarded(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	upload(admin, url.Values{"name": {"Acme"}, "accent": {""}}, "logo.png", aLogo(t))
	// The picture stays while the rest is changed, until it is removed.
	upload(admin, url.Values{"name": {"Acme Two"}, "accent": {"#0b5cad"}}, "", nil)
	first := admin.Get("/branding").Body
	if !strings.Contains(first, "/branding/logo.png?") || !strings.Contains(first, "Acme Two") || !strings.Contains(first, "/brand/0b5cad-") {
		t.Error("a part of the draft was lost")
	}
	if r := admin.Get("/branding/logo.png"); r.Status != 200 || r.Header.Get("Content-Type") != "image/png" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v", r.Status, r.Header)
	}
	upload(admin, url.Values{"name": {"Acme Two"}, "accent": {""}, "no-logo": {"true"}}, "", nil)
	if body := admin.Get("/branding").Body; strings.Contains(body, "/branding/logo.png") || strings.Contains(body, "/brand/") {
		t.Error("the picture or the colour stays")
	}
	if r := admin.Get("/branding/logo.png"); r.Status != http.StatusNotFound {
		t.Errorf("%d", r.Status)
	}
	// The form works without a file, too, as an address encodes it.
	if r := admin.Submit(site.BrandingForm, url.Values{"name": {"Acme Three"}}); r.Status != http.StatusSeeOther {
		t.Errorf("%d", r.Status)
	}
	if r := admin.Submit("/branding/discard", nil); r.Header.Get("Location") != "/branding?done=discarded" {
		t.Errorf("%d", r.Status)
	}
	if body := admin.Get("/branding").Body; strings.Contains(body, "Acme Three") || strings.Contains(body, "This is a preview") {
		t.Error("the draft stays")
	}
}

func TestBrandingThatCantBeIsRefusedInWordsAndKeepsTheForm(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	_, admin := w.Admin("root@example.com")
	good := aLogo(t)
	for name, c := range map[string]struct {
		name, accent string
		file         []byte
		says         string
		wrong        string
	}{
		"a long name":      {strings.Repeat("W", 41), "", nil, "at most 40 characters", "name"},
		"a name on lines":  {"a\nb", "", nil, "at most 40 characters", "name"},
		"a name turned":    {"a\u202eb", "", nil, "at most 40 characters", "name"},
		"no colour":        {"Acme", "red;}body{}", nil, "six digits", "accent"},
		"a style":          {"Acme", "#0e6259;background:url(//evil.example)", nil, "six digits", "accent"},
		"a drawing":        {"Acme", "", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`), "as a PNG first", "logo"},
		"a page":           {"Acme", "", []byte("<html><script>alert(1)</script>"), "as a PNG first", "logo"},
		"half a picture":   {"Acme", "", good[:60], "incomplete or damaged", "logo"},
		"a page behind":    {"Acme", "", append(good[:len(good):len(good)], "<script>alert(1)</script>"...), "something else after its picture", "logo"},
		"too large a file": {"Acme", "", append(good, make([]byte, 512<<10)...), "at most 512 KiB", "logo"},
	} {
		r := upload(admin, url.Values{"name": {c.name}, "accent": {c.accent}}, map[bool]string{true: "logo.png"}[c.file != nil], c.file)
		if r.Status != http.StatusBadRequest || !strings.Contains(r.Body, c.says) || webtest.WrongField(r) != c.wrong {
			t.Errorf("%s: %d", name, r.Status)
		}
		if c.name == "Acme" && !strings.Contains(r.Body, `value="Acme"`) {
			t.Errorf("%s: the form lost the name", name)
		}
		if inlineFound := inline.FindString(r.Body); strings.Contains(r.Body, "<svg xmlns") || strings.Contains(inlineFound, "onload") {
			t.Errorf("%s: what was sent stands in the page", name)
		}
	}
	var drafts int
	w.Must(w.DB.Pool.QueryRow(t.Context(), `select count(*) from branding_drafts`).Scan(&drafts))
	if drafts != 0 {
		t.Error("what was refused is kept")
	}
	if r := upload(admin, url.Values{}, "logo.png", make([]byte, site.MaxLogoForm)); r.Status != http.StatusRequestEntityTooLarge || !strings.Contains(r.Body, "512 KiB") {
		t.Errorf("a body without end: %d", r.Status)
	}
	if r := upload(admin, url.Values{"csrf": {"wrong"}}, "logo.png", good); r.Status != http.StatusForbidden {
		t.Errorf("without the form's token: %d", r.Status)
	}
}

func TestBrandFilesHoldColoursAndNothingOfTheAddress(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	b := w.Browser()
	for _, name := range []string{
		"0e6259.css", "0e6259-0000000000000000.css", "zzzzzz-0000000000000000.css", "ffd400-0000000000000000.css", "..%2f..%2fgo.mod", "x.png", "0000000000000000.png",
		"0e6259-0000000000000000.html", "%3Cscript%3E", "a%00b", strings.Repeat("a", 3000), "0e6259;}body%7B-0000000000000000.css",
	} {
		if r := b.Get("/brand/" + name); r.Status != http.StatusNotFound || strings.Contains(r.Body, "0e6259") || strings.Contains(r.Body, "<script>alert") {
			t.Errorf("%s: %d", name, r.Status)
		}
	}
}

// Stored branding that is no longer valid, because a check became stricter or someone wrote it
// into the database, is left out.
func TestStoredBrandingIsCheckedAgain(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.Exec(`insert into branding (name, logo) values ($1, '<svg onload="alert(1)">')`, "a\u202e<b>")
	r := w.SignedIn().Get("/stores/" + webtest.Own)
	if r.Status != 200 || logoImage.MatchString(r.Body) || strings.Contains(r.Body, "\u202e") || !strings.Contains(r.Body, "· Storeglass</title>") {
		t.Errorf("%d", r.Status)
	}
}

// another is a second process of the same installation: it shares only the database with the
// first.
func another(w *webtest.World, asked *statements) *webtest.World {
	w.T.Helper()
	pool, err := db.Open(w.T.Context(), w.DB.Pool.Config().ConnString(), db.As(db.Pages), db.WithMaxConns(4), func(c *pgxpool.Config) { c.ConnConfig.Tracer = asked })
	w.Must(err)
	w.T.Cleanup(pool.Close)
	pages := db.From(pool, 60)
	out := *w
	out.Server, err = web.New(web.Config{DB: pages, BaseURL: w.Server.Base, Now: w.Clock.Now, Log: slog.New(slog.NewTextHandler(w.Log, nil)), Stores: w.StoreAdmin})
	w.Must(err)
	out.HTTP = httptest.NewServer(out.Server.Handler())
	w.T.Cleanup(out.HTTP.Close)
	return &out
}

// statements counts database statements.
type statements struct{ atomic.Int64 }

func (s *statements) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	s.Add(1)
	return ctx
}
func (*statements) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestABrandIsSeenAtOnceAndCostsNoStatement(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	w.OwnLink()
	_, admin := w.Admin("root@example.com")
	asked := &statements{}
	other := another(w, asked)
	ada := other.SignedIn()
	readers := map[string]func() webtest.Response{
		"a reader":           func() webtest.Response { return ada.Get("/stores/" + webtest.Own + "/offers") },
		"a reader of a link": func() webtest.Response { return other.Browser().Get("/share/" + webtest.OwnLinkSecret + "/offers") },
		"nobody":             func() webtest.Response { return other.Browser().Get("/sign-in") },
	}
	cost := func(read func() webtest.Response) int64 {
		before := asked.Load()
		if r := read(); r.Status != 200 {
			t.Fatalf("%d", r.Status)
		}
		return asked.Load() - before
	}
	without := map[string]int64{}
	for name, read := range readers {
		cost(read)
		without[name] = cost(read)
	}
	if without["nobody"] != 0 {
		t.Errorf("the sign-in asks %d times", without["nobody"])
	}
	// Another process saves; this one learns of it with the next signed-in request.
	upload(admin, url.Values{"name": {"Northwind"}, "accent": {"#7a1fa2"}}, "", nil)
	admin.Submit("/branding", nil)
	for _, name := range []string{"a reader", "a reader of a link"} {
		if r := readers[name](); !strings.Contains(r.Body, "· Northwind</title>") {
			t.Errorf("%s sees the copy of before", name)
		}
	}
	upload(admin, url.Values{"name": {"Southwind"}}, "", nil)
	admin.Submit("/branding", nil)
	w.Clock.Add(site.BrandAge)
	if r := readers["nobody"](); !strings.Contains(r.Body, "Southwind") {
		t.Error("the sign-in shows the brand of before for longer")
	}
	for name, read := range readers {
		cost(read)
		if n := cost(read); n != without[name] {
			t.Errorf("%s: %d statements, %d without a brand", name, n, without[name])
		}
	}
}

func TestEveryReaderSeesTheBrand(t *testing.T) {
	t.Parallel()
	w := webtest.NewWorld(t)
	smtp := w.HasMail()
	_, admin := w.Admin("root@example.com")
	open, locked := w.Share(nil), w.Share(withPassword)
	_, invitation := w.Invited("bo@example.com")
	upload(admin, url.Values{"name": {"Northwind & Daughters"}, "accent": {"#7a1fa2"}}, "logo.png", aLogo(t))
	admin.Submit("/branding", nil)
	w.Clock.Add(site.BrandAge)
	nobody := w.Browser()
	for path, status := range map[string]int{
		"/sign-in": 200, "/sign-in/forgotten": 200, "/sign-in/" + w.Link(): 200, "/invitation/" + invitation: 200, "/nowhere": 303, "/wall": 401,
		open: 200, open + "/offers": 200, open + "/nothing": 404, locked: 403, "/share/" + strings.Repeat("B", 43): 404,
	} {
		r := nobody.Get(path)
		if r.Status != status {
			t.Errorf("%s: %d", path, r.Status)
		}
		if status == 303 {
			continue
		}
		if !strings.Contains(r.Body, "Northwind &amp; Daughters</title>") || styleLink.FindString(r.Body) == "" || iconLink.FindString(r.Body) == "" || logoImage.FindString(r.Body) == "" {
			t.Errorf("%s lacks the brand", path)
		}
		if strings.Contains(r.Body, "Storeglass") {
			t.Errorf("%s names us", path)
		}
	}
	for _, path := range []string{"/", "/wall", "/stores/" + webtest.Own, "/people", "/account"} {
		if r := admin.Get(path); r.Status != 200 || logoImage.FindString(r.Body) == "" || styleLink.FindString(r.Body) == "" {
			t.Errorf("%s lacks the brand: %d", path, r.Status)
		}
	}
	nobody.Forgets("root@example.com")
	mails := w.Mails(smtp)
	if len(mails) != 1 || !strings.Contains(mails[0].Raw, "Subject: Set a new password for Northwind & Daughters") {
		t.Errorf("%+v", mails)
	}
}

// bySavedLink signs a tab in.
func bySavedLink(w *webtest.World, tab *browsertest.Tab, p access.Person) {
	w.T.Helper()
	secret, _, err := w.SignIn.CreateLink(w.T.Context(), p, 0)
	w.Must(err)
	tab.Show(w.T, w.HTTP.URL+"/sign-in/"+secret, 1440, "light")
	tab.Press(w.T, "main form button")
}
