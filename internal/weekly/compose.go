// Package weekly is the weekly mail of a store: which weeks are due to whom, what a
// mail says, from the same stored numbers as the pages, as HTML, as plain text that says
// the same, and with its chart as a picture, and how it gets to its reader once. What is
// due is in rows, so that an outage, a doubled tick or two workers change nothing.
// It knows no page and no service.
package weekly

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"image/png"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Mail is one composed mail, the same for every reader but for its last lines.
type Mail struct {
	// Language is a code: "de".
	Language string
	// From is the brand's name; empty for our own.
	From       string
	Subject    string
	HTML, Text string
	// Pictures are named by the HTML as "cid:" and their ID, which is a file's name
	// too, without its ending.
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
	// Home is where to-dos lead to: the address of our pages, without a path.
	Home string
	// Sent says to whom and when: "Sent to … on Mondays, 08:00 New York time."
	Sent string
	// Changed are days that the reader's last mail spoke of and that changed since.
	Changed []report.ChangedDay
	// View is the mail in a browser, Change and Stop are where it is changed or ended;
	// where they are empty there is no such link.
	View, Change, Stop string
	// Unprinted: the reader wants a PDF, and there is none.
	Unprinted bool
	// Earlier are the mails that this one replaces.
	Earlier Earlier
}

// Earlier are mails that could not be sent, in the mail that leads to them.
type Earlier struct {
	// Words say how many; empty for none.
	Words string
	// Weeks are the newest of them.
	Weeks []WeekLink
	// All leads to the list of them; nil where Weeks are all.
	All *WeekLink
}

// WeekLink leads to the mail of a week.
type WeekLink struct{ Words, Href string }

// Brand is what a mail shows in place of our own name, mark and colour.
type Brand struct {
	Name   string
	Accent brand.Accent
	// Logo is a PNG; empty for our own mark, or for none beside another name.
	Logo []byte
}

const ownName = "Storeglass"

// BrandOf reads the brand as it is kept.
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

// Asker has the services asked about a window. asked is false where enough is waited for
// already, or they were asked within the hour.
type Asker interface {
	WantWindow(ctx context.Context, s db.ScopedStore, q report.Question, now time.Time) (asked bool, err error)
}

// readWeek reads what is stored of the week of a mail, and says it in that language. What the
// services can still answer about the week is asked, if the mail waits for data. Only a reader
// with an account is shown private notes and the goal.
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
	overview := report.NewOverview(l, stored, choice, o.Now)
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

// asked has the services asked about the week, and reports whether an answer is to come.
func asked(ctx context.Context, asker Asker, store db.ScopedStore, stored report.Stored, choice report.Choice, now time.Time) (bool, error) {
	coming := report.Asking(stored, choice, now)
	for _, q := range report.Unanswered(stored, choice, now, "upsell", "gift") {
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

var mailTemplate = template.Must(template.New("mail").Funcs(template.FuncMap{
	"style": func(string) (template.HTMLAttr, error) { return "", nil }, // each mail has its own colours
	"mso":   mso, "shape": shape, "tone": tone,
}).Parse(mailHTML))

// content is what the template takes.
type content struct {
	weekly.Week
	Frame
	Brandname, ChartAlt string
	Logo                *logo
	Light, Dark         colours
	Weekly, AllTime     []weekly.Table
}

// Changes are what changed of what was said before, to this reader or to anyone.
func (c content) Changes() (lines []string) {
	for _, d := range c.Changed {
		lines = append(lines, d.In(c.Locale))
	}
	return append(lines, c.Revised...)
}

// Was is the value of the week before, which the headline compares with.
func (c content) Was() string {
	if len(c.Figures) == 0 {
		return ""
	}
	return c.Figures[0].Under
}

// Lacks says what is not in this mail.
func (c content) Lacks() []string {
	if c.Unprinted {
		return append(c.Missing[:len(c.Missing):len(c.Missing)], c.T("weekly.no_pdf"))
	}
	return c.Missing
}

// Begun is a text that begins with a capital.
func (content) Begun(text string) string { return begun(text) }

// table is one with the address that its links begin with.
type table struct {
	weekly.Table
	Home string
}

// In is a table of the mail, for the template.
func (c content) In(t weekly.Table) table { return table{t, c.Home} }

type logo struct{ Width, Height int }

// drawn is what the mails of a week to several readers have in common. Pictures, and
// making ready the template, take most of the time.
type drawn struct {
	content
	page     *template.Template
	pictures []mail.Picture
	print    printing
	// clock is that of the reader of several stores; empty where the store's is meant.
	clock string
	// stores are the ids of those that it shows.
	stores []int64
}

// draw makes ready the mails of a week within frames that differ in their last lines only.
func draw(w weekly.Week, f Frame) (*drawn, error) {
	light, dark := coloursOf(f.Brand.Accent)
	c := content{Week: w, Frame: f, Brandname: f.Brand.Name, Light: light, Dark: dark}
	if c.Brandname == "" {
		c.Brandname = ownName
	}
	for _, t := range w.Tables {
		if t.Apart {
			c.AllTime = append(c.AllTime, t)
		} else {
			c.Weekly = append(c.Weekly, t)
		}
	}
	d := &drawn{content: c}
	page, err := mailTemplate.Clone()
	if err != nil {
		return nil, fmt.Errorf("compose mail: %w", err)
	}
	d.page = page.Funcs(template.FuncMap{"style": light.style})
	return d, d.draw()
}

// write writes the mail within its reader's frame.
func (d *drawn) write(f Frame) (Mail, error) {
	c := d.content
	c.Frame = f
	var out bytes.Buffer
	if err := d.page.Execute(&out, c); err != nil {
		return Mail{}, fmt.Errorf("compose mail: %w", err)
	}
	return Mail{Language: c.Locale.Code(), From: c.Frame.Brand.Name, Subject: c.Subject, HTML: out.String(), Text: plainText(c), Pictures: d.pictures}, nil
}

// draw adds the pictures: the chart in light and in dark, and the mark or logo.
func (d *drawn) draw() error {
	c := &d.content
	if len(c.Days) > 0 {
		c.ChartAlt = c.T("weekly.by_day") + ". " + strings.Join(dayWords(c.Week), ". ") + "."
		for _, each := range []struct {
			id string
			colours
		}{{"days", c.Light}, {"days-dark", c.Dark}} {
			chart, err := weekChart(c.Week, each.colours)
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

// dayWords are the days with their amounts: "Mon 9 Nov: $1,354.20 (week before $1,402.00)".
func dayWords(w weekly.Week) []string {
	l := w.Locale
	amount := func(d report.DayPoint) string {
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

// Standing is the HTML for a browser: its pictures are files beside it.
func (m Mail) Standing() string {
	out := m.HTML
	for _, p := range m.Pictures {
		out = strings.ReplaceAll(out, `src="cid:`+p.ID+`"`, `src="`+p.ID+`.png"`)
	}
	return out
}
