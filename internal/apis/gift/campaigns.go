package gift

import (
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

// Campaigns is a list of campaigns (GET /campaigns). A deleted campaign is not in
// it and leaves no trace (N52).
type Campaigns struct {
	Total     int64      `json:"total" required:"true"`
	Campaigns []Campaign `json:"campaigns" required:"true"`
}

// Capped reports whether the list met its cap: there may be more than it shows,
// and Total is then "100+" (N51).
func (c Campaigns) Capped() bool { return len(c.Campaigns) >= ListCap }

// Campaign is a campaign in short. The JSON types of its fields are not shown.
type Campaign struct {
	// ID is the text of a string or a number.
	ID   upstream.ID `json:"id" required:"true"`
	Name string      `json:"name" required:"true"`
	// Status is raw; it may be one that we do not know.
	Status     Status        `json:"status" required:"true"`
	Type       upstream.Text `json:"type"`
	TargetPage upstream.Text `json:"targetPage"`
	// StartDate and EndDate are as they came; nil when there is none (N26, N33).
	StartDate *string `json:"startDate"`
	EndDate   *string `json:"endDate"`
	// Code is the campaign's own code, "" when there is none.
	Code upstream.Text `json:"code"`
}
