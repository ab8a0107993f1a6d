package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
)

// maxText bounds one value of a form or a query: the longest that a page here sends is
// an address of ours (see localPath), and an index of PostgreSQL takes not much more.
const maxText = 2048

// longValues are the fields whose values may be longer; their handlers read them and keep
// no whole one.
var longValues = map[string]bool{
	"handles": true, "credential": true, // a list of products, a passkey
	"code": true, "state": true, "error_description": true, // of the provider of single sign-on
}

// gate stands before all handlers and refuses text that nothing behind it can keep or look
// for: a form that can't be parsed, NUL, broken UTF-8, values without end. PostgreSQL
// would refuse them too, as an error of the statement, and that would be our fault (500).
func (s *Server) gate(next echo.HandlerFunc) echo.HandlerFunc {
	return func(ec echo.Context) error {
		c := ec.(*call)
		if !storable(c.Request().URL.Path) {
			return errNotFound
		}
		if err := checkValues(c.QueryParams()); err != nil {
			return err
		}
		if !safeMethod(c.Request().Method) && c.Path() != bouncePath+":token" { // that one is a mail
			if err := c.parsePosted(); err != nil {
				return err
			}
			if err := checkValues(c.Request().PostForm); err != nil {
				return err
			}
		}
		return next(c)
	}
}

func checkValues(values url.Values) error {
	for name, all := range values {
		if !storable(name) || len(name) > maxText {
			return badRequest("", "The name of a value is too long, or holds characters that can't be stored. Nothing was changed. Load the page again and repeat.")
		}
		for _, v := range all {
			switch {
			case !storable(v):
				return badRequest(name, "A value holds characters that can't be stored, such as NUL or broken UTF-8. Nothing was changed. Type it again without them.")
			case len(v) > maxText && !longValues[name]:
				return &problem{status: http.StatusRequestEntityTooLarge, kind: "too-large", title: "A value is too long", detail: "One of the values is too long. Nothing was changed. Shorten it and send it again.", field: name}
			}
		}
	}
	return nil
}
