package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access/seal"
)

// PrepareKey makes the key of an own server when it starts for the first time. A key that
// is missing beside tokens was lost: a new one would open none of them.
func (a *App) PrepareKey(ctx context.Context) error {
	if len(a.Settings.SecretKey) > 0 || a.Server == nil {
		return nil
	}
	path := a.Settings.OwnKey()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return fmt.Errorf("secret key in %s: %w", path, err)
		}
		return nil
	}
	rows, err := a.DB.Queries().KeysInUse(ctx, time.Now())
	if err != nil {
		return fmt.Errorf("find the keys in use: %w", err)
	}
	var sealed int64
	for _, r := range rows {
		sealed += r.Credentials + r.Totps + r.Channels
	}
	if sealed == 0 {
		return a.Settings.MakeKey()
	}
	return fmt.Errorf("the secret key %s is gone, and %s in the database can't be opened without it: put the file back from your backup. "+
		"If it is lost, make a new one with `openssl rand -base64 32 > %s`, then give each store its tokens again with `dashboard store set`; "+
		"authenticator apps and alert channels have to be set up again too", path, words.Count(int(sealed), "secret"), path)
}

// KeyUse is how much is encrypted with other keys than the current one.
type KeyUse struct {
	// Older is encrypted with older keys that are given, Lost with keys that are not.
	Older, Lost Encrypted
	// PendingUntil is when the last connection is over that waits to be saved, encrypted with an older key.
	PendingUntil time.Time
}

// Encrypted counts upstream tokens, authenticator apps and alert channels.
type Encrypted struct{ Tokens, Factors, Channels int }

// KeysInUse reads what is encrypted with other keys than the sealer's current one.
func (a *App) KeysInUse(ctx context.Context, sealer *seal.Sealer) (KeyUse, error) {
	var use KeyUse
	rows, err := a.DB.Queries().KeysInUse(ctx, time.Now())
	if err != nil {
		return use, fmt.Errorf("find the keys in use: %w", err)
	}
	for _, r := range rows {
		of := &use.Older
		switch {
		case !sealer.Opens(r.KeyID):
			of = &use.Lost
		case !sealer.Stale(r.KeyID):
			continue
		case r.PendingUntil.After(use.PendingUntil):
			use.PendingUntil = r.PendingUntil
		}
		of.Tokens += int(r.Credentials)
		of.Factors += int(r.Totps)
		of.Channels += int(r.Channels)
	}
	return use, nil
}
