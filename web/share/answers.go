package share

import (
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/internal/report/offers"
	"github.com/storeglass/storeglass/internal/report/overview"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// sharedStore is a store without anything that identifies it further.
type sharedStore struct {
	Name     string `json:"name"`
	Timezone string `json:"timezone"`
	Currency string `json:"currency,omitempty"`
}

// sharedHead begins every answer to readers of a link. Window is the link's window as of today;
// an answer's own provenance says what it covers.
type sharedHead struct {
	Store  sharedStore   `json:"store"`
	Window report.Window `json:"window"`
	Fixed  bool          `json:"fixed"`
}

func headOf(c *site.Call, choice report.Choice) sharedHead {
	s := c.Store.Store
	return sharedHead{sharedStore{s.Name, s.Timezone, s.Currency}, choice.Window, c.Link.Window.Fixed()}
}

// orReason is the numbers of a panel or, if there are none, only the reason.
func orReason(p report.Panel, numbers any) any {
	if p.Empty != nil {
		return p
	}
	return numbers
}

// sharedRank is a row of a ranking. Status is left out for a fixed window.
type sharedRank struct {
	Rank           int              `json:"rank,omitempty"`
	OfferID        string           `json:"offer_id"`
	Name           string           `json:"name"`
	Placement      report.Placement `json:"placement"`
	Status         string           `json:"status,omitempty"`
	ABTest         bool             `json:"ab_test"`
	Revenue        *decimal.Decimal `json:"revenue"`
	Claims         *int64           `json:"claims"`
	AcceptanceRate *decimal.Decimal `json:"acceptance_rate"`
	Deleted        bool             `json:"deleted"`
}

func sharedRanks(rows []report.TopRow) []sharedRank {
	return db.Each(rows, func(r report.TopRow) sharedRank {
		return sharedRank{r.Rank, r.OfferID, r.Name, r.Placement, r.Status, r.ABTest, r.Revenue, r.Claims, r.AcceptanceRate, r.Deleted}
	})
}

// chosen makes a handler of one for the link's window.
func chosen(handle func(*site.Call, report.Choice) error) func(*site.Call) error {
	return func(c *site.Call) error {
		choice, err := c.Choice(c.Minute())
		if err != nil {
			return err
		}
		return handle(c, choice)
	}
}

func (s *Handlers) shareOverviewJSON(c *site.Call, choice report.Choice) error {
	o, why, err := s.reports.Explained(c, choice, c.Minute(), "upsell", "gift")
	if err != nil {
		return err
	}
	t := o.Top
	return c.Answer(struct {
		sharedHead
		// Message is what the link's maker wrote to its readers.
		Message    string `json:"message,omitempty"`
		Answer     any    `json:"answer"`
		Summary    any    `json:"summary"`
		History    any    `json:"history"`
		Placements any    `json:"placements"`
		Top        any    `json:"top"`
		Gift       any    `json:"gift"`
		Campaigns  any    `json:"campaigns"`
	}{
		headOf(c, choice), c.Link.Message, orReason(o.Summary.Panel, reports.AnswerJSON(o, why)), orReason(o.Summary.Panel, o.Summary), orReason(o.Trend.Panel, o.Trend), orReason(o.Placements.Panel, reports.PlacementsAnswer(o.Placements)),
		orReason(t.Panel, struct {
			report.Panel
			Currency string            `json:"currency"`
			Unit     overview.RateUnit `json:"acceptance_unit"`
			Highest  []sharedRank      `json:"highest"`
			Lowest   []sharedRank      `json:"lowest"`
			Earned   *int              `json:"earned"`
		}{t.Panel, t.Currency, t.AcceptanceUnit, sharedRanks(t.Highest), sharedRanks(t.Lowest), t.Earned}),
		orReason(o.Gift.Panel, o.Gift), orReason(o.Campaigns.Panel, sharedCampaigns(o.Campaigns)),
	})
}

func (s *Handlers) sharePlacementsJSON(c *site.Call, choice report.Choice) error {
	o, err := s.reports.Overview(c, choice, c.Minute(), "upsell", "gift")
	if err != nil {
		return err
	}
	return c.Answer(struct {
		sharedHead
		Placements any `json:"placements"`
	}{headOf(c, choice), orReason(o.Placements.Panel, reports.PlacementsAnswer(o.Placements))})
}

// sharedOffer is an offer of the list; current facts are left out for a fixed window.
type sharedOffer struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Placement report.Placement `json:"placement"`
	CreatedAt string           `json:"created_at,omitempty"`
	Now       *sharedOfferNow  `json:"now,omitempty"`
}

