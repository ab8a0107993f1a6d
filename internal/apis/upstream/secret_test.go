package upstream_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestASecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	const token = "tok_never_show_this_9876"
	secret := upstream.NewSecret(token)
	holder := struct {
		Public upstream.Secret
		hidden upstream.Secret
		Ptr    *upstream.Secret
	}{secret, secret, &secret}

	logged := func(handler func(*bytes.Buffer) slog.Handler) string {
		var b bytes.Buffer
		logger := slog.New(handler(&b))
		logger.Info("x", "secret", secret, "holder", holder, "list", []upstream.Secret{secret})
		return b.String()
	}
	encoded := func(out []byte, err error) string {
		must.NoError(t, err)
		return string(out)
	}
	outputs := map[string]string{
		"text log":   logged(func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) }),
		"json log":   logged(func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) }),
		"json":       encoded(json.Marshal(holder)),
		"json v2":    encoded(jsonv2.Marshal(struct{ A upstream.Secret }{secret})),
		"map key":    encoded(json.Marshal(map[string]any{"a": secret, "b": []any{&secret}})),
		"xml":        encoded(xml.Marshal(secret)),
		"print":      fmt.Sprint(secret, holder),
		"error":      errors.Join(fmt.Errorf("with %v", secret)).Error(),
		"wrong verb": fmt.Sprintf("%d %x %X %t %08b", secret, secret, secret, secret, secret),
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%T"} {
		outputs[verb] = fmt.Sprintf(verb, secret)
		outputs[verb+" in a struct"] = fmt.Sprintf(verb, holder)
		outputs[verb+" by pointer"] = fmt.Sprintf(verb, &holder)
	}
	for name, out := range outputs {
		must.NotContains(t, out, "never_show", name)
		must.NotContains(t, strings.ToLower(out), fmt.Sprintf("%x", "never_show"), name)
	}
	must.Equal(t, "•••", fmt.Sprintf("%#v", secret))
	must.Equal(t, `"•••"`, outputs["json v2"][len(`{"A":`):len(outputs["json v2"])-1])
}

func TestASecretGivesAwayAtMostItsTail(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ text, tail string }{
		"long":                {"abcdefgh1234", "1234"},
		"one too short":       {"abcdefg1234", ""},
		"empty":               {"", ""},
		"pasted with newline": {" abcdefgh1234\r\n", "1234"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			secret := upstream.NewSecret(c.text)
			must.Equal(t, c.tail, secret.Tail())
			must.Equal(t, strings.TrimSpace(c.text), secret.Reveal())
			must.Equal(t, c.text == "", secret.IsZero())
		})
	}
	must.True(t, upstream.Secret{}.IsZero())
	must.Equal(t, "•••", upstream.Secret{}.String())
}
