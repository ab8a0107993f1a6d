package stores

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// Found is what a service said of its shop when it was asked with an address and a
// token. What was not said is empty.
type Found struct {
	Service string `json:"service"`
	// Domain is the shop that the token belongs to.
	Domain string `json:"domain,omitempty"`
	// Offers is the number of offers in any status (upsell).
	Offers int64 `json:"offers,omitempty"`
	// Currency is the shop's.
	Currency string `json:"currency,omitempty"`
	// Timezone is the shop's clock as the service names it (gift).
	Timezone string `json:"timezone,omitempty"`
	// Plan is the name of the plan (gift).
	Plan string `json:"plan,omitempty"`
	// Paid is whether the plan is; nil when not said (gift).
	Paid *bool `json:"paid,omitempty"`
	// ActiveCampaigns are those that run now; nil when not said (gift).
	ActiveCampaigns *int64 `json:"active_campaigns,omitempty"`
	// Issues keep gifts from being shown (gift).
	Issues []report.HealthIssue `json:"issues,omitempty"`
	// Untold names what could not be asked just now: "currency", "health".
	Untold []string `json:"untold,omitempty"`
}

// CheckedService is a service that answered, and what it was asked with: enough to
// know it again, nothing of the token but its tail.
type CheckedService struct {
	Found
	Address string `json:"address"`
	Tail    string `json:"tail"`
}

// Connection is a shop whose services were asked for a person, and that is not saved
// as a store yet.
type Connection struct {
	Services []CheckedService
	// Until is when it is forgotten.
	Until time.Time
	// Slug is the store that has come of it; empty as long as none has.
	Slug string
}

// Of is what the service of that name said; nil when it was not asked.
func (c Connection) Of(service string) *CheckedService {
	for i := range c.Services {
		if c.Services[i].Service == service {
			return &c.Services[i]
		}
	}
	return nil
}

// Domain is the shop, as the first service that names one does.
func (c Connection) Domain() string {
	return c.first(func(s CheckedService) string { return s.Domain })
}

// Currency is the shop's, as the first service that names one does.
func (c Connection) Currency() string {
	return c.first(func(s CheckedService) string { return s.Currency })
}

// Timezone is the shop's clock as a service names it.
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

// SuggestSlug makes a short name for addresses from a shop's domain: the part before
// its first dot, of the characters that a short name may have.
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

// SuggestName makes a name for people from a shop's domain.
func SuggestName(domain string) string {
	words := strings.FieldsFunc(SuggestSlug(domain), func(r rune) bool { return r == '-' })
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, " ")
}

// Given is a service's address and token as someone typed them. The token is never
// part of what is printed of it.
type Given struct{ Service, Address, Token string }

// Format hides the token from every verb.
func (g Given) Format(state fmt.State, _ rune) {
	_, _ = io.WriteString(state, g.Service+" at "+g.Address)
}

// MadeUpShop is a made-up shop to look around with.
type MadeUpShop struct {
	Slug, Name, Timezone string
	Services             []Given
}

// Refusal is why something is not done, in the language of the person who asked.
type Refusal struct {
	// Reasons are by what they are about: a service, a field of the form, or "" for all of it.
	Reasons map[string]string
	// Action and Href are a link to where it goes on; both may be empty.
	Action, Href string
}

// First is the one reason, or the first by what it is about.
func (r *Refusal) First() string {
	for _, about := range slices.Sorted(maps.Keys(r.Reasons)) {
		return r.Reasons[about]
	}
	return ""
}

func (r *Refusal) Error() string { return fmt.Sprint("refused: ", r.Reasons) }
