package db_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/db"
)

// An offer's link comes from outside: it only becomes a link if following it can do no more than open a
// page over https.
func TestOnlyHTTPSAddressesBecomeLinks(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://acme.example/admin/offers/1?x=y#z": "https://acme.example/admin/offers/1?x=y#z",
		"HTTPS://acme.example/":                     "https://acme.example/",
		"https://acme.example:8443/a":               "https://acme.example:8443/a",
		`https://acme.example/"><script>`:           "https://acme.example/%22%3E%3Cscript%3E",
		"":                                          "",
		"http://acme.example/":                      "",
		"javascript:alert(1)":                       "",
		"JavaScript://acme.example/%0aalert(1)":     "",
		"data:text/html,x":                          "",
		"//acme.example/":                           "",
		"/admin/offers/1":                           "",
		"https:///path":                             "",
		"https:acme.example":                        "",
		"https://user@acme.example/":                "",
		"https://user:pass@acme.example/":           "",
		`https:\\acme.example\`:                     "",
		`https://acme.example\@evil.example/`:       "",
		"https://acme.example/\r\nX: y":             "",
		"https://acme.example/\tx":                  "",
		" https://acme.example/":                    "",
		"java\nscript:alert(1)":                     "",
		"https://acme.example/%zz":                  "",
		"https://[::1":                              "",
		"mailto:a@acme.example":                     "",
	} {
		if got := db.SafeURL(raw); got != want {
			t.Errorf("%q becomes %q, want %q", raw, got, want)
		}
	}
}
