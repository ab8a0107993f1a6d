package admin

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/admin"
	"github.com/storeglass/storeglass/web/site"
)

// brandingPage shows the form: if the person is trying something out, the whole page shows it.
func (s *Handlers) brandingPage(c *site.Call) error {
	return s.showBranding(c, http.StatusOK, nil)
}

// showBranding shows the page; wrong fills in what was typed but not accepted.
func (s *Handlers) showBranding(c *site.Call, status int, wrong func(*admin.BrandingPage)) error {
	b, draft, err := s.brandInHand(c)
	if err != nil {
		return err
	}
	page := admin.BrandingPage{
		Base: s.adminBase(c, c.T("people.tab.branding")), Name: b.Name, Accent: b.Accent, Draft: draft, HasLogo: len(b.Logo) > 0,
		Own: b.Name == "" && b.Accent == "" && len(b.Logo) == 0, MaxName: brand.MaxName, MaxLogo: brand.MaxLogoBytes >> 10,
		Opened: opened(s.BrandFor(c).Brand),
	}
	page.Notice = c.Done("branding.done.")
	if accent, err := brand.ParseAccent(b.Accent); err == nil {
		page.InLight, page.InDark = accent.Light(), accent.Dark()
	}
	if draft {
		page.Brand, page.Notice = site.Shown(b, c.Now).View, ""
		if page.HasLogo {
			page.Brand.Logo.Src = "/branding/logo.png?" + site.ContentName(b.Logo)
		}
	}
	if wrong != nil {
		wrong(&page)
	}
	return c.PageWithStatus(status, admin.Branding(page))
}

// brandInHand is what the person is trying out, or otherwise what everyone sees.
func (s *Handlers) brandInHand(c *site.Call) (b db.Brand, draft bool, err error) {
	b, err = s.DB.BrandingDraft(c.Request().Context(), c.Visit.Person.ID)
	if errors.Is(err, db.ErrNotFound) {
		return s.BrandFor(c).Brand, false, nil
	}
	return b, err == nil, err
}

// tryBranding checks what was typed and keeps it for this person only.
func (s *Handlers) tryBranding(c *site.Call) error {
	form := c.Form()
	b, _, err := s.brandInHand(c)
	if err != nil {
		return err
	}
	typed := struct{ name, accent string }{strings.ToValidUTF8(form.Get("name"), "\uFFFD"), strings.ToValidUTF8(form.Get("accent"), "\uFFFD")}
	refuse := func(field, problem string) error {
		return s.showBranding(c, http.StatusBadRequest, func(page *admin.BrandingPage) {
			page.Name, page.Accent, page.InLight, page.Field, page.Problem = typed.name, typed.accent, "", field, problem
		})
	}
	if b.Name, err = brand.Name(typed.name); err != nil {
		return refuse("name", c.T("branding.problem.name", "n", brand.MaxName))
	}
	b.Accent = ""
	if strings.TrimSpace(typed.accent) != "" {
		accent, err := brand.ParseAccent(typed.accent)
		if err != nil {
			return refuse("accent", c.T("branding.problem.accent"))
		}
		b.Accent = accent.Hex()
	}
	file, err := sentLogo(c)
	if err != nil {
		return err
	}
	switch {
	case len(file) > 0:
		b.Logo, err = brand.Logo(file)
		if refused, ok := errors.AsType[*brand.LogoError](err); ok {
			return refuse("logo", c.T("branding.logo_refused."+refused.Reason, "n", brand.MaxLogoBytes>>10, "width", refused.Width, "height", refused.Height, "side", 2000))
		}
		if err != nil {
			return err
		}
	case form.Get("no-logo") == "true":
		b.Logo = nil
	}
	return s.Then(c, s.DB.SaveBrandingDraft(c.Request().Context(), c.Visit.Person.ID, b), "/branding")
}

// sentLogo is the picture that came with the form; nil if there was none.
func sentLogo(c *site.Call) ([]byte, error) {
	file, _, err := c.Request().FormFile("logo")
	if err != nil {
		return nil, nil // no file, or a form that can't have one
	}
	defer func() { _ = file.Close() }()
	// One extra byte shows that it is too large.
	return io.ReadAll(io.LimitReader(file, brand.MaxLogoBytes+1))
}

// useOwnBranding tries out our own branding again.
func (s *Handlers) useOwnBranding(c *site.Call) error {
	return s.Then(c, s.DB.SaveBrandingDraft(c.Request().Context(), c.Visit.Person.ID, db.Brand{}), "/branding")
}

// discardBranding forgets what was tried out.
func (s *Handlers) discardBranding(c *site.Call) error {
	return s.Then(c, s.DB.DropBrandingDraft(c.Request().Context(), c.Visit.Person.ID), "/branding?done=discarded")
}

func opened(b db.Brand) string { return site.Opened(b.Name, b.Accent, b.Logo) }

// saveBranding shows everyone what was tried out, unless what everyone sees was changed after the
// page was opened.
func (s *Handlers) saveBranding(c *site.Call) error {
	draft, tried, err := s.brandInHand(c)
	if err != nil {
		return err
	}
	now, err := s.DB.Branding(c.Request().Context())
	if err != nil {
		return err
	}
	if tried && c.Outdated(opened(now), opened(draft)) {
		return s.showBranding(c, http.StatusConflict, func(page *admin.BrandingPage) {
			page.Opened, page.Field, page.Problem = opened(now), "opened", c.T("branding.problem.changed")
		})
	}
	var saved db.Brand
	err = s.DB.PublishBranding(c.Request().Context(), c.Visit.Person.ID, func(ctx context.Context, q *sqlc.Queries, b db.Brand) error {
		saved = b
		return s.Audit.RecordIn(ctx, q, audit.Event{Action: audit.BrandingChanged, Details: brandDetails(b)})
	})
	if errors.Is(err, db.ErrNotFound) { // already saved, or discarded in another window
		return s.SeeOther(c, "/branding")
	}
	if err != nil {
		return err
	}
	s.Brand.Store(site.Shown(saved, c.Now))
	return s.SeeOther(c, "/branding?done=saved")
}

// brandDetails list what differs from our own branding.
func brandDetails(b db.Brand) (out locale.Sentences) {
	if b.Name != "" {
		out = append(out, locale.M("audit.detail.brand_name", "name", b.Name))
	}
	if b.Accent != "" {
		out = append(out, locale.M("audit.detail.colour", "colour", b.Accent))
	}
	if len(b.Logo) > 0 {
		out = append(out, locale.M("audit.detail.logo"))
	}
	if len(out) == 0 {
		out = append(out, locale.M("audit.detail.our_own"))
	}
	return out
}

// brandingLogo is the logo that its person is trying out.
func (s *Handlers) brandingLogo(c *site.Call) error {
	b, err := s.DB.BrandingDraft(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	if len(b.Logo) == 0 {
		return site.ErrNotFound
	}
	return c.Blob(http.StatusOK, "image/png", b.Logo)
}
