package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
)

func TestAPreviewIsWrittenAndNotSent(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	dir := filepath.Join(t.TempDir(), "new")
	printed := good(t, env, "snapshot", "preview", "--store", "acme", "--week", "2026-01-05", "--out", dir)
	for _, name := range []string{"mail.html", "mail.txt", "mail.eml", "logo.png"} {
		body, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(body) == 0 || !strings.Contains(printed, filepath.Join(dir, name)+"\n") {
			t.Errorf("%s: %d bytes, %v; printed %q", name, len(body), err, printed)
		}
		if name == "mail.txt" && !strings.Contains(string(body), "There are no upsell numbers for the week of 5 – 11 Jan 2026 yet.") {
			t.Errorf("the text is %q", body)
		}
	}
}

func TestAPreviewSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	refused(t, exitUsage, env, "dashboard: --week \"monday\" is not a date: write the week's first day as YYYY-MM-DD\n", "snapshot", "preview", "--store", "acme", "--week", "monday")
	refused(t, exitUsage, env, "dashboard: --week \"2026-02-30\" is not a date: write the week's first day as YYYY-MM-DD\n", "snapshot", "preview", "--store", "acme", "--week", "2026-02-30")
	refused(t, exitUsage, env, "dashboard: --week 2999-01-01: that week is not over before 2999-01-08\n", "snapshot", "preview", "--store", "acme", "--week", "2999-01-01")
	refused(t, exitFailed, env, "dashboard: there is no store \"nowhere\": `dashboard store list` lists them\n", "snapshot", "preview", "--store", "nowhere")
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, exitFailed, env, "dashboard: make --out: mkdir "+file+": not a directory\n", "snapshot", "preview", "--store", "acme", "--week", "2026-01-05", "--out", file)
}

func TestMailsAreSentListedAndSentAgainByHand(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	if out := good(t, env, "snapshot", "send"); out != "1 mail sent, 0 refused, 0 on the way.\n" {
		t.Errorf("the first round: %q", out)
	}
	first, _ := arrived(t, smtp)
	if out := good(t, env, "snapshot", "send"); out != "0 mails sent, 0 refused, 0 on the way.\n" {
		t.Errorf("the second round: %q", out)
	}
	noMail(t, smtp)
	rows := strings.Split(good(t, env, "snapshot", "list", "--store", "acme", "--state", "sent"), "\n")
	if fields := strings.Fields(rows[1]); len(rows) != 3 || fields[1] != "acme" || fields[3] != "ada@example.com" || fields[4] != "sent" || fields[5] != "1" {
		t.Errorf("listed: %q", rows)
	}
	if out := good(t, env, "snapshot", "list", "--state", "given-up"); strings.Count(out, "\n") != 1 {
		t.Errorf("given up: %q", out)
	}
	execute(t, env, `update summaries set total_upsold_value = 1 where total_upsold_value = 1400; update stores set revision = revision + 1`)
	if out := good(t, env, "snapshot", "send", "--again", strings.Fields(rows[1])[0]); out != "1 mail sent, 0 refused, 0 on the way.\n" {
		t.Errorf("again: %q", out)
	}
	again, text := arrived(t, smtp)
	if !strings.Contains(text, "Upsold value: $6,301.00") {
		t.Errorf("sent again without the numbers of today:\n%s", text[:min(len(text), 3000)])
	}
	if again.Get("Message-Id") == first.Get("Message-Id") || !strings.HasSuffix(again.Get("Message-Id"), "@example.com>") {
		t.Errorf("ids %s and %s", first.Get("Message-Id"), again.Get("Message-Id"))
	}
	const not = "dashboard: mail 99 can't be sent again: it is on its way still, its subscription has ended, or there is none; `dashboard snapshot list` lists them\n"
	refused(t, exitFailed, env, not, "snapshot", "send", "--again", "99")
}

