package pulls

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"
	"github.com/storeglass/storeglass/internal/sync/fetch"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

func TestEachKindOfFailureEndsInItsOwnWay(t *testing.T) {
	t.Parallel()
	loc, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2026, time.November, 20, 17, 0, 0, 0, time.UTC) // Friday noon in New York
	w, day := plan.Named("30", reporttest.On("2026-11-20")), report.OneDay(reporttest.On("2026-11-19"))
	window := plan.Pull{Kind: plan.SummaryWindow, Subject: "30", Service: Upsell, Window: &w, Attempts: 2}
	cover := plan.Pull{Kind: plan.CoverageNow, Service: Upsell, Window: &w, Attempts: 2}
	single := plan.Pull{Kind: plan.LifetimeNow, Service: Upsell, Attempts: 2}
	fresh := plan.Pull{Kind: plan.LifetimeNow, Service: Upsell}
	oneDay := plan.Pull{Kind: plan.SummaryDay, Subject: "2026-11-19", Service: Upsell, Window: &day, Attempts: 2}
	giftWindow := plan.Pull{Kind: plan.GiftWindow, Subject: "30", Service: Gift, Window: &w, Attempts: 2}
	night := time.Date(2026, time.November, 21, 5, 20, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		pull     plan.Pull
		err      error
		outcome  fact.Outcome
		due      string // relative to noon; "" means never again
		attempts int
		text     string
		raw      string
		cause    string
	}{
		"server error":          {single, &upstream.Failure{Kind: upstream.Retry, Status: 500, Raw: []byte("x")}, fact.PullFailed, "20m0s", 3, "Server error (500)", "", ""},
		"gateway":               {single, &upstream.Failure{Kind: upstream.Retry, Status: 502, Message: "down"}, fact.PullFailed, "20m0s", 3, "Server error (502)", "", ""},
		"no connection":         {single, &upstream.Failure{Kind: upstream.Retry, Err: errors.New("connection refused")}, fact.PullFailed, "20m0s", 3, "No answer: connection refused", "", ""},
		"no addresses":          {single, &upstream.Failure{Kind: upstream.Retry, Err: &net.OpError{Op: "read", Net: "tcp", Addr: &net.TCPAddr{IP: net.IPv4(10, 0, 0, 9)}, Err: syscall.ECONNRESET}}, fact.PullFailed, "20m0s", 3, "No answer: connection reset by peer", "", ""},
		"cut off (N58)":         {single, &upstream.Failure{Kind: upstream.Retry, Status: 200, Err: io.ErrUnexpectedEOF}, fact.PullFailed, "20m0s", 3, "Reply cut off: unexpected EOF", "", ""},
		"slow request":          {single, &upstream.Failure{Kind: upstream.Retry, Status: 408}, fact.PullFailed, "20m0s", 3, "Refused (408)", "", ""},
		"any other error":       {single, fmt.Errorf("odd: %w", io.ErrClosedPipe), fact.PullFailed, "20m0s", 3, "No answer: odd: io: read/write on closed pipe", "", ""},
		"nothing at all":        {single, &upstream.Failure{Kind: upstream.Retry}, fact.PullFailed, "20m0s", 3, "No answer", "", ""},
		"a broken reply (N4)":   {single, &upstream.Failure{Kind: upstream.Quarantine, Status: 200, Raw: []byte("<html>"), Err: &upstream.Contract{What: "it is not valid JSON"}}, fact.PullQuarantined, "20m0s", 3, "Reply breaks the contract: it is not valid JSON", "<html>", ""},
		"success false (N7)":    {single, &upstream.Failure{Kind: upstream.Quarantine, Status: 200, Raw: []byte("{}"), Message: "try later", Err: &upstream.Contract{Where: "/success", What: "it is false"}}, fact.PullQuarantined, "20m0s", 3, "Reply breaks the contract at /success: it is false (“try later”)", "{}", ""},
		"another shop's (N35)":  {single, fetch.Broken(fetch.Answer{Raw: []byte("{}")}, "it belongs to b"), fact.PullQuarantined, "20m0s", 3, "Reply breaks the contract: it belongs to b", "{}", ""},
		"too many (429)":        {single, &upstream.Failure{Kind: upstream.Wait, Status: 429, Until: noon.Add(25 * time.Second), RetryAfter: 25 * time.Second}, fact.PullWaiting, "25s", 2, "Waiting for a slot (429)", "", ""},
		"too many, clocks off":  {single, &upstream.Failure{Kind: upstream.Wait, Status: 429, Until: noon.Add(-time.Hour), RetryAfter: 25 * time.Second}, fact.PullWaiting, "25s", 2, "Waiting for a slot (429)", "", ""},
		"too many, no wait":     {single, &upstream.Failure{Kind: upstream.Wait, Status: 429}, fact.PullWaiting, "1s", 2, "Waiting for a slot (429)", "", ""},
		"token (N37)":           {single, &upstream.Failure{Kind: upstream.Pause, Status: 401, Message: "Invalid token"}, fact.PullFailed, "20m0s", 3, "Refused (401): Invalid token", "", "token"},
		"token, at first (N70)": {fresh, &upstream.Failure{Kind: upstream.Pause, Status: 401, Message: "Invalid token"}, fact.PullWaiting, "0s", 1, "Waiting: the app refused the token", "", "token"},
		"wrong shop, at first":  {fresh, &upstream.Failure{Kind: upstream.Pause, Status: 403, Message: "no"}, fact.PullPaused, "0s", 1, "Refused (403): no", "", "wrong_shop"},
		"wrong shop (N39)":      {single, &upstream.Failure{Kind: upstream.Pause, Status: 403, Message: "no"}, fact.PullPaused, "20m0s", 3, "Refused (403): no", "", "wrong_shop"},
		"a firewall's page":     {single, &upstream.Failure{Kind: upstream.Pause, Status: 403, Raw: []byte("<html>")}, fact.PullPaused, "20m0s", 3, "Refused (403)", "", "blocked"},
		"no plan (N40)":         {giftWindow, &upstream.Failure{Kind: upstream.Pause, Status: 403, Code: "NO_PLAN", Message: "upgrade"}, fact.PullPaused, "0s", 3, "Refused (403 NO_PLAN)", "", "NO_PLAN"},
		"not public":            {single, &upstream.Failure{Kind: upstream.OurFault, Err: &upstream.NotPublic{Host: "10.0.0.1", Port: "443", IP: netip.MustParseAddr("10.0.0.1")}}, fact.PullPaused, "0s", 3, "The address 10.0.0.1 isn’t public, so we don’t call it. The operator can allow it in DASHBOARD_UPSTREAM_ALLOW.", "", "address"},

		"our path (N60)":            {single, &upstream.Failure{Kind: upstream.OurFault, Status: 404, Message: "Not found"}, fact.PullRefused, "", 3, "Refused (404): Not found", "", ""},
		"our day (N39)":             {oneDay, &upstream.Failure{Kind: upstream.OurFault, Status: 422}, fact.PullRefused, "", 3, "Refused (422)", "", ""},
		"our window":                {window, &upstream.Failure{Kind: upstream.OurFault, Status: 400, Message: "bad"}, fact.PullRefused, night.Sub(noon).String(), 3, "Refused (400): bad", "", ""},
		"our window, hourly":        {cover, &upstream.Failure{Kind: upstream.OurFault, Status: 400, Message: "bad"}, fact.PullRefused, night.Sub(noon).String(), 3, "Refused (400): bad", "", ""},
		"a number of days the same": {giftWindow, &upstream.Failure{Kind: upstream.OurFault, Status: 400, Code: "INVALID_INPUT"}, fact.PullRefused, "", 3, "Refused (400 INVALID_INPUT)", "", ""},
		"not even sent":             {single, upstream.Refuse("pull x", "the range ends before it starts"), fact.PullRefused, "", 3, "The range ends before it starts", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := end(c.pull, c.err, noon, loc)
			if e.outcome != c.outcome || e.attempts != c.attempts || e.cause != c.cause || string(e.raw) != c.raw {
				t.Errorf("ended %s after %d attempts, cause %q, raw %q; want %s, %d, %q, %q", e.outcome, e.attempts, e.cause, e.raw, c.outcome, c.attempts, c.cause, c.raw)
			}
			if e.text.In(locale.English) != c.text {
				t.Errorf("says %q, want %q", e.text, c.text)
			}
			due := ""
			if e.due != nil {
				due = e.due.Sub(noon).String()
			}
			if due != c.due {
				t.Errorf("due in %q, want %q", due, c.due)
			}
			if e.cause == "" && e.said != "" {
				t.Errorf("%q was said, and nothing is paused", e.said)
			}
		})
	}
}

