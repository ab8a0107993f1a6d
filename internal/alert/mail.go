package alert

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/mail"
)

//go:embed mail.html.tmpl
var mailHTML string

var mailTemplate = template.Must(template.New("mail").Parse(mailHTML))

// letter is what a mail's template takes.
type letter struct {
	Subject, Foot, Settings string
	Alerts                  []mailAlert
	// More are those that it leaves to the page All.
	More int
	All  string
}

// mailAlerts stand in one mail at most: readers cut what is longer than 102 kB.
const mailAlerts = 50

type mailAlert struct {
	Told
	Store, Title, Text string
	Recovered          bool
}

const mailFoot = "You get this because you may see the store and want to be told."

// writeMail makes the words of a mail about one or more alerts.
func writeMail(told []Told, base *url.URL) (mail.Message, error) {
	l := letter{Subject: subject(told), Foot: mailFoot}
	if base != nil {
		l.Settings = strings.TrimSuffix(base.String(), "/") + "/alerts/settings"
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
		for _, link := range []struct{ words, href string }{{"See more", t.Page}, {"Open the alert, or mute it", t.AlertLink}} {
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
		fmt.Fprintf(&text, "How you are told: %s\n", l.Settings)
	}
	var html bytes.Buffer
	if err := mailTemplate.Execute(&html, l); err != nil {
		return mail.Message{}, fmt.Errorf("write the mail of an alert: %w", err)
	}
	return mail.Message{Subject: l.Subject, Text: text.String(), HTML: html.String()}, nil
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
	return fmt.Sprintf("%s: %d alerts", where, len(told))
}

// words keeps a text to a length.
func words(text string) string { return cut(oneLineOf(text), 2000) }
