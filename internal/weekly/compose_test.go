package weekly_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image/png"
	"io"
	netmail "net/mail"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the stores' time zones, wherever this runs

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
	"golang.org/x/net/html"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
	reportweekly "github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/internal/weekly"
)

var update = flag.Bool("update", false, "write the golden mails again")

// It is 9:00 on Monday, 16 November 2026, in New York, just after the week ended.
var (
	monday = time.Date(2026, time.November, 16, 14, 0, 0, 0, time.UTC)
	first  = civil.Date{Year: 2026, Month: time.November, Day: 9}
)

var frame = weekly.Frame{
	Live: "https://glass.example/stores/fernhollow?start=2026-11-09&end=2026-11-15", Home: "https://glass.example",
	Sent:   "Sent to irene@fernhollow.example on Mondays, 08:00 New York time.",
	Change: "https://glass.example/mails/change", Stop: "https://glass.example/mails/stop",
}

func dec(text string) *decimal.Decimal { d := decimal.RequireFromString(text); return &d }

func whole(n int64) *int64 { return &n }

// shop is the stored data of the week and the week before, in any currency.
func shop(code string) report.Stored {
	week := reportweekly.ChoiceOf(first, first.AddDays(7))
	at := monday.Add(-8 * time.Hour)
	s := report.Stored{
		Store:       report.Store{Slug: "fernhollow", Name: "Fernhollow Outfitters", Timezone: "America/New_York", Currency: code},
		Credentials: []report.StoredCredential{{Service: "upsell", State: "good"}, {Service: "gift", State: "good"}},
		HistoryDays: 14, FirstDay: week.Against.Start, LastDay: week.Window.End, PulledAt: at,
		Alerts: []report.OpenAlert{{
			ID: 1, Rule: "placement-idle", Since: at.AddDate(0, 0, -20), Href: "/stores/fernhollow/offers?existing=true&placement=order_status&sort=priority", Rows: 3, Title: locale.M("alert.placement.off", "placement", "Order status page upsell"),
			Text: locale.Sentences{locale.M("alert.placement.exist", "n", 3)}, Do: locale.M("alert.do.placement", "place", locale.M("answers.place.order_status")),
			Effect: locale.Sentences{locale.M("alert.effect.week", "amount", locale.Money{Amount: *dec("1100"), Currency: code, Rounded: true}), locale.M("alert.effect.estimated", "days", locale.Period{Start: first.AddDays(-40), End: first.AddDays(-13)})},
		}},
	}
	summary := func(w report.Window, value string, upsold, orders int64) report.StoredSummary {
		return report.StoredSummary{
			Window: w, TotalUpsoldValue: *dec(value), TotalUpsoldOrders: upsold, TotalOrders: orders,
			OfferViews: whole(9 * orders), Currency: code, Source: "merchant", FetchedAt: at,
		}
	}
	s.Windows = []report.StoredSummary{summary(*week.Against, "11066.10", 297, 2196), summary(week.Window, "11943.49", 316, 2231)}
	for i, value := range []string{"1402.00", "1490.10", "1515.00", "1533.00", "1671.00", "1972.00", "1483.00", "1354.20", "1518.00", "1500.10", "1656.40", "1781.09", "2174.70", "1959.00"} {
		d := week.Against.Start.AddDays(i)
		s.Days = append(s.Days, summary(report.OneDay(d), value, 45, 318))
		s.DaysKept = append(s.DaysKept, d)
	}
	stat := func(w report.Window, p report.Placement, seen, claims int64, revenue *decimal.Decimal) report.StoredStat {
		return report.StoredStat{Window: w, Placement: p, Impressions: seen, Claims: claims, Revenue: revenue, Currency: code, ShopOfferCount: whole(14), FetchedAt: at}
	}
	s.StatWindows = []report.StoredStat{
		stat(*week.Against, report.PostPurchase, 3900, 170, dec("6588.29")), stat(*week.Against, report.ThankYou, 2800, 88, dec("3208.97")),
		stat(*week.Against, report.Coupon, 1500, 64, nil), stat(*week.Against, report.OrderStatus, 0, 0, dec("0")),
		stat(week.Window, report.PostPurchase, 4100, 201, dec("7655.59")), stat(week.Window, report.ThankYou, 2911, 95, dec("3398.29")),
		stat(week.Window, report.Coupon, 1604, 70, nil), stat(week.Window, report.OrderStatus, 0, 0, dec("0")),
	}
	for _, c := range []report.StoredCover{
		{Placement: report.PostPurchase, HasActive: true, ActiveCount: 4, TotalCount: 6}, {Placement: report.ThankYou, HasActive: true, ActiveCount: 3, TotalCount: 4},
		{Placement: report.Coupon, HasActive: true, ActiveCount: 1, TotalCount: 1}, {Placement: report.OrderStatus, TotalCount: 3},
	} {
		c.Window, c.Currency, c.FetchedAt = week.Window, code, at
		s.Coverage = append(s.Coverage, c)
	}
	s.TopLists = ranking(week.Window, code, "1 Trail socks, second pair 2790.10 67", "2 Headlamp spare batteries 1466.25 45", "3 Boot care kit 1401.60 34")
	s.Lifetime = &report.StoredLifetime{TotalRevenue: *dec("418220.75"), OfferViews: 812004, UpsoldOrders: 11031, Currency: code, FetchedAt: at}
	metric := func(now, before, change string) report.GiftMetric {
		return report.GiftMetric{Value: dec(now), Previous: dec(before), ChangePercent: dec(change)}
	}
	g := report.StoredGift{
		Window: week.Window, AskedDays: 7, Timezone: "America/New_York", Currency: code, FetchedAt: at, Basis: "reported",
		Orders: metric("88", "80", "10"), Revenue: metric("6120.50", "5800.25", "5.5"), ConversionRate: metric("3.9", "3.6", "8.3"),
		AOVByFG: metric("69.55", "72.50", "-4.1"), AOVStore: metric("58.10", "57.00", "1.9"),
	}
	g.ConversionRate.Unit = report.Percentage
	s.Gift = []report.StoredGift{g}
	return s
}

