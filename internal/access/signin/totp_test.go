package signin_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/seal"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func sealedWorld(t *testing.T) world {
	t.Helper()
	w := newWorld(t)
	w.SignIn = signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyA), w.Passwords)
	return w
}

// code is what the person's app shows at now plus from.
func (w world) code(t *testing.T, secret string, from time.Duration) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, w.Clock.Now().Add(from))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func (w world) withApp(t *testing.T, p access.Person) (secret string, recovery []string) {
	t.Helper()
	ctx := t.Context()
	if err := w.SignIn.StartTOTP(ctx, p); err != nil {
		t.Fatal(err)
	}
	setup, err := w.SignIn.SetupTOTP(ctx, p, "Storeglass reports.example.com")
	if err != nil {
		t.Fatal(err)
	}
	recovery, err = w.SignIn.ConfirmTOTP(ctx, p, w.code(t, setup.Secret, 0), 0)
	if err != nil {
		t.Fatal(err)
	}
	return setup.Secret, recovery
}

func TestAppCountsOnceItsFirstCodeWasRight(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p := w.WithPassword(t, "ada+reports@example.com")
	if err := w.SignIn.StartTOTP(ctx, p); err != nil {
		t.Fatal(err)
	}
	if f, err := w.SignIn.FactorsOf(ctx, p.ID); err != nil || f.Second() {
		t.Errorf("asked for before it is confirmed: %+v, %v", f, err)
	}
	setup, err := w.SignIn.SetupTOTP(ctx, p, "Storeglass reports.example.com")
	if err != nil {
		t.Fatal(err)
	}
	key, err := otp.NewKeyFromURL(setup.URL)
	if err != nil || key.Issuer() != "Storeglass reports.example.com" || key.AccountName() != "ada+reports@example.com" || key.Secret() != setup.Secret {
		t.Errorf("an app reads %q, %q, %q: %v", key.Issuer(), key.AccountName(), key.Secret(), err)
	}
	if u, err := url.Parse(setup.URL); err != nil || strings.Contains(u.RawQuery, "+") {
		t.Errorf("apps read + as it is: %s, %v", setup.URL, err)
	}
	_, err = w.SignIn.ConfirmTOTP(ctx, p, "000000", 0)
	accesstest.Wants(t, err, fault.Denied)
	accesstest.Wants(t, w.SignIn.TakeCode(ctx, p, w.code(t, setup.Secret, 0)), fault.Denied)
	recovery, err := w.SignIn.ConfirmTOTP(ctx, p, w.code(t, setup.Secret, 0), 0)
	if err != nil || len(recovery) != 10 {
		t.Fatal(recovery, err)
	}
	if f, err := w.SignIn.FactorsOf(ctx, p.ID); err != nil || !f.TOTP() || !f.Second() || f.RecoveryCodes != 10 {
		t.Errorf("%+v, %v", f, err)
	}
	accesstest.Wants(t, w.SignIn.StartTOTP(ctx, p), fault.Conflict)
	_, err = w.SignIn.SetupTOTP(ctx, p, "x")
	accesstest.Wants(t, err, fault.NotFound)
}

func TestAppReadsTheAccountWhateverTheIssuerIsCalled(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	p := w.Person(t, "ada@example.com")
	if err := w.SignIn.StartTOTP(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	setup, err := w.SignIn.SetupTOTP(t.Context(), p, "Storeglass localhost:8080")
	if err != nil {
		t.Fatal(err)
	}
	key, err := otp.NewKeyFromURL(setup.URL)
	if err != nil || key.Issuer() != "Storeglass localhost 8080" || key.AccountName() != "ada@example.com" {
		t.Errorf("an app reads %q and %q: %v", key.Issuer(), key.AccountName(), err)
	}
}

func TestSettingAnAppUpEndsAfterAnHour(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	p := w.Person(t, "ada@example.com")
	if err := w.SignIn.StartTOTP(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	setup, err := w.SignIn.SetupTOTP(t.Context(), p, "x")
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Add(time.Hour)
	_, err = w.SignIn.SetupTOTP(t.Context(), p, "x")
	accesstest.Wants(t, err, fault.NotFound)
	_, err = w.SignIn.ConfirmTOTP(t.Context(), p, w.code(t, setup.Secret, 0), 0)
	accesstest.Wants(t, err, fault.NotFound)
}

func TestCodeCountsOnceAndAStepAroundNow(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	secret, _ := w.withApp(t, p)
	accesstest.Wants(t, w.SignIn.TakeCode(ctx, p, w.code(t, secret, 0)), fault.Denied) // used to confirm the app
	w.Clock.Add(5 * time.Minute)
	now := w.code(t, secret, 0)
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- w.SignIn.TakeCode(ctx, p, now[:3]+" "+now[3:]) }()
	}
	if a, b := <-errs, <-errs; (a == nil) == (b == nil) || !errors.Is(errors.Join(a, b), fault.Denied) {
		t.Errorf("one code, twice: %v and %v", a, b)
	}
	accesstest.Wants(t, w.SignIn.TakeCode(ctx, p, w.code(t, secret, -30*time.Second)), fault.Denied) // older than one already used
	if err := w.SignIn.TakeCode(ctx, p, w.code(t, secret, 30*time.Second)); err != nil {
		t.Errorf("a clock half a minute ahead: %v", err)
	}
	w.Clock.Add(time.Hour)
	accesstest.Wants(t, w.SignIn.TakeCode(ctx, p, w.code(t, secret, -time.Minute)), fault.Denied)
	accesstest.Wants(t, w.SignIn.TakeCode(ctx, p, w.code(t, secret, time.Minute)), fault.Denied)
	if err := w.SignIn.TakeCode(ctx, p, w.code(t, secret, -30*time.Second)); err != nil {
		t.Errorf("a clock half a minute behind: %v", err)
	}
}

