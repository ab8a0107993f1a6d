package apitoken_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/apitoken"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/fault"
)

func TestTokenReadsItsStoresOnly(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ctx := t.Context()
	token, err := w.Tokens.Create(ctx, "ci", []string{"acme", "acme"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(token, "sg_") {
		t.Errorf("token %q can't be recognised", token)
	}
	v, err := w.Tokens.Resolve(ctx, token, "acme")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := v.Store(); err != nil || s.Slug != "acme" {
		t.Errorf("own store: %+v, %v", s, err)
	}
	for _, slug := range []string{"birch", "nowhere", ""} {
		v, err := w.Tokens.Resolve(ctx, token, slug)
		if err != nil {
			t.Fatal(err)
		}
		_, err = v.Store()
		accesstest.Wants(t, err, db.ErrNotFound)
	}
	all, err := w.Tokens.Create(ctx, "all", []string{access.AllStores}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	v, err = w.Tokens.Resolve(ctx, all, "birch")
	if _, err2 := v.Store(); err != nil || err2 != nil {
		t.Error(err, err2)
	}
}

func TestTokenNamesAndStoresAreChecked(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ctx := t.Context()
	if _, err := w.Tokens.Create(ctx, "ci", []string{"acme"}, nil, apitoken.Life); err != nil {
		t.Fatal(err)
	}
	_, err := w.Tokens.Create(ctx, "ci", []string{"acme"}, nil, apitoken.Life)
	accesstest.Wants(t, err, fault.Conflict)
	_, err = w.Tokens.Create(ctx, "half", []string{"acme", "nowhere"}, nil, apitoken.Life)
	accesstest.Wants(t, err, fault.Missing("store"))
	if _, err := w.Tokens.Create(ctx, " ", []string{"acme"}, nil, apitoken.Life); err == nil {
		t.Error("a token without a name was made")
	}
	if _, err := w.Tokens.Create(ctx, "none", nil, nil, apitoken.Life); err == nil {
		t.Error("a token without stores was made")
	}
	tokens, err := w.Tokens.List(ctx)
	if err != nil || len(tokens) != 1 || tokens[0].Name != "ci" || !slices.Equal(tokens[0].Stores, []string{"acme"}) {
		t.Errorf("a refused token left something behind: %+v, %v", tokens, err)
	}
}

func TestRevokedTokenIsRefusedAndItsNameFree(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ctx := t.Context()
	token, err := w.Tokens.Create(ctx, "ci", []string{"acme"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Tokens.Revoke(ctx, "ci"); err != nil {
		t.Fatal(err)
	}
	_, err = w.Tokens.Resolve(ctx, token, "acme")
	accesstest.Wants(t, err, fault.Denied)
	accesstest.Wants(t, w.Tokens.Revoke(ctx, "ci"), fault.Missing("token"))
	if _, err := w.Tokens.Create(ctx, "ci", []string{"acme"}, nil, apitoken.Life); err != nil {
		t.Error(err)
	}
	for _, garbage := range []string{"", "sg_", "sg_x", token[3:], token + "x", strings.ToUpper(token)} {
		_, err := w.Tokens.Resolve(ctx, garbage, "acme")
		accesstest.Wants(t, err, fault.Denied)
	}
}

func TestLastUseIsWrittenOnceAMinute(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ctx := t.Context()
	token, err := w.Tokens.Create(ctx, "ci", []string{"acme"}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Tokens.Create(ctx, "unused", []string{"acme"}, nil, apitoken.Life); err != nil {
		t.Fatal(err)
	}
	used := func() time.Time {
		t.Helper()
		if _, err := w.Tokens.Resolve(ctx, token, ""); err != nil {
			t.Fatal(err)
		}
		tokens, err := w.Tokens.List(ctx)
		if err != nil || tokens[0].LastUsedAt == nil || tokens[1].LastUsedAt != nil {
			t.Fatal("the used token has no last use, or an unused one has", err)
		}
		return *tokens[0].LastUsedAt
	}
	first := w.Clock.Now()
	if got := used(); !got.Equal(first) {
		t.Errorf("first use at %v, want %v", got, first)
	}
	w.Clock.Add(59 * time.Second)
	if got := used(); !got.Equal(first) {
		t.Errorf("written again after 59 s: %v", got)
	}
	w.Clock.Add(2 * time.Second)
	if got := used(); !got.Equal(w.Clock.Now()) {
		t.Errorf("not written after 61 s: %v", got)
	}
}

func TestATokenEndsOnItsDayAndWithWhoMadeIt(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ctx := t.Context()
	works := func(token string) bool {
		t.Helper()
		_, err := w.Tokens.Resolve(ctx, token, "")
		if err != nil && !errors.Is(err, fault.Denied) {
			t.Fatal(err)
		}
		return err == nil
	}
	root := w.Person(t, "root@example.com")
	if err := w.SetRole(ctx, root.ID, access.Admin); err != nil {
		t.Fatal(err)
	}
	month := 30 * 24 * time.Hour
	own, err := w.Tokens.Create(accesstest.As(ctx, root), "own", []string{access.AllStores}, nil, month)
	if err != nil {
		t.Fatal(err)
	}
	command, err := w.Tokens.Create(ctx, "command", []string{access.AllStores}, nil, apitoken.Life)
	if err != nil {
		t.Fatal(err)
	}
	if !works(own) || !works(command) {
		t.Fatal("a new token doesn't work")
	}
	if err := w.SetRole(ctx, root.ID, access.Merchant); err != nil {
		t.Fatal(err)
	}
	if works(own) {
		t.Error("it works for who manages nothing any more")
	}
	if err := w.SetRole(ctx, root.ID, access.Admin); err != nil {
		t.Fatal(err)
	}
	if err := w.DisablePerson(ctx, root.ID); err != nil {
		t.Fatal(err)
	}
	tokens, err := w.Tokens.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, tok := range tokens {
		if tok.OwnerGone != (tok.Name == "own") {
			t.Errorf("%s: its owner is gone: %v", tok.Name, tok.OwnerGone)
		}
	}
	if works(own) || !works(command) {
		t.Error("a token outlives its maker, or ends with someone else")
	}
	if err := w.EnablePerson(ctx, root.ID); err != nil {
		t.Fatal(err)
	}
	w.Clock.Add(month - time.Second)
	if !works(own) {
		t.Error("it ends before its day")
	}
	w.Clock.Add(time.Second)
	if works(own) || !works(command) {
		t.Error("it outlives its day")
	}
	w.Clock.Add(apitoken.Life)
	if works(command) {
		t.Error("a token works for more than a year")
	}
}
