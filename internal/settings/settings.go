// Package settings reads and validates everything that the environment decides. It reports
// all invalid values at once, each with what to write instead. It opens no files except
// those that settings name.
package settings

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/caarlos0/env/v11"
)

// Settings is everything that the environment decides. The struct is the only list of
// settings: parsing, error lines, the table in docs/operators/settings.md and the check of
// docker-compose.yml all read it.
//
// Every field's type knows what it accepts, so the error for an invalid value says what to
// write instead. Errors never repeat a field tagged secret.
type Settings struct {
	DatabaseURL    databaseURL    `env:"DATABASE_URL" secret:"yes" help:"PostgreSQL to use, as postgres://user:password@host:5432/name; empty: a private server in the data directory"`
	DataDir        string         `env:"DASHBOARD_DATA_DIR" help:"where the private server and the generated secret key are kept"`
	Listen         ListenAddress  `env:"DASHBOARD_LISTEN" envDefault:"127.0.0.1:8080" help:"address of the pages and the JSON API"`
	BaseURL        webAddress     `env:"DASHBOARD_BASE_URL" help:"address that people use to open the pages; empty: made from DASHBOARD_LISTEN"`
	MetricsListen  ListenAddress  `env:"DASHBOARD_METRICS_LISTEN" help:"address of /metrics for Prometheus; empty: off"`
	TrustedProxies networks       `env:"DASHBOARD_TRUSTED_PROXIES" help:"CIDRs of reverse proxies whose X-Forwarded-For is trusted"`
	Drain          drainTime      `env:"DASHBOARD_DRAIN" help:"how long to keep serving pages after SIGTERM while /readyz says 503, such as 10s, so that a proxy can switch to another server; empty: 15s with DASHBOARD_TRUSTED_PROXIES, otherwise 0s"`
	SecretKey      secretKeys     `env:"DASHBOARD_SECRET_KEY" secret:"yes" help:"32 random bytes as base64 or hex that encrypt the upstream tokens; older keys may follow after commas"`
	SecretKeyFile  string         `env:"DASHBOARD_SECRET_KEY_FILE" help:"file that holds the secret key, instead of DASHBOARD_SECRET_KEY"`
	SMTP           smtpAddress    `env:"DASHBOARD_SMTP_URL" secret:"yes" help:"mail server, as smtp://user:password@host:587 or smtps://…:465"`
	MailFrom       mailAddress    `env:"DASHBOARD_MAIL_FROM" help:"sender of the mails, such as Storeglass <reports@example.com>"`
	DKIMDomain     domainName     `env:"DASHBOARD_DKIM_DOMAIN" help:"domain that signs the mails: the sender's; empty: mails are not signed"`
	DKIMSelector   domainName     `env:"DASHBOARD_DKIM_SELECTOR" help:"name of the DKIM key: its public half is in the DNS at selector._domainkey.domain"`
	DKIMKey        dkimKey        `env:"DASHBOARD_DKIM_KEY_FILE" help:"file with the private half as PEM: RSA of 2048 bits or more, or Ed25519"`
	BounceSecret   bounceSecret   `env:"DASHBOARD_BOUNCE_SECRET" secret:"yes" help:"32 or more random letters and digits; a mail server can post bounces to /bounces/ followed by them; empty: off"`
	WeekBegins     Weekday        `env:"DASHBOARD_WEEK_BEGINS" envDefault:"monday" help:"weekday on which weeks begin in new weekly mails"`
	Chromium       program        `env:"DASHBOARD_CHROMIUM" help:"path of the Chromium that prints weekly mails as PDF; empty: the one on the PATH"`
	OIDCIssuer     issuer         `env:"DASHBOARD_OIDC_ISSUER" help:"issuer address of an OpenID Connect provider for single sign-on; needs DASHBOARD_BASE_URL"`
	OIDCClientID   clientID       `env:"DASHBOARD_OIDC_CLIENT_ID" help:"client ID of this program at that provider"`
	OIDCSecret     clientSecret   `env:"DASHBOARD_OIDC_CLIENT_SECRET" secret:"yes" help:"client secret, if the provider gave one"`
	OIDCSecretFile string         `env:"DASHBOARD_OIDC_CLIENT_SECRET_FILE" help:"file that holds the client secret, instead of DASHBOARD_OIDC_CLIENT_SECRET"`
	OIDCName       providerName   `env:"DASHBOARD_OIDC_NAME" help:"name of that provider on the sign-in button, as in Continue with Google; empty: its host"`
	UpstreamAllow  AllowedHosts   `env:"DASHBOARD_UPSTREAM_ALLOW" help:"hosts, addresses or CIDRs of services that are allowed besides public https; add a port to allow only that one: sandbox:8081"`
	ChannelAllow   AllowedHosts   `env:"DASHBOARD_CHANNEL_ALLOW" help:"hosts, addresses or CIDRs of alert channels that are allowed besides public https; add a port to allow only that one"`
	RateLimit      CallsAMinute   `env:"DASHBOARD_RATE_LIMIT" envDefault:"60" help:"calls a minute that one upstream token may make, 1 to 100000"`
	Contact        contact        `env:"DASHBOARD_SECURITY_CONTACT" help:"where to report a vulnerability of this installation: a mail address or https address; published at /.well-known/security.txt"`
	SyncCron       cronExpression `env:"DASHBOARD_SYNC_CRON" envDefault:"* * * * *" help:"when the worker looks for due pulls"`
	SnapshotCron   cronExpression `env:"DASHBOARD_SNAPSHOT_CRON" envDefault:"*/5 * * * *" help:"when the worker looks for due weekly mails"`
	AlertCron      cronExpression `env:"DASHBOARD_ALERT_CRON" envDefault:"*/5 * * * *" help:"when the worker checks for alerts"`
	AuditDays      auditDays      `env:"DASHBOARD_AUDIT_DAYS" envDefault:"400" help:"days after which audit records are deleted, 30 or more; each person’s last sign-in is kept"`
	Log            Logging        `env:"DASHBOARD_LOG" envDefault:"text,info" help:"format and level of the log: text or json, and debug, info, warn or error"`
}

