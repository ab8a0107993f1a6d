// Package sso asks an OpenID Connect provider who someone is. It stores nothing, and never
// decides whether that person may sign in here.
package sso

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/fault"
)

// Provider signs people in through an OpenID Connect provider. It looks up the provider's
// endpoints at the first sign-in, since the provider may be down when the program starts.
type Provider struct {
	name, issuer, id, secret, redirect string
	client                             *http.Client
	now                                func() time.Time

	asking singleflight.Group
	known  atomic.Pointer[published]
}

// published is what a provider publishes about itself.
type published struct {
	*oidc.Provider
	// names reports whether it includes its issuer in its answers (RFC 9207).
	names bool
}

// Config holds what the provider's administrator configured for this program.
type Config struct {
	// Issuer is the provider's address, as it identifies itself.
	Issuer string
	// ClientID and Secret identify this program there; Secret may be empty.
	ClientID, Secret string
	// Name is the provider's name for people.
	Name string
	// Redirect is the address that the provider sends people back to.
	Redirect string
	// Now is the clock; nil means the machine's.
	Now func() time.Time
}

// within bounds each call to the provider.
const within = 10 * time.Second

// New doesn't contact the provider yet.
func New(c Config) *Provider {
	if c.Now == nil {
		c.Now = time.Now
	}
	return &Provider{
		name: c.Name, issuer: c.Issuer, id: c.ClientID, secret: c.Secret, redirect: c.Redirect,
		client: &http.Client{Timeout: within, Transport: limited{http.DefaultTransport}}, now: c.Now,
	}
}

// Name is the provider's name for people.
func (s *Provider) Name() string { return s.name }

// limited limits the size of the provider's answers.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(resp.Body, 1<<20), resp.Body}
	}
	return resp, err
}

// Error says why single sign-on didn't work; a page fills in the provider's name.
func Error(kind fault.Kind, why string) error {
	return fault.New(kind, "sso", "account.problem.sso_"+why, "provider", "the provider")
}

var (
	// errProvider: the provider can't be reached, or its answer is invalid.
	errProvider = Error(fault.Unavailable, "silent")
	// errLate: the answer doesn't match our request, or comes too late.
	errLate = Error(fault.Conflict, "late")
)

// found asks the provider for its endpoints until it has answered once. Concurrent
// callers wait for the same answer.
func (s *Provider) found(ctx context.Context) (*published, error) {
	if p := s.known.Load(); p != nil {
		return p, nil
	}
	answer := s.asking.DoChan("", func() (any, error) {
		// Others wait for the result too, and the keys are fetched later: don't tie it to this request.
		p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), s.client), s.issuer)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errProvider, err)
		}
		var more struct {
			Names bool `json:"authorization_response_iss_parameter_supported"`
		}
		if err := p.Claims(&more); err != nil {
			return nil, fmt.Errorf("%w: %w", errProvider, err)
		}
		s.known.Store(&published{p, more.Names})
		return nil, nil
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-answer:
		return s.known.Load(), r.Err
	}
}

// Ask reports whether the provider answers correctly. fault.Unavailable.
func (s *Provider) Ask(ctx context.Context) error {
	_, err := s.found(ctx)
	return err
}

func (s *Provider) config(p *published) *oauth2.Config {
	return &oauth2.Config{ClientID: s.id, ClientSecret: s.secret, Endpoint: p.Endpoint(), RedirectURL: s.redirect, Scopes: []string{oidc.ScopeOpenID, "email", "profile"}}
}

// Asked is what we keep while someone is at the provider. A browser may have several: one for
// each tab.
type Asked struct {
	State, Nonce, Verifier string
	At                     time.Time
	// Purpose is "" to sign in, "connect" or "confirm". Person is the signed-in person for
	// the last two.
	Purpose string
	Person  int64
	Next    string
}

// life is how long someone may take at the provider.
const life = 10 * time.Minute

// maxAsked is how many unanswered questions a browser keeps; then the oldest goes.
const maxAsked = 10

// Begin returns the provider's address to send the browser to, and what to keep until it
// comes back, including what it kept before. fresh forces a new sign-in there.
// fault.Unavailable.
func (s *Provider) Begin(ctx context.Context, kept string, asked Asked, fresh bool) (address, keep string, err error) {
	p, err := s.found(ctx)
	if err != nil {
		return "", "", err
	}
	asked.State, asked.Nonce, asked.Verifier, asked.At = seal.NewSecret(), seal.NewSecret(), oauth2.GenerateVerifier(), s.now()
	options := []oauth2.AuthCodeOption{oidc.Nonce(asked.Nonce), oauth2.S256ChallengeOption(asked.Verifier)}
	if fresh {
		options = append(options, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
	}
	all := append(s.waiting(kept), asked)
	return s.config(p).AuthCodeURL(asked.State, options...), encode(all[max(0, len(all)-maxAsked):]), nil
}

// waiting are the kept ones that may still be answered.
func (s *Provider) waiting(kept string) (all []Asked) {
	if json.Unmarshal([]byte(kept), &all) != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(a Asked) bool {
		age := s.now().Sub(a.At)
		return age < 0 || age >= life
	})
}

// encode returns "" when nothing is left to keep.
func encode(all []Asked) string {
	if len(all) == 0 {
		return ""
	}
	text, _ := json.Marshal(all) // strings, numbers and times always can be
	return string(text)
}

