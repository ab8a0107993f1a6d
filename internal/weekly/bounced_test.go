package weekly

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/mail/mailtest"
)

func reportOf(id, status string) string {
	return strings.ReplaceAll(fmt.Sprintf(`From: mailer-daemon@example.net
Content-Type: multipart/report; report-type=delivery-status; boundary=x

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; example.net

Final-Recipient: rfc822; forwarded@elsewhere.example
Action: failed
Status: %s
Diagnostic-Code: smtp; 550 no
--x
Content-Type: text/rfc822-headers

Message-ID: <%s>
--x--
`, status, id), "\n", "\r\n")
}

// newSent is a world in which ada got a mail, and the mail's id.
func newSent(t *testing.T) (*world, string) {
	t.Helper()
	w := newWorld(t)
	w.reader("ada")
	w.later(time.Hour)
	w.round()
	return w, messageID(t, w.arrived()[0])
}

func TestAMailThatCameBackEndsTheMailsToItsAddress(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.reader("ada", "ben", "cyd")
	w.later(time.Hour)
	w.round()
	ids := map[string]string{}
	for _, m := range w.arrived() {
		ids[to([]mailtest.Mail{m})[0]] = messageID(t, m)
	}
	back, err := Bounced(t.Context(), w.DB, strings.NewReader(reportOf(ids["ada"], "5.1.1")), w.Now())
	w.must(err)
	if len(back) != 1 || back[0].Address != "ada@example.com" || !back[0].Suppressed {
		t.Errorf("%+v", back)
	}
	back, err = Bounced(t.Context(), w.DB, strings.NewReader(reportOf(ids["ben"], "5.2.2")), w.Now())
	w.must(err)
	if len(back) != 1 || back[0].Suppressed {
		t.Errorf("a full box: %+v", back)
	}
	w.equal("how they stand", w.rows(`select split_part(address, '@', 1) || ' ' || state || ' ' || coalesce(reason #>> '{args,said}', reason #>> '{}') from deliveries order by 1`),
		"ada sent failed 5.1.1 550 no", "ben sent failed 5.2.2 550 no", "cyd sent ")
	w.equal("suppressed", w.rows(`select address || ': ' || (cause ->> 'id') || ' ' || (cause #>> '{args,said}') from suppressions`), "ada@example.com: mails.sent.cause.came_back failed 5.1.1 550 no")
	w.later(7 * 24 * time.Hour)
	w.round()
	w.equal("the week after", to(w.arrived()), "ben", "cyd")
}

func TestAReportOfADelayOrADeliveryEndsNothing(t *testing.T) {
	t.Parallel()
	w, id := newSent(t)
	for action, told := range map[string]int{"delivered": 0, "relayed": 0, "delayed": 1} {
		status := map[bool]string{true: "4.4.7", false: "2.0.0"}[told == 1]
		back, err := Bounced(t.Context(), w.DB, strings.NewReader(strings.Replace(reportOf(id, status), "Action: failed", "Action: "+action, 1)), w.Now())
		if err != nil || len(back) != told {
			t.Errorf("%s: %+v, %v", action, back, err)
		}
	}
	w.equal("told", w.rows(`select reason #>> '{args,said}' from deliveries`), "delayed 4.4.7 550 no")
	w.equal("suppressed", w.rows(`select address from suppressions`))
}

func TestAComplaintEndsTheMailsToItsAddress(t *testing.T) {
	t.Parallel()
	w, id := newSent(t)
	arf := strings.ReplaceAll("From: abuse@example.net\nContent-Type: multipart/report; report-type=feedback-report; boundary=x\n\n--x\nContent-Type: message/feedback-report\n\nFeedback-Type: abuse\n\n--x\n"+
		"Content-Type: text/rfc822-headers\n\nMessage-ID: <"+id+">\n--x--\n", "\n", "\r\n")
	_, err := Bounced(t.Context(), w.DB, strings.NewReader(arf), w.Now())
	w.must(err)
	w.equal("suppressed", w.rows(`select address || ': ' || (cause ->> 'id') from suppressions`), "ada@example.com: mails.sent.cause.complained")
	w.later(7 * 24 * time.Hour)
	w.round()
	w.equal("the week after", to(w.arrived()))
}

// Every mail of ours has an id by which a report can name it. For an account it is the last one, which
// the person's page speaks about.
func TestAReportAboutAnAlertOrAnAccountCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.exec(`insert into people (email, name, mail_id) values ('Ada@example.com', 'Ada', 'account.a@example.com'), ('ben@example.com', 'Ben', null)`)
	w.exec(`insert into alert_letters (person_id, message_id, address, created_at, state, next_at, sent_at)
		select id, 'alert.b@example.com', email, $1, 'sent', $1, $1 from people where name = 'Ben'`, w.Now())
	for _, id := range []string{"account.a@example.com", "alert.b@example.com"} {
		_, err := Bounced(t.Context(), w.DB, strings.NewReader(reportOf(id, "5.1.1")), w.Now())
		w.must(err)
	}
	w.equal("about the account", w.rows(`select name || ': ' || coalesce(mail_problem #>> '{args,said}', '') from people order by id`), "Ada: failed 5.1.1 550 no", "Ben: ")
	w.equal("suppressed", w.rows(`select address from suppressions order by 1`), "ada@example.com", "ben@example.com")
}

func TestAReportAboutAMailThatWasNeverSentIsNotBelieved(t *testing.T) {
	t.Parallel()
	w, id := newSent(t)
	w.exec(`update deliveries set state = 'given up', sent_at = null`)
	w.exec(`insert into people (email, name) values ('ben@example.com', 'Ben')`)
	w.exec(`insert into alert_letters (person_id, message_id, address, created_at, state, next_at) select id, 'alert.b@example.com', email, $1, 'given up', $1 from people`, w.Now())
	for _, id := range []string{id, "alert.b@example.com"} {
		if _, err := Bounced(t.Context(), w.DB, strings.NewReader(reportOf(id, "5.1.1")), w.Now()); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: %v", id, err)
		}
	}
	w.equal("suppressed", w.rows(`select address from suppressions`))
}

func TestAReportThatNamesNoMailOfOursIsNotBelieved(t *testing.T) {
	t.Parallel()
	w, id := newSent(t)
	for _, forged := range []string{"2026-11-09.1.aaaaaaaaaaaaaaaaaaaaaaaaaa@example.com", id + "x", strings.ToUpper(id), "2026-11-09.1.%@example.com"} {
		if _, err := Bounced(t.Context(), w.DB, strings.NewReader(reportOf(forged, "5.1.1")), w.Now()); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("%s: %v", forged, err)
		}
	}
	if _, err := Bounced(t.Context(), w.DB, strings.NewReader("Subject: 5.1.1\r\nReferences: <"+id+">\r\n\r\nno such user\r\n"), w.Now()); !errors.Is(err, mail.ErrNoBounce) {
		t.Errorf("an answer: %v", err)
	}
	w.equal("suppressed", w.rows(`select address from suppressions`))
	w.equal("told", w.rows(`select reason #>> '{}' from deliveries`), "")
}
