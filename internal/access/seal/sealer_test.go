package seal_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/seal"
)

func TestSealedTokenOpensInItsPlaceOnly(t *testing.T) {
	t.Parallel()
	s := accesstest.Sealer(t, accesstest.KeyA)
	plain, here := []byte("upsell-token-4711"), []byte("store 1 upsell")
	sealed, id := s.Seal(plain, here)
	if bytes.Contains(sealed, plain) || strings.Contains(id, accesstest.KeyA[:8]) {
		t.Error("the secret shows")
	}
	if got, err := s.Open(sealed, id, here); err != nil || !bytes.Equal(got, plain) {
		t.Errorf("%q, %v", got, err)
	}
	again, _ := s.Seal(plain, here)
	if bytes.Equal(again, sealed) {
		t.Error("sealing twice gives the same bytes")
	}
	damaged := bytes.Clone(sealed)
	damaged[len(damaged)-1] ^= 1
	for name, try := range map[string]func() ([]byte, error){
		"another row":     func() ([]byte, error) { return s.Open(sealed, id, []byte("store 2 upsell")) },
		"damaged":         func() ([]byte, error) { return s.Open(damaged, id, here) },
		"cut":             func() ([]byte, error) { return s.Open(sealed[:5], id, here) },
		"unknown key":     func() ([]byte, error) { return s.Open(sealed, "00000000", here) },
		"another secret":  func() ([]byte, error) { return accesstest.Sealer(t, accesstest.KeyB).Open(sealed, id, here) },
		"nothing at all":  func() ([]byte, error) { return s.Open(nil, id, here) },
		"without a place": func() ([]byte, error) { return s.Open(sealed, id, nil) },
	} {
		if got, err := try(); !errors.Is(err, seal.ErrSealed) {
			t.Errorf("%s: %q, %v", name, got, err)
		} else if strings.Contains(err.Error(), "4711") {
			t.Errorf("%s: the error tells the secret", name)
		}
	}
}

func TestOlderKeysOpenAndNothingNewIsSealedWithThem(t *testing.T) {
	t.Parallel()
	old := accesstest.Sealer(t, accesstest.KeyA)
	sealed, id := old.Seal([]byte("token"), nil)
	s := accesstest.Sealer(t, accesstest.KeyB, accesstest.KeyA)
	if got, err := s.Open(sealed, id, nil); err != nil || string(got) != "token" {
		t.Errorf("%q, %v", got, err)
	}
	if !s.Stale(id) {
		t.Error("the old key's value is not due for sealing again")
	}
	if _, now := s.Seal([]byte("token"), nil); now == id || s.Stale(now) {
		t.Error("sealed with the old key")
	}
}

func TestBudgetKeyIsTheSameForOneTokenAndTellsNothing(t *testing.T) {
	t.Parallel()
	a, again, b := accesstest.Sealer(t, accesstest.KeyA), accesstest.Sealer(t, accesstest.KeyA), accesstest.Sealer(t, accesstest.KeyB)
	if !bytes.Equal(a.BudgetKeys("t")[0], again.BudgetKeys("t")[0]) {
		t.Error("two processes would not share the budget")
	}
	if bytes.Equal(a.BudgetKeys("t")[0], a.BudgetKeys("u")[0]) || bytes.Equal(a.BudgetKeys("t")[0], b.BudgetKeys("t")[0]) {
		t.Error("different tokens or secrets share a budget")
	}
}

func TestShortSecretKeyIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := seal.NewSealer("short"); err == nil || strings.Contains(err.Error(), "short ") {
		t.Error(err)
	}
	if _, err := seal.NewSealer(accesstest.KeyA, "short"); err == nil {
		t.Error("a short older key was taken")
	}
}
