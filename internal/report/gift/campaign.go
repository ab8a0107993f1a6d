package gift

import (
	"slices"
	"time"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/storeglass/storeglass/internal/locale"
)

// CampaignPage is one gift campaign: its row in the list, and its configuration.
type CampaignPage struct {
	Store         report.Store
	Now           time.Time // on the store's clock
	Campaign      report.Campaign
	Listed        report.Panel // the list that the row comes from
	Trouble       *report.Trouble
	Configuration CampaignConfiguration
}

// CampaignConfiguration is a campaign as the service keeps it (GET /campaigns/{id}).
type CampaignConfiguration struct {
	report.Panel
	// Found is false if the service says there is no such campaign in this store. That's an answer, but
	// doesn't prove that it was deleted (N54).
	Found  bool
	Groups []SettingGroup
	// Raw is the answer as received, indented.
	Raw string
	// Body is the same, for the JSON API.
	Body []byte
}

// SettingGroup is a part of a configuration under the service's own name for it.
type SettingGroup struct {
	Title    string
	Settings []Setting
}

// StoredCampaign is what a campaign's page is made of.
type StoredCampaign struct {
	report.Stored
	Campaign      report.Campaign
	Configuration *StoredFound
}

// campaignGroups are the documented groups of a configuration.
var campaignGroups = []struct{ key, message string }{
	{"triggerConditions", "trigger_conditions"},
	{"giftProducts", "gift_products"},
	{"discountSettings", "discount_settings"},
	{"schedule", "schedule"},
}

// NewCampaignPage builds everything on a campaign's page from its stored rows, worded in l.
func NewCampaignPage(l locale.Locale, in StoredCampaign, now time.Time) CampaignPage {
	b := builder{Builder{report.Builder{In: in.Stored, Choice: report.Choice{Today: report.Today(now, time.UTC)}, Now: now, Locale: l}}, StoredPage{Stored: in.Stored}}
	c := CampaignPage{Store: in.Store, Now: b.OnStoreClock(now), Campaign: b.Dated(in.Campaign), Trouble: b.trouble()}
	c.Listed = b.Campaigns().Panel
	c.Configuration = b.configuration(in)
	return c
}

func (b builder) configuration(in StoredCampaign) CampaignConfiguration {
	b.In.Ledger = slices.DeleteFunc(slices.Clone(b.In.Ledger), func(l report.StoredPull) bool {
		return l.Pull == "gift.campaign" && l.Subject != in.Campaign.ID
	})
	c := CampaignConfiguration{Panel: report.Panel{Provenance: b.Provenance(endpointCampaign, report.Reported)}}
	if in.Configuration == nil {
		c.Empty = b.NotPulled("gift", "gift.campaign", b.T("state.on_the_way.gift_campaign"))
	} else {
		c.Provenance = b.Current(endpointCampaign, "gift.campaign", in.Configuration.FetchedAt)
		c.Provenance.Subject = in.Campaign.ID
		saved := b.saved(*in.Configuration)
		c.Found, c.Groups, c.Raw, c.Body = saved.Found, Grouped(b.Locale, saved.Settings), saved.Raw, in.Configuration.Body
	}
	c.Panel = b.Finish(c.Panel, "gift", "gift.campaign")
	return c
}

// Grouped sorts the lines into the four documented groups; lines of other groups go into the last one.
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
