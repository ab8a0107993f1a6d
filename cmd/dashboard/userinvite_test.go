package main

import (
	"bytes"
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

// typedIn runs a command with text on its stdin.
func typedIn(t *testing.T, env []string, stdin string, args ...string) outcome {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := &cli.Program{Args: args, Env: env, Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr}
	code := runCommand(t.Context(), p)
	return outcome{code: code, stdout: stdout.String(), stderr: stderr.String()}
}

// signsIn tries a password against the database of env.
func signsIn(t *testing.T, env []string, email, typed string) error {
	t.Helper()
	pool, err := db.Open(t.Context(), strings.TrimPrefix(env[0], "DATABASE_URL="))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	_, err = signin.New(db.From(pool, 60), time.Now, nil, password.NewHasher()).ByPassword(context.WithoutCancel(t.Context()), signin.Try{Email: email, Password: typed})
	return err
}

func TestFirstAdminGetsAPasswordThatIsNeverAnArgument(t *testing.T) {
	t.Parallel()
	env := append(emptyDatabase(t), "DASHBOARD_BASE_URL=https://dashboard.example.com")
	for stdin, want := range map[string]string{
		"":                                  "no password: run this in a terminal, or write it to stdin",
		"short":                             "nothing was changed: Use at least 12 characters",
		"ann@example.com ann@example.com\n": "nothing was changed: This is little more than your name",
	} {
		o := typedIn(t, env, stdin, "user", "add", "ann@example.com", "--role", "admin", "--password-prompt")
		if o.code == exitOK || !strings.Contains(o.stderr, want) {
			t.Errorf("%q: %+v", stdin, o)
		}
	}
	o := typedIn(t, env, "four words to guess\r\n", "user", "add", "ann@example.com", "--role", "admin", "--password-prompt")
	if o.code != exitOK || o.stderr != "They sign in with that password at https://dashboard.example.com/sign-in\n" {
		t.Errorf("%+v", o)
	}
	if err := signsIn(t, env, "ann@example.com", "four words to guess"); err != nil {
		t.Error(err)
	}
	o = typedIn(t, env, "four other words here\n", "user", "password", "ann@example.com")
	if o.code != exitOK || o.stdout != "ann@example.com has a new password and is signed out everywhere.\n" {
		t.Errorf("%+v", o)
	}
	if err := signsIn(t, env, "ann@example.com", "four other words here"); err != nil {
		t.Error(err)
	}
	good(t, env, "user", "add", "bo@example.com", "--role", "admin")
	good(t, env, "user", "link", "bo@example.com")
	good(t, env, "user", "disable", "bo@example.com")
	if o := typedIn(t, env, "four words to guess\n", "user", "password", "bo@example.com"); o.code != exitFailed {
		t.Errorf("%+v", o)
	}
}

func TestASecondStepIsTakenOffWhoHasLostIt(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "user", "add", "ann@example.com")
	refused(t, exitFailed, env, "dashboard: ann@example.com has no two-factor authentication\n", "user", "reset-factors", "ann@example.com")
	pool, err := db.Open(t.Context(), strings.TrimPrefix(env[0], "DATABASE_URL="))
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	if _, err := pool.Exec(t.Context(), "insert into totps (person_id, secret_sealed, key_id, confirmed_at) select id, 'x', 'x', now() from people"); err != nil {
		t.Fatal(err)
	}
	if got := good(t, env, "user", "reset-factors", "ann@example.com"); got != "ann@example.com no longer has two-factor authentication and is signed out everywhere.\n" {
		t.Error(got)
	}
}