func TestATestMailGoesToThePersonItIsFor(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	if out := good(t, env, "snapshot", "send", "--store", "acme", "--to", "ben@example.com"); !strings.HasPrefix(out, "Sent to ben@example.com: Acme: $7,700.00 ") {
		t.Errorf("said %q", out)
	}
	head, text := arrived(t, smtp)
	if head.Get("To") != "<ben@example.com>" || head.Get("List-Unsubscribe") != "" || !strings.Contains(text, "A test, sent only to ben@example.com.") || strings.Contains(text, "Stop these mails") {
		t.Errorf("arrived: %v\n%s", head, text[:min(len(text), 3000)])
	}
	if out := good(t, env, "snapshot", "list"); strings.Count(out, "\n") != 1 {
		t.Errorf("a test is listed: %q", out)
	}
	refused(t, exitFailed, env, "dashboard: there is no store \"nowhere\": `dashboard store list` lists them\n", "snapshot", "send", "--store", "nowhere", "--to", "ben@example.com")
	refused(t, exitFailed, env[:4], "dashboard: no mail server is set: set DASHBOARD_SMTP_URL and DASHBOARD_MAIL_FROM\n", "snapshot", "send")
}

func TestWhatAMailServerHandsBackIsTaken(t *testing.T) {
	t.Parallel()
	env, smtp := withMail(t)
	good(t, env, "snapshot", "send")
	head, _ := arrived(t, smtp)
	report := func(id string) string {
		return strings.ReplaceAll("Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n--x\nContent-Type: message/delivery-status\n\n"+
			"Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such \x1b[31muser\n"+
			"--x\nContent-Type: text/rfc822-headers\n\nMessage-ID: "+id+"\n--x--\n", "\n", "\r\n")
	}
	handed := func(text string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		code := runCommand(t.Context(), &cli.Program{Args: []string{"snapshot", "bounce"}, Env: env, Stdin: strings.NewReader(text), Stdout: &stdout, Stderr: &stderr})
		return code, stdout.String(), stderr.String()
	}
	for text, want := range map[string]string{
		"Subject: Re: Acme\r\n\r\nThanks.\r\n": "Left alone: this is no report of a mail server.\n",
		"Some words\r\n":                       "Left alone: this is no report of a mail server: message: malformed MIME header line: Some words.\n",
		report("<other@example.com>"):          "Left alone: this is a report about a mail that was not sent from here, or was sent again since.\n",
	} {
		if code, out, said := handed(text); code != exitOK || out != "" || said != want {
			t.Errorf("%q: exit %d, %q, %q", text, code, out, said)
		}
	}
	code, out, said := handed(report(head.Get("Message-Id")))
	if want := "ada@example.com: Came back: failed 5.1.1 550 no such \uFFFD[31muser; nothing is sent there any more.\n"; code != exitOK || out != want || said != "" {
		t.Errorf("exit %d, %q, %q", code, out, said)
	}
	if rows := good(t, env, "snapshot", "list"); !strings.Contains(rows, "Came back: failed 5.1.1") {
		t.Errorf("listed: %q", rows)
	}
}

func TestAPreviewThatCannotBePrintedFails(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	broken, err := exec.LookPath("false")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	refused(t, exitFailed, append(env, "DASHBOARD_CHROMIUM="+broken), "Subject: Acme: no upsell numbers yet for 5 – 11 Jan\ndashboard: the mail has no PDF: print: "+broken+": exit status 1: it said nothing\n",
		"snapshot", "preview", "--store", "acme", "--week", "2026-01-05", "--pdf", "--out", dir)
	if _, err := os.Stat(filepath.Join(dir, "mail.html")); err != nil {
		t.Error(err)
	}
}

func TestAPreviewIsPrintedInAnotherLanguage(t *testing.T) {
	t.Parallel()
	env := emptyDatabase(t)
	execute(t, env, `insert into stores (slug, name, timezone, history_days) values ('acme', 'Acme', 'UTC', 90)`)
	dir := t.TempDir()
	good(t, env, "snapshot", "preview", "--store", "acme", "--week", "2026-01-05", "--language", "de", "--pdf", "--out", dir)
	pdf, err := os.ReadFile(filepath.Join(dir, "acme-2026-W02.pdf"))
	if err != nil || !strings.HasPrefix(string(pdf), "%PDF-") {
		t.Errorf("the PDF: %d bytes, %v", len(pdf), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "mail.txt"))
	if err != nil || !strings.Contains(string(text), "Für die Woche vom 5.–11. Jan. 2026 gibt es noch keine Upsell-Zahlen.") {
		t.Errorf("the text is %q, %v", text, err)
	}
	refused(t, exitUsage, env, "dashboard: --language \"tlh\" is not a language of the mails: write en, de, fr or es\n", "snapshot", "preview", "--store", "acme", "--language", "tlh")
}
