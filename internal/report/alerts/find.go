package alerts

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/stores"
)

// planCauses are those of a paused credential that a plan is behind.
var planCauses = []string{"NO_PLAN", "trial_lapsed"}

// credentials are in trouble when a refusal has lasted. One that is doubtful, or was not
// tried again yet, is not known to be well or not (N70).
func (b finder) credentials() []Finding {
	var out []Finding
	for _, c := range b.alerts.Credentials {
		f := Finding{Subject: c.Service, Href: b.path("/sync")}
		switch {
		case c.NeedsPerson() && slices.Contains(planCauses, c.Cause): // the plan's own rule
			continue
		case c.NeedsPerson():
			c.PausedAt, f.Since = time.Time{}, c.PausedAt
			f.Standing, f.Title, f.Text = Wrong, stores.RefusedWords(c, b.alerts.Location), c.Text
			if !c.NextProbe.IsZero() {
				f.Text += " Storeglass keeps checking and continues as soon as it is accepted."
			}
			f.Evidence = map[string]string{"cause": c.Cause}
		case c.Outage() && b.open("credential", c.Service) != nil: // told before the others were refused
			f.Standing, f.Since, f.Title, f.Text = Wrong, c.PausedAt, outageTitle(c), report.OutageText
		case c.State == report.CredentialGood:
			f.Standing = Right
			f.Title, f.Text = report.UpsellOrGift(c.Service)+" service answers again", "New numbers are pulled again."
		}
		out = append(out, f)
	}
	return out
}

// outages are of services that refuse many stores. That one ends for a store also when
// the others answer again and its own token is still refused: that is another alert.
func (b finder) outages() []Finding {
	var out []Finding
	for _, c := range b.alerts.Credentials {
		f := Finding{Subject: c.Service, Standing: Right, Href: b.path("/sync"), Title: report.UpsellOrGift(c.Service) + " service answers again", Text: "New numbers are pulled again."}
		switch {
		case c.Outage():
			f.Standing, f.Since, f.Title, f.Text = Wrong, c.OutageSince, outageTitle(c), report.OutageText+" Storeglass keeps checking and continues by itself. The tokens are kept."
			f.Evidence = map[string]string{OutageOf: c.Service + " " + c.Host}
		case c.Stopped():
			f.Title, f.Text = report.UpsellOrGift(c.Service)+" service accepts other stores’ tokens again", "This store’s token is still refused and checked again."
		}
		out = append(out, f)
	}
	return out
}

// OutageRule is the key of the rule about outages of services.
const OutageRule = "outage"

// OutageOf names in an alert's evidence the service and host that refuse many stores: a
// person is told of each once, not once a store.
const OutageOf = "outage of"

func outageTitle(c report.StoredCredential) string {
	return report.UpsellOrGift(c.Service) + " service is refusing many stores’ tokens"
}

// plan is what the gift service says of its plan, as long as that is no older than a day.
func (b finder) plan() []Finding {
	key := b.alerts.Credential("gift")
	if key == nil {
		return nil
	}
	ended := Finding{Subject: "ended", Title: "The gift plan is in use again", Href: b.path("/gift")}
	out := []Finding{ended, {Subject: "campaigns"}, {Subject: "revenue"}, {Subject: "trial"}}
	switch {
	case key.NeedsPerson() && slices.Contains(planCauses, key.Cause):
		at := key.PausedAt
		named := *key
		named.PausedAt = time.Time{}
		out[0].Standing, out[0].Since, out[0].Title, out[0].Text = Wrong, at, stores.RefusedWords(named, b.alerts.Location), key.Text
		out[0].Evidence = map[string]string{"cause": key.Cause}
	case key.State == report.CredentialGood:
		out[0].Standing = Right
	}
	var p report.PlanBody
	if b.alerts.Plan == nil || b.Now.Sub(b.alerts.Plan.FetchedAt) > 24*time.Hour || json.Unmarshal(b.alerts.Plan.Body, &p) != nil {
		return out
	}
	for i := range out[1:] {
		out[i+1].Standing, out[i+1].Href = Right, b.path("/gift")
	}
	campaigns, revenue, trial := &out[1], &out[2], &out[3]
	campaigns.Title = "The gift plan allows the campaigns that are used"
	if p.CampaignsExceeded {
		campaigns.Standing, campaigns.Title = Wrong, "More gift campaigns than the plan allows"
		campaigns.Text = "Switch campaigns off or change the plan in the gift app."
		if p.CampaignsUsed != nil && p.CampaignsLimit != nil {
			campaigns.Text = fmt.Sprintf("%s are active or scheduled, the plan allows %s. ", report.Plural(*p.CampaignsUsed, "campaign", "campaigns"), locale.English.Count(*p.CampaignsLimit)) + campaigns.Text
		}
	}
	revenue.Title = "The gift plan’s revenue limit is not reached any more"
	if l, u := p.RevenueLimit, p.RevenueUsed; l != nil && u != nil && !p.RevenueUnlimited && l.IsPositive() && u.GreaterThanOrEqual(*l) {
		revenue.Standing, revenue.Title = Wrong, "Gift plan’s revenue limit reached"
		revenue.Text = locale.English.Decimal(*u) + " of " + locale.English.Decimal(*l) + " is used up."
		if d := b.DayPtr(p.RevenueResetAt); d != nil {
			revenue.Text += " It counts from zero again on " + locale.English.DayYear(*d) + "."
		}
	}
	trial.Title = "The gift trial doesn’t end soon"
	end := b.DayPtr(p.TrialEndsAt)
	if p.Paid != nil && *p.Paid || end == nil {
		return out
	}
	switch left := end.DaysSince(b.today); {
	case left < 0: // what follows is told by the service, when it refuses us
		return out[:3]
	case left <= stores.TrialSoon:
		trial.Standing, trial.Title = Wrong, "Gift trial ends on "+locale.English.Day(*end)
		trial.Text = "Without a plan the gift service answers no more, and revokes the key. Choose a plan in the gift app before that."
		trial.Evidence = map[string]string{"ends": end.String()}
	}
	return out
}

