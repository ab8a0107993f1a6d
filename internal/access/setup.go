package access

import (
	"context"
	"crypto/subtle"
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// SetUpCode is what the first person types to become an administrator, such as
// "JBSWY3-DPEHPK-3PXPK5-2ZNFSX". It is "" once an account exists, and without a secret key.
// It is derived from the secret key, so every process gives the same code and nothing is stored.
func (a *Access) SetUpCode(ctx context.Context) (string, error) {
	if a.sealer == nil {
		return "", nil
	}
	anyone, err := a.q.AnyPerson(ctx)
	if err != nil {
		return "", fmt.Errorf("look for people: %w", err)
	}
	if anyone {
		return "", nil
	}
	return a.sealer.SetUpCode(), nil
}

// CheckSetUp returns fault.NotFound unless code is what SetUpCode returns. Case, spaces and
// hyphens don't matter.
func (a *Access) CheckSetUp(ctx context.Context, code string) error {
	want, err := a.SetUpCode(ctx)
	if err != nil {
		return err
	}
	if want == "" || subtle.ConstantTimeCompare([]byte(bareCode(code)), []byte(bareCode(want))) != 1 {
		return fault.NotFound
	}
	return nil
}

// bareCode strips what people add to a typed code and fixes what they mix up: base32 has
// no 0, 1 and 8.
func bareCode(typed string) string {
	return strings.NewReplacer(" ", "", "-", "", "0", "O", "1", "I", "8", "B").Replace(strings.ToUpper(strings.TrimSpace(typed)))
}

// SetUp adds the first person, an administrator with a password. fault.NotFound if the code is
// wrong or an account already exists; fault.Invalid.
func (a *Access) SetUp(ctx context.Context, code, email, name, password string) (Person, error) {
	if err := a.CheckSetUp(ctx, code); err != nil {
		return Person{}, err
	}
	name, err := CleanPersonName(name)
	if err != nil {
		return Person{}, err
	}
	p := Person{Email: strings.TrimSpace(email), Name: name, Role: Admin}
	hash, err := a.newHash(ctx, p, password)
	if err != nil {
		return Person{}, err
	}
	err = a.db.InTx(ctx, func(q *sqlc.Queries) error {
		if err := q.LockSetUp(ctx); err != nil {
			return fmt.Errorf("lock set-up: %w", err)
		}
		anyone, err := q.AnyPerson(ctx)
		if err != nil {
			return fmt.Errorf("look for people: %w", err)
		}
		if anyone {
			return fault.NotFound
		}
		if p, err = CreatePersonIn(ctx, q, email, name, Admin); err != nil {
			return err
		}
		if p, err = a.join(ctx, q, p, name); err != nil {
			return err
		}
		return a.setPassword(ctx, q, p, hash, 0, audit.PasswordChanged)
	})
	return p, err
}
