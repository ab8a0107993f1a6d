package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// issuer is an OpenID Connect provider's identifier.
type issuer string

func (i *issuer) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && (u.Scheme != "http" || !thisMachine(u.Hostname())) {
		return errors.New("write the provider's https address as it names itself, such as https://login.example.com")
	}
	*i = issuer(text)
	return nil
}

// thisMachine reports whether the host can only be this machine.
func thisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// clientID is this program's id at the provider.
type clientID string

func (c *clientID) UnmarshalText(text []byte) error {
	if strings.ContainsFunc(string(text), unicode.IsSpace) || !printable(text) || len(text) > 255 {
		return errors.New("write the client id that the provider gave, one word")
	}
	*c = clientID(text)
	return nil
}

// clientSecret is this program's secret at the provider.
type clientSecret string

func (c *clientSecret) UnmarshalText(text []byte) error {
	if !printable(text) || len(text) > 4096 {
		return errors.New("write the client secret that the provider gave, on one line")
	}
	*c = clientSecret(text)
	return nil
}

// providerName is the provider's name for people.
type providerName string

func (n *providerName) UnmarshalText(text []byte) error {
	if !printable(text) || utf8.RuneCount(text) > 40 {
		return errors.New("write what people call the provider, at most 40 characters on one line, such as Google")
	}
	*n = providerName(text)
	return nil
}

// printable reports whether the text is one line of printable characters.
func printable(text []byte) bool {
	return utf8.Valid(text) && !strings.ContainsFunc(string(text), func(r rune) bool { return !unicode.IsPrint(r) })
}

// readClientSecretFile reads the secret from the file that a setting names.
func (s *Settings) readClientSecretFile(set map[string]string) []string {
	if s.OIDCSecretFile == "" || set["DASHBOARD_OIDC_CLIENT_SECRET"] != "" {
		return nil
	}
	text, err := os.ReadFile(s.OIDCSecretFile)
	if err != nil {
		return []string{fmt.Sprintf("DASHBOARD_OIDC_CLIENT_SECRET_FILE is %q: write the path of a file that can be read (%s)", s.OIDCSecretFile, upstream.Cause(err))}
	}
	secret := strings.TrimSpace(string(text))
	if err := s.OIDCSecret.UnmarshalText([]byte(secret)); err != nil || secret == "" {
		return []string{fmt.Sprintf("DASHBOARD_OIDC_CLIENT_SECRET_FILE is %q: its content isn't a secret: write the client secret that the provider gave, on one line", s.OIDCSecretFile)}
	}
	return nil
}

// ssoContradictions finds single sign-on settings that need another one.
func ssoContradictions(set map[string]string) (lines []string) {
	const issuer, id = "DASHBOARD_OIDC_ISSUER", "DASHBOARD_OIDC_CLIENT_ID"
	const secret, file = "DASHBOARD_OIDC_CLIENT_SECRET", "DASHBOARD_OIDC_CLIENT_SECRET_FILE"
	if (set[issuer] == "") != (set[id] == "") {
		lines = append(lines, issuer+" and "+id+" belong together: set both, or neither")
	}
	if set[issuer] != "" && set["DASHBOARD_BASE_URL"] == "" {
		lines = append(lines, "DASHBOARD_BASE_URL is not set: with "+issuer+" it must say where the provider sends people back to, such as https://dashboard.example.com")
	}
	if set[secret] != "" && set[file] != "" {
		lines = append(lines, secret+" and "+file+" are both set: keep one of them")
	}
	for _, name := range []string{secret, file, "DASHBOARD_OIDC_NAME"} {
		if set[name] != "" && set[issuer] == "" {
			lines = append(lines, name+" is set without "+issuer+": say which provider it is about, or leave it out")
		}
	}
	return lines
}
