package settings

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/jobs"
	storemail "github.com/storeglass/storeglass/internal/mail"
)

// databaseURL is an address that the PostgreSQL driver understands.
type databaseURL string

func (d *databaseURL) UnmarshalText(text []byte) error {
	// The driver's own error repeats a part of the address, so don't show it.
	if _, err := pgxpool.ParseConfig(string(text)); err != nil {
		return errors.New("write postgres://user:password@host:5432/name, with %-codes for special characters of the password")
	}
	*d = databaseURL(text)
	return nil
}

// ListenAddress is host:port to listen on; an empty host means all.
type ListenAddress string

func (l *ListenAddress) UnmarshalText(text []byte) error {
	host, port, err := net.SplitHostPort(string(text))
	n, numErr := strconv.ParseUint(port, 10, 16)
	if err != nil || numErr != nil || strings.ContainsAny(host, "/ ") {
		return errors.New("write host:port, such as 127.0.0.1:8080, or :8080 for every interface")
	}
	*l = ListenAddress(net.JoinHostPort(host, strconv.FormatUint(n, 10)))
	return nil
}

// Local is the address at which a browser on this machine reaches a server that listens
// there.
func (l ListenAddress) Local() *url.URL {
	host, port, _ := net.SplitHostPort(string(l))
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return &url.URL{Scheme: "http", Host: net.JoinHostPort(host, port)}
}

// taken reports whether one program can't listen at both: they have the same port, and the same host
// or one that means every network interface.
func (l ListenAddress) taken(other ListenAddress) bool {
	host, port, _ := net.SplitHostPort(string(l))
	otherHost, otherPort, _ := net.SplitHostPort(string(other))
	return port == otherPort && port != "0" && (host == otherHost || host == "" || otherHost == "")
}

// webAddress is the root URL of a web site.
type webAddress struct{ *url.URL }

func (w *webAddress) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return errors.New("write the full address, such as https://dashboard.example.com")
	case strings.Trim(u.Path, "/") != "":
		return errors.New("leave out the path: Storeglass is served at the root of a host, such as https://dashboard.example.com")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("leave out everything but scheme, host and port, such as https://dashboard.example.com")
	}
	// As browsers write it: passkeys and forms are refused if they come from another address.
	host := strings.ToLower(u.Host)
	if port := u.Port(); port == "" || port == map[string]string{"http": "80", "https": "443"}[u.Scheme] {
		host = strings.TrimSuffix(host, ":"+port)
	}
	w.URL = &url.URL{Scheme: u.Scheme, Host: host}
	return nil
}

// networks is a list of CIDRs.
type networks []netip.Prefix

func (n *networks) UnmarshalText(text []byte) error {
	var list networks
	for _, entry := range strings.FieldsFunc(string(text), listSeparator) {
		prefix, err := netip.ParsePrefix(entry)
		if ip, ipErr := netip.ParseAddr(entry); err != nil && ipErr == nil {
			prefix, err = ip.Prefix(ip.BitLen())
		}
		if err != nil {
			return fmt.Errorf("%q isn't an address or CIDR: write them separated by commas, such as 10.0.0.0/8", entry)
		}
		list = append(list, prefix.Masked())
	}
	*n = list
	return nil
}

func listSeparator(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// smtpAddress is a mail server's URL.
type smtpAddress struct{ *url.URL }

func (s *smtpAddress) UnmarshalText(text []byte) error {
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "smtp" && u.Scheme != "smtps" || u.Hostname() == "" || strings.Trim(u.Path, "/") != "" {
		return errors.New("write smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465, with %-codes for special characters")
	}
	if _, err := storemail.New(u, mail.Address{}); err != nil {
		return err
	}
	s.URL = u
	return nil
}

// mailAddress is a sender, with or without a name.
type mailAddress struct{ mail.Address }

func (m *mailAddress) UnmarshalText(text []byte) error {
	a, err := mail.ParseAddress(string(text))
	if err != nil {
		return errors.New("write one mail address, such as Storeglass <reports@example.com>")
	}
	m.Address = *a
	return nil
}

// contact is a URI where people can reach someone.
type contact string

func (c *contact) UnmarshalText(text []byte) error {
	if a, err := mail.ParseAddress(string(text)); err == nil && a.Name == "" {
		*c = contact((&url.URL{Scheme: "mailto", Opaque: a.Address}).String())
		return nil
	}
	u, err := url.Parse(string(text))
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return errors.New("write one mail address, such as security@example.com, or an https address")
	}
	*c = contact(u.String())
	return nil
}

