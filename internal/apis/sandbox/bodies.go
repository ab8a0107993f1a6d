package sandbox

import (
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

const bodyMax = 1 << 20

// inputError is a parameter that is wrong: the field by its path, and what it must be.
type inputError struct{ field, says string }

func (e *inputError) Error() string { return e.field + ": " + e.says }

func wrong(field, says string) error { return &inputError{field, says} }

// write makes a handler of something that takes a JSON object. Writes of a store come one after the other; what they refuse is
// INVALID_INPUT and wrote nothing.
func write(does func(*request, world.Moment, jsontext.Value) (reply, error)) func(*request, *world.Book) reply {
	return func(q *request, b *world.Book) reply {
		body, err := io.ReadAll(io.LimitReader(q.Body, bodyMax))
		object := jsontext.Value(body)
		if err != nil || !object.IsValid() || object.Kind() != '{' {
			return invalid("body", "must be a JSON object")
		}
		d := &q.shop.Desk
		d.Writing.Lock()
		defer d.Writing.Unlock()
		out, err := does(q, d.Latest(b.Now), object)
		if err == nil {
			return out
		}
		bad, known := errors.AsType[*inputError](err)
		if !known {
			panic(err) // only a programming fault of the sandbox itself can bring this
		}
		return invalid(bad.field, bad.says)
	}
}

// read decodes an object over what is there: a field that it does not name stays as it was.
func read(object jsontext.Value, into any) error {
	err := json.Unmarshal(object, into, json.RejectUnknownMembers(true))
	if err == nil {
		return nil
	}
	bad, known := errors.AsType[*json.SemanticError](err)
	if !known {
		return wrong("body", "must be a JSON object without a name twice")
	}
	field := strings.ReplaceAll(strings.TrimPrefix(string(bad.JSONPointer), "/"), "/", ".")
	if errors.Is(err, json.ErrUnknownName) {
		return wrong(field, "is not a field of this request")
	}
	return wrong(field, "has a value of the wrong kind")
}

// tokenField is where a commit carries what its preview gave.
const tokenField = "confirmationToken"

// commitParts takes a commit apart: its token, and the rest with nothing but what counts commercially, in one spelling.
func commitParts(object jsontext.Value) (token, commercial string, err error) {
	fields := map[string]jsontext.Value{}
	if err := json.Unmarshal(object, &fields); err != nil {
		return "", "", wrong("body", "must be a JSON object without a name twice")
	}
	if json.Unmarshal(fields[tokenField], &token) != nil || token == "" {
		return "", "", wrong(tokenField, "is required: it is what the preview returned")
	}
	delete(fields, tokenField)
	return token, commercially(fields), nil
}

// readSetup reads a campaign's setup over what s holds, and returns its commercial fields.
func readSetup(sh *world.Shop, object jsontext.Value, s *world.Setup) (commercial string, err error) {
	if commercial, err = previewParts(object); err != nil {
		return "", err
	}
	if err = read(object, s); err != nil {
		return "", err
	}
	return commercial, checkSetup(sh, *s)
}

// previewParts is the same of a preview, which has no token yet.
func previewParts(object jsontext.Value) (commercial string, err error) {
	fields := map[string]jsontext.Value{}
	if err := json.Unmarshal(object, &fields); err != nil {
		return "", wrong("body", "must be a JSON object without a name twice")
	}
	return commercially(fields), nil
}

// commercially writes fields in one spelling. The name of a campaign is for its merchant alone: it is the one field that is not commercial.
func commercially(fields map[string]jsontext.Value) string {
	delete(fields, "name")
	out, err := json.Marshal(fields, json.Deterministic(true))
	if err != nil {
		panic(err) // it was read as JSON
	}
	spelt := jsontext.Value(out)
	if err := spelt.Canonicalize(); err != nil {
		panic(err)
	}
	return string(spelt)
}
