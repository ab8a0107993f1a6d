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

// inputError is a wrong parameter: the field's path, and what it must be.
type inputError struct{ field, says string }

func (e *inputError) Error() string { return e.field + ": " + e.says }

func wrong(field, says string) error { return &inputError{field, says} }

// write makes a handler for a request with a JSON object. Writes of a store run one after the other; a refused one
// gets INVALID_INPUT and writes nothing.
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
			panic(err) // only a bug in the sandbox can cause this
		}
		return invalid(bad.field, bad.says)
	}
}

// read decodes an object into an existing value: fields that it doesn't name keep their values.
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

// tokenField is the field in which a commit sends its preview's token.
const tokenField = "confirmationToken"

// bodyParts splits a body into the token of the preview, which only a commit sends, and its commercial fields in one
// normalized form. Only a campaign's name isn't commercial, since only its merchant sees it.
func bodyParts(object jsontext.Value) (token, commercial string, err error) {
	fields := map[string]jsontext.Value{}
	if err := json.Unmarshal(object, &fields); err != nil {
		return "", "", wrong("body", "must be a JSON object without a name twice")
	}
	_ = json.Unmarshal(fields[tokenField], &token) // a token that isn't text is none
	delete(fields, tokenField)
	delete(fields, "name")
	out, err := json.Marshal(fields, json.Deterministic(true))
	if err != nil {
		panic(err) // it was already read as JSON
	}
	spelt := jsontext.Value(out)
	if err := spelt.Canonicalize(); err != nil {
		panic(err)
	}
	return token, string(spelt), nil
}

// readSetup reads a campaign's setup into s, and returns its commercial fields.
func readSetup(sh *world.Shop, object jsontext.Value, s *world.Setup) (commercial string, err error) {
	if _, commercial, err = bodyParts(object); err != nil {
		return "", err
	}
	if err = read(object, s); err != nil {
		return "", err
	}
	return commercial, checkSetup(sh, *s)
}
