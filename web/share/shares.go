package share

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/sharing"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/views/share"
	"github.com/storeglass/storeglass/web/site"
)

func (s *Handlers) sharesPage(c *site.Call) error {
	links, err := s.Shares.List(c.Request().Context(), c.Store)
	if err != nil {
		return err
	}
	home, loc := site.SharesPath(c.Store.Slug), c.Store.Location()
	page := share.ListPage{Base: s.PageBase(c, ""), NewHref: home + "/new"}
	l := page.Locale
	if page.Title = l.T("share.title"); c.QueryParam("done") == "revoked" {
		page.Notice = l.T("share.revoked")
	}
	for _, link := range links {
		row := share.Row{
			Label: link.Label, MadeBy: link.MadeBy, Made: l.DayYear(civil.DateOf(link.CreatedAt.In(loc))), Password: link.HasPassword, Opened: link.Hits,
			Shows: strings.Join(pageNames(l, link.Pages), ", "), Days: share.Days(l, link.Preset, report.Window{Start: link.Start, End: link.End}),
		}
		if link.Compares {
			row.Days = l.T("share.compared", "days", row.Days)
		}
		if link.Plans {
			row.Days = l.T("share.planned", "days", row.Days)
		}
		if link.LastHit != nil {
			at := link.LastHit.In(loc)
			row.Last = l.T("common.stamp", "day", l.DayYear(civil.DateOf(at)), "time", l.Time(at))
		}
		row.Sign, row.State = shareState(l, link, loc)
		if link.State == sharing.Live || link.State == sharing.Stopped {
			row.Action = home + "/" + strconv.FormatInt(link.ID, 10) + "/revoke"
		}
		page.Rows = append(page.Rows, row)
	}
	return c.PageWithStatus(http.StatusOK, share.List(page))
}

// pageNames are the pages of a link in the site's order.
func pageNames(l locale.Locale, pages []sharing.Page) (names []string) {
	for _, t := range site.ShareTabs {
		if slices.Contains(pages, t.Page) {
			names = append(names, t.Name.In(l))
		}
	}
	return names
}

// shareState is the icon and the words for whether a link works.
func shareState(l locale.Locale, link sharing.Listed, loc *time.Location) (sign, words string) {
	last := l.DayYear(report.LastDay(link.ExpiresAt, loc))
	switch link.State {
	case sharing.Ended:
		return "expired", l.T("share.state.revoked", "day", l.DayYear(civil.DateOf(link.RevokedAt.In(loc))))
	case sharing.Expired:
		return "expired", l.T("share.state.expired", "day", last)
	case sharing.Stopped:
		return "waiting", l.T("share.state.stopped")
	}
	return "active", l.T("nav.until", "day", last)
}

func (s *Handlers) sharePage(c *site.Call) error {
	today := report.Today(c.Now, c.Store.Location())
	month := report.WindowEnding(today.AddDays(-1), 30)
	return s.shareForm(c, http.StatusOK, share.NewPage{Form: share.Form{
		Pages: []string{string(sharing.Overview)}, Preset: string(report.Last30),
		Start: month.Start.String(), End: month.End.String(), Until: today.AddDays(sharing.Days).String(),
	}})
}

func (s *Handlers) shareForm(c *site.Call, status int, page share.NewPage) error {
	today := report.Today(c.Now, c.Store.Location())
	page.Base, page.Action, page.BackHref = s.PageBase(c, c.Locale().T("share.new.title")), site.SharesPath(c.Store.Slug), site.SharesPath(c.Store.Slug)
	for _, t := range site.ShareTabs {
		page.Pages = append(page.Pages, form.Choice{Value: string(t.Page), Label: t.Name.In(page.Locale), Note: page.T("share.page_shows." + string(t.Page))})
	}
	page.Today, page.Latest, page.MinPassword, page.MaxMessage = today.String(), today.AddDays(sharing.MaxDays).String(), password.Min, sharing.MaxMessage
	return c.PageWithStatus(status, share.New(page))
}