// Error lists all invalid settings, one line each.
type Error struct{ Lines []string }

func (e *Error) Error() string { return strings.Join(e.Lines, "\n") }

// Requirement is what a command needs from the settings, apart from valid values.
type Requirement int

const (
	// NeedsNothing: settings are validated, but none is required.
	NeedsNothing Requirement = iota
	// NeedsKey: the command encrypts or decrypts upstream tokens.
	NeedsKey
)

// Load reads the environment ("NAME=value" each). warnings are lines about probable
// mistakes. If settings are invalid, the error is an *Error that lists all of
// them.
func Load(environ []string, need Requirement) (s Settings, warnings []string, err error) {
	set := Present(environ)
	wrong := unquote(set)
	if err := env.ParseWithOptions(&s, env.Options{Environment: set}); err != nil {
		wrong = append(wrong, wrongValues(err, set)...)
	}
	wrong = append(wrong, s.readKeyFile(set)...)
	wrong = append(wrong, s.readClientSecretFile(set)...)
	wrong = append(wrong, s.contradictions(set, need)...)
	warnings = unknownNames(set)
	if len(wrong) > 0 {
		return Settings{}, warnings, &Error{wrong}
	}
	if set["DASHBOARD_DRAIN"] == "" && len(s.TrustedProxies) > 0 {
		s.Drain = DrainBehindProxy
	}
	if s.DataDir == "" {
		s.DataDir = defaultDataDir(set)
	}
	return s, warnings, nil
}

// Present returns what is set. A name with an empty value means the default, as in a compose
// file whose variable isn't set.
func Present(environ []string) map[string]string {
	set := map[string]string{}
	for _, line := range environ {
		name, value, _ := strings.Cut(line, "=")
		if value = strings.TrimSpace(value); value != "" {
			set[name] = value
		}
	}
	return set
}

