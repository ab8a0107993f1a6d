package gift

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// member is one member of an object, or one element of an array, which has no name.
type member struct {
	name  string
	value jsontext.Value
}

// members lists what a valid object or array holds, in its order; nothing for any
// other value.
func members(value jsontext.Value) (list []member) {
	kind := value.Kind()
	if kind != '{' && kind != '[' {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(value))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	for {
		var m member
		if kind == '{' {
			name, err := d.ReadToken()
			if err != nil || name.Kind() != '"' {
				return list
			}
			m.name = name.String()
		}
		value, err := d.ReadValue()
		if err != nil {
			return list // its end
		}
		m.value = value.Clone()
		list = append(list, m)
	}
}
