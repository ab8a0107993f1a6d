package signin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
	"github.com/jackc/pgx/v5"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
)

// PasskeyRealm is the site that passkeys are valid for: one with a host name, over https
// or on this machine.
type PasskeyRealm struct{ w *webauthn.WebAuthn }

// NewPasskeyRealm makes the realm of a site. If the site can't have one, off says why.
func NewPasskeyRealm(base *url.URL) (realm *PasskeyRealm, off locale.Message) {
	host := base.Hostname()
	if _, err := netip.ParseAddr(host); err == nil {
		return nil, locale.M("account.passkeys_off.number", "address", host)
	}
	if base.Scheme != "https" && host != "localhost" {
		return nil, locale.M("account.passkeys_off.http")
	}
	w, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Storeglass", RPOrigins: []string{base.Scheme + "://" + base.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil { // the name isn't valid for passkeys, for example because of a space
		return nil, locale.M("account.passkeys_off.number", "address", host)
	}
	return &PasskeyRealm{w}, locale.Message{}
}

// passkeyWithin is how long a passkey challenge stays valid.
const passkeyWithin = 5 * time.Minute

// ceremony is what we keep between challenging the browser and its answer.
type ceremony struct {
	Session webauthn.SessionData `json:"session"`
	At      time.Time            `json:"at"`
	Adding  bool                 `json:"adding,omitempty"`
}

func (s *Service) begun(data *webauthn.SessionData, adding bool, options any) (toBrowser []byte, state string, err error) {
	kept, err := json.Marshal(ceremony{*data, s.now(), adding})
	if err != nil {
		return nil, "", err
	}
	toBrowser, err = json.Marshal(options)
	return toBrowser, string(kept), err
}

// resumed reads the kept state. fault.Denied when it is too old, belongs to the other
// ceremony, or was already answered.
func (s *Service) resumed(ctx context.Context, state string, adding bool) (webauthn.SessionData, error) {
	var c ceremony
	if err := json.Unmarshal([]byte(state), &c); err != nil || c.Adding != adding {
		return webauthn.SessionData{}, fault.Denied
	}
	if age := s.now().Sub(c.At); age < 0 || age >= passkeyWithin {
		return webauthn.SessionData{}, fault.Denied
	}
	err := s.limits.Take(ctx, limitAnswer.Of(hashOf(c.Session.Challenge)))
	if errors.Is(err, fault.TooMany) {
		return webauthn.SessionData{}, fault.Denied
	}
	return c.Session, err
}

// passkeyUser is a person as the WebAuthn library needs them.
type passkeyUser struct {
	person      access.Person
	handle      []byte
	credentials []webauthn.Credential
}

func (u *passkeyUser) WebAuthnID() []byte                         { return u.handle }
func (u *passkeyUser) WebAuthnName() string                       { return u.person.Email }
func (u *passkeyUser) WebAuthnDisplayName() string                { return u.person.Name }
func (u *passkeyUser) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

func (s *Service) passkeyUser(ctx context.Context, p access.Person, handle []byte) (*passkeyUser, error) {
	rows, err := s.q.PasskeysOfPerson(ctx, p.ID)
	if err != nil {
		return nil, fmt.Errorf("list passkeys of person %d: %w", p.ID, err)
	}
	u := &passkeyUser{person: p, handle: handle}
	for _, r := range rows {
		var c webauthn.Credential
		if err := json.Unmarshal(r.Credential, &c); err != nil {
			return nil, fmt.Errorf("read passkey %d: %w", r.ID, err)
		}
		u.credentials = append(u.credentials, c)
	}
	return u, nil
}

// BeginAddPasskey returns what the browser needs to make a passkey, as JSON, and
// the state to keep until it has. fault.NotFound.
func (s *Service) BeginAddPasskey(ctx context.Context, realm *PasskeyRealm, p access.Person) (toBrowser []byte, state string, err error) {
	row, err := s.q.ActivePersonByID(ctx, p.ID)
	if err != nil {
		return nil, "", db.Absent(err, fault.Missing("person"), "read handle of person %d", p.ID)
	}
	u, err := s.passkeyUser(ctx, p, row.Handle)
	if err != nil {
		return nil, "", err
	}
	options, session, err := realm.w.BeginRegistration(u, webauthn.WithExclusions(webauthn.Credentials(u.credentials).CredentialDescriptors()))
	if err != nil {
		return nil, "", fmt.Errorf("ask for a new passkey: %w", err)
	}
	return s.begun(session, true, options)
}

// AddPasskey stores the passkey that the browser made. recovery holds new recovery codes
// if the person had none. fault.Denied when it doesn't answer the challenge, fault.Conflict
// when the passkey is already known.
func (s *Service) AddPasskey(ctx context.Context, realm *PasskeyRealm, p access.Person, state, made, name string, keep int64) (recovery []string, err error) {
	session, err := s.resumed(ctx, state, true)
	if err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(made))
	if err != nil {
		return nil, fault.Denied
	}
	row, err := s.q.ActivePersonByID(ctx, p.ID)
	if err != nil {
		return nil, fmt.Errorf("read handle of person %d: %w", p.ID, err)
	}
	credential, err := realm.w.CreateCredential(&passkeyUser{person: p, handle: row.Handle}, session, parsed)
	if err != nil {
		return nil, errors.Join(fault.Denied, err)
	}
	stored, err := json.Marshal(credential)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(q *sqlc.Queries) error {
		f, err := q.FactorsOfPerson(ctx, p.ID)
		if err != nil {
			return fmt.Errorf("read factors of person %d: %w", p.ID, err)
		}
		err = q.InsertPasskey(ctx, sqlc.InsertPasskeyParams{
			PersonID: p.ID, Name: passkeyName(name), CredentialID: credential.ID, Credential: stored, CreatedAt: s.now(),
		})
		if db.Taken(err) {
			return fault.New(fault.Conflict, "", "account.problem.passkey_there")
		}
		if err != nil {
			return fmt.Errorf("keep a passkey of person %d: %w", p.ID, err)
		}
		if f.RecoveryCodes == 0 {
			if recovery, err = newRecovery(ctx, q, p.ID); err != nil {
				return err
			}
		}
		return s.factorChanged(ctx, q, p, keep, audit.FactorAdded, locale.M("audit.detail.passkey"))
	})
	return recovery, err
}

