package gallery_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/views/components"
	"github.com/storeglass/storeglass/views/gallery"
	"github.com/storeglass/storeglass/views/viewstest"
)

// longName is the gallery's very long name.
const longName = "<script>alert(1)</script> مجموعة a name that goes on and on without an end"

// data are texts of the made-up pages that a person or a service wrote: they aren't translated.
var data = []string{
	// Names of offers, stages and bundles, and what the upsell app sends.
	"Thanks for your first order", "Thanks for your first order · Fernhollow Outfitters · Storeglass",
	"Arm A", "Last upsell", "circle again", "2 for 20% off", "3 for 25% off", "Buy 2: 5% off", "Buy 3: 10% off", "Order value", "operator at_least, value 90",
	"claims", "GET /data/offers", "GET /data/offer/{id}/stages",
	"Sent to the wrong address",
	longName,
	"in " + longName, "#old", "Old Shop", "#816a01", "old-script", "a tag that is forty characters long, not 1",
	"a-very-long-slug-without-a-place-to-break-it-of-sixty-four-signs",
	"Pages", "Active", "no", // so in French or Spanish
	// What the gift app sends: its names of fields, labels and problems.
	"Value", "Starts at", "Ends at", "Combines with order discounts", "Min order total", "Applies to", "Gift products", "America/New_York", "metrics.orders",
	"order_value", "type \u2068order_value\u2069", "gift_popup", "gift_box", "Gift pop-up", "Gift box", "Socks with any boot",
	"no-such-thing", "free-mug wool-socks no-such-thing", "The product is a draft.", "The live theme could not be read.",
	"Cart drawer upsell (new)", "Northwind Reporting and Partners, London", "Homeware and gifts", "Monday round, all groups by change",
	"analytics?days=30", "by-priority", "offer/", "offers/", "Due", // parts of addresses; a column in French
	"2001:db8:85a3::/48", "upsell at https://upsell.example/data", "old-shop", "مجموعة الشمال <b>bold</b> and a name that is sixty characters long, no more",
	"dashboard user link", "Old Hand", "Autumn newsletter",
	"Hi Ines, a good month. Gaiters ends soon and nothing is lined up for the order status page. Send me your pick and I’ll set it up.",
	"You: pick the offer that follows Gaiters",
	"Theme updated to Alder 4.2. The cart drawer was without its offer until the developer put it back on Wednesday.", "old@", "a-very-long-address-without-any-place-to-break-it@", "Person",
	"a-very-long-address-without-any-place-to-break-it@an-equally-long-domain-name.example",
	"2001:db8:5a1:77:9c1f:aa02:1be4:77d2",
	"a-very-long-address-without-any-place-to-break-it@an-equally-long-domain-name.example",
	// A mail, in the language of its reader.
	"Fernhollow Outfitters: $11,943.49, 7.9% more than the week before",
	"Fernhollow Outfitters: $11,943.49, 7.9% more",
	"Fernhollow Outfitters Upsells brought $11,943.49 last week, 7.9% more than the week before.",
}

// isData reports whether a text is a person's or a service's: named above, hostile on
// purpose, an address or raw JSON.
func isData(text string) bool {
	return slices.Contains(data, text) || strings.Contains(text, "</script>") || strings.Contains(text, "Donaudampfschifffahrt") || strings.HasPrefix(text, "https://") || strings.HasPrefix(text, "Homeware and gifts (") || strings.HasPrefix(text, "The server refused the ") || strings.HasPrefix(text, "{ \"")
}

func texts(t *testing.T, page gallery.Page, l locale.Locale) []string {
	t.Helper()
	var b bytes.Buffer
	if err := page.View.Render(locale.With(t.Context(), l), &b); err != nil {
		t.Fatal(page.Name, err)
	}
	return viewstest.Texts(t, &b)
}

func TestNoEnglishIsLeftInTheOtherLanguages(t *testing.T) {
	t.Parallel()
	inEnglish := gallery.Pages(components.Base{})
	for _, l := range locale.All()[1:] {
		for i, page := range gallery.Pages(components.Base{Locale: l}) {
			t.Run(l.Code()+"/"+page.Name, func(t *testing.T) {
				t.Parallel()
				said := texts(t, inEnglish[i], locale.English)
				for _, text := range texts(t, page, l) {
					if slices.Contains(said, text) && viewstest.LooksEnglish(text) && !isData(text) {
						t.Errorf("in English: %q", text)
					}
				}
			})
		}
	}
}
