package gift

import (
	"errors"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// ListCap is how many campaigns a list holds at most.
const ListCap = 100

// Status is a campaign's status as the service wrote it.
type Status string

// The documented statuses.
const (
	Active    Status = "active"
	Scheduled Status = "scheduled"
	Expired   Status = "expired"
)

// Known reports whether the document names the status.
func (s Status) Known() bool { return s == Active || s == Scheduled || s == Expired }

// Campaigns is a list of campaigns (GET /campaigns). Deleted campaigns aren't in it and leave
// no trace (N52).
type Campaigns struct {
	Total     int64
	Campaigns []Campaign
}

// DecodeRaw takes an object with total and the summaries. Their list's name isn't documented: it is
// campaigns, or the only list.
func (c *Campaigns) DecodeRaw(value []byte) error {
	said, err := upstream.Decode[struct {
		Total int64 `json:"total" required:"true"`
	}](value)
	if err != nil {
		return err
	}
	var lists []upstream.Member
	for m := range upstream.Members(value) {
		if m.Name == "campaigns" {
			lists = []upstream.Member{m}
			break
		}
		if m.Value.Kind() == '[' {
			lists = append(lists, m)
		}
	}
	if len(lists) != 1 {
		return errors.New("it has no list of campaigns")
	}
	c.Total = said.Total
	c.Campaigns, err = upstream.Decode[[]Campaign](lists[0].Value)
	if broken, ok := errors.AsType[*upstream.Contract](err); ok {
		broken.Where = "/" + lists[0].Name + broken.Where
	}
	return err
}

// Capped reports whether the list reached its cap: there may be more campaigns, and Total is
// "100+" (N51).
func (c Campaigns) Capped() bool { return len(c.Campaigns) >= ListCap }

// Campaign is a campaign's summary. The JSON types of its fields aren't documented.
type Campaign struct {
	// ID is the text of a string or a number.
	ID upstream.ID `json:"id" required:"true"`
	// Name is "" if the campaign has none: one without a name must not hide all others.
	Name upstream.Text `json:"name"`
	// Status is as it came, possibly one that we don't know.
	Status     Status        `json:"status" required:"true"`
	Type       upstream.Text `json:"type"`
	TargetPage upstream.Text `json:"targetPage"`
	// StartDate and EndDate are as they came; "" if there is none (N26, N33).
	StartDate upstream.Text `json:"startDate"`
	EndDate   upstream.Text `json:"endDate"`
	// Code is the campaign's own code, "" if there is none.
	Code upstream.Text `json:"code"`
}
