package site

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/storeglass/storeglass/internal/brand"
	"github.com/storeglass/storeglass/internal/fault"
	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components/form"
)

// maxBounce limits a mail from the mail server, which may include the bounced one.
const maxBounce = 4 << 20

// Form is the form that came with the request, as parsed by Read.
func (c *Call) Form() url.Values { return c.Request().PostForm }

// Wrong shows a refusal beside its field.
func (c *Call) Wrong(f *fault.Error) form.Wrong {
	return form.Wrong{Field: f.Field, Problem: f.Reason.In(c.Locale())}
}

// parsePosted reads the form, in memory; only one form may include a file.
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
	// MaxForm limits a form: ours have a token and an address.
	MaxForm = 64 << 10
	// MaxLogoForm is the limit for the form that may include a picture.
	MaxLogoForm = brand.MaxLogoBytes + MaxForm
	// BrandingForm is that form's address.
	BrandingForm = "/branding/draft"
)

// MaxBody limits a request's body.
func (c *Call) MaxBody() int64 {
	switch c.Path() {
	case BrandingForm:
		return MaxLogoForm
	case BouncePath + ":token":
		return maxBounce
	}
	return MaxForm
}

// MaxText limits one value of a form or a query: the longest that our pages send is one of our
// own addresses (see LocalPath), and a PostgreSQL index can't hold much more.
const MaxText = 2048

// longValues are the fields whose values may be longer; their handlers never store a whole
// value.
var longValues = map[string]bool{
	"handles": true, "credential": true, // a list of products, a passkey
	"next": true,                                           // dropped if it is too long, see LocalPath
	"code": true, "state": true, "error_description": true, // of the provider of single sign-on
}

// Read is the only reader of what people send, and runs before every handler: it refuses input
// that can't be stored or searched, such as a form that can't be parsed, NUL, broken UTF-8 and
// overlong values. PostgreSQL would refuse them, too, but as a failed statement, which would be
// our error (500).
func (c *Call) Read() error {
	if !storable(c.Request().URL.Path) {
		return ErrNotFound
	}
	if err := c.checkQuery(); err != nil {
		return err
	}
	if SafeMethod(c.Request().Method) || c.Path() == BouncePath+":token" { // bounces are mails
		return nil
	}
	if err := c.parsePosted(); err != nil {
		return err
	}
	return checkValues(c.Form(), c.Path() == BrandingForm)
}

// Opened identifies the stored values that a form is filled in with, for its hidden field
// "opened".
func Opened(values ...any) string {
	text, _ := json.Marshal(values) // texts, numbers and dates always can be
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// Outdated reports whether the stored values were changed after the form was opened, so that
// saving it would undo a change that nobody saw. A form that was sent twice isn't outdated:
// what is stored is what was typed.
func (c *Call) Outdated(stored, typed string) bool {
	opened := c.Form().Get("opened")
	return opened != "" && opened != stored && typed != stored
}

// Typed is the text of a note, a message or a list that came with the form, if any. Error pages
// show it, because Back leads to an empty form. No field of these names holds a secret.
func (c *Call) Typed() string {
	text := cmp.Or(c.Form().Get("text"), c.Form().Get("message"), c.Form().Get("handles"))
	if !storable(text) {
		return ""
	}
	return text
}

// checkQuery checks the query. Go drops the parts that it can't parse, such as "window=last_week;group=day", so
// the answer would be for the default window. Links that chats and mail programs write into still open.
func (c *Call) checkQuery() error {
	if _, err := url.ParseQuery(c.Request().URL.RawQuery); err != nil && !c.Shared() && !c.MailLinked() {
		if c.API() {
			return BadRequest("", "The query can't be read: separate parameters by &, and percent-encode % and ; in values.")
		}
		return ErrUnreadable
	}
	return checkValues(c.QueryParams(), false)
}

// checkValues checks names and values. long allows values of any length, because the form shows
// them again with what is wrong.
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
	return storable(s) && !strings.ContainsFunc(s, locale.Unshowable)
}
