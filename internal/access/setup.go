package access

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/internal/db"
)

// SetUpSecret is the secret of the link through which the first person comes in, as an
// administrator. It is "" once there is anybody, and without a secret key. It is made
// from the secret key, so every process of an installation gives the same one and
// nothing is stored.
func (a *Access) SetUpSecret(ctx context.Context) (string, error) {
	if a.sealer == nil {
		return "", nil
	}
	anybody, err := a.q.AnyPerson(ctx)
	if err != nil {
		return "", fmt.Errorf("look for people: %w", err)
	}
	if anybody {
		return "", nil
	}
	return a.sealer.setUp, nil
}

// CheckSetUp returns ErrLink unless secret is what SetUpSecret gives.
func (a *Access) CheckSetUp(ctx context.Context, secret string) error {
	want, err := a.SetUpSecret(ctx)
	if err != nil {
		return err
	}
	if want == "" || subtle.ConstantTimeCompare([]byte(secret), []byte(want)) != 1 {
		return ErrLink
	}
	return nil
}

// SetUp adds the first person, an administrator with a password. ErrLink where somebody
// was quicker or the secret is wrong, ErrEmail, *NameError, *PasswordError.
func (a *Access) SetUp(ctx context.Context, secret, email, name, password string) (Person, error) {
	if err := a.CheckSetUp(ctx, secret); err != nil {
		return Person{}, err
	}
	name, err := checkName(name)
	if err != nil {
		return Person{}, err
	}
	p := Person{Email: strings.TrimSpace(email), Name: name, Role: Admin}
	if err := CheckNewPassword(password, p); err != nil {
		return Person{}, err
	}
	hash, err := a.HashPassword(ctx, password)
	if err != nil {
		return Person{}, err
	}
	err = a.db.InTx(ctx, func(q *db.Queries) error {
		if err := q.LockSetUp(ctx); err != nil {
			return fmt.Errorf("lock set-up: %w", err)
		}
		anybody, err := q.AnyPerson(ctx)
		if err != nil {
			return fmt.Errorf("look for people: %w", err)
		}
		if anybody {
			return ErrLink
		}
		if p, err = createPerson(ctx, q, email, name, Admin); err != nil {
			return err
		}
		if p, err = a.join(ctx, q, p, name); err != nil {
			return err
		}
		return a.setPassword(ctx, q, p, hash, 0, PasswordChanged)
	})
	return p, err
}

// setUpSecret derives what SetUpSecret gives from a secret key.
func setUpSecret(secretKey string) (string, error) {
	key, err := hkdf.Key(sha256.New, []byte(secretKey), nil, "storeglass set-up link 1", 32)
	return base64.RawURLEncoding.EncodeToString(key), err
}
