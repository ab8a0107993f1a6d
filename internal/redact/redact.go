// Package redact removes a secret from what its recipients send back: a service, mail
// server or provider may echo its requests in a reply or an error. What we store, log and
// show of that must be useless to an attacker.
package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Hidden replaces a secret.
const Hidden = "•••"

// Mask hides one secret in every form in which it may be echoed. The zero Mask hides
// nothing.
type Mask struct {
	forms []string // longest first
	// replacer hides all of them in one pass.
	replacer *strings.Replacer
}

// leastForm is the shortest form to look for besides the token itself: shorter ones would
// match innocent text.
const leastForm = 8

// New makes the mask of a secret; an empty secret's mask hides nothing.
func New(token string) Mask {
	if token == "" {
		return Mask{}
	}
	forms := []string{token}
	add := func(form string) {
		if len(form) >= leastForm && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	quoted, _ := json.Marshal(token)
	inner := string(quoted[1 : len(quoted)-1])
	add(inner)
	add(strings.ReplaceAll(inner, "/", `\/`))
	add(strings.ReplaceAll(token, "/", `\/`))
	goQuoted := strconv.Quote(token)
	add(goQuoted[1 : len(goQuoted)-1])
	add(html.EscapeString(token))
	for _, escaped := range []string{url.QueryEscape(token), url.PathEscape(token), everyByte(token, "%")} {
		add(escaped)
		add(lowerEscapes(escaped))
	}
	add(everyByte(token, `\x`))
	inHex := hex.EncodeToString([]byte(token))
	add(inHex)
	add(strings.ToUpper(inHex))
	for ahead := range 3 { // the number of bytes before it decides how base64 splits its bits
		middle := base64.StdEncoding.EncodeToString([]byte("xx"[:ahead%3] + token))
		from, to := (ahead*8+5)/6, (ahead+len(token))*8/6
		middle = middle[from:to]
		add(middle)
		add(strings.NewReplacer("+", "-", "/", "_").Replace(middle))
	}
	slices.SortStableFunc(forms, func(a, b string) int { return len(b) - len(a) })
	pairs := make([]string, 0, 2*len(forms))
	for _, form := range forms {
		pairs = append(pairs, form, Hidden)
	}
	return Mask{forms, strings.NewReplacer(pairs...)}
}

// Long hides every run of 40 or more characters that could be a secret in any form. Use it
// for text that may contain secrets we don't store, such as the links in mails.
func Long(text string) string { return long.ReplaceAllString(text, Hidden) }

// LongError does the same for an error's text. If it hides something, it drops the error chain.
func LongError(err error) error {
	if err == nil || !long.MatchString(err.Error()) {
		return err
	}
	return errors.New(Long(err.Error()))
}

// long matches a secret as plain text, base64 or hex, or with escapes of a URL, HTML, JSON or
// Go.
var long = regexp.MustCompile(`[\w+/=%\\&#;-]{40,}`)

func everyByte(text, before string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteString(before)
		b.WriteString(strings.ToUpper(hex.EncodeToString([]byte{text[i]})))
	}
	return b.String()
}

// lowerEscapes writes %2F as %2f.
func lowerEscapes(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], bytes.ToLower(b[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}

// Text hides the secret in a text.
func (m Mask) Text(text string) string {
	if !m.within(text) {
		return text
	}
	return m.replacer.Replace(text)
}

func (m Mask) within(text string) bool {
	return slices.ContainsFunc(m.forms, func(form string) bool { return strings.Contains(text, form) })
}

// Body hides the secret in a reply. A reply that spells it with unusual escapes is replaced
// as a whole.
func (m Mask) Body(body []byte) []byte {
	if slices.ContainsFunc(m.forms, func(form string) bool { return bytes.Contains(body, []byte(form)) }) {
		body = []byte(m.replacer.Replace(string(body)))
	}
	if bytes.IndexByte(body, '\\') >= 0 && m.within(unescaped(body)) {
		return []byte(Hidden)
	}
	return body
}

// unescaped resolves a text's escapes as a JSON parser would, wherever they occur.
func unescaped(body []byte) string {
	var b strings.Builder
	b.Grow(len(body))
	for at := 0; at < len(body); at++ {
		if body[at] != '\\' || at+1 == len(body) {
			b.WriteByte(body[at])
			continue
		}
		at++
		if body[at] != 'u' || at+4 >= len(body) {
			b.WriteByte(body[at])
			continue
		}
		r, err := strconv.ParseUint(string(body[at+1:at+5]), 16, 32)
		if err != nil || utf16.IsSurrogate(rune(r)) { // tokens have no such characters
			b.WriteRune(utf8.RuneError)
			continue
		}
		b.WriteRune(rune(r))
		at += 4
	}
	return b.String()
}

// Error hides the secret in an error's text. If it hides something, it drops the error
// chain, which contains the secret too.
func (m Mask) Error(err error) error {
	if err == nil || !m.within(err.Error()) {
		return err
	}
	return errors.New(m.Text(err.Error()))
}
