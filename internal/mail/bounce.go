package mail

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// Bounce is what a mail server reports, in a mail, of one that it had taken before
// (RFC 3464), for one of those it was to.
type Bounce struct {
	// MessageID is that of the mail, without brackets.
	MessageID string
	// Recipient is where it went last: not always where we had sent it.
	Recipient string
	// Action is failed, delayed, delivered, relayed or expanded, or [Complained].
	Action string
	// Status is a code of RFC 3463, such as 5.1.1.
	Status string
	// Said is the answer of the server that did not take it, if it is reported.
	Said string
}

// Complained is the action where the reader has called the mail spam (RFC 5965).
const Complained = "complained"

// ErrNoBounce is for a mail that reports nothing: someone has answered.
var ErrNoBounce = errors.New("this is no report of a mail server")

// mostOfReport bounds what is read; the mail that came back may hang on it.
const mostOfReport = 8 << 20

// ReadBounces reads a mail that reports what happened to another.
func ReadBounces(mail io.Reader) ([]Bounce, error) {
	e, err := message.Read(io.LimitReader(mail, mostOfReport))
	if err != nil && !message.IsUnknownCharset(err) && !message.IsUnknownEncoding(err) {
		return nil, fmt.Errorf("%w: %w", ErrNoBounce, err)
	}
	kind, with, err := e.Header.ContentType()
	parts := e.MultipartReader()
	of := strings.ToLower(with["report-type"])
	if err != nil || kind != "multipart/report" || of != "delivery-status" && of != "feedback-report" || parts == nil {
		return nil, ErrNoBounce
	}
	var bounces []Bounce
	var id string
	for {
		part, err := parts.NextPart()
		if err != nil && part == nil { // it may be cut behind what we need
			break
		}
		switch kind, _, _ := part.Header.ContentType(); kind {
		case "message/delivery-status", "message/global-delivery-status":
			bounces = append(bounces, readStatus(part.Body)...)
		case "message/feedback-report":
			bounces = append(bounces, readFeedback(part.Body)...)
		case "message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers":
			if id == "" {
				id = readID(part.Body)
			}
		}
	}
	if len(bounces) == 0 || id == "" {
		return nil, fmt.Errorf("%w that says which mail it is about, and what became of it", ErrNoBounce)
	}
	for i := range bounces {
		bounces[i].MessageID = id
	}
	return bounces, nil
}

// readStatus reads groups of fields, one for the mail and one for each recipient.
func readStatus(r io.Reader) (bounces []Bounce) {
	lines := bufio.NewReader(r)
	for {
		group, err := textproto.ReadHeader(lines)
		b := Bounce{
			Recipient: typed(group.Get("Final-Recipient")), Action: strings.ToLower(words(group.Get("Action"))),
			Status: firstWord(group.Get("Status")), Said: typed(group.Get("Diagnostic-Code")),
		}
		if b.Recipient != "" && b.Action != "" && b.Status != "" {
			bounces = append(bounces, b)
		}
		if _, ended := lines.Peek(1); err != nil || ended != nil {
			return bounces
		}
	}
}

// readFeedback reads what a reader said of a mail; one who says that it is no spam, or
// ends a subscription in their program, complains of nothing.
func readFeedback(r io.Reader) []Bounce {
	head, _ := textproto.ReadHeader(bufio.NewReader(r))
	switch strings.ToLower(firstWord(head.Get("Feedback-Type"))) {
	case "abuse", "fraud", "virus", "other":
		return []Bounce{{Recipient: strings.Trim(firstWord(head.Get("Original-Rcpt-To")), "<>"), Action: Complained}}
	}
	return nil
}

// readID finds the id in the head of the mail that came back.
func readID(r io.Reader) string {
	head, _ := textproto.ReadHeader(bufio.NewReader(r))
	return strings.Trim(firstWord(head.Get("Message-Id")), "<>")
}

// typed is the value of a field that says first what kind it is: "smtp; 550 no".
func typed(value string) string {
	_, rest, _ := strings.Cut(value, ";")
	return words(rest)
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// firstWord leaves out what follows: some write "5.1.1 (user unknown)".
func firstWord(value string) string {
	for word := range strings.FieldsSeq(value) {
		return word
	}
	return ""
}

// Ends reports whether nothing may be sent to the address any more.
func (b Bounce) Ends() bool { return b.Action == Complained || b.OfAddress() }

// OfAddress reports whether nobody is at the address, permanently. Full boxes are emptied,
// and what a server says of its rules, of the way or of the mail is not about the address.
func (b Bounce) OfAddress() bool {
	if b.Action != "failed" {
		return false
	}
	for _, of := range []string{"5.0.", "5.1.", "5.2.0", "5.2.1", "5.4.4"} {
		if strings.HasPrefix(b.Status, of) {
			return true
		}
	}
	return false
}
