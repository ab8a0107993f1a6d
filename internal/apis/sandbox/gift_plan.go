package sandbox

import (
	"encoding/json"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// planUsage is the store's plan; what counts against a revenue limit is the month so far on the store's clock.
func planUsage(q *request, b *world.Book) reply {
	sh := q.shop
	today := sh.Date(b.Now.Day)
	first := civil.Date{Year: today.Year, Month: today.Month, Day: 1}
	used := b.Sum(first.DaysSince(sh.Since), b.Now.Day).GiftRevenue
	counting := len(campaignsBy(sh, "active", b.Now)) + len(campaignsBy(sh, "scheduled", b.Now))
	limits := sh.Gift
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
	plan := planName{limits.Plan, limits.Platform, true, nil}
	if ends, on := sh.TrialEnd(first); on {
		plan.Paid, plan.Trial = false, &ends
	}
	campaigns := campaignUse{Used: counting, Unlimited: limits.CampaignLimit == 0}
	revenue := revenueUse{Used: world.Amount(used, sh.Digits), Unlimited: limits.RevenueLimit == 0, ResetAt: sh.MonthStart(first, 1)}
	issues := []world.Issue{}
	if !campaigns.Unlimited {
		campaigns.Limit, campaigns.Exceeded = &limits.CampaignLimit, counting > limits.CampaignLimit
	}
	if !revenue.Unlimited {
		revenue.Limit = new(world.Amount(limits.RevenueLimit, sh.Digits))
		if used >= limits.RevenueLimit {
			issues = append(issues, world.Issue{Code: "REVENUE_LIMIT_REACHED", Message: sh.Word("The revenue of this plan is used up until it resets.")})
		}
	}
	if campaigns.Exceeded {
		issues = append(issues, world.Issue{Code: "CAMPAIGN_LIMIT_EXCEEDED", Message: sh.Word("More campaigns are active or scheduled than the plan allows.")})
	}
	return giftSuccess(struct {
		Domain    string        `json:"domain"`
		Plan      planName      `json:"plan"`
		Campaigns campaignUse   `json:"campaigns"`
		Revenue   revenueUse    `json:"revenue"`
		Issues    []world.Issue `json:"issues"`
	}{sh.Domain, plan, campaigns, revenue, issues})
}
