package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/seal"
)

// key1 is a secret key for tests.
const key1 = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc="

func wrongLines(t *testing.T, need Requirement, env ...string) []string {
	t.Helper()
	_, _, err := Load(env, need)
	if err == nil {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}

func TestPagesAndMetricsNeedTwoPlacesToListen(t *testing.T) {
	t.Parallel()
	for pair, taken := range map[[2]string]bool{
		{"127.0.0.1:9090", "127.0.0.1:9090"}: true, {":9090", "127.0.0.1:9090"}: true, {"127.0.0.1:9090", ":9090"}: true,
		{"127.0.0.1:8080", "127.0.0.1:9090"}: false, {"127.0.0.1:9090", "10.0.0.1:9090"}: false, {"127.0.0.1:0", ":0"}: false, {":9090", ""}: false,
	} {
		_, _, err := Load([]string{"DASHBOARD_LISTEN=" + pair[0], "DASHBOARD_METRICS_LISTEN=" + pair[1]}, NeedsNothing)
		if (err != nil) != taken {
			t.Errorf("pages at %s, metrics at %s: %v", pair[0], pair[1], err)
		}
	}
}

func TestAWrongSettingIsAnsweredWithWhatToWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ set, want string }{
		"a limit that is no number": {"DASHBOARD_RATE_LIMIT=sixty",
			`DASHBOARD_RATE_LIMIT is "sixty": write a whole number from 1 to 100000, such as 60`},
		"audit days that are no number": {"DASHBOARD_AUDIT_DAYS=a year",
			`DASHBOARD_AUDIT_DAYS is "a year": write a whole number of days from 30 to 36500, such as 400`},
		"too few audit days": {"DASHBOARD_AUDIT_DAYS=29",
			`DASHBOARD_AUDIT_DAYS is "29": write a whole number of days from 30 to 36500, such as 400`},
		"a limit of none": {"DASHBOARD_RATE_LIMIT=0",
			`DASHBOARD_RATE_LIMIT is "0": write a whole number from 1 to 100000, such as 60`},
		"a contact by plain http": {"DASHBOARD_SECURITY_CONTACT=http://example.com/report",
			`DASHBOARD_SECURITY_CONTACT is "http://example.com/report": write one mail address, such as security@example.com, or an https address`},
		"a limit without end": {"DASHBOARD_RATE_LIMIT=100001",
			`DASHBOARD_RATE_LIMIT is "100001": write a whole number from 1 to 100000, such as 60`},
		"a listen address without port": {"DASHBOARD_LISTEN=localhost",
			`DASHBOARD_LISTEN is "localhost": write host:port, such as 127.0.0.1:8080, or :8080 for every interface`},
		"a listen address that is a link": {"DASHBOARD_LISTEN=http://localhost:80",
			`DASHBOARD_LISTEN is "http://localhost:80": write host:port, such as 127.0.0.1:8080, or :8080 for every interface`},
		"a port out of range": {"DASHBOARD_METRICS_LISTEN=:70000",
			`DASHBOARD_METRICS_LISTEN is ":70000": write host:port, such as 127.0.0.1:8080, or :8080 for every interface`},
		"a base address without scheme": {"DASHBOARD_BASE_URL=dashboard.example.com",
			`DASHBOARD_BASE_URL is "dashboard.example.com": write the full address, such as https://dashboard.example.com`},
		"a base address without host": {"DASHBOARD_BASE_URL=https://:443",
			`DASHBOARD_BASE_URL is "https://:443": write the full address, such as https://dashboard.example.com`},
		"a base address with a path": {"DASHBOARD_BASE_URL=https://example.com/dash",
			`DASHBOARD_BASE_URL is "https://example.com/dash": leave out the path: Storeglass is served at the root of a host, such as https://dashboard.example.com`},
		"a proxy that is a name": {"DASHBOARD_TRUSTED_PROXIES=10.0.0.0/8 proxy",
			`DASHBOARD_TRUSTED_PROXIES is "10.0.0.0/8 proxy": "proxy" isn't an address or CIDR: write them separated by commas, such as 10.0.0.0/8`},
		"an allowed link": {"DASHBOARD_UPSTREAM_ALLOW=http://127.0.0.1",
			`DASHBOARD_UPSTREAM_ALLOW is "http://127.0.0.1": "http://127.0.0.1" is no host, address or CIDR: write it without scheme or path, such as sandbox.internal:8081 or 10.0.0.0/8`},
		"a schedule of six fields": {"DASHBOARD_SYNC_CRON=0 * * * * *",
			`DASHBOARD_SYNC_CRON is "0 * * * * *": expected exactly 5 fields, found 6: [0 * * * * *]; write five fields (minute, hour, day, month, weekday), such as */5 * * * *`},
		"a schedule that never fires": {"DASHBOARD_SNAPSHOT_CRON=0 0 31 2 *",
			`DASHBOARD_SNAPSHOT_CRON is "0 0 31 2 *": never fires; write five fields (minute, hour, day, month, weekday), such as */5 * * * *`},
		"a schedule that makes the parser panic": {"DASHBOARD_SYNC_CRON=TZ=UTC",
			`DASHBOARD_SYNC_CRON is "TZ=UTC": a time zone alone is no schedule; write five fields (minute, hour, day, month, weekday), such as */5 * * * *`},
		"a log nobody knows": {"DASHBOARD_LOG=loud",
			`DASHBOARD_LOG is "loud": write text or json, debug, info, warn or error, or one of each, such as json,debug`},
		"a sender that is none": {"DASHBOARD_MAIL_FROM=storeglass",
			`DASHBOARD_MAIL_FROM is "storeglass": write one mail address, such as Storeglass <reports@example.com>`},
		"a key file that is not there": {"DASHBOARD_SECRET_KEY_FILE=/nowhere/key",
			`DASHBOARD_SECRET_KEY_FILE is "/nowhere/key": write the path of a file that can be read (no such file or directory)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := wrongLines(t, NeedsNothing, c.set); !slices.Equal(got, []string{c.want}) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestABaseAddressIsTheOneThatBrowsersSend(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://reports.example.com/":    "https://reports.example.com",
		"HTTPS://Reports.Example.com:443": "https://reports.example.com",
		"http://reports.example.com:80":   "http://reports.example.com",
		"https://reports.example.com:80":  "https://reports.example.com:80",
		"https://reports.example.com:":    "https://reports.example.com",
		"https://[2001:DB8::1]:443":       "https://[2001:db8::1]",
		"http://127.0.0.1:8080":           "http://127.0.0.1:8080",
	} {
		s, _, err := Load([]string{"DASHBOARD_BASE_URL=" + given}, NeedsNothing)
		if err != nil {
			t.Errorf("%s: %v", given, err)
		} else if got := s.BaseURL.String(); got != want {
			t.Errorf("%s: %s, want %s", given, got, want)
		}
	}
}

func TestASecretSettingIsNeverRepeated(t *testing.T) {
	t.Parallel()
	for set, want := range map[string]string{
		"DATABASE_URL=postgres://u:hunter2@[bad":  "DATABASE_URL is wrong (its value is not repeated here): write postgres://user:password@host:5432/name, with %-codes for special characters of the password",
		"DASHBOARD_SECRET_KEY=hunter2":            "DASHBOARD_SECRET_KEY is wrong (its value is not repeated here): write 32 random bytes as base64 or hex, such as `openssl rand -base64 32` prints",
		"DASHBOARD_OIDC_CLIENT_SECRET=hunter2":    "DASHBOARD_OIDC_CLIENT_SECRET is set without DASHBOARD_OIDC_ISSUER: say which provider it is about, or leave it out",
		"DASHBOARD_SMTP_URL=mail://u:hunter2@h:1": "DASHBOARD_SMTP_URL is wrong (its value is not repeated here): write smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465, with %-codes for special characters",
	} {
		got := wrongLines(t, NeedsNothing, set, "DASHBOARD_MAIL_FROM=a@example.com")
		if !slices.Equal(got, []string{want}) {
			t.Errorf("\n got %q\nwant %q", got, want)
		}
	}
}

func TestSingleSignOnIsSetWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	const issuer, id, base = "DASHBOARD_OIDC_ISSUER=https://login.example.com", "DASHBOARD_OIDC_CLIENT_ID=storeglass", "DASHBOARD_BASE_URL=https://reports.example.com"
	for name, c := range map[string]struct {
		set  []string
		want string
	}{
		"all of it":     {[]string{issuer, id, base, "DASHBOARD_OIDC_CLIENT_SECRET=hunter2", "DASHBOARD_OIDC_NAME=Example"}, ""},
		"on one's desk": {[]string{"DASHBOARD_OIDC_ISSUER=http://127.0.0.1:5556/dex", id, base}, ""},
		"a provider without https": {[]string{"DASHBOARD_OIDC_ISSUER=http://login.example.com", id, base},
			`DASHBOARD_OIDC_ISSUER is "http://login.example.com": write the provider's https address as it names itself, such as https://login.example.com`},
		"a provider that does not know us": {[]string{issuer, base}, "DASHBOARD_OIDC_ISSUER and DASHBOARD_OIDC_CLIENT_ID belong together: set both, or neither"},
		"known by nobody":                  {[]string{id}, "DASHBOARD_OIDC_ISSUER and DASHBOARD_OIDC_CLIENT_ID belong together: set both, or neither"},
		"nowhere to come back to": {[]string{issuer, id},
			"DASHBOARD_BASE_URL is not set: with DASHBOARD_OIDC_ISSUER it must say where the provider sends people back to, such as https://dashboard.example.com"},
		"a client id of two words": {[]string{issuer, base, "DASHBOARD_OIDC_CLIENT_ID=store glass"},
			`DASHBOARD_OIDC_CLIENT_ID is "store glass": write the client id that the provider gave, one word`},
		"a name nobody can read": {[]string{issuer, id, base, "DASHBOARD_OIDC_NAME=Goo\u202egle"},
			`DASHBOARD_OIDC_NAME is "Goo\u202egle": write what people call the provider, at most 40 characters on one line, such as Google`},
		"a name of no provider": {[]string{"DASHBOARD_OIDC_NAME=Google"},
			"DASHBOARD_OIDC_NAME is set without DASHBOARD_OIDC_ISSUER: say which provider it is about, or leave it out"},
	} {
		if got := strings.Join(wrongLines(t, NeedsNothing, c.set...), "\n"); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
	}
}

func TestClientSecretIsReadFromAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "secret")
	provider := []string{"DASHBOARD_OIDC_ISSUER=https://login.example.com", "DASHBOARD_OIDC_CLIENT_ID=storeglass", "DASHBOARD_BASE_URL=https://reports.example.com", "DASHBOARD_OIDC_CLIENT_SECRET_FILE=" + path}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"":                   "its content isn't a secret: write the client secret that the provider gave, on one line",
		"hunter2\nhunter3\n": "its content isn't a secret: write the client secret that the provider gave, on one line",
	} {
		write(text)
		if got := wrongLines(t, NeedsNothing, provider...); !slices.Equal(got, []string{fmt.Sprintf("DASHBOARD_OIDC_CLIENT_SECRET_FILE is %q: %s", path, want)}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	write("hunter2\n")
	s, warnings, err := Load(provider, NeedsNothing)
	if err != nil || len(warnings) > 0 || s.OIDCSecret != "hunter2" {
		t.Errorf("%q, %q, %v", s.OIDCSecret, warnings, err)
	}
	if got := wrongLines(t, NeedsNothing, append(provider, "DASHBOARD_OIDC_CLIENT_SECRET=hunter2")...); !slices.Equal(got, []string{"DASHBOARD_OIDC_CLIENT_SECRET and DASHBOARD_OIDC_CLIENT_SECRET_FILE are both set: keep one of them"}) {
		t.Errorf("%q", got)
	}
}

func TestQuotationMarksAreNoPartOfASetting(t *testing.T) {
	t.Parallel()
	got := wrongLines(t, NeedsNothing, `DATABASE_URL="postgres://u:hunter2@localhost/x"`, `DASHBOARD_LISTEN='8080'`, `DASHBOARD_MAIL_FROM="Store Glass" <reports@example.com>`)
	want := []string{
		"DATABASE_URL is in quotation marks, and they count as part of it: leave them out",
		"DASHBOARD_LISTEN is in quotation marks, and they count as part of it: leave them out",
		`DASHBOARD_LISTEN is "8080": write host:port, such as 127.0.0.1:8080, or :8080 for every interface`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestANameThatIsAlmostASettingIsPointedOut(t *testing.T) {
	t.Parallel()
	_, warnings, err := Load([]string{"DASHBOARD_LISTENS=:1", "DASHBOARD_COLOUR=red", "DASHBOARD_DATABASE_URL=postgres://localhost/x", "OTHER=1", "DASHBOARD_LOG="}, NeedsNothing)
	want := []string{
		"DASHBOARD_COLOUR is set, but there is no such setting",
		"DASHBOARD_DATABASE_URL is set, but there is no such setting: did you mean DATABASE_URL?",
		"DASHBOARD_LISTENS is set, but there is no such setting: did you mean DASHBOARD_LISTEN?",
	}
	if err != nil || !slices.Equal(warnings, want) {
		t.Errorf("got %q, %v\nwant %q", warnings, err, want)
	}
}

func TestSettingsHaveDefaultsThatWork(t *testing.T) {
	t.Parallel()
	s, warnings, err := Load([]string{"XDG_DATA_HOME=/data", "HOME=/home/x"}, NeedsKey)
	if err != nil || len(warnings) > 0 {
		t.Fatal(err, warnings)
	}
	wantDir := "/data/storeglass"
	if os.Geteuid() == 0 { // root's server user couldn't enter a home directory
		wantDir = rootDataDir
	}
	if s.DataDir != wantDir || s.Listen != "127.0.0.1:8080" || s.RateLimit != 60 || s.AuditDays != 400 || s.SyncCron != "* * * * *" || s.Log.json {
		t.Errorf("%+v", s)
	}
	if got := s.Listen.Local().String(); got != "http://127.0.0.1:8080" {
		t.Error(got)
	}
	if got := ListenAddress(":80").Local().String(); got != "http://localhost:80" {
		t.Error(got)
	}
}

func TestASecretKeyIsReadInEveryUsualForm(t *testing.T) {
	t.Parallel()
	var want, hex, url secretKeys
	for keys, text := range map[*secretKeys]string{
		&want: key1,
		&hex:  "abcdef12345678" + "90abcdef1234567890abcdef1234567890" + "0001020304050607",
		&url:  "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQAAECAwQFBgc",
	} {
		if err := keys.UnmarshalText([]byte(text)); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if !slices.Equal(want, hex) || !slices.Equal(want, url) {
		t.Errorf("%x %x %x", want, hex, url)
	}
	for _, text := range []string{"", "change-me", strings.Repeat("0", 64), strings.Repeat("A", 43) + "="} {
		if err := new(secretKeys).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was taken for a key", text)
		}
	}
}

func TestASecretKeyFromAFileSealsAndAnOlderOneStillOpens(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "key")
	newer := "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	seal := func() *seal.Sealer {
		s, _, err := Load([]string{"DATABASE_URL=postgres://localhost/x", "DASHBOARD_SECRET_KEY_FILE=" + path}, NeedsKey)
		if err != nil {
			t.Fatal(err)
		}
		sealer, err := s.Sealer()
		if err != nil {
			t.Fatal(err)
		}
		return sealer
	}
	write(key1 + "\n")
	sealed, id := seal().Seal([]byte("token"), nil)
	write(newer + "\n" + key1 + "\n")
	rotated := seal()
	if plain, err := rotated.Open(sealed, id, nil); err != nil || string(plain) != "token" || !rotated.Stale(id) {
		t.Errorf("%q, %v", plain, err)
	}
}

func TestTheGeneratedKeyIsPrivateAndMadeOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	found := make(chan string)
	for range 8 {
		go func() {
			var k secretKeys
			if err := k.fromDataDir(dir); err != nil {
				t.Error(err)
				found <- ""
				return
			}
			found <- k[0]
		}()
	}
	first := <-found
	for range 7 {
		if other := <-found; other != first {
			t.Error("two processes generated two keys")
		}
	}
	fi, err := os.Stat(filepath.Join(dir, keyFileName))
	if err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", fi.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.*.*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// nginx stops using a server that refused a request for nginxLeavesOut, in whole seconds. If
// the second server stopped within that time, nginx would have none left.
func TestAServerDrainsLongerThanNginxLeavesOutTheOther(t *testing.T) {
	t.Parallel()
	if time.Duration(DrainBehindProxy) < nginxLeavesOut+2*time.Second {
		t.Errorf("pages are served for %v after SIGTERM", time.Duration(DrainBehindProxy))
	}
}
