package gift

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// Listing is the service's own list of its endpoints or of the tool behind each; its shape isn't
// documented.
type Listing struct{ Raw upstream.Raw }

// DecodeRaw takes any object or list.
func (l *Listing) DecodeRaw(value []byte) error {
	if kind := jsontext.Value(value).Kind(); kind != '{' && kind != '[' {
		return errNoObject
	}
	l.Raw = slices.Clone(value)
	return nil
}

var errNoObject = errors.New("it is neither an object nor a list")

// Endpoints pulls the list of endpoints from the base address.
func (c *Client) Endpoints(ctx context.Context) (upstream.Answer[Listing], error) {
	return upstream.Get[Listing](ctx, &c.upstream, "pull gift endpoints", "/", nil)
}

// Tools pulls which tool each endpoint has.
func (c *Client) Tools(ctx context.Context) (upstream.Answer[Listing], error) {
	return upstream.Get[Listing](ctx, &c.upstream, "pull gift tools", "/mcp/tools", nil)
}

// Campaign pulls one campaign's configuration. For an id that isn't this store's, Found is
// false (rule 3, N54). An answer with a different id breaks the contract.
func (c *Client) Campaign(ctx context.Context, id string) (upstream.Answer[CampaignDetail], error) {
	op := "pull gift campaign " + id
	segment, err := upstream.Segment(op, id)
	if err != nil {
		return upstream.Answer[CampaignDetail]{}, err
	}
	answer, err := upstream.Get[CampaignDetail](ctx, &c.upstream, op, "/campaigns/"+segment, nil)
	if err == nil && answer.Data.ID != "" && string(answer.Data.ID) != id {
		return upstream.WithData(answer, CampaignDetail{}), answer.Broken(op, "/data/id", "it is another campaign's")
	}
	return answer, err
}

// Products checks 1 to 50 products by handle, the part after /products/ in a product's address;
// for more, use [Chunks] (rule 5, N57).
func (c *Client) Products(ctx context.Context, handles []string) (upstream.Answer[Products], error) {
	const op = "check gift products"
	if len(handles) < 1 || len(handles) > MaxHandles {
		return upstream.Answer[Products]{}, upstream.Refuse(op, "%d handles are not 1 to %d", len(handles), MaxHandles)
	}
	for _, handle := range handles {
		if handle == "" || strings.ContainsAny(handle, ", \t\r\n/") {
			return upstream.Answer[Products]{}, upstream.Refuse(op, "%q is no handle", handle)
		}
	}
	return upstream.Get[Products](ctx, &c.upstream, op, "/products", url.Values{"handles": {strings.Join(handles, ",")}})
}

// Widgets pulls the types of widget.
func (c *Client) Widgets(ctx context.Context) (upstream.Answer[Widgets], error) {
	return upstream.Get[Widgets](ctx, &c.upstream, "pull gift widgets", "/widgets", nil)
}

// Widget pulls the saved settings of one type of widget that [Client.Widgets] listed. For one
// that was never set up, Found is false (rule 6, N54).
func (c *Client) Widget(ctx context.Context, typ string) (upstream.Answer[Saved], error) {
	op := "pull gift widget " + typ
	segment, err := upstream.Segment(op, typ)
	if err != nil {
		return upstream.Answer[Saved]{}, err
	}
	return upstream.Get[Saved](ctx, &c.upstream, op, "/widgets/"+segment, nil)
}

// Translations pulls the customized texts of one language, or of all languages for "". For a
// store with several languages, ask for one at a time: the reply's size is limited, and a
// truncated reply is a failed pull (rule 7, N58). A reply with another language's texts is
// flagged with [upstream.FlagFilterDiffers].
func (c *Client) Translations(ctx context.Context, locale string) (upstream.Answer[Translations], error) {
	op, query := "pull gift translations", url.Values{}
	if locale != "" {
		op += " to " + locale
		query.Set("locale", locale)
		if strings.ContainsAny(locale, ", \t\r\n") {
			return upstream.Answer[Translations]{}, upstream.Refuse(op, "it is not one language code")
		}
	}
	answer, err := upstream.Get[Translations](ctx, &c.upstream, op, "/translations", query)
	if err == nil && locale != "" && !answer.Data.onlyIn(locale) {
		answer.Flag(upstream.FlagFilterDiffers)
	}
	return answer, err
}

// Settings pulls the store-wide configuration; for a store that never saved one, Found is false
// (rule 8, N54).
func (c *Client) Settings(ctx context.Context) (upstream.Answer[Saved], error) {
	return upstream.Get[Saved](ctx, &c.upstream, "pull gift settings", "/settings", nil)
}
