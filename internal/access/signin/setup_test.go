package signin_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/signin"
	"github.com/storeglass/storeglass/internal/fault"
)

func TestSetUpCodeLetsOneAdministratorInAndNobodyAfter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyA), w.Passwords)
	code, err := first.SetUpCode(t.Context())
	if err != nil || len(code) != 27 {
		t.Fatalf("%q, %v", code, err)
	}
	if again, _ := signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyA), w.Passwords).SetUpCode(t.Context()); again != code {
		t.Error("two processes with the same key give two codes")
	}
	if other, _ := signin.New(w.DB, w.Clock.Now, accesstest.Sealer(t, accesstest.KeyB), w.Passwords).SetUpCode(t.Context()); other == code {
		t.Error("another key gives the same code")
	}
	if err := first.CheckSetUp(t.Context(), " "+strings.ToLower(strings.ReplaceAll(code, "-", " "))+"\n"); err != nil {
		t.Errorf("typed in lower case with spaces: %v", err)
	}
	for _, wrong := range []string{"", code[1:], code + "A"} {
		if _, err := first.SetUp(t.Context(), wrong, "ada@example.com", "Ada", accesstest.Password); !errors.Is(err, fault.NotFound) {
			t.Errorf("%.5q…: %v", wrong, err)
		}
	}
	if _, err := first.SetUp(t.Context(), code, "nobody", "Ada", accesstest.Password); !errors.Is(err, fault.Invalid) {
		t.Errorf("an address that is none: %v", err)
	}
	var in, late int
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 4 { // at the same time
		all.Go(func() {
			p, err := first.SetUp(t.Context(), code, fmt.Sprintf("ada%d@example.com", i), "Ada", accesstest.Password)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil && p.Role == access.Admin && p.Joined:
				in++
			case errors.Is(err, fault.NotFound):
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
	accesstest.Wants(t, first.CheckSetUp(t.Context(), ""), fault.NotFound)
	if code, err := first.SetUpCode(t.Context()); code != "" || err != nil {
		t.Errorf("with someone there: %q, %v", code, err)
	}
}

func TestWithoutAKeyNoCodeSetsUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, err := w.SignIn.SetUp(t.Context(), "", "ada@example.com", "Ada", accesstest.Password)
	accesstest.Wants(t, err, fault.NotFound)
	if n := w.Count(t, "people"); n != 0 {
		t.Errorf("%d people", n)
	}
}
