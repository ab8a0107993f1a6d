package alerts

import (
	"slices"
	"time"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/overview"
)

// stopped marks every open outage of the rule as unknown while no new upsell numbers arrive.
func (b finder) stopped(rule string) (found []Finding, is bool) {
	key := b.alerts.Credential("upsell")
	if key == nil {
		return nil, true
	}
	return b.asItWas(rule), key.Stopped()
}

// isOld reports whether an answer is too old to describe the present.
func (b finder) isOld(at time.Time) bool { return !at.IsZero() && b.Now.Sub(at) > 24*time.Hour }

// placements are switched off if an offer was active there but none is now.
func (b finder) placements() []Finding {
	if found, is := b.stopped("placement-off"); is {
		return found
	}
	var out []Finding
	for _, c := range b.alerts.Coverage {
		name := string(c.Placement)
		f := Finding{Subject: name, Title: locale.M("alert.placement.on", "placement", c.Placement.Name())}
		switch last, did := b.worked("placement " + name); {
		case b.isOld(c.FetchedAt):
		case c.ActiveCount > 0:
			b.works("placement "+name, b.Now)
			f.Standing, f.Text = Right, locale.Sentences{locale.M("alert.placement.active", "n", c.ActiveCount)}
		case !did: // never live, or not for long
			continue
		default:
			f = b.switchedOff(c, last)
		}
		out = append(out, f)
	}
	return out
}

// idle placements have offers, but none has been active for longer than we report a switched-off placement.
func (b finder) idle() []Finding {
	if found, is := b.stopped("placement-idle"); is {
		return found
	}
	var out []Finding
	for _, c := range b.alerts.Coverage {
		name := string(c.Placement)
		if _, did := b.worked("placement " + name); did || c.TotalCount == 0 {
			continue
		}
		f := Finding{Subject: name, Title: locale.M("alert.placement.on", "placement", c.Placement.Name())}
		switch {
		case b.isOld(c.FetchedAt):
		case c.ActiveCount > 0:
			f.Standing, f.Text = Right, locale.Sentences{locale.M("alert.placement.active", "n", c.ActiveCount)}
		default:
			f = b.switchedOff(c, time.Time{})
		}
		out = append(out, f)
	}
	return out
}

// switchedOff is a placement without an active offer; last is when one was last seen there, zero if
// only its days show that.
func (b finder) switchedOff(c report.StoredCover, last time.Time) Finding {
	name := string(c.Placement)
	f := Finding{
		Subject: name, Standing: Wrong, Since: last, Title: locale.M("alert.placement.off", "placement", c.Placement.Name()), Do: putOffer(c.Placement),
		Href: b.OffersHref(report.OfferFilter{Placement: c.Placement, Existing: true, Sort: report.SortPriority}), Evidence: locale.Args{"offers": c.TotalCount},
	}
	shown := b.lastShown(c.Placement)
	switch {
	case !last.IsZero():
		f.Text = append(f.Text, locale.M("alert.placement.until", "day", b.day(last)))
	case shown.IsValid():
		f.Since = shown.AddDays(1).In(b.alerts.Location)
		f.Text = append(f.Text, locale.M("alert.placement.until", "day", locale.Day{Date: shown, Year: shown.Year != b.today.Year}))
	}
	exist := locale.M("alert.placement.exist", "n", c.TotalCount)
	if c.TotalCount == 0 {
		exist = locale.M("alert.placement.none")
	}
	f.Text = append(f.Text, exist)
	if week, days := b.earnedAWeek(c.Placement, c.Currency, shown); week != nil {
		f.Stake = week
		f.Effect = locale.Sentences{locale.M("alert.effect.week", "amount", locale.Money{Amount: *week, Currency: c.Currency, Rounded: true}), locale.M("alert.effect.estimated", "days", locale.Period(days))}
	}
	return f
}

