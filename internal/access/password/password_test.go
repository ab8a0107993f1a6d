package password_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/password"
	"github.com/storeglass/storeglass/internal/fault"
)

func TestPasswordIsKeptAsAHashWithItsCosts(t *testing.T) {
	t.Parallel()
	h := password.NewHasher()
	const password = "vier Wörter, die niemand rät"
	hash, err := h.Hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") || strings.Contains(hash, "niemand") {
		t.Errorf("hash %q", hash)
	}
	again, err := h.Hash(t.Context(), password)
	if err != nil || again == hash {
		t.Error("two hashes share a salt", err)
	}
	for tried, want := range map[string]bool{
		password:                             true,
		"vier Wo\u0308rter, die niemand rät": true, // the same letters in a different Unicode composition
		"vier Wörter, die niemand rät ":      false,
		"Vier Wörter, die niemand rät":       false,
		"":                                   false,
		strings.Repeat("x", 1000):            false,
	} {
		if got, _, err := h.Match(t.Context(), hash, tried); err != nil || got != want {
			t.Errorf("%.40q matches: %v, %v", tried, got, err)
		}
	}
}

func TestNoPasswordMatchesAnEmptyHashAndItTakesAsLong(t *testing.T) {
	t.Parallel()
	h := password.NewHasher()
	before := h.Count()
	for _, tried := range []string{"", "nobody's", "four words to guess"} {
		if got, _, err := h.Match(t.Context(), "", tried); err != nil || got {
			t.Errorf("%q matches nobody's hash: %v", tried, err)
		}
	}
	if n := h.Count() - before; n != 3 {
		t.Errorf("%d hashes were made for 3 tries", n)
	}
}

func TestDamagedHashIsAFaultThatDoesNotShowIt(t *testing.T) {
	t.Parallel()
	h := password.NewHasher()
	_, _, err := h.Match(t.Context(), "$argon2id$damaged", "four words to guess")
	if err == nil || strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

func TestWaitingToHashEndsWithTheRequest(t *testing.T) {
	t.Parallel()
	h := password.NewHasher()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := h.Count()
	for range 8 {
		if _, err := h.Hash(ctx, "four words to guess"); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if n := h.Count() - before; n != 0 {
		t.Errorf("%d hashes were made for nobody", n)
	}
}

func TestNewPasswordIsLongAndNotAmongTheFirstGuesses(t *testing.T) {
	t.Parallel()
	p := access.Person{Email: "ada.lovelace@fernhollow.example", Name: "Ada Lovelace"}
	for text, ok := range map[string]bool{
		"four words to guess":            true,
		"correct horse battery staple":   true,
		"correcthorsebatterystaple":      true,
		"ünïcödé ist hier erlaubt":       true,
		"🐎🔋📎✔️🐎🔋📎✔️🗝🏠🌧🍄":                 true,
		"kx9$Qw2!vLp7":                   true,
		strings.Repeat("long pass ", 12): true,

		"":                               false,
		"eleven long":                    false,
		strings.Repeat("long pass ", 13): false,
		"bad \xff\xfe bytes here":        false,
		// listed, in any case
		"1qaz2wsx3edc": false,
		"LEAVEMEALONE": false,
		// listed with something around it, or with digits for letters
		"password12345":    false,
		"!!Password2026!":  false,
		"P@ssw0rd!2345":    false,
		"2026-dragon-2026": false,
		// a listed word doubled, or two of them
		"passwordpassword":   false,
		"monkeydragon99":     false,
		"qwertyqwertyqwerty": false,
		// few distinct characters, or a sequence
		"aaaaaaaaaaaaaaaa": false,
		"121212121212":     false,
		"abcdefghijklmnop": false,
		"123456789012345":  false,
		"987654321098":     false,
		// their own name or address
		"Lovelace-Ada-12":                 false,
		"ada.lovelace@fernhollow.example": false,
		"fernhollow2026":                  false,
		"Storeglass-2026":                 false,
		"storeglassstoreglass":            false,
	} {
		err := password.Check(text, p.Email, p.Name)
		if (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
		if _, said := fault.As(err); err != nil && !said {
			t.Errorf("%q: no words for its owner: %v", text, err)
		}
	}
}