// sharedRow is an offer of the list with its results in the window.
type sharedRow struct {
	sharedOffer
	reports.OfferFigures
}

type sharedOfferNow struct {
	Status   string `json:"status"`
	ABTest   bool   `json:"ab_test"`
	Priority *int   `json:"priority"`
	Unlisted bool   `json:"unlisted"`
	Deleted  bool   `json:"deleted"`
}

func sharedOfferOf(c *site.Call, r offers.Row) sharedOffer {
	out := sharedOffer{ID: r.ID, Name: r.Name, Placement: r.Placement, CreatedAt: r.CreatedAt}
	if !c.Link.Window.Fixed() {
		out.Now = &sharedOfferNow{r.Status, r.ABTest, r.Priority, r.Unlisted, r.Deleted}
	}
	return out
}

func (s *Handlers) shareOffersJSON(c *site.Call, choice report.Choice) error {
	f, err := reports.OfferFilter(c, choice)
	if err != nil {
		return err
	}
	l, t, err := s.reports.Offers(c, f, choice, c.Minute())
	if err != nil {
		return err
	}
	rows := make([]sharedRow, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = sharedRow{sharedOfferOf(c, r.Row), reports.FiguresOf(r)}
	}
	return c.Answer(struct {
		sharedHead
		reports.OffersJSON
	}{headOf(c, choice), reports.NewOffersJSON(l, t, rows)})
}

func (s *Handlers) shareOfferJSON(c *site.Call, choice report.Choice) error {
	d, err := s.reports.Offer(c, choice, c.Minute())
	if err != nil {
		return err
	}
	d.History.Days = site.List(d.History.Days)
	return c.Answer(struct {
		sharedHead
		Provenance report.Provenance `json:"provenance"`
		Offer      sharedOffer       `json:"offer"`
		Results    any               `json:"results"`
		History    any               `json:"history"`
		Events     []offers.Event    `json:"events"`
	}{headOf(c, choice), d.Listed(), sharedOfferOf(c, d.Offer), orReason(d.Results.Panel, d.Results), orReason(d.History.Panel, d.History), site.List(d.Events)})
}

// sharedCampaign is a gift campaign; current facts are left out for a fixed window.
type sharedCampaign struct {
	ID         string      `json:"id"`
	Name       string      `json:"name"`
	Type       string      `json:"type"`
	TargetPage string      `json:"target_page"`
	Code       string      `json:"code,omitempty"`
	Start      *civil.Date `json:"start_day"`
	End        *civil.Date `json:"end_day"`
	Status     string      `json:"status,omitempty"`
	LastListed *time.Time  `json:"last_listed,omitempty"`
}

func sharedCampaignOf(g report.Campaign) sharedCampaign {
	return sharedCampaign{g.ID, g.Name, g.Type, g.TargetPage, g.Code, g.Start, g.End, g.Status, g.LastListed}
}

func sharedCampaigns(g gift.Campaigns) any {
	rows := make([]sharedCampaign, len(g.Campaigns))
	for i, each := range g.Campaigns {
		rows[i] = sharedCampaignOf(each)
	}
	return struct {
		report.Panel
		Campaigns []sharedCampaign `json:"campaigns"`
		Total     int64            `json:"total"`
		Capped    bool             `json:"capped"`
	}{g.Panel, rows, g.Total, g.Capped}
}

func (s *Handlers) shareGiftJSON(c *site.Call, choice report.Choice) error {
	g, err := s.reports.Gift(c, locale.English, choice, c.Minute())
	if err != nil {
		return err
	}
	return c.Answer(struct {
		sharedHead
		Analytics any `json:"analytics"`
		History   any `json:"history"`
		Campaigns any `json:"campaigns"`
	}{headOf(c, choice), orReason(g.Analytics.Panel, g.Analytics), orReason(g.History.Panel, g.History), orReason(g.Campaigns.Panel, sharedCampaigns(g.Campaigns))})
}

func (s *Handlers) shareCampaignJSON(c *site.Call, choice report.Choice) error {
	g, err := s.reports.GiftCampaign(c, locale.English, c.Minute())
	if err != nil {
		return err
	}
	return c.Answer(struct {
		sharedHead
		Provenance report.Provenance `json:"provenance"`
		Campaign   sharedCampaign    `json:"campaign"`
	}{headOf(c, choice), g.Listed.Provenance, sharedCampaignOf(g.Campaign)})
}
