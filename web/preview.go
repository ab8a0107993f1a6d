package web

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/views/mails"
)

func previewPath(slug string) string { return storePath(slug) + "/snapshot" }

// previewAsked is the day and the language in the address, or in a form. What is none of
// ours is the last week, and English.
func previewAsked(q url.Values) (day civil.Date, language string) {
	day, err := civil.ParseDate(q.Get("week"))
	if err != nil || !day.IsValid() || day.Year < 2000 {
		day = civil.Date{}
	}
	language = "en"
	if slices.ContainsFunc(report.MailLanguages, func(l report.MailLanguage) bool { return l.Code == q.Get("language") }) {
		language = q.Get("language")
	}
	return day, language
}

// previewPage shows the mail of a week as it would be written now.
func (s *mailsHandlers) previewPage(c *call) error {
	notice := ""
	if c.QueryParam("done") == "sent" {
		notice = "It is on its way to " + c.visit.Person.Email + "."
	}
	return s.showPreview(c, http.StatusOK, c.QueryParams(), notice, "")
}

func (s *mailsHandlers) showPreview(c *call, status int, q url.Values, notice, problem string) error {
	day, language := previewAsked(q)
	m, err := s.mailroom.Preview(c.Request().Context(), c.visit.Person.ID, c.store.Slug, day, language)
	if err != nil {
		return err
	}
	at := func(day civil.Date) string {
		return addressWith(previewPath(c.store.Slug), url.Values{"week": {day.String()}, "language": {language}})
	}
	page := mails.PreviewPage{
		Base: s.pageBase(c, "Weekly mail"), Mail: m, Language: language, To: c.visit.Person.Email, Mails: s.mail != nil, Notice: notice, Problem: problem,
		FrameHref: addressWith(previewPath(c.store.Slug)+"/mail", url.Values{"week": {m.Week.Start.String()}, "language": {language}}),
		PrevHref:  at(m.Week.Start.AddDays(-7)), TestAction: previewPath(c.store.Slug) + "/test", SubscribeHref: snapshotsPath + "/new?store=" + c.store.Slug,
	}
	page.Path = previewPath(c.store.Slug)
	page.Latest = report.Today(c.now, c.store.Location()).AddDays(-1).String()
	if next := m.Week.End.AddDays(1); next.AddDays(6).Before(report.Today(c.now, c.store.Location())) {
		page.NextHref = at(next)
	}
	c.Response().Header().Set("Content-Security-Policy", framingPolicy)
	return c.pageWithStatus(status, mails.Preview(page))
}

// framingPolicy lets a page show our own pages in frames, beside what every page may.
const framingPolicy = policy + "; frame-src 'self'"

// previewPolicy lets the mail show its own looks within our page, and nothing else.
const previewPolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// previewMail is the mail alone, for the frames of the page. Its links open beside it.
func (s *mailsHandlers) previewMail(c *call) error {
	day, language := previewAsked(c.QueryParams())
	m, err := s.mailroom.Preview(c.Request().Context(), c.visit.Person.ID, c.store.Slug, day, language)
	if err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set("Content-Security-Policy", previewPolicy)
	h.Set("X-Frame-Options", "SAMEORIGIN")
	return c.Blob(http.StatusOK, htmlType, []byte(strings.Replace(m.HTML, "<head>", `<head><base target="_blank">`, 1)))
}

// sendTest sends the mail to whoever asks for it.
func (s *mailsHandlers) sendTest(c *call) error {
	f := c.form()
	day, language := previewAsked(f)
	err := s.mailroom.SendTest(c.Request().Context(), c.visit.Person.ID, c.store.Slug, day, language)
	if refused := (*stores.Refusal)(nil); errors.As(err, &refused) {
		return s.showPreview(c, http.StatusUnprocessableEntity, f, "", refused.First())
	}
	if err != nil {
		return err
	}
	q := url.Values{"language": {language}, "done": {"sent"}}
	if day.IsValid() && !day.IsZero() {
		q.Set("week", day.String())
	}
	return s.seeOther(c, addressWith(previewPath(c.store.Slug), q))
}
