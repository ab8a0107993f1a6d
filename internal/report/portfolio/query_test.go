package portfolio_test

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/report/stores"
)

func TestFiltersNarrowAndCountWhatTheOthersLeave(t *testing.T) {
	t.Parallel()
	a, b, c := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "EUR", reporttest.Noon), portfoliotest.New(t, "cedar", "Asia/Tokyo", "EUR", reporttest.Noon)
	a.Tags, b.Tags = []string{"vip"}, []string{"vip", "new"}
	a.Groups, c.Groups = []stores.Group{{ID: 1, Name: "North"}}, []stores.Group{{ID: 2, Name: "South"}}
	c.Paused = true
	for query, want := range map[string]string{
		"by=health":                         "Working: acme birch; Paused: cedar",
		"by=health&currency=EUR":            "Working: birch; Paused: cedar",
		"by=health&currency=eur":            "Working: birch; Paused: cedar",
		"by=health&tag=vip":                 "Working: acme birch",
		"by=health&tag=vip&currency=EUR":    "Working: birch",
		"by=health&group=2":                 "Paused: cedar",
		"by=health&group=7":                 "",
		"by=health&health=paused":           "Paused: cedar",
		"by=health&q=CEDAR.example":         "Paused: cedar",
		"by=health&q=%20Ac":                 "Working: acme",
		"by=health&q=zebra":                 "",
		"":                                  "acme birch cedar",
		"reverse=true":                      "cedar acme birch",
		"by=nothing":                        "acme birch cedar",
		"by=tag":                            "new: birch; vip: acme birch; No tag: cedar",
		"by=tag&tag=new":                    "new: birch",
		"by=currency":                       "EUR: birch cedar; USD: acme",
		"by=clock":                          "Tokyo time: cedar; UTC: acme birch",
		"by=group":                          "North: acme; South: cedar; In no group: birch",
		"by=nothing&sort=name":              "acme birch cedar",
		"by=nothing&sort=orders":            "acme birch cedar",
		"by=nothing&sort=name&reverse=true": "cedar birch acme",
	} {
		reporttest.Equal(t, query, list(t, query, reporttest.Noon, a, b, c).outline(), want)
	}
	p := list(t, "currency=EUR&tag=vip", reporttest.Noon, a, b, c)
	reporttest.Equal(t, "currencies", fmt.Sprint(p.Currencies), "[{EUR EUR 1 true} {USD USD 1 false}]")
	reporttest.Equal(t, "any currency", p.AnyCurrency, 2)
	reporttest.Equal(t, "tags", fmt.Sprint(p.Tags), "[{new new 1 false} {vip vip 1 true}]")
	reporttest.Equal(t, "groups", fmt.Sprint(p.Groups), "[{1 North 0 false} {2 South 0 false}]")
	reporttest.Equal(t, "of", fmt.Sprint(p.Matched, " of ", p.Known), "1 of 3")
}

func TestOrdersPutWhatHasNoNumberLast(t *testing.T) {
	t.Parallel()
	high, low, none := portfoliotest.New(t, "acme", "UTC", "USD", reporttest.Noon), portfoliotest.New(t, "birch", "UTC", "EUR", reporttest.Noon), portfoliotest.New(t, "cedar", "UTC", "JPY", reporttest.Noon)
	w := reporttest.Span("2026-10-21", "2026-11-19")
	high.Answered(w, "6000", 500, 1000)
	low.Answered(w, "2000", 100, 1000)
	none.Days, none.LastDay = nil, civil.Date{}
	high.UpsellAt, low.UpsellAt = reporttest.Noon.Add(-time.Minute), reporttest.Noon.Add(-time.Hour)
	for query, want := range map[string]string{
		"sort=orders": "acme birch cedar", "sort=orders&reverse=true": "birch acme cedar",
		"sort=rate": "acme birch cedar", "sort=rate&reverse=true": "birch acme cedar",
		"sort=delta": "acme birch cedar", "sort=delta&reverse=true": "birch acme cedar",
		"sort=freshness": "birch cedar acme", "sort=freshness&reverse=true": "acme cedar birch",
	} {
		reporttest.Equal(t, query, list(t, "by=nothing&"+query, reporttest.Noon, high, low, none).outline(), want)
	}
	gap := portfoliotest.New(t, "aspen", "UTC", "USD", reporttest.Noon) // it would have grown most
	for i := range gap.Days[30:] {
		gap.Days[30+i] = gap.Day(gap.Days[30+i].Window.Start.String(), "9000", 10, 100)
	}
	gap.Without("2026-11-03")
	for _, query := range []string{"sort=delta", "sort=delta&reverse=true"} {
		reporttest.Equal(t, query+" beside what isn't compared (N74)", list(t, "by=nothing&"+query, reporttest.Noon, gap, high).outline(), "acme aspen")
	}
}

