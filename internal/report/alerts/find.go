package alerts

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
)

// trialSoon is how many days before a trial ends its alert opens.
const trialSoon = 7

// planCauses are the causes of a paused credential that are due to a plan.
var planCauses = []string{"NO_PLAN", "trial_lapsed"}

// credentials are in trouble if a refusal has lasted. A doubtful one, or one not tried again yet,
// counts as unknown (N70).
func (b finder) credentials() []Finding {
	var out []Finding
	for _, c := range b.alerts.Credentials {
		f := Finding{Subject: c.Service, Href: b.path("/sync")}
		switch {
		case c.NeedsPerson() && slices.Contains(planCauses, c.Cause): // the plan has a rule of its own
			continue
		case c.NeedsPerson():
			f.Since = c.PausedAt
			f.Standing, f.Title, f.Text = Wrong, locale.M("store.need."+string(report.Refusal(c))), c.Advice()
			f.Do, f.Effect = locale.M("alert.renew."+string(report.Refusal(c))), b.noNewData(c.Service)
			if !c.NextProbe.IsZero() {
				f.Text = append(f.Text, locale.M("alert.credential.checked"))
			}
			f.Evidence = locale.Args{"cause": c.Cause}
		case c.Outage() && b.alerts.open("credential", c.Service) != nil: // opened before the service refused the other stores
			f.Standing, f.Since, f.Title, f.Text = Wrong, c.PausedAt, locale.M("alert.outage."+c.Service), locale.Sentences{locale.M("state.doubted.outage")}
			f.Do, f.Effect = locale.M("alert.do.outage."+c.Service), b.noNewData(c.Service)
		case c.State == fact.CredentialGood:
			f.Standing = Right
			f.Title, f.Text = locale.M("alert.answers."+c.Service), locale.Sentences{locale.M("alert.answers.text")}
		}
		out = append(out, f)
	}
	return out
}

// outages are of services that refuse many stores. A store's alert also ends if the service accepts the
// others again but still refuses this store's token: that is a different alert.
func (b finder) outages() []Finding {
	var out []Finding
	for _, c := range b.alerts.Credentials {
		f := Finding{Subject: c.Service, Standing: Right, Href: b.path("/sync"), Title: locale.M("alert.answers." + c.Service), Text: locale.Sentences{locale.M("alert.answers.text")}}
		switch {
		case c.Outage():
			f.Standing, f.Since, f.Title, f.Text = Wrong, c.OutageSince, locale.M("alert.outage."+c.Service), locale.Sentences{locale.M("state.doubted.outage")}
			f.Do, f.Effect = locale.M("alert.do.outage."+c.Service), b.noNewData(c.Service)
			f.Evidence = locale.Args{OutageOf: c.Service + " " + c.Host}
		case c.Stopped():
			f.Title, f.Text = locale.M("alert.outage.others."+c.Service), locale.Sentences{locale.M("alert.outage.still")}
		}
		out = append(out, f)
	}
	return out
}

// OutageRule is the key of the rule for service outages.
const OutageRule = "outage"

// OutageOf is the evidence key for the service and host that refuse many stores: people are notified of
// each outage once, not once per store.
const OutageOf = "outage of"

