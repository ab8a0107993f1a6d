package gift

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// CampaignPreview is a campaign as it would be created. Only
// [Writer.CreateCampaign] takes it.
type CampaignPreview struct {
	preview
	body []byte
}

// EditPreview is a campaign as it would be after an edit. Only [Writer.ApplyEdit]
// takes it.
type EditPreview struct {
	preview
	id   string
	body []byte
}

// DeletionPreview is what would be deleted permanently, valid only for the configuration that
// it showed. Only [Writer.DeleteCampaign] takes it.
type DeletionPreview struct {
	preview
	id string
}

// preview is what the service showed, with its token: permission to do exactly that, for a
// short time. It prints as •••, so that no log contains such permission.
type preview struct {
	found bool
	shown upstream.Raw
	// A pointer, because fmt walks unexported fields without calling their methods: it then
	// prints an address. It is nil if there is nothing to confirm.
	token *string
}

// Found is false if the store has no such campaign; then there is nothing to confirm (N54).
func (p preview) Found() bool { return p.found }

// Shown is the service's preview as it came, without the token. Its fields aren't documented.
func (p preview) Shown() upstream.Raw { return p.shown }

// Format hides the preview from every verb.
func (preview) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, hidden) }

// MarshalJSON hides the preview.
func (preview) MarshalJSON() ([]byte, error) { return []byte(`"` + hidden + `"`), nil }

// LogValue hides the preview from slog.
func (preview) LogValue() slog.Value { return slog.StringValue(hidden) }

const hidden = "•••"

// tokenField is the token's name in previews and commits.
const tokenField = "confirmationToken"

// DecodeRaw takes an object with a token, or with found: false.
func (p *preview) DecodeRaw(value []byte) error {
	said, err := upstream.Decode[struct {
		Found *bool  `json:"found"`
		Token string `json:"confirmationToken"`
	}](value)
	if err != nil {
		return err
	}
	found := said.Found == nil || *said.Found
	if found && said.Token == "" {
		return errors.New("the preview has no " + tokenField)
	}
	*p = preview{found: found, shown: without(tokenField, value)}
	if found {
		p.token = &said.Token
	}
	return nil
}

// without returns an object without one of its members.
func without(name string, object []byte) upstream.Raw {
	var out bytes.Buffer
	for m := range upstream.Members(object) {
		if m.Name == name {
			continue
		}
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.Write(quoted(m.Name))
		out.WriteByte(':')
		out.Write(m.Value)
	}
	return upstream.Raw("{" + out.String() + "}")
}

// object refuses anything but one JSON object before it is sent and counted as a write. Callers
// may not set the token.
func object(op string, body []byte) ([]byte, error) {
	value, err := upstream.Decode[upstream.Raw](body)
	if err != nil || jsontext.Value(value).Kind() != '{' {
		return nil, upstream.Refuse(op, "the body is not a JSON object")
	}
	for m := range upstream.Members(value) {
		if m.Name == tokenField {
			return nil, upstream.Refuse(op, "the body holds a %s: it is sent with the commit that follows the preview", tokenField)
		}
	}
	return bytes.TrimSpace(value), nil
}

// confirmed is the unchanged previewed body with the token.
func confirmed(body []byte, token string) []byte {
	inside := bytes.TrimSpace(body[1 : len(body)-1])
	out := append([]byte{'{'}, inside...)
	if len(inside) > 0 {
		out = append(out, ',')
	}
	out = append(out, `"`+tokenField+`":`...)
	return append(append(out, quoted(token)...), '}')
}

func quoted(text string) []byte {
	out, _ := jsontext.AppendQuote(nil, text) // the text came from valid JSON
	return out
}