func TestAListIsReadPageByPage(t *testing.T) {
	t.Parallel()
	var stores []portfoliotest.Store
	for i := range 230 {
		stores = append(stores, portfoliotest.New(t, fmt.Sprintf("store-%03d", i), "UTC", []string{"USD", "EUR"}[i%2], reporttest.Noon))
	}
	p := list(t, "page=5", reporttest.Noon, stores...)
	reporttest.Equal(t, "pages", p.Pages, 5)
	reporttest.Equal(t, "rows", len(p.Sections[0].Rows), 30)
	reporttest.Equal(t, "first", p.Sections[0].Rows[0].Store.Slug, "store-200")
	reporttest.Equal(t, "count of the heading", p.Sections[0].Count, 230)
	reporttest.Equal(t, "beyond", list(t, "page=9", reporttest.Noon, stores...).Page, 5)
	reporttest.Equal(t, "all", len(list(t, "show=all", reporttest.Noon, stores...).Sections[0].Rows), 230)
	// The page doesn't change the total.
	p = list(t, "currency=EUR&page=3", reporttest.Noon, stores...)
	reporttest.Equal(t, "rows", len(p.Sections[0].Rows), 15)
	reporttest.Equal(t, "total", p.Total.Value, decimal.NewFromInt(115*3000))
	reporttest.Equal(t, "oldest", p.Oldest.Name, "Store-001")
}

func TestAPortfolioQueryIsReadAndWrittenBack(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"", "window=last_7_days", "end=2026-11-05&start=2026-11-01", "compare=year", "currency=EUR", "group=7", "health=late", "q=caf%C3%A9",
		"tag=a+b", "by=clock&reverse=true&sort=delta", "page=4", "show=all", "compare=none&window=last_month",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := portfolio.ParseQuery(values, reporttest.Noon)
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
		reporttest.Equal(t, query, q.Values().Encode(), query)
		if q.Words(locale.English) == "" {
			t.Errorf("%s has no words", query)
		}
	}
	for query, field := range map[string]string{
		"window=fortnight": "window", "window=today": "window", "window=all": "window", "start=2026-11-05": "end", "start=2027-01-01&end=2027-01-02": "end",
		"compare=x": "compare", "currency=EURO": "currency", "currency=%3C%3E%22": "currency", "group=x": "group", "group=-1": "group", "health=ill": "health",
		"by=colour": "by", "sort=luck": "sort", "reverse=maybe": "reverse", "show=some": "show", "page=0": "page", "tag=" + strings.Repeat("x", 41): "tag",
		"q=" + strings.Repeat("x", 201): "q", "q=a%00b": "q", "q=%ff": "q", "tag=a%0Ab": "tag", "window=last_7_days&start=2026-11-01&end=2026-11-02": "window",
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		q, err := portfolio.ParseQuery(values, reporttest.Noon)
		wrong := (*report.ChoiceError)(nil)
		if !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%s: %v, want a word about %s", query, err, field)
		}
		if _, err := portfolio.ParseQuery(q.Values(), reporttest.Noon); err != nil {
			t.Errorf("%s: what was read of it can't be asked: %v", query, err)
		}
	}
	// In the first time zone it's already the 21st.
	if _, err := portfolio.ParseQuery(url.Values{"start": {"2026-11-20"}, "end": {"2026-11-21"}}, reporttest.Noon); err != nil {
		t.Errorf("a day that has begun somewhere: %v", err)
	}
}
