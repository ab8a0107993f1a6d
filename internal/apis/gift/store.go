package gift

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Plan is the store's plan and usage (GET /plan). It lists no other plans.
type Plan struct {
	// Domain is the store that the data belongs to, "" if not given (N35).
	Domain    string        `json:"domain"`
	Plan      PlanState     `json:"plan" required:"true"`
	Campaigns CampaignUsage `json:"campaigns" required:"true"`
	Revenue   RevenueUsage  `json:"revenue" required:"true"`
	// Issues are in the service's words; their shape isn't documented.
	Issues []Notice `json:"issues"`
}

// PlanState is which plan the store is on.
type PlanState struct {
	Plan        upstream.Text `json:"plan"`
	ShopifyPlan upstream.Text `json:"shopifyPlan"`
	// IsPaid false means that the next refusal may revoke every key (N40).
	IsPaid bool `json:"isPaid" required:"true"`
	// TrialEndsAt is a timestamp as it came, maybe without a zone; "" if there is no trial.
	TrialEndsAt upstream.Text `json:"trialEndsAt"`
}

// CampaignUsage is how many campaigns the plan allows.
type CampaignUsage struct {
	ActiveOrScheduled int64 `json:"activeOrScheduled" required:"true"`
	// Limit is nil if Unlimited: then draw no bar and don't divide by it (N55).
	Limit     *int64 `json:"limit"`
	Unlimited bool   `json:"unlimited" required:"true"`
	Exceeded  bool   `json:"exceeded" required:"true"`
}

// RevenueUsage is how much gift revenue the plan allows. The reply doesn't name its currency.
type RevenueUsage struct {
	// Used counts since the last reset.
	Used decimal.Decimal `json:"used" required:"true"`
	// Limit is nil if Unlimited (N55).
	Limit     *decimal.Decimal `json:"limit"`
	Unlimited bool             `json:"unlimited" required:"true"`
	// ResetAt is a timestamp as it came, maybe without a zone; "" if not given.
	ResetAt upstream.Text `json:"resetAt"`
}

// SetupHealth is whether the widget can appear (GET /setup-health).
type SetupHealth struct {
	// Domain is the store that the data belongs to, "" if not given (N35).
	Domain string `json:"domain"`
	// Theme and Campaigns are nil if the service couldn't read them.
	Theme     *Theme          `json:"theme"`
	Campaigns *CampaignCounts `json:"campaigns"`
	Issues    []Issue         `json:"issues"`
	// Errors: if there are any, part of the payload is missing.
	Errors []Notice `json:"errors"`
}

// Complete reports whether nothing is missing. Only then do empty Issues mean "all clear"
// (N50).
func (s SetupHealth) Complete() bool {
	return len(s.Errors) == 0 && s.Theme != nil && s.Campaigns != nil
}

// Validate refuses a section that is missing without an error to explain it.
func (s SetupHealth) Validate() error {
	if len(s.Errors) == 0 && (s.Theme == nil || s.Campaigns == nil || s.Issues == nil) {
		return errors.New("a section is missing and errors does not say why")
	}
	return nil
}

// Theme is the live theme. Fields are nil if the service didn't say.
type Theme struct {
	LiveThemeName string `json:"liveThemeName"`
	// IsSupportThemeOS: the theme supports app blocks.
	IsSupportThemeOS *bool `json:"isSupportThemeOS"`
	// EmbedEnabled: the app embed is turned on in the theme.
	EmbedEnabled *bool `json:"embedEnabled"`
}

// CampaignCounts counts campaigns by status, now.
type CampaignCounts struct {
	Total     int64 `json:"total" required:"true"`
	Active    int64 `json:"active" required:"true"`
	Scheduled int64 `json:"scheduled" required:"true"`
	Expired   int64 `json:"expired" required:"true"`
}

// Issue is something that keeps the widget from appearing. An unknown Code is kept.
type Issue struct {
	Code    string `json:"code" required:"true"`
	Message string `json:"message"`
}

// Notice is an entry of a list whose shape the document leaves open: a text, or an object that
// may have a code and a message.
type Notice struct{ Code, Message string }

// DecodeRaw takes any value.
func (n *Notice) DecodeRaw(value []byte) error {
	if jsontext.Value(value).Kind() != '{' {
		var text upstream.Text
		err := text.DecodeRaw(value)
		n.Message = string(text)
		return err
	}
	shape, err := upstream.Decode[struct {
		Code    upstream.Text `json:"code"`
		Message upstream.Text `json:"message"`
	}](value)
	n.Code, n.Message = string(shape.Code), string(shape.Message)
	if err == nil && n.Code == "" && n.Message == "" {
		n.Message = string(value)
	}
	return err
}
