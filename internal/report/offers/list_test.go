package offers

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/storeglass/storeglass/internal/locale"
)

func parseFilter(t *testing.T, query string) (report.OfferFilter, string) {
	t.Helper()
	q, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	f, err := report.ParseOfferFilter(q)
	var wrong *report.ChoiceError
	if err != nil && !errors.As(err, &wrong) {
		t.Fatalf("%s: %T", query, err)
	}
	if wrong == nil {
		return f, ""
	}
	return f, wrong.Field
}

func TestOfferFilterIsReadFromTheAddressAndWrittenBack(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]report.OfferFilter{
		"":                                      {Sort: report.SortValue, Page: 1},
		"query=&status=&placement=&sort=newest": {Sort: report.SortNewest, Page: 1},
		"query=+Socks+&status=active":           {Query: "Socks", Status: "active", Sort: report.SortValue, Page: 1},
		"placement=thank_you&sort=priority&page=3":      {Placement: report.ThankYou, Sort: report.SortPriority, Page: 3},
		"placement=Coupon+offer&ab_test=true":           {Placement: report.Coupon, ABTest: true, Sort: report.SortValue, Page: 1},
		"sort=claims_reversed":                          {Sort: "claims_reversed", Page: 1},
		"never_earned=true&sort=revenue_low&page=00002": {NeverEarned: true, Sort: report.SortRevenueLow, Page: 2},
		"trigger_deleted=true":                          {TriggerDeleted: true, Sort: report.SortValue, Page: 1},
	} {
		f, wrong := parseFilter(t, query)
		if wrong != "" {
			t.Errorf("%s is refused for %s", query, wrong)
		}
		reporttest.Equal(t, query, f, want)
		again, _ := parseFilter(t, f.Values().Encode())
		reporttest.Equal(t, query+", written and read again", again, want)
	}
}

func TestOfferFilterThatCantBeAskedIsRefusedWithItsField(t *testing.T) {
	t.Parallel()
	for query, field := range map[string]string{
		"status=deleted": "status", "sort=best": "sort", "sort=newest_reversed": "sort", "page=0": "page", "page=-1": "page", "page=x": "page", "page=99999999999999999999": "page",
		"ab_test=yes": "ab_test", "never_earned=1": "never_earned", "query=%00": "query", "query=%ff": "query", "placement=a%00": "placement",
		"query=" + strings.Repeat("a", 201): "query", "sort=priority": "sort",
	} {
		f, got := parseFilter(t, query)
		reporttest.Equal(t, query, got, field)
		if f.Page < 1 || f.Sort == "" {
			t.Errorf("%s leaves a filter that can't be shown: %+v", query, f)
		}
	}
}

func TestUnknownPlacementCanBeAskedForAsTheServiceSentIt_N31(t *testing.T) {
	t.Parallel()
	f, wrong := parseFilter(t, "placement=Cart+drawer+upsell")
	reporttest.Equal(t, "refused for", wrong, "")
	reporttest.Equal(t, "placement", f.Placement, report.Placement("Cart drawer upsell"))
	in := storedOffers(Row{ID: "1", Placement: "Cart drawer upsell", Status: "on hold"})
	l := NewList(locale.English, in, f, reporttest.Noon)
	reporttest.Equal(t, "flag", l.Provenance.Has(report.FlagUnknownValue), true)
	reporttest.Equal(t, "status", l.Rows[0].Status, "on hold")
}

// storedOffers is a connected store with a finished walk over the rows.
func storedOffers(rows ...Row) StoredList {
	n := int64(len(rows))
	return StoredList{
		Store: reporttest.Acme, Credentials: reporttest.Connected().Credentials, Rows: rows,
		Walk: &StoredWalk{FinishedAt: reporttest.Noon.Add(-time.Hour), Seen: n, Counted: &n, Calls: 2},
	}
}

func TestTheListSaysHowCompleteItIs_N7_N9_N10(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		walk  *StoredWalk
		words string
		whole bool
		flag  report.Flag
	}{
		"none":                   {&StoredWalk{Counted: reporttest.N64(0)}, "No offers yet", true, ""},
		"whole":                  {&StoredWalk{Seen: 1840, Counted: reporttest.N64(1840)}, "All 1,840 offers loaded", true, ""},
		"clamped":                {&StoredWalk{Seen: 1000, Counted: reporttest.N64(1840), Clamped: true}, "1,000 of 1,840 offers loaded; the app doesn’t list the rest", false, report.FlagCut},
		"clamped, no end":        {&StoredWalk{Seen: 1000, Clamped: true}, "1,000 offers loaded; the app has more but doesn’t list them", false, report.FlagCut},
		"clamped, both ends met": {&StoredWalk{Seen: 1500, Counted: reporttest.N64(1500), Clamped: true}, "All 1,500 offers loaded", true, ""},
		"not counted":            {&StoredWalk{Seen: 30}, "30 offers loaded; the app didn’t confirm the number", false, report.FlagIncomplete},
		"moved":                  {&StoredWalk{Seen: 29, Counted: reporttest.N64(30)}, "29 offers loaded, but the app counts 30; checked again at the next update", false, report.FlagIncomplete},
		"never":                  {nil, "Not fully loaded yet", false, ""},
	} {
		in := storedOffers(Row{ID: "1", Placement: report.ThankYou})
		in.Walk = c.walk
		l := NewList(locale.English, in, report.OfferFilter{Page: 1}, reporttest.Noon)
		reporttest.Equal(t, name, l.Verified.Words, c.words)
		reporttest.Equal(t, name+", whole", l.Verified.Whole, c.whole)
		if c.flag != "" && !l.Provenance.Has(c.flag) || c.flag == "" && len(l.Provenance.Flags) > 0 {
			t.Errorf("%s: flags %v, want %q", name, l.Provenance.Flags, c.flag)
		}
	}
}

