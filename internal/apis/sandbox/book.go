package sandbox

import "time"

// totals are the additive parts of a store's days. Impressions and claims of post-purchase are those of its first upsell.
type totals struct {
	orders, sales           int64 // every order and its total, minor units
	upsoldOrders            int64 // orders that accepted at least one upsell
	giftOrders, giftRevenue int64
	by                      [placements]cell
}

// cell is what a placement or an offer did.
type cell struct{ impressions, claims, revenue int64 }

func (c *cell) add(o cell, sign int64) {
	c.impressions += sign * o.impressions
	c.claims += sign * o.claims
	c.revenue += sign * o.revenue
}

func (t *totals) add(o *totals, sign int64) {
	t.orders += sign * o.orders
	t.sales += sign * o.sales
	t.upsoldOrders += sign * o.upsoldOrders
	t.giftOrders += sign * o.giftOrders
	t.giftRevenue += sign * o.giftRevenue
	for p := range t.by {
		t.by[p].add(o.by[p], sign)
	}
}

// revenue is what every placement but the coupon earned; a coupon earns none in this world.
func (t *totals) revenue() (sum int64) {
	for p := range t.by {
		sum += t.by[p].revenue
	}
	return sum
}

func (t *totals) impressions() (sum int64) {
	for p := range t.by {
		sum += t.by[p].impressions
	}
	return sum
}

// row holds the sums from the first day to one day, for the store and for each offer created by then.
type row struct {
	all    totals
	offers []cell
}

// after is the row of the next day.
func (r row) after(orders []order, m moment, day, offers int) row {
	next := row{all: r.all, offers: make([]cell, offers)}
	copy(next.offers, r.offers)
	for i := range orders {
		o := &orders[i]
		if day == m.day && o.minute > m.minute {
			continue
		}
		// An order is late, what its buyer saw on the way is not.
		next.count(o, day+o.late <= m.day)
	}
	return next
}

func (r *row) count(o *order, arrived bool) {
	upsold := false
	for p := range placements {
		at := o.shown[p]
		if at == none {
			continue
		}
		c := cell{impressions: 1}
		if o.took[p] && arrived {
			c.claims, c.revenue = 1, o.earned[p]
			upsold = upsold || p != coupon
		}
		r.all.by[p].add(c, 1)
		r.offers[at].add(c, 1)
	}
	if !arrived {
		return
	}
	r.all.orders++
	r.all.sales += o.total
	if upsold {
		r.all.upsoldOrders++
	}
	if o.gift {
		r.all.giftOrders++
		r.all.giftRevenue += o.total
	}
}

// book is a store as it stands at one minute. It is never changed: a request reads one book from start to end.
type book struct {
	now    moment
	offers []offer
	rows   []row // by day number

	priority []int // by offer; 0 is none
}

// unsettled is how many days before today can still change when orders are late.
const unsettled = 3

// book is the state at a time; a new one is made once a minute at most, from the days that can still change.
func (sh *shop) book(at time.Time) *book {
	now := sh.moment(at)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.newest != nil && sh.newest.now == now {
		return sh.newest
	}
	b := &book{now: now, offers: sh.offers(now.day)}
	settled := now.day
	if sh.lateOrders {
		settled -= unsettled
	}
	for day := len(sh.final); day < settled; day++ {
		sh.final = append(sh.final, sh.follow(sh.final, b, day))
	}
	settled = max(0, min(settled, len(sh.final)))
	b.rows = append(make([]row, 0, max(0, now.day+1)), sh.final[:settled]...)
	for day := settled; day <= now.day; day++ {
		b.rows = append(b.rows, sh.follow(b.rows, b, day))
	}
	b.priority = priorities(b.offers, now)
	sh.newest = b
	return b
}

func (sh *shop) follow(rows []row, b *book, day int) row {
	var before row
	if day > 0 {
		before = rows[day-1]
	}
	orders := sh.orders(day, b.offers)
	if !sh.lateOrders {
		for i := range orders {
			orders[i].late = 0
		}
	}
	return before.after(orders, b.now, day, len(b.offers))
}

// upTo gives the sums of the days up to one; days outside the world bring nothing.
func (b *book) upTo(day int) row {
	day = min(day, len(b.rows)-1)
	if day < 0 {
		return row{}
	}
	return b.rows[day]
}

// sum adds up the days of a span, both ends included. An empty span is nothing.
func (b *book) sum(from, to int) totals {
	if to < from {
		return totals{}
	}
	last, first := b.upTo(to), b.upTo(from-1)
	last.all.add(&first.all, -1)
	return last.all
}

// offer adds up one offer over a span.
func (b *book) offer(i, from, to int) cell {
	if to < from {
		return cell{}
	}
	out, before := b.upTo(to).at(i), b.upTo(from-1).at(i)
	out.add(before, -1)
	return out
}

func (r row) at(i int) cell {
	if i >= len(r.offers) {
		return cell{}
	}
	return r.offers[i]
}
