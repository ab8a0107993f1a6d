package alerts

import (
	"strconv"
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	reportalerts "github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/views/alerts"
	"github.com/storeglass/storeglass/views/components/form"
	"github.com/storeglass/storeglass/web/site"
)

// evidenceKeys are the facts that rules use and people see, in order.
var evidenceKeys = []string{"day", "figure", "usual", "lowest", "highest", "days", "reported", "stitched", "ends", "code", "cause"}

// row is an open alert; people may be assigned.
func (s *Handlers) row(c *site.Call, l db.ListedAlert, people []form.Choice) alerts.Row {
	loc, open := report.Clock(l.Timezone), l.Open()
	r := alerts.Row{
		ID: strconv.FormatInt(l.ID, 10), Kind: open.Kind(), State: c.T("alerts.state.open"), Rule: ruleTitle(c.Locale(), l.Rule), Notified: notifiedLines(c, c.Locale(), l, loc),
		Evidence: evidence(c.Locale(), l.Evidence), AssignedTo: l.AssignedTo, People: people, MayEnd: c.May(access.Share), Unfolded: c.QueryParam("snooze") == strconv.FormatInt(l.ID, 10),
	}
	r.Title, r.Why = open.ToDo(c.Locale())
	r.Line, r.Text = open.Say(c.Locale())
	r.Since, r.Lasts = open.SinceIn(c.Locale(), c.Now, l.Timezone)
	r.Effect, r.How = open.EffectIn(c.Locale())
	if r.Action, r.Href = mends(c, l); r.Href == l.Href {
		r.Rows = open.Rows
	}
	if l.AssignedID != nil {
		r.Assigned = strconv.FormatInt(*l.AssignedID, 10)
	}
	if l.CalmSince != nil {
		r.Kind, r.State = "good", c.T("alerts.state.calm")
	}
	if m := l.Snooze; m != nil {
		r.Snoozed = snoozedWords(c.Locale(), *m, loc)
		if m.Own || c.May(access.Share) {
			r.WakeAction = site.AlertsPath + "/snoozes/" + strconv.FormatInt(m.ID, 10) + "/end"
		}
		return r
	}
	r.Reaches = reaches(c, l)
	return r
}

func ruleTitle(l locale.Locale, key string) string {
	if r, ok := reportalerts.RuleOf(key); ok {
		return r.Title(l)
	}
	return key
}

// dayTime are a moment's day and time of day, on the clock that it is given in.
func dayTime(l locale.Locale, t time.Time) (day, at string) {
	return l.DayYear(civil.DateOf(t)), l.Time(t)
}

// snoozedWords say for whom, until when, and whether the whole kind is snoozed.
func snoozedWords(l locale.Locale, m db.AlertMuting, loc *time.Location) string {
	of := "all"
	if m.Own {
		of = "mine"
	}
	if m.Wide {
		of += "_kind"
	}
	if m.Until == nil {
		return l.T("alerts.snoozed.ever." + of)
	}
	day, at := dayTime(l, m.Until.In(loc))
	return l.T("alerts.snoozed.until."+of, "day", day, "time", at)
}

// mends leads to where the alert can be fixed, or where the person sees more about it.
func mends(c *site.Call, l db.ListedAlert) (action, href string) {
	if l.Rule == "credential" && c.Site.MayKeep(c) {
		switch l.Subject {
		case "upsell", "gift":
			return c.T("settings.replace." + l.Subject), site.SettingsPath(l.Slug) + "/" + l.Subject
		}
	}
	if href = site.LocalPath(l.Href); href == "" {
		return "", ""
	}
	return l.Open().Action(c.Locale()), href
}

func evidence(in locale.Locale, of locale.Args) (out [][2]string) {
	for _, key := range evidenceKeys {
		if text := of.In(in, key); text != "" {
			out = append(out, [2]string{in.T("alerts.evidence." + key), text})
		}
	}
	return out
}