// unquote finds settings in quotation marks, and takes those away so that the rest of the value
// is checked too. systemd and docker compose remove them, but `docker run --env-file` keeps them,
// and then a password would just be wrong.
func unquote(set map[string]string) (lines []string) {
	for _, name := range Names() {
		v := set[name]
		if n := len(v) - 1; n > 0 && (v[0] == '"' || v[0] == '\'') && v[n] == v[0] {
			lines = append(lines, name+" is in quotation marks, and they count as part of it: leave them out")
			set[name] = v[1:n]
		}
	}
	return lines
}

// wrongValues turns the parser's errors into lines that name the setting.
func wrongValues(err error, set map[string]string) []string {
	all, ok := errors.AsType[env.AggregateError](err)
	if !ok {
		return []string{err.Error()}
	}
	var lines []string
	for _, e := range all.Errors {
		parse, ok := errors.AsType[env.ParseError](e)
		if !ok {
			lines = append(lines, e.Error())
			continue
		}
		field, _ := reflect.TypeFor[Settings]().FieldByName(parse.Name)
		lines = append(lines, wrongLine(field, set[field.Tag.Get("env")], parse.Err))
	}
	return lines
}

func wrongLine(field reflect.StructField, value string, what error) string {
	name := field.Tag.Get("env")
	if field.Tag.Get("secret") != "" {
		return fmt.Sprintf("%s is wrong (its value is not repeated here): %s", name, what)
	}
	return fmt.Sprintf("%s is %q: %s", name, value, what)
}

// contradictions finds settings that are valid alone but not together.
func (s *Settings) contradictions(set map[string]string, need Requirement) []string {
	var lines []string
	if set["DASHBOARD_SECRET_KEY"] != "" && set["DASHBOARD_SECRET_KEY_FILE"] != "" {
		lines = append(lines, "DASHBOARD_SECRET_KEY and DASHBOARD_SECRET_KEY_FILE are both set: keep one of them")
	}
	keyGiven := set["DASHBOARD_SECRET_KEY"] != "" || set["DASHBOARD_SECRET_KEY_FILE"] != ""
	if need == NeedsKey && set["DATABASE_URL"] != "" && !keyGiven {
		lines = append(lines, "DASHBOARD_SECRET_KEY is not set: with DATABASE_URL you have to set the key that encrypts upstream tokens; "+
			"make one with `openssl rand -base64 32`, and keep it as safe as the database")
	}
	if set["DASHBOARD_SMTP_URL"] != "" && set["DASHBOARD_MAIL_FROM"] == "" {
		lines = append(lines, "DASHBOARD_MAIL_FROM is not set: DASHBOARD_SMTP_URL needs a sender, such as Storeglass <reports@example.com>")
	}
	lines = append(lines, dkimContradictions(set)...)
	lines = append(lines, ssoContradictions(set)...)
	if s.MetricsListen != "" && s.MetricsListen.taken(s.Listen) {
		lines = append(lines, fmt.Sprintf("DASHBOARD_METRICS_LISTEN is %q, the port of DASHBOARD_LISTEN: give it one of its own", s.MetricsListen))
	}
	return lines
}

// Names lists the environment variables in the order of the struct.
func Names() []string {
	var names []string
	for field := range reflect.TypeFor[Settings]().Fields() {
		names = append(names, field.Tag.Get("env"))
	}
	return names
}

// unknownNames finds names that look like settings but aren't: mostly typos, which would
// otherwise go unnoticed for long.
func unknownNames(set map[string]string) []string {
	known := Names()
	var lines []string
	for name := range set {
		if !strings.HasPrefix(name, "DASHBOARD_") || slices.Contains(known, name) {
			continue
		}
		line := name + " is set, but there is no such setting"
		if near := nearest(name, known); near != "" {
			line += ": did you mean " + near + "?"
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

// nearest returns the known name that a typo most likely meant, or "".
func nearest(name string, known []string) string {
	if bare := strings.TrimPrefix(name, "DASHBOARD_"); slices.Contains(known, bare) {
		return bare
	}
	best, bestAt := "", 4 // more than three typos make it another word
	for _, k := range known {
		if d := distance(name, k); d < bestAt {
			best, bestAt = k, d
		}
	}
	return best
}

// distance is how many letters must be changed, added or dropped (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, cost)
		}
	}
	return row[len(b)]
}
