package stores

import (
	"net/http"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/goal"
	"github.com/storeglass/storeglass/views/stores"
	"github.com/storeglass/storeglass/web/site"
)

// goalSection is the goal on the Settings page, with its form filled in.
func (s *Handlers) goalSection(c *site.Call) (stores.GoalSection, error) {
	changes, err := s.DB.Goals(c.Request().Context(), c.Store)
	if err != nil {
		return stores.GoalSection{}, err
	}
	today := report.Today(c.Now, c.Store.Location())
	section := stores.GoalSection{
		Locale: c.Locale(), Currency: c.Store.Store.Currency, Location: c.Store.Location(), Changes: changes, Now: goal.InForce(changes, today), Months: goal.Months(today),
		Form: goal.Form{Kind: string(fact.GoalValue), From: goal.MonthOf(today).Start.String()},
	}
	switch now := section.Now; {
	case now != nil:
		section.Form.Kind, section.Form.Amount = string(now.Kind), c.Locale().Decimal(now.Amount)
	case section.Currency == "":
		section.Form.Kind = string(fact.GoalOrders)
	}
	if c.May(access.Connect) {
		section.Action = site.SettingsPath(c.Store.Slug) + "/goal"
	}
	return section, nil
}

// saveGoal sets the store's monthly goal.
func (s *Handlers) saveGoal(c *site.Call) error {
	form := goal.Form{Kind: c.Form().Get("kind"), Amount: c.Form().Get("amount"), From: c.Form().Get("from")}
	set, wrong := form.Read(c.Locale(), c.Store.Store.Currency, report.Today(c.Now, c.Store.Location()))
	if len(wrong) > 0 {
		page, err := s.settingsPage(c)
		if err != nil {
			return err
		}
		page.Goal.Form, page.Goal.Wrong = form, wrong
		return c.PageWithStatus(http.StatusUnprocessableEntity, stores.Settings(page))
	}
	set.SetAt = c.Now
	record := s.Audit.Recording(audit.Event{Action: audit.StoreGoalSet, Store: c.Store.Slug, Subject: goal.Record(set)})
	err := s.DB.SetGoal(c.Request().Context(), c.Store, set, c.Visit.Person.ID, record)
	return s.Then(c, err, site.SettingsPath(c.Store.Slug)+"?done=goal#goal")
}
