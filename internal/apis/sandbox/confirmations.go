package sandbox

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// confirmationLife is how long a commit may follow its preview; the document says short-lived.
const confirmationLife = 10 * time.Minute

// confirmation is a token's record, from its preview on. Its states and what moves them are the document's: issued → used by the commit
// that it was made for; issued → rejected by a commit that came too late, was changed, or met a changed campaign.
type confirmation struct {
	does, id   string // what it confirms, and of which campaign; a new one has no id yet
	commercial string // of the previewed body
	was        string // the campaign's configuration at the preview
	to         setup  // what the preview showed
	expires    time.Time
	state      confirmationState
	result     reply // of the commit
}

type confirmationState int

const (
	issued confirmationState = iota
	used
	rejected
)

// What a token can confirm.
const (
	creates = "create"
	edits   = "edit"
	deletes = "delete"
)

// confirmable keeps what a preview showed and gives the token for it, 256 bits that nobody finds.
func (sh *shop) confirmable(q *request, now moment, c confirmation) (token string, expires time.Time) {
	d := &sh.desk
	if d.confirmations == nil {
		d.confirmations = map[string]*confirmation{}
	}
	c.id, c.was, c.expires = q.named, sh.configuration(q.named, now), q.at.Add(confirmationLife)
	token = "gct_" + madeUp(sh.seed, 64, sh.slug, "confirmation", len(d.confirmations))
	d.confirmations[token] = &c
	return token, c.expires
}

// configuration is everything of a campaign that a write can change, in one spelling; nothing when there is no such campaign.
func (sh *shop) configuration(id string, now moment) string {
	c := sh.campaignNamed(id, now)
	if c == nil {
		return ""
	}
	out, err := json.Marshal(sh.setupOf(c))
	if err != nil {
		panic(err) // a setup is plain
	}
	return fmt.Sprint(string(out), c.off)
}

// commit does what was previewed, once. The same commit again gets the first one's answer, however late.
func (sh *shop) commit(q *request, now moment, does string, object jsontext.Value, do func(setup) reply) (reply, error) {
	token, commercial, err := commitParts(object)
	if err != nil {
		return reply{}, err
	}
	c := sh.desk.confirmations[token]
	switch {
	case c == nil || c.does != does || c.id != q.named:
		return reply{}, wrong(tokenField, "is not of a preview of this")
	case c.state == used && commercial == c.commercial:
		return c.result, nil
	case c.state == used:
		return reply{}, wrong(tokenField, "was used with another body; preview again")
	case c.state == rejected:
		return reply{}, wrong(tokenField, "was rejected before; preview again")
	}
	c.state = rejected
	switch {
	case !q.at.Before(c.expires):
		return reply{}, wrong(tokenField, "has expired; preview again")
	case commercial != c.commercial:
		return reply{}, wrong(tokenField, "was given for another body than this; preview again")
	case c.was != sh.configuration(c.id, now):
		return reply{}, wrong(tokenField, "was given before the campaign changed; preview again")
	}
	c.state, c.result = used, do(c.to)
	return c.result, nil
}
