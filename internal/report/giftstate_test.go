package report

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/golang-sql/civil"
	"github.com/storeglass/storeglass/internal/locale"
)

func section(t *testing.T, name string, body any, at time.Time) StoredHealth {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return StoredHealth{Section: name, Body: raw, FetchedAt: at}
}

func healthy(t *testing.T, errors []string, issues ...HealthIssue) Stored {
	in := three()
	if issues == nil {
		issues = []HealthIssue{}
	}
	in.Health = []StoredHealth{
		section(t, "theme", ThemeBody{Name: "Dawn", OS2: ptr(true), EmbedEnabled: ptr(true)}, noon),
		section(t, "campaigns", CampaignsBody{Total: n64(3), Active: n64(1), Scheduled: n64(1), Expired: n64(1)}, noon),
		section(t, "issues", issues, noon),
		section(t, "errors", errors, noon),
	}
	return in
}

func TestAllClearIsSaidOnlyOfAWholeAnswerWithoutIssues_N50(t *testing.T) {
	t.Parallel()
	unreadable := healthy(t, nil)
	unreadable.Health[2].Body = []byte("{")
	for name, c := range map[string]struct {
		in         Stored
		clear      bool
		incomplete bool
	}{
		"whole and without issues":  {healthy(t, []string{}), true, false},
		"an issue":                  {healthy(t, nil, HealthIssue{Code: "NO_CAMPAIGN"}), false, false},
		"an error":                  {healthy(t, []string{"theme: out of reach"}), false, true},
		"a section can't be read":   {unreadable, false, true},
		"never answered":            {three(), false, false},
		"nothing but errors stored": {Stored{Store: acme, Health: []StoredHealth{section(t, "errors", []string{"x"}, noon)}}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := overview(t, c.in, threeDays).Health
			equal(t, "all clear", h.AllClear(), c.clear)
			equal(t, "incomplete", h.Provenance.Has(FlagIncomplete), c.incomplete)
		})
	}
}

func TestASectionThatIsMissingKeepsItsLastGoodState_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "APP_EMBED_DISABLED", Message: "off"})
	old := noon.Add(-9 * time.Hour)
	in.Health[0].FetchedAt, in.Health[2].FetchedAt = old, old
	h := overview(t, in, threeDays).Health
	equal(t, "theme", h.ThemeName, "Dawn")
	equal(t, "embed", h.EmbedEnabled, ptr(true))
	equal(t, "errors", h.Errors, []string{"theme: out of reach"})
	equal(t, "issues", h.Issues, []HealthIssue{{Code: "APP_EMBED_DISABLED", Message: "off", Fix: fix(locale.English, "APP_EMBED_DISABLED"), SeenAt: old}})
	equal(t, "as old as its oldest section", h.Provenance.FetchedAt, old)
	equal(t, "newest", h.Provenance.FetchedLast, noon)
	equal(t, "replies behind it", h.Provenance.Replies, 2)
	equal(t, "replies behind a whole one", overview(t, healthy(t, nil), threeDays).Health.Provenance.Replies, 1)
}

func TestAnIncompleteAnswersIssuesAreShown_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "APP_EMBED_DISABLED", Message: "off"}, HealthIssue{Code: "NO_ACTIVE_CAMPAIGN"})
	old := noon.Add(-9 * time.Hour)
	in.Health[0].FetchedAt, in.Health[2].FetchedAt = old, old
	in.Health = append(in.Health, section(t, "named", []HealthIssue{{Code: "GIFT_SOLD_OUT", Message: "none left"}}, noon))
	h := overview(t, in, threeDays).Health
	// The campaigns that arrived now include an active one, so that issue is solved.
	equal(t, "issues", h.Issues, []HealthIssue{
		{Code: "GIFT_SOLD_OUT", Message: "none left", SeenAt: noon},
		{Code: "APP_EMBED_DISABLED", Message: "off", Fix: fix(locale.English, "APP_EMBED_DISABLED"), SeenAt: old},
	})
	equal(t, "all clear", h.AllClear(), false)
	equal(t, "sections", len(h.Sections), 4)
}

func TestEveryDocumentedIssueSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"APP_EMBED_DISABLED", "THEME_NOT_OS2", "NO_CAMPAIGN", "NO_ACTIVE_CAMPAIGN"} {
		h := overview(t, healthy(t, nil, HealthIssue{Code: code}), threeDays).Health
		if h.Issues[0].Fix == "" {
			t.Errorf("%s has no advice", code)
		}
	}
	unknown := HealthIssue{Code: "SOMETHING_NEW", Message: "Look here", SeenAt: noon}
	equal(t, "an unknown issue is kept", overview(t, healthy(t, nil, unknown), threeDays).Health.Issues, []HealthIssue{unknown})
}

func TestACappedCampaignListIsFlagged_N51(t *testing.T) {
	t.Parallel()
	for _, capped := range []bool{false, true} {
		in := three()
		in.CampaignList = &StoredCampaignList{Total: 100, Capped: capped, FetchedAt: noon}
		c := overview(t, in, threeDays).Campaigns
		equal(t, "capped", c.Capped, capped)
		equal(t, "cut", c.Provenance.Has(FlagCut), capped)
	}
}

