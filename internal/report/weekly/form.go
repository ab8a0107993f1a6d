// Package weekly is what the weekly mail says, and the form that orders it.
package weekly

import (
	"net/mail"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Form is what someone says about a weekly mail that is to come.
type Form struct {
	// Slug is the store's; empty for the mail about all stores that the person holds.
	Slug string
	// Address is of someone else, who needs no account; empty for anyone who asks.
	Address string
	// Language is the code of a [locale.Locale].
	Language string
	// Weekday is 1 for Monday to 7 for Sunday, Hour 0 to 23.
	Weekday, Hour int
	// Zone is the clock of a mail about all stores, an IANA name; others go by the store's.
	Zone string
	// PDF: the mail brings itself as a file, too.
	PDF bool
}

// NewForm is the form as it begins: Mondays at eight.
func NewForm() Form { return Form{Language: "en", Weekday: 1, Hour: 8} }

// Wrong says what is wrong with each field, by its name, and what to write instead;
// empty when nothing is.
func (f Form) Wrong(l locale.Locale) map[string]string {
	wrong := map[string]string{}
	if f.Slug != "" && !stores.IsSlug(f.Slug) {
		wrong["store"] = l.T("mails.wrong.store")
	}
	switch {
	case f.Address != "" && f.Slug == "":
		wrong["address"] = l.T("mails.wrong.address_all")
	case f.Address != "" && !IsAddress(f.Address):
		wrong["address"] = l.T("mails.wrong.address")
	}
	if f.Weekday < 1 || f.Weekday > 7 {
		wrong["weekday"] = l.T("mails.wrong.weekday")
	}
	if f.Hour < 0 || f.Hour > 23 {
		wrong["hour"] = l.T("mails.wrong.hour")
	}
	if _, ok := locale.Of(f.Language); !ok {
		wrong["language"] = l.T("mails.wrong.language")
	}
	if f.Slug == "" && !report.IsTimezone(f.Zone) {
		wrong["zone"] = l.T("mails.wrong.zone")
	}
	return wrong
}

// IsAddress reports whether a text is one bare mail address that a mail can go to.
func IsAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	_, host, _ := strings.Cut(s, "@")
	return err == nil && a.Name == "" && a.Address == s && len(s) <= 254 && !strings.ContainsAny(s, " \t\r\n\"<>") && strings.Contains(host, ".")
}

// When are day and hour in words: "Mondays, 08:00".
func When(l locale.Locale, weekday, hour int) string {
	day := time.Weekday(weekday % 7)
	return l.T("mails.on."+strings.ToLower(day.String()), "hour", l.Time(time.Date(2000, 1, 1, hour, 0, 0, 0, time.UTC)))
}

// Offer is a weekly mail that someone would get, or gets.
type Offer struct {
	// Store is the store's name; empty for all stores.
	Store, Timezone string
	Address         string
	// Language is the mail’s; empty where it has none of its own.
	Language string
	// By is who asked for it to be sent; may be empty.
	By            string
	Weekday, Hour int
	// Ended and Confirmed say how it is; Until is when the asking ends.
	Ended, Confirmed bool
	Until            time.Time
	// Account: it goes to someone who can sign in.
	Account bool
	// Alerts: these are not weekly mails but those about alerts.
	Alerts bool
}

// About is what the mail is about, in words.
func (o Offer) About(l locale.Locale) string {
	if o.Store == "" {
		return l.T("mails.all_your_stores")
	}
	return o.Store
}

// When is the hour of the week, with its clock: "Mondays, 08:00 New York time".
func (o Offer) When(l locale.Locale) string {
	return l.T("mails.when", "when", When(l, o.Weekday, o.Hour), "clock", l.Clock(o.Timezone))
}

// WrittenMail is a weekly mail as a browser shows it.
type WrittenMail struct {
	// Week is that of a preview.
	Week                report.Window
	Subject, HTML, Text string
	// Pictures are PNGs by the names that the HTML calls them by; none where they are in it.
	Pictures map[string][]byte
	// Complete: all of the week's data were there.
	Complete bool
}

// Suppression is an address that nothing is sent to.
type Suppression struct {
	Address, Cause string
	At             time.Time
}
