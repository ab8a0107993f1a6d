package world

import "time"

// Totals are the additive parts of a store's days. Impressions and claims of post-purchase are those of its first upsell.
type Totals struct {
	Orders, Sales           int64 // every order and its total, minor units
	UpsoldOrders            int64 // orders that accepted at least one upsell
	GiftOrders, GiftRevenue int64
	By                      [Placements]Cell
}

// Cell is the results of a placement or an offer.
type Cell struct{ Impressions, Claims, Revenue int64 }

func (c *Cell) add(o Cell, sign int64) {
	c.Impressions += sign * o.Impressions
	c.Claims += sign * o.Claims
	c.Revenue += sign * o.Revenue
}

func (t *Totals) add(o *Totals, sign int64) {
	t.Orders += sign * o.Orders
	t.Sales += sign * o.Sales
	t.UpsoldOrders += sign * o.UpsoldOrders
	t.GiftOrders += sign * o.GiftOrders
	t.GiftRevenue += sign * o.GiftRevenue
	for p := range t.By {
		t.By[p].add(o.By[p], sign)
	}
}

// Revenue is what every placement but the coupon earned; coupons earn nothing here.
func (t *Totals) Revenue() (sum int64) {
	for p := range t.By {
		sum += t.By[p].Revenue
	}
	return sum
}

func (t *Totals) Impressions() (sum int64) {
	for p := range t.By {
		sum += t.By[p].Impressions
	}
	return sum
}

// row holds the sums from the first day to one day, for the store and for each offer created by then.
type row struct {
	all    Totals
	offers []Cell
}

// after is the row of the next day.
func (r row) after(orders []order, m Moment, day, offers int) row {
	next := row{all: r.all, offers: make([]Cell, offers)}
	copy(next.offers, r.offers)
	for i := range orders {
		o := &orders[i]
		if day == m.Day && o.minute > m.minute {
			continue
		}
		// Only the order is late, not what its buyer saw on the way.
		next.count(o, day+o.late <= m.Day)
	}
	return next
}

func (r *row) count(o *order, arrived bool) {
	upsold := false
	for p := range Placements {
		at := o.Shown[p]
		if at == None {
			continue
		}
		c := Cell{Impressions: 1}
		if o.Took[p] && arrived {
			c.Claims, c.Revenue = 1, o.Earned[p]
			upsold = upsold || p != Coupon
		}
		r.all.By[p].add(c, 1)
		r.offers[at].add(c, 1)
	}
	if !arrived {
		return
	}
	r.all.Orders++
	r.all.Sales += o.Total
	if upsold {
		r.all.UpsoldOrders++
	}
	if o.Gift {
		r.all.GiftOrders++
		r.all.GiftRevenue += o.Total
	}
}

// Book is a store as it is at one minute. It is never changed: a request reads one book from start to end.
type Book struct {
	Now    Moment
	Offers []Offer
	rows   []row // by day number

	Priority []int // by offer; 0 means none
}

// unsettled is how many days before today can still change if orders are late.
const unsettled = 3

// Book returns the state at a time; a new one is made at most once a minute, from the days that can still
// change.
func (sh *Shop) Book(at time.Time) *Book {
	now := sh.Moment(at)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.newest != nil && sh.newest.Now == now {
		return sh.newest
	}
	b := &Book{Now: now, Offers: sh.Offers(now.Day)}
	settled := now.Day
	if sh.LateOrders {
		settled -= unsettled
	}
	for day := len(sh.final); day < settled; day++ {
		sh.final = append(sh.final, sh.follow(sh.final, b, day))
	}
	settled = max(0, min(settled, len(sh.final)))
	b.rows = append(make([]row, 0, max(0, now.Day+1)), sh.final[:settled]...)
	for day := settled; day <= now.Day; day++ {
		b.rows = append(b.rows, sh.follow(b.rows, b, day))
	}
	b.Priority = Priorities(b.Offers, now)
	sh.newest = b
	return b
}

func (sh *Shop) follow(rows []row, b *Book, day int) row {
	var before row
	if day > 0 {
		before = rows[day-1]
	}
	orders := sh.Orders(day, b.Offers)
	if !sh.LateOrders {
		for i := range orders {
			orders[i].late = 0
		}
	}
	return before.after(orders, b.Now, day, len(b.Offers))
}

// upTo returns the sums up to a day; days outside the world add nothing.
func (b *Book) upTo(day int) row {
	day = min(day, len(b.rows)-1)
	if day < 0 {
		return row{}
	}
	return b.rows[day]
}

// Sum adds up the days of a span, both ends included. An empty span adds up to zero.
func (b *Book) Sum(from, to int) Totals {
	if to < from {
		return Totals{}
	}
	last, first := b.upTo(to), b.upTo(from-1)
	last.all.add(&first.all, -1)
	return last.all
}

// Offer adds up one offer over a span.
func (b *Book) Offer(i, from, to int) Cell {
	if to < from {
		return Cell{}
	}
	out, before := b.upTo(to).at(i), b.upTo(from-1).at(i)
	out.add(before, -1)
	return out
}

func (r row) at(i int) Cell {
	if i >= len(r.offers) {
		return Cell{}
	}
	return r.offers[i]
}
