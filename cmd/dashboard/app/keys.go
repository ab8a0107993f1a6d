package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/settings"
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

// KeyUse is how much is sealed with other than the current key.
type KeyUse struct {
	// Tokens and Factors are sealed with older keys that are given, lost with keys that are not.
	Tokens, Factors, LostFactors, Channels, LostChannels int
	// PendingUntil is when the last connection is over that waits to be saved, sealed with an older key.
	PendingUntil time.Time
}

func (a *App) KeysInUse(ctx context.Context, sealer *access.Sealer) (KeyUse, error) {
	var use KeyUse
	rows, err := a.DB.Queries().KeysInUse(ctx, time.Now())
	if err != nil {
		return use, fmt.Errorf("find the keys in use: %w", err)
	}
	for _, r := range rows {
		switch {
		case !sealer.Opens(r.KeyID):
			use.LostFactors += int(r.Totps)
			use.LostChannels += int(r.Channels)
		case sealer.Stale(r.KeyID):
			use.Tokens += int(r.Credentials)
			use.Factors += int(r.Totps)
			use.Channels += int(r.Channels)
			if r.PendingUntil.After(use.PendingUntil) {
				use.PendingUntil = r.PendingUntil
			}
		}
	}
	return use, nil
}

// Opens reports whether one of the keys is the one of that id.
func Opens(s settings.Settings, keyID string) bool {
	sealer, err := s.Sealer()
	return err == nil && sealer.Opens(keyID)
}

// sealedElsewhere counts the tokens that none of the keys opens. What can't be
// read is not counted: the worker will say it.
func (a *App) sealedElsewhere(ctx context.Context) int {
	stores, err := a.DB.Queries().AllStores(ctx)
	if err != nil {
		return 0
	}
	n := 0
	for _, store := range stores {
		creds, err := a.DB.Queries().CredentialsOfStore(ctx, store.ID)
		if err != nil {
			return n
		}
		for _, c := range creds {
			if !Opens(a.Settings, c.KeyID) {
				n++
			}
		}
	}
	return n
}
