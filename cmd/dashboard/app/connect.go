package app

import (
	"context"
	"net"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/alert"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// Syncer makes what pulls and checks; done frees its connections.
func (a *App) Syncer() (s *pulls.Syncer, done func(), err error) {
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return nil, nil, err
	}
	allow := a.Settings.UpstreamAllow.With(madeUpHost)
	transport := upstream.NewTransport(upstream.Options{Allow: allow, Local: map[string]func(context.Context) (net.Conn, error){madeUpHost: a.madeUp.dial}})
	s = pulls.New(pulls.Config{
		DB: a.DB, Transport: transport, Allow: allow, Sealer: sealer, Log: a.Log,
		Checking: alert.CheckOf,
		Purging: func(ctx context.Context, q *sqlc.Queries, store sqlc.Store) error {
			return a.Audit.RecordIn(ctx, q, audit.Event{Action: audit.StorePurged, Store: store.Slug, Subject: store.Name})
		},
	})
	return s, transport.Close, nil
}
