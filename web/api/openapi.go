package api

import (
	"bytes"
	_ "embed"
	"encoding/json"

	"github.com/storeglass/storeglass/web/site"
)

// Description describes the JSON API. It is written by hand; a test holds it against
// the route table, and real answers against its schemas.
//
//go:embed openapi.json
var Description []byte

// apiDescription answers the description with this server's address and version in it.
func (s *Handlers) apiDescription(c *site.Call) error {
	if err := takes(c); err != nil {
		return err
	}
	return c.Send(s.description())
}

func (s *Handlers) describe() *site.Document {
	body := bytes.ReplaceAll(Description, []byte(`"{version}"`), jsonText(s.version))
	body = bytes.ReplaceAll(body, []byte(`"{base}"`), jsonText(s.Base.Scheme+"://"+s.Base.Host))
	return site.NewDocument("application/json", body)
}

func jsonText(s string) []byte {
	b, _ := json.Marshal(s) // a string can always be encoded
	return b
}
