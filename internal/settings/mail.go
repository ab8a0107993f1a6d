package settings

import (
	"crypto"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/mail"
)

// domainName is a DNS name, or a part of one.
type domainName string

var domainWords = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)

func (d *domainName) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if !domainWords.MatchString(name) || len(name) > 200 {
		return errors.New("write a domain name, such as example.com")
	}
	*d = domainName(name)
	return nil
}

// dkimKey is read from the file that the setting names.
type dkimKey struct{ crypto.Signer }

func (k *dkimKey) UnmarshalText(path []byte) error {
	text, err := os.ReadFile(string(path))
	if err != nil {
		return fmt.Errorf("write the path of a file that can be read (%w)", upstream.Cause(err))
	}
	k.Signer, err = mail.ParseDKIMKey(text)
	return err
}

// bounceSecret is part of a URL.
type bounceSecret string

var bounceWords = regexp.MustCompile(`^[A-Za-z0-9_-]{32,200}$`)

func (b *bounceSecret) UnmarshalText(text []byte) error {
	if !bounceWords.Match(text) {
		return errors.New("write 32 letters and digits or more, as `openssl rand -hex 24` makes them")
	}
	*b = bounceSecret(text)
	return nil
}

// Weekday is written in full.
type Weekday struct{ time.Weekday }

var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

func (w *Weekday) UnmarshalText(text []byte) error {
	i := slices.Index(weekdays, strings.ToLower(string(text)))
	if i < 0 {
		return errors.New("write monday, sunday or another weekday")
	}
	w.Weekday = time.Weekday(i)
	return nil
}

// Kept is its number in the database: 1 for Monday to 7 for Sunday.
func (w Weekday) Kept() int32 { return int32(w.Weekday+6)%7 + 1 }

// program is the name or path of an executable.
type program string

func (p *program) UnmarshalText(text []byte) error {
	if _, err := exec.LookPath(string(text)); err != nil {
		return errors.New("write the path of a program that can be run, such as /usr/bin/chromium")
	}
	*p = program(text)
	return nil
}

// dkimContradictions finds DKIM settings that are set without the others.
func dkimContradictions(set map[string]string) (lines []string) {
	names := []string{"DASHBOARD_DKIM_DOMAIN", "DASHBOARD_DKIM_SELECTOR", "DASHBOARD_DKIM_KEY_FILE"}
	missing := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return set[name] != "" })
	if len(missing) == 0 || len(missing) == len(names) {
		return nil
	}
	for _, name := range missing {
		lines = append(lines, name+" is not set: a signature needs domain, selector and key; set all three or none")
	}
	return lines
}

// Sender is nil if no mail server is set.
func (s *Settings) Sender() (*mail.Sender, error) {
	if s.SMTP.URL == nil {
		return nil, nil
	}
	return mail.New(s.SMTP.URL, s.MailFrom.Address, mail.WithDKIM(s.DKIM()))
}

// DKIM is the zero value if mails aren't signed.
func (s *Settings) DKIM() mail.DKIM {
	return mail.DKIM{Domain: string(s.DKIMDomain), Selector: string(s.DKIMSelector), Key: s.DKIMKey.Signer}
}
