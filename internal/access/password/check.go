package password

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/storeglass/storeglass/internal/fault"
)

// product is the name that people build passwords for this program from.
const product = "storeglass"

// Check returns a fault.Invalid that says what is wrong with the new password of someone
// with that address and name, if anything. Only its length counts, and whether it would be
// among an attacker's first guesses, not which characters it has.
func Check(password, email, name string) error {
	if !utf8.ValidString(password) {
		return fault.New(fault.Invalid, "password", "account.refused.unreadable")
	}
	password = norm.NFC.String(password)
	switch n := utf8.RuneCountInString(password); {
	case n < Min:
		return fault.New(fault.Invalid, "password", "account.refused.short", "n", Min)
	case n > Max:
		return fault.New(fault.Invalid, "password", "account.refused.long", "n", Max)
	}
	folded := strings.ToLower(password)
	if rest := withoutOwn(folded, email, name); utf8.RuneCountInString(rest) < 8 {
		return fault.New(fault.Invalid, "password", "account.refused.own")
	}
	if isCommon(folded) {
		return fault.New(fault.Invalid, "password", "account.refused.common")
	}
	return nil
}

// withoutOwn removes from a password what anyone would try first for this person.
func withoutOwn(folded, email, name string) string {
	email = strings.ToLower(email)
	local, domain, _ := strings.Cut(email, "@")
	words := append([]string{email, local, domain, product}, strings.FieldsFunc(domain, isNoLetter)...)
	words = append(words, strings.FieldsFunc(local, isNoLetter)...)
	words = append(words, strings.FieldsFunc(norm.NFC.String(strings.ToLower(name)), unicode.IsSpace)...)
	for _, w := range words {
		if utf8.RuneCountInString(w) >= 3 {
			folded = strings.ReplaceAll(folded, w, "")
		}
	}
	return folded
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

// isCommon reports whether a password is on the list, or easy to derive from it: with
// digits and signs around it, with digits for letters, doubled, or two listed ones in
// a row. Few listed passwords are as long as we require; people lengthen them in these
// ways.
func isCommon(folded string) bool {
	for _, word := range []string{folded, unleet.Replace(folded)} {
		core := strings.TrimFunc(word, isNoLetter)
		if listed(word) || core != word && listed(core) || distinct(word) < 5 || inOrder(word) || ofTwo(word) || ofTwo(core) {
			return true
		}
	}
	return false
}

var unleet = strings.NewReplacer("0", "o", "1", "l", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i")

func listed(word string) bool {
	_, ok := commonPasswords()[word]
	return ok && len(word) >= 4
}

// ofTwo reports whether the word is two listed words in a row, or one repeated.
func ofTwo(word string) bool {
	for i := 4; i <= len(word)-4; i++ {
		if listed(word[:i]) && (listed(word[i:]) || strings.ReplaceAll(word, word[:i], "") == "") {
			return true
		}
	}
	return false
}

// inOrder reports whether most characters continue a sequence: abcdef, 987654.
func inOrder(word string) bool {
	steps, all, last := 0, 0, rune(0)
	for _, r := range word {
		if all++; r-last >= -1 && r-last <= 1 {
			steps++
		}
		last = r
	}
	return steps*4 >= all*3
}

func distinct(word string) int {
	seen := map[rune]bool{}
	for _, r := range word {
		seen[r] = true
	}
	return len(seen)
}

// The file next to the list says where it comes from.
//
//go:embed common/passwords.txt.gz
var commonList []byte

var commonPasswords = sync.OnceValue(func() map[string]struct{} {
	z, err := gzip.NewReader(bytes.NewReader(commonList))
	if err != nil {
		panic(err) // embedded, so it can't be damaged
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	words := make(map[string]struct{}, 10_500)
	for word := range strings.Lines(string(text)) {
		words[strings.ToLower(strings.TrimSuffix(word, "\n"))] = struct{}{}
	}
	return words
})
