package alert

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
)

//go:embed mail.html.tmpl
var mailHTML string

var mailTemplate = template.Must(template.New("mail").Parse(mailHTML))

// letter is what a mail's template takes.
type letter struct {
	Subject, Foot, Settings, Stop string
	// Brandname is what the mail calls us, in the brand's colours.
	Brandname   string
	Light, Dark colours
	Alerts      []mailAlert
	// More are those that it leaves to the page All.
	More int
	All  string
}

// colours are the accent and what is written on it.
type colours struct{ Accent, On string }

// mailList names alert mails in their List-Id.
const mailList = "alerts"

// mailAlerts stand in one mail at most: readers cut what is longer than 102 kB.
const mailAlerts = 50

type mailAlert struct {
	Told
	Store, Title, Text string
	Recovered          bool
}

const mailFoot = "You get alerts for stores you have access to."

// write makes the mail about one or more alerts, in the brand's name and colours.
// stop ends these mails.
func (a *Alerts) write(ctx context.Context, told []Told, stop string) (mail.Message, error) {
	b, err := a.DB.Branding(ctx)
	if err != nil {
		return mail.Message{}, err
	}
	return writeMail(told, a.Base, stop, b)
}

// writeMail makes the words of a mail about one or more alerts.
func writeMail(told []Told, base *url.URL, stop string, b db.Brand) (mail.Message, error) {
	l := letter{
		Subject: subject(told), Foot: mailFoot, Brandname: cmp.Or(oneLine(b.Name), "Storeglass"),
		Light: colours{"#0e6259", "#fffefc"}, Dark: colours{"#62c6b5", "#0b1f1b"},
	}
	if b.Accent != "" {
		accent, err := brand.ParseAccent(b.Accent)
		if err != nil {
			return mail.Message{}, fmt.Errorf("accent of the brand: %w", err)
		}
		l.Light, l.Dark = colours{accent.Light(), accent.OnLight()}, colours{accent.Dark(), accent.OnDark()}
	}
	if base != nil {
		l.Settings = strings.TrimSuffix(base.String(), "/") + "/alerts/settings"
		l.Stop = stop
		l.All = strings.TrimSuffix(base.String(), "/") + "/alerts"
	}
	if l.More = len(told) - mailAlerts; l.More > 0 {
		told = told[:mailAlerts]
	}
	var text strings.Builder
	for _, t := range told {
		m := mailAlert{Told: t, Store: oneLine(t.Store), Title: oneLine(t.Title), Text: words(t.Text), Recovered: t.Event == Recovered}
		l.Alerts = append(l.Alerts, m)
		if m.Recovered {
			text.WriteString("Recovered: ")
		}
		fmt.Fprintf(&text, "%s: %s\n\n%s\n\n", m.Store, m.Title, m.Text)
		open := "Open the alert, or mute it"
		if m.Recovered {
			open = "Open the alert"
		}
		for _, link := range []struct{ words, href string }{{"See more", t.Page}, {open, t.AlertLink}} {
			if link.href != "" {
				fmt.Fprintf(&text, "%s: %s\n", link.words, link.href)
			}
		}
		text.WriteString("\n")
	}
	if l.More > 0 {
		fmt.Fprintf(&text, "And %d more: %s\n\n", l.More, l.All)
	}
	fmt.Fprintf(&text, "-- \n%s\n", l.Foot)
	if l.Settings != "" {
		fmt.Fprintf(&text, "Notifications: %s\n", l.Settings)
		fmt.Fprintf(&text, "Stop alert mails: %s\n", l.Stop)
	}
	var html bytes.Buffer
	if err := mailTemplate.Execute(&html, l); err != nil {
		return mail.Message{}, fmt.Errorf("write the mail of an alert: %w", err)
	}
	m := mail.Message{FromName: b.Name, List: mailList, Manage: l.Settings, Language: "en", Subject: l.Subject, Text: text.String(), HTML: html.String()}
	if base != nil && base.Scheme == "https" { // RFC 8058 knows no other; the link in the foot is there always
		m.Manage, m.Unsubscribe = "", stop
	}
	return m, nil
}

// subject says which store and what; of several, how many and where.
func subject(told []Told) string {
	if len(told) == 1 {
		t := told[0]
		if t.Event == Recovered {
			return oneLine(t.Store) + ": recovered: " + oneLine(t.Title)
		}
		return oneLine(t.Store) + ": " + oneLine(t.Title)
	}
	var stores []string
	for _, t := range told {
		if name := oneLine(t.Store); !slices.Contains(stores, name) {
			stores = append(stores, name)
		}
	}
	where := strings.Join(stores, ", ")
	if len(stores) > 3 {
		where = fmt.Sprintf("%s and %d more stores", strings.Join(stores[:2], ", "), len(stores)-2)
	}
	var resolved int64
	for _, t := range told {
		if t.Event == Recovered {
			resolved++
		}
	}
	switch open := int64(len(told)) - resolved; {
	case resolved == 0:
		return where + ": " + report.Plural(open, "alert", "alerts")
	case open == 0:
		return fmt.Sprintf("%s: %s resolved", where, report.Plural(resolved, "alert", "alerts"))
	default:
		return fmt.Sprintf("%s: %s, %d resolved", where, report.Plural(open, "alert", "alerts"), resolved)
	}
}

// words keeps a text to a length.
func words(text string) string { return cut(oneLineOf(text), 2000) }
