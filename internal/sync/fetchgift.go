package pulls

import (
	"context"
	"fmt"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// fetchGift makes the call of one gift pull and prepares what it writes. Once the trial has
// lapsed it makes no call (N40).
func (w *work) fetchGift(ctx context.Context, c *gift.Client, p plan.Pull) (answer, error) {
	if err := w.spareKeys(ctx); err != nil {
		return answer{}, err
	}
	switch p.Kind {
	case plan.GiftWindow, plan.GiftRange:
		return w.giftAnalytics(ctx, c, p, p.Window.Days(), false)
	case plan.GiftToday:
		return w.giftAnalytics(ctx, c, p, 1, true)
	case plan.GiftSpan:
		return w.giftSpan(ctx, c, p)
	case plan.GiftPlan:
		return w.giftPlan(ctx, c)
	case plan.GiftSetupHealth:
		return w.giftHealth(ctx, c)
	case plan.GiftCampaigns:
		return w.giftCampaigns(ctx, c)
	case plan.GiftCampaign:
		return w.giftCampaign(ctx, c, p.Subject)
	case plan.GiftWidgets:
		return w.giftWidgets(ctx, c)
	case plan.GiftWidget:
		return w.giftWidget(ctx, c, p.Subject)
	case plan.GiftTranslations:
		return w.giftTranslations(ctx, c, p.Subject)
	case plan.GiftSettings:
		return w.giftSettings(ctx, c)
	}
	return answer{}, fmt.Errorf("no call for a pull of kind %q", p.Kind)
}
