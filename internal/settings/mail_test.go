package settings

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

func TestASignatureNeedsAllThatItIsMadeOf(t *testing.T) {
	t.Parallel()
	path, _ := mailtest.DKIMKey(t)
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
		"no domain":      {[]string{"DASHBOARD_DKIM_DOMAIN=example com", selector, key}, []string{`DASHBOARD_DKIM_DOMAIN is "example com": write a domain name, such as example.com`}},
		"no program":     {[]string{"DASHBOARD_CHROMIUM=/nowhere"}, []string{`DASHBOARD_CHROMIUM is "/nowhere": write the path of a program that can be run, such as /usr/bin/chromium`}},
		"no weekday":     {[]string{"DASHBOARD_WEEK_BEGINS=mon"}, []string{`DASHBOARD_WEEK_BEGINS is "mon": write monday, sunday or another weekday`}},
		"a shop's week":  {[]string{"DASHBOARD_WEEK_BEGINS=Saturday"}, nil},
		"a short secret": {[]string{"DASHBOARD_BOUNCE_SECRET=hunter2"}, []string{"DASHBOARD_BOUNCE_SECRET is wrong (its value is not repeated here): write 32 letters and digits or more, as `openssl rand -hex 24` makes them"}},
	} {
		if got := wrongLines(t, NeedsNothing, c.env...); !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%q\nwant\n%q", name, got, c.want)
		}
	}
}
