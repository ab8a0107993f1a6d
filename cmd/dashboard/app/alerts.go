package app

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// alerts finds what is wrong with stores and notifies people. Without a mail server it notifies
// channels alone.
func (a *App) alerts() (*alert.Alerts, error) {
	courier, err := a.mailCourier()
	if err != nil {
		return nil, err
	}
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return nil, err
	}
	alerts := &alert.Alerts{
		DB: a.DB, Courier: courier, Hooks: a.hooks(), Sealer: sealer, Base: a.Base(), Host: a.Base().Hostname(), Now: time.Now, Log: a.Log,
	}
	if courier != nil {
		_, alerts.Host, _ = strings.Cut(courier.From.Address, "@")
	}
	return alerts, nil
}

// hooks sends messages to channels.
func (a *App) hooks() *alert.Hooks {
	return alert.NewHooks(upstream.Options{Allow: a.Settings.ChannelAllow.AllowList})
}
