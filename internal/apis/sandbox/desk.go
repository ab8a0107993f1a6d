package sandbox

import (
	"slices"
	"sync"
)

// desk holds what the writing endpoints did to a store. Days that are over keep what they were: a write changes what shoppers meet from
// the next minute on.
type desk struct {
	mu      sync.RWMutex
	edits   []giftEdit // in the order in which they came
	widgets map[string]widgetSettings

	writing       sync.Mutex // one write at a time, from its check to its end
	confirmations map[string]*confirmation
}

// giftEdit is what a write did to one campaign.
type giftEdit struct {
	at   moment
	does giftEditKind
	id   string
	to   setup        // made and changed
	as   campaignPlan // made and changed: what the setup means
}

type giftEditKind int

const (
	made giftEditKind = iota
	changed
	switchedOn
	switchedOff
	erased // deleted for good: it leaves no trace
)

// put files a write.
func (d *desk) put(e giftEdit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.edits = append(d.edits, e)
}

// latest is the moment of a write: its own, or that of the write before it if that is later.
func (d *desk) latest(now moment) moment {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if n := len(d.edits); n > 0 && now.before(d.edits[n-1].at) {
		return d.edits[n-1].at
	}
	return now
}

// apply does to the planned campaigns what was written up to a moment.
func (d *desk) apply(out []campaign, until moment) []campaign {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for i := range d.edits {
		e := &d.edits[i]
		if until.before(e.at) {
			break
		}
		if e.does == made {
			out = append(out, campaign{campaignPlan: e.as, id: e.id, created: e.at.day, written: &e.to})
			continue
		}
		at := slices.IndexFunc(out, func(c campaign) bool { return c.id == e.id })
		if at == none {
			continue
		}
		switch c := &out[at]; e.does {
		case changed:
			c.campaignPlan, c.written = e.as, &e.to
		case switchedOn:
			c.off = false
		case switchedOff:
			c.off = true
		case erased:
			out = slices.Delete(out, at, at+1)
		}
	}
	return out
}

// minutes are those of a day in which something was written, in order.
func (d *desk) minutes(day int) (out []int) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, e := range d.edits {
		if e.at.day == day {
			out = append(out, e.at.minute)
		}
	}
	return slices.Compact(out)
}

// widget is what a write made of a widget type's settings.
func (d *desk) widget(name string) (widgetSettings, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	s, written := d.widgets[name]
	return s, written
}

func (d *desk) setWidget(name string, s widgetSettings) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.widgets == nil {
		d.widgets = map[string]widgetSettings{}
	}
	d.widgets[name] = s
}
