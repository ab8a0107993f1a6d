package signin

import (
	"context"
	"crypto/subtle"
	"fmt"
	"strings"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
)

// SetUpCode is what the first person types to become an administrator, such as
// "JBSWY3-DPEHPK-3PXPK5-2ZNFSX". It is "" once an account exists, and without a secret key.
// It is derived from the secret key, so every process gives the same code and nothing is stored.
func (s *Service) SetUpCode(ctx context.Context) (string, error) {
	if s.sealer == nil {
		return "", nil
	}
	anyone, err := s.q.AnyPerson(ctx)
	if err != nil {
		return "", fmt.Errorf("look for people: %w", err)
	}
	if anyone {
		return "", nil
	}
	return s.sealer.SetUpCode(), nil
}

// CheckSetUp returns fault.NotFound unless code is what SetUpCode returns. Case, spaces and
// hyphens don't matter.
func (s *Service) CheckSetUp(ctx context.Context, code string) error {
	want, err := s.SetUpCode(ctx)
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
func (s *Service) SetUp(ctx context.Context, code, email, name, password string) (access.Person, error) {
	if err := s.CheckSetUp(ctx, code); err != nil {
		return access.Person{}, err
	}
	name, err := access.CleanPersonName(name)
	if err != nil {
		return access.Person{}, err
	}
	p := access.Person{Email: strings.TrimSpace(email), Name: name, Role: access.Admin}
	hash, err := s.newHash(ctx, p, password)
	if err != nil {
		return access.Person{}, err
	}
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
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
		if p, err = access.CreatePersonIn(ctx, q, email, name, access.Admin); err != nil {
			return err
		}
		if p, err = s.join(ctx, q, p, name); err != nil {
			return err
		}
		return s.setPassword(ctx, q, p, hash, 0, audit.PasswordChanged)
	})
	return p, err
}
