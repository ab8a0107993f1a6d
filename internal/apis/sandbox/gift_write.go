package sandbox

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// A write to a campaign that the store doesn't have also gets 200 with found: false, and writes nothing.

// previewed is a preview in the first shape. A new campaign has no state before, a deletion none after.
type previewed struct {
	Valid    bool          `json:"valid"`
	Before   *fullCampaign `json:"before,omitempty"`
	After    *fullCampaign `json:"preview,omitempty"`
	Warnings []string      `json:"warnings"`
	Token    string        `json:"confirmationToken"`
	Expires  string        `json:"expiresAt"`
}

// preview shows a change and returns its token.
func preview(sh *world.Shop, q *request, now world.Moment, before, after *fullCampaign, warnings []string, c world.Confirmation) reply {
	token, expires := confirmable(sh, q, now, c)
	if sh.Second {
		return giftSuccess(struct {
			Current  *fullCampaign `json:"current,omitempty"`
			Campaign *fullCampaign `json:"campaign,omitempty"`
			Token    string        `json:"confirmationToken"`
		}{before, after, token})
	}
	return giftSuccess(previewed{true, before, after, warnings, token, expires.UTC().Format(world.PlatformTime)})
}

// campaignPreview shows the campaign that a create would make.
func campaignPreview(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	var s world.Setup
	commercial, err := readSetup(sh, object, &s)
	if err != nil {
		return reply{}, err
	}
	if s.Schedule.Start < sh.Date(now.Day).String() {
		return reply{}, wrong("schedule.startDate", "must not be in the past")
	}
	after := fullCampaignOf(sh, &world.Campaign{CampaignPlan: sh.Planned(s, world.CampaignPlan{})}, s, now.Day)
	return preview(sh, q, now, nil, &after, warnings(sh, s), world.Confirmation{Does: creates, Commercial: commercial, To: s}), nil
}

// campaignCreation makes the campaign that was previewed. The second shape answers 201.
func campaignCreation(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	return commit(sh, q, now, creates, object, func(s world.Setup) reply {
		id := world.MadeUp(sh.Seed, 16, sh.Slug, "campaign made", strconv.Itoa(len(sh.Desk.Edits)))
		rate := 0.02 + 0.06*world.Draw(sh.Seed, sh.Slug, "rate", id).Float64()
		sh.Desk.Put(world.GiftEdit{At: now, Does: world.Made, Id: id, To: s, As: sh.Planned(s, world.CampaignPlan{Rate: rate})})
		out := written(sh, id, now, "created")
		if sh.Second {
			out.status = http.StatusCreated
		}
		return out
	})
}

// written is the answer of a write: that it happened, and the campaign as it is now.
func written(sh *world.Shop, id string, now world.Moment, what string) reply {
	c := campaignNamed(sh, id, now)
	full := fullCampaignOf(sh, c, sh.SetupOf(c), now.Day)
	if sh.Second {
		return giftSuccess(full)
	}
	return giftSuccess(map[string]any{what: true, "campaign": full})
}

// editPreview shows what an edit would make of a campaign. The body contains only what changes, in groups or as
// single fields.
func editPreview(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	c := campaignNamed(sh, q.named, now)
	if c == nil {
		return notFound(), nil
	}
	was := sh.SetupOf(c)
	s := was.Clone()
	commercial, err := readSetup(sh, object, &s)
	if err != nil {
		return reply{}, err
	}
	edited := *c
	edited.CampaignPlan = sh.Planned(s, c.CampaignPlan)
	before, after := fullCampaignOf(sh, c, was, now.Day), fullCampaignOf(sh, &edited, s, now.Day)
	return preview(sh, q, now, &before, &after, warnings(sh, s), world.Confirmation{Does: edits, Commercial: commercial, To: s}), nil
}

// campaignEdit makes the edit that was previewed.
func campaignEdit(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	return commit(sh, q, now, edits, object, func(s world.Setup) reply {
		c := campaignNamed(sh, q.named, now)
		sh.Desk.Put(world.GiftEdit{At: now, Does: world.Changed, Id: c.Id, To: s, As: sh.Planned(s, c.CampaignPlan)})
		return written(sh, c.Id, now, "updated")
	})
}

// deletionPreview shows what would be permanently deleted.
func deletionPreview(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	c := campaignNamed(sh, q.named, now)
	if c == nil {
		return notFound(), nil
	}
	_, commercial, err := bodyParts(object)
	if err == nil {
		err = read(object, &nothing{})
	}
	if err != nil {
		return reply{}, err
	}
	before := fullCampaignOf(sh, c, sh.SetupOf(c), now.Day)
	return preview(sh, q, now, &before, nil, []string{"This cannot be undone."}, world.Confirmation{Does: deletes, Commercial: commercial}), nil
}

// campaignDeletion deletes what was previewed; even a list of deleted campaigns doesn't show it.
func campaignDeletion(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	return commit(sh, q, now, deletes, object, func(world.Setup) reply {
		c := campaignNamed(sh, q.named, now)
		sh.Desk.Put(world.GiftEdit{At: now, Does: world.Erased, Id: c.Id})
		return giftSuccess(struct {
			Deleted bool   `json:"deleted"`
			ID      string `json:"id"`
			Name    string `json:"name"`
		}{true, c.Id, c.Name})
	})
}

// switching is the body that turns a campaign on or off.
type switching struct {
	Enabled *bool `json:"enabled"`
}

// campaignSwitch turns a campaign on or off. Turned off, it counts as expired; turned on again, its
// dates decide its status.
func campaignSwitch(q *request, now world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	c := campaignNamed(sh, q.named, now)
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
	case *to.Enabled && now.Day > c.End:
		return reply{}, wrong("enabled", "can't be true: the campaign's endDate has passed")
	case *to.Enabled && c.Off:
		sh.Desk.Put(world.GiftEdit{At: now, Does: world.SwitchedOn, Id: c.Id})
	case !*to.Enabled && !c.Off:
		sh.Desk.Put(world.GiftEdit{At: now, Does: world.SwitchedOff, Id: c.Id})
	}
	return written(sh, c.Id, now, "updated"), nil
}

// widgetEdit changes settings of one widget type, without a preview. A type that the plan locks can't be configured.
func widgetEdit(q *request, _ world.Moment, object jsontext.Value) (reply, error) {
	sh := q.shop
	at := slices.IndexFunc(widgetTypes, func(w widgetType) bool { return w.name == q.named })
	if at == world.None {
		return noWidget(q.named), nil
	}
	s, _ := savedSettings(sh, widgetTypes[at])
	if err := read(object, &s); err != nil {
		return reply{}, err
	}
	switch {
	case locked(sh, widgetTypes[at]):
		return reply{}, wrong("type", "is locked by the plan of this store")
	case s.Position != "" && !slices.Contains(positions, s.Position):
		return reply{}, wrong("position", "must be bottom_left, bottom_right or inline")
	case s.Devices != "" && !slices.Contains(devices, s.Devices):
		return reply{}, wrong("devices", "must be all, desktop or mobile")
	}
	sh.Desk.SetWidget(q.named, s)
	return widgetReply(sh, q.named, s), nil
}
