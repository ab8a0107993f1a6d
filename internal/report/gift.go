package report

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"
)

// Percentage is the only unit of a gift conversion rate that is documented.
const Percentage = "percentage"

// The bodies of the gift tables: what sync writes and an overview reads.
type (
	// PlanBody is gift_plans.body.
	PlanBody struct {
		Plan               string           `json:"plan"`
		ShopPlan           string           `json:"shop_plan"`
		Paid               *bool            `json:"is_paid"`
		TrialEndsAt        string           `json:"trial_ends_at"`
		CampaignsUsed      *int64           `json:"campaigns_used"`
		CampaignsLimit     *int64           `json:"campaigns_limit"`
		CampaignsUnlimited bool             `json:"campaigns_unlimited"`
		CampaignsExceeded  bool             `json:"campaigns_exceeded"`
		RevenueUsed        *decimal.Decimal `json:"revenue_used"`
		RevenueLimit       *decimal.Decimal `json:"revenue_limit"`
		RevenueUnlimited   bool             `json:"revenue_unlimited"`
		RevenueResetAt     string           `json:"revenue_reset_at"`
		Issues             []string         `json:"issues"`
	}
	// ThemeBody is the section "theme" of gift_health.
	ThemeBody struct {
		Name         string `json:"name"`
		OS2          *bool  `json:"os2"`
		EmbedEnabled *bool  `json:"embed_enabled"`
	}
	// CampaignsBody is the section "campaigns" of gift_health.
	CampaignsBody struct {
		Total     *int64 `json:"total"`
		Active    *int64 `json:"active"`
		Scheduled *int64 `json:"scheduled"`
		Expired   *int64 `json:"expired"`
	}
)

// gift is the gift service's answer for exactly the chosen window; where the
// service's days end elsewhere, the answer for as many days, under its own label.
func (b builder) gift() GiftAnalytics {
	w := b.choice.Window
	wantToday := w.End == b.choice.Today
	var best *StoredGift
	for i, g := range b.in.Gift {
		if g.IncludesToday != wantToday {
			continue
		}
		if g.Window == w {
			best = &b.in.Gift[i]
			break
		}
		if best == nil && g.AskedDays == w.Days() {
			best = &b.in.Gift[i]
		}
	}
	g := GiftAnalytics{Panel: Panel{Provenance: b.provenance(endpointGift, Reported)}}
	if best == nil {
		g.Provenance.Window = &w
		g.Provenance = b.asked(g.Provenance)
		g.Empty = b.giftNotKept()
		g.Panel = b.finish(g.Panel, "gift", "gift.window", "gift.today")
		return g
	}
	p := b.reported(endpointGift, best.Window, "", best.FetchedAt, best.IncludesToday)
	p.Pull, p.Subject = b.replyOfGift(best.Window)
	p.Timezone, p.TimezoneFrom = best.Timezone, "gift"
	for _, f := range best.Flags {
		p = p.With(f)
	}
	if best.Cached {
		p = p.With(FlagCached)
	}
	if best.Revised {
		p = p.With(FlagRevised)
	}
	if best.Window != w {
		p = p.With(FlagWindowDiffers)
	}
	g.Provenance = b.asked(p)
	g.Currency = best.Currency
	g.Orders, g.Revenue, g.ConversionRate, g.AOVByFG, g.AOVStore = best.Orders, best.Revenue, best.ConversionRate, best.AOVByFG, best.AOVStore
	if u := g.ConversionRate.Unit; u != Percentage && u != "percent" && u != "%" {
		g.ConversionRate.Withheld = true
	}
	g.Compared = !best.IncludesToday
	if !g.Compared {
		for _, m := range []*GiftMetric{&g.Orders, &g.Revenue, &g.ConversionRate, &g.AOVByFG, &g.AOVStore} {
			m.Previous, m.ChangePercent = nil, nil
		}
	}
	g.Panel = b.finish(g.Panel, "gift", "gift.window")
	return g
}

func (b builder) replyOfGift(w Window) (pull, subject string) {
	for _, l := range b.in.Ledger {
		if (l.Pull == "gift.window" || l.Pull == "gift.today") && l.Applied != nil && *l.Applied == w {
			return l.Pull, l.Subject
		}
	}
	return "", ""
}

func (b builder) giftNotKept() *Empty {
	known := false
	for _, l := range b.in.Ledger {
		known = known || l.Pull == "gift.window" && !l.LastGoodAt.IsZero()
	}
	if !known {
		return b.notPulled("gift", "gift.window", "The gift result")
	}
	return &Empty{
		Cause: CauseNotKept, Title: "No gift answer for this window",
		Text:   "The gift service answers for 1, 7, 30 and 90 days ending yesterday. Other windows need its daily history, which starts on the day the store was connected.",
		Action: "Show 30 days", Href: "?window=" + string(Last30),
	}
}

func (b builder) giftHistory() GiftHistory {
	w := b.choice.Window
	h := GiftHistory{Panel: Panel{Provenance: b.provenance(endpointGift, Reported)}, Days: make([]GiftDay, 0, w.Days())}
	h.Provenance.Window = &w
	h.Provenance = b.asked(h.Provenance)
	byDay := map[civil.Date]StoredGift{}
	for _, g := range b.in.GiftDays {
		byDay[g.Window.Start] = g
	}
	for d := range w.All() {
		g, ok := byDay[d]
		if !ok {
			h.Provenance.missed(d)
			h.Days = append(h.Days, GiftDay{Day: d})
			continue
		}
		h.Provenance.seen(g.FetchedAt, g.Revised)
		h.Days = append(h.Days, GiftDay{Day: d, Stored: true, Orders: g.Orders.Value, Revenue: g.Revenue.Value, Currency: g.Currency, FetchedAt: g.FetchedAt})
	}
	h.Panel = b.finish(h.Panel, "gift", "gift.window")
	return h
}