// ranking parses rows of an id, a name, revenue and claims.
func ranking(w report.Window, code string, rows ...string) []report.StoredTopList {
	high := report.StoredTopList{Window: w, Direction: "highest", Whole: true, ShopOfferCount: whole(14), Currency: code, FetchedAt: monday}
	for _, r := range rows {
		f := strings.Fields(r)
		n := len(f)
		claims := dec(f[n-1]).IntPart()
		high.Rows = append(high.Rows, report.TopRow{OfferID: f[0], Name: strings.Join(f[1:n-2], " "), Placement: report.ThankYou, Revenue: dec(f[n-2]), Claims: &claims})
	}
	low := high
	low.Direction, low.Rows = "lowest", slices.Clone(high.Rows)
	slices.Reverse(low.Rows)
	return []report.StoredTopList{high, low}
}

func week(s report.Stored, before ...string) reportweekly.Week {
	return weekIn(locale.English, s, before...)
}

func compose(t *testing.T, w reportweekly.Week, f weekly.Frame) weekly.Mail {
	t.Helper()
	m, err := weekly.Compose(w, f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var usualBefore = []string{"1 Trail socks, second pair 2100.00 50", "2 Headlamp spare batteries 1480.00 46", "4 Tent pegs 700.00 9"}

// missingDays is a week whose answer never came, with two days missing and one revised,
// and a day missing in the week before; the gift service failed.
func missingDays() report.Stored {
	s := shop("USD")
	s.Windows = nil
	s.Days = slices.DeleteFunc(s.Days, func(d report.StoredSummary) bool {
		day := d.Window.Start.Day
		return day == 4 || day == 11 || day == 12
	})
	s.Days[len(s.Days)-1].Revised = true
	s.DaysKept = nil
	for _, d := range s.Days {
		s.DaysKept = append(s.DaysKept, d.Window.Start)
	}
	s.StatWindows, s.TopLists, s.Gift = nil, nil, nil
	s.Ledger = []report.StoredPull{{
		Service: "gift", Pull: "gift.window", Outcome: "failed", Text: locale.Text("The service answered 500."), Attempts: 3,
		TriedAt: monday.Add(-time.Hour), FailingSince: monday.Add(-9 * time.Hour), DueAt: monday.Add(time.Hour),
	}}
	return s
}

// noOffers is a store with sales that has never made an offer.
func noOffers() report.Stored {
	s := shop("USD")
	for i := range s.Windows {
		s.Windows[i].TotalUpsoldValue, s.Windows[i].TotalUpsoldOrders, s.Windows[i].OfferViews = decimal.Zero, 0, whole(0)
	}
	for i := range s.Days {
		s.Days[i].TotalUpsoldValue, s.Days[i].TotalUpsoldOrders, s.Days[i].OfferViews = decimal.Zero, 0, whole(0)
	}
	for i := range s.StatWindows {
		r := &s.StatWindows[i]
		r.Impressions, r.Claims, r.ShopOfferCount = 0, 0, whole(0)
		if r.Revenue != nil {
			r.Revenue = dec("0")
		}
	}
	for i := range s.Coverage {
		s.Coverage[i].HasActive, s.Coverage[i].ActiveCount, s.Coverage[i].TotalCount, s.Alerts = false, 0, 0, nil
	}
	for i := range s.TopLists {
		s.TopLists[i].Rows, s.TopLists[i].ShopOfferCount = nil, whole(0)
	}
	s.Lifetime.TotalRevenue, s.Lifetime.OfferViews, s.Lifetime.UpsoldOrders = decimal.Zero, 0, 0
	s.Credentials, s.Gift = s.Credentials[:1], nil
	return s
}

// agency is the digest of n stores in a reader's language. Of each five, the first earned less and the
// third more, the fourth's token is refused and the fifth lacks a day.
func agency(t *testing.T, l locale.Locale, n int) reportweekly.Week {
	t.Helper()
	names := []string{"Fernhollow Outfitters", "Birch & Brine", "月夜 Lighting", "Quay Street Coffee", "Tallow and Thread " + strings.Repeat("of the Long Name ", 9)}
	zones, codes := []string{"America/New_York", "Europe/Berlin", "Asia/Tokyo", "America/Chicago", "Europe/London"}, []string{"USD", "EUR", "JPY", "USD", "GBP"}
	days := reportweekly.ChoiceOf(first, first.AddDays(7))
	all := make([]portfoliotest.Store, n)
	for i := range all {
		s := portfoliotest.New(t, fmt.Sprintf("store-%d", i), zones[i%5], codes[i%5], monday)
		s.Store.Name = names[i%5]
		s.Sold(*days.Against, "1429", 114, 945)
		s.Answered(*days.Against, "10000", 800, 6620)
		switch i % 5 {
		case 0:
			s.Sold(days.Window, "1286", 130, 914)
			s.Answered(days.Window, "9000", 910, 6400)
			s.Notes = []report.DayNote{{Start: first, End: first.AddDays(1), Text: "Autumn newsletter", ForClients: true}}
		case 1:
			s.Answered(days.Window, "10000", 910, 6400)
		case 2:
			s.Sold(days.Window, "1571", 165, 914)
			s.Answered(days.Window, "11000", 1155, 6400)
		case 3:
			since := monday.AddDate(0, 0, -20)
			s.Until(since.Format(time.DateOnly))
			s.Windows = nil
			s.Credentials[0] = report.StoredCredential{Service: "upsell", State: "paused", Cause: "token", PausedAt: since}
			s.Alerts, s.Need = 1, report.OpenAlert{Rule: "credential", Title: locale.M("store.need.upsell_token"), Since: since}
		case 4:
			s.Without(first.AddDays(2).String())
		}
		all[i] = s
	}
	return reportweekly.NewDigest(l, portfoliotest.List(t, l, reportweekly.DigestQuery(first), monday, all...), time.Time{})
}

func mails(t *testing.T) map[string]reportweekly.Week {
	t.Helper()
	return map[string]reportweekly.Week{"ordinary": week(shop("USD"), usualBefore...), "missing-days": week(missingDays()), "no-offers": week(noOffers()), "digest": agency(t, locale.English, 5)}
}

// revised is the frame of a reader whose last mail contained days that have changed since.
func revised() weekly.Frame {
	f := frame
	f.Changed = []report.ChangedDay{
		{Day: first.AddDays(-5), Was: *dec("1402.00"), WasCurrency: "USD", Is: *dec("1380.00"), IsCurrency: "USD"},
		{Day: first.AddDays(-2), Was: *dec("1972.00"), WasCurrency: "USD", Is: *dec("1810.55"), IsCurrency: "EUR"},
	}
	return f
}

func TestTheMailsReadAsTheyShould(t *testing.T) {
	t.Parallel()
	for name, w := range mails(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := frame
			if name == "missing-days" {
				f = revised()
			}
			m := compose(t, w, f)
			golden(t, name+".txt", "Subject: "+m.Subject+"\n\n"+m.Text)
		})
	}
}

