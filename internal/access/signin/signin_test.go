package signin_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/access/limit"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
	"golang.org/x/crypto/argon2"
)

// counted is the total of all counts.
func (w world) counted(t *testing.T) (times int64) {
	t.Helper()
	counts, err := w.Audit.Counts(t.Context(), audit.Filter{}, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range counts {
		times += c.Times
	}
	return times
}

func (w world) try(t *testing.T, email, password string) error {
	t.Helper()
	_, err := w.SignIn.ByPassword(t.Context(), signin.Try{Email: email, Password: password, From: accesstest.Home})
	return err
}

func TestPasswordSignsItsOwnerInHoweverTheAddressIsSpelled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.WithPassword(t, "ada@example.com")
	got, err := w.SignIn.ByPassword(t.Context(), signin.Try{Email: " ADA@Example.com", Password: accesstest.Password, From: accesstest.Home})
	if err != nil || got.ID != p.ID || got.Email != p.Email {
		t.Errorf("%+v, %v", got, err)
	}
	accesstest.Wants(t, w.try(t, "ada@example.com", accesstest.Password+" "), fault.Denied)
}

// The rule is about work, not time: a wrong password and an unknown address cost one
// statement of each kind and one hash, and get the same answer.
func TestNobodyCostsWhatSomeoneCosts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.WithPassword(t, "ada@example.com")
	w.Person(t, "bare@example.com")
	disabled := w.WithPassword(t, "gone@example.com")
	if err := w.DisablePerson(ctx, disabled.ID); err != nil {
		t.Fatal(err)
	}
	w.Invited(t, "invited@example.com")
	for who, email := range map[string]string{
		"a wrong password": "ada@example.com", "nobody": "eve@example.com", "without a password": "bare@example.com",
		"disabled": "gone@example.com", "invited": "invited@example.com", "not an address": "x", "nothing": "",
	} {
		hashes, records, counted := w.Passwords.Count(), w.Count(t, "audit"), w.counted(t)
		password := accesstest.Password
		if email == "ada@example.com" {
			password = "four other words here"
		}
		err := w.try(t, email, password)
		if !errors.Is(err, fault.Denied) || err.Error() != fault.Denied.Error() {
			t.Errorf("%s: %v", who, err)
		}
		if n := w.Passwords.Count() - hashes; n != 1 {
			t.Errorf("%s cost %d hashes", who, n)
		}
		if n := w.counted(t) - counted; n != 1 || w.Count(t, "audit") != records {
			t.Errorf("%s was counted %d times", who, n)
		}
	}
}

func TestSpentAccountRefusesWithoutHashingWhetherOrNotItExists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.WithPassword(t, "ada@example.com")
	for _, email := range []string{"ada@example.com", "eve@example.com"} {
		before := w.Passwords.Count()
		var last error
		for i := range 25 {
			from := netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}) // each from a different address
			_, last = w.SignIn.ByPassword(t.Context(), signin.Try{Email: email, Password: "four other words here", From: from})
		}
		many, ok := fault.As(last)
		if !ok || many.After != 2*time.Minute {
			t.Errorf("%s: %v", email, last)
		}
		if n := w.Passwords.Count() - before; n != 10 {
			t.Errorf("%s: %d hashes", email, n)
		}
	}
	if !errors.Is(w.try(t, "ada@example.com", accesstest.Password), fault.TooMany) {
		t.Error("the right password gets through a spent limit")
	}
	w.Clock.Add(2 * time.Minute)
	if err := w.try(t, "ada@example.com", accesstest.Password); err != nil {
		t.Error(err)
	}
}

