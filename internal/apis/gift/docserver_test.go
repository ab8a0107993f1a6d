package gift_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// The second service. It is written from the service's document alone, shares no code with the
// sandbox, and wherever the document leaves a choice it makes an odd one: ids as numbers, 12 as
// 12.0 and 1.2e1, data before success, unannounced fields, optional fields left out, and its
// own shapes for everything undocumented.

// docPrefix is where it lives: a shop segment in other case, before the version.
const docPrefix = "/edge/Shop/ACME.Example/store/v1"

// docReads are its answers to GET.
var docReads = map[string]string{
	"":                    `[{"GET":"/plan"},{"POST":["/campaigns"]}]`,
	"/mcp/tools":          `{"/plan":"get_plan"}`,
	"/setup-health":       `{"errors":[],"issues":[{"message":"x","code":"BRAND_NEW","link":1}],"theme":{"themes":{"1":true}},"campaigns":{"expired":0.0,"scheduled":1e0,"active":10e-1,"total":2}}`,
	"/campaigns":          `{"list":[{"status":"active","id":7001,"name":""},{"name":"n","id":"x","status":"sleeping","type":{"a":1},"targetPage":[1],"code":12}],"total":2.0,"next":null}`,
	"/analytics":          `{"metrics":{"aovStore":{},"aovByFG":{"value":1.2e1,"previous":12.0,"changePercent":-0.0},"conversionRate":{"unit":"%","value":0.5},"revenue":{"value":99.90,"changePercent":null,"previous":0},"orders":{"value":1.2e1,"previous":null}},"currency":"KWD","cached":true,"period":{"timezone":"Asia/Kuwait","includesToday":false,"end":"2026-11-19T23:59:59","start":"2026-11-13","days":7.0}}`,
	"/plan":               `{"revenue":{"unlimited":true,"used":1e3},"campaigns":{"exceeded":false,"unlimited":false,"activeOrScheduled":2.0,"limit":3.0},"plan":{"isPaid":true}}`,
	"/products":           `{"products":[{"variants":[{"giftable":true,"stockStatus":"not_tracked","inventoryQuantity":null}],"issues":[],"canBeGifted":true,"totalInventory":""}],"notFound":[],"requested":["a"],"took":0.1}`,
	"/widgets":            `{"types":[{"isLocked":false,"isPremium":true,"type":"b ä.d"}],"total":1e0}`,
	"/widgets/b ä.d":      `{"found":true,"b":{"c":[]}}`,
	"/translations":       `{"campaigns":{"7001":[{"translations":{"ar":"مجاني"},"kind":3}]},"widgets":[],"activeLanguages":["ar",{"code":"en"}]}`,
	"/settings":           `{"layout":7,"found":true}`,
	"/gift-products":      `{"candidates":[{"stockStatus":"sold_out","blockers":["out_of_stock"]}],"more":false}`,
	"/trigger-products":   `[{"blockers":[],"stockStatus":"not_tracked","totalInventory":null}]`,
	"/collections":        `{}`,
	"/customer-segments":  `{"segments":[]}`,
	"/customer-locations": `{"markets":[{"id":1}],"countries":[{"code":"KW"}]}`,
	"/shipping-rates":     `{"zones":[{"rates":[{"id":1}]}]}`,
	"/markets":            `{"markets":{"1":"Gulf"}}`,
	"/pos-locations":      `[]`,
}

// docService is the second service with one campaign, 7001, and its tokens.
type docService struct {
	mu       sync.Mutex
	arrived  []string // "METHOD path"
	campaign map[string]any
	created  int
	deleted  bool
	tokens   map[string]*docToken
	// before sees every request first; it returns true if it has answered.
	before func(http.ResponseWriter, *http.Request) bool
}

// docToken is permission for one commit. It is used up once result is set.
type docToken struct {
	commit  string // "METHOD path"
	fields  map[string]any
	of      map[string]any // the campaign at the preview, nil for a new one
	expired bool
	result  string
}