// lastShown is the last whole day on which the placement showed an offer.
func (b finder) lastShown(p report.Placement) (last civil.Date) {
	for _, d := range b.alerts.StatDays {
		if day := d.Window.Start; d.Placement == p && d.Impressions > 0 && day.Before(b.today) && (!last.IsValid() || day.After(last)) {
			last = day
		}
	}
	return last
}

// weeksEarned is how many weeks before a placement's last day the estimate of a week is based on.
const weeksEarned = 4

// earnedAWeek estimates a week of the placement from the weeks that end on last; nil unless every day
// is stored with its revenue in that currency.
func (b finder) earnedAWeek(p report.Placement, currency string, last civil.Date) (week *decimal.Decimal, days report.Window) {
	if !last.IsValid() {
		return nil, days
	}
	days = report.WindowEnding(last, 7*weeksEarned)
	sum, n := decimal.Zero, 0
	for _, d := range b.alerts.StatDays {
		switch {
		case d.Placement != p || d.Window.Start.Before(days.Start) || d.Window.Start.After(last):
		case d.Revenue == nil || d.Currency != currency:
			return nil, days
		default:
			sum, n = sum.Add(*d.Revenue), n+1
		}
	}
	if n < days.Days() {
		return nil, days
	}
	return aWeek(sum), days
}

// aWeek is a week's share of a sum over the weeks, in whole units; nil if below one unit.
func aWeek(sum decimal.Decimal) *decimal.Decimal {
	a := sum.DivRound(decimal.NewFromInt(weeksEarned), 0)
	if !a.IsPositive() {
		return nil
	}
	return &a
}

// putOffer says what to do about a placement without an active offer.
func putOffer(p report.Placement) locale.Message {
	if p == report.Coupon {
		return locale.M("alert.do.coupon")
	}
	return locale.M("alert.do.placement", "place", where(p))
}

// where names a placement within a sentence: "the order status page", or its name if it isn't a page.
func where(p report.Placement) locale.Message {
	if !p.Known() || p == report.Coupon {
		return p.Name()
	}
	return locale.M("answers.place." + p.Key())
}

// unused are the placements that never had an offer, in a store that uses others.
func (b finder) unused() []Finding {
	if found, is := b.stopped("placement-unused"); is {
		return found
	}
	var never []locale.Message
	for _, c := range b.alerts.Coverage {
		if b.isOld(c.FetchedAt) {
			return b.asItWas("placement-unused")
		}
		_, did := b.worked("placement " + string(c.Placement))
		if c.TotalCount == 0 && !did && !b.lastShown(c.Placement).IsValid() {
			never = append(never, c.Placement.Name())
		}
	}
	if len(b.alerts.Coverage) == 0 {
		return b.asItWas("placement-unused")
	}
	f := Finding{Standing: Right, Title: locale.M("alert.unused.used"), Href: b.path("/offers")}
	if n := len(never); n > 0 && n < len(b.alerts.Coverage) {
		names := never[0]
		for _, name := range never[1:] {
			names = locale.M("alert.unused.also", "first", names, "rest", name)
		}
		f.Standing, f.Title, f.Do = Wrong, locale.M("alert.unused.title", "placements", names), locale.M("alert.do.unused", "placements", names)
		f.Text = locale.Sentences{locale.M("alert.unused.text")}
	}
	return []Finding{f}
}

// triggers finds offers that can't appear because their trigger points to something deleted in the store.
func (b finder) triggers() []Finding {
	if found, is := b.stopped("trigger-deleted"); is {
		return found
	}
	d := b.DeletedTriggers()
	if d == nil {
		return []Finding{{Standing: Right, Title: locale.M("alert.trigger.fine"), Href: b.path("/offers")}}
	}
	f := Finding{
		Standing: Wrong, Title: d.Title(), Text: locale.Sentences{d.Text()}, Do: locale.M("alert.do.trigger", "n", d.Offers), Href: d.Href,
		Evidence: locale.Args{"offers": d.Offers},
	}
	if f.Effect = b.earnedBefore(); f.Effect == nil {
		f.Effect = b.ofOffers(d.Offers)
	}
	return []Finding{f}
}

