package alerts

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// alertKinds are the signs of the rules; what is not here is an error.
var alertKinds = map[string]string{
	"placement-off": "off", "campaign-ending": "warning", "rate-fell": "warning", "value-fell": "warning", "drift": "warning", "plan": "warning",
}

// alertActions are the words of the links to what says more of an alert, by rule.
var alertActions = map[string]string{
	"credential": "See the pulls", "plan": "See the gift plan", "embed-off": "See the gift set-up", "placement-off": "See its offers",
	"campaign-ending": "Open the campaign", "gift-stuck": "See the gift set-up", "rate-fell": "See the days", "value-fell": "See the days",
	"sync-stale": "See the pulls", "drift": "See the pulls",
}

// evidenceWords name what rules go by; what is not here says nothing to people.
var evidenceWords = []struct{ key, words string }{
	{"day", "Day"}, {"figure", "Was"}, {"usual", "Usual"}, {"lowest", "Lowest of those before"}, {"highest", "Highest of those before"}, {"days", "Days compared"},
	{"deviation", "Robust deviations"}, {"reported", "Reported"}, {"stitched", "Sum of the days"}, {"ends", "Ends"}, {"code", "Named by the service as"}, {"cause", "Cause"},
}

func alertRow(c *site.Call, l db.ListedAlert) alerts.Row {
	loc := clockOf(l.Timezone)
	r := alerts.Row{
		ID: strconv.FormatInt(l.ID, 10), Kind: "error", State: "Open", Store: l.Store, StoreHref: site.StorePath(l.Slug), Rule: ruleTitle(l.Rule),
		Title: l.Title, Text: l.Text, Since: l.Since.In(loc).Format("2 Jan 2006, 15:04") + ", " + locale.English.Age(c.Now, l.Since),
		Told: toldLines(c, l, loc),
	}
	if kind := alertKinds[l.Rule]; kind != "" {
		r.Kind = kind
	}
	r.Action, r.Href = mends(c, l)
	r.Evidence = evidence(l.Evidence)
	if l.CalmSince != nil {
		r.Kind, r.State = "good", "Seems over, being watched"
	}
	if m := l.Mute; m != nil {
		r.Kind, r.State = "info", "Muted"
		r.Muted = "Muted " + map[bool]string{true: "for you", false: "for everybody"}[m.Own] + untilWords(m.Until, loc) + "."
		if m.Wide {
			r.Muted = strings.TrimSuffix(r.Muted, ".") + ", with all of its kind."
		}
		if m.Own || c.May(access.Share) {
			r.UnmuteAction = site.AlertsPath + "/mutes/" + strconv.FormatInt(m.ID, 10) + "/end"
		}
		return r
	}
	r.Reaches = reaches(c, l)
	return r
}

func clockOf(zone string) *time.Location {
	loc, err := report.Zone(zone)
	if err != nil {
		return time.UTC
	}
	return loc
}

func ruleTitle(key string) string {
	if r, ok := reportalerts.RuleOf(key); ok {
		return r.Title
	}
	return key
}

func untilWords(until *time.Time, loc *time.Location) string {
	if until == nil {
		return " for good"
	}
	return " until " + until.In(loc).Format("2 Jan 2006, 15:04")
}

// mends leads to where the alert is mended, or where one sees more of it.
func mends(c *site.Call, l db.ListedAlert) (action, href string) {
	if l.Rule == "credential" && c.Site.MayKeep(c) {
		switch l.Subject {
		case "upsell", "gift":
			return "Check the token", site.SettingsPath(l.Slug) + "/" + l.Subject
		}
	}
	if href = site.LocalPath(l.Href); href == "" {
		return "", ""
	}
	if action = alertActions[l.Rule]; action == "" {
		action = "See more"
	}
	return action, href
}

func evidence(stored []byte) (out [][2]string) {
	var of map[string]any
	if json.Unmarshal(stored, &of) != nil {
		return nil
	}
	for _, e := range evidenceWords {
		if text, ok := of[e.key].(string); ok && text != "" {
			if day, err := civil.ParseDate(text); err == nil {
				text = locale.English.DayYear(day)
			}
			out = append(out, [2]string{e.words, text})
		}
	}
	return out
}

