package plan

import (
	"time"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
)

// callTime is our guess for a call until one was made; ownTime is what planning and writing add
// to each call.
const (
	callTime = 250 * time.Millisecond
	ownTime  = 25 * time.Millisecond
)

// OutlookOf reads a service's queue from stored rows.
func OutlookOf(service string, stored db.StoredQueue, limit int) Outlook {
	o := Outlook{Limit: limit, Sharers: stored.Sharers[service], Call: callTime, Listed: stored.Listed}
	if ms, ok := stored.Millis[service]; ok {
		o.Call = time.Duration(ms * float64(time.Millisecond))
	}
	o.Call += ownTime
	for _, s := range stored.Slots {
		if s.Service == service {
			o.Slots = append(o.Slots, s)
		}
	}
	if service != Upsell {
		return o
	}
	o.Offers, o.OrderCalls = stored.Offers, map[string]int{}
	o.ListCalls = listCalls(stored.Counts)
	if stored.Open != nil {
		o.ListCalls -= int(stored.Open.Calls)
	}
	for _, c := range stored.Counts {
		if c.Placement == "" {
			o.Active = int(c.Active)
			continue
		}
		o.OrderCalls[c.Placement.Key()] = pagesOf(c.Total)
	}
	for _, w := range stored.Orders {
		if key := w.Placement.Key(); w.FinishedAt == nil {
			o.OrderCalls[key] -= int(w.NextPage) - 1
		}
	}
	return o
}

// listCalls is how many pages a walk over the offers has.
func listCalls(counts []sqlc.OfferCount) int {
	calls, all := 0, true
	slices := FirstSlices(counts)
	for _, s := range slices {
		size, known := s.part().size(counts)
		calls, all = calls+pagesOf(size), all && known
	}
	if total, known := (part{}).size(counts); known && !all { // each slice may end with a partial page
		calls = max(calls, int((total+upsell.PageSize-1)/upsell.PageSize)+len(slices)-1)
	}
	return calls
}

func pagesOf(offers int64) int {
	return int(min(max(1, (offers+upsell.PageSize-1)/upsell.PageSize), upsell.LastPage))
}
