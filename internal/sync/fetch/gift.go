package fetch

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// Gift makes the call of one gift pull and prepares what it writes.
func (f Caller) Gift(ctx context.Context, c *gift.Client, p plan.Pull) (Answer, error) {
	switch p.Kind {
	case plan.GiftWindow, plan.GiftRange:
		return f.giftAnalytics(ctx, c, p, p.Window.Days(), false)
	case plan.GiftToday:
		return f.giftAnalytics(ctx, c, p, 1, true)
	case plan.GiftSpan:
		return f.giftSpan(ctx, c, p)
	case plan.GiftPlan:
		return f.giftPlan(ctx, c)
	case plan.GiftSetupHealth:
		return f.giftHealth(ctx, c)
	case plan.GiftCampaigns:
		return f.giftCampaigns(ctx, c)
	case plan.GiftCampaign:
		return f.giftCampaign(ctx, c, p.Subject)
	case plan.GiftWidgets:
		return f.giftWidgets(ctx, c)
	case plan.GiftWidget:
		return f.giftWidget(ctx, c, p.Subject)
	case plan.GiftTranslations:
		return f.giftTranslations(ctx, c, p.Subject)
	case plan.GiftSettings:
		return f.giftSettings(ctx, c)
	}
	return Answer{}, fmt.Errorf("no call for a pull of kind %q", p.Kind)
}
