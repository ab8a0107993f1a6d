package snapshot

import (
	"strconv"
	"strings"

	"github.com/storeglass/storeglass/internal/report"
)

// plainText says what the HTML says, in the same order.
func plainText(c content) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	heading := func(text, note string) {
		line()
		line(strings.ToUpper(text[:1]), text[1:], bracketed(note))
		line(strings.Repeat("-", len(text)))
	}
	line(c.Brandname, " · week ", strconv.Itoa(c.Number))
	line()
	line(c.Store.Name)
	line(c.Headline)
	line(c.Window)
	if c.Compared != "" {
		line(c.Compared)
	}
	if len(c.Figures) > 0 {
		line()
		for _, f := range c.Figures {
			line(f.Name, ": ", valueWords(f))
		}
		line(c.Orders)
	}
	if len(c.Days) > 0 {
		heading("Upsold value by day", c.DaysNote)
		line(c.DaysWindow)
		for _, d := range dayWords(c.Week) {
			line(d)
		}
	}
	table := func(t report.WeekTable) {
		heading(t.Title, t.Note)
		line(t.Window)
		for _, r := range t.Rows {
			line(r.Name, ": ", valueWords(r))
			if r.Href != "" {
				line("  ", c.Home, r.Href)
			}
		}
	}
	for _, t := range c.Weekly {
		table(t)
	}
	if len(c.Todos) > 0 {
		heading("Worth doing this week", "")
		for _, t := range c.Todos {
			line("* ", strings.TrimSpace(t.Title+". "+t.Text))
			if t.Href != "" {
				line("  ", t.Action, ": ", c.Home, t.Href)
			}
		}
		if c.MoreTodos > 0 {
			line("And ", strconv.Itoa(c.MoreTodos), " more on the page.")
		}
	}
	if c.Live != "" {
		line()
		line(c.Open, ": ", c.Live)
		line("Same numbers, with where each one comes from.")
	}
	for _, t := range c.AllTime {
		table(t)
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{"Not in this mail", c.Missing}, {"Revised", c.Changes()}} {
		if len(part.lines) > 0 {
			heading(part.title, "")
			for _, l := range part.lines {
				line("* ", l)
			}
		}
	}
	line()
	line("--")
	line(c.Sent)
	if c.View != "" {
		line("Open in a browser: ", c.View)
	}
	if c.Change != "" {
		line("Change: ", c.Change)
	}
	if c.Stop != "" {
		line("Stop these mails: ", c.Stop)
	}
	return b.String()
}

func bracketed(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// valueWords is "$1,466.25, 45 claims (Thank you page upsell)".
func valueWords(r report.WeekRow) string {
	text := r.Value
	if change := r.Change(); change != "" && change != "–" {
		text += ", " + change
	}
	return text + bracketed(r.Under)
}
