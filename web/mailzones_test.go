package web_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"net/textproto"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/internal/report"
)

// mailWeek is the week that the mails are about; weekBefore the one before it.
var (
	mailWeek   = report.Window{Start: civil.Date{Year: 2026, Month: 11, Day: 16}, End: civil.Date{Year: 2026, Month: 11, Day: 22}}
	weekBefore = mailWeek.Previous()
)

const mailPatience = 6 * time.Hour

// apiNumbers are a summary as the API answers it.
type apiNumbers struct {
	Provenance apiProvenance `json:"provenance"`
	Empty      *report.Empty `json:"empty"`
	Currency   string
	Value      decimal.Decimal  `json:"total_upsold_value"`
	Upsold     int64            `json:"total_upsold_orders"`
	Orders     int64            `json:"total_orders"`
	Rate       *decimal.Decimal `json:"upsell_success_rate"`
	Average    *decimal.Decimal `json:"average_upsold_value"`
	Previous   *apiNumbers
}

// apiListed is a store in the API's list.
type apiListed struct {
	Slug        string
	NotCompared *string `json:"not_compared"`
	Summary     *apiNumbers
}

type apiProvenance struct {
	Basis    report.Basis
	Timezone string
	Window   *struct {
		Start, End civil.Date
		Days       int
	}
	Missing []civil.Date `json:"missing_days"`
}

func (p apiProvenance) window() report.Window {
	return report.Window{Start: p.Window.Start, End: p.Window.End}
}

func (p apiProvenance) whole() bool { return p.Window != nil && len(p.Missing) == 0 }

// label is the window label of the API's numbers.
func (p apiProvenance) label(t locale.Locale) string {
	w := p.window()
	dates, rest := report.Provenance{Window: &w, Missing: p.Missing, Timezone: p.Timezone, Basis: p.Basis}.Words(t)
	return dates + rest
}

// days are "9 – 15 Nov" and "6 of 7 days", and the label has both with the year.
func (p apiProvenance) days(t locale.Locale) (dates, covered string) {
	covered = t.Days(p.Window.Days)
	if n := len(p.Missing); n > 0 {
		covered = t.T("provenance.days_of", "counted", p.Window.Days-n, "n", p.Window.Days)
	}
	return t.DatesShort(p.window().Start, p.window().End), covered
}

// comparedWith names a window that another is compared with.
func comparedWith(t locale.Locale, label string, week bool) string {
	if week {
		return t.T("weekly.compared.week", "window", label)
	}
	return t.T("weekly.compared.days", "window", label)
}

// ask reads an answer of the API for the mails' week. Its last day may not have begun in the
// store: then the newest day that has begun is requested.
func (g *mailGrid) ask(s *zoneStore, path string, into any) {
	g.T.Helper()
	q := url.Values{"start": {mailWeek.Start.String()}, "end": {mailWeek.End.String()}}
	if s != nil {
		path = "/stores/" + s.slug + path
		if today := report.Today(g.Clock.Now(), s.loc); today.Before(mailWeek.End) {
			q.Set("end", today.String())
		}
	}
	r := g.api.Get("/api/v1" + path + "?" + q.Encode())
	if r.Status != 200 {
		g.T.Fatalf("%s: %d %s", path, r.Status, r.Body)
	}
	g.Must(json.Unmarshal([]byte(r.Body), into))
}

// expect notes one figure of a mail.
func (g *mailGrid) expect(mail, what, got string, wants ...string) {
	g.T.Helper()
	g.figures++
	for _, want := range wants {
		if !strings.Contains(got, want) {
			if g.wrong++; g.wrong < 20 {
				g.T.Errorf("%s, %s: %q is not in %q", mail, what, want, got)
			}
			return
		}
	}
}

// mailPart is a table of a mail as text.
type mailPart struct {
	title, label string
	rows         map[string]string
}