// visible is what a reader sees or hears: the text, and the alternative text of pictures.
func visible(t *testing.T, page string) string {
	t.Helper()
	var b strings.Builder
	skip := false
	for z := html.NewTokenizer(strings.NewReader(page)); ; {
		switch z.Next() {
		case html.ErrorToken:
			if !errors.Is(z.Err(), io.EOF) {
				t.Fatal(z.Err())
			}
			return b.String()
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			skip = token.Data == "style" || token.Data == "title"
			for _, a := range token.Attr {
				if a.Key == "alt" {
					b.WriteString(" " + a.Val + " ")
				}
			}
			b.WriteByte(' ')
		case html.EndTagToken:
			skip = false
			b.WriteByte(' ')
		case html.TextToken:
			if !skip {
				b.Write([]byte(html.UnescapeString(string(z.Text()))))
			}
		}
	}
}

var number = regexp.MustCompile(`[\d][\d.,]*`)

func numbers(text string) map[string]bool {
	out := map[string]bool{}
	for _, n := range number.FindAllString(text, -1) {
		out[strings.TrimRight(n, ".,")] = true
	}
	return out
}

func TestAMailsButtonKeepsItsPaddingInOutlook(t *testing.T) {
	t.Parallel()
	for _, w := range mails(t) {
		mailtest.Buttons(t, compose(t, w, frame).HTML, 1)
	}
}

