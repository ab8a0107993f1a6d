package account

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/views/account"
	"github.com/storeglass/storeglass/web/site"
)

// sessionHalf is the session key for a person who has passed the first step. It differs from a
// signed-in person's key: such a session admits nowhere.
const sessionHalf = "half"

// halfLife is how long someone may take for the second step.
const halfLife = 10 * time.Minute

// half is a person who has passed the first of two steps.
type half struct {
	Person int64     `json:"person"`
	Email  string    `json:"email"`
	Way    string    `json:"way"`
	Since  time.Time `json:"since"`
	Next   string    `json:"next,omitempty"`
}

// firstStep signs the person in, or leads to the second step if they have one.
func (s *Handlers) firstStep(c *site.Call, p access.Person, way, next string) error {
	ctx := c.Request().Context()
	f, err := s.SignIn.FactorsOf(ctx, p.ID)
	if err != nil {
		return err
	}
	if !f.Second() {
		return s.Then(c, s.startSession(c, p, way), next)
	}
	if c.Visit.Person.ID != p.ID { // a person who confirms stays signed in meanwhile
		if err := s.freshSession(c, halfLife); err != nil {
			return err
		}
	}
	h, err := json.Marshal(half{p.ID, p.Email, way, c.Now, next})
	if err != nil {
		return err
	}
	s.Sessions.Put(ctx, sessionHalf, string(h))
	return s.SeeOther(c, "/sign-in/code")
}

// waiting is the person between the two steps, with their second factors. If these changed
// since the first step, it is void. fault.NotFound if nobody is between two steps here, or they
// took too long.
func (s *Handlers) waiting(c *site.Call) (half, signin.Factors, error) {
	ctx := c.Request().Context()
	var h half
	if err := json.Unmarshal([]byte(s.Sessions.GetString(ctx, sessionHalf)), &h); err != nil || h.Person == 0 {
		return half{}, signin.Factors{}, fault.NotFound
	}
	if age := c.Now.Sub(h.Since); age < 0 || age >= halfLife {
		return half{}, signin.Factors{}, fault.NotFound
	}
	f, err := s.SignIn.FactorsOf(ctx, h.Person)
	if err == nil && f.PasswordSet.After(h.Since) {
		return half{}, signin.Factors{}, fault.NotFound
	}
	return h, f, err
}

func (s *Handlers) secondStep(c *site.Call) error {
	return s.betweenSteps(c, func(h half, f signin.Factors) error { return s.secondStepPage(c, http.StatusOK, h, f, "") })
}

// betweenSteps calls answer for a person who has passed the first sign-in step but not the
// second. Anyone else is asked to sign in again.
func (s *Handlers) betweenSteps(c *site.Call, answer func(half, signin.Factors) error) error {
	h, f, err := s.waiting(c)
	if errors.Is(err, fault.NotFound) {
		page := s.signInPage(c, "")
		page.Problem = c.T("account.problem.start_again")
		return c.PageWithStatus(http.StatusGone, account.SignIn(page))
	}
	if err != nil {
		return err
	}
	return answer(h, f)
}

func (s *Handlers) secondStepPage(c *site.Call, status int, h half, f signin.Factors, problem string) error {
	return c.PageWithStatus(status, account.SecondStep(account.SecondStepPage{
		Base: s.PageBase(c, c.T("account.one_more_step")), Email: h.Email, Problem: problem,
		Codes: f.TOTP(), Passkeys: f.Passkeys > 0 && s.passkeys != nil, Recovery: f.RecoveryCodes > 0,
	}))
}

// refused is what a form says, and its status, if what was sent is wrong or was sent too often, which is
// counted. wrong is what it says if it is wrong. The words are empty for any other error.
func (s *Handlers) refused(c *site.Call, err error, wrong string) (words string, status int) {
	switch {
	case errors.Is(err, fault.Denied):
		return wrong, http.StatusUnprocessableEntity
	case errors.Is(err, fault.TooMany):
		if err := s.SignIn.Limited(c.Request().Context()); err != nil {
			c.Failed = err
		}
		return c.TooMany(err)
	}
	return "", 0
}
