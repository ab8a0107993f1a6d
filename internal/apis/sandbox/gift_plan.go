package sandbox

import (
	"encoding/json"
	"time"

	"github.com/golang-sql/civil"
)

// giftPlan is the gift app's side of a store.
type giftPlan struct {
	plan, platform string
	trial          bool  // nothing is paid yet
	campaignLimit  int   // 0 is unlimited
	revenueLimit   int64 // minor units a month; 0 is unlimited
	theme          string
	blocks, embed  bool     // the theme supports app blocks; the embed is switched on
	languages      []string // the store's own first; none is a plain install without wording, widgets and settings of its own
}

// planUsage is the store's plan; what counts against a revenue limit is the month so far on the store's clock.
func planUsage(q *request, b *book) reply {
	sh := q.shop
	today := sh.date(b.now.day)
	first := civil.Date{Year: today.Year, Month: today.Month, Day: 1}
	used := b.sum(first.DaysSince(sh.since), b.now.day).giftRevenue
	counting := len(sh.campaignsBy("active", b.now)) + len(sh.campaignsBy("scheduled", b.now))
	limits := sh.gift
	type planName struct {
		Plan     string  `json:"plan"`
		Platform string  `json:"shopifyPlan"`
		Paid     bool    `json:"isPaid"`
		Trial    *string `json:"trialEndsAt"`
	}
	type campaignUse struct {
		Used      int  `json:"activeOrScheduled"`
		Limit     *int `json:"limit"`
		Unlimited bool `json:"unlimited"`
		Exceeded  bool `json:"exceeded"`
	}
	type revenueUse struct {
		Used      json.Number  `json:"used"`
		Limit     *json.Number `json:"limit"`
		Unlimited bool         `json:"unlimited"`
		ResetAt   string       `json:"resetAt"`
	}
	plan := planName{limits.plan, limits.platform, true, nil}
	if ends, on := sh.trialEnd(first); on {
		plan.Paid, plan.Trial = false, &ends
	}
	campaigns := campaignUse{Used: counting, Unlimited: limits.campaignLimit == 0}
	revenue := revenueUse{Used: amount(used, sh.digits), Unlimited: limits.revenueLimit == 0, ResetAt: sh.monthStart(first, 1)}
	issues := []issue{}
	if !campaigns.Unlimited {
		campaigns.Limit, campaigns.Exceeded = &limits.campaignLimit, counting > limits.campaignLimit
	}
	if !revenue.Unlimited {
		limit := amount(limits.revenueLimit, sh.digits)
		revenue.Limit = &limit
		if used >= limits.revenueLimit {
			issues = append(issues, issue{"REVENUE_LIMIT_REACHED", sh.word("The revenue of this plan is used up until it resets.")})
		}
	}
	if campaigns.Exceeded {
		issues = append(issues, issue{"CAMPAIGN_LIMIT_EXCEEDED", sh.word("More campaigns are active or scheduled than the plan allows.")})
	}
	return giftSuccess(struct {
		Domain    string      `json:"domain"`
		Plan      planName    `json:"plan"`
		Campaigns campaignUse `json:"campaigns"`
		Revenue   revenueUse  `json:"revenue"`
		Issues    []issue     `json:"issues"`
	}{sh.domain, plan, campaigns, revenue, issues})
}

const platformTime = "2006-01-02T15:04:05.000Z"

// monthStart is the first moment of a month on the store's clock, so many months on.
func (sh *shop) monthStart(first civil.Date, on int) string {
	return time.Date(first.Year, first.Month+time.Month(on), 1, 0, 0, 0, 0, sh.loc).UTC().Format(platformTime)
}
