package web

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"sync"
)

// openAPI describes the JSON API. It is written by hand; a test holds it against
// the route table, and real answers against its schemas.
//
//go:embed openapi.json
var openAPI []byte

// apiDescription answers the description with this server's address and version in it.
func (s *apiHandlers) apiDescription(c *call) error {
	if err := takes(c); err != nil {
		return err
	}
	return c.send(s.description())
}

func (s *apiHandlers) describe() func() *document {
	return sync.OnceValue(func() *document {
		body := bytes.ReplaceAll(openAPI, []byte(`"{version}"`), jsonText(s.version))
		body = bytes.ReplaceAll(body, []byte(`"{base}"`), jsonText(s.base.Scheme+"://"+s.base.Host))
		return newDocument("application/json", body)
	})
}

func jsonText(s string) []byte {
	b, _ := json.Marshal(s) // text always can be
	return b
}
