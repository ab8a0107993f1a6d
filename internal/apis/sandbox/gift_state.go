package sandbox

import (
	"encoding/json"
	"time"

	"github.com/golang-sql/civil"
)

const campaignsMax = 100

// giftPlan is the gift app's side of a store.
type giftPlan struct {
	plan, platform string
	paid, trial    bool
	campaignLimit  int   // 0 is unlimited
	revenueLimit   int64 // minor units a month; 0 is unlimited
	theme          string
	blocks, embed  bool // the theme supports app blocks; the embed is switched on
}

type issue struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

type campaignSummary struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Status     string  `json:"status"`
	Type       string  `json:"type"`
	TargetPage string  `json:"targetPage"`
	StartDate  string  `json:"startDate"`
	EndDate    *string `json:"endDate"`
	Code       *string `json:"code"`
}

// campaignsBy lists campaigns newest first. Without a status soft-deleted ones are left out; any status is compared as it came.
func (sh *shop) campaignsBy(status string, day int) []campaignSummary {
	out := []campaignSummary{}
	all := sh.gifts(day)
	for i := len(all) - 1; i >= 0; i-- {
		c := &all[i]
		is := c.status(day)
		if status == "" && is == "deleted" || status != "" && is != status {
			continue
		}
		row := campaignSummary{ID: c.id, Name: c.name, Status: is, Type: c.kind, TargetPage: c.page, StartDate: sh.stamp(c.start, 0)}
		if c.end < forever {
			end := sh.stamp(c.end, 23*60+59)
			row.EndDate = &end
		}
		if c.code != "" {
			row.Code = &c.code
		}
		out = append(out, row)
	}
	return out
}

func campaignList(q *request, b *book) reply {
	rows := q.shop.campaignsBy(q.URL.Query().Get("status"), b.now.day)
	rows = rows[:min(len(rows), campaignsMax)]
	return giftSuccess(struct {
		Total     int               `json:"total"`
		Campaigns []campaignSummary `json:"campaigns"`
	}{len(rows), rows})
}

type theme struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
}

type themeHealth struct {
	LiveThemeID   string  `json:"liveThemeId"`
	LiveThemeName string  `json:"liveThemeName"`
	Blocks        bool    `json:"isSupportThemeOS"`
	Embed         bool    `json:"embedEnabled"`
	Themes        []theme `json:"themes"`
}

type campaignHealth struct {
	Total     int               `json:"total"`
	Active    int               `json:"active"`
	Scheduled int               `json:"scheduled"`
	Expired   int               `json:"expired"`
	Running   []campaignSummary `json:"activeCampaigns"`
}

// setupHealth says whether the widget can appear. Its sections fail on their own: without the platform the counts still come.
func setupHealth(q *request, b *book) reply {
	sh, day := q.shop, b.now.day
	live := theme{madeUp(sh.seed, 12, sh.slug, "theme"), sh.gift.theme, "main"}
	health := &themeHealth{
		LiveThemeID: live.ID, LiveThemeName: live.Name, Blocks: sh.gift.blocks, Embed: sh.gift.embed,
		Themes: []theme{live, {madeUp(sh.seed, 12, sh.slug, "draft theme"), "Copy of " + live.Name, "unpublished"}},
	}
	issues, failures := []issue{}, []any{}
	if q.cause == ThemeAway {
		health = nil
		failures = append(failures, map[string]string{"section": "theme", "message": "The commerce platform could not be reached."})
	} else {
		if !sh.gift.embed {
			issues = append(issues, issue{"APP_EMBED_DISABLED", "The app embed is off in the live theme."})
		}
		if !sh.gift.blocks {
			issues = append(issues, issue{"THEME_NOT_OS2", "The live theme has no app blocks."})
		}
	}
	counts := campaignHealth{
		Total:     len(sh.campaignsBy("", day)),
		Scheduled: len(sh.campaignsBy("scheduled", day)),
		Expired:   len(sh.campaignsBy("expired", day)),
		Running:   sh.campaignsBy("active", day),
	}
	counts.Active = len(counts.Running)
	switch {
	case counts.Total == 0:
		issues = append(issues, issue{"NO_CAMPAIGN", "No campaign was made yet."})
	case counts.Active == 0:
		issues = append(issues, issue{"NO_ACTIVE_CAMPAIGN", "No campaign is active."})
	}
	return giftSuccess(struct {
		Domain    string         `json:"domain"`
		Theme     *themeHealth   `json:"theme"`
		Campaigns campaignHealth `json:"campaigns"`
		Issues    []issue        `json:"issues"`
		Errors    []any          `json:"errors"`
	}{sh.domain, health, counts, issues, failures})
}

// planUsage is the store's plan; what counts against a revenue limit is the month so far on the store's clock.
func planUsage(q *request, b *book) reply {
	sh := q.shop
	today := sh.date(b.now.day)
	first := civil.Date{Year: today.Year, Month: today.Month, Day: 1}
	used := b.sum(first.DaysSince(sh.since), b.now.day).giftRevenue
	counting := len(sh.campaignsBy("active", b.now.day)) + len(sh.campaignsBy("scheduled", b.now.day))
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
	plan := planName{limits.plan, limits.platform, limits.paid, nil}
	if limits.trial {
		ends := sh.monthStart(first, 2)
		plan.Trial = &ends
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
			issues = append(issues, issue{"REVENUE_LIMIT_REACHED", "The revenue of this plan is used up until it resets."})
		}
	}
	if campaigns.Exceeded {
		issues = append(issues, issue{"CAMPAIGN_LIMIT_EXCEEDED", "More campaigns are active or scheduled than the plan allows."})
	}
	return giftSuccess(struct {
		Domain    string      `json:"domain"`
		Plan      planName    `json:"plan"`
		Campaigns campaignUse `json:"campaigns"`
		Revenue   revenueUse  `json:"revenue"`
		Issues    []issue     `json:"issues"`
	}{sh.domain, plan, campaigns, revenue, issues})
}

// monthStart is the first moment of a month on the store's clock, so many months on.
func (sh *shop) monthStart(first civil.Date, on int) string {
	return time.Date(first.Year, first.Month+time.Month(on), 1, 0, 0, 0, 0, sh.loc).UTC().Format("2006-01-02T15:04:05.000Z")
}