// embed is off when the live theme says so.
func (b finder) embed() []Finding {
	for _, c := range b.checks() {
		if c.Code == "APP_EMBED_DISABLED" {
			f := b.checked(c, "The gift widget can’t appear", "The gift widget can appear again")
			f.Subject, f.Text = "", strings.TrimSpace("The app embed is off in the live theme. "+c.Fix)
			if c.State == report.CheckGood {
				f.Text = "The app embed is on in the live theme."
			}
			return []Finding{f}
		}
	}
	return b.asItWas("embed-off")
}

// checks are those of setup health; none where the gift service isn't connected or
// its answer is older than a day.
func (b finder) checks() []report.HealthCheck {
	key := b.alerts.Credential("gift")
	if key == nil || key.Stopped() {
		return nil
	}
	out := b.Health().Checks(locale.English)
	for i, c := range out {
		if b.Now.Sub(c.SeenAt) > 24*time.Hour {
			out[i].State = report.CheckUnknown
		}
	}
	return out
}

func (b finder) checked(c report.HealthCheck, wrong, right string) Finding {
	f := Finding{Subject: c.Code, Href: b.path("/gift"), Evidence: map[string]string{"code": c.Code}}
	switch c.State {
	case report.CheckBad:
		f.Standing, f.Title, f.Text = Wrong, wrong, strings.TrimSpace(c.Message+" "+c.Fix)
	case report.CheckGood:
		f.Standing, f.Title = Right, right
	}
	return f
}

// gifts can't be given where the theme can't show them, where no campaign is active
// any more, and where the service names a problem that we don't know.
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
		case "APP_EMBED_DISABLED", "NO_CAMPAIGN": // a rule of its own; a set-up that isn't done yet
		case "NO_ACTIVE_CAMPAIGN":
			if c.State == report.CheckGood {
				b.works("campaign", b.Now)
			}
			if last, did := b.worked("campaign"); did {
				f := b.checked(c, "No gift campaign is active any more", "A gift campaign is active again")
				f.Since = last
				out = append(out, f)
			}
		case "THEME_NOT_OS2":
			out = append(out, b.checked(c, "The live theme can’t show the gift widget", "The live theme can show the gift widget again"))
		default:
			title := c.Message
			if title == "" {
				title = c.Code
			}
			out = append(out, b.checked(c, "Gift set-up: "+report.OneLine(title, 120), ""))
		}
	}
	whole := len(b.Health().Errors) == 0        // all clear is believed of a whole answer alone (N50)
	for _, o := range b.asItWas("gift-stuck") { // a problem that the newest answer doesn't name
		if !slices.ContainsFunc(out, func(f Finding) bool { return f.Subject == o.Subject }) && o.Subject != "NO_ACTIVE_CAMPAIGN" {
			if whole {
				o.Standing, o.Title, o.Href = Right, "The gift set-up’s problem is gone", b.path("/gift")
			}
			out = append(out, o)
		}
	}
	return out
}

// placements are switched off when an offer was active there and none is.
func (b finder) placements() []Finding {
	key := b.alerts.Credential("upsell")
	if key == nil {
		return nil
	}
	if key.Stopped() {
		return b.asItWas("placement-off")
	}
	var out []Finding
	for _, c := range b.alerts.Coverage {
		name := string(c.Placement)
		f := Finding{Subject: name, Href: b.OffersHref(report.OfferFilter{Placement: c.Placement, Sort: report.SortPriority}), Title: name + ": an offer is active again"}
		switch last, did := b.worked("placement " + name); {
		case !c.FetchedAt.IsZero() && b.Now.Sub(c.FetchedAt) > 24*time.Hour:
		case c.ActiveCount > 0:
			b.works("placement "+name, b.Now)
			f.Standing, f.Text = Right, report.Plural(c.ActiveCount, "offer is", "offers are")+" active there."
		case !did: // never live, or not for long
			continue
		default:
			f.Standing, f.Since, f.Title = Wrong, last, name+": no offer is active any more"
			f.Text = "Until " + b.DayAt(last) + " an offer was active there. " + report.Plural(c.TotalCount, "offer exists,", "offers exist,") + " none is active."
			if c.TotalCount == 0 {
				f.Text = "Until " + b.DayAt(last) + " an offer was active there. None exists any more."
			}
			if r := c.RecentRevenue; r != nil && r.IsPositive() {
				f.Text += " The placement made " + locale.English.Money(*r, c.Currency).String() + " from " + locale.English.Day(c.Window.Start) + " to " + locale.English.Day(c.Window.End) + "."
			}
			f.Evidence = map[string]string{"offers": strconv.FormatInt(c.TotalCount, 10)}
		}
		out = append(out, f)
	}
	return out
}