// A stranger with more networks than anyone counts uses up the budget that strangers share.
func TestWhatStrangersSpendLeavesKnownBrowsersAndOtherWays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.SignIn = signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyA), w.Passwords)
	w.WithPassword(t, "ada@example.com")
	from := func(i int) netip.Addr {
		return netip.AddrFrom16([16]byte{0x20, 0x01, 4: byte(i >> 8), 5: byte(i), 15: 1})
	}
	limited := func(err error) bool {
		many := errors.Is(err, fault.TooMany)
		return many
	}
	ways := map[string]func(i int, device string) error{
		"password": func(i int, device string) error {
			email := fmt.Sprintf("someone%d@example.com", i)
			if device != "" {
				email = "ada@example.com"
			}
			_, err := w.SignIn.ByPassword(t.Context(), signin.Try{Email: email, Password: accesstest.Password, From: from(i), Device: device})
			return err
		},
		"reset": func(i int, device string) error {
			email := fmt.Sprintf("someone%d@example.com", i)
			if device != "" {
				email = "ada@example.com"
			}
			return w.SignIn.TakeReset(t.Context(), email, from(i), device)
		},
		"share": func(i int, _ string) error { return w.Shares.TakePassword(t.Context(), int64(i), from(i)) },
	}
	next := 0
	spent := map[string]bool{}
	for _, way := range []string{"share", "reset", "password"} {
		for other, try := range ways {
			next++
			if got := limited(try(next, "")); got != spent[other] {
				t.Errorf("before %s is spent: %s is refused %v, want %v", way, other, got, spent[other])
			}
		}
		for range 100 {
			next++
			_ = ways[way](next, "")
		}
		spent[way] = true
	}
	device := w.SignIn.DeviceToken("ada@example.com")
	for _, way := range []string{"password", "reset"} {
		if err := ways[way](next, device); err != nil {
			t.Errorf("%s in a known browser: %v", way, err)
		}
	}
}

func TestStrangersCantLockTheOwnersOwnBrowserOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.SignIn = signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyA), w.Passwords)
	w.WithPassword(t, "ada@example.com")
	token := w.SignIn.DeviceToken("Ada@example.com")
	for i := range 12 {
		_, _ = w.SignIn.ByPassword(t.Context(), signin.Try{Email: "ada@example.com", Password: "x", From: netip.AddrFrom4([4]byte{198, 51, 100, byte(i)})})
	}
	try := func(device string) error {
		_, err := w.SignIn.ByPassword(t.Context(), signin.Try{Email: "ada@example.com", Password: accesstest.Password, From: accesstest.Home, Device: device})
		return err
	}
	if err := try(token); err != nil {
		t.Errorf("the known browser: %v", err)
	}
	for name, forged := range map[string]string{
		"none": "", "another address's": w.SignIn.DeviceToken("eve@example.com"), "changed": token[:len(token)-2] + "xx",
		"without a sign": token[:43], "garbage": "a.b",
	} {
		if !errors.Is(try(forged), fault.TooMany) {
			t.Errorf("%s token gets through", name)
		}
	}
	for range 9 { // a stolen session gets no more tries than an account
		_, _ = w.SignIn.ByPassword(t.Context(), signin.Try{Email: "ada@example.com", Password: "x", From: accesstest.Home, Device: token})
	}
	if !errors.Is(try(token), fault.TooMany) {
		t.Error("a known browser may try for ever")
	}
}

func cheapHash(password, head string) string {
	key := argon2.IDKey([]byte(password), []byte("0123456789abcdef"), 2, 9728, 1, 32)
	return head + base64.RawStdEncoding.EncodeToString(key)
}

func TestCheaperHashIsMadeAnewAtSignIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	w.WithPassword(t, "ada@example.com")
	// The same password with half the memory, as an earlier version would have stored it.
	const cheap = "$argon2id$v=19$m=9728,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$"
	hash := cheapHash(accesstest.Password, cheap)
	if _, err := w.DB.Pool.Exec(ctx, "update passwords set hash = $1, set_at = '2026-01-01'", hash); err != nil {
		t.Fatal(err)
	}
	if err := w.try(t, "ada@example.com", accesstest.Password); err != nil {
		t.Fatal(err)
	}
	var kept string
	var set time.Time
	if err := w.DB.Pool.QueryRow(ctx, "select hash, set_at from passwords").Scan(&kept, &set); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(kept, "m=19456") || set.Year() != 2026 || set.Month() != 1 {
		t.Errorf("kept %q, set %v", kept, set)
	}
	if err := w.try(t, "ada@example.com", accesstest.Password); err != nil {
		t.Error(err)
	}
}

func TestNewPasswordEndsEverythingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	p := w.WithPassword(t, "ada@example.com")
	other := w.Person(t, "bo@example.com")
	link := w.Link(t, p)
	w.SaveSession(t, "here", p)
	w.SaveSession(t, "there", p)
	w.SaveSession(t, "bo", other)
	keep := w.SessionID(t, "here")
	err := w.SignIn.SetPassword(ctx, p, "short", keep)
	if !errors.Is(err, fault.Invalid) {
		t.Fatal(err)
	}
	if n := w.Count(t, "sessions"); n != 3 {
		t.Errorf("a refused password ended sessions: %d are left", n)
	}
	if err := w.SignIn.SetPassword(ctx, p, "four other words here", keep); err != nil {
		t.Fatal(err)
	}
	accesstest.Wants(t, w.try(t, p.Email, accesstest.Password), fault.Denied)
	if err := w.try(t, p.Email, "four other words here"); err != nil {
		t.Error(err)
	}
	accesstest.Wants(t, w.SignIn.CheckLink(ctx, link), fault.NotFound)
	for token, want := range map[string]bool{"here": true, "there": false, "bo": true} {
		if _, found, err := w.SessionStore.FindCtx(ctx, token); err != nil || found != want {
			t.Errorf("session %s lives: %v, %v", token, found, err)
		}
	}
}

func TestPasswordsAreConfirmedWithinALimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.WithPassword(t, "ada@example.com")
	bare := w.Person(t, "bo@example.com")
	if err := w.SignIn.ConfirmPassword(t.Context(), p, accesstest.Password); err != nil {
		t.Error(err)
	}
	accesstest.Wants(t, w.SignIn.ConfirmPassword(t.Context(), bare, accesstest.Password), fault.Denied)
	for range 9 {
		accesstest.Wants(t, w.SignIn.ConfirmPassword(t.Context(), p, "x"), fault.Denied)
	}
	if !errors.Is(w.SignIn.ConfirmPassword(t.Context(), p, accesstest.Password), fault.TooMany) {
		t.Error("a session may guess its owner's password for ever")
	}
}

// A cookie of a known browser can be copied, so these browsers share a budget as strangers do.
func TestKnownBrowsersShareABudgetForAllThatTheyTry(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.SignIn = signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyA), w.Passwords)
	ada := w.WithPassword(t, "ada@example.com")
	reset := func(i int) error {
		email := fmt.Sprintf("someone%d@example.com", i)
		return w.SignIn.TakeReset(t.Context(), email, accesstest.Home, w.SignIn.DeviceToken(email))
	}
	for i := range limit.Overall.Burst {
		if err := reset(i); err != nil {
			t.Fatalf("reset %d: %v", i+1, err)
		}
	}
	_, password := w.SignIn.ByPassword(t.Context(), signin.Try{Email: "ada@example.com", Password: accesstest.Password, From: accesstest.Home, Device: w.SignIn.DeviceToken("ada@example.com")})
	for what, err := range map[string]error{
		"a reset": reset(limit.Overall.Burst), "a password": password, "a confirmation": w.SignIn.ConfirmPassword(t.Context(), ada, accesstest.Password),
	} {
		if !errors.Is(err, fault.TooMany) {
			t.Errorf("%s after all is spent: %v", what, err)
		}
	}
}

func TestRefusedAttemptsAreCountedWithoutARecord(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for range 50 {
		if err := w.SignIn.Limited(accesstest.From(t, accesstest.Home)); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.Count(t, "audit"); n != 0 {
		t.Errorf("%d records", n)
	}
	accesstest.WantCounts(t, w.Counts(t, audit.Filter{}), "2026-11-20 sign-in.limited 203.0.113.7 50")
}