func TestTheTextSaysEveryNumberThatTheHTMLSays(t *testing.T) {
	t.Parallel()
	for name, w := range mails(t) {
		m := compose(t, w, frame)
		said, seen := numbers(m.Text), numbers(visible(t, m.HTML))
		if len(seen) < 12 {
			t.Fatalf("%s: only %d numbers were found in the HTML", name, len(seen))
		}
		for n := range seen {
			if !said[n] {
				t.Errorf("%s: %s stands in the HTML only", name, n)
			}
		}
	}
}

func TestPlacementsAreNeverSummed(t *testing.T) {
	t.Parallel()
	m := compose(t, week(shop("USD"), usualBefore...), frame)
	for what, sum := range map[string]string{"value": "11,053.88", "claims": "366", "impressions": "8,615", "with gifts": "18,063.99"} {
		if strings.Contains(m.Text+visible(t, m.HTML), sum) {
			t.Errorf("the sum of %s, %s, stands in the mail", what, sum)
		}
	}
}

func TestAmountsHaveTheirCurrencysDigits(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"JPY": "¥11,943 ", "BHD": "BHD\u00a011,943.490"} {
		m := compose(t, week(shop(code), usualBefore...), frame)
		for part, text := range map[string]string{"subject": m.Subject, "text": m.Text, "HTML": visible(t, m.HTML)} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q", part, want)
			}
		}
	}
}

func TestANameCantBecomeMarkupOrAHeader(t *testing.T) {
	t.Parallel()
	s := shop("USD")
	s.Store.Name = "<b>Bad</b>\r\nBcc: all@evil.example\u202e"
	for i := range s.TopLists {
		for j := range s.TopLists[i].Rows {
			s.TopLists[i].Rows[j].Name = `<img src=x onerror=alert(1)>"'{{.}}` + "\n\u2028"
		}
	}
	m := compose(t, week(s), frame)
	for _, wrong := range []string{"<img src=x", "<b>Bad"} {
		if strings.Contains(m.HTML, wrong) {
			t.Errorf("%s became markup", wrong)
		}
	}
	if strings.ContainsAny(m.Subject, "\r\n\u2028\u202e") {
		t.Errorf("the subject is %q", m.Subject)
	}
	raw, err := mail.Writer{From: netmail.Address{Address: "reports@glass.example"}}.Write(m.Message("irene@fernhollow.example"))
	if err != nil {
		t.Fatal(err)
	}
	read, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if bcc := read.Header.Get("Bcc"); bcc != "" || !strings.Contains(read.Header.Get("Subject"), "Bad") {
		t.Errorf("the headers are %v", read.Header)
	}
}

