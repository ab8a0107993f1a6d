package mail

import "errors"

// Answer is what came of handing over a mail.
type Answer struct {
	Kind AnswerKind
	// Reason is why, for people; empty where the mail was taken.
	Reason string
	// Err is why, for the log; nil where the mail was taken.
	Err error
}

// AnswerKind is what follows from an answer.
type AnswerKind int

const (
	// Taken: the server has the mail.
	Taken AnswerKind = iota
	// Unanswered: the server has not said yet whether it takes the mail. What it says at
	// last comes later.
	Unanswered
	// Away: the server can't be reached, or takes nothing from us, no matter who it is for. That
	// is no fault of the mail.
	Away
	// Broken: the connection broke, and the mail may have arrived.
	Broken
	// Later: the server may take the mail later, or when its rules are set right.
	Later
	// Refused: the server never takes this mail.
	Refused
	// NoAddress: the server says that nobody is at the address.
	NoAddress
)

// errUnanswered is the error of a mail that the server has, and not taken yet.
var errUnanswered = errors.New("the mail server has not answered yet")

// unreachable is the error of a mail that was not sent because there is no conversation.
type unreachable struct{ error }

func (e unreachable) Unwrap() error { return e.error }

// AnswerOf sorts the error of sending a mail.
func AnswerOf(err error) Answer {
	if err == nil {
		return Answer{}
	}
	if errors.Is(err, errUnanswered) {
		return Answer{Unanswered, "The mail server has not answered yet.", err}
	}
	said, answered := errors.AsType[*Refusal](err)
	_, away := errors.AsType[unreachable](err)
	switch {
	case away:
		return Answer{Away, "The mail server could not be reached.", err}
	case !answered:
		return Answer{Broken, "The connection to the mail server broke.", err}
	case said.Step == OfSender:
		return Answer{Away, said.Error(), err}
	case said.OfAddress():
		return Answer{NoAddress, said.Error(), err}
	case said.Passing() || said.Step == OfReader:
		return Answer{Later, said.Error(), err}
	}
	return Answer{Refused, said.Error(), err}
}