// toldLines say who was told of an alert, who waits, and who could not be told.
func toldLines(c *site.Call, l db.ListedAlert, loc *time.Location) []string {
	var told, waits, failed []string
	others := 0
	for _, n := range l.Notices {
		if n.Kind != "opened" {
			continue
		}
		who := noticeWho(c, n)
		if who == "" {
			if n.State == "sent" {
				others++
			}
			continue
		}
		switch at := n.At.In(loc).Format("2 Jan, 15:04"); n.State {
		case "sent":
			told = append(told, who+" on "+at)
		case "waiting", "packed":
			waits = append(waits, who+because(n.Told))
		case "failed":
			failed = append(failed, who+because(n.Told))
		}
	}
	var lines []string
	if others > 0 {
		told = append(told, report.Plural(int64(others), "other reader", "other readers"))
	}
	if len(told) > 0 {
		lines = append(lines, "Told: "+strings.Join(told, "; ")+".")
	}
	if len(waits) > 0 {
		lines = append(lines, "Not told yet: "+strings.Join(waits, "; ")+".")
	}
	if len(failed) > 0 {
		lines = append(lines, "Could not be told: "+strings.Join(failed, "; ")+".")
	}
	switch {
	case len(lines) > 0:
	case len(l.Notices) > 0:
		lines = append(lines, "You were not told of it.")
	default:
		lines = append(lines, "Nobody is told: nobody who sees this store wants to be.")
	}
	return lines
}

// noticeWho names who is told; other people are named to those alone who may share
// pages with them.
func noticeWho(c *site.Call, n db.ShownNoticesRow) string {
	switch {
	case n.PersonID != nil && *n.PersonID == c.Visit.Person.ID:
		return "you by mail"
	case !c.May(access.Share):
		return ""
	case n.PersonID != nil:
		return n.PersonName + " by mail"
	}
	return "channel " + n.ChannelName
}

func because(told string) string {
	if told == "" {
		return ""
	}
	return " (" + strings.TrimSuffix(told, ".") + ")"
}

func pastAlertRow(c *site.Call, l db.ListedAlert) alerts.PastRow {
	loc := clockOf(l.Timezone)
	r := alerts.PastRow{
		ID: strconv.FormatInt(l.ID, 10), Sign: "active", State: "Recovered", Store: l.Store, StoreHref: site.StorePath(l.Slug), Rule: ruleTitle(l.Rule), Title: l.Title, Text: l.Text,
		When: fromTo(l.Since.In(loc), l.ClosedAt.In(loc)), Lasted: lasted(l.ClosedAt.Sub(l.Since)),
	}
	if l.EndCause != nil && *l.EndCause == "gone" {
		r.Sign, r.State = "expired", "Not there any more"
	}
	n := 0
	for _, notice := range l.Notices {
		if notice.Kind == "opened" && notice.State == "sent" {
			n++
		}
	}
	r.Told = "nobody was told"
	if n > 0 {
		r.Told = report.Plural(int64(n), "message", "messages") + " sent"
	}
	return r
}

// fromTo names two moments on one clock; what they share is said once.
func fromTo(from, to time.Time) string {
	first, last := "2 Jan 2006, 15:04", "2 Jan 2006, 15:04"
	switch {
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		last = "15:04"
	case from.Year() == to.Year():
		first = "2 Jan, 15:04"
	}
	return from.Format(first) + " – " + to.Format(last)
}

// lasted is a length of time in words.
func lasted(d time.Duration) string {
	switch {
	case d < time.Hour:
		return report.Plural(max(int64(d.Minutes()), 1), "minute", "minutes")
	case d < 48*time.Hour:
		return report.Plural(int64(d.Hours()), "hour", "hours")
	}
	return report.Plural(int64(d.Hours()/24), "day", "days")
}
