package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/web/site"
	"github.com/storeglass/storeglass/web/webtest"
)

func TestAMailServerTellsWhatCameBackByTheSecretAlone(t *testing.T) {
	t.Parallel()
	o := newPostOffice(t)
	o.subscribed("gone@example.net")
	id := o.StoredTexts(`select message_id from deliveries`)[0]
	report := func(id string, before int) string {
		text := "--x\nContent-Type: text/plain\n\n" + strings.Repeat("x", before) + "\n"
		return strings.ReplaceAll("Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n"+text+"--x\nContent-Type: message/delivery-status\n\n"+
			"Reporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; gone@example.net\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 no such user\n"+
			"--x\nContent-Type: text/rfc822-headers\n\nMessage-ID: <"+id+">\n--x--\n", "\n", "\r\n")
	}
	suppressed := func() int { return len(o.StoredTexts(`select address from suppressions`)) }
	post := func(secret, mail string) int {
		t.Helper()
		answer, err := http.Post(o.HTTP.URL+site.BouncePath+url.PathEscape(secret), "message/rfc822", strings.NewReader(mail))
		o.Must(err)
		defer answer.Body.Close()
		return answer.StatusCode
	}
	for _, wrong := range []string{"x", webtest.BounceSecret + "x", webtest.BounceSecret[1:], strings.ToUpper(webtest.BounceSecret), strings.Repeat("A", 43)} {
		if got := post(wrong, report(id, 0)); got != http.StatusNotFound {
			t.Errorf("by %q: %d", wrong, got)
		}
	}
	for name, mail := range map[string]string{"no report": "Subject: Re: Acme\r\n\r\nThanks.\r\n", "another's": report("other@example.com", 0), "nothing": "", "behind too much": report(id, 4<<20)} {
		if got := post(webtest.BounceSecret, mail); got != http.StatusNoContent {
			t.Errorf("%s: %d", name, got)
		}
	}
	if n := suppressed(); n != 0 {
		t.Fatalf("%d are suppressed", n)
	}
	if got := post(webtest.BounceSecret, report(id, site.MaxForm)); got != http.StatusNoContent || suppressed() != 1 {
		t.Errorf("the report: %d, %d suppressed", got, suppressed())
	}
	if strings.Contains(o.Log.String(), webtest.BounceSecret) {
		t.Error("the secret stands in the log")
	}
	o.Server.Parts.Mails.BounceSecret = ""
	if got := post("", report(id, 0)); got != http.StatusNotFound {
		t.Errorf("without a secret: %d", got)
	}
}
