package fetch

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/sync/plan"
)

// walkTime is how long a walk may take before it is abandoned for a new one: a slice that the
// service can't or won't list must not keep the rest from being read. Pages keep showing the
// last walk that finished.
const walkTime = 20 * time.Hour

// offerRows are the rows of a page without duplicates: a page may list an offer twice, and one
// statement can't set a row twice.
func offerRows(in []upsell.Offer) []sqlc.Offer {
	list := make([]sqlc.Offer, 0, len(in))
	for _, o := range in {
		if !slices.ContainsFunc(list, func(r sqlc.Offer) bool { return r.OfferID == o.ID }) {
			list = append(list, sqlc.Offer{
				OfferID: o.ID, Name: o.Name, Status: string(o.Status), Placement: report.Placement(o.Type), AbTest: o.ABTest, Url: db.Optional(o.URL),
				Revenue: o.Revenue, CreatedAtText: db.Optional(o.CreatedAt), Deleted: o.IsDeleted,
			})
		}
	}
	return list
}

// living returns the ids of rows that aren't marked as deleted.
func living(list []sqlc.Offer) []string {
	ids := make([]string, 0, len(list))
	for _, o := range list {
		if !o.Deleted {
			ids = append(ids, o.OfferID)
		}
	}
	return ids
}

func placementLabels() []string {
	return db.Each(upsell.Placements(), func(p upsell.Placement) string { return string(p) })
}

// step is how far the walk over the offers has come.
type step struct {
	walk  sqlc.OfferWalk
	slice sqlc.OfferSlice
	// more are slices still to be walked after this one, and last is the highest number given
	// so far.
	more int
	last int
}

func (s step) asSlice() plan.ListSlice {
	return plan.ListSlice{N: int(s.slice.N), Placement: string(s.slice.Placement), Status: s.slice.Status, ABTest: s.slice.AbTest, Sort: s.slice.Sort}
}

// offerPage pulls the next page of the walk over the offers. Each page is its own pull, so a
// killed walk continues where it left off. Paging follows hasMore (N8), but not past a page that
// has nothing or only repeats others, nor past the last one (N9). An offer is never deleted for
// not being listed (N11).
func (f Caller) offerPage(ctx context.Context, c *upsell.Client) (Answer, error) {
	q := f.DB.Queries()
	counts, err := q.OfferCountRows(ctx, f.Store)
	if err != nil {
		return Answer{}, fmt.Errorf("read the offer count: %w", err)
	}
	at, err := f.step(ctx, q, counts)
	if err != nil {
		return Answer{}, fmt.Errorf("find the walk over the offers: %w", err)
	}
	s, page := at.asSlice(), int(at.slice.NextPage)
	got, err := c.Offers(ctx, upsell.OffersQuery{
		Page: page, Sort: upsell.Sort(s.Sort), Type: upsell.Placement(s.Placement), Status: upsell.Status(s.Status), ABTest: s.ABTest,
	})
	if err != nil {
		return Answer{}, err
	}
	d := got.Data
	a := from(got)
	a.Currency, a.Domain = string(d.Currency), d.ShopDomain
	if got.Has(upstream.FlagFilterDiffers) {
		return Answer{}, Broken(a, filterWords(s))
	}
	list := offerRows(d.Offers)
	if slices.ContainsFunc(list, unknownWords) { // kept raw (N31)
		a.Flags = addFlag(a.Flags, report.FlagUnknownValue)
	}
	var total *int64
	if page == 1 {
		total = &d.Total
		at.slice.ListedTotal = total
	}
	over, short, err := f.sliceOver(ctx, q, &at, list, d.HasMore)
	if err != nil {
		return Answer{}, err
	}
	var follow []plan.ListSlice
	if over {
		follow = plan.NextSlices(s, short, counts)
		for i := range follow {
			follow[i].N = at.last + 1 + i
		}
	}
	finished := over && at.more == 0 && len(follow) == 0
	a.More, a.Replan = !finished, finished
	if finished { // the ledger keeps what the last page says about the walk
		unknown, err := q.UnknownInWalk(ctx, sqlc.UnknownInWalkParams{StoreID: f.Store, WalkID: at.walk.ID, Placements: placementLabels()})
		if err != nil {
			return Answer{}, fmt.Errorf("look for unknown values: %w", err)
		}
		if unknown {
			a.Flags = addFlag(a.Flags, report.FlagUnknownValue)
		}
	}
	a.Text = pageWords(s, page)
	set(&a, (*sqlc.Queries).UpsertOffers, sqlc.UpsertOffersParams{
		StoreID: f.Store, Rows: db.Rows(list), Currency: db.Optional(string(d.Currency)), FetchedAt: a.FetchedAt, Walk: at.walk.ID,
	})
	set(&a, (*sqlc.Queries).MeetOffers, sqlc.MeetOffersParams{StoreID: f.Store, OfferIds: living(list), Walk: at.walk.ID})
	next := sqlc.StepSliceParams{WalkID: at.walk.ID, N: at.slice.N, NextPage: int32(page + 1), ListedTotal: total, Fresh: at.slice.Fresh, Clamped: short}
	if over {
		next.DoneAt = &a.FetchedAt
	}
	set(&a, (*sqlc.Queries).StepSlice, next)
	walked := sqlc.StepWalkParams{ID: at.walk.ID, Calls: at.walk.Calls + int32(got.Attempts)}
	if s.WholeShop() {
		walked.ListedTotal = total
	}
	set(&a, (*sqlc.Queries).StepWalk, walked)
	if len(follow) > 0 {
		set(&a, (*sqlc.Queries).AddSlices, sqlc.AddSlicesParams{WalkID: at.walk.ID, Slices: db.Rows(follow)})
	}
	if finished {
		set(&a, (*sqlc.Queries).FinishWalk, sqlc.FinishWalkParams{ID: at.walk.ID, FinishedAt: &a.FetchedAt})
		set(&a, (*sqlc.Queries).SettleWalk, sqlc.SettleWalkParams{StoreID: f.Store, At: &a.FetchedAt})
	}
	return a, nil
}

