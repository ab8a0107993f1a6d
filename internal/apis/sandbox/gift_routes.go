package sandbox

import (
	"reflect"
	"strings"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// giftEndpoint is a row of the endpoint list, the tool behind it, and its handler.
type giftEndpoint struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Access Access `json:"access"`
	Does   string `json:"description"`

	tool    string
	takes   any // a value whose fields are those of its query or body
	handler func(*request, *world.Book) reply
}

// What the reading and resolving endpoints take.
type (
	nothing  struct{}
	byStatus struct {
		Status string `json:"status,omitempty"`
	}
	byWindow struct {
		Days     int    `json:"days,omitempty"`
		Today    bool   `json:"includeToday,omitempty"`
		Timezone string `json:"ianaTimezone,omitempty"`
	}
	byHandles struct {
		Handles string `json:"handles"`
	}
	byLocale struct {
		Locale string `json:"locale,omitempty"`
	}
	byQuery struct {
		Query string `json:"query,omitempty"`
	}
)

// What a commit takes besides what its preview took.
type (
	confirmed struct {
		Token string `json:"confirmationToken"`
	}
	confirmedSetup struct {
		world.Setup
		confirmed
	}
)

// giftEndpoints is the routing, the list that GET {base} answers and the tools of GET /mcp/tools: so exactly what is
// served is listed.
var giftEndpoints = []giftEndpoint{
	{"GET", "/setup-health", Read, "Whether the widget can appear", "get_setup_health", nothing{}, setupHealth},
	{"GET", "/campaigns", Read, "Campaign summaries", "list_campaigns", byStatus{}, campaignList},
	{"GET", "/campaigns/{id}", Read, "One campaign with its whole configuration", "get_campaign", nothing{}, campaignDetail},
	{"GET", "/analytics", Read, "Revenue, orders, conversion, order value", "get_analytics", byWindow{}, giftAnalytics},
	{"GET", "/products", Read, "Whether products can be given", "check_products", byHandles{}, productChecks},
	{"GET", "/widgets", Read, "Widget types", "list_widgets", nothing{}, widgetList},
	{"GET", "/widgets/{type}", Read, "Saved settings of one widget type", "get_widget", nothing{}, widgetNamed},
	{"GET", "/translations", Read, "Customised storefront wording", "get_translations", byLocale{}, translations},
	{"GET", "/settings", Read, "Settings of the whole store", "get_settings", nothing{}, storeSettings},
	{"GET", "/plan", Read, "Plan and usage", "get_plan", nothing{}, planUsage},

	{"GET", "/gift-products", Read, "Find products that could be given", "find_gift_products", byQuery{}, findProducts},
	{"GET", "/trigger-products", Read, "Find products that could trigger an offer", "find_trigger_products", byQuery{}, findProducts},
	{"GET", "/collections", Read, "Find collections", "find_collections", byQuery{}, findCollections},
	{"GET", "/customer-segments", Read, "Find customer segments", "find_customer_segments", byQuery{}, findSegments},
	{"GET", "/customer-locations", Read, "Find markets and countries", "find_customer_locations", byQuery{}, findLocations},
	{"GET", "/shipping-rates", Read, "Find shipping rates by zone", "find_shipping_rates", byQuery{}, findShippingRates},
	{"GET", "/markets", Read, "Every market", "list_markets", nothing{}, everyMarket},
	{"GET", "/pos-locations", Read, "Find locations that sell at a point of sale", "find_pos_locations", byQuery{}, findPOSLocations},

	{"POST", "/campaigns/preview", Write, "Validate and preview a campaign", "preview_campaign", world.Setup{}, write(campaignPreview)},
	{"POST", "/campaigns", Write, "Create the previewed campaign", "create_campaign", confirmedSetup{}, write(campaignCreation)},
	{"POST", "/campaigns/{id}/edit-preview", Write, "Preview an edit", "preview_campaign_edit", world.Setup{}, write(editPreview)},
	{"PATCH", "/campaigns/{id}", Write, "Apply the previewed edit", "edit_campaign", confirmedSetup{}, write(campaignEdit)},
	{"PUT", "/campaigns/{id}/status", Write, "Turn a campaign on or off", "set_campaign_status", switching{}, write(campaignSwitch)},
	{"PATCH", "/widgets/{type}", Write, "Edit settings of one widget type", "edit_widget", world.WidgetSettings{}, write(widgetEdit)},
	{"POST", "/campaigns/{id}/deletion-preview", Delete, "Preview a permanent deletion", "preview_campaign_deletion", nothing{}, write(deletionPreview)},
	{"POST", "/campaigns/{id}/delete", Delete, "Delete the previewed campaign permanently", "delete_campaign", confirmed{}, write(campaignDeletion)},
}

// edits reports whether an endpoint's body contains only what changes.
func (e *giftEndpoint) edits() bool {
	return e.Method == "PATCH" || strings.HasSuffix(e.Path, "/edit-preview")
}

// fits reports whether a request is for the endpoint, and returns the value of the {…} in its
// path.
func (e *giftEndpoint) fits(method, path string) (named string, fits bool) {
	before, rest, open := strings.Cut(e.Path, "{")
	if !open {
		return "", method == e.Method && path == e.Path
	}
	_, after, _ := strings.Cut(rest, "}")
	named, starts := strings.CutPrefix(path, before)
	named, ends := strings.CutSuffix(named, after)
	return named, method == e.Method && starts && ends && named != "" && !strings.Contains(named, "/")
}

func endpointList() reply {
	return giftSuccess(struct {
		Total     int            `json:"total"`
		Endpoints []giftEndpoint `json:"endpoints"`
	}{len(giftEndpoints), giftEndpoints})
}

// toolList names each endpoint's tool. A tool takes what its endpoint takes, plus what is in the path.
func toolList() reply {
	type tool struct {
		Name     string         `json:"name"`
		Does     string         `json:"description"`
		Endpoint string         `json:"endpoint"`
		Access   Access         `json:"access"`
		Input    map[string]any `json:"inputSchema"`
	}
	tools := make([]tool, len(giftEndpoints))
	for i, e := range giftEndpoints {
		tools[i] = tool{e.tool, e.Does, e.Method + " " + e.Path, e.Access, schemaOf(reflect.TypeOf(e.takes), !e.edits())}
	}
	return giftSuccess(struct {
		Total int    `json:"total"`
		Tools []tool `json:"tools"`
	}{len(tools), tools})
}
