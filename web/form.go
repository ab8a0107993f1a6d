package web

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/brand"
)

// maxBounce bounds a mail that a mail server hands over: the one that came back may hang
// on it.
const maxBounce = 4 << 20

// form is the form that came with the request, as read left it.
func (c *call) form() url.Values { return c.Request().PostForm }

// parsePosted reads the form, in memory; only one may bring a file.
func (c *call) parsePosted() error {
	r := c.Request()
	several := strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data")
	err := r.ParseForm()
	if err == nil && several {
		err = r.ParseMultipartForm(c.maxBody())
	}
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case err == nil:
		return nil
	case large && several && c.Path() == brandingForm:
		return errPictureTooLarge
	case large:
		return errTooLarge
	}
	return errUnreadable
}

const (
	// maxForm bounds what a form may send: ours hold a token and an address.
	maxForm = 64 << 10
	// maxLogoForm is for the one that may bring a picture.
	maxLogoForm = brand.MaxLogoBytes + maxForm
	// brandingForm is where it goes.
	brandingForm = "/branding/draft"
)

// maxBody bounds a request's body.
func (c *call) maxBody() int64 {
	switch c.Path() {
	case brandingForm:
		return maxLogoForm
	case bouncePath + ":token":
		return maxBounce
	}
	return maxForm
}

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

// read is the one reader of what people send, and runs before every handler: it refuses text
// that nothing behind it can keep or look for, such as a form that can't be parsed, NUL,
// broken UTF-8 and values without end. PostgreSQL would refuse them too, as an error of a
// statement, and that would be our fault (500).
func (c *call) read() error {
	if !storable(c.Request().URL.Path) {
		return errNotFound
	}
	if err := checkValues(c.QueryParams(), false); err != nil {
		return err
	}
	if safeMethod(c.Request().Method) || c.Path() == bouncePath+":token" { // that one is a mail
		return nil
	}
	if err := c.parsePosted(); err != nil {
		return err
	}
	return checkValues(c.form(), c.Path() == brandingForm)
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

// storable reports whether the database can hold the text.
func storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// showable reports whether a text can be kept and shown on one line.
func showable(s string) bool {
	return storable(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) })
}