func TestTheWordsAreTextThatCanBeStored(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"": "", "a": "A", "ähnlich": "Ähnlich", "ß": "ß", "日本": "日本", "\xff": "\uFFFD"} {
		if got := sentence(in); got != want || !utf8.ValidString(got) {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestAdviceSaysWhatHelps_N40_N41(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		service string
		failure upstream.Failure
		says    []string
	}{
		"upsell token":       {Upsell, upstream.Failure{Status: 401, Message: "Invalid token"}, []string{"The upsell token was refused.", "in its settings under Developer Tools", "connect the store again", "The app said: “Invalid token.”"}},
		"upsell shop":        {Upsell, upstream.Failure{Status: 403}, []string{"doesn’t belong to the address it’s used with", "Copy the base address"}},
		"plan":               {Gift, upstream.Failure{Status: 403, Code: "NO_PLAN"}, []string{"no longer on a paid gift plan", "revoked its keys", "Upgrade the plan, then create a new key"}},
		"uninstalled":        {Gift, upstream.Failure{Status: 403, Code: "APP_UNINSTALLED"}, []string{"Install it again, then create a new key"}},
		"surface":            {Gift, upstream.Failure{Status: 401, Code: "WRONG_SURFACE"}, []string{"(MCP)", "Create a Store API key"}},
		"scope":              {Gift, upstream.Failure{Status: 403, Code: "INSUFFICIENT_SCOPE"}, []string{"Set it to “read”", "the key stays the same"}},
		"header":             {Gift, upstream.Failure{Status: 401, Code: "MISSING_KEY"}, []string{"didn’t reach the app", "The key itself may be fine"}},
		"key":                {Gift, upstream.Failure{Status: 401, Code: "INVALID_KEY"}, []string{"The gift key was refused", "Create a new key"}},
		"a new kind of code": {Gift, upstream.Failure{Status: 401, Code: "SOMETHING"}, []string{"The gift key was refused"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.failure.Kind = upstream.Pause
			got := Advice(c.service, fmt.Errorf("connect: %w", &c.failure)).In(locale.English)
			for _, want := range c.says {
				if !strings.Contains(got, want) {
					t.Errorf("says %q, want %q in it", got, want)
				}
			}
		})
	}
	for name, err := range map[string]error{"no failure": context.Canceled, "a failure that is no pause": &upstream.Failure{Kind: upstream.Retry}, "nothing": nil} {
		if got := Advice(Upsell, err); got != nil {
			t.Errorf("%s: advice is %q", name, got)
		}
	}
}