// Identity is someone's identity at the provider.
type Identity struct {
	Issuer, Subject, Email, Name string
	// Verified reports whether the provider has verified the address.
	Verified bool
}

// Take finds what the provider's answer is about, and takes it out of what is kept, so that
// an answer counts once. An answer to nothing leaves the other tabs' questions alone.
// fault.Conflict.
func (s *Provider) Take(kept string, answer url.Values) (asked Asked, keep string, err error) {
	all := s.waiting(kept)
	i := slices.IndexFunc(all, func(a Asked) bool {
		return subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(a.State)) == 1
	})
	if i < 0 {
		return Asked{}, kept, errLate
	}
	asked = all[i]
	return asked, encode(slices.Delete(all, i, i+1)), nil
}

// Finish checks the provider's answer and asks it who signed in. fault.Conflict,
// fault.Denied, fault.Unavailable.
func (s *Provider) Finish(ctx context.Context, asked Asked, answer url.Values) (Identity, error) {
	p, err := s.found(ctx)
	if err != nil {
		return Identity{}, err
	}
	if iss := answer.Get("iss"); iss != s.issuer && (iss != "" || p.names) { // another provider's answer
		return Identity{}, errLate
	}
	switch said := answer.Get("error"); said {
	case "":
	case "server_error", "temporarily_unavailable":
		return Identity{}, fmt.Errorf("%w: it says %s", errProvider, said)
	default:
		return Identity{}, fmt.Errorf("%w: it says %q", Error(fault.Denied, "denied"), said)
	}
	return s.exchange(ctx, p, asked, answer.Get("code"))
}

// exchange turns the code into an identity that the provider has signed.
func (s *Provider) exchange(ctx context.Context, p *published, asked Asked, code string) (Identity, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, s.client), 2*within)
	defer cancel()
	config := s.config(p)
	token, err := config.Exchange(ctx, code, oauth2.VerifierOption(asked.Verifier))
	if err != nil {
		said, ok := errors.AsType[*oauth2.RetrieveError](err)
		switch { // its body may repeat what we sent
		case ok && said.ErrorCode == "invalid_grant":
			return Identity{}, fmt.Errorf("%w: the code is not taken", errLate)
		case ok:
			return Identity{}, fmt.Errorf("%w: asked for tokens, it says %d %q", errProvider, said.Response.StatusCode, said.ErrorCode)
		}
		return Identity{}, fmt.Errorf("%w: %w", errProvider, err)
	}
	raw, _ := token.Extra("id_token").(string)
	signed, err := p.Verifier(&oidc.Config{ClientID: s.id, Now: s.now}).Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: id token: %w", errProvider, err)
	}
	if subtle.ConstantTimeCompare([]byte(signed.Nonce), []byte(asked.Nonce)) != 1 {
		return Identity{}, errLate
	}
	var claims struct {
		Party    string `json:"azp"`
		Email    string `json:"email"`
		Verified yes    `json:"email_verified"`
		Name     string `json:"name"`
		AuthTime int64  `json:"auth_time"`
	}
	if err := signed.Claims(&claims); err != nil {
		return Identity{}, fmt.Errorf("%w: claims: %w", errProvider, err)
	}
	if claims.Party != "" && claims.Party != s.id {
		return Identity{}, fmt.Errorf("%w: id token was given to another program", errProvider)
	}
	if asked.Purpose == "confirm" && signed.IssuedAt.Sub(time.Unix(claims.AuthTime, 0)) > life {
		return Identity{}, fmt.Errorf("%w: they did not sign in again", errLate)
	}
	if claims.Email == "" { // most providers return it only on request
		info, err := p.UserInfo(ctx, config.TokenSource(ctx, token))
		if err != nil {
			return Identity{}, fmt.Errorf("%w: user info: %w", errProvider, err)
		}
		if info.Subject != signed.Subject {
			return Identity{}, fmt.Errorf("%w: user info is someone else's", errProvider)
		}
		if err := info.Claims(&claims); err != nil {
			return Identity{}, fmt.Errorf("%w: user info: %w", errProvider, err)
		}
	}
	id := Identity{Issuer: signed.Issuer, Subject: signed.Subject, Email: strings.TrimSpace(claims.Email), Name: claims.Name, Verified: bool(claims.Verified)}
	return id.storable()
}

// The longest subject (OpenID Connect Core, 2) and the longest mail address
// (RFC 5321, 4.5.3.1) that we accept.
const maxSubject, maxAddress = 255, 320

// storable drops an invalid address: providers pass on what people typed there, and
// neither the database nor mail accepts everything. fault.Denied.
func (id Identity) storable() (Identity, error) {
	if len(id.Subject) > maxSubject || strings.ContainsFunc(id.Subject, unicode.IsControl) {
		return Identity{}, Error(fault.Denied, "unverified")
	}
	if len(id.Email) > maxAddress || mailAddressOrNot(id.Email) != id.Email {
		id.Email, id.Verified = "", false
	}
	return id, nil
}

// mailAddressOrNot returns what someone typed as their address if it looks like one, so
// that a password typed into the wrong field isn't repeated.
func mailAddressOrNot(typed string) string {
	if a, err := mail.ParseAddress(strings.TrimSpace(typed)); err == nil && a.Name == "" {
		return a.Address
	}
	return "not an address"
}

// yes is a boolean claim that some providers send as a string.
type yes bool

func (y *yes) UnmarshalJSON(b []byte) error {
	*y = string(b) == "true" || string(b) == `"true"`
	return nil
}