func TestAPasswordIsTypedTwiceOnATerminal(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	good(t, env, "user", "add", "ann@example.com")
	for second, want := range map[string]int{"four words to gess\n": exitFailed, "four words to guess\n": exitOK} {
		file, typ := terminal(t)
		var stdout, stderr bytes.Buffer
		p := &cli.Program{Args: []string{"user", "password", "ann@example.com"}, Env: env, Stdin: file, Stdout: &stdout, Stderr: &stderr}
		typ("four words to guess\n" + second)
		if code := runCommand(t.Context(), p); code != want {
			t.Errorf("%q: exit %d, %s%s", second, code, stdout.String(), stderr.String())
		}
		if strings.Contains(stdout.String()+stderr.String(), "four words") {
			t.Error("the password is shown")
		}
	}
}

var invitation = regexp.MustCompile(`^https://dashboard\.example\.com/invitation/([A-Za-z0-9_-]{43})\n$`)

func TestAnInvitationStandsAloneOnStdoutAndIsMailedIfAsked(t *testing.T) {
	t.Parallel()
	env := append(emptyDatabase(t), "DASHBOARD_BASE_URL=https://dashboard.example.com")
	o := run(t, env, "user", "invite", "bo@example.com", "--role", "agency", "--all-stores", "--for", "1h")
	first := invitation.FindStringSubmatch(o.stdout)
	if o.code != exitOK || first == nil || !strings.HasPrefix(o.stderr, "bo@example.com can use it once, until ") {
		t.Fatalf("%+v", o)
	}
	smtp := mailtest.Start(t, mailtest.Plain)
	mailing := append(env, "DASHBOARD_SMTP_URL=smtp://"+smtp.Addr, "DASHBOARD_MAIL_FROM=Storeglass <reports@example.com>")
	o = run(t, mailing, "user", "invite", "bo@example.com", "--role", "viewer", "--mail")
	if !strings.Contains(o.stderr, "They were added before and stay bo (agency), who sees all stores: change that with `dashboard user role` and `dashboard user grant`.\n") {
		t.Error(o.stderr)
	}
	second := invitation.FindStringSubmatch(o.stdout)
	if o.code != exitOK || second == nil || second[1] == first[1] {
		t.Fatalf("%+v", o)
	}
	got := <-smtp.Got
	if got.To != "bo@example.com" || !strings.Contains(strings.ReplaceAll(got.Raw, "=\r\n", ""), second[1]) {
		t.Errorf("%+v", got)
	}
	refused(t, exitUsage, env, "dashboard: --for is out of range: write 30m to 168h, such as 72h\n", "user", "invite", "cy@example.com", "--for", "29m")
	refused(t, exitUsage, env, "dashboard: --mail needs a mail server: set DASHBOARD_SMTP_URL and DASHBOARD_MAIL_FROM\n", "user", "invite", "cy@example.com", "--mail")
	typedIn(t, env, "four words to guess\n", "user", "password", "bo@example.com")
	refused(t, exitFailed, env, "dashboard: bo@example.com has an account already: `dashboard user link` makes a link that signs them in\n", "user", "invite", "bo@example.com")
}

func TestTheDoctorSignsInAtTheMailServer(t *testing.T) {
	t.Parallel()
	env, _, _, _ := patient(t)
	says(t, run(t, env, "doctor", "--offline"), "mail", "ok off: set DASHBOARD_SMTP_URL to send invitations, links for new passwords and weekly mails")
	smtp := mailtest.Start(t, mailtest.Plain, mailtest.Auth)
	with := func(user, password string) []string {
		u := url.URL{Scheme: "smtp", Host: smtp.Addr, User: url.UserPassword(user, password)}
		return append(env, "DASHBOARD_SMTP_URL="+u.String(), "DASHBOARD_MAIL_FROM=reports@example.com")
	}
	says(t, run(t, with(mailtest.User, mailtest.Password), "doctor", "--offline"), "mail", "ok "+smtp.Addr+" takes mails")
	o := run(t, with(mailtest.User, "hunter2"), "doctor", "--offline")
	if line := o.line("mail"); o.code == exitOK || !strings.HasPrefix(line, "DO mail server "+smtp.Addr) || strings.Contains(line, "hunter2") {
		t.Errorf("%s", line)
	}
}