// makeShare makes a link and shows its address, once.
func (s *Handlers) makeShare(c *site.Call) error {
	f := c.Form()
	page := share.NewPage{Form: share.Form{
		Label: strings.ToValidUTF8(strings.TrimSpace(f.Get("label")), "\uFFFD"), Pages: f["page"], Fixed: f.Get("days") == "fixed",
		Preset: f.Get("preset"), Start: f.Get("start"), End: f.Get("end"), Compares: f.Get("compares") == "yes", Message: f.Get("message"), Plans: f.Get("plans") == "yes", Until: f.Get("until"),
	}}
	n, err := wantedShare(c, page.Form)
	n.Password = f.Get("password")
	secret := ""
	if err == nil {
		secret, err = s.Shares.Create(c.Request().Context(), c.Store, n)
	}
	if wrong, ok := fault.As(err); ok {
		page.Wrong = c.Wrong(wrong)
		return s.shareForm(c, wrong.Status(), page)
	}
	if err != nil {
		return err
	}
	l := c.Locale()
	text := []string{l.T("share.made.text", "pages", l.List(pageNames(l, n.Pages)), "store", locale.Name(c.Store.Name), "day", l.DayYear(report.LastDay(n.Until, c.Store.Location())))}
	if n.Password != "" {
		text = append(text, l.T("share.made.password"))
	}
	if first := c.Store.FirstDay; first.IsValid() && n.Window.Fixed() && n.Window.End.Before(first) {
		text = append(text, l.T("share.made.no_numbers", "day", l.DayYear(first)))
	}
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.PageBase(c, l.T("share.made.title")), Words: l.T("share.made.name", "name", locale.Name(n.Label)), Text: strings.Join(append(text, l.T("share.made.once")), " "),
		Secret: site.ShareLink(s.Base, secret), BackHref: site.SharesPath(c.Store.Slug), BackWords: l.T("share.made.back"),
	}))
}

// wantedShare reads the form on the store's clock. fault.Invalid.
func wantedShare(c *site.Call, f share.Form) (sharing.Draft, error) {
	n := sharing.Draft{By: c.Visit.Person.ID, Label: f.Label, Compares: f.Compares, Message: f.Message, Plans: f.Plans}
	for _, p := range f.Pages {
		n.Pages = append(n.Pages, sharing.Page(p))
	}
	until, err := civil.ParseDate(f.Until)
	if err != nil {
		return n, fault.New(fault.Invalid, "until", "share.problem.until")
	}
	n.Until = until.AddDays(1).In(c.Store.Location())
	q := url.Values{"window": {f.Preset}}
	if f.Fixed {
		q = url.Values{"start": {f.Start}, "end": {f.End}}
	}
	choice, err := report.ParseChoice(q, c.Now, c.Store.Location(), c.Store.FirstDay)
	if wrong, ok := errors.AsType[*report.ChoiceError](err); ok {
		return n, fault.New(fault.Invalid, "window", "window.wrong", "reason", wrong.Reason)
	}
	if err != nil {
		return n, err
	}
	switch {
	case !f.Fixed && string(choice.Preset) != f.Preset: // differs from the chosen preset
		return n, fault.New(fault.Invalid, "window", "share.problem.period")
	case !f.Fixed:
		n.Window.Preset = string(choice.Preset)
	case choice.Preset != report.Custom: // no day was given
		return n, fault.New(fault.Invalid, "window", "share.problem.days")
	default:
		n.Window.Start, n.Window.End = choice.Window.Start, choice.Window.End
		if choice.LeftOut != nil { // a day that isn't over yet would join the others later
			n.Window.End = *choice.LeftOut
		}
	}
	return n, nil
}

func (s *Handlers) revokeShare(c *site.Call, id int64) error {
	err := s.Shares.Revoke(c.Request().Context(), c.Store, id)
	return s.Then(c, err, site.SharesPath(c.Store.Slug)+"?done=revoked")
}
