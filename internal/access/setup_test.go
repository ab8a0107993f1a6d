package access_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
)

func TestSetUpLinkLetsOneAdministratorInAndNobodyAfter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := access.New(w.db, w.clock.now, access.WithSealer(sealer(t, keyA)))
	secret, err := first.SetUpSecret(t.Context())
	if err != nil || len(secret) < 40 {
		t.Fatalf("%q, %v", secret, err)
	}
	if again, _ := access.New(w.db, w.clock.now, access.WithSealer(sealer(t, keyA))).SetUpSecret(t.Context()); again != secret {
		t.Error("two processes with the same key give two links")
	}
	if other, _ := access.New(w.db, w.clock.now, access.WithSealer(sealer(t, keyB))).SetUpSecret(t.Context()); other == secret {
		t.Error("another key gives the same link")
	}
	for _, wrong := range []string{"", secret[1:], secret + "A"} {
		if _, err := first.SetUp(t.Context(), wrong, "ada@example.com", "Ada", goodPassword); !errors.Is(err, access.ErrLink) {
			t.Errorf("%.5q…: %v", wrong, err)
		}
	}
	if _, err := first.SetUp(t.Context(), secret, "nobody", "Ada", goodPassword); !errors.Is(err, access.ErrEmail) {
		t.Errorf("an address that is none: %v", err)
	}
	var in, late int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 4 { // at the same time
		all.Go(func() {
			p, err := first.SetUp(t.Context(), secret, fmt.Sprintf("ada%d@example.com", i), "Ada", goodPassword)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && p.Role == access.Admin && p.Joined:
				in++
			case errors.Is(err, access.ErrLink):
				late++
			default:
				t.Errorf("%+v, %v", p, err)
			}
		})
	}
	all.Wait()
	if in != 1 || late != 3 {
		t.Errorf("%d came in, %d were late", in, late)
	}
	if secret, err := first.SetUpSecret(t.Context()); secret != "" || err != nil {
		t.Errorf("with somebody there: %q, %v", secret, err)
	}
}
