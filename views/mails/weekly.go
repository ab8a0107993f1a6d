// Package mails shows the weekly mails: who gets them, what was sent, a preview, and the
// pages that a mail's own links lead to.
package mails

import (
	"cmp"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/internal/report/weekly"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/components/form"
)

// MailLinkPage is a page that a link in a mail leads to.
type MailLinkPage struct {
	components.Base
	Offer weekly.Offer
}

// about, address and by are names within a sentence.
func (p MailLinkPage) about() string   { return locale.Name(p.Offer.About(p.Locale)) }
func (p MailLinkPage) address() string { return locale.Name(p.Offer.Address) }

func (p MailLinkPage) by() string { return locale.Name(cmp.Or(p.Offer.By, p.Brand.Called())) }

// MailWeeksPage lists the weeks that a mail covers, newest first.
type MailWeeksPage struct {
	components.Base
	Offer weekly.Offer
	Weeks []report.Window
}

// ListPage lists subscriptions to weekly mails.
type ListPage struct {
	components.Base
	// Own are the reader's, Others are other people's for the reader's stores.
	Own, Others []SubscriptionRow
	// Without are the stores whose mail the reader doesn't get; WithoutAll: they don't get the
	// one about all stores, either.
	Without    []report.Store
	WithoutAll bool
	// Stores are the choices for filtering the others, Slug the one chosen.
	Stores []report.Store
	Slug   string
	// More: there are others that are not listed.
	More bool
	// NewHref is the form, Action is where the single button posts to.
	NewHref, Action string
	// Mails: a mail server is set. MayShare: the reader manages others' subscriptions.
	Mails, MayShare bool
	// Notice says what was just done, Problem why it failed; both may be empty.
	Notice, Problem string
}

// SubscriptionRow is one subscription, in words.
type SubscriptionRow struct {
	// Store is the store's name; empty for all stores.
	Store string
	// Reader is the address, Name the person's if they have an account, MadeBy who added an
	// address without one.
	Reader, Name, MadeBy string
	// When is the hour of the week, Clock whose.
	When, Clock string
	Language    string
	PDF         bool
	// Sign chooses the sign before State.
	Sign, State string
	// EditHref, AskAction and PreviewHref are empty if that can't be done.
	EditHref, AskAction, PreviewHref string
}

// AllStoresChoice is the choice of the mail about all stores; it can't be a store's short name.
const AllStoresChoice = "*"

// SubscriptionPage is the form of a subscription.
type SubscriptionPage struct {
	components.Base
	// Action is what the form posts to; EndAction ends an existing subscription, and is empty
	// for a new one. BackHref is the list.
	Action, EndAction, BackHref string
	Form                        weekly.Form
	// Stores are those to choose from; All: and the mail about all of them.
	Stores []report.Store
	All    bool
	Zones  []stores.ZoneGroup
	// Other: the new subscription is for someone else's address.
	Other bool
	// Store, Address and Clock belong to an existing subscription; Own: it is the reader's,
	// Waiting: its address hasn't confirmed yet.
	Store, Address, Clock string
	Own, Waiting          bool
	// Prints: it is available as PDF.
	Prints bool
	Mails  bool
	// Wrong says what is wrong with each field, and with all of it under "".
	Wrong map[string]string
}

// weekdayName is that of 1 for Monday to 7 for Sunday.
func weekdayName(l locale.Locale, day int) string {
	return l.T("mails.weekday." + strings.ToLower(time.Weekday(day%7).String()))
}

// hourName is "08:00" as the language writes it.
func hourName(l locale.Locale, hour int) string {
	return l.Time(time.Date(2000, 1, 1, hour, 0, 0, 0, time.UTC))
}

func (p SubscriptionPage) isNew() bool { return p.EndAction == "" }

// about names what a mail is about: a store, or all of them.
func about(l locale.Locale, store string) string { return cmp.Or(store, l.T("mails.all_stores")) }

// lead says what the form is about; empty for a new mail to oneself.
func (p SubscriptionPage) lead() string {
	switch {
	case !p.isNew():
		return p.T("mails.form.about_to", "store", locale.Name(about(p.Locale, p.Store)), "address", locale.Name(p.Address))
	case p.Other:
		return p.T("mails.form.other_note")
	}
	return ""
}

// zoned: the form has a clock to choose.
func (p SubscriptionPage) zoned() bool {
	return !p.Other && (p.isNew() && p.All || !p.isNew() && p.Store == "")
}

func (p SubscriptionPage) wrong(field string) templ.Attributes {
	out := form.Invalid(p.Wrong[field] != "")
	if p.Wrong[field] != "" {
		out["aria-describedby"] = "m-" + field + "-problem"
	}
	return out
}

// MailState is the state of a mail.
type MailState struct {
	Value       fact.MailState
	Sign, Words string
}

// DeliveriesPage is what happened to each mail, newest first.
type DeliveriesPage struct {
	components.Base
	Rows []DeliveryRow
	// Slug and State filter; Stores and States are their choices.
	Slug, State string
	Stores      []report.Store
	States      []MailState
	// NewestHref leads back to the first page, OlderHref to the next; empty if there is none.
	NewestHref, OlderHref string
	Mails                 bool
	Notice, Problem       string
}

// DeliveryRow is one mail, in words.
type DeliveryRow struct {
	Store, Reader, Week, Subject string
	// Due is when it was to be sent, on the reader's Clock.
	Due, Clock string
	State      MailState
	// At is when it was sent, or is tried next; may be empty.
	At string
	// Reason is what the server said, or why the mail was not sent.
	Reason string
	Tries  int64
	// Action sends it again; empty if that isn't possible.
	Action string
}

// SuppressedPage lists the addresses that no mail is sent to.
type SuppressedPage struct {
	components.Base
	Rows []weekly.Suppression
	// Action removes one from the list.
	Action, Notice string
}

// PreviewPage shows a weekly mail as it would be written now.
type PreviewPage struct {
	components.Base
	Mail     weekly.WrittenMail
	Language string
	// FrameHref is the mail alone; empty shows no frame.
	FrameHref string
	// PrevHref and NextHref are the weeks beside this one; NextHref is empty at the last.
	PrevHref, NextHref string
	// Latest is the last day that can be chosen.
	Latest string
	// TestAction sends it to the reader's address To.
	TestAction, To  string
	Mails           bool
	Notice, Problem string
}
