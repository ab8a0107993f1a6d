package alerts

import (
	"context"

	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/report/alerts"
	"github.com/storeglass/storeglass/web/site"
)

// ChannelService changes the channels that alerts are sent to. Pages can't: addresses and
// signing secrets are encrypted, and a test sends a message to the outside. It isn't limited by
// grants, so each method checks again whether the person may, and only changes that person's
// own channels; otherwise it returns db.ErrNotFound. A *stores.Refusal is for the person who
// asked. The context says who is recorded.
type ChannelService interface {
	// AddChannel saves a channel. secret signs its messages and is shown only once; it is empty
	// if the kind doesn't sign.
	AddChannel(ctx context.Context, person int64, form alerts.ChannelForm) (secret string, err error)
	// ChangeChannel changes everything but the kind and the signing secret; an empty address
	// keeps the stored one. moved reports whether messages now go to a different address.
	ChangeChannel(ctx context.Context, person, id int64, form alerts.ChannelForm) (moved bool, err error)
	// RenewSecret replaces the secret that signs its messages.
	RenewSecret(ctx context.Context, person, id int64) (secret string, err error)
	// TestChannel sends it a message now, and describes the result.
	TestChannel(ctx context.Context, person, id int64) (said string, err error)
	// SwitchChannel turns it on or off.
	SwitchChannel(ctx context.Context, person, id int64, on bool) error
	// RemoveChannel deletes it.
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
