package mail

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func bounces(t *testing.T, name string) ([]Bounce, error) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", "bounces", name))
	if err != nil {
		t.Fatal(err)
	}
	return ReadBounces(bytes.NewReader(raw))
}

func TestAReportSaysWhichMailCameBackAndWhy(t *testing.T) {
	t.Parallel()
	const first, second = "2026-11-09.1.4xk7@example.com", "2026-11-09.2.9qq1@example.com"
	for name, want := range map[string][]Bounce{
		"postfix.eml": {{first, "gone@fernhollow.example", "failed", "5.1.1", "550 5.1.1 <gone@fernhollow.example>: Recipient address rejected: User unknown in local recipient table"}},
		"full.eml":    {{second, "ada@example.net", "failed", "5.2.2", "552 5.2.2 over quota"}, {second, "ben@example.net", "delayed", "4.4.1", ""}},
	} {
		got, err := bounces(t, name)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %v\n%+v\nwant\n%+v", name, err, got, want)
		}
	}
	got, err := bounces(t, "complaint.eml")
	if want := []Bounce{{first, "ada@fernhollow.example", Complained, "", ""}}; err != nil || !slices.Equal(got, want) || !got[0].Ends() {
		t.Errorf("a complaint: %v %+v", err, got)
	}
	for _, name := range []string{"notspam.eml", "answer.eml", "read.eml", "nameless.eml"} {
		if got, err := bounces(t, name); !errors.Is(err, ErrNoBounce) {
			t.Errorf("%s was taken for a report: %+v, %v", name, got, err)
		}
	}
}

// A report cut off anywhere is either read or refused.
func TestATornReportIsNoFault(t *testing.T) {
	t.Parallel()
	whole, err := os.ReadFile(filepath.Join("testdata", "bounces", "postfix.eml"))
	if err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		if got, err := ReadBounces(bytes.NewReader(whole[:n])); err == nil && (len(got) != 1 || got[0].Recipient != "gone@fernhollow.example") {
			t.Errorf("of %d bytes: %+v", n, got)
		}
	}
	for _, text := range []string{"", "\r\n", "Content-Type: multipart/report; report-type=delivery-status\r\n\r\n", strings.Repeat("a", 100000), strings.Repeat("A: b\r\n", 100000)} {
		if _, err := ReadBounces(strings.NewReader(text)); !errors.Is(err, ErrNoBounce) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestOnlyWhatIsSaidOfTheAddressForGoodIsAboutIt(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]bool{
		"5.1.1": true, "5.1.10": true, "5.0.0": true, "5.2.1": true, "5.4.4": true,
		"5.2.2": false, "5.7.1": false, "5.3.4": false, "5.6.0": false, "4.1.1": false, "2.1.5": false, "": false,
	} {
		if got := (Bounce{Action: "failed", Status: status}).OfAddress(); got != want {
			t.Errorf("%s: %v", status, got)
		}
	}
	if (Bounce{Action: "delayed", Status: "5.1.1"}).OfAddress() {
		t.Error("what is delayed may arrive")
	}
}

func TestAFullMailboxIsNoMissingAddress(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"550 5.1.1 no such user": true, "550 no such user": true, "553 not a name": true, "550 5.2.1 disabled": true,
		"552 5.2.2 mailbox full": false, "550 5.2.2 over quota": false, "552 full": false, "550 5.7.1 policy": false, "450 5.1.1 later": false,
	} {
		code, words, _ := strings.Cut(said, " ")
		n, err := strconv.Atoi(code)
		if got := (&Refusal{n, OfReader, words}).OfAddress(); err != nil || got != want {
			t.Errorf("%s: %v, %v", said, got, err)
		}
	}
}
