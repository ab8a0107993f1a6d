package gift

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

func (b Builder) Health() SetupHealth {
	h := SetupHealth{Panel: report.Panel{Provenance: b.Provenance(endpointSetupHealth, report.Reported)}, Issues: []HealthIssue{}, Errors: []string{}, Sections: []HealthSection{}}
	if len(b.In.Health) == 0 {
		h.Empty = b.NotPulled("gift", "gift.setup_health", b.T("state.on_the_way.setup_health"))
	}
	var unread []string
	var named, kept []HealthIssue
	replies := map[int64]bool{} // reply → whether its sections were seen; sections of one reply arrive together
	for _, s := range b.In.Health {
		switch {
		case h.Provenance.FetchedAt.IsZero():
			h.Provenance = b.Current(endpointSetupHealth, "gift.setup_health", s.FetchedAt)
		case !replies[s.FetchedAt.UnixMicro()]:
			h.Provenance.Seen(s.FetchedAt, false)
		}
		replies[s.FetchedAt.UnixMicro()] = true
		if s.Section != "named" {
			h.Sections = append(h.Sections, HealthSection{s.Section, s.FetchedAt})
		}
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
			err = readIssues(s, &kept)
		case "named":
			err = readIssues(s, &named)
		case "errors":
			err = json.Unmarshal(s.Body, &h.Errors)
		}
		if err != nil { // report a stored section that can't be read instead of hiding it
			unread = append(unread, b.T("gift.health.section_unread", "section", s.Section))
		}
	}
	h.Errors = append(h.Errors, unread...)
	h.mergeIssues(named, kept)
	for i := range h.Issues {
		h.Issues[i].Fix = fix(b.Locale, h.Issues[i].Code)
	}
	if len(h.Errors) > 0 {
		h.Provenance = h.Provenance.With(report.FlagIncomplete)
	}
	h.Panel = b.Finish(h.Panel, "gift", "gift.setup_health")
	return h
}

func readIssues(s report.StoredHealth, into *[]HealthIssue) error {
	if err := json.Unmarshal(s.Body, into); err != nil {
		return err
	}
	for i := range *into {
		(*into)[i].SeenAt = s.FetchedAt
	}
	return nil
}

// mergeIssues puts the newest answer's issues first. Issues of the last complete answer are kept unless
// a newer section contradicts them.
func (h *SetupHealth) mergeIssues(named, kept []HealthIssue) {
	h.Issues = append(h.Issues, named...)
	for _, issue := range kept {
		again := slices.ContainsFunc(named, func(n HealthIssue) bool { return n.Code == issue.Code })
		if !again && !h.solved(issue) {
			h.Issues = append(h.Issues, issue)
		}
	}
}

// solved reports whether a section newer than the issue shows that it's resolved.
func (h SetupHealth) solved(issue HealthIssue) bool {
	for _, k := range h.known() {
		if k.code != issue.Code || k.good == nil || !*k.good {
			continue
		}
		return slices.ContainsFunc(h.Sections, func(s HealthSection) bool {
			return s.Section == k.section && issue.SeenAt.Before(s.FetchedAt)
		})
	}
	return false
}

// knownCheck is a requirement of the widget, with what its section says.
type knownCheck struct {
	code, section string
	good          *bool
}

func (h SetupHealth) known() []knownCheck {
	return []knownCheck{
		{"THEME_NOT_OS2", "theme", h.ThemeOS2},
		{"APP_EMBED_DISABLED", "theme", h.EmbedEnabled},
		{"NO_CAMPAIGN", "campaigns", some(h.Total)},
		{"NO_ACTIVE_CAMPAIGN", "campaigns", some(h.Active)},
	}
}

// CheckState is the state of one requirement of the widget.
type CheckState string

const (
	CheckGood    CheckState = "good"
	CheckBad     CheckState = "bad"
	CheckUnknown CheckState = "unknown"
)

// HealthCheck is one line of the checklist.
type HealthCheck struct {
	State CheckState
	// Code is the service's code for what is wrong; raw if we don't know it.
	Code string
	// Message is the service's, Fix our advice; both may be empty.
	Message, Fix string
	// SeenAt is when the answer came; Kept is set if a newer one left this part out.
	SeenAt time.Time
	Kept   bool
}

// Checks lists the widget's requirements: first the ones we know, each good or bad according to the
// newest answer that says so, or unknown; then whatever else the service names.
func (h SetupHealth) Checks(l locale.Locale) []HealthCheck {
	if h.Empty != nil {
		return nil
	}
	seen := map[string]time.Time{}
	var newest time.Time
	for _, s := range h.Sections {
		seen[s.Section] = s.FetchedAt
		if s.FetchedAt.After(newest) {
			newest = s.FetchedAt
		}
	}
	var out []HealthCheck
	told := map[string]bool{}
	for _, k := range h.known() {
		c := HealthCheck{Code: k.code, State: CheckUnknown, SeenAt: seen[k.section]}
		if k.good != nil {
			c.State = CheckBad
			if *k.good {
				c.State = CheckGood
			}
		}
		told[k.code] = true
		for _, issue := range h.Issues {
			if issue.Code == k.code && !h.solved(issue) {
				c.State, c.Message, c.SeenAt = CheckBad, issue.Message, issue.SeenAt
			}
		}
		if c.State == CheckBad {
			c.Fix = fix(l, k.code)
		}
		c.Kept = !c.SeenAt.IsZero() && c.SeenAt.Before(newest)
		out = append(out, c)
	}
	for _, issue := range h.Issues {
		if !told[issue.Code] {
			out = append(out, HealthCheck{State: CheckBad, Code: issue.Code, Message: issue.Message, SeenAt: issue.SeenAt, Kept: issue.SeenAt.Before(newest)})
		}
	}
	return out
}

// fix is what to do about an issue of the gift service; empty if we don't know it.
func fix(l locale.Locale, code string) string {
	if code = strings.ToLower(code); !locale.Has("todo.fix." + code) {
		return ""
	}
	return l.T("todo.fix." + code)
}

// some reports whether a count is above zero; nil without a count.
func some(n *int64) *bool {
	if n == nil {
		return nil
	}
	return new(*n > 0)
}