// sliceOver reports whether a slice of the list ends with this page, and whether it is short of what it should
// show.
func (f Caller) sliceOver(ctx context.Context, q *sqlc.Queries, at *step, list []sqlc.Offer, more bool) (over, short bool, err error) {
	s := at.asSlice()
	first := at.slice.NextPage == 1
	// If slices show the whole list, don't read it to the service's clamp.
	short = more && (at.slice.NextPage >= upsell.LastPage || first && *at.slice.ListedTotal > plan.ListReach && s.Status == "")
	over = !more || short || len(list) == 0
	switch {
	case s.Sort == string(upsell.Newest):
		return f.met(ctx, q, at, list, over, short)
	case s.WholeShop() && !over && !first: // a page that only repeats others is past the end, whatever hasMore says
		known, err := metBefore(ctx, q, sqlc.MetInWalkParams{StoreID: f.Store, Walk: at.walk.ID}, list)
		return known == len(list), false, err
	}
	return over, short, nil
}

// metBefore counts the offers of a page that a walk has met on earlier pages.
func metBefore(ctx context.Context, q *sqlc.Queries, walk sqlc.MetInWalkParams, list []sqlc.Offer) (int, error) {
	walk.OfferIds = db.Each(list, func(o sqlc.Offer) string { return o.OfferID })
	known, err := q.MetInWalk(ctx, walk)
	return len(known), db.Tried(err, "compare the pages of the list")
}

// unknownWords reports whether the documents don't name the offer's placement or status.
func unknownWords(o sqlc.Offer) bool {
	return !upsell.Placement(o.Placement).Known() || !upsell.Status(o.Status).Known()
}

// step returns the current walk's position, or begins a walk.
func (f Caller) step(ctx context.Context, q *sqlc.Queries, counts []sqlc.OfferCount) (step, error) {
	open, err := q.NewestWalk(ctx, sqlc.NewestWalkParams{StoreID: f.Store, Open: true})
	if err != nil {
		return step{}, err
	}
	var walk sqlc.OfferWalk
	if len(open) > 0 {
		walk = open[0]
	}
	if len(open) > 0 && f.Now().Sub(walk.StartedAt) > walkTime {
		if err := q.DropWalk(ctx, walk.ID); err != nil {
			return step{}, err
		}
		open = nil
	}
	if len(open) == 0 {
		first := plan.FirstSlices(counts)
		for i := range first {
			first[i].N = i
		}
		var started sqlc.StartWalkRow
		started, err = q.StartWalk(ctx, sqlc.StartWalkParams{StoreID: f.Store, StartedAt: f.Now(), Slices: db.Rows(first)})
		walk = sqlc.OfferWalk(started)
	}
	if err != nil {
		return step{}, err
	}
	parts, err := q.SlicesOfWalk(ctx, walk.ID)
	if err != nil {
		return step{}, err
	}
	at := step{walk: walk, more: -1}
	for _, p := range parts {
		at.last = int(p.N)
		if p.DoneAt != nil {
			continue
		}
		if at.more++; at.more == 0 {
			at.slice = p
		}
	}
	if at.more < 0 {
		return step{}, fmt.Errorf("the walk %d has nothing left to list", walk.ID)
	}
	return at, nil
}

// met ends the newest-first list where it meets the oldest-first one: all offers of the part
// are found, or a page holds no new ones. Offers made in the same second may be in either
// order, so a single known offer doesn't end it. If more than a page is still missing then, no
// row has moved: the two lists aren't in one order.
func (f Caller) met(ctx context.Context, q *sqlc.Queries, at *step, list []sqlc.Offer, over, clamped bool) (done, short bool, err error) {
	known, err := metBefore(ctx, q, sqlc.MetInWalkParams{StoreID: f.Store, Walk: at.walk.ID}, list)
	if err != nil {
		return false, false, err
	}
	seen, err := q.SeenOfPart(ctx, sqlc.SeenOfPartParams{
		StoreID: f.Store, WalkID: at.walk.ID, Placement: string(at.slice.Placement), Status: at.slice.Status, AbTest: at.slice.AbTest,
	})
	if err != nil {
		return false, false, fmt.Errorf("count what was listed: %w", err)
	}
	fresh := int64(len(list) - known)
	at.slice.Fresh += fresh
	missing := int64(0)
	if at.slice.ListedTotal != nil {
		missing = *at.slice.ListedTotal - seen - fresh
	}
	switch {
	case missing <= 0:
		return true, false, nil
	case fresh == 0:
		return true, missing > upsell.PageSize, nil
	}
	return over, clamped, nil
}

func filterWords(s plan.ListSlice) string {
	if s.WholeShop() {
		return "the reply is filtered though nothing was asked to be"
	}
	return "the reply does not say that it is filtered as asked"
}

// pageWords describe a page of a list: "page 3", "page 2 of the newest, Coupon offer, active".
func pageWords(s plan.ListSlice, page int) locale.Message {
	var of []string
	for _, filter := range []string{s.Placement, s.Status} {
		if filter != "" {
			of = append(of, filter)
		}
	}
	if s.ABTest {
		of = append(of, "A/B test")
	}
	switch filters := strings.Join(of, ", "); {
	case s.Sort == string(upsell.Newest):
		return locale.M("sync.said.page_newest", "n", page, "filters", filters)
	case filters != "":
		return locale.M("sync.said.page_of", "n", page, "filters", filters)
	}
	return locale.M("sync.said.page", "n", page)
}
