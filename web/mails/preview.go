package mails

import (
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/mails"
	"github.com/storeglass/storeglass/web/site"
)

func previewPath(slug string) string { return site.StorePath(slug) + "/snapshot" }

// previewAsked reads the day and the language from the address or a form. The defaults are the
// last week and English.
func previewAsked(q url.Values) (day civil.Date, language string) {
	day, err := civil.ParseDate(q.Get("week"))
	if err != nil || !day.IsValid() || day.Year < 2000 {
		day = civil.Date{}
	}
	l, _ := locale.Of(q.Get("language"))
	return day, l.Code()
}

// previewPage shows the mail of a week as it would be written now.
func (s *Handlers) previewPage(c *site.Call) error {
	notice := ""
	if c.QueryParam("done") == "sent" {
		notice = c.T("mails.preview.sent", "address", c.Visit.Person.Email)
	}
	return s.showPreview(c, http.StatusOK, c.QueryParams(), notice, "")
}

func (s *Handlers) showPreview(c *site.Call, status int, q url.Values, notice, problem string) error {
	day, language := previewAsked(q)
	m, err := s.Subscriptions.Preview(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, day, language)
	if err != nil {
		return err
	}
	at := func(day civil.Date) string {
		return components.WithQuery(previewPath(c.Store.Slug), url.Values{"week": {day.String()}, "language": {language}})
	}
	page := mails.PreviewPage{
		Base: s.PageBase(c, c.T("mails.preview.title")), Mail: m, Language: language, To: c.Visit.Person.Email, Mails: s.Mail != nil, Notice: notice, Problem: problem,
		FrameHref: components.WithQuery(previewPath(c.Store.Slug)+"/mail", url.Values{"week": {m.Week.Start.String()}, "language": {language}}),
		PrevHref:  at(m.Week.Start.AddDays(-7)), TestAction: previewPath(c.Store.Slug) + "/test",
	}
	page.Path = previewPath(c.Store.Slug)
	page.Latest = report.Today(c.Now, c.Store.Location()).AddDays(-1).String()
	if next := m.Week.End.AddDays(1); next.AddDays(6).Before(report.Today(c.Now, c.Store.Location())) {
		page.NextHref = at(next)
	}
	c.Response().Header().Set("Content-Security-Policy", FramingPolicy)
	return c.PageWithStatus(status, mails.Preview(page))
}

// FramingPolicy lets a page show our own pages in frames, besides what every page may do.
const FramingPolicy = site.Policy + "; frame-src 'self'"

// PreviewPolicy lets the mail show its own styles within our page, and nothing else.
const PreviewPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// previewMail is the mail alone, for the page's frames. Its links open in another tab.
func (s *Handlers) previewMail(c *site.Call) error {
	day, language := previewAsked(c.QueryParams())
	m, err := s.Subscriptions.Preview(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, day, language)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", PreviewPolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	return c.Blob(http.StatusOK, site.HTMLType, []byte(strings.Replace(m.HTML, "<head>", `<head><base target="_blank">`, 1)))
}

// sendTest sends the mail to the person who asks for it.
func (s *Handlers) sendTest(c *site.Call) error {
	f := c.Form()
	day, language := previewAsked(f)
	err := s.Subscriptions.SendTest(c.Request().Context(), c.Visit.Person.ID, c.Store.Slug, day, language)
	if refused, ok := errors.AsType[*stores.Refusal](err); ok {
		return s.showPreview(c, http.StatusUnprocessableEntity, f, "", refused.First())
	}
	q := url.Values{"language": {language}, "done": {"sent"}}
	if day.IsValid() && !day.IsZero() {
		q.Set("week", day.String())
	}
	return s.Then(c, err, components.WithQuery(previewPath(c.Store.Slug), q))
}
