package report_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

func TestProvenanceInJSON(t *testing.T) {
	t.Parallel()
	day := func(d int) civil.Date { return civil.Date{Year: 2026, Month: 11, Day: d} }
	w, asked := report.Window{day(1), day(19)}, report.Window{day(1), day(20)}
	left := day(20)
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.FixedZone("EST", -5*3600))
	for name, c := range map[string]struct {
		in   report.Provenance
		want string
	}{
		"nothing fetched": {
			report.Provenance{Endpoint: "GET /x", Basis: report.Reported},
			`{"endpoint":"GET /x","basis":"reported","window":null,"fetched_at":null,"replies":0,"missing_days":[],"revised_days":0,"flags":[]}`,
		},
		"no window (N21)": {
			report.Provenance{Endpoint: "GET /data/analytics/lifetime", Basis: report.Reported, Timezone: "UTC", Replies: 1, FetchedAt: at, FetchedLast: at},
			`{"endpoint":"GET /data/analytics/lifetime","basis":"reported","window":null,"timezone":"UTC","fetched_at":"2026-11-20T14:00:00Z","replies":1,"missing_days":[],"revised_days":0,"flags":[]}`,
		},
		"applied is not what was asked (N22)": {
			report.Provenance{
				Endpoint: "GET /x", Basis: report.Stitched, Window: &w, Asked: &asked, LeftOut: &left, Source: "merchant", Replies: 18, Revised: 2,
				FetchedAt: at, FetchedLast: at.Add(time.Hour), Missing: []civil.Date{day(4)}, Flags: []report.Flag{report.FlagMissingDays},
				Check: &report.Check{Agrees: true, Days: 18, Missing: 1, Reported: decimal.RequireFromString("1.10"), Stitched: decimal.RequireFromString("1.1"), At: at},
			},
			`{"endpoint":"GET /x","basis":"stitched","window":{"start":"2026-11-01","end":"2026-11-19","days":19,"source":"merchant",` +
				`"asked":{"start":"2026-11-01","end":"2026-11-20","days":20}},"fetched_at":"2026-11-20T14:00:00Z","fetched_last":"2026-11-20T15:00:00Z",` +
				`"replies":18,"missing_days":["2026-11-04"],"revised_days":2,"left_out":"2026-11-20",` +
				`"check":{"agrees":true,"days":18,"missing":1,"reported":"1.1","stitched":"1.1","at":"2026-11-20T14:00:00Z"},"flags":["missing_days"]}`,
		},
	} {
		got, err := json.Marshal(c.in)
		if err != nil || string(got) != c.want {
			t.Errorf("%s:\n%s\n%s\n%v", name, got, c.want, err)
		}
	}
}

func TestTroubleInJSON(t *testing.T) {
	t.Parallel()
	in := report.Trouble{Title: "Refused", Text: "Enter a new token. Next check: 10:00.", Next: " Next check: 10:00.", Since: time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC), NeedsPerson: true}
	want := `{"title":"Refused","text":"Enter a new token. Next check: 10:00.","since":"2026-11-20T14:00:00Z","needs_person":true}`
	if got, err := json.Marshal(in); err != nil || string(got) != want {
		t.Errorf("%s\n%s\n%v", got, want, err)
	}
}
