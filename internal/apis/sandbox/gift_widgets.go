package sandbox

import "slices"

// widgetType is a kind of widget. What its settings hold is not shown in the document.
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

// locked tells whether the plan of a store is too small for a type: those of a trial and the starter plan are.
func (sh *shop) locked(w widgetType) bool {
	return w.premium && (sh.gift.trial || sh.gift.plan == "starter")
}

func widgetList(q *request, _ *book) reply {
	type row struct {
		Type    string `json:"type"`
		Title   string `json:"title"`
		Premium bool   `json:"isPremium"`
		Locked  bool   `json:"isLocked"`
	}
	rows := make([]row, len(widgetTypes))
	for i, w := range widgetTypes {
		rows[i] = row{w.name, q.shop.word(w.title), w.premium, q.shop.locked(w)}
	}
	return giftSuccess(struct {
		Total int   `json:"total"`
		Types []row `json:"types"`
	}{len(rows), rows})
}

// widgetSettings are the saved settings of a widget type; a write may change those of this type alone.
type widgetSettings struct {
	Title      string `json:"title,omitempty"`
	Button     string `json:"buttonText,omitempty"`
	Position   string `json:"position,omitempty"` // bottom_left, bottom_right or inline
	Background string `json:"backgroundColor,omitempty"`
	Text       string `json:"textColor,omitempty"`
	Devices    string `json:"devices,omitempty"` // all, desktop or mobile
}

var (
	positions = []string{"bottom_left", "bottom_right", "inline"}
	devices   = []string{"all", "desktop", "mobile"}
)

// savedSettings are what a widget type was configured to at first or by a write. Every third type never was, and none of a plain install.
func (sh *shop) savedSettings(w widgetType) (widgetSettings, bool) {
	if s, written := sh.desk.widget(w.name); written {
		return s, true
	}
	at := slices.Index(widgetTypes, w)
	if len(sh.gift.languages) == 0 || sh.locked(w) || at%3 == 2 {
		return widgetSettings{}, false
	}
	r := draw(sh.seed, sh.slug, "widget", w.name)
	return widgetSettings{
		Title: sh.say(phrases[at%len(phrases)]), Button: sh.say(phrases[(at+1)%len(phrases)]), Position: positions[r.IntN(len(positions))],
		Background: []string{"#FFFFFF", "#0E6259", "#F8F6F1"}[r.IntN(3)], Text: "#211E1A", Devices: devices[r.IntN(len(devices))],
	}, true
}

// widgetNamed are the settings of one type. A type that nobody configured or nobody knows is not found and points to the list.
func widgetNamed(q *request, _ *book) reply {
	at := slices.IndexFunc(widgetTypes, func(w widgetType) bool { return w.name == q.named })
	if at != none {
		if s, found := q.shop.savedSettings(widgetTypes[at]); found {
			return q.shop.widgetReply(q.named, s)
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

// widgetReply has the settings in a group of their own or, in the second shape, beside the rest.
func (sh *shop) widgetReply(name string, s widgetSettings) reply {
	if sh.second {
		return giftSuccess(struct {
			Found bool   `json:"found"`
			Type  string `json:"type"`
			widgetSettings
		}{true, name, s})
	}
	return giftSuccess(struct {
		Found    bool           `json:"found"`
		Type     string         `json:"type"`
		Settings widgetSettings `json:"settings"`
	}{true, name, s})
}

// storeSettings are those of the whole store; a plain install never saved any.
func storeSettings(q *request, _ *book) reply {
	sh := q.shop
	if len(sh.gift.languages) == 0 {
		return notFound()
	}
	type inner struct {
		Language string   `json:"defaultLanguage"`
		Badge    string   `json:"giftLabel"`
		Remove   bool     `json:"removeGiftWhenNotEligible"`
		Tags     []string `json:"orderTags"`
		CSS      *string  `json:"customCss"`
	}
	settings := inner{sh.gift.languages[0], sh.say(phrases[len(phrases)-1]), true, append([]string{}, sh.catalog.tags...), nil}
	if sh.second {
		css := sh.word(".gift { border-radius: 8px }")
		settings.CSS = &css
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
