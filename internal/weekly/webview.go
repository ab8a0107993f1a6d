package weekly

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"strings"

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
	whole, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	return unpackPart(out, whole.Header.Get, whole.Body)
}

func unpackPart(out *weekly.WrittenMail, header func(string) string, body io.Reader) error {
	kind, params, err := mime.ParseMediaType(header("Content-Type"))
	if err != nil {
		return err
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err == nil {
				err = unpackPart(out, part.Header.Get, part)
			}
			if err != nil {
				return err
			}
		}
	}
	switch strings.ToLower(header("Content-Transfer-Encoding")) {
	case "quoted-printable":
		body = quotedprintable.NewReader(body)
	case "base64":
		body = base64.NewDecoder(base64.StdEncoding, body)
	}
	content, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	switch id := strings.Trim(header("Content-ID"), "<>"); {
	case kind == "text/html":
		out.HTML = string(content)
	case kind == "text/plain" && out.Text == "":
		out.Text = string(content)
	case kind == "image/png" && id != "":
		out.Pictures[id] = content
	}
	return nil
}
