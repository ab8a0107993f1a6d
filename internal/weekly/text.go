package weekly

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/report/weekly"
)

// plainText says what the HTML says, in the same order.
func plainText(c content) string {
	var b strings.Builder
	line := func(parts ...string) { b.WriteString(strings.Join(parts, "") + "\n") }
	heading := func(text, note string) {
		line()
		line(begun(text), bracketed(note))
		line(strings.Repeat("-", utf8.RuneCountInString(text)))
	}
	line(c.Brandname, " · ", c.T("weekly.number", "n", c.Number))
	line()
	line(c.Store.Name)
	line(c.Headline)
	if c.Why != "" {
		line(strings.TrimSpace(c.Why + " " + c.Evidence))
	}
	line(c.Window)
	if c.Compared != "" {
		line(c.Compared)
	}
	if len(c.Figures) > 0 {
		line()
		for _, f := range c.Figures {
			line(f.Name, c.T("unit.colon"), valueWords(f))
		}
		line(c.Orders)
	}
	if len(c.Goal) > 0 {
		line()
		for _, g := range c.Goal {
			line(g)
		}
	}
	if len(c.Days) > 0 {
		heading(c.T("weekly.by_day"), c.DaysNote)
		line(c.DaysWindow)
		for _, d := range dayWords(c.Week) {
			line(d)
		}
	}
	if len(c.Notes) > 0 {
		heading(c.T("notes.title"), "")
		for _, n := range c.Notes {
			line("* ", n.Days, c.T("unit.colon"), n.Text, bracketed(n.Private))
		}
	}
	if e := c.Earlier; e.Words != "" {
		line()
		line(e.Words)
		for _, w := range e.Weeks {
			line("* ", w.Words, c.T("unit.colon"), w.Href)
		}
		if e.All != nil {
			line("* ", e.All.Words, c.T("unit.colon"), e.All.Href)
		}
	}
	table := func(t weekly.Table) {
		heading(t.Title, t.Note)
		line(t.Window)
		for _, r := range t.Rows {
			line(r.Name, c.T("unit.colon"), valueWords(r))
			if r.Href != "" {
				line("  ", c.Home, r.Href)
			}
		}
	}
	for _, t := range c.Weekly {
		table(t)
	}
	if len(c.Todos) > 0 {
		heading(c.T("weekly.to_do"), "")
		for _, t := range c.Todos {
			line("* ", strings.TrimSpace(t.Title+". "+t.Text))
			if t.Href != "" {
				line("  ", t.Action, c.T("unit.colon"), c.Home, t.Href)
			}
		}
		if c.MoreTodos > 0 {
			line(c.T("weekly.more_on_page", "n", c.MoreTodos))
		}
	}
	if c.Live != "" {
		line()
		line(c.Open, c.T("unit.colon"), c.Live)
		line(c.T("weekly.same_numbers"))
	}
	for _, t := range c.AllTime {
		table(t)
	}
	for _, part := range []struct {
		title string
		lines []string
	}{{c.T("weekly.not_in_mail"), c.Lacks()}, {c.T("weekly.revised"), c.Changes()}} {
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
		line(c.T("weekly.open_in_browser"), c.T("unit.colon"), c.View)
	}
	if c.Change != "" {
		line(c.T("weekly.change"), c.T("unit.colon"), c.Change)
	}
	if c.Stop != "" {
		line(c.T("weekly.stop"), c.T("unit.colon"), c.Stop)
	}
	return b.String()
}

// begun capitalizes the first letter.
func begun(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

func bracketed(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// valueWords is "$1,466.25, 45 claims (Thank you page upsell)".
func valueWords(r weekly.Row) string {
	text := r.Value
	if change := r.Change(); change != "" && change != "–" {
		text += ", " + change
	}
	return text + bracketed(r.Under)
}
