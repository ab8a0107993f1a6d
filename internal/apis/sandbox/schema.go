package sandbox

import (
	"reflect"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// schemaOf is the JSON Schema of the type that a body is decoded into, so it always matches what is read. Optional
// fields are those tagged omitempty or, unless the body must be complete, everything but a token.
func schemaOf(t reflect.Type, whole bool) map[string]any {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), whole)
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int:
		return map[string]any{"type": "integer"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), whole)}
	case reflect.Struct:
		properties, required := map[string]any{}, []string{}
		for _, f := range reflect.VisibleFields(t) {
			if f.Anonymous {
				continue
			}
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			properties[name] = schemaOf(f.Type, whole)
			if options == "" && (whole || name == tokenField) {
				required = append(required, name)
			}
		}
		return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	}
	if t == reflect.TypeFor[world.Number]() {
		return map[string]any{"type": "number"}
	}
	return map[string]any{"type": "string"}
}
