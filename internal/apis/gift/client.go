package gift

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// MaxDays is the longest analytics window.
const MaxDays = 365

// Client calls the Gift Store API for one store.
type Client struct {
	upstream upstream.Client
}

// New makes a client. base comes from [upstream.CheckBase].
func New(t *upstream.Transport, base *url.URL, token upstream.Secret, gate upstream.Gate) *Client {
	return &Client{upstream.Client{Transport: t, Base: base, Token: token, Gate: gate, Classify: classify, ErrorIsNull: true}}
}

// Analytics pulls the five metrics for the last 1 to 365 days, up to the store's yesterday.
// includeToday extends the window to today: the numbers are then partial and must not go into
// history (N45).
//
// The service checks neither parameter (N43), so days out of bounds are refused here, and the
// reply's period is compared with what was asked for. The time zone is never sent: the service
// knows the store's own (N44).
func (c *Client) Analytics(ctx context.Context, days int, includeToday bool) (upstream.Answer[Analytics], error) {
	op := fmt.Sprintf("pull gift analytics of %d days", days)
	if days < 1 || days > MaxDays {
		return upstream.Answer[Analytics]{}, upstream.Refuse(op, "the number of days is not 1 to %d", MaxDays)
	}
	query := url.Values{"days": {strconv.Itoa(days)}}
	if includeToday {
		query.Set("includeToday", "true")
	}
	answer, err := upstream.Get[Analytics](ctx, &c.upstream, op, "/analytics", query)
	if err != nil {
		return answer, err
	}
	if !answer.Data.Period.meets(days, includeToday) {
		answer.Flag(upstream.FlagWindowDiffers)
	}
	if answer.Data.Period.IncludesToday {
		answer.Flag(upstream.FlagPartial)
	}
	if answer.Data.Cached {
		answer.Flag(upstream.FlagCached)
	}
	return answer, nil
}

// Plan pulls the store's plan and how much of it is used.
func (c *Client) Plan(ctx context.Context) (upstream.Answer[Plan], error) {
	return upstream.Get[Plan](ctx, &c.upstream, "pull gift plan", "/plan", nil)
}

// SetupHealth pulls whether the widget can appear at all. A section that the service could not
// read is nil, and Errors says so; the answer is then flagged partial and doesn't mean "all
// clear" (rule 1, N50).
func (c *Client) SetupHealth(ctx context.Context) (upstream.Answer[SetupHealth], error) {
	answer, err := upstream.Get[SetupHealth](ctx, &c.upstream, "pull gift setup health", "/setup-health", nil)
	if err == nil && !answer.Data.Complete() {
		answer.Flag(upstream.FlagPartial)
	}
	return answer, err
}

// Campaigns pulls the campaigns of one status, or all of them if status is nil. Only the three
// documented statuses are sent: any other would give an empty list that looks like an answer
// (rule 2, N53). The list is capped at 100 (N51).
func (c *Client) Campaigns(ctx context.Context, status *Status) (upstream.Answer[Campaigns], error) {
	op, query := "pull gift campaigns", url.Values{}
	if status != nil {
		op += " that are " + string(*status)
		if !status.Known() {
			return upstream.Answer[Campaigns]{}, upstream.Refuse(op, "the status is not active, scheduled or expired")
		}
		query.Set("status", string(*status))
	}
	answer, err := upstream.Get[Campaigns](ctx, &c.upstream, op, "/campaigns", query)
	if err == nil && answer.Data.Capped() {
		answer.Flag(upstream.FlagCut)
	}
	return answer, err
}
