package sync

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/report"
)

// fetchGift makes the call of one gift pull and prepares what it writes.
func (w *work) fetchGift(ctx context.Context, c *gift.Client, p Pull) (answer, error) {
	switch p.Kind {
	case GiftWindow:
		n, err := strconv.Atoi(p.Subject)
		if err != nil {
			return answer{}, fmt.Errorf("gift window %q is no number of days", p.Subject)
		}
		return w.giftAnalytics(ctx, c, p, n, false)
	case GiftToday:
		return w.giftAnalytics(ctx, c, p, 1, true)
	case GiftPlan:
		return w.giftPlan(ctx, c)
	case GiftSetupHealth:
		return w.giftHealth(ctx, c)
	case GiftCampaigns:
		return w.giftCampaigns(ctx, c)
	}
	return answer{}, fmt.Errorf("no call for a pull of kind %q", p.Kind)
}

// giftAnalytics files the answer under the period that it says, whatever was
// asked (N43). A window with the running day is kept apart from history (N45).
func (w *work) giftAnalytics(ctx context.Context, c *gift.Client, p Pull, n int, today bool) (answer, error) {
	got, err := c.Analytics(ctx, n, today)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.currency, a.domain = string(d.Currency), d.Domain
	a.asked, a.applied = p.Window, windowOf(d.Period.Start, d.Period.End)
	if a.asked != nil && *a.asked != *a.applied {
		a.flags = addFlag(a.flags, report.FlagWindowDiffers)
	}
	m := d.Metrics
	a.numbers = queued(func(ctx context.Context, q *db.Queries) {
		_ = q.UpsertGiftWindow(ctx, db.UpsertGiftWindowParams{
			StoreID: w.store.ID, WindowStart: day(a.applied.Start), WindowEnd: day(a.applied.End),
			IncludesToday: d.Period.IncludesToday, AskedDays: int32(n), Timezone: d.Period.Timezone,
			Currency: string(d.Currency), Cached: d.Cached,
			Orders: m.Orders.Value, OrdersPrevious: m.Orders.Previous, OrdersChange: m.Orders.ChangePercent,
			Revenue: m.Revenue.Value, RevenuePrevious: m.Revenue.Previous, RevenueChange: m.Revenue.ChangePercent,
			ConversionRate: m.ConversionRate.Value, ConversionRatePrevious: m.ConversionRate.Previous,
			ConversionRateChange: m.ConversionRate.ChangePercent, ConversionRateUnit: m.ConversionRate.Unit,
			AovByFg: m.AOVByFG.Value, AovByFgPrevious: m.AOVByFG.Previous, AovByFgChange: m.AOVByFG.ChangePercent,
			AovStore: m.AOVStore.Value, AovStorePrevious: m.AOVStore.Previous, AovStoreChange: m.AOVStore.ChangePercent,
			Flags: nonNil(a.flags), FetchedAt: a.fetchedAt,
		})
	})
	return a, nil
}

func (w *work) giftPlan(ctx context.Context, c *gift.Client) (answer, error) {
	got, err := c.Plan(ctx)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.domain = d.Domain
	body := report.PlanBody{
		Plan: d.Plan.Plan, ShopPlan: d.Plan.ShopifyPlan, Paid: &d.Plan.IsPaid, TrialEndsAt: text(d.Plan.TrialEndsAt),
		CampaignsUsed: &d.Campaigns.ActiveOrScheduled, CampaignsLimit: d.Campaigns.Limit,
		CampaignsUnlimited: d.Campaigns.Unlimited, CampaignsExceeded: d.Campaigns.Exceeded,
		RevenueUsed: &d.Revenue.Used, RevenueLimit: d.Revenue.Limit, RevenueUnlimited: d.Revenue.Unlimited,
		RevenueResetAt: text(d.Revenue.ResetAt), Issues: notices(d.Issues),
	}
	a.numbers = queued(func(ctx context.Context, q *db.Queries) {
		_ = q.UpsertGiftPlan(ctx, db.UpsertGiftPlanParams{StoreID: w.store.ID, Body: object(body), FetchedAt: a.fetchedAt})
	})
	return a, nil
}

