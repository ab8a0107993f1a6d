package sandbox

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// create previews and creates a campaign and returns its id.
func create(w *served, slug, body string) string {
	w.t.Helper()
	token := tokenOf(w.t, w.write(slug, "POST", "/campaigns/preview", body))
	a := w.write(slug, "POST", "/campaigns", confirm(body, token))
	got := data[gotDetail](w.t, a)
	if got.ID != "" {
		return got.ID
	}
	return got.Campaign.ID
}

func revise(w *served, slug, id, body string) {
	w.t.Helper()
	token := tokenOf(w.t, w.write(slug, "POST", "/campaigns/"+id+"/edit-preview", body))
	same(w.t, http.StatusOK, w.write(slug, "PATCH", "/campaigns/"+id, confirm(body, token)).status)
}

func remove(w *served, slug, id string) {
	w.t.Helper()
	token := tokenOf(w.t, w.write(slug, "POST", "/campaigns/"+id+"/deletion-preview", "{}"))
	same(w.t, http.StatusOK, w.write(slug, "POST", "/campaigns/"+id+"/delete", confirm("{}", token)).status)
}

// agree checks that list, detail, setup health and plan say the same about a store's campaigns.
func agree(w *served, slug string) (total int) {
	w.t.Helper()
	counts := map[string]int{}
	list := data[gotCampaigns](w.t, w.gift(slug, "/campaigns"))
	for _, row := range list.Campaigns {
		counts[row.Status]++
		same(w.t, row.Status, full(w.t, w.gift(slug, "/campaigns/"+row.ID)).Status)
	}
	for _, status := range []string{"active", "scheduled", "expired"} {
		same(w.t, counts[status], data[gotCampaigns](w.t, w.gift(slug, "/campaigns?status="+status)).Total, status)
	}
	health := data[gotHealth](w.t, w.gift(slug, "/setup-health")).Campaigns
	same(w.t, []int{list.Total, counts["active"], counts["scheduled"], counts["expired"]}, []int{health.Total, health.Active, health.Scheduled, health.Expired})
	same(w.t, health.Active+health.Scheduled, data[gotPlan](w.t, w.gift(slug, "/plan")).Campaigns.ActiveOrScheduled)
	return list.Total
}

func TestWhatIsWrittenIsInEveryAnswerFromThenOn(t *testing.T) {
	t.Parallel()
	for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
		w := newWorld(t, Config{})
		before := agree(w, slug)
		id := create(w, slug, newCampaign(w.shopOf(slug), "Made here", "CODE"))
		same(t, before+1, agree(w, slug))
		got := full(t, w.gift(slug, "/campaigns/"+id))
		same(t, []string{"Made here", "scheduled", "CODE"}, []string{got.Name, got.Status, *got.Code})
		hold(t, strings.Contains(string(got.TriggerConditions), "75.5"), string(got.TriggerConditions))
		hold(t, strings.Contains(w.gift(slug, "/translations").body, "Made here"))

		revise(w, slug, id, `{"name":"Edited","triggerConditions":{"minimumOrderValue":80},"schedule":{"endDate":"2026-11-26"}}`)
		got = full(t, w.gift(slug, "/campaigns/"+id))
		same(t, "Edited", got.Name)
		hold(t, strings.HasPrefix(got.StartDate, "2026-11-25") && strings.HasPrefix(*got.EndDate, "2026-11-26"), "a field that is not named stays")
		hold(t, strings.Contains(string(got.TriggerConditions), "80"), string(got.TriggerConditions))

		w.clock.forward(5 * 24 * time.Hour)
		same(t, "active", full(t, w.gift(slug, "/campaigns/"+id)).Status)
		for _, c := range []struct{ enabled, status string }{{"false", "expired"}, {"false", "expired"}, {"true", "active"}} {
			same(t, http.StatusOK, w.write(slug, "PUT", "/campaigns/"+id+"/status", `{"enabled":`+c.enabled+`}`).status)
			same(t, c.status, full(t, w.gift(slug, "/campaigns/"+id)).Status)
			agree(w, slug)
		}
		w.clock.forward(5 * 24 * time.Hour)
		same(t, "expired", full(t, w.gift(slug, "/campaigns/"+id)).Status)
		requireGiftError(t, w.write(slug, "PUT", "/campaigns/"+id+"/status", `{"enabled":true}`), http.StatusBadRequest, codeInvalidInput)

		remove(w, slug, id)
		hold(t, !found(t, w.gift(slug, "/campaigns/"+id)))
		hold(t, !strings.Contains(w.gift(slug, "/campaigns?status=deleted").body, id), "not even among the deleted")
		agree(w, slug)
	}
}

func TestAPlannedCampaignCanBeWrittenToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range []string{"fernhollow", "lumen", "kumo"} {
		for _, row := range data[gotCampaigns](t, w.gift(slug, "/campaigns")).Campaigns {
			revise(w, slug, row.ID, `{"name":"`+row.Name+`!"}`)
			got := full(t, w.gift(slug, "/campaigns/"+row.ID))
			same(t, []string{row.Name + "!", row.Status, row.StartDate}, []string{got.Name, got.Status, got.StartDate})
		}
		id := data[gotCampaigns](t, w.gift(slug, "/campaigns")).Campaigns[0].ID
		before := agree(w, slug)
		remove(w, slug, id)
		same(t, before-1, agree(w, slug))
	}
}

// A write affects shoppers from the next minute on, and past days don't change.
func TestAWriteChangesWhatShoppersDoFromTheNextMinuteOn(t *testing.T) {
	t.Parallel()
	w, still := newWorld(t, Config{}), newWorld(t, Config{})
	today := func(w *served, back int) decimal.Decimal {
		all := data[gotAnalytics](t, w.gift("kumo", fmt.Sprintf("/analytics?days=%d&includeToday", back)))
		over := decimal.Zero
		if back > 0 {
			over = *data[gotAnalytics](t, w.gift("kumo", fmt.Sprintf("/analytics?days=%d", back))).Metrics["orders"].Value
		}
		return all.Metrics["orders"].Value.Sub(over)
	}
	w.clock.forward(3 * time.Hour) // 08:00 on Saturday in Tokyo
	still.clock.forward(3 * time.Hour)
	morning := today(w, 1)
	for _, row := range data[gotCampaigns](t, w.gift("kumo", "/campaigns?status=active")).Campaigns {
		w.write("kumo", "PUT", "/campaigns/"+row.ID+"/status", `{"enabled":false}`)
	}
	equalMoney(t, morning, today(w, 1), "what was given stays given")
	w.clock.forward(6 * time.Hour)
	still.clock.forward(6 * time.Hour)
	equalMoney(t, morning, today(w, 1), "and nothing more is")
	hold(t, today(still, 1).GreaterThan(morning), "although there was more to give")
	gone := data[gotAnalytics](t, w.gift("kumo", "/analytics?days=90")).Metrics["revenue"]
	equalMoney(t, *data[gotAnalytics](t, still.gift("kumo", "/analytics?days=90")).Metrics["revenue"].Value, *gone.Value, "days that are over")

	id := create(w, "kumo", strings.Replace(newCampaign(w.shopOf("kumo"), "Tea for all", ""), `"startDate":"2026-11-25"`, `"startDate":"2026-11-21"`, 1))
	same(t, "active", full(t, w.gift("kumo", "/campaigns/"+id)).Status)
	w.clock.forward(5 * time.Hour)
	hold(t, today(w, 1).GreaterThan(morning), "a new campaign gives")
	w.clock.forward(24 * time.Hour)
	day := data[gotAnalytics](t, w.gift("kumo", "/analytics?days=1"))
	same(t, "2026-11-21", day.Period.Start)
	hold(t, day.Metrics["orders"].Value.GreaterThan(morning))
	fresh := countOrders(w.shopOf("kumo"), w.shopOf("kumo").Date(w.shopOf("kumo").DayNumber("2026-11-21")), w.shopOf("kumo").Date(w.shopOf("kumo").DayNumber("2026-11-21")))
	same(t, fresh.gifts, day.Metrics["orders"].Value.IntPart(), "the day counts the same order by order")
}

func TestCampaignsBeyondThePlanAreCounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	limit := *data[gotPlan](t, w.gift("kumo", "/plan")).Campaigns.Limit
	for i := range limit + 1 {
		create(w, "kumo", newCampaign(w.shopOf("kumo"), fmt.Sprint("More ", i), ""))
	}
	plan := data[gotPlan](t, w.gift("kumo", "/plan"))
	hold(t, plan.Campaigns.Exceeded && plan.Campaigns.ActiveOrScheduled > limit)
	hold(t, strings.Contains(w.gift("kumo", "/plan").body, "CAMPAIGN_LIMIT_EXCEEDED"))
}

func TestWritesOfWhatTheStoreDoesNotHaveAreNotFound_N54(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	foreign := data[gotCampaigns](t, w.gift("lumen", "/campaigns")).Campaigns[0].ID
	for _, id := range []string{"nothing", foreign} {
		hold(t, !found(t, w.write("fernhollow", "POST", "/campaigns/"+id+"/edit-preview", "{}")))
		hold(t, !found(t, w.write("fernhollow", "POST", "/campaigns/"+id+"/deletion-preview", "{}")))
		hold(t, !found(t, w.write("fernhollow", "PUT", "/campaigns/"+id+"/status", `{"enabled":false}`)))
	}
	hold(t, !found(t, w.write("fernhollow", "PATCH", "/widgets/nothing", "{}")))
	same(t, "active", data[gotCampaigns](t, w.gift("lumen", "/campaigns?status=active")).Campaigns[0].Status)
}

