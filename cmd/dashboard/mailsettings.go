package main

import (
	"context"
	"crypto"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/mail"
)

// domainName is a name of the DNS, or a part of one.
type domainName string

var domainWords = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)

func (d *domainName) UnmarshalText(text []byte) error {
	name := strings.ToLower(string(text))
	if !domainWords.MatchString(name) || len(name) > 200 {
		return errors.New("write a name of the DNS, such as example.com")
	}
	*d = domainName(name)
	return nil
}

// dkimKey is read from the file that the setting names.
type dkimKey struct{ crypto.Signer }

func (k *dkimKey) UnmarshalText(path []byte) error {
	text, err := os.ReadFile(string(path))
	if err != nil {
		return fmt.Errorf("write the path of a file that can be read (%w)", unwrapPath(err))
	}
	k.Signer, err = mail.ParseDKIMKey(text)
	return err
}

// bounceSecret stands in an address.
type bounceSecret string

var bounceWords = regexp.MustCompile(`^[A-Za-z0-9_-]{32,200}$`)

func (b *bounceSecret) UnmarshalText(text []byte) error {
	if !bounceWords.Match(text) {
		return errors.New("write 32 letters and digits or more, as `openssl rand -hex 24` makes them")
	}
	*b = bounceSecret(text)
	return nil
}

// weekday is written in full.
type weekday struct{ time.Weekday }

var weekdays = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

func (w *weekday) UnmarshalText(text []byte) error {
	i := slices.Index(weekdays, strings.ToLower(string(text)))
	if i < 0 {
		return errors.New("write monday, sunday or another weekday")
	}
	w.Weekday = time.Weekday(i)
	return nil
}

// kept is how the database has it: 1 for Monday to 7 for Sunday.
func (w weekday) kept() int32 { return int32(w.Weekday+6)%7 + 1 }

// program is one that can be run.
type program string

func (p *program) UnmarshalText(text []byte) error {
	if _, err := exec.LookPath(string(text)); err != nil {
		return errors.New("write the path of a program that can be run, such as /usr/bin/chromium")
	}
	*p = program(text)
	return nil
}

// dkimContradictions finds that a part of the three is missing.
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

// dkim is the zero value where mails are not signed.
func (s *Settings) dkim() mail.DKIM {
	return mail.DKIM{Domain: string(s.DKIMDomain), Selector: string(s.DKIMSelector), Key: s.DKIMKey.Signer}
}

// checkDKIM verifies a signature as receivers will; false where mails are not signed.
func (s *Settings) checkDKIM(ctx context.Context, offline bool) (finding, bool) {
	d := s.dkim()
	if d.Key == nil {
		return finding{}, false
	}
	if sender := s.MailFrom.Address.Address; sender != "" {
		_, from, _ := strings.Cut(strings.ToLower(sender), "@")
		if from != d.Domain && !strings.HasSuffix(from, "."+d.Domain) && !strings.HasSuffix(d.Domain, "."+from) {
			return finding{"mail signature", fmt.Sprintf("receivers want the domain of the sender, %s, and DASHBOARD_DKIM_DOMAIN is %s: make them agree", from, d.Domain), true}, true
		}
	}
	if offline {
		return finding{what: "mail signature", words: "for " + d.Domain + ", not looked up"}, true
	}
	ctx, cancel := context.WithTimeout(ctx, mail.Within)
	defer cancel()
	err := d.Check(func(name string) ([]string, error) { return net.DefaultResolver.LookupTXT(ctx, name) })
	if errors.Is(err, mail.ErrNoRecord) {
		record, wrong := d.Record()
		if wrong != nil {
			return finding{"mail signature", wrong.Error(), true}, true
		}
		return finding{"mail signature", fmt.Sprintf("%s: publish as TXT under %s: %s", err, d.Name(), record), true}, true
	}
	if err != nil {
		return finding{"mail signature", fmt.Sprintf("can't look up %s: %s", d.Name(), err), true}, true
	}
	return finding{what: "mail signature", words: "for " + d.Domain + ", as published"}, true
}
