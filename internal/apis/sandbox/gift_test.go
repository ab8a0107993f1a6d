package sandbox

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

type (
	gotMetric struct {
		Value, Previous, ChangePercent *decimal.Decimal
		Unit                           string
	}
	gotAnalytics struct {
		Domain string
		Period struct {
			Start, End, Timezone string
			Days                 int
			IncludesToday        bool
		}
		Currency string
		Cached   bool
		Metrics  map[string]gotMetric
	}
	gotCampaigns struct {
		Total     int
		Campaigns []struct{ ID, Name, Status, Type, TargetPage, StartDate string }
	}
	gotHealth struct {
		Theme     *struct{ EmbedEnabled bool }
		Campaigns struct{ Total, Active, Scheduled, Expired int }
		Issues    []struct{ Code, Message string }
		Errors    []any
	}
	gotPlan struct {
		Plan      struct{ TrialEndsAt *string }
		Campaigns struct {
			ActiveOrScheduled   int
			Limit               *int
			Unlimited, Exceeded bool
		}
		Revenue struct {
			Used      decimal.Decimal
			Limit     *decimal.Decimal
			Unlimited bool
			ResetAt   string
		}
	}
)

func TestGiftWindowsEndYesterdayUnlessTodayIsAskedFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	cases := map[string]struct {
		query, start, end string
		days              int
		today             bool
	}{
		"nothing":          {"", "2026-10-21", "2026-11-19", 30, false},
		"a week":           {"?days=7", "2026-11-13", "2026-11-19", 7, false},
		"true":             {"?days=1&includeToday=true", "2026-11-19", "2026-11-20", 2, true},
		"1":                {"?days=1&includeToday=1", "2026-11-19", "2026-11-20", 2, true},
		"bare":             {"?days=1&includeToday", "2026-11-19", "2026-11-20", 2, true},
		"bare with equals": {"?days=1&includeToday=", "2026-11-19", "2026-11-20", 2, true},
		"false":            {"?days=1&includeToday=false", "2026-11-19", "2026-11-19", 1, false},
		"0":                {"?days=1&includeToday=0", "2026-11-19", "2026-11-19", 1, false},
		"no number":        {"?days=month", "2026-10-21", "2026-11-19", 30, false},
		"out of range":     {"?days=0", "2026-11-20", "2026-11-19", 0, false},
		"another zone":     {"?days=1&ianaTimezone=Asia/Tokyo", "2026-11-20", "2026-11-20", 1, false},
	}
	for name, c := range cases {
		got := data[gotAnalytics](t, w.gift("fernhollow", "/analytics"+c.query))
		same(t, []any{c.start, c.end, c.days, c.today}, []any{got.Period.Start, got.Period.End, got.Period.Days, got.Period.IncludesToday}, name)
	}
	same(t, "Nowhere/Land", data[gotAnalytics](t, w.gift("fernhollow", "/analytics?ianaTimezone=Nowhere/Land")).Period.Timezone)
}

func TestGiftWindowsAddUpAndCarryThePreviousOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range sellers {
		month := data[gotAnalytics](t, w.gift(slug, "/analytics?days=30"))
		two := data[gotAnalytics](t, w.gift(slug, "/analytics?days=60"))
		for _, name := range []string{"orders", "revenue"} {
			m := month.Metrics[name]
			equalMoney(t, *two.Metrics[name].Value, m.Value.Add(*m.Previous), slug+" "+name)
			if m.Previous.IsZero() {
				hold(t, m.ChangePercent == nil, "no baseline")
			} else {
				want := m.Value.Sub(*m.Previous).Mul(decimal.NewFromInt(100)).DivRound(*m.Previous, 2)
				equalMoney(t, want, *m.ChangePercent, slug+" change of "+name)
			}
		}
		shop := data[gotSummary](t, w.upsell(slug, "/data/analytics/summary?start="+month.Period.Start+"&end="+month.Period.End))
		rate := month.Metrics["orders"].Value.Mul(decimal.NewFromInt(100)).DivRound(decimal.NewFromInt(shop.TotalOrders), 2)
		equalMoney(t, rate, *month.Metrics["conversionRate"].Value, slug+" conversion is a percentage of the orders the upsell service counts")
		same(t, "percentage", month.Metrics["conversionRate"].Unit)
		hold(t, month.Metrics["aovStore"].Value.Sign() > 0)
	}
	plain := data[gotAnalytics](t, w.gift("wattle", "/analytics"))
	hold(t, plain.Metrics["aovByFG"].Value == nil, "nothing was divided by")
}

