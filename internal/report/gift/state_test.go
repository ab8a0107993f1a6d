package gift

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/reporttest"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

func section(t *testing.T, name string, body any, at time.Time) report.StoredHealth {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return report.StoredHealth{Section: name, Body: raw, FetchedAt: at}
}

func healthy(t *testing.T, errors []string, issues ...HealthIssue) report.Stored {
	in := reporttest.Three()
	if issues == nil {
		issues = []HealthIssue{}
	}
	in.Health = []report.StoredHealth{
		section(t, "theme", ThemeBody{Name: "Dawn", OS2: reporttest.Ptr(true), EmbedEnabled: reporttest.Ptr(true)}, reporttest.Noon),
		section(t, "campaigns", CampaignsBody{Total: reporttest.N64(3), Active: reporttest.N64(1), Scheduled: reporttest.N64(1), Expired: reporttest.N64(1)}, reporttest.Noon),
		section(t, "issues", issues, reporttest.Noon),
		section(t, "errors", errors, reporttest.Noon),
	}
	return in
}

func TestAllClearIsSaidOnlyOfAWholeAnswerWithoutIssues_N50(t *testing.T) {
	t.Parallel()
	unreadable := healthy(t, nil)
	unreadable.Health[2].Body = []byte("{")
	for name, c := range map[string]struct {
		in         report.Stored
		clear      bool
		incomplete bool
	}{
		"whole and without issues":  {healthy(t, []string{}), true, false},
		"an issue":                  {healthy(t, nil, HealthIssue{Code: "NO_CAMPAIGN"}), false, false},
		"an error":                  {healthy(t, []string{"theme: out of reach"}), false, true},
		"a section can't be read":   {unreadable, false, true},
		"never answered":            {reporttest.Three(), false, false},
		"nothing but errors stored": {report.Stored{Store: reporttest.Acme, Health: []report.StoredHealth{section(t, "errors", []string{"x"}, reporttest.Noon)}}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := shown(t, c.in, reporttest.ThreeDays).Health
			reporttest.Equal(t, "all clear", h.AllClear(), c.clear)
			reporttest.Equal(t, "incomplete", h.Provenance.Has(report.FlagIncomplete), c.incomplete)
		})
	}
}

func TestASectionThatIsMissingKeepsItsLastGoodState_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "APP_EMBED_DISABLED", Message: "off"})
	old := reporttest.Noon.Add(-9 * time.Hour)
	in.Health[0].FetchedAt, in.Health[2].FetchedAt = old, old
	h := shown(t, in, reporttest.ThreeDays).Health
	reporttest.Equal(t, "theme", h.ThemeName, "Dawn")
	reporttest.Equal(t, "embed", h.EmbedEnabled, reporttest.Ptr(true))
	reporttest.Equal(t, "errors", h.Errors, []string{"theme: out of reach"})
	reporttest.Equal(t, "issues", h.Issues, []HealthIssue{{Code: "APP_EMBED_DISABLED", Message: "off", Fix: fix(locale.English, "APP_EMBED_DISABLED"), SeenAt: old}})
	reporttest.Equal(t, "as old as its oldest section", h.Provenance.FetchedAt, old)
	reporttest.Equal(t, "newest", h.Provenance.FetchedLast, reporttest.Noon)
	reporttest.Equal(t, "replies behind it", h.Provenance.Replies, 2)
	reporttest.Equal(t, "replies behind a whole one", shown(t, healthy(t, nil), reporttest.ThreeDays).Health.Provenance.Replies, 1)
}

