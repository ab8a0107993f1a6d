package sandbox

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// confirmationLife is how long a preview can be committed; the document says short-lived.
const confirmationLife = 10 * time.Minute

// What a token can confirm.
const (
	creates = "create"
	edits   = "edit"
	deletes = "delete"
)

// confirmable records a preview and returns its token, 256 random bits.
func confirmable(sh *world.Shop, q *request, now world.Moment, c world.Confirmation) (token string, expires time.Time) {
	d := &sh.Desk
	if d.Confirmations == nil {
		d.Confirmations = map[string]*world.Confirmation{}
	}
	c.Id, c.Was, c.Expires = q.named, configuration(sh, q.named, now), q.at.Add(confirmationLife)
	token = "gct_" + world.MadeUp(sh.Seed, 64, sh.Slug, "confirmation", len(d.Confirmations))
	d.Confirmations[token] = &c
	return token, c.Expires
}

// configuration is everything about a campaign that a write can change, in one normalized form; empty if there is no
// such campaign.
func configuration(sh *world.Shop, id string, now world.Moment) string {
	c := campaignNamed(sh, id, now)
	if c == nil {
		return ""
	}
	out, err := json.Marshal(sh.SetupOf(c))
	if err != nil {
		panic(err) // a setup is plain data
	}
	return fmt.Sprint(string(out), c.Off)
}

// commit does what was previewed, once. Repeating it gets the first answer again, however late.
func commit(sh *world.Shop, q *request, now world.Moment, does string, object jsontext.Value, do func(world.Setup) reply) (reply, error) {
	token, commercial, err := bodyParts(object)
	if err != nil {
		return reply{}, err
	}
	c := sh.Desk.Confirmations[token]
	switch {
	case token == "":
		return reply{}, wrong(tokenField, "is required: it is what the preview returned")
	case c == nil || c.Does != does || c.Id != q.named:
		return reply{}, wrong(tokenField, "is not of a preview of this")
	case c.State == world.Used && commercial == c.Commercial:
		return c.Result.(reply), nil
	case c.State == world.Used:
		return reply{}, wrong(tokenField, "was used with another body; preview again")
	case c.State == world.Rejected:
		return reply{}, wrong(tokenField, "was rejected before; preview again")
	}
	c.State = world.Rejected
	switch {
	case !q.at.Before(c.Expires):
		return reply{}, wrong(tokenField, "has expired; preview again")
	case commercial != c.Commercial:
		return reply{}, wrong(tokenField, "was given for another body than this; preview again")
	case c.Was != configuration(sh, c.Id, now):
		return reply{}, wrong(tokenField, "was given before the campaign changed; preview again")
	}
	result := do(c.To)
	c.State, c.Result = world.Used, result
	return result, nil
}
