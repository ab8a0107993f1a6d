package alerts

import (
	"time"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/fact"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
)

// mostStale is how old the newest answer of hourly pulls may be.
const mostStale = 6 * time.Hour

// stale is a service that is connected and refuses nothing, but brings nothing new.
func (b finder) stale() []Finding {
	var out []Finding
	for _, c := range b.alerts.Credentials {
		f := Finding{Subject: c.Service, Href: b.path("/sync")}
		good := b.alerts.UpsellAt
		if c.Service == "gift" {
			good = b.alerts.GiftAt
		}
		switch {
		case c.NeedsPerson() || c.Outage(): // rules of their own
			if b.alerts.open("sync-stale", c.Service) == nil {
				continue
			}
		case good.IsZero():
			continue
		case b.Now.Sub(good) <= mostStale:
			f.Standing, f.Title, f.Text = Right, locale.M("alert.stale.over."+c.Service), locale.Sentences{locale.M("alert.stale.newest", "at", locale.Moment{At: good, Zone: b.alerts.Store.Timezone})}
		default:
			f.Standing, f.Since, f.Title = Wrong, good, locale.M("alert.stale.title."+c.Service, "at", locale.Moment{At: good, Zone: b.alerts.Store.Timezone})
			f.Do, f.Effect = locale.M("alert.do.stale."+c.Service), b.noNewData(c.Service)
			f.Text = locale.Sentences{locale.M("alert.stale.idle")}
			if reason := b.lastReason(c.Service, good); reason.ID != "" {
				f.Text = locale.Sentences{locale.M("alert.stale.fails", "reason", reason)}
			}
		}
		out = append(out, f)
	}
	return out
}

// lastReason is why the newest attempt since then failed.
func (b finder) lastReason(service string, since time.Time) (reason locale.Message) {
	var newest time.Time
	for _, l := range b.alerts.Ledger {
		if l.Service == service && l.TriedAt.After(since) && l.TriedAt.After(newest) && l.Outcome != fact.PullGood && l.Outcome != fact.PullNever {
			newest, reason = l.TriedAt, l.Reason()
		}
	}
	return reason
}

// drift is what remains after the days were pulled again.
func (b finder) drift() []Finding {
	var end civil.Date
	for _, c := range b.alerts.Checks {
		if c.Window.End.After(end) {
			end = c.Window.End
		}
	}
	// Windows contain each other's days: one wrong window makes others wrong, and is reported once.
	f := Finding{Standing: Right, Href: b.path("/sync"), Title: locale.M("alert.drift.agree")}
	looked := false
	for _, c := range b.alerts.Checks {
		if c.Window.End != end || b.today.DaysSince(end) > 2 {
			continue
		}
		looked = true
		switch {
		case c.Missing > 0:
			if f.Standing == Right {
				f.Standing = Unknown
			}
		case !c.Agrees:
			reported := locale.Money{Amount: c.Reported, Currency: b.alerts.Store.Currency}
			stitched := locale.Money{Amount: c.Stitched, Currency: b.alerts.Store.Currency}
			if f.Standing != Wrong {
				f.Evidence = locale.Args{"reported": reported, "stitched": stitched}
				apart := c.Reported.Sub(c.Stitched).Abs()
				f.Stake = &apart
				f.Effect = locale.Sentences{locale.M("alert.effect.apart", "amount", locale.Money{Amount: apart, Currency: b.alerts.Store.Currency}), locale.M("alert.effect.over", "days", locale.Period{Start: c.Window.Start, End: c.Window.End})}
			}
			f.Standing, f.Title, f.Do = Wrong, locale.M("alert.drift.differ"), locale.M("alert.do.drift")
			f.Text = append(f.Text, locale.M("alert.drift.period", "days", locale.Period{Start: c.Window.Start, End: c.Window.End}, "reported", reported, "stitched", stitched))
		}
	}
	if !looked {
		return b.asItWas("drift")
	}
	if f.Standing == Wrong {
		f.Text = append(f.Text, locale.M("alert.drift.still"))
	}
	return []Finding{f}
}

// unconnected is a store that nothing is pulled for.
func (b finder) unconnected() []Finding {
	f := Finding{Standing: Right, Title: locale.M("alert.unconnected.over"), Href: b.path("/settings")}
	if len(b.alerts.Credentials) == 0 {
		f.Standing, f.Title, f.Do = Wrong, locale.M("store.need.services"), locale.M("alert.do.unconnected")
		f.Text = locale.Sentences{locale.M("alert.unconnected.text")}
		f.Effect = locale.Sentences{locale.M("alert.effect.no_data")}
	}
	return []Finding{f}
}

// noNewData says where a service's numbers end.
func (b finder) noNewData(service string) locale.Sentences {
	out := locale.Sentences{locale.M("alert.effect.no_data")}
	if last := b.alerts.LastDay; service == "upsell" && last.IsValid() {
		out = append(out, locale.M("alert.effect.stop_at", "day", locale.Day{Date: last, Year: last.Year != b.today.Year}))
	}
	return out
}

// MissingDays are the gaps in the last 30 whole days: days without numbers between days that have them.
// Yesterday is merely late at first.
func (s Stored) MissingDays(now time.Time) (missing []civil.Date) {
	today := report.Today(now, s.Location)
	last := today.AddDays(-1)
	if now.In(s.Location).Hour() < fallHour {
		last = last.AddDays(-1)
	}
	stored, first := map[civil.Date]bool{}, civil.Date{}
	for _, d := range s.Days {
		if day := d.Window.Start; !stored[day] {
			stored[day] = true
			if !first.IsValid() || day.Before(first) {
				first = day
			}
		}
	}
	for day := last.AddDays(-29); first.IsValid() && !day.After(last); day = day.AddDays(1) {
		if !stored[day] && !day.Before(first) {
			missing = append(missing, day)
		}
	}
	return missing
}

// missing are days that the stored history lacks once it's no longer being filled.
func (b finder) missing() []Finding {
	if found, is := b.stopped("days-missing"); is {
		return found
	}
	if b.alerts.Filling() {
		return b.asItWas("days-missing")
	}
	f := Finding{Standing: Right, Title: locale.M("alert.missing.over"), Href: b.path("/sync")}
	days := b.alerts.MissingDays(b.Now)
	if n := len(days); n > 0 {
		first, last := days[0], days[n-1]
		f.Standing, f.Since = Wrong, first.AddDays(1).In(b.alerts.Location)
		f.Title, f.Do = locale.M("alert.missing.title", "n", n, "days", locale.Period{Start: first, End: last}), locale.M("alert.do.missing", "n", n)
		f.Text = locale.Sentences{b.whyMissing(days)}
		f.Effect = locale.Sentences{locale.M("alert.effect.missing", "n", n), locale.M("alert.effect.left_out")}
	}
	return []Finding{f}
}

// whyMissing says how the attempt for one of the days went.
func (b finder) whyMissing(days []civil.Date) locale.Message {
	for _, l := range b.alerts.Ledger {
		if day, err := civil.ParseDate(l.Subject); err == nil && l.Pull == "summary.day" && l.Attempts > 0 && l.Outcome != fact.PullGood && day == days[0] {
			if l.DueAt.IsZero() {
				return locale.M("alert.missing.failed", "n", l.Attempts)
			}
			return locale.M("alert.missing.next", "n", l.Attempts, "at", locale.Moment{At: l.DueAt, Zone: b.alerts.Store.Timezone})
		}
	}
	return locale.M("alert.missing.waiting")
}