// readMail is a mail as it was delivered: its subject, its text, and its tables by title.
func (g *mailGrid) readMail(m mailtest.Mail) (subject, text string, tables map[string]mailPart, t locale.Locale) {
	g.T.Helper()
	whole, err := netmail.ReadMessage(strings.NewReader(m.Raw))
	g.Must(err)
	subject, err = new(mime.WordDecoder).DecodeHeader(whole.Header.Get("Subject"))
	g.Must(err)
	t, _ = locale.Of(whole.Header.Get("Content-Language"))
	text, err = plainPart(textproto.MIMEHeader(whole.Header), whole.Body)
	g.Must(err)
	text = strings.ReplaceAll(text, "\r\n", "\n")
	tables = map[string]mailPart{}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i == 0 || i+1 == len(lines) || line == "" || strings.Trim(line, "-") != "" || line == "--" {
			continue
		}
		p := mailPart{title: lines[i-1], label: lines[i+1], rows: map[string]string{}}
		for _, row := range lines[i+2:] {
			if row == "" {
				break
			}
			if name, said, ok := strings.Cut(row, t.T("unit.colon")); ok && !strings.HasPrefix(row, " ") {
				p.rows[name] = said
			}
		}
		title, _, _ := strings.Cut(p.title, " (")
		tables[title] = p
	}
	return subject, text, tables, t
}

// plainPart is a mail's text without markup.
func plainPart(header textproto.MIMEHeader, body io.Reader) (string, error) {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return "", err
	}
	if strings.HasPrefix(kind, "multipart/") { // the text is the first of them
		part, err := multipart.NewReader(body, params["boundary"]).NextRawPart()
		if err != nil {
			return "", err
		}
		return plainPart(part.Header, part)
	}
	switch header.Get("Content-Transfer-Encoding") {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}

// checkDigest compares a digest with the list and the summaries of the API.
func (g *mailGrid) checkDigest(mail string, m mailtest.Mail) {
	g.T.Helper()
	subject, text, tables, t := g.readMail(m)
	var list struct{ Stores []apiListed }
	g.ask(nil, "/stores", &list)
	var more, less, compared int64
	all := tables[t.T("digest.all_stores")]
	for i, s := range g.stores {
		var n apiNumbers
		g.ask(s, "/summary", &n)
		at := slices.IndexFunc(list.Stores, func(l apiListed) bool { return l.Slug == s.slug })
		name, who := fmt.Sprintf("Store %02d", i), mail+", "+s.slug
		row := all.rows[name]
		if n.Empty != nil {
			g.expect(who, "no numbers", row, map[bool]string{true: t.T("digest.two_currencies"), false: t.T("digest.no_numbers")}[s.second != ""])
			full := false // the mail counts the rest
			for more := range len(g.stores) {
				full = full || strings.Contains(text, t.T("digest.more_not_whole", "n", int64(more+1)))
			}
			if !full {
				g.expect(who, "what is missing", text, "* "+name)
			}
			continue
		}
		g.checkRow(who, t, all.label, row, n)
		listed := list.Stores[at]
		if listed.Summary == nil || listed.NotCompared != nil || listed.Summary.Previous == nil {
			continue // a store without offers has zeros that nothing is compared with
		}
		compared++
		before := n.Previous.Provenance.window()
		change := t.Change(&n.Value, &n.Previous.Value)
		g.expect(who, "change", row, change.String())
		if !strings.Contains(row, t.DatesShort(before.Start, before.End)) {
			g.expect(who, "baseline", text, comparedWith(t, t.Dates(before.Start, before.End)+" · "+t.Days(before.Days()), before.Days() == 7))
		}
		switch n.Value.Cmp(n.Previous.Value) {
		case 1:
			more++
		case -1:
			less++
		}
		for _, title := range []string{t.T("digest.grew_most"), t.T("digest.fell_most")} {
			if moved, ok := tables[title].rows[name]; ok {
				g.expect(who, "moved", moved, change.String(), t.Money(n.Value, n.Currency).String(), t.Money(n.Previous.Value, n.Currency).String())
				g.checkDays(who, t, tables[title].label, moved, n)
			}
		}
	}
	if compared > 0 {
		g.expect(mail, "subject", subject, t.T("digest.subject.more", "n", more)+", "+t.T("digest.subject.less", "n", less))
	}
	g.expect(mail, "stores compared", text, ", "+t.T("digest.of_compared", "n", compared)+"\n")
}