func TestGiftAnswersAreCachedFromTheSecondTimeOnAndNeverWithToday(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	ask := func(q string) bool { return data[gotAnalytics](t, w.gift("lumen", "/analytics"+q)).Cached }
	hold(t, !(ask("?days=7")))
	hold(t, ask("?days=7"))
	hold(t, !(ask("?days=8")))
	hold(t, !(ask("?days=7&includeToday")))
	hold(t, !(ask("?days=7&includeToday")))
	w.clock.forward(24 * time.Hour)
	hold(t, !(ask("?days=7")), "a new day is a new window")
}

func TestSetupHealthOfEveryStore(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	for slug, want := range map[string][]string{
		"fernhollow": {"APP_EMBED_DISABLED"}, "lumen": {}, "kumo": {}, "wattle": {"NO_CAMPAIGN"}, "penrose": {},
	} {
		h := data[gotHealth](t, w.gift(slug, "/setup-health"))
		codes := []string{}
		for _, i := range h.Issues {
			codes = append(codes, i.Code)
		}
		same(t, want, codes, slug)
		same(t, 0, len(h.Errors))
		same(t, h.Campaigns.Total, h.Campaigns.Active+h.Campaigns.Scheduled+h.Campaigns.Expired)
		same(t, slug != "fernhollow", h.Theme.EmbedEnabled, slug)
	}
}

func TestCampaignListsHideTheDeletedAndStopAtAHundred(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{Vast: true})
	list := func(slug, q string) gotCampaigns { return data[gotCampaigns](t, w.gift(slug, "/campaigns"+q)) }
	all := list("fernhollow", "")
	sum := 0
	for _, status := range []string{"active", "scheduled", "expired"} {
		part := list("fernhollow", "?status="+status)
		for _, c := range part.Campaigns {
			same(t, status, c.Status)
		}
		hold(t, len(part.Campaigns) > 0, status)
		sum += part.Total
	}
	same(t, all.Total, sum)
	for _, c := range all.Campaigns {
		hold(t, !reflect.DeepEqual("deleted", c.Status))
	}
	same(t, 1, list("fernhollow", "?status=deleted").Total)
	same(t, 0, len(list("fernhollow", "?status=paused").Campaigns), "an unknown status is an empty list")
	same(t, 100, len(list("penrose", "").Campaigns))
	hold(t, strings.Contains(w.gift("wattle", "/campaigns").body, `"campaigns":[]`), w.gift("wattle", "/campaigns").body)
}

func TestPlansAreTheStoresOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range sellers {
		p := data[gotPlan](t, w.gift(slug, "/plan"))
		health := data[gotHealth](t, w.gift(slug, "/setup-health"))
		same(t, health.Campaigns.Active+health.Campaigns.Scheduled, p.Campaigns.ActiveOrScheduled)
		same(t, p.Campaigns.Unlimited, p.Campaigns.Limit == nil)
		same(t, p.Revenue.Unlimited, p.Revenue.Limit == nil)
		today := w.shopOf(slug).Date(w.shopOf(slug).Moment(w.clock.now()).Day)
		month := data[gotAnalytics](t, w.gift(slug, fmt.Sprintf("/analytics?days=%d&includeToday", today.Day-1)))
		equalMoney(t, *month.Metrics["revenue"].Value, p.Revenue.Used, slug+" used this month")
	}
	rich := data[gotPlan](t, w.gift("fernhollow", "/plan"))
	same(t, 10, *rich.Campaigns.Limit)
	hold(t, rich.Revenue.Unlimited)
	same(t, "2026-12-01T05:00:00.000Z", rich.Revenue.ResetAt)
	hold(t, !(data[gotPlan](t, w.gift("kumo", "/plan")).Revenue.Unlimited))
}

func (w *served) shopOf(slug string) *world.Shop {
	for _, sh := range w.shops {
		if sh.Slug == slug {
			return sh
		}
	}
	return nil
}
