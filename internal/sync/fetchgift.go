package pulls

import (
	"context"
	"fmt"
	"strconv"

	"github.com/storeglass/storeglass/internal/apis/gift"
)

// fetchGift makes the call of one gift pull and prepares what it writes. None is made
// once the trial has lapsed (N40).
func (w *work) fetchGift(ctx context.Context, c *gift.Client, p Pull) (answer, error) {
	if err := w.spareKeys(ctx); err != nil {
		return answer{}, err
	}
	switch p.Kind {
	case GiftWindow:
		n, err := strconv.Atoi(p.Subject)
		if err != nil {
			return answer{}, fmt.Errorf("gift window %q is no number of days", p.Subject)
		}
		return w.giftAnalytics(ctx, c, p, n, false)
	case GiftToday:
		return w.giftAnalytics(ctx, c, p, 1, true)
	case GiftSpan:
		return w.giftSpan(ctx, c, p)
	case GiftPlan:
		return w.giftPlan(ctx, c)
	case GiftSetupHealth:
		return w.giftHealth(ctx, c)
	case GiftCampaigns:
		return w.giftCampaigns(ctx, c)
	case GiftCampaign:
		return w.giftCampaign(ctx, c, p.Subject)
	case GiftWidgets:
		return w.giftWidgets(ctx, c)
	case GiftWidget:
		return w.giftWidget(ctx, c, p.Subject)
	case GiftTranslations:
		return w.giftTranslations(ctx, c, p.Subject)
	case GiftSettings:
		return w.giftSettings(ctx, c)
	}
	return answer{}, fmt.Errorf("no call for a pull of kind %q", p.Kind)
}
