package mail

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
)

// Bounce is a mail server's report, sent by mail, about a mail that it had accepted before,
// for one of its recipients (RFC 3464).
type Bounce struct {
	// MessageID is the reported mail's id, without brackets.
	MessageID string
	// Recipient is the final address, which may differ from the one we sent to.
	Recipient string
	// Action is failed, delayed, delivered, relayed or expanded, or [Complained].
	Action string
	// Status is a code of RFC 3463, such as 5.1.1.
	Status string
	// Said is the answer of the server that rejected the mail, if the report includes it.
	Said string
}

// Complained is the action when the reader marked the mail as spam (RFC 5965).
const Complained = "complained"

// ErrNoBounce is returned for a mail that isn't a report, such as a reply from a person.
var ErrNoBounce = errors.New("this is no report of a mail server")

// mostOfReport bounds what is read, since the returned mail may be attached.
const mostOfReport = 8 << 20

// ReadBounces reads a mail that reports the fate of another.
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
		if err != nil && part == nil { // the rest may be cut off, after what we need
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

// readStatus reads groups of header fields, one for the mail and one for each recipient.
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

// readFeedback reads a reader's feedback. Saying that a mail isn't spam, or unsubscribing
// in the mail client, isn't a complaint.
func readFeedback(r io.Reader) []Bounce {
	head, _ := textproto.ReadHeader(bufio.NewReader(r))
	switch strings.ToLower(firstWord(head.Get("Feedback-Type"))) {
	case "abuse", "fraud", "virus", "other":
		return []Bounce{{Recipient: strings.Trim(firstWord(head.Get("Original-Rcpt-To")), "<>"), Action: Complained}}
	}
	return nil
}

// readID finds the message id in the headers of the returned mail.
func readID(r io.Reader) string {
	head, _ := textproto.ReadHeader(bufio.NewReader(r))
	return strings.Trim(firstWord(head.Get("Message-Id")), "<>")
}

// typed is the value of a field that starts with its type: "smtp; 550 no".
func typed(value string) string {
	_, rest, _ := strings.Cut(value, ";")
	return words(rest)
}

func words(text string) string { return strings.Join(strings.Fields(text), " ") }

// firstWord drops what follows: some servers write "5.1.1 (user unknown)".
func firstWord(value string) string {
	for word := range strings.FieldsSeq(value) {
		return word
	}
	return ""
}

// Ends reports whether nothing may be sent to the address any longer.
func (b Bounce) Ends() bool { return b.Action == Complained || b.OfAddress() }

// OfAddress reports whether the address permanently doesn't exist. Full mailboxes get
// emptied, and errors about a server's rules, the route or the mail aren't about the address.
func (b Bounce) OfAddress() bool {
	about := []string{"5.0.", "5.1.", "5.2.0", "5.2.1", "5.4.4"}
	return b.Action == "failed" && slices.ContainsFunc(about, func(of string) bool { return strings.HasPrefix(b.Status, of) })
}