// plan is what the gift service says about its plan, unless that is more than a day old.
func (b finder) plan() []Finding {
	key := b.alerts.Credential("gift")
	if key == nil {
		return nil
	}
	ended := Finding{Subject: "ended", Title: locale.M("alert.plan.active"), Href: b.path("/gift")}
	out := []Finding{ended, {Subject: "campaigns"}, {Subject: "revenue"}, {Subject: "trial"}}
	switch {
	case key.NeedsPerson() && slices.Contains(planCauses, key.Cause):
		out[0].Standing, out[0].Since, out[0].Title, out[0].Text = Wrong, key.PausedAt, locale.M("store.need."+string(report.Refusal(*key))), key.Advice()
		out[0].Do, out[0].Effect = locale.M("alert.renew."+string(report.Refusal(*key))), b.noNewData("gift")
		out[0].Evidence = locale.Args{"cause": key.Cause}
	case key.State == fact.CredentialGood:
		out[0].Standing = Right
	}
	var p reportgift.PlanBody
	if b.alerts.Plan == nil || b.Now.Sub(b.alerts.Plan.FetchedAt) > 24*time.Hour || json.Unmarshal(b.alerts.Plan.Body, &p) != nil {
		return out
	}
	for i := range out[1:] {
		out[i+1].Standing, out[i+1].Href = Right, b.path("/gift")
	}
	campaigns, revenue, trial := &out[1], &out[2], &out[3]
	campaigns.Title = locale.M("alert.plan.campaigns_fit")
	if p.CampaignsExceeded {
		campaigns.Standing, campaigns.Title, campaigns.Do = Wrong, locale.M("store.need.campaigns"), locale.M("alert.do.campaigns")
		if p.CampaignsUsed != nil && p.CampaignsLimit != nil {
			campaigns.Text = append(campaigns.Text, locale.M("alert.plan.campaigns", "n", *p.CampaignsUsed, "most", *p.CampaignsLimit))
		}
		campaigns.Text = append(campaigns.Text, locale.M("alert.plan.campaigns_do"))
	}
	revenue.Title = locale.M("alert.plan.revenue_left")
	if l, u := p.RevenueLimit, p.RevenueUsed; l != nil && u != nil && !p.RevenueUnlimited && l.IsPositive() && u.GreaterThanOrEqual(*l) {
		revenue.Standing, revenue.Title, revenue.Do = Wrong, locale.M("store.need.revenue"), locale.M("alert.do.revenue")
		revenue.Text = locale.Sentences{locale.M("alert.plan.revenue", "used", *u, "most", *l)}
		if d := b.DayPtr(p.RevenueResetAt); d != nil {
			revenue.Text = append(revenue.Text, locale.M("alert.plan.revenue_resets", "day", locale.Day{Date: *d, Year: true}))
		}
	}
	trial.Title = locale.M("alert.plan.trial_far")
	end := b.DayPtr(p.TrialEndsAt)
	if p.Paid != nil && *p.Paid || end == nil {
		return out
	}
	switch left := end.DaysSince(b.today); {
	case left < 0: // what follows is up to the service, if it refuses us
		return out[:3]
	case left <= trialSoon:
		trial.Standing, trial.Title = Wrong, locale.M("alert.plan.trial", "day", locale.Day{Date: *end})
		trial.Text = locale.Sentences{locale.M("alert.plan.trial_do")}
		trial.Do = locale.M("alert.renew.gift_trial")
		trial.Evidence = locale.Args{"ends": locale.Day{Date: *end, Year: true}}
	}
	return out
}

// embed is off if the live theme says so.
func (b finder) embed() []Finding {
	for _, c := range b.checks() {
		if c.Code == "APP_EMBED_DISABLED" {
			f := b.checked(c, locale.M("alert.widget.off"), locale.M("alert.widget.on"))
			f.Subject, f.Text = "", append(locale.Sentences{locale.M("alert.widget.embed_off")}, fix(c)...)
			f.Do, f.Effect = locale.M("alert.do.embed"), b.giftsLost(b.since("embed-off", ""), "alert.effect.no_widget")
			if c.State == reportgift.CheckGood {
				f.Text = locale.Sentences{locale.M("alert.widget.embed_on")}
			}
			return []Finding{f}
		}
	}
	return b.asItWas("embed-off")
}

// checks are setup health's; empty if the gift service isn't connected or its answer is more than a day old.
func (b finder) checks() []reportgift.HealthCheck {
	key := b.alerts.Credential("gift")
	if key == nil || key.Stopped() {
		return nil
	}
	out := b.Health().Checks(locale.English)
	for i, c := range out {
		if b.Now.Sub(c.SeenAt) > 24*time.Hour {
			out[i].State = reportgift.CheckUnknown
		}
	}
	return out
}

func (b finder) checked(c reportgift.HealthCheck, wrong, right locale.Message) Finding {
	f := Finding{Subject: c.Code, Href: b.path("/gift"), Evidence: locale.Args{"code": c.Code}}
	switch c.State {
	case reportgift.CheckBad:
		f.Standing, f.Title, f.Text = Wrong, wrong, append(locale.Sentences{locale.Text(c.Message)}, fix(c)...)
	case reportgift.CheckGood:
		f.Standing, f.Title = Right, right
	}
	return f
}

// fix is what to do about a failed check; empty if we don't know it.
func fix(c reportgift.HealthCheck) locale.Sentences {
	if c.Fix == "" {
		return nil
	}
	return locale.Sentences{locale.M("todo.fix." + strings.ToLower(c.Code))}
}

