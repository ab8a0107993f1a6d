package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/web"
)

// sso is the single sign-on of the settings; nil without one.
func (h *house) sso() *access.SSO {
	s, base := h.settings, h.base()
	if s.OIDCIssuer == "" {
		return nil
	}
	name := string(s.OIDCName)
	if u, err := url.Parse(string(s.OIDCIssuer)); err == nil {
		name = cmp.Or(name, u.Host)
	}
	return access.NewSSO(access.SSOConfig{
		Issuer: string(s.OIDCIssuer), ClientID: string(s.OIDCClientID), Secret: string(s.OIDCSecret), Name: name, Redirect: web.SSOCallback(base),
	})
}

// checkSSO asks the provider of the single sign-on for its addresses.
func (h *house) checkSSO(ctx context.Context, offline bool) (f finding, set bool) {
	sso := h.sso()
	if sso == nil {
		return finding{}, false
	}
	if !offline {
		if err := sso.Ask(ctx); err != nil {
			return finding{"single sign-on", fmt.Sprintf("%s: check DASHBOARD_OIDC_ISSUER; until then people come in by other ways", err), true}, true
		}
	}
	return finding{what: "single sign-on", words: sso.Name() + " must know " + web.SSOCallback(h.base())}, true
}