func TestAMailStaysUnderWhatGmailCuts(t *testing.T) {
	t.Parallel()
	s := shop("USD")
	var rows []string
	for i := range 50 {
		rows = append(rows, fmt.Sprintf("%d %s %d.00 5", i, strings.Repeat("Überlänge & <b> ", 300), 1000-i))
	}
	s.TopLists = ranking(first7(), "USD", rows...)
	s.Store.Name = strings.Repeat("Näme ", 400)
	for what, w := range map[string]reportweekly.Week{"of a store": week(s, rows...), "of a thousand stores": agency(t, locale.English, 1000)} {
		if m := compose(t, w, frame); len(m.HTML) >= 102*1000 {
			t.Errorf("the mail %s has %d bytes of HTML", what, len(m.HTML))
		}
	}
}

func first7() report.Window { return reportweekly.ChoiceOf(first, first).Window }

func TestAnotherBrandStandsInPlaceOfOurs(t *testing.T) {
	t.Parallel()
	accent, err := brand.ParseAccent("#7a1fa2")
	if err != nil {
		t.Fatal(err)
	}
	f := frame
	f.Brand = weekly.Brand{Name: "Peak <Agency>", Accent: accent}
	m := compose(t, week(shop("USD")), f)
	for part, text := range map[string]string{"HTML": m.HTML, "text": m.Text} {
		if strings.Contains(text, "Storeglass") || !strings.Contains(html.UnescapeString(text), "Peak <Agency>") {
			t.Errorf("the %s is not the brand's", part)
		}
	}
	if !strings.Contains(m.HTML, accent.Light()) || !strings.Contains(m.HTML, accent.Dark()) || strings.Contains(m.HTML, "#0e6259") {
		t.Error("the HTML is not in the brand's colour")
	}
	if slices.ContainsFunc(m.Pictures, func(p mail.Picture) bool { return p.ID == "logo" }) {
		t.Error("our mark stands beside another name")
	}
}

func TestEveryPictureIsInTheMailAndNothingIsOutside(t *testing.T) {
	t.Parallel()
	m := compose(t, week(shop("USD")), frame)
	var named []string
	for _, src := range regexp.MustCompile(`<img[^>]* src="([^"]*)"`).FindAllStringSubmatch(m.HTML, -1) {
		named = append(named, src[1])
	}
	var held []string
	for _, p := range m.Pictures {
		held = append(held, "cid:"+p.ID)
		size, err := png.DecodeConfig(bytes.NewReader(p.PNG))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(p.ID, "days") && size.Width != 2*524 {
			t.Errorf("%s is %d pixels wide, not twice what it is shown", p.ID, size.Width)
		}
	}
	slices.Sort(named)
	slices.Sort(held)
	if !slices.Equal(named, held) {
		t.Errorf("the HTML names %v, the mail holds %v", named, held)
	}
	if strings.Contains(m.HTML, "url(") || strings.Contains(m.HTML, "ZgotmplZ") {
		t.Error("the HTML reaches outside, or a value was refused")
	}
}

func TestTheSameWeekIsTheSameMail(t *testing.T) {
	t.Parallel()
	once, again := compose(t, week(shop("USD"), usualBefore...), frame), compose(t, week(shop("USD"), usualBefore...), frame)
	if once.HTML != again.HTML || once.Text != again.Text {
		t.Error("two mails of one week differ")
	}
	for i := range once.Pictures {
		if !bytes.Equal(once.Pictures[i].PNG, again.Pictures[i].PNG) {
			t.Errorf("%s differs", once.Pictures[i].ID)
		}
	}
}

func TestADayThatIsMissingIsDrawnOtherThanAZero(t *testing.T) {
	t.Parallel()
	gone, zero := shop("USD"), shop("USD")
	gone.Days = slices.Delete(gone.Days, 9, 10)
	zero.Days[9].TotalUpsoldValue = decimal.Zero
	a, b := compose(t, week(gone), frame), compose(t, week(zero), frame)
	if bytes.Equal(a.Pictures[0].PNG, b.Pictures[0].PNG) {
		t.Error("the chart draws a missing day as a zero")
	}
	if !strings.Contains(a.HTML, "Wed 11 Nov: missing") || !strings.Contains(a.Text, "11 Nov is missing") || strings.Contains(b.Text, "missing") {
		t.Error("a missing day is not named, or a zero is called missing")
	}
}
