// Package weekly makes the contents of the weekly mail, and the form to set it up.
package weekly

import (
	"cmp"
	"net/mail"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// Form is what someone entered about a weekly mail.
type Form struct {
	// Slug is the store's; empty for the mail about all of the person's stores.
	Slug string
	// Address is another person's, who needs no account; empty for the user's own.
	Address string
	// Language is the code of a [locale.Locale].
	Language string
	// Weekday is 1 for Monday to 7 for Sunday, Hour 0 to 23.
	Weekday, Hour int
	// Zone is the IANA time zone of a mail about all stores; the others use the store's.
	Zone string
	// PDF: the mail is also attached as a file.
	PDF bool
}

// NewForm has the defaults: Mondays at eight.
func NewForm() Form { return Form{Language: "en", Weekday: 1, Hour: 8} }

// Wrong says what is wrong with each field and what to enter instead, keyed by field name; empty if
// nothing is wrong.
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

// IsAddress reports whether the text is a single bare mail address.
func IsAddress(s string) bool {
	a, err := mail.ParseAddress(s)
	_, host, _ := strings.Cut(s, "@")
	return err == nil && a.Name == "" && a.Address == s && len(s) <= 254 && !strings.ContainsAny(s, " \t\r\n\"<>") && strings.Contains(host, ".")
}

// When is the day and hour in words: "Mondays, 08:00".
func When(l locale.Locale, weekday, hour int) string {
	day := time.Weekday(weekday % 7)
	return l.T("mails.on."+strings.ToLower(day.String()), "hour", l.Time(time.Date(2000, 1, 1, hour, 0, 0, 0, time.UTC)))
}

// Offer is a weekly mail that someone gets or is offered.
type Offer struct {
	// Store is the store's name; empty for all stores.
	Store, Timezone string
	Address         string
	// Language is the mail's; empty if it has none of its own.
	Language string
	// By is who requested it; may be empty.
	By            string
	Weekday, Hour int
	// Ended and Confirmed are its state; Until is when the request expires.
	Ended, Confirmed bool
	Until            time.Time
	// Account: the recipient can sign in.
	Account bool
	// Alerts: these are alert mails, not weekly ones.
	Alerts bool
}

// About is what the mail is about, in words.
func (o Offer) About(l locale.Locale) string {
	return cmp.Or(o.Store, l.T("mails.all_your_stores"))
}

// When is the weekly time with its time zone: "Mondays, 08:00 New York time".
func (o Offer) When(l locale.Locale) string {
	return l.T("mails.when", "when", When(l, o.Weekday, o.Hour), "clock", l.Clock(o.Timezone))
}

// WrittenMail is a weekly mail as shown in a browser.
type WrittenMail struct {
	// Week is set for a preview.
	Week                report.Window
	Subject, HTML, Text string
	// Pictures are PNGs under the names that the HTML uses; empty if the HTML embeds them.
	Pictures map[string][]byte
	// Complete: all of the week's data was there.
	Complete bool
}

// Suppression is an address that nothing is sent to.
type Suppression struct {
	Address string
	Cause   locale.Message
	At      time.Time
}
