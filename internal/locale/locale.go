// Package locale writes text in the reader's language: sentences from the message catalogs in catalog/,
// and numbers, money and dates according to CLDR.
//
// Everything people read, except names and other people's text, comes from here. A sentence is an id
// with arguments in Go and in the database, and a line in one catalog file per language; translators
// edit only those files, no Go.
package locale

import (
	"context"
	"slices"
	"unicode"

	"golang.org/x/text/language"
)

// Locale is a language that pages and mails are written in. The zero one is English.
type Locale int

// The locales, in the order that forms list them.
const (
	English Locale = iota
	German
	French
	Spanish
)

// style is how a language writes numbers and days, according to CLDR 45.
type style struct {
	tag          language.Tag
	name         string
	point, comma string
	// grouped is the minimum number of digits for grouping.
	grouped int
	percent string
	// behind: the currency symbol comes after the amount.
	behind bool
	// thousands, millions and billions are abbreviations for an axis.
	thousands, millions, billions string
	months                        [12]string
	weekdays                      [7]string
	longMonths                    [12]string
	longWeekdays                  [7]string
	// day follows the number of a day, of is between a day, its month and its year, and weekday is
	// between a weekday and its day.
	day, of, weekday string
	// from begins a range of days; to is between two days of one month, until between days of different months.
	from, to, until string
}

var styles = [...]style{
	English: {
		tag: language.English, name: "English",
		point: ".", comma: ",", grouped: 4, percent: "%", thousands: "k", millions: "m", billions: "b",
		months:       [12]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
		weekdays:     [7]string{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"},
		longMonths:   [12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
		longWeekdays: [7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
		of:           " ", weekday: " ", to: " – ", until: " – ",
	},
	German: {
		tag: language.German, name: "Deutsch",
		point: ",", comma: ".", grouped: 4, percent: "\u00a0%", behind: true, thousands: "\u00a0Tsd.", millions: "\u00a0Mio.", billions: "\u00a0Mrd.",
		months:       [12]string{"Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."},
		weekdays:     [7]string{"So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."},
		longMonths:   [12]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"},
		longWeekdays: [7]string{"Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"},
		day:          ".", of: " ", weekday: ", ", to: "–", until: " – ",
	},
	French: {
		tag: language.French, name: "Français",
		point: ",", comma: "\u202f", grouped: 4, percent: "\u00a0%", behind: true, thousands: "\u00a0k", millions: "\u00a0M", billions: "\u00a0Md",
		months:       [12]string{"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."},
		weekdays:     [7]string{"dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."},
		longMonths:   [12]string{"janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"},
		longWeekdays: [7]string{"dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"},
		of:           " ", weekday: " ", from: "du ", to: " au ", until: " au ",
	},
	Spanish: {
		tag: language.Spanish, name: "Español",
		point: ",", comma: ".", grouped: 5, percent: "\u00a0%", behind: true, thousands: "\u00a0mil", millions: "\u00a0M", billions: "\u00a0mil\u00a0M",
		months:       [12]string{"ene.", "feb.", "mar.", "abr.", "mayo", "jun.", "jul.", "ago.", "sept.", "oct.", "nov.", "dic."},
		weekdays:     [7]string{"dom", "lun", "mar", "mié", "jue", "vie", "sáb"},
		longMonths:   [12]string{"enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"},
		longWeekdays: [7]string{"domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"},
		of:           " de ", weekday: ", ", from: "del ", to: " al ", until: " al ",
	},
}

// All are the locales, English first.
func All() []Locale { return []Locale{English, German, French, Spanish} }

// Of returns the locale with a code, "de"; for any other code, ok is false and the locale English.
func Of(code string) (l Locale, ok bool) {
	i := slices.IndexFunc(styles[:], func(s style) bool { return s.tag.String() == code })
	return Locale(max(0, i)), i >= 0
}

// matcher falls back to English.
var matcher = language.NewMatcher([]language.Tag{language.English, language.German, language.French, language.Spanish})

// Match is the best locale for an Accept-Language header; English if it lists none of ours.
func Match(acceptLanguage string) Locale {
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil {
		return English
	}
	_, i, confidence := matcher.Match(tags...)
	if confidence == language.No {
		return English
	}
	return Locale(i)
}

// Code is the language's code, for markup, headers and the database: "de".
func (l Locale) Code() string { return styles[l].tag.String() }

// Name is the language's name for itself: "Deutsch".
func (l Locale) Name() string { return styles[l].name }

type key struct{}

// With returns a context whose pages are written in l.
func With(ctx context.Context, l Locale) context.Context { return context.WithValue(ctx, key{}, l) }

// From is the locale of a context; English if it has none.
func From(ctx context.Context) Locale {
	l, _ := ctx.Value(key{}).(Locale)
	return l
}

// Unshowable reports whether r would break a line of text, or reorder what is around it.
func Unshowable(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control) }
