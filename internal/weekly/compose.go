// Package weekly is a store's weekly mail: which weeks are due to which readers, what the
// mail says as HTML and as plain text with a chart, from the same stored numbers as the
// pages, and how it is delivered exactly once. What is due is kept in rows, so outages,
// doubled ticks and concurrent workers change nothing. It knows nothing about pages and
// upstream services.
package weekly

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/style"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Mail is one composed mail, the same for every reader except its last lines.
type Mail struct {
	// Language is a code: "de".
	Language string
	// From is the brand's name; empty for ours.
	From       string
	Subject    string
	HTML, Text string
	// Pictures are referred to in the HTML as "cid:" and their ID, which is also their file
	// name without the extension.
	Pictures []mail.Picture
	// Files are attached.
	Files []mail.File
}

// Message is the mail to one reader.
func (m Mail) Message(to string) mail.Message {
	return mail.Message{To: to, FromName: m.From, List: "weekly", Language: m.Language, Subject: m.Subject, Text: m.Text, HTML: m.HTML, Pictures: m.Pictures, Files: m.Files}
}

// Frame is what surrounds a mail's numbers.
type Frame struct {
	Brand Brand
	// Live is the page with the same numbers.
	Live string
	// Home is the address of our pages, without a path, which to-dos link to.
	Home string
	// Sent says to whom and when: "Sent to … on Mondays, 08:00 New York time."
	Sent string
	// Changed are days in the reader's last mail whose values have changed since.
	Changed []report.ChangedDay
	// View is the link to the mail in a browser, Change and Stop are where the subscription is
	// changed or ended; empty leaves the link out.
	View, Change, Stop string
	// Unprinted: the reader wants a PDF, but it couldn't be made.
	Unprinted bool
	// Earlier are the mails that this one replaces.
	Earlier Earlier
}

// Earlier lists mails that couldn't be sent, for the mail that links to them.
type Earlier struct {
	// Words says how many there are; empty for none.
	Words string
	// Weeks are the newest of them.
	Weeks []WeekLink
	// All links to the complete list; nil if Weeks is complete.
	All *WeekLink
}

// WeekLink links to a week's mail.
type WeekLink struct{ Words, Href string }

// Brand is what a mail shows instead of our name, logo and color.
type Brand struct {
	Name   string
	Accent brand.Accent
	// Logo is a PNG; empty means our own, or none with another name.
	Logo []byte
}

const ownName = "Storeglass"

// BrandOf reads the stored brand.
func BrandOf(kept db.Brand) (Brand, error) {
	b := Brand{Name: kept.Name, Logo: kept.Logo}
	if kept.Accent != "" {
		var err error
		if b.Accent, err = brand.ParseAccent(kept.Accent); err != nil {
			return Brand{}, fmt.Errorf("accent of the brand: %w", err)
		}
	}
	return b, nil
}

// Asker has the services asked about a window. asked is false if too many questions are
// already pending, or if they were asked within the hour.
type Asker interface {
	WantWindow(ctx context.Context, s db.ScopedStore, q report.Question, now time.Time) (asked bool, err error)
}

// readWeek reads the stored data for a mail's week, in the language l. If the mail waits for
// data, it has the services asked about what they can still answer. Private notes and the
// goal are included only for a reader with an account.
func (e *Editor) readWeek(ctx context.Context, store db.ScopedStore, o Order, l locale.Locale) (weekly.Week, error) {
	today := report.Today(o.Now, store.Location())
	choice := weekly.ChoiceOf(o.Week.First, today)
	stored, err := e.DB.Stored(ctx, store, choice, new(store.ForEveryone(o.Now)))
	if err != nil {
		return weekly.Week{}, err
	}
	if o.PersonID == nil {
		stored.Notes = report.NotesForClients(stored.Notes)
	}
	overview := overview.New(l, stored, choice, o.Now)
	why, err := e.DB.Answer(ctx, store, overview, stored, nil, nil)
	if err != nil {
		return weekly.Week{}, err
	}
	var g *goal.Progress
	if last := choice.Window.End; o.PersonID != nil {
		set, err := e.DB.GoalOn(ctx, store, last)
		if err != nil {
			return weekly.Week{}, err
		}
		g = goal.New(store.Store, set, last, true)
	}
	w := weekly.New(overview, why, g, o.Until)
	if e.Asker != nil && o.Now.Before(o.Until) {
		if w.Asked, err = asked(ctx, e.Asker, store, stored, choice, o.Now); w.Asked {
			w.Complete = false
		}
	}
	return w, err
}

// asked has the services asked about the week, and reports whether an answer is expected.
func asked(ctx context.Context, asker Asker, store db.ScopedStore, stored report.Stored, choice report.Choice, now time.Time) (bool, error) {
	coming := report.Asking(stored, choice, now)
	for _, q := range overview.Unanswered(stored, choice, now, "upsell", "gift") {
		asked, err := asker.WantWindow(ctx, store, q, now)
		if err != nil {
			return false, fmt.Errorf("ask about the week of a mail: %w", err)
		}
		coming = coming || asked
	}
	return coming, nil
}

//go:embed mail.html.tmpl
var mailHTML string

var htmlTemplate = style.Parse(mailHTML, template.FuncMap{"shape": shape, "tone": tone, "arrowed": arrowed})

// content is the template's data.
type content struct {
	weekly.Week
	Frame
	Brandname, ChartAlt string
	Logo                *logo
	Light, Dark         style.Colors
	Weekly, AllTime     []weekly.Table
}

// Changes are the values that changed since they were last reported, to this reader or anyone.
func (c content) Changes() (lines []string) {
	for _, d := range c.Changed {
		lines = append(lines, d.In(c.Locale))
	}
	return append(lines, c.Revised...)
}

