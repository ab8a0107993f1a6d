package web

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/views/account"
)

// sessionHalf is the session's key of somebody whose first step was right. It is
// not the key of a person: such a session admits nowhere.
const sessionHalf = "half"

// halfLife is how long somebody may take for the second step.
const halfLife = 10 * time.Minute

// half is who has taken the first step of two.
type half struct {
	Person int64     `json:"person"`
	Email  string    `json:"email"`
	Way    string    `json:"way"`
	Since  time.Time `json:"since"`
	Next   string    `json:"next,omitempty"`
}

// firstStep signs the person in, or leads to the second step where they have one.
func (s *accountHandlers) firstStep(c *call, p access.Person, way, next string) error {
	ctx := c.Request().Context()
	f, err := s.access.FactorsOf(ctx, p.ID)
	if err != nil {
		return err
	}
	if !f.Second() {
		if err := s.startSession(c, p, way); err != nil {
			return err
		}
		return s.seeOther(c, next)
	}
	if c.visit.Person.ID != p.ID { // who confirms stays signed in meanwhile
		if err := s.freshSession(c, halfLife); err != nil {
			return err
		}
	}
	h, err := json.Marshal(half{p.ID, p.Email, way, c.now, next})
	if err != nil {
		return err
	}
	s.sessions.Put(ctx, sessionHalf, string(h))
	return s.seeOther(c, "/sign-in/code")
}

// errNoHalf: nobody is between two steps here, or they took too long.
var errNoHalf = errors.New("no second step is waited for")

// waiting is who is between the two steps, with what they have for the second.
// What has changed about them since the first makes it void.
func (s *accountHandlers) waiting(c *call) (half, access.Factors, error) {
	ctx := c.Request().Context()
	var h half
	if err := json.Unmarshal([]byte(s.sessions.GetString(ctx, sessionHalf)), &h); err != nil || h.Person == 0 {
		return half{}, access.Factors{}, errNoHalf
	}
	if age := c.now.Sub(h.Since); age < 0 || age >= halfLife {
		return half{}, access.Factors{}, errNoHalf
	}
	f, err := s.access.FactorsOf(ctx, h.Person)
	if errors.Is(err, access.ErrNoPerson) || err == nil && f.PasswordSet.After(h.Since) {
		return half{}, access.Factors{}, errNoHalf
	}
	return h, f, err
}

// secondStep asks for the second step.
func (s *accountHandlers) secondStep(c *call) error {
	h, f, err := s.waiting(c)
	if errors.Is(err, errNoHalf) {
		return s.startAgain(c)
	}
	if err != nil {
		return err
	}
	return s.secondStepPage(c, http.StatusOK, h, f, "")
}

// startAgain offers the first step to whoever is not between two.
func (s *accountHandlers) startAgain(c *call) error {
	page := s.signInPage(c, "")
	page.Problem = "The first step is too long ago, or something about the account has changed since. Begin again."
	return c.pageWithStatus(http.StatusGone, account.SignIn(page))
}

func (s *accountHandlers) secondStepPage(c *call, status int, h half, f access.Factors, problem string) error {
	return c.pageWithStatus(status, account.SecondStep(account.SecondStepPage{
		Base: s.pageBase(c, "One more step"), Email: h.Email, Problem: problem,
		Codes: f.TOTP(), Passkeys: f.Passkeys > 0 && s.passkeys != nil, Recovery: f.RecoveryCodes > 0,
	}))
}

// limited counts a refusal, and gives its words and status for a form.
func (s *accountHandlers) limited(c *call, e *access.TooManyError) (string, int) {
	if err := s.access.Limited(c.Request().Context()); err != nil {
		c.failed = err
	}
	c.Response().Header().Set("Retry-After", retryAfter(e.After))
	return tooMany(e).detail, http.StatusTooManyRequests
}
