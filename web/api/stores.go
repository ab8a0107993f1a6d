package api

import (
	"cmp"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/ledger"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/stores"
	"github.com/storeglass/storeglass/web/site"
)

// storeListed is one store in the API's list.
type storeListed struct {
	report.Store
	Freshness report.Freshness   `json:"freshness"`
	Health    string             `json:"health"`
	Group     stores.HealthGroup `json:"health_group"`
	// LastGood: newer numbers aren't coming, and the window may be older than the one asked
	// for.
	LastGood bool `json:"last_good"`
	// NotCompared is null where the two summaries may be compared, or where there is none.
	NotCompared *string `json:"not_compared"`
	// Summary is null where there are no numbers yet.
	Summary *overview.Summary `json:"summary"`
}

// apiStores answers every store in the window asked for, each on its own clock; the default is
// the last 30 days.
func (s *Handlers) apiStores(c *site.Call) error {
	if err := takes(c, site.WindowParams...); err != nil {
		return err
	}
	now := s.Now()
	query, err := portfolio.ParseQuery(c.QueryParams(), now)
	if err != nil {
		return err
	}
	query.By, query.All = portfolio.ByNothing, true
	list, err := s.DB.Portfolio(c.Request().Context(), c.AlertPrincipal(), query, now)
	if err != nil {
		return err
	}
	out := struct {
		Provenance report.Provenance `json:"provenance"`
		Stores     []storeListed     `json:"stores"`
	}{ownProvenance("stores", now), make([]storeListed, 0, list.Matched)}
	for _, section := range list.Sections {
		for _, r := range section.Rows {
			listed := storeListed{Store: r.Store, Freshness: r.Freshness, Health: r.Health.Line(), Group: r.Health.Group, LastGood: r.Stale}
			if r.HasNumbers() {
				r.Summary.Empty = nil // zeros of a store without offers are real
				listed.Summary = &r.Summary
				listed.NotCompared = db.Optional(r.Uncompared)
			}
			out.Stores = append(out.Stores, listed)
		}
	}
	return c.Answer(out)
}

// storeState is what is known about a store as a whole.
type storeState struct {
	Provenance report.Provenance `json:"provenance"`
	Store      report.Store      `json:"store"`
	Paused     bool              `json:"paused"`
	// Upsell and Gift say whether a credential for the service exists.
	Upsell    bool             `json:"upsell_connected"`
	Gift      bool             `json:"gift_connected"`
	FirstDay  *string          `json:"first_day"`
	Freshness report.Freshness `json:"freshness"`
	// Filling is null when the planned history is complete.
	Filling  *fillingState    `json:"filling"`
	Troubles []report.Trouble `json:"troubles"`
	Todos    []report.Todo    `json:"todos"`
}

type fillingState struct {
	Stored      int           `json:"stored_days"`
	Planned     int           `json:"planned_days"`
	Window      report.Window `json:"window"`
	CallsLeft   int           `json:"calls_left"`
	MinutesLeft int           `json:"minutes_left"`
	Parts       []report.Part `json:"parts"`
}

func (s *Handlers) apiStore(c *site.Call) error {
	o, err := s.windowless(c)
	if err != nil {
		return err
	}
	out := storeState{
		Provenance: ownProvenance("stores/"+c.Store.Slug, o.Now), Store: o.Store, Paused: c.Store.Paused,
		Upsell: o.Connected, Gift: o.GiftLinked, Freshness: o.Freshness,
		Troubles: site.List(o.Troubles), Todos: site.List(o.Todos),
	}
	if c.Store.FirstDay.IsValid() {
		out.FirstDay = new(c.Store.FirstDay.String())
	}
	if f := o.Filling; f != nil {
		parts, err := s.Parts(c)
		if err != nil {
			return err
		}
		f.Parts = parts
		calls, minutes := f.Left()
		out.Filling = &fillingState{f.Stored, f.Planned, f.Window, calls, minutes, site.List(parts)}
	}
	return c.Answer(out)
}

// apiSync answers ledger and budget, as the Sync page shows them.
func (s *Handlers) apiSync(c *site.Call) error {
	if err := takes(c, "filter"); err != nil {
		return err
	}
	filter := cmp.Or(c.QueryParam("filter"), "all")
	if !site.SyncFilters[filter] {
		return site.BadRequest("filter", "Use all, due or waiting.")
	}
	now := s.Now()
	stored, err := s.DB.StoredSync(c.Request().Context(), c.Store)
	if err != nil {
		return err
	}
	sync := ledger.New(locale.English, stored, filter, now)
	parts, err := s.Parts(c)
	if err != nil {
		return err
	}
	sync.Parts = site.List(parts)
	sync.Budgets, sync.Days, sync.Rows = site.List(sync.Budgets), site.List(sync.Days), site.List(sync.Rows)
	return c.Answer(struct {
		Provenance report.Provenance `json:"provenance"`
		ledger.Page
	}{ownProvenance("sync", now), sync})
}