// notifiedLines say who was notified of an alert, whose notification is waiting, and who
// couldn't be notified.
func notifiedLines(c *site.Call, in locale.Locale, l db.ListedAlert, loc *time.Location) []string {
	var sent, waits, failed []string
	others := 0
	for _, n := range l.Notices {
		if n.Kind != fact.NoticeOpened {
			continue
		}
		who := noticeWho(c, in, n)
		if who == "" {
			if n.State == fact.NoticeSent {
				others++
			}
			continue
		}
		switch at := n.At.In(loc); n.State {
		case fact.NoticeSent:
			sent = append(sent, in.T("alerts.notified.at", "who", who, "day", in.Day(civil.DateOf(at)), "time", in.Time(at)))
		case fact.NoticeWaiting, fact.NoticePacked:
			waits = append(waits, because(in, who, n.Reason))
		case fact.NoticeFailed:
			failed = append(failed, because(in, who, n.Reason))
		}
	}
	var lines []string
	if others > 0 {
		sent = append(sent, in.T("alerts.notified.others", "n", others))
	}
	if len(sent) > 0 {
		lines = append(lines, in.T("alerts.notified.sent", "list", strings.Join(sent, in.T("unit.semicolon"))))
	}
	if len(waits) > 0 {
		lines = append(lines, in.T("alerts.notified.waiting", "list", strings.Join(waits, in.T("unit.semicolon"))))
	}
	if len(failed) > 0 {
		lines = append(lines, in.T("alerts.notified.failed", "list", strings.Join(failed, in.T("unit.semicolon"))))
	}
	switch {
	case len(lines) > 0:
	case len(l.Notices) > 0:
		lines = append(lines, in.T("alerts.notified.not_you"))
	case l.OpenedAt == nil:
		rule, _ := reportalerts.RuleOf(l.Rule)
		at := l.SeenAt.Add(rule.Grace).In(loc)
		lines = append(lines, in.T("alerts.notified.later", "day", in.Day(civil.DateOf(at)), "time", in.Time(at)))
	default:
		lines = append(lines, in.T("alerts.notified.nobody"))
	}
	return lines
}

// noticeWho names who is notified; only people who may share pages with others see their names.
func noticeWho(c *site.Call, in locale.Locale, n sqlc.ShownNoticesRow) string {
	switch {
	case n.PersonID != nil && *n.PersonID == c.Visit.Person.ID:
		return in.T("alerts.notified.you")
	case !c.May(access.Share):
		return ""
	case n.PersonID != nil:
		return in.T("alerts.notified.person", "name", locale.Name(n.PersonName))
	}
	return in.T("alerts.notified.channel", "name", locale.Name(n.ChannelName))
}

func because(in locale.Locale, who string, message locale.Message) string {
	reason, ok := message.Said(in)
	if !ok {
		return who
	}
	return in.T("alerts.notified.because", "who", who, "reason", strings.TrimSuffix(reason, "."))
}

func pastAlertRow(c *site.Call, l db.ListedAlert) alerts.PastRow {
	loc := report.Clock(l.Timezone)
	id := strconv.FormatInt(l.ID, 10)
	r := alerts.PastRow{
		ID: id, Sign: "active", Store: l.Store, StoreHref: site.StorePath(l.Slug), Rule: ruleTitle(c.Locale(), l.Rule), How: c.T("alerts.past.itself"),
		Lasted: c.T("alerts.past.open_for", "span", lasted(c.Locale(), l.EndedAt.Sub(l.Since))), On: c.T("alerts.past.on", "day", c.Locale().DayNear(civil.DateOf(l.EndedAt.In(loc)), report.Today(c.Now, loc))),
	}
	r.Title, _ = l.Open().Say(c.Locale())
	switch {
	case l.DoneBy != "" && (c.May(access.Share) || l.DoneBy == c.Visit.Person.Name):
		r.How = c.T("alerts.past.done_by", "name", locale.Name(l.DoneBy))
	case !l.Over || l.DoneBy != "":
		r.How = c.T("alerts.past.done")
	case l.EndCause != nil && *l.EndCause == "gone":
		r.Sign, r.How = "expired", c.T("alerts.past.gone")
	}
	if !l.Over && c.May(access.Share) {
		r.OpenAction = site.AlertsPath + "/" + id + "/open"
	}
	return r
}

func lasted(l locale.Locale, d time.Duration) string {
	switch {
	case d < time.Hour:
		return l.T("alerts.lasted.minutes", "n", max(int(d.Minutes()), 1))
	case d < 48*time.Hour:
		return l.T("alerts.lasted.hours", "n", int(d.Hours()))
	}
	return l.Days(int(d.Hours() / 24))
}
