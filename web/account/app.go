package account

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/boombuler/barcode/qr"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// product is this program's name in an authenticator app, before the host.
const product = "Storeglass"

// startApp makes the secret for an authenticator app.
func (s *Handlers) startApp(c *site.Call) error {
	err := s.SignIn.StartTOTP(c.Request().Context(), c.Me())
	if errors.Is(err, fault.Unavailable) || errors.Is(err, fault.Conflict) {
		return s.accountMistake(c, http.StatusConflict, func(p *account.Page) { p.Problem = c.T("account.problem.app_there") })
	}
	return s.Then(c, err, "/account/app")
}

// appPage shows the secret until the app's first code was accepted.
func (s *Handlers) appPage(c *site.Call) error { return s.appForm(c, http.StatusOK, "") }

func (s *Handlers) appForm(c *site.Call, status int, problem string) error {
	setup, err := s.SignIn.SetupTOTP(c.Request().Context(), c.Me(), product+" "+s.Base.Host)
	if errors.Is(err, fault.NotFound) || errors.Is(err, fault.Unavailable) {
		return s.accountMistake(c, http.StatusGone, func(p *account.Page) { p.Problem = c.T("account.problem.app_late") })
	}
	if err != nil {
		return err
	}
	picture, side, err := QrPath(setup.URL)
	if err != nil {
		return err
	}
	return c.PageWithStatus(status, account.App(account.AppPage{
		Base: s.PageBase(c, c.T("account.app")), Secret: fours(setup.Secret), Picture: picture, Side: side, Problem: problem,
	}))
}

// confirmApp turns the app on and shows recovery codes, once.
func (s *Handlers) confirmApp(c *site.Call) error {
	codes, err := s.SignIn.ConfirmTOTP(c.Request().Context(), c.Me(), c.Form().Get("code"), c.Visit.SessionID)
	words, status := s.refused(c, err, c.T("account.problem.app_code"))
	switch {
	case err == nil:
		s.Notify(c, c.Me().ID, locale.M("mail_account.changed.app_added"))
		return s.recoveryPage(c, codes, c.T("account.recovery.second_step_on"))
	case words != "":
		return s.appForm(c, status, words)
	case errors.Is(err, fault.NotFound):
		return s.appForm(c, http.StatusGone, "")
	}
	return err
}

func (s *Handlers) recoveryPage(c *site.Call, codes []string, lead string) error {
	return c.PageWithStatus(http.StatusOK, account.Recovery(account.RecoveryPage{Base: s.PageBase(c, c.T("account.recovery_codes")), Codes: codes, Lead: lead}))
}

func (s *Handlers) removeApp(c *site.Call) error {
	err := s.SignIn.RemoveTOTP(c.Request().Context(), c.Me(), c.Visit.SessionID)
	if err != nil && !errors.Is(err, fault.NotFound) {
		return err
	}
	if err == nil {
		s.Notify(c, c.Me().ID, locale.M("mail_account.changed.app_removed"))
	}
	return s.accountChanged(c, nil, "app-removed")
}

// renewRecovery shows new recovery codes, once.
func (s *Handlers) renewRecovery(c *site.Call) error {
	f, err := s.SignIn.FactorsOf(c.Request().Context(), c.Visit.Person.ID)
	if err != nil {
		return err
	}
	if !f.Second() {
		return s.accountMistake(c, http.StatusConflict, func(p *account.Page) {
			p.Problem = c.T("account.problem.no_second_step")
		})
	}
	codes, err := s.SignIn.RenewRecovery(c.Request().Context(), c.Me())
	if err != nil {
		return err
	}
	s.Notify(c, c.Me().ID, locale.M("mail_account.changed.recovery_made"))
	return s.recoveryPage(c, codes, c.T("account.recovery.new"))
}

// takeSecondStep takes a code of the app, or a recovery code.
func (s *Handlers) takeSecondStep(c *site.Call) error {
	return s.betweenSteps(c, func(h half, f signin.Factors) error {
		form := c.Form()
		err := s.CheckCSRF(c)
		if err != nil {
			return err
		}
		ctx, p := c.Request().Context(), access.Person{ID: h.Person, Email: h.Email}
		way := h.Way + " and code"
		problem := c.T("account.problem.code")
		if code := form.Get("recovery"); code != "" {
			way = h.Way + " and recovery code"
			problem = c.T("account.problem.recovery")
			err = s.SignIn.TakeRecovery(ctx, p, code)
		} else {
			err = s.SignIn.TakeCode(ctx, p, form.Get("code"))
		}
		if words, status := s.refused(c, err, problem); words != "" {
			return s.secondStepPage(c, status, h, f, words)
		}
		if err != nil {
			return err
		}
		if form.Get("recovery") != "" {
			s.Notify(c, p.ID, locale.M("mail_account.changed.recovery_used"))
		}
		return s.finish(c, h, way)
	})
}

// finish signs in a person who has passed both steps.
func (s *Handlers) finish(c *site.Call, h half, way string) error {
	return s.Then(c, s.startSession(c, access.Person{ID: h.Person, Email: h.Email}, way), h.Next)
}

// QrPath draws text as a QR code: a path of unit squares, and how many of them make a side.
func QrPath(text string) (path string, side int, err error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", 0, fmt.Errorf("draw a square code: %w", err)
	}
	var b strings.Builder
	side = code.Bounds().Dx()
	for y := range side {
		for x := 0; x < side; x++ {
			run := 0
			for x+run < side {
				if r, _, _, _ := code.At(x+run, y).RGBA(); r != 0 {
					break
				}
				run++
			}
			if run > 0 {
				fmt.Fprintf(&b, "M%d %dh%dv1h-%dz", x, y, run, run)
				x += run
			}
		}
	}
	return b.String(), side, nil
}

// fours splits text into groups of four for reading.
func fours(text string) string {
	return string(bytes.Join(slices.Collect(slices.Chunk([]byte(text), 4)), []byte(" ")))
}