// campaigns that are active end soon.
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
		f := Finding{Subject: c.ID, Standing: Right, Title: inQuotes(c.Name) + " doesn’t end soon any more", Href: b.path("/gift/campaigns/" + c.ID)}
		if end != nil {
			left := end.DaysSince(b.today)
			if left < 0 {
				continue
			}
			f.Text = "Its end is on " + locale.English.DayYear(*end) + " now."
			if left <= b.alerts.CampaignDays {
				f.Standing, f.Title = Wrong, inQuotes(c.Name)+" ends on "+locale.English.Day(*end)
				f.Text = "The gift campaign ends " + inDays(left) + ". Give it a later end date in the gift app if it is to go on."
				f.Evidence = map[string]string{"ends": end.String()}
			}
		}
		out = append(out, f)
	}
	return out
}

func inQuotes(name string) string { return "“" + report.OneLine(name, 80) + "”" }

func inDays(n int) string {
	switch n {
	case 0:
		return "today"
	case 1:
		return "tomorrow"
	}
	return "in " + locale.English.Days(n)
}

// mostStale is how old the newest answer of hourly pulls may be.
const mostStale = 6 * time.Hour

// stale is a service that is connected, refuses nothing, and brings nothing new.
func (b finder) stale() []Finding {
	var out []Finding
	for _, c := range b.alerts.Credentials {
		f := Finding{Subject: c.Service, Href: b.path("/sync")}
		good := b.alerts.UpsellAt
		if c.Service == "gift" {
			good = b.alerts.GiftAt
		}
		switch {
		case c.NeedsPerson() || c.Outage(): // rules of their own
			if b.open("sync-stale", c.Service) == nil {
				continue
			}
		case good.IsZero():
			continue
		case b.Now.Sub(good) <= mostStale:
			f.Standing, f.Title, f.Text = Right, report.UpsellOrGift(c.Service)+" numbers are pulled again", "The newest answer is of "+b.DayAt(good)+" at "+b.OnStoreClock(good).Format("15:04")+"."
		default:
			f.Standing, f.Since, f.Title = Wrong, good, "No new "+c.Service+" numbers since "+b.DayAt(good)+", "+b.OnStoreClock(good).Format("15:04")
			f.Text = "No pull was made since: is the worker running?"
			if told := b.lastTold(c.Service, good); told != "" {
				f.Text = "Pulls are tried and fail: " + told
			}
		}
		out = append(out, f)
	}
	return out
}

// lastTold is why the newest try since then failed.
func (b finder) lastTold(service string, since time.Time) (text string) {
	var newest time.Time
	for _, l := range b.alerts.Ledger {
		if l.Service == service && l.TriedAt.After(since) && l.TriedAt.After(newest) && l.Text != "" {
			newest, text = l.TriedAt, l.Text
		}
	}
	return text
}

// drift is what is left after the days were pulled again.
func (b finder) drift() []Finding {
	var end civil.Date
	for _, c := range b.alerts.Checks {
		if c.Window.End.After(end) {
			end = c.Window.End
		}
	}
	// Windows hold each other's days: one that is wrong makes others wrong, and is told once.
	f := Finding{Standing: Right, Href: b.path("/sync"), Title: "Reported totals and stored days agree again"}
	looked := false
	for _, c := range b.alerts.Checks {
		if c.Window.End != end || b.today.DaysSince(end) > 2 {
			continue
		}
		looked = true
		switch {
		case c.Missing > 0:
			if f.Standing == Right {
				f.Standing = Unknown
			}
		case !c.Agrees:
			currency := b.alerts.Store.Currency
			if f.Standing != Wrong {
				f.Evidence = map[string]string{"reported": c.Reported.String(), "stitched": c.Stitched.String()}
			}
			f.Standing, f.Title = Wrong, "Reported totals differ from the stored days"
			f.Text += locale.English.Dates(c.Window.Start, c.Window.End) + ": reported " + locale.English.Money(c.Reported, currency).String() + ", sum of the stored days " + locale.English.Money(c.Stitched, currency).String() + ". "
		}
	}
	if !looked {
		return b.asItWas("drift")
	}
	if f.Standing == Wrong {
		f.Text += "The days were pulled again, and it is still so. The Sync page shows which days are in doubt."
	}
	return []Finding{f}
}
