package gift

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// CampaignDetail is one campaign in full (GET /campaigns/{id}). The inner fields of its
// configuration aren't documented, so it is kept as it came.
type CampaignDetail struct {
	// Found is false if the id isn't this store's or the campaign is gone. That is an answer,
	// but doesn't prove that the campaign was deleted (rule 3, N54).
	Found bool
	// ID is the campaign's own, "" if the reply doesn't repeat it.
	ID upstream.ID
	// Raw is the whole answer, found included.
	Raw upstream.Raw
}

// DecodeRaw takes an object with found. It isn't documented where the id is: it looks beside
// found and in an object named campaign.
func (d *CampaignDetail) DecodeRaw(value []byte) error {
	type wire struct {
		ID upstream.Text `json:"id"`
	}
	top, err := upstream.Decode[struct {
		Found    bool         `json:"found" required:"true"`
		Campaign upstream.Raw `json:"campaign"`
		wire
	}](value)
	if err == nil && jsontext.Value(top.Campaign).Kind() == '{' {
		top.wire, err = upstream.Decode[wire](top.Campaign)
	}
	if err == nil {
		*d = CampaignDetail{Found: top.Found, ID: upstream.ID(top.ID), Raw: slices.Clone(value)}
	}
	return err
}

// Saved is a part of the store's configuration: the settings of one widget type
// (GET /widgets/{type}) or those of the whole store (GET /settings). Its inner
// fields aren't documented.
type Saved struct {
	// Found is false if nothing was ever saved and the app's defaults apply (rules 6 and 8,
	// N54).
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
	Types []WidgetType `json:"types" required:"true"`
}

// WidgetType is one type of widget.
type WidgetType struct {
	// Type is the internal name, for [Client.Widget].
	Type  string `json:"type" required:"true"`
	Title string `json:"title"`
	// IsPremium: the type belongs to a higher plan. IsLocked: this store can't use the type. Both are
	// false if the reply doesn't say.
	IsPremium bool `json:"isPremium"`
	IsLocked  bool `json:"isLocked"`
}
