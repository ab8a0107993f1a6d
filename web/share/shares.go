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

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/views/share"
	"github.com/storeglass/storeglass/web/site"
)

// shareChoices are the pages of a link with what is on them.
var shareChoices = []share.Choice{
	{Value: string(access.ShareOverview), Label: "Overview", Says: "The window’s figures, their days, and placements, offers and gifts in short."},
	{Value: string(access.SharePlacements), Label: "Placements", Says: "The four placements side by side, larger."},
	{Value: string(access.ShareOffers), Label: "Offers", Says: "The list of offers, and a page for each."},
	{Value: string(access.ShareGifts), Label: "Gifts", Says: "What free gifts brought, their days, and a page for each campaign."},
}

// sharesPage lists the store's share links.
func (s *Handlers) sharesPage(c *site.Call) error {
	notice := ""
	if c.QueryParam("done") == "revoked" {
		notice = "The link is revoked. Whoever opens it is told that it does not work."
	}
	return s.showShares(c, http.StatusOK, notice, "")
}

func (s *Handlers) showShares(c *site.Call, status int, notice, problem string) error {
	links, err := s.Access.Shares(c.Request().Context(), c.Store)
	if err != nil {
		return err
	}
	home, loc := site.SharesPath(c.Store.Slug), c.Store.Location()
	page := share.ListPage{Base: s.PageBase(c, "Share links"), NewHref: home + "/new", Notice: notice, Problem: problem}
	for _, l := range links {
		row := share.Row{
			Label: l.Label, MadeBy: l.MadeBy, Made: locale.English.DayYear(civil.DateOf(l.CreatedAt.In(loc))), Password: l.HasPassword, Opened: l.Hits,
			Shows: strings.Join(shareLabels(l.Pages), ", "), Days: share.Days(l.Preset, report.Window{Start: l.Start, End: l.End}),
		}
		if l.LastHit != nil {
			row.Last = l.LastHit.In(loc).Format("2 Jan 2006, 15:04")
		}
		row.Sign, row.State = shareState(l, loc)
		if l.State == access.ShareLive || l.State == access.ShareStopped {
			row.Action = home + "/" + strconv.FormatInt(l.ID, 10) + "/revoke"
		}
		page.Rows = append(page.Rows, row)
	}
	return c.PageWithStatus(status, share.List(page))
}

func shareLabels(pages []access.SharePage) (words []string) {
	for _, c := range shareChoices {
		if slices.Contains(pages, access.SharePage(c.Value)) {
			words = append(words, c.Label)
		}
	}
	return words
}

// shareState is the sign and the words for whether a link works.
func shareState(l access.ListedShare, loc *time.Location) (sign, words string) {
	switch l.State {
	case access.ShareEnded:
		return "expired", "Revoked " + locale.English.DayYear(civil.DateOf(l.RevokedAt.In(loc)))
	case access.ShareExpired:
		return "expired", "Ended " + report.LastDay(l.ExpiresAt, loc)
	case access.ShareStopped:
		return "waiting", "Stopped: maker disabled"
	}
	return "active", "Until " + report.LastDay(l.ExpiresAt, loc)
}

// sharePage is the form of a new link.
func (s *Handlers) sharePage(c *site.Call) error {
	today := report.Today(c.Now, c.Store.Location())
	month := report.WindowEnding(today.AddDays(-1), 30)
	return s.shareForm(c, http.StatusOK, share.NewPage{Form: share.Form{
		Pages: []string{string(access.ShareOverview)}, Preset: string(report.Last30),
		Start: month.Start.String(), End: month.End.String(), Until: today.AddDays(access.ShareDays).String(),
	}})
}

func (s *Handlers) shareForm(c *site.Call, status int, page share.NewPage) error {
	today := report.Today(c.Now, c.Store.Location())
	page.Base, page.Action, page.BackHref = s.PageBase(c, "Make a share link"), site.SharesPath(c.Store.Slug), site.SharesPath(c.Store.Slug)
	page.Pages, page.Today, page.Latest = shareChoices, today.String(), today.AddDays(access.MaxShareDays).String()
	return c.PageWithStatus(status, share.New(page))
}

