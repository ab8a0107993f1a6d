package components

import (
	"strings"
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/locale"
)

// SignInWay translates how a person signed in, which sessions and the audit log store in
// English: "password and code", "single sign-on with Okta". Unknown texts stay as they are.
func SignInWay(l locale.Locale, way string) string {
	if provider, ok := strings.CutPrefix(way, "single sign-on with "); ok {
		return l.T("way.sso_with", "provider", provider)
	}
	first, second, two := strings.Cut(way, " and ")
	if two {
		return l.List([]string{signInStep(l, first), signInStep(l, second)})
	}
	return signInStep(l, way)
}

func signInStep(l locale.Locale, step string) string {
	if name := strings.ReplaceAll(step, " ", "_"); locale.Has("way.step." + name) {
		return l.T("way.step." + name)
	}
	return step
}

// Agent is a browser as sessions keep it, "Firefox on Linux"; unknown texts stay as they are.
func Agent(l locale.Locale, agent string) string {
	if browser, system, ok := strings.Cut(agent, " on "); ok {
		return l.T("agent.browser_on", "browser", browser, "system", system)
	}
	return agent
}

// UTCDay is the day of a moment on pages about people, who have no time zone of their own.
func UTCDay(l locale.Locale, at time.Time) string { return l.DayYear(civil.DateOf(at.UTC())) }

// UTCMoment is the moment itself: "23 Nov 2026, 15:30 UTC".
func UTCMoment(l locale.Locale, at time.Time) string {
	return l.T("common.stamp", "day", UTCDay(l, at), "time", l.Time(at.UTC())) + " UTC"
}
