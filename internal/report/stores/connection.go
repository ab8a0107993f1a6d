package stores

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report/gift"
)

// Found is what a service said about its shop when it was called with an address and a token. Anything
// it didn't say is empty.
type Found struct {
	Service string `json:"service"`
	// Domain is the shop that the token belongs to.
	Domain string `json:"domain,omitempty"`
	// Offers is the number of offers in any status (upsell).
	Offers int64 `json:"offers,omitempty"`
	// Currency is the shop's.
	Currency string `json:"currency,omitempty"`
	// Timezone is the shop's time zone as the service names it (gift).
	Timezone string `json:"timezone,omitempty"`
	// Plan is the name of the plan (gift).
	Plan string `json:"plan,omitempty"`
	// Paid says whether the plan is paid; nil if not said (gift).
	Paid *bool `json:"paid,omitempty"`
	// ActiveCampaigns is how many are running now; nil if not said (gift).
	ActiveCampaigns *int64 `json:"active_campaigns,omitempty"`
	// Issues prevent gifts from being shown (gift).
	Issues []gift.HealthIssue `json:"issues,omitempty"`
	// Untold lists what couldn't be checked just now: "currency", "health".
	Untold []string `json:"untold,omitempty"`
}

// CheckedService is a service that answered, and the address and token it was called with: enough to
// recognize them, but only the tail of the token.
type CheckedService struct {
	Found
	Address string `json:"address"`
	Tail    string `json:"tail"`
}

// Connection is a shop whose services were checked for someone, but that isn't saved as a store yet.
type Connection struct {
	Services []CheckedService
	// Until is when it expires.
	Until time.Time
	// Slug is the store that was made from it; empty until there is one.
	Slug string
}

// Domain is the shop's, from the first service that names one.
func (c Connection) Domain() string {
	return c.first(func(s CheckedService) string { return s.Domain })
}

// Timezone is the shop's time zone as a service names it.
func (c Connection) Timezone() string {
	return c.first(func(s CheckedService) string { return s.Timezone })
}

func (c Connection) first(of func(CheckedService) string) string {
	for _, s := range c.Services {
		if v := of(s); v != "" {
			return v
		}
	}
	return ""
}

// SuggestSlug derives a slug from a shop's domain: the part before the first dot, reduced to allowed
// characters.
func SuggestSlug(domain string) string {
	name, _, _ := strings.Cut(strings.ToLower(domain), ".")
	if name == "www" {
		_, rest, _ := strings.Cut(strings.ToLower(domain), ".")
		name, _, _ = strings.Cut(rest, ".")
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	slug := b.String()
	return strings.Trim(slug[:min(len(slug), 64)], "-")
}

// SuggestName derives a display name from a shop's domain.
func SuggestName(domain string) string {
	words := strings.FieldsFunc(SuggestSlug(domain), func(r rune) bool { return r == '-' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// Given is a service's address and token as typed. Printing it never shows the token.
type Given struct{ Service, Address, Token string }

// Format hides the token, whatever the verb.
func (g Given) Format(state fmt.State, _ rune) {
	_, _ = io.WriteString(state, g.Service+" at "+g.Address)
}

// MadeUpShop is a demo shop to look around in.
type MadeUpShop struct {
	Slug, Name, Timezone string
	Services             []Given
}

// Refusal says why something wasn't done, in the user's language.
type Refusal struct {
	// Reasons are keyed by what they concern: a service, a form field, or "" for the whole request.
	Reasons map[string]string
	// Action and Href link to where to go on; both may be empty.
	Action, Href string
}

// Refuse is a refusal for one reason.
func Refuse(about, words string) *Refusal {
	return &Refusal{Reasons: map[string]string{about: words}}
}

// First is the only reason, or the first one sorted by key.
func (r *Refusal) First() string {
	for _, about := range slices.Sorted(maps.Keys(r.Reasons)) {
		return r.Reasons[about]
	}
	return ""
}

func (r *Refusal) Error() string { return fmt.Sprint("refused: ", r.Reasons) }