// AllowedHosts is where upstream addresses may point besides public https.
type AllowedHosts struct{ upstream.AllowList }

func (a *AllowedHosts) UnmarshalText(text []byte) error {
	list, err := upstream.ParseAllow(string(text))
	if err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	a.AllowList = list
	return nil
}

// CallsAMinute is how many calls one upstream token may make.
type CallsAMinute int

const MaxRateLimit = 100_000 // each slot is a row: more would only fill the table

func (c *CallsAMinute) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < 1 || n > MaxRateLimit {
		return fmt.Errorf("write a whole number from 1 to %d, such as 60", MaxRateLimit)
	}
	*c = CallsAMinute(n)
	return nil
}

// auditDays is how long the audit log is kept.
type auditDays int

// The minimum is what the database's forget_audit accepts, the maximum what it can count.
const minAuditDays, maxAuditDays = 30, 36_500

func (d *auditDays) UnmarshalText(text []byte) error {
	n, err := strconv.Atoi(string(text))
	if err != nil || n < minAuditDays || n > maxAuditDays {
		return fmt.Errorf("write a whole number of days from %d to %d, such as 400", minAuditDays, maxAuditDays)
	}
	*d = auditDays(n)
	return nil
}

// drainTime is how long pages are still served after the server is asked to stop.
type drainTime time.Duration

const (
	// DrainBehindProxy is longer than the time for which nginx, by default, skips a server that
	// refused a request (nginxLeavesOut). So when two servers restart one after the other, nginx
	// uses the first again before the second refuses. With nginx's own time, 136 of 12,662
	// requests failed over six restarts; with this, 0 of 17,707.
	DrainBehindProxy = drainTime(15 * time.Second)
	nginxLeavesOut   = 10 * time.Second
	maxDrain         = time.Minute
)

func (d *drainTime) UnmarshalText(text []byte) error {
	t, err := time.ParseDuration(string(text))
	if err != nil || t < 0 || t > maxDrain {
		return fmt.Errorf("write 0s to %v, such as 10s", maxDrain)
	}
	*d = drainTime(t)
	return nil
}

// cronExpression is a schedule of five fields that fires at least once.
type cronExpression string

func (c *cronExpression) UnmarshalText(text []byte) error {
	expr := string(text)
	if _, err := jobs.ParseSchedule(expr); err != nil {
		what := strings.TrimPrefix(err.Error(), fmt.Sprintf("cron expression %q", expr))
		return fmt.Errorf("%s; write five fields (minute, hour, day, month, weekday), such as */5 * * * *", strings.TrimLeft(what, ": "))
	}
	*c = cronExpression(expr)
	return nil
}

// Logging is the format and level of the log.
type Logging struct {
	json  bool
	level slog.Level
}

func (l *Logging) UnmarshalText(text []byte) error {
	var out Logging
	for _, word := range strings.FieldsFunc(strings.ToLower(string(text)), listSeparator) {
		switch word {
		case "text", "json":
			out.json = word == "json"
		case "debug", "info", "warn", "error":
			_ = out.level.UnmarshalText([]byte(word)) // UnmarshalText knows these four words
		default:
			return errors.New("write text or json, debug, info, warn or error, or one of each, such as json,debug")
		}
	}
	*l = out
	return nil
}

// Logger writes to w from the given level up, or from the setting's if that is higher.
func (l Logging) Logger(w io.Writer, atLeast slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: slices.Max([]slog.Level{l.level, atLeast})}
	if l.json {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
