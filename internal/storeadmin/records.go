package storeadmin

import (
	"context"
	"slices"
	"strings"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	pulls "github.com/storeglass/storeglass/internal/sync"
)

// RecordingStore records in the audit log that a store was added, and with which services.
func RecordingStore(log *audit.Log, slug, name string, services []pulls.Checked) db.Also {
	return func(ctx context.Context, q *sqlc.Queries) error {
		if err := log.RecordIn(ctx, q, audit.Event{Action: audit.StoreAdded, Store: slug, Subject: strings.TrimSpace(name)}); err != nil {
			return err
		}
		for _, c := range services {
			if err := log.RecordIn(ctx, q, audit.Event{Action: audit.CredentialAdded, Store: slug, Subject: c.Service, Details: locale.Sentences{locale.M("audit.detail.at", "host", c.BaseURL)}}); err != nil {
				return err
			}
		}
		return nil
	}
}

// RecordingCredential records that a service was connected, or that its token or address
// was replaced.
func RecordingCredential(log *audit.Log, store sqlc.Store, service, address string) db.Also {
	return func(ctx context.Context, q *sqlc.Queries) error {
		creds, err := q.CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return err
		}
		e := audit.Event{Action: audit.CredentialAdded, Store: store.Slug, Subject: service, Details: locale.Sentences{locale.M("audit.detail.at", "host", address)}}
		if slices.ContainsFunc(creds, func(c sqlc.Credential) bool { return c.Service == service && c.Version > 1 }) {
			e.Action = audit.CredentialRotated
		}
		return log.RecordIn(ctx, q, e)
	}
}

// RecordingChange records changes to a store's own fields.
func RecordingChange(log *audit.Log, from sqlc.Store, to sqlc.UpdateStoreParams) db.Also {
	return func(ctx context.Context, q *sqlc.Queries) error {
		changed := changes(from, to)
		if len(changed) == 0 {
			return nil
		}
		return log.RecordIn(ctx, q, audit.Event{Action: audit.StoreChanged, Store: from.Slug, Details: changed})
	}
}

// changes lists what changed in a store's own fields.
func changes(from sqlc.Store, to sqlc.UpdateStoreParams) (out locale.Sentences) {
	if from.Name != to.Name {
		out = append(out, locale.M("audit.detail.store_name", "from", from.Name, "to", to.Name))
	}
	if from.Timezone != to.Timezone {
		out = append(out, locale.M("audit.detail.timezone", "from", from.Timezone, "to", to.Timezone))
	}
	if from.HistoryDays != to.HistoryDays {
		out = append(out, locale.M("audit.detail.history", "from", from.HistoryDays, "n", to.HistoryDays))
	}
	return out
}
