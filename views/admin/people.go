// Package admin shows the pages about people: who they are and what they may see, groups,
// API tokens, the audit log, and the branding.
package admin

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// PeoplePage lists everyone, for anyone who manages people.
type PeoplePage struct {
	components.Base
	Rows []PersonRow
	// InviteHref leads to the invitation form.
	InviteHref string
	// Notice says what the last action did; empty if there was none.
	Notice string
}

// PersonRow is a person in the list.
type PersonRow struct {
	Href, Name, Email string
	// Role is its code, Sees the stores in a line.
	Role, Sees string
	// TwoFactor says that one stolen secret is not enough; Ways lists how they sign in.
	TwoFactor bool
	Ways      string
	// SignedIn is the last time; zero means never.
	SignedIn time.Time
	State    PersonState
}

// PersonState says whether a person can sign in.
type PersonState struct {
	// Sign is the state's sign, Words its words.
	Sign, Words string
	// Note adds a moment, such as when an invitation ends; may be empty.
	Note string
	// MailProblem says why the last mail about their account didn't leave; may be empty.
	MailProblem string
}

// words counts the people by what an admin looks for.
func (p PeoplePage) words() string {
	admins, invited, disabled := 0, 0, 0
	for _, r := range p.Rows {
		switch {
		case r.State.Sign == "off":
			disabled++
		case r.State.Sign != "active":
			invited++
		case r.Role == "admin":
			admins++
		}
	}
	parts := []string{p.T("people.admins", "n", admins)}
	if invited > 0 {
		parts = append(parts, p.T("people.invited", "n", invited))
	}
	if disabled > 0 {
		parts = append(parts, p.T("people.disabled", "n", disabled))
	}
	return p.T("people.counts", "people", p.T("people.count", "n", len(p.Rows)), "parts", strings.Join(parts, ", "))
}

// moment formats a time in people's records; none is the text for zero.
func moment(l locale.Locale, t time.Time, none string) string {
	if t.IsZero() {
		return none
	}
	return components.UTCMoment(l, t)
}

// InvitePage is the form of an invitation.
type InvitePage struct {
	components.Base
	// Email, Name, Role and Life are what was typed.
	Email, Name, Role, Life string
	Reach                   ReachChoice
	// Roles and Lives are the choices.
	Roles []form.Choice
	Lives []form.Choice
	// ByMail says that the invitation is mailed; otherwise its link is shown for copying.
	ByMail bool
	// Wrong says why the last try failed.
	form.Wrong
}

// ReachChoice is the part of a form that chooses stores: all of them, or some and groups.
type ReachChoice struct {
	// Every, Groups and Stores are what was chosen.
	Every          bool
	Groups, Stores []string
	// GroupChoices and StoreChoices are the choices. MoreStores says that there are more
	// stores than are listed.
	GroupChoices, StoreChoices []form.Choice
	MoreStores                 bool
}

// SecretPage shows a secret once: an invitation's link, a sign-in link or an API token.
type SecretPage struct {
	components.Base
	// Words say what it is, Text what to do with it.
	Words, Text string
	Secret      string
	// Until is when it stops working; zero means never.
	Until time.Time
	// BackHref leads on, BackWords name where.
	BackHref, BackWords string
}

// PersonPage is one person, for anyone who manages people.
type PersonPage struct {
	components.Base
	Name, Email string
	// TypedStore is the store to grant as it was typed, if that was refused.
	TypedStore string
	// Role is its code.
	Role  string
	State PersonState
	// Oneself says that the reader looks at themselves.
	Oneself bool
	// Last says that this is the last admin who can sign in.
	Last bool
	// Joined says that they have signed in once; before, they are invited.
	Joined, Disabled  bool
	SignedIn, Created time.Time
	Ways              []string
	TwoFactor         bool
	Sessions          []PersonSession
	Grants            []GrantRow
	// SeesAll says that grants add nothing: an admin sees every store.
	SeesAll bool
	// Every says that there is a grant for every store.
	Every  bool
	Roles  []form.Choice
	Groups []form.Choice
	Stores []form.Choice
	Lives  []form.Choice
	// Life is the suggested one for a new invitation link.
	Life string
	// LinkLives are the choices of how long a one-time link works.
	LinkLives []form.Choice
	// AuditHref leads to their audit records.
	AuditHref string
	// Notice says what the last action did; may be empty. Wrong says why it failed.
	Notice string
	form.Wrong
}

// PersonSession is one place where a person is signed in.
type PersonSession struct {
	Way, Address, Agent string
	Since, Seen         time.Time
}

type GrantRow struct {
	Words, Note string
	// Field and Value name it in the form that revokes it.
	Field, Value string
}

// action is the address of one of the page's forms.
func (p PersonPage) action(what string) string { return p.Path + "/" + what }
