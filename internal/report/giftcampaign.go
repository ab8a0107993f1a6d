package report

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// GiftCampaign is one gift campaign: its row of the list, and its configuration.
type GiftCampaign struct {
	Store         Store
	Now           time.Time // on the store's clock
	Campaign      Campaign
	Listed        Panel // the list that the row is from
	Trouble       *Trouble
	Configuration CampaignConfiguration
}

// CampaignConfiguration is a campaign as the service keeps it (GET /campaigns/{id}).
type CampaignConfiguration struct {
	Panel
	// Found false: the service has no such campaign, or not for this store. That is an
	// answer, and no proof of a deletion (N54).
	Found  bool
	Groups []SettingGroup
	// Raw is the answer as it came, indented.
	Raw string
	// Body is the same, for the JSON API.
	Body []byte
}

// SettingGroup is a part of a configuration under the name that the service gives it.
type SettingGroup struct {
	Title    string
	Settings []Setting
}

// StoredGiftCampaign is what a campaign's page is made of.
type StoredGiftCampaign struct {
	Stored
	Campaign      Campaign
	Configuration *StoredFound
}

// campaignGroups are the groups of a configuration that the documents name.
var campaignGroups = []struct{ key, message string }{
	{"triggerConditions", "trigger_conditions"},
	{"giftProducts", "gift_products"},
	{"discountSettings", "discount_settings"},
	{"schedule", "schedule"},
}

// NewGiftCampaign makes everything on a campaign's page from its stored rows, in words
// of l.
func NewGiftCampaign(l locale.Locale, in StoredGiftCampaign, now time.Time) GiftCampaign {
	b := giftBuilder{Builder{In: in.Stored, Choice: Choice{Today: Today(now, time.UTC)}, Now: now, Locale: l}, StoredGiftPage{Stored: in.Stored}}
	c := GiftCampaign{Store: in.Store, Now: b.OnStoreClock(now), Campaign: b.dated(in.Campaign), Trouble: b.giftTrouble()}
	c.Listed = b.campaigns().Panel
	c.Configuration = b.configuration(in)
	return c
}

func (b giftBuilder) configuration(in StoredGiftCampaign) CampaignConfiguration {
	b.In.Ledger = slices.DeleteFunc(slices.Clone(b.In.Ledger), func(l StoredPull) bool {
		return l.Pull == "gift.campaign" && l.Subject != in.Campaign.ID
	})
	c := CampaignConfiguration{Panel: Panel{Provenance: b.provenance(endpointCampaign, Reported)}}
	if in.Configuration == nil {
		c.Empty = b.notPulled("gift", "gift.campaign", b.T("state.on_the_way.gift_campaign"))
	} else {
		c.Provenance = b.current(endpointCampaign, "gift.campaign", in.Configuration.FetchedAt)
		c.Provenance.Subject = in.Campaign.ID
		saved := b.saved(*in.Configuration)
		c.Found, c.Groups, c.Raw, c.Body = saved.Found, Grouped(b.Locale, saved.Settings), saved.Raw, in.Configuration.Body
	}
	c.Panel = b.finish(c.Panel, "gift", "gift.campaign")
	return c
}

// Grouped puts the lines under the four names of the documents, and what has
// another name under the last.
func Grouped(l locale.Locale, in []Setting) []SettingGroup {
	var out []SettingGroup
	for _, g := range campaignGroups {
		i := slices.IndexFunc(in, func(s Setting) bool { return s.Key == g.key })
		if i < 0 {
			continue
		}
		lines := in[i].Items
		if len(lines) == 0 {
			lines = []Setting{in[i]}
		}
		out = append(out, SettingGroup{l.T("gift.group." + g.message), lines})
		in = slices.Delete(slices.Clone(in), i, i+1)
	}
	if len(in) > 0 {
		out = append(out, SettingGroup{l.T("gift.group.remaining"), in})
	}
	return out
}
