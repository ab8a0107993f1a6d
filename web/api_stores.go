package web

import (
	"time"

	"github.com/storeglass/storeglass/internal/report"
)

// storeListed is one store in the API's list.
type storeListed struct {
	report.Store
	Freshness report.Freshness `json:"freshness"`
	Health    string           `json:"health"`
	// Summary is null where there are no numbers yet.
	Summary *report.Summary `json:"summary"`
}

func (s *Server) apiStores(c *call) error {
	if err := c.takes(); err != nil {
		return err
	}
	now := s.now()
	cards, err := s.db.StoreCards(c.Request().Context(), c.visit.Scope, now)
	if err != nil {
		return err
	}
	out := struct {
		Provenance report.Provenance `json:"provenance"`
		Stores     []storeListed     `json:"stores"`
	}{ownProvenance("stores", now), make([]storeListed, len(cards))}
	for i, card := range cards {
		out.Stores[i] = storeListed{Store: card.Store, Freshness: card.Freshness, Health: card.Health}
		if card.Summary.Empty == nil {
			out.Stores[i].Summary = withoutEmptyPrevious(card.Summary)
		}
	}
	return c.answer(out)
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
}

func (s *Server) apiStore(c *call) error {
	o, err := s.windowless(c)
	if err != nil {
		return err
	}
	out := storeState{
		Provenance: ownProvenance("stores/"+c.store.Slug, o.Now), Store: o.Store, Paused: c.store.Paused,
		Upsell: o.Connected, Gift: o.GiftLinked, Freshness: o.Freshness,
		Troubles: list(o.Troubles), Todos: list(o.Todos),
	}
	if c.store.FirstDay.IsValid() {
		first := c.store.FirstDay.String()
		out.FirstDay = &first
	}
	if f := o.Filling; f != nil {
		out.Filling = &fillingState{f.Stored, f.Planned, f.Window, f.CallsLeft, f.MinutesLeft}
	}
	return c.answer(out)
}

// apiSync answers ledger and budget, as the Sync page shows them.
func (s *Server) apiSync(c *call) error {
	if err := c.takes("filter"); err != nil {
		return err
	}
	filter := c.QueryParam("filter")
	if filter == "" {
		filter = "all"
	}
	if !syncFilters[filter] {
		return badRequest("filter", "Use all, due or waiting.")
	}
	now := s.now()
	stored, err := s.db.StoredSync(c.Request().Context(), c.store, now)
	if err != nil {
		return err
	}
	sync := report.NewSync(stored, filter, now)
	sync.Budgets, sync.Days, sync.Rows = list(sync.Budgets), list(sync.Days), list(sync.Rows)
	return c.answer(struct {
		Provenance report.Provenance `json:"provenance"`
		report.Sync
	}{ownProvenance("sync", now.Truncate(time.Second)), sync})
}