func docOpen(t testing.TB) (*gift.Client, *gift.Writer, *docService) {
	t.Helper()
	s := &docService{campaign: map[string]any{"name": "Socks", "discount": 10.0}, tokens: map[string]*docToken{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	base, err := url.Parse(server.URL + docPrefix)
	must.NoError(t, err)
	transport, token, gate := upstreamtest.Transport(t), upstream.NewSecret(upstreamtest.Token), &upstreamtest.Gate{}
	return gift.New(transport, base, token, gate), gift.NewWriter(transport, base, token, gate), s
}

func (s *docService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header()["content-type"] = []string{"application/json; charset=utf-8"}
	path, below := strings.CutPrefix(strings.TrimSuffix(r.URL.Path, "/"), docPrefix)
	s.arrived = append(s.arrived, r.Method+" "+path)
	read, known := docReads[path]
	switch {
	case s.before != nil && s.before(w, r):
	case r.Header.Get("Authorization") != "Bearer "+upstreamtest.Token:
		docRefuse(w, 401, gift.InvalidKey, "who are you")
	case !below:
		docRefuse(w, 404, gift.NotFound, "no such path")
	case r.Method != http.MethodGet:
		s.write(w, r, path)
	case path == "/campaigns/7001" && !s.deleted:
		text, _ := json.Marshal(s.campaign)
		docReply(w, `{"giftProducts":`+string(text)+`,"found":true,"id":7001}`)
	case strings.HasPrefix(path, "/campaigns/"), !known && strings.HasPrefix(path, "/widgets/"):
		docReply(w, `{"see":"/widgets","found":false}`)
	case !known:
		docRefuse(w, 404, gift.NotFound, "no such path")
	default:
		docReply(w, read)
	}
}

func docReply(w io.Writer, data string) {
	fmt.Fprint(w, "\r\n{\"data\":\t"+data+`,"meta":{"node":[3,{"a":null}]},"error":null,"success":true}`+"\n")
}

func docRefuse(w http.ResponseWriter, status int, code, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"hint":1,"message":%q,"code":%q},"data":null,"success":false}`, message, code)
}

// write answers requests other than GET, by the document's table of a token's states.
func (s *docService) write(w http.ResponseWriter, r *http.Request, path string) {
	var body map[string]any
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body == nil {
		docRefuse(w, 400, gift.InvalidInput, "the body is not a JSON object")
		return
	}
	const one = "/campaigns/7001"
	if strings.HasPrefix(path, "/campaigns/") && path != "/campaigns/preview" && !strings.HasPrefix(path, one) {
		docReply(w, `{"found":false}`)
		return
	}
	switch r.Method + " " + path {
	case "POST /campaigns/preview":
		s.issue(w, docToken{commit: "POST /campaigns", fields: body})
	case "POST " + one + "/edit-preview":
		s.issue(w, docToken{commit: "PATCH " + one, fields: body, of: maps.Clone(s.campaign)})
	case "POST " + one + "/deletion-preview":
		s.issue(w, docToken{commit: "POST " + one + "/delete", fields: body, of: maps.Clone(s.campaign)})
	case "POST /campaigns", "PATCH " + one, "POST " + one + "/delete":
		s.commit(w, r.Method+" "+path, body)
	case "PUT " + one + "/status":
		s.campaign["on"] = body["enabled"]
		docReply(w, `null`)
	case "PATCH /widgets/b ä.d":
		fmt.Fprint(w, `{"success":true}`)
	default:
		docRefuse(w, 404, gift.NotFound, "no such path")
	}
}

// issue moves a token from none to issued; nothing is written.
func (s *docService) issue(w io.Writer, t docToken) {
	name := fmt.Sprintf(` tok "%d" é `, len(s.tokens)+1)
	s.tokens[name] = &t
	text, _ := json.Marshal(map[string]any{"wouldBe": t.fields, "confirmationToken": name})
	docReply(w, string(text))
}

// commit moves a token from issued to used, or rejects it.
func (s *docService) commit(w http.ResponseWriter, what string, body map[string]any) {
	name, _ := body["confirmationToken"].(string)
	delete(body, "confirmationToken")
	t := s.tokens[name]
	switch {
	case t == nil, t.commit != what, t.expired, !reflect.DeepEqual(t.fields, body),
		t.result == "" && t.of != nil && !reflect.DeepEqual(t.of, s.campaign):
		docRefuse(w, 400, gift.InvalidInput, "the confirmationToken is rejected: preview again")
		return
	case t.result != "": // the same commit again
	case what == "POST /campaigns":
		s.created++
		t.result = fmt.Sprintf(`{"id":%d}`, 8000+s.created)
	case strings.HasSuffix(what, "/delete"):
		s.deleted, t.result = true, `"gone"`
	default:
		maps.Copy(s.campaign, body)
		t.result = `{"ok":1}`
	}
	docReply(w, t.result)
}
