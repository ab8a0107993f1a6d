package report

import (
	"encoding/json"
	"time"

	"github.com/golang-sql/civil"
)

// Own is the basis of what Storeglass says about itself: the list of stores, the ledger, the budget.
const Own Basis = "own"

// MarshalJSON writes the provenance as documented for the JSON API: window is null if the number has
// none (current state, all time) and asked is null if nothing was asked; fetched_at is when the oldest
// reply behind the number came, null if nothing was ever fetched; lists are never null.
func (p Provenance) MarshalJSON() ([]byte, error) {
	type window struct {
		Start  civil.Date `json:"start"`
		End    civil.Date `json:"end"`
		Days   int        `json:"days"`
		Source string     `json:"source"`
		Asked  *Window    `json:"asked"`
	}
	type check struct {
		Agrees   bool      `json:"agrees"`
		Days     int       `json:"days"`
		Missing  int       `json:"missing"`
		Reported string    `json:"reported"`
		Stitched string    `json:"stitched"`
		At       time.Time `json:"at"`
	}
	out := struct {
		Endpoint    string       `json:"endpoint"`
		Basis       Basis        `json:"basis"`
		Window      *window      `json:"window"`
		Timezone    string       `json:"timezone,omitempty"`
		FetchedAt   *time.Time   `json:"fetched_at"`
		FetchedLast *time.Time   `json:"fetched_last,omitempty"`
		Replies     int          `json:"replies"`
		Missing     []civil.Date `json:"missing_days"`
		Cut         []civil.Date `json:"cut_days,omitempty"`
		Revised     int          `json:"revised_days"`
		Repaired    int          `json:"repaired_days,omitempty"`
		LeftOut     *civil.Date  `json:"left_out,omitempty"`
		Check       *check       `json:"check,omitempty"`
		Flags       []Flag       `json:"flags"`
	}{
		Endpoint: p.Endpoint, Basis: p.Basis, Timezone: p.Timezone, Replies: p.Replies, Missing: p.Missing, Cut: p.Cut,
		Revised: p.Revised, Repaired: p.Repaired, LeftOut: p.LeftOut, FetchedAt: utc(p.FetchedAt), Flags: p.Flags,
	}
	if p.Window != nil {
		out.Window = &window{p.Window.Start, p.Window.End, p.Window.Days(), p.Source, p.Asked}
	}
	if !p.FetchedLast.Equal(p.FetchedAt) {
		out.FetchedLast = utc(p.FetchedLast)
	}
	if c := p.Check; c != nil {
		out.Check = &check{c.Agrees, c.Days, c.Missing, c.Reported.String(), c.Stitched.String(), c.At.UTC()}
	}
	if out.Missing == nil {
		out.Missing = []civil.Date{}
	}
	if out.Flags == nil {
		out.Flags = []Flag{}
	}
	return json.Marshal(out)
}

func utc(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}
