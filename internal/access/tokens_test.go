package access_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/db"
)

func TestTokenReadsItsStoresOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	token, err := w.CreateToken(ctx, "ci", "acme", "acme")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(token, "sg_") {
		t.Errorf("token %q can't be recognised", token)
	}
	v, err := w.ResolveToken(ctx, token, "acme")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := v.Store(); err != nil || s.Slug != "acme" {
		t.Errorf("own store: %+v, %v", s, err)
	}
	for _, slug := range []string{"birch", "nowhere", ""} {
		v, err := w.ResolveToken(ctx, token, slug)
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Store()
		wants(t, err, db.ErrNotFound)
	}
	all, err := w.CreateToken(ctx, "all", access.AllStores)
	if err != nil {
		t.Fatal(err)
	}
	v, err = w.ResolveToken(ctx, all, "birch")
	if _, err2 := v.Store(); err != nil || err2 != nil {
		t.Error(err, err2)
	}
}

func TestTokenNamesAndStoresAreChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	if _, err := w.CreateToken(ctx, "ci", "acme"); err != nil {
		t.Fatal(err)
	}
	_, err := w.CreateToken(ctx, "ci", "acme")
	wants(t, err, access.ErrTaken)
	_, err = w.CreateToken(ctx, "half", "acme", "nowhere")
	wants(t, err, access.ErrNoStore)
	if _, err := w.CreateToken(ctx, " ", "acme"); err == nil {
		t.Error("a token without a name was made")
	}
	if _, err := w.CreateToken(ctx, "none"); err == nil {
		t.Error("a token without stores was made")
	}
	tokens, err := w.Tokens(ctx)
	if err != nil || len(tokens) != 1 || tokens[0].Name != "ci" || !slices.Equal(tokens[0].Stores, []string{"acme"}) {
		t.Errorf("a refused token left something behind: %+v, %v", tokens, err)
	}
}

func TestRevokedTokenIsRefusedAndItsNameFree(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	token, err := w.CreateToken(ctx, "ci", "acme")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.RevokeToken(ctx, "ci"); err != nil {
		t.Fatal(err)
	}
	_, err = w.ResolveToken(ctx, token, "acme")
	wants(t, err, access.ErrBearer)
	wants(t, w.RevokeToken(ctx, "ci"), access.ErrNoToken)
	if _, err := w.CreateToken(ctx, "ci", "acme"); err != nil {
		t.Error(err)
	}
	for _, garbage := range []string{"", "sg_", "sg_x", token[3:], token + "x", strings.ToUpper(token)} {
		_, err := w.ResolveToken(ctx, garbage, "acme")
		wants(t, err, access.ErrBearer)
	}
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx := t.Context()
	token, err := w.CreateToken(ctx, "ci", "acme")
	if err != nil {
		t.Fatal(err)
	}
	used := func() time.Time {
		t.Helper()
		if _, err := w.ResolveToken(ctx, token, ""); err != nil {
			t.Fatal(err)
		}
		tokens, err := w.Tokens(ctx)
		if err != nil || tokens[0].LastUsedAt == nil {
			t.Fatal("no last use", err)
		}
		return *tokens[0].LastUsedAt
	}
	first := w.clock.now()
	if got := used(); !got.Equal(first) {
		t.Errorf("first use at %v, want %v", got, first)
	}
	w.clock.add(59 * time.Second)
	if got := used(); !got.Equal(first) {
		t.Errorf("written again after 59 s: %v", got)
	}
	w.clock.add(2 * time.Second)
	if got := used(); !got.Equal(w.clock.now()) {
		t.Errorf("not written after 61 s: %v", got)
	}
}
