package web

import (
	"net/http"
	"net/url"
)

// maxText bounds one value of a form or a query: the longest that a page here sends is
// an address of ours (see localPath), and an index of PostgreSQL takes not much more.
const maxText = 2048

// longValues are the fields whose values may be longer; their handlers read them and keep
// no whole one.
var longValues = map[string]bool{
	"handles": true, "credential": true, // a list of products, a passkey
	"next": true,                                           // dropped where it is too long, see localPath
	"code": true, "state": true, "error_description": true, // of the provider of single sign-on
}

// gated is the handler behind a gate, which every route has: it refuses text that nothing
// behind it can keep or look for, such as a form that can't be parsed, NUL, broken UTF-8 and
// values without end. PostgreSQL would refuse them too, as an error of a statement, and that
// would be our fault (500). Who may not ask at all is told so before.
func gated(handle func(*call) error) func(*call) error {
	return func(c *call) error {
		if !storable(c.Request().URL.Path) {
			return errNotFound
		}
		if err := checkValues(c.QueryParams(), false); err != nil {
			return err
		}
		if !safeMethod(c.Request().Method) && c.Path() != bouncePath+":token" { // that one is a mail
			if err := c.parsePosted(); err != nil {
				return err
			}
			if err := checkValues(c.Request().PostForm, c.Path() == brandingForm); err != nil {
				return err
			}
		}
		return handle(c)
	}
}

// checkValues checks names and values. long: a value may be of any length, since its form
// shows it again with what is wrong.
func checkValues(values url.Values, long bool) error {
	for name, all := range values {
		if !storable(name) || len(name) > maxText {
			return badRequest("", "The name of a value is too long, or holds characters that can't be stored. Nothing was changed. Load the page again and repeat.")
		}
		for _, v := range all {
			switch {
			case !storable(v):
				return badRequest(name, "A value holds characters that can't be stored, such as NUL or broken UTF-8. Nothing was changed. Type it again without them.")
			case len(v) > maxText && !long && !longValues[name]:
				return &problem{status: http.StatusRequestEntityTooLarge, kind: "too-large", title: "A value is too long", detail: "One of the values is too long. Nothing was changed. Shorten it and send it again.", field: name}
			}
		}
	}
	return nil
}