// Was is the value of the week before, for the headline's comparison.
func (c content) Was() string {
	if len(c.Figures) == 0 {
		return ""
	}
	return c.Figures[0].Under
}

// Lacks says what is missing from this mail.
func (c content) Lacks() []string {
	if c.Unprinted {
		return append(c.Missing[:len(c.Missing):len(c.Missing)], c.T("weekly.no_pdf"))
	}
	return c.Missing
}

// Colon stands between a name and its value.
func (c content) Colon() string { return c.T("unit.colon") }

// Begun is the text with its first letter capitalized.
func (content) Begun(text string) string { return begun(text) }

// table is a table with what its rows need: the base address for their links, and the colon.
type table struct {
	weekly.Table
	Home, Colon string
}

// In prepares a table for the templates.
func (c content) In(t weekly.Table) table { return table{t, c.Home, c.Colon()} }

type logo struct{ Width, Height int }

// drawn is what a week's mails to several readers share. Pictures and preparing the template
// take most of the time.
type drawn struct {
	content
	page     *template.Template
	pictures []mail.Picture
	print    printing
	// clock is the time zone of a reader of several stores; empty means the store's.
	clock string
	// stores are the ids of the stores shown.
	stores []int64
}

// draw prepares a week's mails, whose frames differ only in their last lines.
func draw(w weekly.Week, f Frame) (*drawn, error) {
	light, dark := style.Of(f.Brand.Accent)
	c := content{Week: w, Frame: f, Brandname: cmp.Or(f.Brand.Name, ownName), Light: light, Dark: dark}
	for _, t := range w.Tables {
		if t.Apart {
			c.AllTime = append(c.AllTime, t)
		} else {
			c.Weekly = append(c.Weekly, t)
		}
	}
	page, err := light.In(htmlTemplate)
	if err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	d := &drawn{content: c, page: page}
	return d, d.draw()
}

// write writes the mail in its reader's frame.
func (d *drawn) write(f Frame) (Mail, error) {
	c := d.content
	c.Frame = f
	var html, text strings.Builder
	if err := errors.Join(d.page.Execute(&html, c), textTemplate.Execute(&text, c)); err != nil {
		return Mail{}, fmt.Errorf("compose mail: %w", err)
	}
	return Mail{Language: c.Locale.Code(), From: c.Frame.Brand.Name, Subject: c.Subject, HTML: html.String(), Text: text.String(), Pictures: d.pictures}, nil
}

// draw adds the pictures: the light and dark chart, and the logo.
func (d *drawn) draw() error {
	c := &d.content
	if len(c.Days) > 0 {
		c.ChartAlt = c.T("weekly.by_day") + ". " + strings.Join(dayWords(c.Week), ". ") + "."
		for _, each := range []struct {
			id string
			style.Colors
		}{{"days", c.Light}, {"days-dark", c.Dark}} {
			chart, err := weekChart(c.Week, each.Colors)
			if err != nil {
				return err
			}
			d.pictures = append(d.pictures, mail.Picture{ID: each.id, PNG: chart})
		}
	}
	sign := c.Frame.Brand.Logo
	switch {
	case len(sign) > 0:
		size, err := png.DecodeConfig(bytes.NewReader(sign))
		if err != nil {
			return fmt.Errorf("logo of the brand: %w", err)
		}
		c.Logo = &logo{max(1, size.Width*28/max(1, size.Height)), 28}
		if c.Logo.Width > 200 {
			c.Logo = &logo{200, max(1, size.Height*200/size.Width)}
		}
	case c.Frame.Brand.Name == "":
		var err error
		if sign, err = mark(c.Light.Accent, c.Light.OnAccent); err != nil {
			return err
		}
		c.Logo = &logo{22, 22}
	default:
		return nil
	}
	d.pictures = append(d.pictures, mail.Picture{ID: "logo", PNG: sign})
	return nil
}

// dayWords lists the days with their amounts: "Mon 9 Nov: $1,354.20 (week before $1,402.00)".
func dayWords(w weekly.Week) []string {
	l := w.Locale
	amount := func(d overview.DayPoint) string {
		if !d.Stored {
			return l.T("weekly.no_day")
		}
		return l.Money(*d.Value, w.DaysCurrency).String()
	}
	out := make([]string, len(w.Days))
	for i, d := range w.Days {
		out[i] = l.Weekday(d.Day) + l.T("unit.colon") + amount(d)
		if i < len(w.Against) {
			out[i] += " (" + l.T("weekly.week_before", "amount", amount(w.Against[i])) + ")"
		}
	}
	return out
}

// Standing is the HTML for a browser, with its pictures as files beside it.
func (m Mail) Standing() string {
	out := m.HTML
	for _, p := range m.Pictures {
		out = strings.ReplaceAll(out, `src="cid:`+p.ID+`"`, `src="`+p.ID+`.png"`)
	}
	return out
}

// shape is a placement's symbol.
func shape(p report.Placement) string {
	switch p {
	case report.PostPurchase:
		return "●"
	case report.ThankYou:
		return "■"
	case report.Coupon:
		return "◆"
	case report.OrderStatus:
		return "▲"
	}
	return "○"
}

// tone is the color of a change: in everything that a mail compares, more is good.
func tone(r weekly.Row) string {
	switch {
	case r.More == "" && r.Delta.Direction == locale.Up:
		return "accent"
	case r.More == "" && r.Delta.Direction == locale.Down:
		return "brick"
	}
	return "muted"
}

// arrowed keeps a change's arrow on the line of its amount.
func arrowed(change string) string {
	return strings.NewReplacer("↑ ", "↑\u00a0", "↓ ", "↓\u00a0").Replace(change)
}
