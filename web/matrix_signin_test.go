package web_test

import (
	"maps"
	"net/http"
	"strings"
)

// What the matrix sends to let people in, and to their accounts.
func init() {
	maps.Copy(forms, map[string]map[string]string{
		"/sign-in/code":                    {"code": "000000"},
		"/sign-in/code/passkey":            {"credential": "{}"},
		"/sign-in/code/passkey/options":    {},
		"/sign-in/passkey":                 {"credential": "{}"},
		"/sign-in/passkey/options":         {},
		"/account/identities/connect":      {},
		"/account/identities/remove":       {"issuer": "https://login.example.com", "subject": "x"},
		"/account/app/start":               {},
		"/account/app":                     {"code": "000000"},
		"/account/app/remove":              {},
		"/account/recovery":                {},
		"/account/confirm/passkey":         {"credential": "{}"},
		"/account/confirm/passkey/options": {},
		"/account/passkeys/add":            {"credential": "{}"},
		"/account/passkeys/add/options":    {},
		"/account/passkeys/rename":         {"id": ":passkeys/:id", "name": "A key"},
		"/account/passkeys/remove":         {"id": ":passkeys/:id"},
	})
	parameters["passkeys/:id"] = idForms{
		own:     "123456789", // nobody has one
		foreign: "select k.id::text from passkeys k join sessions s on s.person_id = k.person_id where s.token = 'stranger'",
		random:  "987654321", malformed: []string{"x", "-1", "1e3", strings.Repeat("9", 40), "1 or 1=1"},
	}
	maps.Copy(ownAnswers, map[string]int{
		"GET /sign-in/code":                     http.StatusGone, // nobody is between two steps
		"POST /sign-in/code":                    http.StatusGone,
		"POST /sign-in/code/passkey":            http.StatusGone,
		"POST /sign-in/passkey":                 http.StatusUnprocessableEntity, // which isn't a passkey's answer
		"GET /account/confirm/sso":              http.StatusNotFound,            // no provider is set
		"POST /account/identities/connect":      http.StatusNotFound,
		"GET /account/app":                      http.StatusGone, // or setting up an app
		"POST /account/app":                     http.StatusGone,
		"POST /account/recovery":                http.StatusConflict,
		"POST /account/confirm/passkey":         http.StatusUnprocessableEntity,
		"POST /account/confirm/passkey/options": http.StatusOK,
		"POST /account/passkeys/add":            http.StatusUnprocessableEntity,
		"POST /account/passkeys/add/options":    http.StatusOK,
	})
	maps.Copy(indifferent, map[string]bool{"POST /account/passkeys/rename": true, "POST /account/passkeys/remove": true})
}

// signInPaths answer anyone who is not signed in.
var signInPaths = map[string]bool{
	"/sign-in": true, "/sign-in/:token": true, "/sign-in/code": true, "/sign-in/code/passkey": true, "/sign-in/code/passkey/options": true,
	"/sign-in/passkey": true, "/sign-in/passkey/options": true, "/sign-in/forgotten": true, "/sign-in/reset": true, "/sign-in/reset/:token": true,
	"/sign-in/sso": true, "/sign-in/sso/callback": true,
	"/invitation": true, "/invitation/:token": true, "/set-up": true, "/set-up/:token": true,
}
