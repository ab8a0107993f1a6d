package alerts

import (
	"context"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// ChannelService changes the channels that alerts are sent to. Pages can't: addresses and
// signing secrets are sealed with a key, and a test leaves this house. It is above
// grants, so each method looks again whether the person may, and changes that person's
// own channels only: db.ErrNotFound for others, and for anyone who may not. A *stores.Refusal
// is for the person who asked. Who did it is recorded from the context.
type ChannelService interface {
	// AddChannel keeps a channel. secret signs its messages and is shown this once; it
	// is empty for a kind that signs none.
	AddChannel(ctx context.Context, person int64, form alerts.ChannelForm) (secret string, err error)
	// ChangeChannel changes all of it but its kind and its signing secret; an empty
	// address leaves the one that is stored. moved reports whether messages go to
	// another address from now on.
	ChangeChannel(ctx context.Context, person, id int64, form alerts.ChannelForm) (moved bool, err error)
	// RenewSecret has its messages signed with another secret from now on.
	RenewSecret(ctx context.Context, person, id int64) (secret string, err error)
	// TestChannel sends a message to it now, and says in words what came of it.
	TestChannel(ctx context.Context, person, id int64) (said string, err error)
	// SwitchChannel switches it off, or on again.
	SwitchChannel(ctx context.Context, person, id int64, on bool) error
	// RemoveChannel forgets it.
	RemoveChannel(ctx context.Context, person, id int64) error
}

// errNoChannels is for a server without a key.
var errNoChannels = site.NewProblem(fault.Unavailable, "no_channels").Leading("alerts", site.AlertsPath)

// channeling runs a handler that needs the ChannelService.
func (s *Handlers) channeling(handle func(*site.Call) error) func(*site.Call) error {
	return func(c *site.Call) error {
		if s.alerts == nil {
			return errNoChannels
		}
		return handle(c)
	}
}
