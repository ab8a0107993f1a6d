package gift_test

import (
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

const plan = `{"domain":"acme.example","plan":{"plan":"Growth","shopifyPlan":"basic","isPaid":true,"trialEndsAt":"2026-12-01T00:00:00"},
	"campaigns":{"activeOrScheduled":3,"limit":5,"unlimited":false,"exceeded":false},
	"revenue":{"used":812.40,"limit":1000,"unlimited":false,"resetAt":"2026-12-01"},"issues":[]}`

func TestPlanIsReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(plan))
	got, err := s.Plan(t.Context())
	must.NoError(t, err)
	must.Equal(t, upstream.Text("Growth"), got.Data.Plan.Plan)
	must.Equal(t, upstream.Text("basic"), got.Data.Plan.ShopifyPlan)
	must.True(t, got.Data.Plan.IsPaid)
	must.Equal(t, upstream.Text("2026-12-01T00:00:00"), got.Data.Plan.TrialEndsAt)
	must.Equal(t, int64(5), *got.Data.Campaigns.Limit)
	must.Equal(t, "812.4", got.Data.Revenue.Used.String())
	must.Equal(t, upstream.Text("2026-12-01"), got.Data.Revenue.ResetAt)
	must.Equal(t, 0, len(s.sent(t, "/plan")))
}

func TestN55_NoLimitIsNullBesideUnlimited(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"plan":{"isPaid":false,"trialEndsAt":null},
		"campaigns":{"activeOrScheduled":300,"limit":null,"unlimited":true,"exceeded":false},
		"revenue":{"used":0,"limit":null,"unlimited":true,"resetAt":null}}`)).Plan(t.Context())
	must.NoError(t, err)
	must.True(t, got.Data.Campaigns.Limit == nil && got.Data.Campaigns.Unlimited)
	must.True(t, got.Data.Revenue.Limit == nil && got.Data.Revenue.Unlimited && got.Data.Revenue.ResetAt == "")
	must.Equal(t, upstream.Text(""), got.Data.Plan.TrialEndsAt)
}

func TestAPlanIsReadWhateverTheTypesOfItsAmountsAndTimes(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"plan":{"plan":3,"shopifyPlan":null,"isPaid":true,"trialEndsAt":1796083200},
		"campaigns":{"activeOrScheduled":"3","limit":"5","unlimited":false,"exceeded":false},
		"revenue":{"used":"19.99","limit":"1000.00","unlimited":false,"resetAt":1796083200000}}`)).Plan(t.Context())
	must.NoError(t, err)
	must.Equal(t, "19.99", got.Data.Revenue.Used.String())
	must.Equal(t, "1000", got.Data.Revenue.Limit.String())
	must.Equal(t, int64(5), *got.Data.Campaigns.Limit)
	must.Equal(t, upstream.Text("1796083200"), got.Data.Plan.TrialEndsAt)
	must.Equal(t, upstream.Text("1796083200000"), got.Data.Revenue.ResetAt)
}

func TestIssuesOfAnyShapeAreKept(t *testing.T) {
	t.Parallel()
	got, err := open(t, replaced(plan, `"issues":[]`, `"issues":["limit near",{"code":"X","message":"y"},{"a":1},7]`)).Plan(t.Context())
	must.NoError(t, err)
	var said []string
	for _, notice := range got.Data.Issues {
		said = append(said, notice.Code+"|"+notice.Message)
	}
	must.Equal(t, []string{`|limit near`, `X|y`, `|{"a":1}`, `|7`}, said)
}

func TestPlanWithoutARequiredFieldIsQuarantined(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"isPaid", "activeOrScheduled", "unlimited", "exceeded", "used", "revenue", "campaigns"} {
		_, err := open(t, replaced(plan, `"`+key+`":`, `"x":`)).Plan(t.Context())
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind, key)
	}
}

const health = `{"domain":"acme.example","theme":{"liveThemeId":123456789012,"liveThemeName":"Dawn","isSupportThemeOS":true,"embedEnabled":false,"themes":[{"id":1}]},
	"campaigns":{"total":4,"active":1,"scheduled":1,"expired":2,"activeCampaigns":[{"id":"c1"}]},
	"issues":[{"code":"APP_EMBED_DISABLED","message":"Switch it on"}],"errors":[]}`

func TestSetupHealthIsReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(health))
	got, err := s.SetupHealth(t.Context())
	must.NoError(t, err)
	must.Equal(t, "Dawn", got.Data.Theme.LiveThemeName)
	must.True(t, *got.Data.Theme.IsSupportThemeOS && !*got.Data.Theme.EmbedEnabled)
	must.Equal(t, int64(4), got.Data.Campaigns.Total)
	must.Equal(t, []gift.Issue{{Code: "APP_EMBED_DISABLED", Message: "Switch it on"}}, got.Data.Issues)
	must.True(t, got.Data.Complete() && len(got.Flags) == 0)
	must.Equal(t, 0, len(s.sent(t, "/setup-health")))
}

func TestN50_HealthWithErrorsIsIncomplete(t *testing.T) {
	t.Parallel()
	cases := map[string]string{
		"section absent":  `{"campaigns":{"total":1,"active":1,"scheduled":0,"expired":0},"issues":[],"errors":["platform unreachable"]}`,
		"section null":    `{"theme":null,"campaigns":{"total":1,"active":1,"scheduled":0,"expired":0},"errors":[{"section":"theme","message":"unreachable"}]}`,
		"nothing at all":  `{"errors":[{"message":"unreachable"}]}`,
		"section hollow":  `{"theme":{"liveThemeId":null,"embedEnabled":null},"campaigns":{"total":1,"active":1,"scheduled":0,"expired":0},"issues":[],"errors":["x"]}`,
		"section present": strings.Replace(health, `"errors":[]`, `"errors":["x"]`, 1),
	}
	for name, body := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := open(t, upstreamtest.OK(body)).SetupHealth(t.Context())
			must.NoError(t, err)
			must.True(t, !got.Data.Complete() && got.Has(upstream.FlagPartial))
			must.True(t, got.Data.Errors[0].Message != "")
		})
	}
}

func TestN50_ASectionMissingWithoutAnErrorIsBroken(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"theme", "campaigns", "issues"} {
		_, err := open(t, replaced(health, `"`+key+`":`, `"x":`)).SetupHealth(t.Context())
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind, key)
	}
}

func TestCampaignsAreReadInFull(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"total":3,"campaigns":[
		{"id":"c_1","name":"Free socks","status":"active","type":"BUY_X","targetPage":"cart","startDate":"2026-11-01T00:00:00","endDate":null,"code":null},
		{"id":42,"name":"Old","status":"expired","type":2,"targetPage":["cart","product"],"startDate":null,"endDate":1767222000,"code":"SOCKS"},
		{"id":"c_3","status":"paused"},{"id":"c_4","name":null,"status":"active"}]}`))
	got, err := s.Campaigns(t.Context(), nil)
	must.NoError(t, err)
	must.Equal(t, int64(3), got.Data.Total)
	rows := got.Data.Campaigns
	must.Equal(t, upstream.Text("2026-11-01T00:00:00"), rows[0].StartDate)
	must.True(t, rows[0].EndDate == "" && rows[0].Code == "")
	must.Equal(t, upstream.Text("1767222000"), rows[1].EndDate) // a time of another type doesn't hide the list
	must.Equal(t, upstream.ID("42"), rows[1].ID)
	must.Equal(t, upstream.Text(`["cart","product"]`), rows[1].TargetPage)
	must.Equal(t, gift.Status("paused"), rows[2].Status)
	must.True(t, rows[2].Name == "" && rows[0].Name == "Free socks")
	must.True(t, !rows[2].Status.Known() && rows[0].Status.Known())
	must.Equal(t, 0, len(s.sent(t, "/campaigns")))
	must.Equal(t, 0, len(got.Flags))
}

func TestN53_OnlyTheDocumentedStatusesAreSent(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(`{"total":0,"campaigns":[]}`))
	for _, status := range []gift.Status{gift.Active, gift.Scheduled, gift.Expired} {
		_, err := s.Campaigns(t.Context(), &status)
		must.NoError(t, err)
		must.Equal(t, string(status), s.sent(t, "/campaigns").Get("status"))
	}
	for _, status := range []gift.Status{"deleted", "", "ACTIVE"} {
		_, err := s.Campaigns(t.Context(), &status)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
	}
	must.Equal(t, 3, len(s.Requests()))
}

func TestN51_AListAtItsCapIsFlagged(t *testing.T) {
	t.Parallel()
	rows := func(n int) upstreamtest.Reply {
		row := `{"id":"c","name":"n","status":"active"}`
		return upstreamtest.OK(`{"total":100,"campaigns":[` + strings.TrimSuffix(strings.Repeat(row+",", n), ",") + `]}`)
	}
	for n, capped := range map[int]bool{99: false, 100: true} {
		got, err := open(t, rows(n)).Campaigns(t.Context(), nil)
		must.NoError(t, err)
		must.Equal(t, capped, got.Data.Capped())
		must.Equal(t, capped, got.Has(upstream.FlagCut))
	}
}