func TestAnIncompleteAnswersIssuesAreShown_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "APP_EMBED_DISABLED", Message: "off"}, HealthIssue{Code: "NO_ACTIVE_CAMPAIGN"})
	old := reporttest.Noon.Add(-9 * time.Hour)
	in.Health[0].FetchedAt, in.Health[2].FetchedAt = old, old
	in.Health = append(in.Health, section(t, "named", []HealthIssue{{Code: "GIFT_SOLD_OUT", Message: "none left"}}, reporttest.Noon))
	h := shown(t, in, reporttest.ThreeDays).Health
	// The campaigns that arrived now include an active one, so that issue is solved.
	reporttest.Equal(t, "issues", h.Issues, []HealthIssue{
		{Code: "GIFT_SOLD_OUT", Message: "none left", SeenAt: reporttest.Noon},
		{Code: "APP_EMBED_DISABLED", Message: "off", Fix: fix(locale.English, "APP_EMBED_DISABLED"), SeenAt: old},
	})
	reporttest.Equal(t, "all clear", h.AllClear(), false)
	reporttest.Equal(t, "sections", len(h.Sections), 4)
}

func TestEveryDocumentedIssueSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"APP_EMBED_DISABLED", "THEME_NOT_OS2", "NO_CAMPAIGN", "NO_ACTIVE_CAMPAIGN"} {
		h := shown(t, healthy(t, nil, HealthIssue{Code: code}), reporttest.ThreeDays).Health
		if h.Issues[0].Fix == "" {
			t.Errorf("%s has no advice", code)
		}
	}
	unknown := HealthIssue{Code: "SOMETHING_NEW", Message: "Look here", SeenAt: reporttest.Noon}
	reporttest.Equal(t, "an unknown issue is kept", shown(t, healthy(t, nil, unknown), reporttest.ThreeDays).Health.Issues, []HealthIssue{unknown})
}

func TestACappedCampaignListIsFlagged_N51(t *testing.T) {
	t.Parallel()
	for _, capped := range []bool{false, true} {
		in := reporttest.Three()
		in.CampaignList = &report.StoredCampaignList{Total: 100, Capped: capped, FetchedAt: reporttest.Noon}
		c := shown(t, in, reporttest.ThreeDays).Campaigns
		reporttest.Equal(t, "capped", c.Capped, capped)
		reporttest.Equal(t, "cut", c.Provenance.Has(report.FlagCut), capped)
	}
}

func TestACampaignThatVanishedIsKeptWithItsLastSight_N52(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	seen := reporttest.Noon.Add(-48 * time.Hour)
	in.CampaignList = &report.StoredCampaignList{Total: 1, FetchedAt: reporttest.Noon}
	in.Campaigns = []report.Campaign{{ID: "1", Name: "Here"}, {ID: "2", Name: "Gone", LastListed: &seen}}
	c := shown(t, in, reporttest.ThreeDays).Campaigns
	reporttest.Equal(t, "campaigns", len(c.Campaigns), 2)
	reporttest.Equal(t, "last listed", c.Campaigns[1].LastListed, &seen)
	reporttest.Equal(t, "the service's count", c.Total, int64(1))
}

func TestAPlanWithoutALimitHasNoBarToDivideBy_N55(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body      PlanBody
		campaigns *int64
	}{
		"unlimited": {PlanBody{Name: "pro", CampaignsUsed: reporttest.N64(7), CampaignsUnlimited: true, RevenueUsed: reporttest.Dec("500"), RevenueUnlimited: true}, nil},
		"limited":   {PlanBody{Name: "starter", CampaignsUsed: reporttest.N64(7), CampaignsLimit: reporttest.N64(5), CampaignsExceeded: true, RevenueUsed: reporttest.Dec("500"), RevenueLimit: reporttest.Dec("1000"), RevenueResetAt: "2026-12-01T05:00:00Z"}, reporttest.N64(5)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := reporttest.Three()
			raw, err := json.Marshal(c.body)
			if err != nil {
				t.Fatal(err)
			}
			in.Plan = &report.StoredJSON{Body: raw, FetchedAt: reporttest.Noon}
			p := shown(t, in, reporttest.ThreeDays).Plan
			reporttest.Equal(t, "campaigns used", p.CampaignsUsed, reporttest.N64(7))
			reporttest.Equal(t, "campaign limit", p.CampaignsLimit, c.campaigns)
			reporttest.Equal(t, "unlimited", p.CampaignsUnlimited, c.body.CampaignsUnlimited)
			reporttest.Equal(t, "revenue limit", p.RevenueLimit, c.body.RevenueLimit)
			reporttest.Equal(t, "used until", p.RevenueResetAt, c.body.RevenueResetAt)
			reporttest.Equal(t, "window", p.Provenance.Window, (*report.Window)(nil))
			reporttest.Equal(t, "age", p.Provenance.FetchedAt, reporttest.Noon)
		})
	}
}