func TestCodesAreLimitedPerPerson(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	secret, recovery := w.withApp(t, p)
	others, _ := w.withApp(t, other)
	w.Clock.Add(time.Hour)
	for _, garbage := range []string{"", "1", "abcdef", "0000000", "000000"} {
		accesstest.Wants(t, w.SignIn.TakeCode(ctx, p, garbage), fault.Denied)
	}
	for name, err := range map[string]error{"the right code": w.SignIn.TakeCode(ctx, p, w.code(t, secret, 0)), "a recovery code": w.SignIn.TakeRecovery(ctx, p, recovery[0])} {
		if !errors.Is(err, fault.TooMany) {
			t.Errorf("%s after five wrong ones: %v", name, err)
		}
	}
	accesstest.Wants(t, w.SignIn.TakeCode(ctx, other, "000000"), fault.Denied)
	_, err := w.SignIn.ConfirmTOTP(ctx, p, "000000", 0)
	accesstest.Wants(t, err, fault.TooMany)
	w.Clock.Add(5 * time.Minute)
	if err := w.SignIn.TakeCode(ctx, p, w.code(t, secret, 0)); err != nil {
		t.Error(err)
	}
	if err := w.SignIn.TakeCode(ctx, other, w.code(t, others, 0)); err != nil {
		t.Errorf("someone else's code at the same moment: %v", err)
	}
}

func TestRecoveryCodeWorksOnceForItsOwner(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	_, codes := w.withApp(t, p)
	w.withApp(t, other)
	accesstest.Wants(t, w.SignIn.TakeRecovery(ctx, other, codes[0]), fault.Denied)
	if err := w.SignIn.TakeRecovery(ctx, p, strings.ToUpper(strings.ReplaceAll(codes[0], "-", " "))); err != nil {
		t.Errorf("typed in another way: %v", err)
	}
	accesstest.Wants(t, w.SignIn.TakeRecovery(ctx, p, codes[0]), fault.Denied)
	if f, err := w.SignIn.FactorsOf(ctx, p.ID); err != nil || f.RecoveryCodes != 9 {
		t.Errorf("%+v, %v", f, err)
	}
	w.Clock.Add(time.Hour)
	fresh, err := w.SignIn.RenewRecovery(ctx, p)
	if err != nil {
		t.Fatal(err)
	}
	accesstest.Wants(t, w.SignIn.TakeRecovery(ctx, p, codes[1]), fault.Denied)
	if err := w.SignIn.TakeRecovery(ctx, p, fresh[1]); err != nil {
		t.Error(err)
	}
}

