package site

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/fault"
)

// maxBounce bounds a mail that a mail server hands over: the one that came back may hang
// on it.
const maxBounce = 4 << 20

// Form is the form that came with the request, as read left it.
func (c *Call) Form() url.Values { return c.Request().PostForm }

// parsePosted reads the form, in memory; only one may bring a file.
func (c *Call) parsePosted() error {
	r := c.Request()
	several := strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data")
	err := r.ParseForm()
	if err == nil && several {
		err = r.ParseMultipartForm(c.MaxBody())
	}
	_, large := errors.AsType[*http.MaxBytesError](err)
	switch {
	case err == nil:
		return nil
	case large && several && c.Path() == BrandingForm:
		return errPictureTooLarge
	case large:
		return ErrTooLarge
	}
	return ErrUnreadable
}

const (
	// MaxForm bounds what a form may send: ours hold a token and an address.
	MaxForm = 64 << 10
	// MaxLogoForm is for the one that may bring a picture.
	MaxLogoForm = brand.MaxLogoBytes + MaxForm
	// BrandingForm is where it goes.
	BrandingForm = "/branding/draft"
)

// MaxBody bounds a request's body.
func (c *Call) MaxBody() int64 {
	switch c.Path() {
	case BrandingForm:
		return MaxLogoForm
	case BouncePath + ":token":
		return maxBounce
	}
	return MaxForm
}

// MaxText bounds one value of a form or a query: the longest that a page here sends is
// an address of ours (see localPath), and an index of PostgreSQL takes not much more.
const MaxText = 2048

// longValues are the fields whose values may be longer; their handlers read them and keep
// no whole one.
var longValues = map[string]bool{
	"handles": true, "credential": true, // a list of products, a passkey
	"next": true,                                           // dropped where it is too long, see localPath
	"code": true, "state": true, "error_description": true, // of the provider of single sign-on
}

// Read is the one reader of what people send, and runs before every handler: it refuses text
// that nothing behind it can keep or look for, such as a form that can't be parsed, NUL,
// broken UTF-8 and values without end. PostgreSQL would refuse them too, as an error of a
// statement, and that would be our fault (500).
func (c *Call) Read() error {
	if !storable(c.Request().URL.Path) {
		return ErrNotFound
	}
	if err := checkValues(c.QueryParams(), false); err != nil {
		return err
	}
	if SafeMethod(c.Request().Method) || c.Path() == BouncePath+":token" { // that one is a mail
		return nil
	}
	if err := c.parsePosted(); err != nil {
		return err
	}
	return checkValues(c.Form(), c.Path() == BrandingForm)
}

// checkValues checks names and values. long: a value may be of any length, since its form
// shows it again with what is wrong.
func checkValues(values url.Values, long bool) error {
	for name, all := range values {
		if !storable(name) || len(name) > MaxText {
			return errUnnamedValue
		}
		for _, v := range all {
			switch {
			case !storable(v):
				return about(name, NewProblem(fault.Invalid, "unstorable_value"))
			case len(v) > MaxText && !long && !longValues[name]:
				return about(name, NewProblem(fault.Invalid, "long_value").as(413, "too-large"))
			}
		}
	}
	return nil
}

// about names the field that a problem is about.
func about(field string, p *Problem) *Problem {
	p.Field = field
	return p
}

// storable reports whether the database can hold the text.
func storable(s string) bool { return utf8.ValidString(s) && !strings.ContainsRune(s, 0) }

// Showable reports whether a text can be kept and shown on one line.
func Showable(s string) bool {
	return storable(s) && !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) })
}
