package report

import (
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// These ids end with a choice and are built at run time, so the catalog tests can't see them.
func TestEveryChoiceHasAMessage(t *testing.T) {
	t.Parallel()
	var ids []string
	add := func(prefix string, choices ...string) {
		for _, c := range choices {
			ids = append(ids, prefix+c)
		}
	}
	for _, n := range []Need{needsUpsellToken, needsUpsellAddress, needsUpsellAccess, needsGiftKey, needsGiftAddress, needsGiftPlan, needsGiftTrial, needsGiftApp} {
		add("store.need.", string(n))
		add("alert.renew.", string(n))
	}
	for _, b := range []Basis{Reported, Stitched, Derived, NotReported} {
		add("provenance.basis.", string(b))
	}
	for _, f := range []Flag{FlagChanged, FlagDrift, FlagRateDisagrees, FlagIncomplete} {
		add("provenance.doubt.", string(f))
	}
	for _, service := range []string{"upsell", "gift"} {
		add("state.disconnected.", service)
		add("state.needs_attention.", service)
		add("state.doubted.title.", service)
		add("state.doubted.outage_title.", service)
		add("state.advice."+service+".", "refused")
	}
	add("state.advice.", "upsell.wrong_shop", "upsell.blocked", "gift.trial_lapsed", "gift.no_plan", "gift.app_uninstalled", "gift.wrong_surface", "gift.insufficient_scope", "gift.missing_key")
	add("state.cause.", "failed", "refused", "elsewhere", "quarantined", "paused")
	add("todo.fix.", "app_embed_disabled", "theme_not_os2", "no_campaign", "no_active_campaign")
	for _, kind := range []string{"product", "collection", "tag", "something"} {
		add("todo.trigger_deleted.", kind)
		add("todo.gone.", kind)
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		ids = append(ids, "weekly.sent."+strings.ToLower(d.String()))
	}
	for _, id := range ids {
		if !locale.Has(id) {
			t.Error("the catalogs lack", id)
		}
	}
}