// passkeyName is the name as it is stored: one line of at most 60 characters.
func passkeyName(name string) string {
	name = strings.Join(strings.Fields(audit.Text(name)), " ")
	if name == "" {
		return "Passkey"
	}
	if utf8.RuneCountInString(name) > 60 {
		name = string([]rune(name)[:60])
	}
	return name
}

// BeginPasskey returns what the browser needs to offer its passkeys for this site, as
// JSON, and the state to keep until it answers.
func (s *Service) BeginPasskey(realm *PasskeyRealm) (toBrowser []byte, state string, err error) {
	options, session, err := realm.w.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, "", fmt.Errorf("ask for a passkey: %w", err)
	}
	return s.begun(session, false, options)
}

// TakePasskey returns the owner of the passkey that answered. fault.Denied when nobody owns
// it or it doesn't answer the challenge; fault.Conflict when it may be a copy.
func (s *Service) TakePasskey(ctx context.Context, realm *PasskeyRealm, state, answer string) (access.Person, error) {
	session, err := s.resumed(ctx, state, false)
	if err != nil {
		return access.Person{}, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return access.Person{}, s.failed(ctx, audit.PasskeyRefused, 0)
	}
	var ours error // our own errors, which the library would report as the browser's
	found, credential, err := realm.w.ValidatePasskeyLogin(func(_, handle []byte) (webauthn.User, error) {
		p, err := s.q.PersonByHandle(ctx, handle)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, fault.Missing("person")
		}
		if err != nil {
			ours = fmt.Errorf("look for the owner of a passkey: %w", err)
			return nil, ours
		}
		u, err := s.passkeyUser(ctx, access.PersonOf(p), handle)
		ours = err
		return u, err
	}, session, parsed)
	if ours != nil {
		return access.Person{}, ours
	}
	if err != nil {
		return access.Person{}, s.failed(ctx, audit.PasskeyRefused, 0)
	}
	p := found.(*passkeyUser).person
	if credential.Authenticator.CloneWarning {
		if err := s.failed(ctx, audit.PasskeyCopied, p.ID); !errors.Is(err, fault.Denied) {
			return access.Person{}, err
		}
		return access.Person{}, fault.Conflict
	}
	stored, err := json.Marshal(credential)
	if err != nil {
		return access.Person{}, err
	}
	now := s.now()
	n, err := s.q.UsePasskey(ctx, sqlc.UsePasskeyParams{PersonID: p.ID, CredentialID: credential.ID, Credential: stored, Now: &now})
	if err != nil {
		return access.Person{}, fmt.Errorf("note use of a passkey of person %d: %w", p.ID, err)
	}
	if n == 0 { // removed just now
		return access.Person{}, fault.Denied
	}
	return p, nil
}

// Passkey is a passkey in the list of its owner.
type Passkey struct {
	ID    int64
	Name  string
	Added time.Time
	// Used is nil for one that has never been used.
	Used *time.Time
}

// PasskeysOf lists a person's passkeys, oldest first.
func (s *Service) PasskeysOf(ctx context.Context, personID int64) ([]Passkey, error) {
	rows, err := s.q.PasskeysOfPerson(ctx, personID)
	return db.Each(rows, func(r sqlc.Passkey) Passkey { return Passkey{r.ID, r.Name, r.CreatedAt, r.LastUsedAt} }), db.Tried(err, "list passkeys of person %d", personID)
}

// RenamePasskey renames one of the person's passkeys. fault.NotFound.
func (s *Service) RenamePasskey(ctx context.Context, p access.Person, id int64, name string) error {
	n, err := s.q.RenamePasskey(ctx, sqlc.RenamePasskeyParams{ID: id, PersonID: p.ID, Name: passkeyName(name)})
	return db.Touched(n, err, "rename passkey %d", id)
}

// RemovePasskey removes one of the person's passkeys. fault.NotFound.
func (s *Service) RemovePasskey(ctx context.Context, p access.Person, id, keep int64) error {
	return s.db.InTx(ctx, func(q *sqlc.Queries) error {
		name, err := q.DeletePasskey(ctx, sqlc.DeletePasskeyParams{ID: id, PersonID: p.ID})
		if err != nil {
			return db.Absent(err, fault.NotFound, "remove passkey %d", id)
		}
		if err := forgetRecovery(ctx, q, p.ID); err != nil {
			return err
		}
		return s.factorChanged(ctx, q, p, keep, audit.FactorRemoved, locale.M("audit.detail.passkey_named", "name", name))
	})
}
