package gift

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// CampaignDetail is one campaign in full (GET /campaigns/{id}). The inner fields of
// its configuration are not shown, so they stay as they came.
type CampaignDetail struct {
	// Found false: the id is not this store's, or the campaign is gone. That is an
	// answer, and no proof of a deletion (rule 3, N54).
	Found bool
	// ID is the campaign's own, "" when the reply does not repeat it.
	ID upstream.ID
	CampaignGroups
	// Raw is the whole answer, found and groups included.
	Raw upstream.Raw
}

// CampaignGroups are the four groups of a configuration, where the service calls
// them by these names; nil where it does not.
type CampaignGroups struct {
	TriggerConditions upstream.Raw `json:"triggerConditions"`
	GiftProducts      upstream.Raw `json:"giftProducts"`
	DiscountSettings  upstream.Raw `json:"discountSettings"`
	Schedule          upstream.Raw `json:"schedule"`
}

type wireConfiguration struct {
	ID upstream.Text `json:"id"`
	CampaignGroups
}

// DecodeRaw takes an object with found. Where the groups lie in it is not shown:
// they are looked for beside found and in an object named campaign.
func (d *CampaignDetail) DecodeRaw(value []byte) error {
	top, err := upstream.Decode[struct {
		Found    bool         `json:"found" required:"true"`
		Campaign upstream.Raw `json:"campaign"`
		wireConfiguration
	}](value)
	if err != nil {
		return err
	}
	configuration := top.wireConfiguration
	if jsontext.Value(top.Campaign).Kind() == '{' {
		if configuration, err = upstream.Decode[wireConfiguration](top.Campaign); err != nil {
			return err
		}
	}
	*d = CampaignDetail{
		Found: top.Found, ID: upstream.ID(configuration.ID),
		CampaignGroups: configuration.CampaignGroups, Raw: slices.Clone(value),
	}
	return nil
}

// Saved is a part of the store's configuration: the settings of one widget type
// (GET /widgets/{type}) or those of the whole store (GET /settings). Its inner
// fields are not shown.
type Saved struct {
	// Found false: nothing was ever saved, the app's defaults hold (rules 6 and 8, N54).
	Found bool
	// Raw is the whole answer, found included.
	Raw upstream.Raw
}

// DecodeRaw takes an object with found.
func (s *Saved) DecodeRaw(value []byte) error {
	said, err := upstream.Decode[struct {
		Found bool `json:"found" required:"true"`
	}](value)
	*s = Saved{Found: said.Found, Raw: slices.Clone(value)}
	return err
}

// Widgets lists the types of widget that the app has (GET /widgets).
type Widgets struct {
	Total int64        `json:"total" required:"true"`
	Types []WidgetType `json:"types" required:"true"`
}

// WidgetType is one type of widget.
type WidgetType struct {
	// Type is the internal name, by which [Client.Widget] asks for its settings.
	Type  string `json:"type" required:"true"`
	Title string `json:"title"`
	// IsPremium: the type belongs to a higher plan. IsLocked: this store can't use it.
	IsPremium bool `json:"isPremium" required:"true"`
	IsLocked  bool `json:"isLocked" required:"true"`
}
