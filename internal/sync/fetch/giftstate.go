package fetch

import (
	"context"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
)

// giftPlan keeps the plan as it is now, and its last state on each of the store's days.
func (f Caller) giftPlan(ctx context.Context, c *gift.Client) (Answer, error) {
	d, a, err := answered(c.Plan(ctx))
	if err != nil {
		return Answer{}, err
	}
	a.Domain = d.Domain
	body := reportgift.PlanBody{
		Name: string(d.Plan.Plan), ShopPlan: string(d.Plan.ShopifyPlan), Paid: &d.Plan.IsPaid, TrialEndsAt: string(d.Plan.TrialEndsAt),
		CampaignsUsed: &d.Campaigns.ActiveOrScheduled, CampaignsLimit: d.Campaigns.Limit,
		CampaignsUnlimited: d.Campaigns.Unlimited, CampaignsExceeded: d.Campaigns.Exceeded,
		RevenueUsed: &d.Revenue.Used, RevenueLimit: d.Revenue.Limit, RevenueUnlimited: d.Revenue.Unlimited,
		RevenueResetAt: string(d.Revenue.ResetAt), Issues: Notices(d.Issues),
	}
	set(&a, (*sqlc.Queries).UpsertGiftPlan, sqlc.UpsertGiftPlanParams{StoreID: f.Store, Body: db.JSON(body), FetchedAt: a.FetchedAt})
	set(&a, (*sqlc.Queries).UpsertGiftPlanDay, sqlc.UpsertGiftPlanDayParams{
		StoreID: f.Store, Day: report.Today(a.Begun(), f.Zone), Body: db.JSON(body), FetchedAt: a.FetchedAt,
	})
	return a, nil
}

// giftHealth writes the sections that came. A section that the service left out keeps its last
// good state, and the errors mention it (N50). Issues from an incomplete answer are kept beside
// those of the last complete one.
func (f Caller) giftHealth(ctx context.Context, c *gift.Client) (Answer, error) {
	d, a, err := answered(c.SetupHealth(ctx))
	if err != nil {
		return Answer{}, err
	}
	a.Domain = d.Domain
	sections := map[string][]byte{"errors": db.Rows(Notices(d.Errors))}
	if t := d.Theme; t != nil {
		sections["theme"] = db.JSON(reportgift.ThemeBody{Name: t.LiveThemeName, OS2: t.IsSupportThemeOS, EmbedEnabled: t.EmbedEnabled})
	}
	if n := d.Campaigns; n != nil {
		sections["campaigns"] = db.JSON(reportgift.CampaignsBody{Total: &n.Total, Active: &n.Active, Scheduled: &n.Scheduled, Expired: &n.Expired})
	}
	issues := db.Each(d.Issues, func(i gift.Issue) reportgift.HealthIssue {
		return reportgift.HealthIssue{Code: i.Code, Message: i.Message}
	})
	// Issues follow from the sections: if a section is missing, the issues listed are true but
	// others may be missing.
	if d.Complete() {
		sections["issues"], sections["named"] = db.Rows(issues), db.Rows([]reportgift.HealthIssue{})
	} else {
		sections["named"] = db.Rows(issues)
	}
	switch {
	case d.Complete() && len(issues) > 0:
		a.Text = locale.M("sync.said.issues", "n", len(issues))
	case !d.Complete() && len(issues) > 0:
		a.Text = locale.M("sync.said.part_missing_issues", "n", len(issues))
	case !d.Complete():
		a.Text = locale.M("sync.said.part_missing")
	}
	for _, name := range []string{"theme", "campaigns", "issues", "named", "errors"} {
		if body, ok := sections[name]; ok {
			set(&a, (*sqlc.Queries).UpsertGiftHealth, sqlc.UpsertGiftHealthParams{StoreID: f.Store, Section: name, Body: body, FetchedAt: a.FetchedAt})
		}
	}
	return a, nil
}

// Notices are what the service warned of, a line each.
func Notices(in []gift.Notice) []string {
	return db.Each(in, func(n gift.Notice) string {
		return strings.TrimPrefix(strings.TrimSuffix(n.Code+": "+n.Message, ": "), ": ")
	})
}