// giftHealth writes the sections that came; one that the service could not tell
// keeps its last good state, and the errors say so (N50).
func (w *work) giftHealth(ctx context.Context, c *gift.Client) (answer, error) {
	got, err := c.SetupHealth(ctx)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	a.domain = d.Domain
	sections := map[string][]byte{"errors": rows(notices(d.Errors))}
	if t := d.Theme; t != nil {
		sections["theme"] = object(report.ThemeBody{Name: t.LiveThemeName, OS2: t.IsSupportThemeOS, EmbedEnabled: t.EmbedEnabled})
	}
	if n := d.Campaigns; n != nil {
		sections["campaigns"] = object(report.CampaignsBody{Total: &n.Total, Active: &n.Active, Scheduled: &n.Scheduled, Expired: &n.Expired})
	}
	// Issues follow from the sections: with one missing they may be missing too.
	if d.Complete() {
		issues := make([]report.HealthIssue, 0, len(d.Issues))
		for _, i := range d.Issues {
			issues = append(issues, report.HealthIssue{Code: i.Code, Message: i.Message})
		}
		sections["issues"] = rows(issues)
		if len(issues) > 0 {
			a.text = report.Plural(int64(len(issues)), "issue", "issues") + " found"
		}
	} else {
		a.text = "part of it is missing"
	}
	a.numbers = queued(func(ctx context.Context, q *db.Queries) {
		for _, name := range []string{"theme", "campaigns", "issues", "errors"} {
			if body, ok := sections[name]; ok {
				_ = q.UpsertGiftHealth(ctx, db.UpsertGiftHealthParams{StoreID: w.store.ID, Section: name, Body: body, FetchedAt: a.fetchedAt})
			}
		}
	})
	return a, nil
}

type campaignRow struct {
	Position   int     `json:"position"`
	CampaignID string  `json:"campaign_id"`
	Name       string  `json:"name"`
	Status     string  `json:"status"`
	Type       string  `json:"type"`
	TargetPage string  `json:"target_page"`
	StartDate  *string `json:"start_date"`
	EndDate    *string `json:"end_date"`
	Code       *string `json:"code"`
}

func (w *work) giftCampaigns(ctx context.Context, c *gift.Client) (answer, error) {
	got, err := c.Campaigns(ctx, nil)
	if err != nil {
		return answer{}, err
	}
	d := got.Data
	a := from(got)
	list := make([]campaignRow, 0, len(d.Campaigns))
	for i, k := range d.Campaigns {
		list = append(list, campaignRow{
			i, string(k.ID), k.Name, string(k.Status), string(k.Type), string(k.TargetPage), k.StartDate, k.EndDate, optional(string(k.Code)),
		})
	}
	if twice(list, func(c campaignRow) string { return c.CampaignID }) {
		return answer{}, broken(a, "a campaign is listed twice")
	}
	a.numbers = queued(func(ctx context.Context, q *db.Queries) {
		_ = q.UpsertCampaigns(ctx, db.UpsertCampaignsParams{
			StoreID: w.store.ID, Total: d.Total, Capped: d.Capped(), FetchedAt: a.fetchedAt, Rows: rows(list),
		})
	})
	return a, nil
}

func object(v any) []byte {
	out := rows([]any{v})
	return out[1 : len(out)-1]
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func notices(in []gift.Notice) []string {
	out := make([]string, 0, len(in))
	for _, n := range in {
		out = append(out, strings.TrimPrefix(strings.TrimSuffix(n.Code+": "+n.Message, ": "), ": "))
	}
	return out
}

// broken is the failure of a reply that decoded and still can't be true.
func broken(a answer, what string) error {
	return &upstream.Failure{Kind: upstream.Quarantine, Op: "pull " + a.endpoint, Message: what, Raw: a.raw, Attempts: 1}
}

// twice reports whether two rows have the same key.
func twice[T any](list []T, key func(T) string) bool {
	seen := make(map[string]bool, len(list))
	for _, row := range list {
		if seen[key(row)] {
			return true
		}
		seen[key(row)] = true
	}
	return false
}
