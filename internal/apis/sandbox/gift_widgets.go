package sandbox

import (
	"slices"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// widgetType is a kind of widget. What its settings hold isn't documented.
type widgetType struct {
	name, title string
	premium     bool
}

var widgetTypes = []widgetType{
	{"gift_popup", "Gift popup", false},
	{"cart_message", "Message in the cart", false},
	{"progress_bar", "Progress to the gift", false},
	{"product_badge", "Badge on products", false},
	{"gift_slider", "Gift slider", true},
	{"countdown", "Countdown", true},
	{"thank_you_banner", "Thank you banner", true},
}

// locked reports whether a store's plan is too small for a type, as a trial's and the starter plan are.
func locked(sh *world.Shop, w widgetType) bool {
	return w.premium && (sh.Gift.Trial || sh.Gift.Plan == "starter")
}

func widgetList(q *request, _ *world.Book) reply {
	type row struct {
		Type    string `json:"type"`
		Title   string `json:"title"`
		Premium bool   `json:"isPremium"`
		Locked  bool   `json:"isLocked"`
	}
	rows := make([]row, len(widgetTypes))
	for i, w := range widgetTypes {
		rows[i] = row{w.name, q.shop.Word(w.title), w.premium, locked(q.shop, w)}
	}
	return giftSuccess(struct {
		Total int   `json:"total"`
		Types []row `json:"types"`
	}{len(rows), rows})
}

var (
	positions = []string{"bottom_left", "bottom_right", "inline"}
	devices   = []string{"all", "desktop", "mobile"}
)

// savedSettings are a widget type's settings, as set up initially or by a write. Every third type was never set up,
// and in a plain install none was.
func savedSettings(sh *world.Shop, w widgetType) (world.WidgetSettings, bool) {
	if s, written := sh.Desk.Widget(w.name); written {
		return s, true
	}
	at := slices.Index(widgetTypes, w)
	if len(sh.Gift.Languages) == 0 || locked(sh, w) || at%3 == 2 {
		return world.WidgetSettings{}, false
	}
	r := world.Draw(sh.Seed, sh.Slug, "widget", w.name)
	return world.WidgetSettings{
		Title: say(sh, phrases[at%len(phrases)]), Button: say(sh, phrases[(at+1)%len(phrases)]), Position: positions[r.IntN(len(positions))],
		Background: []string{"#FFFFFF", "#0E6259", "#F8F6F1"}[r.IntN(3)], Text: "#211E1A", Devices: devices[r.IntN(len(devices))],
	}, true
}

// widgetNamed returns the settings of one type. An unconfigured or unknown type isn't found, and the answer points to
// the list.
func widgetNamed(q *request, _ *world.Book) reply {
	at := slices.IndexFunc(widgetTypes, func(w widgetType) bool { return w.name == q.named })
	if at != world.None {
		if s, found := savedSettings(q.shop, widgetTypes[at]); found {
			return widgetReply(q.shop, q.named, s)
		}
	}
	return noWidget(q.named)
}

func noWidget(name string) reply {
	return giftSuccess(struct {
		Found bool   `json:"found"`
		Type  string `json:"type"`
		See   string `json:"message"`
	}{false, name, "No settings are saved for this type. GET /widgets lists the types."})
}

// widgetReply puts the settings in their own group or, in the second shape, at the top level.
func widgetReply(sh *world.Shop, name string, s world.WidgetSettings) reply {
	if sh.Second {
		return giftSuccess(struct {
			Found bool   `json:"found"`
			Type  string `json:"type"`
			world.WidgetSettings
		}{true, name, s})
	}
	return giftSuccess(struct {
		Found    bool                 `json:"found"`
		Type     string               `json:"type"`
		Settings world.WidgetSettings `json:"settings"`
	}{true, name, s})
}

// storeSettings are the whole store's settings; a plain install never saved any.
func storeSettings(q *request, _ *world.Book) reply {
	sh := q.shop
	if len(sh.Gift.Languages) == 0 {
		return notFound()
	}
	type inner struct {
		Language string   `json:"defaultLanguage"`
		Badge    string   `json:"giftLabel"`
		Remove   bool     `json:"removeGiftWhenNotEligible"`
		Tags     []string `json:"orderTags"`
		CSS      *string  `json:"customCss"`
	}
	settings := inner{sh.Gift.Languages[0], say(sh, phrases[len(phrases)-1]), true, append([]string{}, sh.Catalog.Tags...), nil}
	if sh.Second {
		settings.CSS = new(sh.Word(".gift { border-radius: 8px }"))
		return giftSuccess(struct {
			Found bool `json:"found"`
			inner
		}{true, settings})
	}
	return giftSuccess(struct {
		Found    bool  `json:"found"`
		Settings inner `json:"settings"`
	}{true, settings})
}
