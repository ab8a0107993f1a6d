package webtest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"io"
	netmail "net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/web/site"
)

// Watched marks the stores as being checked.
func (w *World) Watched() {
	w.T.Helper()
	w.Exec(`insert into alert_checks (store_id, next_at) select id, $1 from stores on conflict (store_id) do update set next_at = $1`, w.Clock.Now())
}

// Outage opens an outage alert in the own store and returns its id.
func (w *World) Outage(rule, subject string) (id string) {
	w.T.Helper()
	return w.Column(`insert into alerts (store_id, rule, subject, since, opened_at, title, text, href, evidence)
		select id, '` + rule + `', '` + subject + `', '2026-11-20 14:00Z', '2026-11-20 14:10Z', '"Trouble with ` + subject + `"', '["It was 6.1% on 19 Nov 2026."]', '/stores/acme/sync', '{"day": {"day": "2026-11-19", "year": true}, "figure": "6.1%", "many": "true"}'
		from stores where slug = 'acme' returning id::text`)[0]
}

// Rotating is a different address for each try.
func Rotating(i int) string { return netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}).String() }

// Audit lists what was recorded since the last call as "actor action store subject", oldest first,
// and then what was counted as "counted action person share".
func (w *World) Audit() []string {
	w.T.Helper()
	records, err := w.AuditLog.Records(w.T.Context(), audit.Filter{}, 1000)
	w.Must(err)
	var out []string
	for _, r := range slices.Backward(records) {
		if r.ID > w.audited {
			out = append(out, strings.Join(strings.Fields(strings.Join([]string{string(r.Actor.Kind), r.Actor.Name, string(r.Action), r.Store, r.Words(locale.English)}, " ")), " "))
		}
	}
	if len(records) > 0 {
		w.audited = records[0].ID
	}
	counts, err := w.AuditLog.Counts(w.T.Context(), audit.Filter{}, 1000)
	w.Must(err)
	for _, c := range counts {
		what := strings.TrimSpace("counted " + string(c.Action) + " " + c.Person + c.Share)
		times := c.Times
		c.Times = 0
		for range times - w.countedBefore[c] {
			out = append(out, what)
		}
		w.countedBefore[c] = times
	}
	return out
}

func (w *World) Recorded(want ...string) {
	w.T.Helper()
	if got := w.Audit(); !slices.Equal(got, want) {
		w.T.Errorf("recorded\n %s\nwant\n %s", strings.Join(got, "\n "), strings.Join(want, "\n "))
	}
}

var BounceSecret = strings.Repeat("bounce", 6)

// WholeText is the body; of a spreadsheet, every part of it.
func WholeText(r Response) string {
	if !strings.HasPrefix(r.Body, "PK") {
		return r.Body
	}
	z, err := zip.NewReader(bytes.NewReader([]byte(r.Body)), int64(len(r.Body)))
	if err != nil {
		return r.Body
	}
	var b strings.Builder
	for _, f := range z.File {
		if part, err := f.Open(); err == nil {
			_, _ = io.Copy(&b, part)
			_ = part.Close()
		}
	}
	return b.String()
}

// StoredTexts reads one column of texts, which may be empty.
func (w *World) StoredTexts(sql string, args ...any) []string {
	w.T.Helper()
	rows, err := w.DB.Pool.Query(w.T.Context(), sql, args...)
	w.Must(err)
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	w.Must(err)
	return out
}

