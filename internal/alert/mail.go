package alert

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"text/template"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/style"
)

//go:embed mail.html.tmpl
var mailHTML string

//go:embed mail.text.tmpl
var mailText string

var (
	htmlTemplate = style.Parse(mailHTML, nil)
	textTemplate = template.Must(template.New("mail").Parse(mailText))
)

// letter is the data of a mail's templates.
type letter struct {
	Subject, Settings, Stop string
	// Say is the reader's locale, Language its code.
	Say      locale.Locale
	Language string
	// Colon stands between a link's words and its address.
	Colon string
	// Brandname is our name in the mail.
	Brandname   string
	Light, Dark style.Colors
	Alerts      []mailAlert
	// More is how many alerts the mail leaves out; All is the page that shows them.
	More int
	All  string
}

// mailList names alert mails in their List-Id.
const mailList = "alerts"

// mailAlerts is the most alerts in one mail: mail clients cut off mails over 102 kB.
const mailAlerts = 30

type mailAlert struct {
	Item
	Store, Title, Text string
	// Headline is what happened and where. Open are the words of the alert's link.
	Headline, Open string
	Recovered      bool
}

// write makes the mail about one or more alerts, in the brand's name and colors.
// stop is the link that stops these mails.
func (a *Alerts) write(ctx context.Context, l locale.Locale, items []Item, stop string) (mail.Message, error) {
	b, err := a.DB.Branding(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	return writeMail(l, items, a.Base, stop, b)
}

// writeMail writes the text and HTML about one or more alerts.
func writeMail(in locale.Locale, items []Item, base *url.URL, stop string, b db.Brand) (mail.Message, error) {
	l := letter{
		Subject: subject(in, items), Say: in, Language: in.Code(), Colon: in.T("unit.colon"), Brandname: cmp.Or(oneLine(b.Name), "Storeglass"),
	}
	var accent brand.Accent
	if b.Accent != "" {
		var err error
		if accent, err = brand.ParseAccent(b.Accent); err != nil {
			return mail.Message{}, fmt.Errorf("accent of the brand: %w", err)
		}
	}
	l.Light, l.Dark = style.Of(accent)
	if base != nil {
		l.Settings = strings.TrimSuffix(base.String(), "/") + "/alerts/settings"
		l.Stop = stop
		l.All = strings.TrimSuffix(base.String(), "/") + "/alerts"
	}
	if l.More = len(items) - mailAlerts; l.More > 0 {
		items = items[:mailAlerts]
	}
	for _, t := range items {
		m := mailAlert{Item: t, Store: oneLine(t.Store), Title: oneLine(t.Title), Text: words(t.Text), Open: openWords(in, t), Recovered: t.Event == Recovered}
		m.Headline = headline(in, Item{Event: t.Event, Store: m.Store, Title: m.Title})
		l.Alerts = append(l.Alerts, m)
	}
	page, err := l.Light.In(htmlTemplate)
	if err != nil {
		return mail.Message{}, fmt.Errorf("write the mail of an alert: %w", err)
	}
	var html, text strings.Builder
	if err := errors.Join(page.Execute(&html, l), textTemplate.Execute(&text, l)); err != nil {
		return mail.Message{}, fmt.Errorf("write the mail of an alert: %w", err)
	}
	m := mail.Message{FromName: b.Name, List: mailList, Manage: l.Settings, Language: in.Code(), Subject: l.Subject, Text: text.String(), HTML: html.String()}
	if base != nil && base.Scheme == "https" { // RFC 8058 requires https; the link in the footer is always there
		m.Manage, m.Unsubscribe = "", stop
	}
	return m, nil
}

// subject names the store and the alert; for several alerts, how many and where.
func subject(l locale.Locale, items []Item) string {
	if len(items) == 1 {
		t := items[0]
		return headline(l, Item{Event: t.Event, Store: oneLine(t.Store), Title: oneLine(t.Title)})
	}
	var stores []string
	for _, t := range items {
		if name := oneLine(t.Store); !slices.Contains(stores, name) {
			stores = append(stores, name)
		}
	}
	where := strings.Join(stores, ", ")
	if len(stores) > 3 {
		where = l.T("alert.mail.stores", "stores", strings.Join(stores[:2], ", "), "n", len(stores)-2)
	}
	var resolved int64
	for _, t := range items {
		if t.Event == Recovered {
			resolved++
		}
	}
	switch open := int64(len(items)) - resolved; {
	case resolved == 0:
		return l.T("alert.mail.many_open", "stores", where, "n", open)
	case open == 0:
		return l.T("alert.mail.many_resolved", "stores", where, "n", resolved)
	default:
		return l.T("alert.mail.many", "stores", where, "n", open, "resolved", l.T("alert.mail.resolved", "n", resolved))
	}
}

// words limits the length of a text.
func words(text string) string { return cut(oneLineOf(text), 2000) }
