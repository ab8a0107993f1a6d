package upstreamtest

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
)

// Echoes are the forms in which code may repeat a secret.
func Echoes(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	var unicode, percent, escaped strings.Builder
	for _, b := range []byte(secret) {
		fmt.Fprintf(&unicode, `\u%04x`, b)
		fmt.Fprintf(&percent, "%%%02x", b)
		fmt.Fprintf(&escaped, `\x%02X`, b)
	}
	forms := map[string]string{
		"plain": secret, "json": string(quoted[1 : len(quoted)-1]), "json with a slash escaped": strings.ReplaceAll(string(quoted[1:len(quoted)-1]), "/", `\/`),
		"json in code points": unicode.String(), "query": url.QueryEscape(secret), "path": url.PathEscape(secret), "percent": percent.String(), "percent, capital": strings.ToUpper(percent.String()),
		"hex": hex.EncodeToString([]byte(secret)), "hex, capital": strings.ToUpper(hex.EncodeToString([]byte(secret))), "escaped bytes": escaped.String(), "html": html.EscapeString(secret), "go": fmt.Sprintf("%q", secret),
	}
	for _, ahead := range []string{"", "x", "xx", "Bearer ", "user:", `{"token":"`} {
		forms["base64 behind "+ahead] = base64.StdEncoding.EncodeToString([]byte(ahead + secret + "!"))
		forms["base64 for addresses behind "+ahead] = base64.RawURLEncoding.EncodeToString([]byte(ahead + secret + "!"))
	}
	return forms
}

// Traces are the parts of a secret that appear in a text containing it in any form: a search
// for leaks looks for these.
func Traces(secret string) map[string]string {
	traces := map[string]string{}
	for name, form := range Echoes(secret) {
		if ahead, ok := strings.CutPrefix(name, "base64 behind "); ok { // the part that depends on the secret alone
			form = form[(len(ahead)*8+5)/6 : (len(ahead)+len(secret))*8/6]
		} else if ahead, ok := strings.CutPrefix(name, "base64 for addresses behind "); ok {
			form = form[(len(ahead)*8+5)/6 : (len(ahead)+len(secret))*8/6]
		}
		traces[name] = strings.Trim(form, `"`)
	}
	return traces
}

// Found names the traces of a secret that a text holds.
func Found(text string, traces map[string]string) (found []string) {
	for name, trace := range traces {
		if strings.Contains(text, trace) {
			found = append(found, name)
		}
	}
	return found
}

// Seeker looks for the traces of many secrets at once, in one pass.
type Seeker struct {
	starts [1 << 16]bool
	traces map[uint32][]trace
}

type trace struct{ secret, form, text string }

// Hit is where a text holds a secret.
type Hit struct {
	Secret, Form string
	At           int
}

// NewSeeker looks for secrets by their names.
func NewSeeker(secrets map[string]string) *Seeker {
	s := &Seeker{traces: map[uint32][]trace{}}
	for name, secret := range secrets {
		for form, text := range Traces(secret) {
			start := four(text, 0)
			s.starts[startSlot(start)] = true
			s.traces[start] = append(s.traces[start], trace{name, form, text})
		}
	}
	return s
}

// four returns the four bytes of a text from a position on, as a number. No trace is shorter.
func four(text string, at int) uint32 {
	return uint32(text[at]) | uint32(text[at+1])<<8 | uint32(text[at+2])<<16 | uint32(text[at+3])<<24
}

func startSlot(start uint32) uint32 { return start * 2654435761 >> 16 }

// Seek returns the first position of each trace.
func (s *Seeker) Seek(text string) (hits []Hit) {
	seen := map[[2]string]bool{}
	for at := 0; at+4 <= len(text); at++ {
		start := four(text, at)
		if !s.starts[startSlot(start)] {
			continue
		}
		for _, t := range s.traces[start] {
			if key := [2]string{t.secret, t.form}; strings.HasPrefix(text[at:], t.text) && !seen[key] {
				seen[key] = true
				hits = append(hits, Hit{t.secret, t.form, at})
			}
		}
	}
	return hits
}