// gifts can't be given if the theme can't show them, no campaign is active anymore, or the service
// reports a problem that we don't know.
func (b finder) gifts() []Finding {
	key := b.alerts.Credential("gift")
	if key == nil {
		return nil
	}
	checks := b.checks()
	if len(checks) == 0 || key.Stopped() {
		return b.asItWas("gift-stuck")
	}
	var out []Finding
	for _, c := range checks {
		switch c.Code {
		case "APP_EMBED_DISABLED", "NO_CAMPAIGN": // it has a rule of its own; the setup isn't finished yet
		case "NO_ACTIVE_CAMPAIGN":
			if c.State == reportgift.CheckGood {
				b.works("campaign", b.Now)
			}
			if last, did := b.worked("campaign"); did {
				f := b.checked(c, locale.M("alert.gift.campaign_off"), locale.M("alert.gift.campaign_on"))
				f.Since, f.Do, f.Effect = last, locale.M("alert.do.campaign_on"), b.giftsLost(last, "alert.effect.no_gifts")
				out = append(out, f)
			}
		case "THEME_NOT_OS2":
			f := b.checked(c, locale.M("alert.gift.theme_off"), locale.M("alert.gift.theme_on"))
			f.Do, f.Effect = locale.M("alert.do.theme"), b.giftsLost(b.since("gift-stuck", c.Code), "alert.effect.no_widget")
			out = append(out, f)
		default:
			f := b.checked(c, locale.M("alert.gift.setup", "problem", report.OneLine(cmp.Or(c.Message, c.Code), 120)), locale.M("alert.gift.setup_gone"))
			f.Do, f.Effect = locale.M("alert.do.setup"), b.giftsLost(b.since("gift-stuck", c.Code), "alert.effect.unknown")
			out = append(out, f)
		}
	}
	whole := len(b.Health().Errors) == 0        // only a complete answer can be all clear (N50)
	for _, o := range b.asItWas("gift-stuck") { // a problem that the newest answer no longer names
		if !slices.ContainsFunc(out, func(f Finding) bool { return f.Subject == o.Subject }) && o.Subject != "NO_ACTIVE_CAMPAIGN" {
			if whole {
				o.Standing, o.Title, o.Href = Right, locale.M("alert.gift.setup_gone"), b.path("/gift")
			}
			out = append(out, o)
		}
	}
	return out
}

// since is when a problem was first seen: now if it's new.
func (b finder) since(rule, subject string) time.Time {
	if o := b.alerts.open(rule, subject); o != nil {
		return o.Since
	}
	return b.Now
}

// giftsLost says how many gift orders a day there were in the week before, and how many on whole days
// since, if all those days are stored; otherwise what is known without them.
func (b finder) giftsLost(since time.Time, otherwise string) locale.Sentences {
	week := b.weekBefore(since)
	before, stored, doubted := b.giftOrders(week)
	if !stored || !before.Round(0).IsPositive() {
		return locale.Sentences{locale.M(otherwise)}
	}
	says := locale.M("alert.effect.gifts", "n", before.Round(0).IntPart())
	after, stored, alsoDoubted := b.giftOrders(report.Window{Start: week.End.AddDays(2), End: b.today.AddDays(-1)})
	if stored && (after.IsZero() || after.Round(0).IsPositive()) { // few is not none
		says = locale.M("alert.effect.gifts_since", "n", before.Round(0).IntPart(), "since", after.Round(0).IntPart())
		doubted = doubted || alsoDoubted
	}
	return locale.Sentences{says, onAverage(week, doubted)}
}

// weekBefore are the seven days before the day of a moment.
func (b finder) weekBefore(t time.Time) report.Window {
	return report.WindowEnding(civil.DateOf(t.In(b.alerts.Location)).AddDays(-1), 7)
}

func onAverage(w report.Window, doubted bool) locale.Message {
	if doubted {
		return locale.M("alert.effect.average_doubted", "days", locale.Period(w))
	}
	return locale.M("alert.effect.average", "days", locale.Period(w))
}

// giftsWith says how many gift orders a day there were in the week before the campaign was first seen
// to be ending. The service counts the store's gift orders, so this needs a week in which no other
// campaign ran.
func (b finder) giftsWith(c report.Campaign) locale.Sentences {
	week := b.weekBefore(b.since("campaign-ending", c.ID))
	began := b.DayPtr(c.StartDate)
	others := slices.ContainsFunc(b.alerts.Campaigns, func(o report.Campaign) bool {
		end := b.DayPtr(o.EndDate)
		over := end != nil && end.Before(week.Start) || o.LastListed != nil && civil.DateOf(b.OnStoreClock(*o.LastListed)).Before(week.Start)
		return o.ID != c.ID && !strings.EqualFold(o.Status, "scheduled") && !over
	})
	before, stored, doubted := b.giftOrders(week)
	if others || b.alerts.CampaignsCut || began != nil && began.After(week.Start) || !stored || !before.Round(0).IsPositive() {
		return nil
	}
	return locale.Sentences{locale.M("alert.effect.gifts_now", "n", before.Round(0).IntPart()), onAverage(week, doubted)}
}