// fixes says what to do about each issue code that is documented.
var fixes = map[string]string{
	"APP_EMBED_DISABLED": "In the theme editor open App embeds, switch the gift widget on and save.",
	"THEME_NOT_OS2":      "The live theme does not support app blocks: publish a theme that does, or add the widget by hand as its guide says.",
	"NO_CAMPAIGN":        "Create the first campaign in the gift app.",
	"NO_ACTIVE_CAMPAIGN": "Switch a campaign on, or give one a start date that has come.",
}

func (b builder) health() SetupHealth {
	h := SetupHealth{Panel: Panel{Provenance: b.provenance(endpointSetupHealth, Reported)}, Issues: []HealthIssue{}, Errors: []string{}}
	if len(b.in.Health) == 0 {
		h.Empty = b.notPulled("gift", "gift.setup_health", "Setup health")
	}
	var unread []string
	replies := map[int64]bool{} // sections of one reply came together
	for _, s := range b.in.Health {
		switch {
		case h.Provenance.FetchedAt.IsZero():
			h.Provenance = b.current(endpointSetupHealth, "gift.setup_health", s.FetchedAt)
		case !replies[s.FetchedAt.UnixMicro()]:
			h.Provenance.seen(s.FetchedAt, false)
		}
		replies[s.FetchedAt.UnixMicro()] = true
		var err error
		switch s.Section {
		case "theme":
			var t ThemeBody
			err = json.Unmarshal(s.Body, &t)
			h.ThemeName, h.ThemeOS2, h.EmbedEnabled = t.Name, t.OS2, t.EmbedEnabled
		case "campaigns":
			var c CampaignsBody
			err = json.Unmarshal(s.Body, &c)
			h.Total, h.Active, h.Scheduled, h.Expired = c.Total, c.Active, c.Scheduled, c.Expired
		case "issues":
			err = json.Unmarshal(s.Body, &h.Issues)
		case "errors":
			err = json.Unmarshal(s.Body, &h.Errors)
		}
		if err != nil { // a body of ours that can't be read is told, not hidden
			unread = append(unread, fmt.Sprintf("the stored section %q can't be read", s.Section))
		}
	}
	h.Errors = append(h.Errors, unread...)
	for i := range h.Issues {
		h.Issues[i].Fix = fixes[h.Issues[i].Code]
	}
	if len(h.Errors) > 0 {
		h.Provenance = h.Provenance.With(FlagIncomplete)
	}
	h.Panel = b.finish(h.Panel, "gift", "gift.setup_health")
	return h
}

func (b builder) plan() Plan {
	p := Plan{Panel: Panel{Provenance: b.provenance(endpointPlan, Reported)}, Issues: []string{}}
	if b.in.Plan == nil {
		p.Empty = b.notPulled("gift", "gift.plan", "The gift plan")
	} else {
		p.Provenance = b.current(endpointPlan, "gift.plan", b.in.Plan.FetchedAt)
		var s PlanBody
		if err := json.Unmarshal(b.in.Plan.Body, &s); err != nil {
			p.Empty = &Empty{Cause: CauseFailed, Title: "The stored plan can't be read", Text: "It is written anew by the next pull.", Action: "See the ledger", Href: b.syncHref()}
		}
		p.Name, p.ShopPlan, p.Paid, p.TrialEndsAt = s.Plan, s.ShopPlan, s.Paid, s.TrialEndsAt
		p.CampaignsUsed, p.CampaignsLimit, p.CampaignsUnlimited, p.CampaignsExceeded = s.CampaignsUsed, s.CampaignsLimit, s.CampaignsUnlimited, s.CampaignsExceeded
		p.RevenueUsed, p.RevenueLimit, p.RevenueUnlimited, p.RevenueResetAt = s.RevenueUsed, s.RevenueLimit, s.RevenueUnlimited, s.RevenueResetAt
		if s.Issues != nil {
			p.Issues = s.Issues
		}
		p.Currency = b.giftCurrency()
	}
	p.Panel = b.finish(p.Panel, "gift", "gift.plan")
	return p
}

// giftCurrency is the currency of the newest gift answer: the plan names none.
func (b builder) giftCurrency() string {
	for _, g := range b.in.Gift {
		return g.Currency
	}
	return b.in.Store.Currency
}

func (b builder) campaigns() Campaigns {
	c := Campaigns{Panel: Panel{Provenance: b.provenance(endpointCampaigns, Reported)}, Campaigns: b.in.Campaigns}
	if c.Campaigns == nil {
		c.Campaigns = []Campaign{}
	}
	if l := b.in.CampaignList; l == nil {
		c.Empty = b.notPulled("gift", "gift.campaigns", "The campaign list")
	} else {
		c.Provenance = b.current(endpointCampaigns, "gift.campaigns", l.FetchedAt)
		c.Total, c.Capped = l.Total, l.Capped
		if l.Capped {
			c.Provenance = c.Provenance.With(FlagCut)
		}
	}
	c.Panel = b.finish(c.Panel, "gift", "gift.campaigns")
	return c
}

// day is the day of a moment on the store's clock, in words.
func (b builder) day(t time.Time) string { return DayShort(civil.DateOf(b.onStoreClock(t))) }