// checkRow compares a row with the API's numbers.
func (g *mailGrid) checkRow(mail string, t locale.Locale, label, row string, n apiNumbers) {
	g.T.Helper()
	g.expect(mail, "value", row, t.Money(n.Value, n.Currency).String())
	g.expect(mail, "orders", row, t.T("digest.upsold_of", "n", n.Upsold, "rate", t.Share(n.Rate).String(), "orders", n.Orders))
	g.checkDays(mail, t, label, row, n)
}

// checkDays compares window and days counted: the heading's, unless the row has its own.
func (g *mailGrid) checkDays(mail string, t locale.Locale, label, row string, n apiNumbers) {
	g.T.Helper()
	dates, covered := n.Provenance.days(t)
	if !strings.Contains(row, dates+" · "+covered) {
		g.expect(mail, "window and days", label, t.Dates(n.Provenance.window().Start, n.Provenance.window().End)+" · "+covered)
		return
	}
	g.figures++
}

// checkStore compares the mail about a store with the API.
func (g *mailGrid) checkStore(mail string, m mailtest.Mail, s *zoneStore) {
	g.T.Helper()
	_, text, tables, t := g.readMail(m)
	var n apiNumbers
	g.ask(s, "/summary", &n)
	if n.Empty != nil {
		g.expect(mail, "no numbers", text, t.T("weekly.part.upsells"))
		return
	}
	g.expect(mail, "window and days", text, "\n"+n.Provenance.label(t)+"\n")
	comparable := n.Previous != nil && n.Provenance.whole() && n.Previous.Provenance.whole() && n.Currency == n.Previous.Currency
	var before apiNumbers
	var value *decimal.Decimal
	var upsold *int64
	if comparable {
		before, value, upsold = *n.Previous, &n.Previous.Value, &n.Previous.Upsold
		g.expect(mail, "baseline", text, "\n"+comparedWith(t, before.Provenance.label(t), before.Provenance.Window.Days == 7)+"\n")
	}
	line := func(name, value string, change locale.Delta, was string) {
		if !comparable || was == value {
			g.expect(mail, name, text, "\n"+name+t.T("unit.colon")+value+", "+change.String()+"\n")
			return
		}
		g.expect(mail, name, text, "\n"+name+t.T("unit.colon")+value+", "+change.String()+" ("+t.T("change.was", "amount", was)+")\n")
	}
	line(t.T("figure.upsold_value"), t.Money(n.Value, n.Currency).String(), t.Change(&n.Value, value), t.Money(before.Value, n.Currency).String())
	line(t.T("figure.upsold_orders"), t.Count(n.Upsold), t.ChangeCount(&n.Upsold, upsold), t.Count(before.Upsold))
	rate, rateWas, rateChange := t.CompareShares(n.Rate, before.Rate)
	line(t.T("figure.success_rate"), rate.String(), rateChange, rateWas.String())
	g.expect(mail, "average", text, "\n"+t.T("figure.average_value")+t.T("unit.colon")+t.MoneyOrDash(n.Average, n.Currency).String())
	g.checkParts(mail, s, t, text, tables)
}