// makeShare makes a link and shows its address, this once.
func (s *Handlers) makeShare(c *site.Call) error {
	f := c.Form()
	page := share.NewPage{Form: share.Form{
		Label: strings.ToValidUTF8(strings.TrimSpace(f.Get("label")), "\uFFFD"), Pages: f["page"], Fixed: f.Get("days") == "fixed",
		Preset: f.Get("preset"), Start: f.Get("start"), End: f.Get("end"), Until: f.Get("until"),
	}}
	n, err := wantedShare(c, page.Form)
	n.Password = f.Get("password")
	secret := ""
	if err == nil {
		secret, err = s.Access.CreateShare(c.Request().Context(), c.Store, n)
	}
	if wrong := (*access.ShareError)(nil); errors.As(err, &wrong) {
		page.Field, page.Problem = wrong.Field, wrong.Reason
		return s.shareForm(c, http.StatusBadRequest, page)
	}
	if err != nil {
		return err
	}
	text := "Whoever has this link sees " + ledger.Listed(shareLabels(n.Pages)) + " of " + c.Store.Name + " until " + report.LastDay(n.Until, c.Store.Location()) + "."
	if n.Password != "" {
		text += " They are asked for the password: tell it to them another way."
	}
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.PageBase(c, "Share link"), Words: "The link " + n.Label, Text: text + " It can’t be shown again: if it is lost, revoke it and make another.",
		Secret: site.ShareLink(s.Base, secret), BackHref: site.SharesPath(c.Store.Slug), BackWords: "To the share links",
	}))
}

// wantedShare reads the form on the store's clock. *access.ShareError.
func wantedShare(c *site.Call, f share.Form) (access.NewShare, error) {
	n := access.NewShare{By: c.Visit.Person.ID, Label: f.Label}
	for _, p := range f.Pages {
		n.Pages = append(n.Pages, access.SharePage(p))
	}
	until, err := civil.ParseDate(f.Until)
	if err != nil || !until.IsValid() {
		return n, &access.ShareError{Field: "until", Reason: "Write the last day as YYYY-MM-DD."}
	}
	n.Until = until.AddDays(1).In(c.Store.Location())
	if report.Today(c.Now, c.Store.Location()).AddDays(access.MaxShareDays).Before(until) {
		return n, &access.ShareError{Field: "until", Reason: "A link works for a year at most. Make a new one then."}
	}
	q := url.Values{"window": {f.Preset}}
	if f.Fixed {
		q = url.Values{"start": {f.Start}, "end": {f.End}}
	}
	choice, err := report.ParseChoice(q, c.Now, c.Store.Location(), c.Store.FirstDay)
	if wrong := (*report.ChoiceError)(nil); errors.As(err, &wrong) {
		return n, &access.ShareError{Field: "window", Reason: "These days can’t be shown: " + wrong.Reason + "."}
	}
	if err != nil {
		return n, err
	}
	switch {
	case !f.Fixed && string(choice.Preset) != f.Preset: // another than was named
		return n, &access.ShareError{Field: "window", Reason: "Choose one of the windows."}
	case !f.Fixed:
		n.Window.Preset = string(choice.Preset)
	case choice.Preset != report.Custom: // no day was given
		return n, &access.ShareError{Field: "window", Reason: "Choose the first and the last day."}
	default:
		n.Window.Start, n.Window.End = choice.Window.Start, choice.Window.End
		if choice.LeftOut != nil { // a day that is not over joins the others when it is
			n.Window.End = *choice.LeftOut
		}
	}
	return n, nil
}

// revokeShare ends a link.
func (s *Handlers) revokeShare(c *site.Call) error {
	id, err := strconv.ParseInt(c.Param("id"), 10, 64)
	if err != nil {
		return site.ErrNotFound
	}
	err = s.Access.RevokeShare(c.Request().Context(), c.Store, id)
	if errors.Is(err, access.ErrNoShare) {
		return site.ErrNotFound
	}
	if err != nil {
		return err
	}
	return s.SeeOther(c, site.SharesPath(c.Store.Slug)+"?done=revoked")
}
