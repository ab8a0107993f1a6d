package admin

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/web/site"
)

// tokensPage lists the tokens of the JSON API.
func (s *Handlers) tokensPage(c *site.Call) error {
	notice := ""
	if c.QueryParam("done") == "revoked" {
		notice = c.T("tokens.is_revoked")
	}
	return s.showTokens(c, http.StatusOK, notice, "")
}

func (s *Handlers) showTokens(c *site.Call, status int, notice, problem string) error {
	tokens, err := s.Tokens.List(c.Request().Context())
	if err != nil {
		return err
	}
	page := admin.TokensPage{Base: s.adminBase(c, c.T("people.tab.tokens")), NewHref: "/tokens/new", Notice: notice, Problem: problem}
	for _, t := range tokens {
		row := admin.TokenRow{Name: t.Name, MadeBy: t.MadeBy, Reads: readsWords(c.Locale(), t.Reach), Made: t.CreatedAt, Used: db.OrZero(t.LastUsedAt), Revoked: db.OrZero(t.RevokedAt), Until: t.ExpiresAt}
		switch {
		case t.RevokedAt != nil:
		case t.OwnerGone:
			row.Ended = c.T("tokens.owner_gone")
		case !t.ExpiresAt.After(c.Now):
			row.Ended = c.T("common.status.expired")
		}
		if t.RevokedAt == nil {
			row.Action = "/tokens/" + strconv.FormatInt(t.ID, 10) + "/revoke"
		}
		page.Rows = append(page.Rows, row)
	}
	return c.PageWithStatus(status, admin.Tokens(page))
}

// readsWords describes in a line what a token may read.
func readsWords(l locale.Locale, r access.Reach) string {
	var words []string
	for _, g := range r.Groups {
		words = append(words, l.T("people.group_named", "name", g))
	}
	words = append(words, r.Stores...)
	switch {
	case r.AllStores:
		return l.T("people.every_store")
	case len(words) == 0:
		return l.T("tokens.reads_nothing")
	}
	return strings.Join(words, ", ")
}

func (s *Handlers) tokenPage(c *site.Call) error {
	return s.tokenForm(c, http.StatusOK, admin.NewTokenPage{})
}

func (s *Handlers) tokenForm(c *site.Call, status int, page admin.NewTokenPage) (err error) {
	page.Base = s.adminBase(c, c.T("tokens.create"))
	if page.Reach, err = s.reachChoices(c, page.Reach); err != nil {
		return err
	}
	return c.PageWithStatus(status, admin.NewToken(page))
}

// makeToken makes a token and shows its text, once.
func (s *Handlers) makeToken(c *site.Call) error {
	f := c.Form()
	page := admin.NewTokenPage{Name: strings.ToValidUTF8(strings.TrimSpace(f.Get("name")), "\uFFFD"), Days: f.Get("days"), Reach: typedReach(c)}
	slugs, groups, wrong := chosenReach(page.Reach)
	life, ok := tokenLives[page.Days]
	switch {
	case wrong != nil:
		page.Wrong = c.Wrong(wrong)
		return s.tokenForm(c, wrong.Status(), page)
	case !ok:
		page.Problem, page.Field = c.T("tokens.problem.life"), "days"
		return s.tokenForm(c, http.StatusBadRequest, page)
	}
	secret, err := s.Tokens.Create(c.Request().Context(), page.Name, slugs, groups, life)
	if f, ok := fault.As(err); ok {
		page.Wrong = c.Wrong(f)
		return s.tokenForm(c, f.Status(), page)
	}
	if err != nil {
		return err
	}
	return c.PageWithStatus(http.StatusOK, admin.Secret(admin.SecretPage{
		Base: s.adminBase(c, c.T("tokens.made.title")), Words: c.T("tokens.made.name", "name", locale.Name(page.Name)),
		Text:   c.T("tokens.made.text", "header", "Authorization: Bearer …"),
		Secret: secret, BackHref: "/tokens", BackWords: c.T("tokens.made.back"),
	}))
}

// tokenLives are how long a token may last, by the form's values. The default is a year.
var tokenLives = map[string]time.Duration{"": apitoken.Life, "30": 30 * 24 * time.Hour, "90": 90 * 24 * time.Hour, "365": apitoken.Life}

func (s *Handlers) revokeToken(c *site.Call, id int64) error {
	err := s.Tokens.RevokeByID(c.Request().Context(), id)
	if f, ok := fault.As(err); ok {
		return s.showTokens(c, f.Status(), "", f.Reason.In(c.Locale()))
	}
	return s.Then(c, err, "/tokens?done=revoked")
}