// giftOrders is the average number of gift orders per day. stored: every day is stored; doubted: one of
// them is being checked.
func (b finder) giftOrders(w report.Window) (a decimal.Decimal, stored, doubted bool) {
	days, sum := 0, decimal.Zero
	for _, g := range b.alerts.GiftDays {
		if day := g.Window.Start; g.Orders.Value != nil && !day.Before(w.Start) && !day.After(w.End) {
			days, sum, doubted = days+1, sum.Add(*g.Orders.Value), doubted || g.Unproven
		}
	}
	if days == 0 || days != w.Days() {
		return sum, false, false
	}
	return sum.DivRound(decimal.NewFromInt(int64(days)), 4), true, doubted
}

// setup finds unfinished gift setup: nothing has stopped working.
func (b finder) setup() []Finding {
	key := b.alerts.Credential("gift")
	if key == nil {
		return nil
	}
	checks := b.checks()
	if len(checks) == 0 || key.Stopped() {
		return b.asItWas("gift-setup")
	}
	var out []Finding
	for _, c := range checks {
		var f Finding
		switch c.Code {
		case "NO_CAMPAIGN":
			f = b.checked(c, locale.M("todo.no_campaign"), locale.M("alert.gift.campaign_on"))
			f.Do = locale.M("alert.do.first_campaign")
		case "NO_ACTIVE_CAMPAIGN":
			if _, did := b.worked("campaign"); did { // it stopped, which has a rule of its own
				continue
			}
			f = b.checked(c, locale.M("todo.no_active_campaign"), locale.M("alert.gift.campaign_on"))
			f.Do = locale.M("alert.do.campaign_on")
		default:
			continue
		}
		if none := len(out) > 0 && out[0].Standing == Wrong; !none { // without any campaign, none is active either
			f.Text, f.Effect = fix(c), locale.Sentences{locale.M("alert.effect.no_gifts")}
			out = append(out, f)
		}
	}
	return out
}

// campaigns finds active campaigns that end soon.
func (b finder) campaigns() []Finding {
	key := b.alerts.Credential("gift")
	if key == nil {
		return nil
	}
	if b.alerts.ListedAt.IsZero() || b.Now.Sub(b.alerts.ListedAt) > 48*time.Hour {
		return b.asItWas("campaign-ending")
	}
	var out []Finding
	for _, c := range b.alerts.Campaigns {
		end := b.DayPtr(c.EndDate)
		if c.LastListed != nil || !strings.EqualFold(c.Status, "active") {
			continue
		}
		f := Finding{Subject: c.ID, Standing: Right, Title: locale.M("alert.campaign.far", "name", report.OneLine(c.Name, 80)), Href: b.path("/gift/campaigns/" + c.ID)}
		if end != nil {
			left := end.DaysSince(b.today)
			if left < 0 {
				continue
			}
			f.Text = locale.Sentences{locale.M("alert.campaign.end", "day", locale.Day{Date: *end, Year: true})}
			if left <= b.alerts.CampaignDays {
				f.Standing, f.Title = Wrong, locale.M("alert.campaign.ends", "name", report.OneLine(c.Name, 80), "day", locale.Day{Date: *end})
				f.Text = locale.Sentences{endsIn(left), locale.M("alert.campaign.do")}
				f.Do, f.Effect = locale.M("alert.do.campaign", "name", report.OneLine(c.Name, 80)), b.giftsWith(c)
				f.Evidence = locale.Args{"ends": locale.Day{Date: *end, Year: true}}
			}
		}
		out = append(out, f)
	}
	return out
}

func endsIn(days int) locale.Message {
	switch days {
	case 0:
		return locale.M("alert.campaign.today")
	case 1:
		return locale.M("alert.campaign.tomorrow")
	}
	return locale.M("alert.campaign.in", "n", days)
}

// day is the day of a moment on the store's clock, with its year if it isn't the current one.
func (b finder) day(t time.Time) locale.Day {
	d := civil.DateOf(b.OnStoreClock(t))
	return locale.Day{Date: d, Year: d.Year != b.today.Year}
}
