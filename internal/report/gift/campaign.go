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

// campaignGroups are the documented groups of a configuration, in snake case.
var campaignGroups = []string{"trigger_conditions", "gift_products", "discount_settings", "schedule"}

func groupAt(in []Setting, name string) int {
	return slices.IndexFunc(in, func(s Setting) bool { return snake(s.Key) == name })
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
// It isn't documented where the groups are: they may be inside another object, such as campaign.
func Grouped(l locale.Locale, in []Setting) []SettingGroup {
	grouped := func(in []Setting) bool {
		return slices.ContainsFunc(campaignGroups, func(g string) bool { return groupAt(in, g) >= 0 })
	}
	if i := slices.IndexFunc(in, func(s Setting) bool { return !s.List && grouped(s.Items) }); i >= 0 && !grouped(in) {
		in = slices.Concat(in[i].Items, in[:i], in[i+1:])
	}
	var out []SettingGroup
	for _, g := range campaignGroups {
		i := groupAt(in, g)
		if i < 0 {
			continue
		}
		lines := in[i].Items
		if len(lines) == 0 {
			lines = []Setting{in[i]}
		}
		out = append(out, SettingGroup{l.T("gift.group." + g), lines})
		in = slices.Delete(slices.Clone(in), i, i+1)
	}
	if len(in) > 0 {
		out = append(out, SettingGroup{l.T("gift.group.remaining"), in})
	}
	return out
}
