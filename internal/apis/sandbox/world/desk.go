package world

import (
	"slices"
	"sync"
	"time"
)

// desk holds what the writing endpoints did to a store. Past days stay as they were: a write changes what shoppers
// see from the next minute on.
type desk struct {
	mu      sync.RWMutex
	Edits   []GiftEdit // in the order in which they came
	widgets map[string]WidgetSettings

	Writing       sync.Mutex // one write at a time, from its check to its end
	Confirmations map[string]*Confirmation
}

// GiftEdit is what a write did to one campaign.
type GiftEdit struct {
	At   Moment
	Does giftEditKind
	Id   string
	To   Setup        // made and changed
	As   CampaignPlan // made and changed: what the setup means
}

type giftEditKind int

const (
	Made giftEditKind = iota
	Changed
	SwitchedOn
	SwitchedOff
	Erased // deleted permanently: it leaves no trace
)

// Put records a write.
func (d *desk) Put(e GiftEdit) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.Edits = append(d.Edits, e)
}

// Latest is the moment of a write: its own, or that of the write before it if that is later.
func (d *desk) Latest(now Moment) Moment {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if n := len(d.Edits); n > 0 && now.before(d.Edits[n-1].At) {
		return d.Edits[n-1].At
	}
	return now
}

// apply applies the writes up to a moment to the planned campaigns.
func (d *desk) apply(out []Campaign, until Moment) []Campaign {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for i := range d.Edits {
		e := &d.Edits[i]
		if until.before(e.At) {
			break
		}
		if e.Does == Made {
			out = append(out, Campaign{CampaignPlan: e.As, Id: e.Id, created: e.At.Day, written: &e.To})
			continue
		}
		at := slices.IndexFunc(out, func(c Campaign) bool { return c.Id == e.Id })
		if at == None {
			continue
		}
		switch c := &out[at]; e.Does {
		case Changed:
			c.CampaignPlan, c.written = e.As, &e.To
		case SwitchedOn:
			c.Off = false
		case SwitchedOff:
			c.Off = true
		case Erased:
			out = slices.Delete(out, at, at+1)
		}
	}
	return out
}

// minutes are the minutes of a day in which something was written, in order.
func (d *desk) minutes(day int) (out []int) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, e := range d.Edits {
		if e.At.Day == day {
			out = append(out, e.At.minute)
		}
	}
	return slices.Compact(out)
}

// Widget is what a write made of a widget type's settings.
func (d *desk) Widget(name string) (WidgetSettings, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	s, written := d.widgets[name]
	return s, written
}

func (d *desk) SetWidget(name string, s WidgetSettings) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.widgets == nil {
		d.widgets = map[string]WidgetSettings{}
	}
	d.widgets[name] = s
}

// WidgetSettings are the saved settings of a widget type; a write can only change settings of this
// type.
type WidgetSettings struct {
	Title      string `json:"title,omitempty"`
	Button     string `json:"buttonText,omitempty"`
	Position   string `json:"position,omitempty"` // bottom_left, bottom_right or inline
	Background string `json:"backgroundColor,omitempty"`
	Text       string `json:"textColor,omitempty"`
	Devices    string `json:"devices,omitempty"` // all, desktop or mobile
}

// Confirmation is a token's record, from its preview on. Its states and transitions are documented: issued → used by
// the commit that it was made for; issued → rejected by a commit that was too late, was changed, or found a changed
// campaign.
type Confirmation struct {
	Does, Id   string // what it confirms and for which campaign; a new one has no id yet
	Commercial string // of the previewed body
	Was        string // the campaign's configuration at the preview
	To         Setup  // what the preview showed
	Expires    time.Time
	State      confirmationState
	Result     any // of the commit
}

type confirmationState int

const (
	issued confirmationState = iota
	Used
	Rejected
)
