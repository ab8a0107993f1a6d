package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// keyFile holds a key that signs mails; record is what is published of it.
func keyFile(t *testing.T) (path, record string) {
	t.Helper()
	public, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "dkim.pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)
}

func TestASignatureNeedsAllThatItIsMadeOf(t *testing.T) {
	t.Parallel()
	path, _ := keyFile(t)
	domain, selector, key := "DASHBOARD_DKIM_DOMAIN=example.com", "DASHBOARD_DKIM_SELECTOR=reports", "DASHBOARD_DKIM_KEY_FILE="+path
	none := filepath.Join(t.TempDir(), "none")
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte("secret words"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env  []string
		want []string
	}{
		"all three":      {[]string{domain, selector, key}, nil},
		"none":           {nil, nil},
		"no key":         {[]string{domain, selector}, []string{"DASHBOARD_DKIM_KEY_FILE is not set: a signature needs domain, selector and key; set all three or none"}},
		"no file":        {[]string{domain, selector, "DASHBOARD_DKIM_KEY_FILE=" + none}, []string{`DASHBOARD_DKIM_KEY_FILE is "` + none + `": write the path of a file that can be read (no such file or directory)`}},
		"no key in it":   {[]string{domain, selector, "DASHBOARD_DKIM_KEY_FILE=" + wrong}, []string{`DASHBOARD_DKIM_KEY_FILE is "` + wrong + "\": write a private key in PEM, as `openssl genrsa 2048` makes one"}},
		"no domain":      {[]string{"DASHBOARD_DKIM_DOMAIN=example com", selector, key}, []string{`DASHBOARD_DKIM_DOMAIN is "example com": write a name of the DNS, such as example.com`}},
		"no program":     {[]string{"DASHBOARD_CHROMIUM=/nowhere"}, []string{`DASHBOARD_CHROMIUM is "/nowhere": write the path of a program that can be run, such as /usr/bin/chromium`}},
		"no weekday":     {[]string{"DASHBOARD_WEEK_BEGINS=mon"}, []string{`DASHBOARD_WEEK_BEGINS is "mon": write monday, sunday or another weekday`}},
		"a shop's week":  {[]string{"DASHBOARD_WEEK_BEGINS=Saturday"}, nil},
		"a short secret": {[]string{"DASHBOARD_BOUNCE_SECRET=hunter2"}, []string{"DASHBOARD_BOUNCE_SECRET is wrong (its value is not repeated here): write 32 letters and digits or more, as `openssl rand -hex 24` makes them"}},
	} {
		if got := wrongLines(t, needsNothing, c.env...); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, c.want)
		}
	}
}

func TestMailsAreSignedAndTheDoctorLooksAfterIt(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	path, record := keyFile(t)
	signing := func(domain string) []string {
		return append(env, "DASHBOARD_DKIM_DOMAIN="+domain, "DASHBOARD_DKIM_SELECTOR=reports", "DASHBOARD_DKIM_KEY_FILE="+path)
	}
	good(t, signing("example.com"), "snapshot", "send")
	found, err := dkim.VerifyWithOptions(bytes.NewReader([]byte((<-smtp.Got).Raw)), &dkim.VerifyOptions{LookupTXT: func(name string) ([]string, error) {
		if name != "reports._domainkey.example.com" {
			t.Errorf("looked for %s", name)
		}
		return []string{record}, nil
	}})
	if err != nil || len(found) != 1 || found[0].Err != nil || found[0].Domain != "example.com" || !slices.Contains(found[0].HeaderKeys, "List-Unsubscribe") {
		t.Errorf("%+v, %v", found, err)
	}
	says(t, run(t, signing("example.com"), "doctor", "--offline"), "mail signature", "ok for example.com, not looked up")
	o := run(t, signing("elsewhere.example"), "doctor", "--offline")
	if line := o.line("mail signature"); !strings.HasPrefix(line, "DO receivers want the domain of the sender, example.com, and DASHBOARD_DKIM_DOMAIN is elsewhere.example") {
		t.Errorf("said %q", line)
	}
}
