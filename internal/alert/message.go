package alert

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
)

// Event is the kind of message.
type Event string

// The events.
const (
	Opened    Event = "alert.opened"
	Recovered Event = "alert.recovered"
	Tried     Event = "channel.test"
)

// Item is one alert in a message.
type Item struct {
	ID                         int64
	Event                      Event
	Slug, Store                string
	Rule, RuleTitle            string
	Subject, Title, Text       string
	Since, OpenedAt            time.Time
	ClosedAt                   *time.Time
	AlertLink, Page, EndSnooze string
	// Action says what a button to Page does; what has ended has none.
	Action string
}

// hookBody is a webhook's message, as documented in docs/developers/alerts.md.
type hookBody struct {
	ID        string     `json:"id"`
	Event     Event      `json:"event"`
	AlertID   int64      `json:"alert_id,omitempty"`
	Store     hookStore  `json:"store"`
	Rule      string     `json:"rule"`
	RuleTitle string     `json:"rule_title"`
	Subject   string     `json:"subject"`
	Title     string     `json:"title"`
	Text      string     `json:"text"`
	Since     time.Time  `json:"since"`
	OpenedAt  time.Time  `json:"opened_at"`
	ClosedAt  *time.Time `json:"closed_at"`
	Links     hookLinks  `json:"links"`
}

type hookStore struct {
	Slug string `json:"slug"`
	Name string `json:"name"`
}

type hookLinks struct {
	Alert string `json:"alert"`
	Page  string `json:"page,omitempty"`
}

// HookBody is a webhook's message about one alert; id is the message's id.
func HookBody(id string, t Item) ([]byte, error) {
	b := hookBody{
		ID: id, Event: t.Event, AlertID: t.ID, Store: hookStore{t.Slug, t.Store}, Rule: t.Rule, RuleTitle: t.RuleTitle, Subject: t.Subject,
		Title: t.Title, Text: t.Text, Since: t.Since.UTC(), OpenedAt: t.OpenedAt.UTC(), Links: hookLinks{t.AlertLink, t.Page},
	}
	if t.ClosedAt != nil {
		b.ClosedAt = new(t.ClosedAt.UTC())
	}
	return json.Marshal(b)
}

const (
	// slackAlerts is the most alerts in one message, slackText the longest text, in characters.
	slackAlerts = 10
	slackText   = 2500
)

type slackBody struct {
	Text   string       `json:"text"`
	Blocks []slackBlock `json:"blocks"`
}

type slackBlock struct {
	Type string       `json:"type"`
	Text *slackObject `json:"text,omitempty"`
}

type slackObject struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Emoji *bool  `json:"emoji,omitempty"`
}

// SlackBody is a Slack-compatible channel's message about one or more alerts, in the
// channel's language. Texts from services and people are escaped, so that they can't become
// links or mention anyone.
func SlackBody(l locale.Locale, items []Item) ([]byte, error) {
	var b slackBody
	off := false
	var lines []string
	for i, t := range items {
		if i == slackAlerts {
			more := l.T("alert.mail.more", "n", len(items)-i)
			b.Blocks = append(b.Blocks, slackBlock{"section", &slackObject{Type: "plain_text", Text: more, Emoji: &off}})
			lines = append(lines, more)
			break
		}
		head := headline(l, t)
		lines = append(lines, head+": "+t.Text)
		b.Blocks = append(b.Blocks,
			slackBlock{"section", &slackObject{Type: "plain_text", Text: cut(tame(head)+"\n"+tame(t.Text), slackText), Emoji: &off}})
		if t.AlertLink != "" {
			b.Blocks = append(b.Blocks, slackBlock{"section", &slackObject{Type: "mrkdwn", Text: "<" + t.AlertLink + "|" + openWords(l, t) + ">"}})
		}
	}
	b.Text = cut(escapeSlack(strings.Join(lines, "\n")), slackText)
	return json.Marshal(b)
}

// headline is an alert's line in a message about several.
func headline(l locale.Locale, t Item) string {
	if t.Event == Recovered {
		return l.T("alert.mail.recovered", "store", t.Store, "title", t.Title)
	}
	return l.T("alert.mail.opened", "store", t.Store, "title", t.Title)
}

// openWords are the words of an alert's link: only what is open can be snoozed.
func openWords(l locale.Locale, t Item) string {
	if t.Event == Opened {
		return l.T("alert.mail.open_or_snooze")
	}
	return l.T("alert.mail.open")
}

// escapeSlack escapes Slack's control characters and tames the text.
func escapeSlack(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(tame(text))
}

// tame keeps text from becoming a mention or a link by inserting a zero-width space, and
// removes the characters that change its direction.
func tame(text string) string {
	return strings.NewReplacer("@", "@\u200b", "](", "]\u200b(", "://", ":\u200b//",
		"\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "").Replace(text)
}

func cut(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}