func TestAllowlistedSettingsOfAWidgetTypeCanBeEdited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	for _, slug := range []string{"fernhollow", "lumen", "wattle"} {
		hold(t, !found(t, w.gift(slug, "/widgets/progress_bar")))
		edited := w.write(slug, "PATCH", "/widgets/progress_bar", `{"title":"Almost there","devices":"mobile"}`)
		same(t, edited.body, w.gift(slug, "/widgets/progress_bar").body)
		hold(t, found(t, edited) && strings.Contains(edited.body, `"title":"Almost there","devices":"mobile"`), edited.body)
		w.write(slug, "PATCH", "/widgets/progress_bar", `{"position":"inline"}`)
		hold(t, strings.Contains(w.gift(slug, "/widgets/progress_bar").body, "Almost there"), "what is not named stays")
	}
	for name, body := range map[string]string{"css": `{"css":"*{}"}`, "position": `{"position":"top"}`, "devices": `{"devices":"fridge"}`, "title": `{"title":7}`} {
		a := w.write("fernhollow", "PATCH", "/widgets/progress_bar", body)
		requireGiftError(t, a, http.StatusBadRequest, codeInvalidInput)
		hold(t, strings.Contains(a.body, name+":"), a.body)
	}
	requireGiftError(t, w.write("kumo", "PATCH", "/widgets/countdown", `{"title":"Soon"}`), http.StatusBadRequest, codeInvalidInput)
}

func TestWhatIsNoObjectOrNoCampaignIsRefusedByName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, Config{})
	sh := w.shopOf("fernhollow")
	whole := newCampaign(sh, "New", "")
	id := data[gotCampaigns](t, w.gift("fernhollow", "/campaigns")).Campaigns[0].ID
	refused := func(a answer, names string) {
		t.Helper()
		requireGiftError(t, a, http.StatusBadRequest, codeInvalidInput)
		hold(t, strings.Contains(a.body, `"message":"`+names+`: `), names, a.body)
	}
	for _, e := range giftEndpoints {
		if e.Method == http.MethodGet {
			continue
		}
		path := strings.NewReplacer("{id}", id, "{type}", "gift_popup").Replace(e.Path)
		for _, body := range []string{"", "null", "[]", "7", `"a"`, "{", "{}{}"} {
			refused(w.write("fernhollow", e.Method, path, body), "body")
		}
		if field := `{"nobody":1}`; strings.Contains(e.Path, "preview") || e.Method == "PUT" || strings.HasPrefix(e.Path, "/widgets") {
			refused(w.write("fernhollow", e.Method, path, field), "nobody")
		}
	}
	for old, c := range map[string]struct{ now, names string }{
		`"name":"New"`:             {`"name":" "`, "name"},
		`"type":"order_value"`:     {`"type":"other"`, "type"},
		`"targetPage":"cart"`:      {`"targetPage":7`, "targetPage"},
		`75.50`:                    {`0`, "triggerConditions.minimumOrderValue"},
		`{"minimumOrderValue"`:     {`{"more":{},"minimumOrderValue"`, "triggerConditions.more"},
		sh.Stock[0].Id:             {"gid://shop/Product/1", "giftProducts.products.0.productId"},
		`{"discountType"`:          {`{"usageLimit":-1,"discountType"`, "discountSettings.usageLimit"},
		`"discountValue":100`:      {`"discountValue":101`, "discountSettings.discountValue"},
		`2026-11-25`:               {"2026-11-19", "schedule.startDate"},
		`"startDate":"2026-11-25"`: {`"startDate":"2026-11-25","endDate":"2026-11-24"`, "schedule.endDate"},
	} {
		hold(t, strings.Contains(whole, old), old)
		refused(w.write("fernhollow", "POST", "/campaigns/preview", strings.Replace(whole, old, c.now, 1)), c.names)
	}
	refused(w.write("fernhollow", "PUT", "/campaigns/"+id+"/status", "{}"), "enabled")
	refused(w.write("fernhollow", "POST", "/campaigns/preview", confirm(whole, "gct_x")), "confirmationToken")
	blocked := w.write("fernhollow", "POST", "/campaigns/preview", strings.Replace(whole, sh.Stock[0].Id, sh.Stock[world.WayDraft].Id, 1))
	hold(t, strings.Contains(blocked.body, "draft") && tokenOf(t, blocked) != "", "what can't be given now is a warning")
}