func TestAllTimeRevenueHasNoWindowAndCouponsHaveNone_N12_N13(t *testing.T) {
	t.Parallel()
	l := NewList(locale.English, storedOffers(Row{ID: "1", Placement: report.ThankYou, RevenueAllTime: reporttest.Dec("0"), Currency: "USD"}, Row{ID: "2", Placement: report.Coupon, Currency: "USD"}), report.OfferFilter{Page: 1}, reporttest.Noon)
	if l.Provenance.Window != nil {
		t.Errorf("all-time revenue has the window %v", l.Provenance.Window)
	}
	f, reported := l.Rows[0].Earned(locale.English)
	reporttest.Equal(t, "nothing earned", f.String(), "$0.00")
	reporttest.Equal(t, "is reported", reported, true)
	f, reported = l.Rows[1].Earned(locale.English)
	reporttest.Equal(t, "a coupon's", f.String(), "not reported")
	reporttest.Equal(t, "is reported", reported, false)
}

func TestOnlySafeAddressesOfLivingOffersLead_N17(t *testing.T) {
	t.Parallel()
	for address, safe := range map[string]bool{
		"https://admin.example/offers/1": true, "http://admin.example/1": false, "javascript:alert(1)": false, "https://": false,
		"https://user:pw@admin.example/1": false, "//admin.example": false, "": false, "https://admin.example/\x7f": false,
	} {
		l := NewList(locale.English, storedOffers(Row{ID: "1", URL: address}), report.OfferFilter{Page: 1}, reporttest.Noon)
		if got := l.Rows[0].URL != ""; got != safe {
			t.Errorf("%q leads: %v", address, got)
		}
	}
	l := NewList(locale.English, storedOffers(Row{ID: "1", URL: "https://admin.example/1", Deleted: true}), report.OfferFilter{Page: 1}, reporttest.Noon)
	reporttest.Equal(t, "a deleted offer's address", l.Rows[0].URL, "")
}

func TestAnEmptyListSaysWhy_N15(t *testing.T) {
	t.Parallel()
	none := storedOffers()
	unread := none
	unread.Walk = nil
	apart := unread
	apart.Credentials = nil
	failed := unread
	failed.Ledger = []report.StoredPull{reporttest.BadPull("offers", "", "failed", "Server error (500)")}
	for name, c := range map[string]struct {
		in    StoredList
		cause report.Cause
		title string
	}{
		"no offers":     {none, report.CauseNoOffers, "No offers yet"},
		"not read":      {unread, report.CauseFilling, "The offer list is on its way"},
		"not connected": {apart, report.CauseNeverConnected, "Upsells aren’t connected"},
		"failed":        {failed, report.CauseFailed, ""},
	} {
		l := NewList(locale.English, c.in, report.OfferFilter{Sort: report.SortValue, Page: 9}, reporttest.Noon)
		if l.Empty == nil || l.Empty.Cause != c.cause || c.title != "" && l.Empty.Title != c.title {
			t.Errorf("%s: %+v", name, l.Empty)
		}
	}
}

func TestAChangeIsToldInWords(t *testing.T) {
	t.Parallel()
	plain := strings.NewReplacer("\u2068", "", "\u2069", "")
	for want, e := range map[string]Event{
		"First seen, as “Socks”":                  {Kind: "first_seen", After: "Socks"},
		"First seen":                              {Kind: "first_seen"},
		"Renamed from “A” to “B”":                 {Kind: "renamed", Before: "A", After: "B"},
		"Status changed from Active to “on hold”": {Kind: "status", Before: "active", After: "on hold"},
		"A/B test started":                        {Kind: "ab_test", Before: "false", After: "true"},
		"A/B test ended":                          {Kind: "ab_test", Before: "true", After: "false"},
		"Display order changed from 3 to 1":       {Kind: "priority", Before: "3", After: "1"},
		"Placement changed from “X” to “Y”":       {Kind: "placement", Before: "X", After: "Y"},
		"Listed again":                            {Kind: "relisted"},
		"Marked as deleted in a ranking":          {Kind: "deleted"},
		"No longer listed (it may still exist)":   {Kind: "unlisted"},
		"moon: a to b":                            {Kind: "moon", Before: "a", After: "b"},
	} {
		reporttest.Equal(t, e.Kind, plain.Replace(e.Words(locale.English)), want)
	}
	if words := (Event{Kind: "renamed", Before: "\u202eA\u2069", After: "B"}).Words(locale.English); strings.ContainsRune(words, '\u202e') || strings.Count(words, "\u2069") != 2 {
		t.Errorf("a name turns the words around it: %q", words)
	}
}