func TestACampaignThatVanishedIsKeptWithItsLastSight_N52(t *testing.T) {
	t.Parallel()
	in := three()
	seen := noon.Add(-48 * time.Hour)
	in.CampaignList = &StoredCampaignList{Total: 1, FetchedAt: noon}
	in.Campaigns = []Campaign{{ID: "1", Name: "Here"}, {ID: "2", Name: "Gone", LastListed: &seen}}
	c := overview(t, in, threeDays).Campaigns
	equal(t, "campaigns", len(c.Campaigns), 2)
	equal(t, "last listed", c.Campaigns[1].LastListed, &seen)
	equal(t, "the service's count", c.Total, int64(1))
}

func TestAPlanWithoutALimitHasNoBarToDivideBy_N55(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body      PlanBody
		campaigns *int64
	}{
		"unlimited": {PlanBody{Plan: "pro", CampaignsUsed: n64(7), CampaignsUnlimited: true, RevenueUsed: dec("500"), RevenueUnlimited: true}, nil},
		"limited":   {PlanBody{Plan: "starter", CampaignsUsed: n64(7), CampaignsLimit: n64(5), CampaignsExceeded: true, RevenueUsed: dec("500"), RevenueLimit: dec("1000"), RevenueResetAt: "2026-12-01T05:00:00Z"}, n64(5)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := three()
			raw, err := json.Marshal(c.body)
			if err != nil {
				t.Fatal(err)
			}
			in.Plan = &StoredJSON{Body: raw, FetchedAt: noon}
			p := overview(t, in, threeDays).Plan
			equal(t, "campaigns used", p.CampaignsUsed, n64(7))
			equal(t, "campaign limit", p.CampaignsLimit, c.campaigns)
			equal(t, "unlimited", p.CampaignsUnlimited, c.body.CampaignsUnlimited)
			equal(t, "revenue limit", p.RevenueLimit, c.body.RevenueLimit)
			equal(t, "used until", p.RevenueResetAt, c.body.RevenueResetAt)
			equal(t, "window", p.Provenance.Window, (*Window)(nil))
			equal(t, "age", p.Provenance.FetchedAt, noon)
		})
	}
}

func TestAPlanThatCantBeReadIsNotShownAsEmptyNumbers(t *testing.T) {
	t.Parallel()
	in := three()
	in.Plan = &StoredJSON{Body: []byte("[]"), FetchedAt: noon}
	p := overview(t, in, threeDays).Plan
	if p.Empty == nil || p.Empty.Cause != CauseFailed || p.CampaignsUsed != nil {
		t.Errorf("%+v", p)
	}
}

func TestGiftPanelsSayWhyTheyAreEmpty_N15(t *testing.T) {
	t.Parallel()
	alone := three()
	alone.Credentials = alone.Credentials[:1] // no gift service
	for name, c := range map[string]struct {
		in    Stored
		cause Cause
	}{"not connected": {alone, CauseNeverConnected}, "on its way": {three(), CauseFilling}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := overview(t, c.in, threeDays)
			for panel, e := range map[string]*Empty{"analytics": o.Gift.Empty, "health": o.Health.Empty, "plan": o.Plan.Empty, "campaigns": o.Campaigns.Empty} {
				if e == nil || e.Cause != c.cause {
					t.Errorf("%s: %+v, want %s", panel, e, c.cause)
				}
			}
		})
	}
}

func TestATimeOfThePlanIsADayOnTheStoresClock_N26(t *testing.T) {
	t.Parallel()
	in := three()
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
		in.Plan = &StoredJSON{Body: raw, FetchedAt: noon}
		p := overview(t, in, threeDays).Plan
		equal(t, "reset "+sent, p.RevenueResetOn, want)
		equal(t, "trial "+sent, p.TrialEndsOn, want)
	}
}

func TestChecksAreGoodOnlyByAnAnswerThatSaidSo_N50(t *testing.T) {
	t.Parallel()
	in := healthy(t, []string{"theme: out of reach"}, HealthIssue{Code: "NEW_CODE", Message: "Look"})
	in.Health[0].FetchedAt = noon.Add(-9 * time.Hour)
	in.Health = append(in.Health[:1:1], in.Health[2:]...) // the campaigns never arrived
	h := overview(t, in, threeDays).Health
	equal(t, "all clear", h.AllClear(), false)
	states := map[string]HealthCheck{}
	for _, c := range h.Checks(locale.English) {
		states[c.Code] = c
	}
	equal(t, "embed", states["APP_EMBED_DISABLED"].State, CheckGood)
	equal(t, "kept from before", states["APP_EMBED_DISABLED"].Kept, true)
	equal(t, "campaigns", states["NO_CAMPAIGN"].State, CheckUnknown)
	equal(t, "unknown code", states["NEW_CODE"].Message, "Look")
}