func TestAPlanThatCantBeReadIsNotShownAsEmptyNumbers(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Plan = &report.StoredJSON{Body: []byte("[]"), FetchedAt: reporttest.Noon}
	p := shown(t, in, reporttest.ThreeDays).Plan
	if p.Empty == nil || p.Empty.Cause != report.CauseFailed || p.CampaignsUsed != nil {
		t.Errorf("%+v", p)
	}
}

func TestGiftPanelsSayWhyTheyAreEmpty_N15(t *testing.T) {
	t.Parallel()
	alone := reporttest.Three()
	alone.Credentials = alone.Credentials[:1] // no gift service
	for name, c := range map[string]struct {
		in    report.Stored
		cause report.Cause
	}{"not connected": {alone, report.CauseNeverConnected}, "on its way": {reporttest.Three(), report.CauseFilling}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := shown(t, c.in, reporttest.ThreeDays)
			for panel, e := range map[string]*report.Empty{"analytics": o.Gift.Empty, "health": o.Health.Empty, "plan": o.Plan.Empty, "campaigns": o.Campaigns.Empty} {
				if e == nil || e.Cause != c.cause {
					t.Errorf("%s: %+v, want %s", panel, e, c.cause)
				}
			}
		})
	}
}

func TestATimeOfThePlanIsADayOnTheStoresClock_N26(t *testing.T) {
	t.Parallel()
	in := reporttest.Three()
	in.Store.Timezone = "Europe/Berlin"
	for sent, want := range map[string]*civil.Date{
		"2026-11-30T23:00:00.000Z": {Year: 2026, Month: 12, Day: 1},
		"2026-11-30T22:59:59Z":     {Year: 2026, Month: 11, Day: 30},
		"2026-12-01T00:00:00":      {Year: 2026, Month: 12, Day: 1},
		"2026-12-01":               {Year: 2026, Month: 12, Day: 1},
		"soon":                     nil,
		"":                         nil,
	} {
		raw, err := json.Marshal(PlanBody{RevenueResetAt: sent, TrialEndsAt: sent})
		if err != nil {
			t.Fatal(err)
		}
		in.Plan = &report.StoredJSON{Body: raw, FetchedAt: reporttest.Noon}
		p := shown(t, in, reporttest.ThreeDays).Plan
		reporttest.Equal(t, "reset "+sent, p.RevenueResetOn, want)
		reporttest.Equal(t, "trial "+sent, p.TrialEndsOn, want)
	}
}

func TestChecksAreGoodOnlyByAnAnswerThatSaidSo_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "NEW_CODE", Message: "Look"})
	in.Health[0].FetchedAt = reporttest.Noon.Add(-9 * time.Hour)
	in.Health = append(in.Health[:1:1], in.Health[2:]...) // the campaigns never arrived
	h := shown(t, in, reporttest.ThreeDays).Health
	reporttest.Equal(t, "all clear", h.AllClear(), false)
	states := map[string]HealthCheck{}
	for _, c := range h.Checks(locale.English) {
		states[c.Code] = c
	}
	reporttest.Equal(t, "embed", states["APP_EMBED_DISABLED"].State, CheckGood)
	reporttest.Equal(t, "kept from before", states["APP_EMBED_DISABLED"].Kept, true)
	reporttest.Equal(t, "campaigns", states["NO_CAMPAIGN"].State, CheckUnknown)
	reporttest.Equal(t, "unknown code", states["NEW_CODE"].Message, "Look")
}
