package app

import (
	"cmp"
	"net/url"

	"github.com/storeglass/storeglass/internal/access/sso"
	"github.com/storeglass/storeglass/web/account"
)

// SSO is the single sign-on of the settings; nil without one.
func (a *App) SSO() *sso.Provider {
	s, base := a.Settings, a.Base()
	if s.OIDCIssuer == "" {
		return nil
	}
	name := string(s.OIDCName)
	if u, err := url.Parse(string(s.OIDCIssuer)); err == nil {
		name = cmp.Or(name, u.Host)
	}
	return sso.New(sso.Config{
		Issuer: string(s.OIDCIssuer), ClientID: string(s.OIDCClientID), Secret: string(s.OIDCSecret), Name: name, Redirect: account.SSOCallback(base),
	})
}
