package mail

import (
	"errors"

	"github.com/storeglass/storeglass/internal/locale"
)

// Answer is the result of handing over a mail.
type Answer struct {
	Kind AnswerKind
	// Reason is why, for people: the server's own words if it gave any; empty where the mail was taken.
	Reason locale.Message
	// Err is why, for the log; nil where the mail was taken.
	Err error
}

// AnswerKind says what to do after an answer.
type AnswerKind int

const (
	// Taken: the server accepted the mail.
	Taken AnswerKind = iota
	// Unanswered: the server hasn't said yet whether it accepts the mail. Its answer comes
	// later.
	Unanswered
	// Away: the server can't be reached, or accepts nothing from us for any reader. The
	// mail itself isn't at fault.
	Away
	// Broken: the connection broke, and the mail may have arrived.
	Broken
	// Later: the server may accept the mail later, or once its rules are fixed.
	Later
	// Refused: the server will never accept this mail.
	Refused
	// NoAddress: the server says that the address doesn't exist.
	NoAddress
)

// errUnanswered is the error of a mail that the server has received but not accepted yet.
var errUnanswered = errors.New("the mail server has not answered yet")

// unreachable is the error of a mail that wasn't sent for lack of a connection.
type unreachable struct{ error }

func (e unreachable) Unwrap() error { return e.error }

// AnswerOf classifies the error of sending a mail.
func AnswerOf(err error) Answer {
	if err == nil {
		return Answer{}
	}
	if errors.Is(err, errUnanswered) {
		return Answer{Unanswered, locale.M("mails.sent.cause.unanswered"), err}
	}
	said, answered := errors.AsType[*Refusal](err)
	_, away := errors.AsType[unreachable](err)
	var words locale.Message
	if answered {
		words = locale.Text(said.Error())
	}
	switch {
	case away && !answered:
		return Answer{Away, locale.M("mails.sent.cause.unreachable"), err}
	case !answered:
		return Answer{Broken, locale.M("mails.sent.cause.broken"), err}
	case said.Step == OfConnection, said.Step == OfSender:
		return Answer{Away, words, err}
	case said.OfAddress():
		return Answer{NoAddress, words, err}
	case said.Passing() || said.Step == OfReader:
		return Answer{Later, words, err}
	}
	return Answer{Refused, words, err}
}
