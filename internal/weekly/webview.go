package weekly

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/emersion/go-message"

	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Mail is the mail that the token opens, as it was sent, with its pictures as files
// beside it. db.ErrNotFound when it is no longer stored, or never was.
func (m *SubscriptionService) Mail(ctx context.Context, token string) (weekly.WrittenMail, error) {
	hash, err := hashOf(token)
	if err != nil {
		return weekly.WrittenMail{}, err
	}
	r, err := m.DB.Queries().LinkedMail(ctx, hash)
	if err != nil {
		return weekly.WrittenMail{}, none(err, "find a mail by its link")
	}
	out := weekly.WrittenMail{Subject: r.Subject, Pictures: map[string][]byte{}}
	if err := unpack(&out, r.Body); err != nil {
		return weekly.WrittenMail{}, fmt.Errorf("read a mail that was sent: %w", err)
	}
	// Pictures are addressed by name, below the mail's address.
	out.HTML = pictureSource.ReplaceAllString(out.HTML, `src="`+token+`/$1.png"`)
	return out, nil
}

var pictureSource = regexp.MustCompile(`src="cid:([a-z-]+)"`)

// unpack reads the contents of a written mail.
func unpack(out *weekly.WrittenMail, raw []byte) error {
	whole, err := message.Read(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return whole.Walk(func(_ []int, part *message.Entity, err error) error {
		if err != nil {
			return err
		}
		kind, _, err := part.Header.ContentType()
		if err != nil || strings.HasPrefix(kind, "multipart/") {
			return err
		}
		content, err := io.ReadAll(part.Body)
		switch id := strings.Trim(part.Header.Get("Content-ID"), "<>"); {
		case kind == "text/html":
			out.HTML = string(content)
		case kind == "text/plain" && out.Text == "":
			out.Text = string(content)
		case kind == "image/png" && id != "":
			out.Pictures[id] = content
		}
		return err
	})
}
