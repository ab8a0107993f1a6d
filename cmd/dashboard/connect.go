package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/db"
	storesync "github.com/storeglass/storeglass/internal/sync"
)

// syncer makes what pulls and checks; done frees its connections.
func (h *house) syncer() (s *storesync.Syncer, done func(), err error) {
	sealer, err := h.settings.Sealer()
	if err != nil {
		return nil, nil, err
	}
	transport := upstream.NewTransport(upstream.Options{Allow: h.settings.UpstreamAllow.AllowList})
	s = storesync.New(storesync.Config{
		DB: h.db, Transport: transport, Allow: h.settings.UpstreamAllow.AllowList, Sealer: sealer, Log: h.log, AuditDays: int(h.settings.AuditDays),
		Purging: func(ctx context.Context, q *db.Queries, store db.Store) error {
			return h.access.RecordIn(ctx, q, access.Event{Action: access.StorePurged, Store: store.Slug, Subject: store.Name})
		},
	})
	return s, transport.Close, nil
}

// connectError says what came of asking a service with a token, and what to do.
func connectError(service, address string, err error) error {
	if private, ok := errors.AsType[*upstream.NotPublic](err); ok {
		return private
	}
	if errors.Is(err, storesync.ErrOtherShop) {
		return fmt.Errorf("%w: give a token of that shop, or add the other one as a store of its own", err)
	}
	f, ok := errors.AsType[*upstream.Failure](err)
	if !ok {
		return err
	}
	who := fmt.Sprintf("the %s service at %s", service, address)
	if advice := storesync.Advice(service, err); advice != "" {
		return fmt.Errorf("%s: %s", who, advice)
	}
	switch {
	case f.Kind == upstream.Wait:
		return fmt.Errorf("%s has had too many calls with this token: try again after %s", who, f.Until.Local().Format(time.TimeOnly))
	case f.Status == http.StatusNotFound:
		return fmt.Errorf("%s does not answer (%s): check that the address is complete, up to the version", who, f.Said())
	case f.Kind == upstream.Quarantine:
		return fmt.Errorf("%s answers what that service never would (%s): check the address", who, f.Said())
	case f.Kind == upstream.Retry && f.Status != 0:
		return fmt.Errorf("%s fails (%s): try again later", who, f.Said())
	case f.Kind == upstream.Retry:
		return fmt.Errorf("%s can't be reached (%s): check the address, or try again later", who, f.Said())
	}
	return fmt.Errorf("%s: %s", who, f.Said())
}