// TriggerWindow is the weeks before an offer with a deleted trigger was first seen.
func (s Stored) TriggerWindow(now time.Time) report.Window {
	if o := s.open("trigger-deleted", ""); o != nil {
		now = o.Since
	}
	return report.WindowEnding(civil.DateOf(now.In(s.Location)).AddDays(-1), 7*weeksEarned)
}

// earnedBefore says what the offers with a deleted trigger earned per week before we noticed, if
// each day's ranking is complete and in the store's currency. Placements are never added up (N14), so
// it's the amount of the one with the most. It isn't a stake, because an offer with a second trigger
// still earns.
func (b finder) earnedBefore() locale.Sentences {
	days, currency, whole := b.alerts.TriggerWindow(b.Now), b.alerts.Store.Currency, 0
	for _, r := range b.alerts.TriggerDays.Ranked {
		if r.Whole && r.Currency == currency && days.Contains(r.Day) {
			whole++
		}
	}
	if whole < days.Days() {
		return nil
	}
	var most decimal.Decimal
	var at report.StoredDeletedTriggers
	for _, t := range b.alerts.Triggers {
		if !t.Placement.ReportsRevenue() {
			continue
		}
		sum := decimal.Zero
		for _, d := range b.alerts.TriggerDays.Days {
			switch {
			case !days.Contains(d.Day) || !slices.Contains(t.IDs, d.OfferID):
			case d.Revenue == nil || d.Currency != currency:
				return nil
			default:
				sum = sum.Add(*d.Revenue)
			}
		}
		if sum.GreaterThan(most) {
			most, at = sum, t
		}
	}
	week := aWeek(most)
	if week == nil {
		return nil
	}
	return locale.Sentences{
		locale.M("alert.effect.earned", "amount", locale.Money{Amount: *week, Currency: currency, Rounded: true}),
		locale.M("alert.effect.earned_by", "n", at.Offers, "place", where(at.Placement), "days", locale.Period(days)),
	}
}

// ofOffers says how many of the store's offers are affected.
func (b finder) ofOffers(n int64) locale.Sentences {
	total := int64(0)
	for _, c := range b.alerts.Coverage {
		total += c.TotalCount
	}
	if total < n {
		return nil
	}
	return locale.Sentences{locale.M("alert.effect.unknown"), locale.M("alert.effect.of_offers", "n", n, "total", total)}
}

// SilentWindow is the 30 days that end yesterday.
func SilentWindow(today civil.Date) report.Window { return report.WindowEnding(today.AddDays(-1), 30) }

// silent offers were active on each of the last 30 days and sold nothing. The list behind the link uses
// the same answer for the same days (N73).
func (b finder) silent() []Finding {
	if found, is := b.stopped("sold-nothing"); is {
		return found
	}
	window := SilentWindow(b.today)
	ids, known := overview.SoldNothing(b.alerts.Top, report.Choice{Preset: report.Custom, Window: window, Comparison: report.CompareNone, Today: b.today}, b.Now)
	if !known {
		return b.asItWas("sold-nothing")
	}
	f := Finding{Standing: Right, Title: locale.M("alert.silent.sold"), Href: b.path("/offers")}
	if n := int64(len(ids)); n > 0 {
		f.Standing, f.Since, f.Href = Wrong, window.Start.In(b.alerts.Location), b.OffersHref(report.OfferFilter{SoldNothing: &window})
		f.Title, f.Do = locale.M("alert.silent.title", "n", n), locale.M("alert.do.silent", "n", n)
		f.Text = locale.Sentences{locale.M("alert.silent.text", "days", locale.Period(window))}
		f.Effect = locale.Sentences{locale.M("alert.effect.no_sales"), locale.M("alert.effect.in_days", "n", int64(window.Days()))}
		f.Evidence = locale.Args{"offers": n}
	}
	return []Finding{f}
}
