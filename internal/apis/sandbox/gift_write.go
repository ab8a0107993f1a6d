package sandbox

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A campaign that the store does not have is not found by a write either: 200 and found: false, and nothing was written.

// previewed is a preview in the first shape. What is to be created was not before, and what is to be deleted will not be after.
type previewed struct {
	Valid    bool          `json:"valid"`
	Before   *fullCampaign `json:"before,omitempty"`
	After    *fullCampaign `json:"preview,omitempty"`
	Warnings []string      `json:"warnings"`
	Token    string        `json:"confirmationToken"`
	Expires  string        `json:"expiresAt"`
}

// preview shows a change and gives the token for it.
func (sh *shop) preview(q *request, now moment, before, after *fullCampaign, warnings []string, c confirmation) reply {
	token, expires := sh.confirmable(q, now, c)
	if sh.second {
		return giftSuccess(struct {
			Current  *fullCampaign `json:"current,omitempty"`
			Campaign *fullCampaign `json:"campaign,omitempty"`
			Token    string        `json:"confirmationToken"`
		}{before, after, token})
	}
	return giftSuccess(previewed{true, before, after, warnings, token, expires.UTC().Format(platformTime)})
}

// campaignPreview shows the campaign that a create would make.
func campaignPreview(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	var s setup
	commercial, err := previewParts(object)
	if err == nil {
		err = read(object, &s)
	}
	if err == nil {
		err = sh.check(s)
	}
	if err != nil {
		return reply{}, err
	}
	if s.Schedule.Start < sh.date(now.day).String() {
		return reply{}, wrong("schedule.startDate", "must not be in the past")
	}
	after := sh.fullCampaign(&campaign{campaignPlan: sh.planned(s, campaignPlan{})}, s, now.day)
	return sh.preview(q, now, nil, &after, sh.warnings(s), confirmation{does: creates, commercial: commercial, to: s}), nil
}

// campaignCreation makes the campaign that was previewed. The second shape answers 201.
func campaignCreation(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	return sh.commit(q, now, creates, object, func(s setup) reply {
		id := madeUp(sh.seed, 16, sh.slug, "campaign made", strconv.Itoa(len(sh.desk.edits)))
		rate := 0.02 + 0.06*draw(sh.seed, sh.slug, "rate", id).Float64()
		sh.desk.put(giftEdit{at: now, does: made, id: id, to: s, as: sh.planned(s, campaignPlan{rate: rate})})
		out := sh.written(id, now, "created")
		if sh.second {
			out.status = http.StatusCreated
		}
		return out
	})
}

// written is the answer of a write: that it happened, and the campaign as it is now.
func (sh *shop) written(id string, now moment, what string) reply {
	c := sh.campaignNamed(id, now)
	full := sh.fullCampaign(c, sh.setupOf(c), now.day)
	if sh.second {
		return giftSuccess(full)
	}
	return giftSuccess(map[string]any{what: true, "campaign": full})
}

// editPreview shows what a campaign would become. The body names what changes, in groups or in single fields of them.
func editPreview(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	c := sh.campaignNamed(q.named, now)
	if c == nil {
		return notFound(), nil
	}
	was := sh.setupOf(c)
	s := was.clone()
	commercial, err := previewParts(object)
	if err == nil {
		err = read(object, &s)
	}
	if err == nil {
		err = sh.check(s)
	}
	if err != nil {
		return reply{}, err
	}
	edited := *c
	edited.campaignPlan = sh.planned(s, c.campaignPlan)
	before, after := sh.fullCampaign(c, was, now.day), sh.fullCampaign(&edited, s, now.day)
	return sh.preview(q, now, &before, &after, sh.warnings(s), confirmation{does: edits, commercial: commercial, to: s}), nil
}

// campaignEdit does the edit that was previewed.
func campaignEdit(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	return sh.commit(q, now, edits, object, func(s setup) reply {
		c := sh.campaignNamed(q.named, now)
		sh.desk.put(giftEdit{at: now, does: changed, id: c.id, to: s, as: sh.planned(s, c.campaignPlan)})
		return sh.written(c.id, now, "updated")
	})
}

// deletionPreview shows what a deletion would take away for good.
func deletionPreview(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	c := sh.campaignNamed(q.named, now)
	if c == nil {
		return notFound(), nil
	}
	commercial, err := previewParts(object)
	if err == nil {
		err = read(object, &nothing{})
	}
	if err != nil {
		return reply{}, err
	}
	before := sh.fullCampaign(c, sh.setupOf(c), now.day)
	return sh.preview(q, now, &before, nil, []string{"This cannot be undone."}, confirmation{does: deletes, commercial: commercial}), nil
}

// campaignDeletion takes away what was previewed; even a list of what was deleted does not show it.
func campaignDeletion(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	return sh.commit(q, now, deletes, object, func(setup) reply {
		c := sh.campaignNamed(q.named, now)
		sh.desk.put(giftEdit{at: now, does: erased, id: c.id})
		return giftSuccess(struct {
			Deleted bool   `json:"deleted"`
			ID      string `json:"id"`
			Name    string `json:"name"`
		}{true, c.id, c.name})
	})
}

// switching is the body that turns a campaign on or off.
type switching struct {
	Enabled *bool `json:"enabled"`
}

// campaignSwitch turns a campaign on or off: off, it has expired; on again, it is what its days make it.
func campaignSwitch(q *request, now moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	c := sh.campaignNamed(q.named, now)
	if c == nil {
		return notFound(), nil
	}
	var to switching
	if err := read(object, &to); err != nil {
		return reply{}, err
	}
	switch {
	case to.Enabled == nil:
		return reply{}, wrong("enabled", "is required: true or false")
	case *to.Enabled && now.day > c.end:
		return reply{}, wrong("enabled", "can't be true: the campaign's endDate has passed")
	case *to.Enabled && c.off:
		sh.desk.put(giftEdit{at: now, does: switchedOn, id: c.id})
	case !*to.Enabled && !c.off:
		sh.desk.put(giftEdit{at: now, does: switchedOff, id: c.id})
	}
	return sh.written(c.id, now, "updated"), nil
}

// widgetEdit changes settings of one widget type, without a preview. A type that the plan locks can't be configured.
func widgetEdit(q *request, _ moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	at := slices.IndexFunc(widgetTypes, func(w widgetType) bool { return w.name == q.named })
	if at == none {
		return noWidget(q.named), nil
	}
	s, _ := sh.savedSettings(widgetTypes[at])
	if err := read(object, &s); err != nil {
		return reply{}, err
	}
	switch {
	case sh.locked(widgetTypes[at]):
		return reply{}, wrong("type", "is locked by the plan of this store")
	case s.Position != "" && !slices.Contains(positions, s.Position):
		return reply{}, wrong("position", "must be bottom_left, bottom_right or inline")
	case s.Devices != "" && !slices.Contains(devices, s.Devices):
		return reply{}, wrong("devices", "must be all, desktop or mobile")
	}
	sh.desk.setWidget(q.named, s)
	return sh.widgetReply(q.named, s), nil
}
