package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/settings"
)

type doctorCommand struct {
	Offline bool `help:"Don't call any service; check only what is stored."`
}

// finding is one line of the doctor: fine, or what to do. A hint is no failure.
type finding struct {
	what, words string
	bad         bool
}

// Run checks everything it can reach, and is not stopped by what is broken.
func (c doctorCommand) Run(ctx context.Context, p *Program) error {
	s, err := p.settings(settings.NeedsKey)
	if err != nil {
		return err // every line names what to write
	}
	findings := []finding{{what: "settings", words: "ok"}}
	h, err := open(ctx, s, s.Log.Logger(p.Stderr, slog.LevelError), schemaLeft)
	if err != nil {
		findings = append(findings, finding{"database", err.Error(), true})
		return p.report(append(findings, checkKey(s), checkMail(ctx, s)))
	}
	defer h.close()
	findings = append(findings, h.checkDatabase(ctx), checkKey(s))
	schema := h.checkSchema(ctx)
	findings = append(findings, schema)
	if !schema.bad {
		walls := h.checkWalls(ctx)
		findings = append(findings, walls)
		if err := h.openDB(ctx); err == nil {
			findings = append(findings, h.checkKeys(ctx))
			findings = append(findings, h.checkCredentials(ctx, c.Offline)...)
			findings = append(findings, h.checkAlerts(ctx))
		} else if !walls.bad {
			findings = append(findings, finding{"stores", err.Error(), true})
		}
	}
	findings = append(findings, h.checkClock(ctx), checkMail(ctx, s), checkPrinter(s))
	if signature, set := checkDKIM(ctx, s, c.Offline); set {
		findings = append(findings, signature)
	}
	if sso, set := h.checkSSO(ctx, c.Offline); set {
		findings = append(findings, sso)
	}
	return interrupted(ctx, p.report(findings))
}

func (p *Program) report(findings []finding) error {
	bad := 0
	for _, f := range findings {
		mark := "ok  "
		if f.bad {
			mark = "DO  "
			bad++
		}
		p.printf("%s %-22s %s\n", mark, f.what, strings.Join(strings.Fields(f.words), " "))
	}
	if bad > 0 {
		return fmt.Errorf("%s to do: see the lines that begin with DO", count(bad, "thing"))
	}
	return nil
}

func (h *house) checkDatabase(ctx context.Context) finding {
	var server string
	if err := h.owner.QueryRow(ctx, "select current_setting('server_version')").Scan(&server); err != nil {
		return finding{"database", err.Error(), true}
	}
	where := "DATABASE_URL"
	if h.server != nil {
		where = "own server in " + h.settings.DataDir
	}
	return finding{what: "database", words: "PostgreSQL " + server + ", " + where}
}

func (h *house) checkSchema(ctx context.Context) finding {
	missing, err := missingSteps(ctx, h.owner)
	switch {
	case err != nil:
		return finding{"schema", err.Error(), true}
	case missing > 0:
		return finding{"schema", count(missing, "step") + " missing: run `dashboard migrate up`", true}
	}
	return finding{what: "schema", words: "up to date"}
}

// checkWalls makes sure that the roles behind which pages and worker stand are there,
// and that they hold.
func (h *house) checkWalls(ctx context.Context) finding {
	faults, err := db.WallFaults(ctx, h.owner)
	switch {
	case err != nil:
		return finding{"walls", err.Error(), true}
	case len(faults) > 0:
		return finding{"walls", strings.Join(faults, "; "), true}
	}
	return finding{what: "walls", words: "row-level security keeps stores apart"}
}

// checkKey makes sure that the key is there and nobody else can read it.
func checkKey(s settings.Settings) finding {
	path := s.SecretKeyFile
	if path == "" && len(s.SecretKey) == 0 && s.DatabaseURL == "" {
		path = s.OwnKey()
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return finding{what: "secret key", words: "none yet"}
		}
	}
	if _, err := s.Sealer(); err != nil {
		return finding{"secret key", err.Error(), true}
	}
	fi, err := os.Stat(path)
	switch {
	case path == "", errors.Is(err, fs.ErrNotExist): // it was given as text
		return finding{what: "secret key", words: "given"}
	case err != nil:
		return finding{"secret key", err.Error(), true}
	case fi.Mode().Perm()&0o077 != 0:
		return finding{"secret key", fmt.Sprintf("others may read %s: run chmod 600 on it", path), true}
	}
	return finding{what: "secret key", words: path}
}

// opens reports whether one of the keys is the one of that id.
func opens(s settings.Settings, keyID string) bool {
	sealer, err := s.Sealer()
	return err == nil && sealer.Opens(keyID)
}

// sealedElsewhere counts the tokens that none of the keys opens. What can't be
// read is not counted: the worker will say it.
func (h *house) sealedElsewhere(ctx context.Context) int {
	stores, err := h.db.Queries().AllStores(ctx)
	if err != nil {
		return 0
	}
	n := 0
	for _, store := range stores {
		creds, err := h.db.Queries().CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return n
		}
		for _, c := range creds {
			if !opens(h.settings, c.KeyID) {
				n++
			}
		}
	}
	return n
}

// clockSlack is how far the database's clock may be off: slots of the budget go
// by the one clock, schedules by the other.
const clockSlack = 2 * time.Second

func (h *house) checkClock(ctx context.Context) finding {
	var theirs time.Time
	asked := time.Now()
	if err := h.owner.QueryRow(ctx, "select clock_timestamp()").Scan(&theirs); err != nil {
		return finding{"clock", err.Error(), true}
	}
	off := theirs.Sub(asked.Add(time.Since(asked) / 2)).Abs()
	if off > clockSlack {
		return finding{"clock", fmt.Sprintf("the database's clock is off by %s: set both machines' clocks by NTP", off.Round(time.Millisecond)), true}
	}
	return finding{what: "clock", words: "same as the database's"}
}

// checkPrinter is no failure: mails say the same without their PDF.
func checkPrinter(s settings.Settings) finding {
	printer, err := pdf.Find(string(s.Chromium))
	if err != nil {
		return finding{what: "PDF", words: "off: install Chromium, or set DASHBOARD_CHROMIUM, to have weekly mails as PDF"}
	}
	return finding{what: "PDF", words: "printed by " + printer.Path()}
}

// checkMail signs in at the mail server without sending anything.
func checkMail(ctx context.Context, s settings.Settings) finding {
	sender, err := s.Sender()
	if err != nil {
		return finding{"mail", err.Error(), true}
	}
	if sender == nil {
		return finding{what: "mail", words: "off: set DASHBOARD_SMTP_URL to send invitations, links for new passwords and weekly mails"}
	}
	if err := sender.Check(ctx); err != nil {
		return finding{"mail", fmt.Sprintf("%s: check DASHBOARD_SMTP_URL", err), true}
	}
	return finding{what: "mail", words: sender.Server() + " takes mails"}
}

// checkDKIM verifies a signature as receivers will; false where mails are not signed.
func checkDKIM(ctx context.Context, s settings.Settings, offline bool) (finding, bool) {
	d := s.DKIM()
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