func TestAppsSecretAndRecoveryCodesAreNotStoredAsTheyAre(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	secret, codes := w.withApp(t, p)
	var rows string
	err := w.DB.Pool.QueryRow(t.Context(), `select
		(select string_agg(t::text || encode(secret_sealed, 'escape'), '') from totps t) ||
		(select string_agg(c::text || encode(code_hash, 'escape'), '') from recovery_codes c)`).Scan(&rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, codes[0], strings.ReplaceAll(codes[0], "-", "")} {
		if strings.Contains(rows, s) {
			t.Errorf("the database holds %q", s)
		}
	}
	// A sealed secret moved to another person can't be opened.
	if _, err := w.DB.Pool.Exec(t.Context(), "update totps set person_id = $1", other.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.SignIn.TakeCode(t.Context(), other, w.code(t, secret, time.Minute)); !errors.Is(err, seal.ErrSealed) {
		t.Errorf("a moved secret: %v", err)
	}
}

func TestChangedSecondStepEndsOtherSessions(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p := w.Person(t, "ada@example.com")
	w.SaveSession(t, "there", p)
	w.withApp(t, p)
	if n := w.Count(t, "sessions"); n != 0 {
		t.Errorf("%d sessions live on", n)
	}
	w.SaveSession(t, "here", p)
	w.SaveSession(t, "there", p)
	if err := w.SignIn.RemoveTOTP(ctx, p, w.SessionID(t, "here")); err != nil {
		t.Fatal(err)
	}
	if n := w.Count(t, "sessions"); n != 1 {
		t.Errorf("%d sessions live on", n)
	}
	if n := w.Count(t, "recovery_codes"); n != 0 {
		t.Errorf("%d recovery codes for no second step", n)
	}
	accesstest.Wants(t, w.SignIn.RemoveTOTP(ctx, p, 0), fault.NotFound)
	w.Clock.Add(time.Hour)
	w.withApp(t, p)
	if err := w.SignIn.ResetFactors(ctx, p); err != nil {
		t.Fatal(err)
	}
	if f, err := w.SignIn.FactorsOf(ctx, p.ID); err != nil || f.Second() || f.RecoveryCodes != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	accesstest.Wants(t, w.SignIn.ResetFactors(ctx, p), fault.NotFound)
}

func TestAConfirmedAppStaysAsItIs(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	if err := w.SignIn.StartTOTP(ctx, other); err != nil {
		t.Fatal(err)
	}
	secret, recovery := w.withApp(t, p)
	if f, err := w.SignIn.FactorsOf(ctx, other.ID); err != nil || f.TOTP() {
		t.Errorf("one person's app confirms another's: %v", err)
	}
	w.Clock.Add(time.Minute)
	_, err := w.SignIn.ConfirmTOTP(ctx, p, w.code(t, secret, 0), 0)
	accesstest.Wants(t, err, fault.NotFound)
	if err := w.SignIn.TakeRecovery(ctx, p, recovery[0]); err != nil {
		t.Errorf("confirming again replaced the recovery codes: %v", err)
	}
	if err := w.SignIn.TakeCode(ctx, p, w.code(t, secret, 0)); err != nil {
		t.Error(err)
	}
}

func TestRecoveryCodesLastAsLongAsASecondStep(t *testing.T) {
	t.Parallel()
	w := sealedWorld(t)
	ctx := t.Context()
	p, other := w.Person(t, "ada@example.com"), w.Person(t, "bo@example.com")
	w.withApp(t, other)
	passkey := func() (id int64) {
		t.Helper()
		err := w.DB.Pool.QueryRow(ctx, "insert into passkeys (person_id, name, credential_id, credential) values ($1, 'Key', 'x', '{}') returning id", p.ID).Scan(&id)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	left := func(when string, want int) {
		t.Helper()
		if f, err := w.SignIn.FactorsOf(ctx, p.ID); err != nil || f.RecoveryCodes != want {
			t.Errorf("%s: %d codes, %v", when, f.RecoveryCodes, err)
		}
	}
	w.withApp(t, p)
	if err := w.SignIn.RemovePasskey(ctx, p, passkey(), 0); err != nil {
		t.Fatal(err)
	}
	left("the app is left", 10)
	id := passkey()
	if err := w.SignIn.RemoveTOTP(ctx, p, 0); err != nil {
		t.Fatal(err)
	}
	left("a passkey is left", 10)
	if err := w.SignIn.RemovePasskey(ctx, p, id, 0); err != nil {
		t.Fatal(err)
	}
	left("nothing is left", 0)
	if f, err := w.SignIn.FactorsOf(ctx, other.ID); err != nil || !f.TOTP() || f.RecoveryCodes != 10 {
		t.Errorf("someone else has %+v, %v", f, err)
	}
}

func TestWithoutAKeyNoAppCanBeAdded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.Person(t, "ada@example.com")
	if w.SignIn.CanTOTP() {
		t.Error("it says it can")
	}
	accesstest.Wants(t, w.SignIn.StartTOTP(t.Context(), p), fault.Unavailable)
}