// File reads a CSV answer into rows by column name.
func File(t *testing.T, r Response) []map[string]string {
	t.Helper()
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	records, err := csv.NewReader(strings.NewReader(r.Body)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}

var mailFrom = netmail.Address{Name: "Storeglass", Address: "reports@example.com"}

func (b *Browser) Forgets(email string) Response {
	b.W.T.Helper()
	return b.Post("/sign-in/forgotten", url.Values{"email": {email}})
}

// Column reads texts from the database.
func (w *World) Column(sql string) (out []string) {
	w.T.Helper()
	rows, err := w.DB.Pool.Query(w.T.Context(), sql)
	w.Must(err)
	defer rows.Close()
	for rows.Next() {
		var s string
		w.Must(rows.Scan(&s))
		out = append(out, s)
	}
	w.Must(rows.Err())
	if len(out) == 0 {
		w.T.Fatalf("no row: %s", sql)
	}
	return out
}

// mailed is a Mailer over a real mail server, as the program has it.
type mailed struct{ *mail.Sender }

func (m mailed) Send(ctx context.Context, msg site.Mail) error {
	return m.Sender.Send(ctx, mail.Message{To: msg.To, Subject: msg.Subject, Text: msg.Text, HTML: msg.HTML})
}

// HasMail gives the world's server a mail server.
func (w *World) HasMail() *mailtest.Server {
	w.T.Helper()
	smtp := mailtest.Start(w.T, mailtest.Plain)
	u, err := url.Parse("smtp://" + smtp.Addr)
	w.Must(err)
	s, err := mail.New(u, mailFrom)
	w.Must(err)
	w.Server.Mail = mailed{s}
	return smtp
}

// Mails are those that the server has sent, once it has nothing left to do.
func (w *World) Mails(s *mailtest.Server) (all []mailtest.Mail) {
	w.T.Helper()
	w.Must(w.Server.Wait(w.T.Context()))
	for {
		select {
		case m := <-s.Got:
			m.Raw = strings.ReplaceAll(m.Raw, "=\r\n", "")
			all = append(all, m)
		default:
			return all
		}
	}
}

func (w *World) Invited(email string) (access.Person, string) {
	w.T.Helper()
	p, secret, _, err := w.SignIn.InvitePerson(audit.Acting(w.T.Context(), w.Person.Actor()), signin.Invite{Email: email, Role: access.Agency, Stores: []string{Own}})
	w.Must(err)
	return p, secret
}

const (
	GoodPassword  = "four words to guess"
	OtherPassword = "four other words here"
)

// HasPassword gives the world's person a password.
func (w *World) HasPassword() {
	w.T.Helper()
	w.Must(w.SignIn.SetPassword(w.T.Context(), w.Person, GoodPassword, 0))
}

func (b *Browser) SignIn(email, password string) Response {
	b.W.T.Helper()
	return b.Post("/sign-in", url.Values{"email": {email}, "password": {password}})
}

// Admin is another person, who manages people, with a signed-in browser.
func (w *World) Admin(email string) (access.Person, *Browser) {
	w.T.Helper()
	p, err := w.Access.CreatePerson(w.T.Context(), email, "", access.Admin)
	w.Must(err)
	return p, w.SignedInAs(p)
}

// Submit is Send for forms that repeat a field.
func (b *Browser) Submit(path string, form url.Values) Response {
	b.W.T.Helper()
	if form == nil {
		form = url.Values{}
	}
	form.Set("csrf", b.CSRF())
	return b.Post(path, form)
}

// OpenedWith is the hidden field that says what a form was filled in with; "" without one.
func OpenedWith(r Response) string {
	_, after, _ := strings.Cut(r.Body, `name="opened" value="`)
	value, _, _ := strings.Cut(after, `"`)
	return value
}

// WrongField is the name of the field that a refused form says is wrong, beside it and to screen
// readers; "" if it names none.
func WrongField(r Response) string {
	beside := regexp.MustCompile(`<p class="form-problem" id="(([a-z_]+)-problem)">[^<]`).FindStringSubmatch(r.Body)
	if beside == nil || !strings.Contains(r.Body, `aria-invalid="true"`) || !regexp.MustCompile(`aria-describedby="`+beside[1]+`[ "]`).MatchString(r.Body) {
		return ""
	}
	return beside[2]
}

// Address fills a route's pattern in.
func Address(r site.Route, slug string) string {
	path := strings.NewReplacer(":slug", slug, ":token", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ":name", "overview", ":service", "upsell", ":pending", strings.Repeat("A", 26), "campaigns/:id", "campaigns/"+slug+"-campaign-1", ":id", slug+"-offer-1", "*", "app.css").Replace(r.Path)
	if strings.HasSuffix(path, "/replies") {
		path += "?pull=lifetime"
	}
	return path
}

// Leaks reports what must never be in an answer about a store that the principal may not see.
func Leaks(r Response) string {
	for _, secret := range []string{Canary, "birch.example.com", "123456.78"} {
		if strings.Contains(r.Body, secret) {
			return secret
		}
	}
	return foreignCurrency.FindString(r.Body)
}

// foreignCurrency must be a word of its own: a token may contain the three letters by chance.
var foreignCurrency = regexp.MustCompile(`(?:^|[^\w-])EUR(?:[^\w-]|$)`)

// OwnLinkSecret is the secret of a link to everything that a link can show of the own store.
var OwnLinkSecret = strings.Repeat("A", 43)

// OwnLink makes that link.
func (w *World) OwnLink() {
	w.T.Helper()
	w.Exec(`insert into shares (store_id, token_hash, label, pages, preset, created_by, created_at, expires_at)
		select s.id, sha256(convert_to($1, 'UTF8')), 'For everyone', '{overview,placements,offers,gift}', 'last_30_days', $2, $3, $3::timestamptz + interval '30 days'
		from stores s where s.slug = $4`, OwnLinkSecret, w.Person.ID, w.Clock.Now(), Own)
}

// Scoped is the store as the world's person holds it.
func (w *World) Scoped(slug string) db.ScopedStore {
	w.T.Helper()
	scope, err := w.DB.ScopeOfPerson(w.T.Context(), w.Person.ID)
	w.Must(err)
	store, err := w.DB.Store(w.T.Context(), scope, slug)
	w.Must(err)
	return store
}

// Share makes a link to all pages of the last 30 days, changed as wanted, and
// returns its address.
func (w *World) Share(change func(*sharing.Draft)) string {
	w.T.Helper()
	n := sharing.Draft{
		By: w.Person.ID, Label: "For the board", Pages: sharing.Pages, Window: sharing.Window{Preset: "last_30_days"},
		Until: w.Clock.Now().AddDate(0, 0, 30),
	}
	if change != nil {
		change(&n)
	}
	secret, err := w.Shares.Create(w.T.Context(), w.Scoped(Own), n)
	w.Must(err)
	return "/share/" + secret
}

// Agency is a browser of the world's person, who sees four stores besides the foreign one: two
// in dollars, one in euros, one in yen.
func (w *World) Agency() *Browser {
	w.T.Helper()
	w.Store("cedar", "Cedar Works", "USD")
	w.Store("dogwood", "Dogwood Tea", "EUR")
	w.Store("elm", "Elm Street", "JPY")
	for _, slug := range []string{"cedar", "dogwood", "elm"} {
		w.Must(w.Access.GrantPerson(w.T.Context(), w.Person.ID, slug))
	}
	return w.SignedIn()
}

// Words are what a page says, closed notes left out.
func Words(r Response) string {
	root, err := html.Parse(strings.NewReader(r.Body))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
		for _, a := range n.Attr {
			if a.Key == "popover" {
				return
			}
		}
		if n.Data == "script" || n.Data == "symbol" || n.Data == "noscript" {
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(root)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (w *World) Has(r Response, want ...string) {
	w.T.Helper()
	text := Words(r)
	for _, each := range want {
		if !strings.Contains(text, each) {
			w.T.Errorf("%q is not in: %s", each, text)
		}
	}
}

func (w *World) HasNot(r Response, unwanted ...string) {
	w.T.Helper()
	text := Words(r)
	for _, each := range unwanted {
		if strings.Contains(text, each) {
			w.T.Errorf("%q is in: %s", each, text)
		}
	}
}