// checkParts compares the days and the placements of a store's mail.
func (g *mailGrid) checkParts(mail string, s *zoneStore, t locale.Locale, text string, tables map[string]mailPart) {
	g.T.Helper()
	var history struct {
		Days []struct {
			Day      civil.Date
			Stored   bool
			Value    *decimal.Decimal
			Currency string
		}
	}
	g.ask(s, "/history", &history)
	for _, d := range history.Days {
		said := t.T("weekly.no_day")
		if d.Stored {
			said = t.Money(*d.Value, d.Currency).String()
		}
		g.expect(mail, "day", text, "\n"+t.Weekday(d.Day)+t.T("unit.colon")+said)
	}
	var placed struct {
		apiNumbers
		Placements []struct {
			Placement report.Placement
			Revenue   *decimal.Decimal
			Claims    *int64
		}
	}
	g.ask(s, "/placements", &placed)
	table := tables[t.T("weekly.placements")]
	if placed.Empty != nil {
		return
	}
	g.expect(mail, "placements' window", table.label, placed.Provenance.label(t))
	for _, p := range placed.Placements {
		said := t.T("weekly.revenue_not_reported")
		if p.Revenue != nil {
			said = t.Money(*p.Revenue, placed.Currency).String()
		}
		g.expect(mail, string(p.Placement), table.rows[p.Placement.Name().In(t)], said, t.T("figure.claims", "n", *p.Claims))
	}
}

// waitsWell checks that a digest sent before its deadline left out nothing that could still
// have come.
func (g *mailGrid) waitsWell(mail string, due time.Time) {
	g.T.Helper()
	until := due.Add(mailPatience)
	if now := g.Clock.Now(); !now.Before(until) || now.Before(due) {
		g.figures++
		if now.Before(due) {
			g.T.Errorf("%s came %s before its hour", mail, due.Sub(now))
		}
		return
	}
	for _, s := range g.stores {
		last := report.Today(until, s.loc).AddDays(-1)
		if mailWeek.End.Before(last) {
			last = mailWeek.End
		}
		if g.figures++; !s.still && !s.next.After(last) {
			g.wrong++
			g.T.Errorf("%s came without %s of %s, which ends within its patience", mail, last, s.slug)
		}
	}
}

// run lets the hours pass in which the mails go out, and checks each on its arrival.
func (g *mailGrid) run() (digests, mails int) {
	g.T.Helper()
	start := time.Date(2026, 11, 22, 14, 30, 0, 0, time.UTC)
	g.Clock.Add(start.Sub(g.Clock.Now()))
	for range 34 { // to six hours after Monday 5:00 in Pago Pago
		g.Clock.Add(time.Hour)
		g.arrive()
		for _, m := range g.round() {
			zone := g.readers[m.To]
			loc, err := report.Zone(zone)
			g.Must(err)
			due := time.Date(2026, 11, 23, 5, 0, 0, 0, loc)
			i := slices.IndexFunc(g.stores, func(s *zoneStore) bool { return strings.Contains(strings.ReplaceAll(m.Raw, "=\r\n", ""), s.slug) })
			if strings.Contains(m.Raw, "List-Unsubscribe") && g.aboutAll(m) {
				digests++
				mail := "digest for " + zone
				g.waitsWell(mail, due)
				g.checkDigest(mail, m)
				continue
			}
			mails++
			g.checkStore("mail of "+g.stores[i].slug+" for "+zone, m, g.stores[i])
		}
	}
	return digests, mails
}

// aboutAll reports whether the mail is about all stores.
func (g *mailGrid) aboutAll(m mailtest.Mail) bool {
	_, _, tables, t := g.readMail(m)
	_, all := tables[t.T("digest.all_stores")]
	return all
}

// readersOfMails is how many zones mails are read in: a few, or all twelve.
func readersOfMails(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("MAIL_ZONES")); err == nil {
		return min(n, len(mailZones))
	}
	return usual
}

func TestDeliveredMailsSayWhatTheAPISaysInEveryZone_N71_N72(t *testing.T) {
	t.Parallel()
	for name, odd := range map[string]bool{"healthy stores": false, "late, refused, paused and empty stores": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			readers := readersOfMails(4)
			g := newMailGrid(t, readers, odd)
			digests, mails := g.run()
			t.Logf("%d digests and %d mails of one store, %d readers' zones × %d stores' zones: %d figures compared with the API, %d wrong",
				digests, mails, readers, len(mailZones), g.figures, g.wrong)
			if digests != readers || mails != readers*len(mailZones) {
				t.Errorf("%d digests and %d mails arrived", digests, mails)
			}
		})
	}
}
