package sandbox

import (
	"slices"

	"github.com/storeglass/storeglass/internal/apis/sandbox/world"
)

// translationsMax is how long a reply of /translations may be, in bytes. The document says that there is a limit but
// not what happens beyond it; here the reply is cut off in the middle. A Fault with BadInput or Internal refuses it
// instead.
const translationsMax = 32 << 10

// wording is one customized text. A language without a translation shows the text; a text that is missing altogether
// uses the app's own wording.
type wording struct {
	Text         string            `json:"text"`
	Translations map[string]string `json:"translations"`
}

// customised is a wording with its location.
type customised struct {
	owner string // a widget type or a campaign's id
	field string
	wording
}

// translations are all customized wordings, or only one language's; the languages come first, so that even a
// truncated reply names them. A plain install has none.
func translations(q *request, b *world.Book) reply {
	sh, locale := q.shop, q.URL.Query().Get("locale")
	if len(sh.Gift.Languages) == 0 {
		return giftSuccess(struct {
			Found   bool   `json:"found"`
			Message string `json:"message"`
		}{false, "The built-in wording is in use."})
	}
	widgets, campaigns := widgetWordings(sh), campaignWordings(sh, b.Now)
	count := len(widgets) + len(campaigns)
	for _, list := range [][]customised{widgets, campaigns} {
		for i := range list {
			list[i].only(locale)
		}
	}
	type answer struct {
		Found     *bool    `json:"found,omitempty"`
		Languages []string `json:"activeLanguages"`
		Strings   int      `json:"totalStrings"`
		Widgets   any      `json:"widgets"`
		Campaigns any      `json:"campaigns"`
	}
	out := answer{Languages: sh.Gift.Languages, Strings: count}
	if sh.Second {
		out.Found, out.Widgets, out.Campaigns = new(true), listed("type", widgets), listed("campaignId", campaigns)
	} else {
		out.Widgets, out.Campaigns = nested(widgets), nested(campaigns)
	}
	r := giftSuccess(out)
	r.most = translationsMax
	return r
}

// only keeps only one language's translation; an unknown language leaves none.
func (c *customised) only(locale string) {
	if locale == "" {
		return
	}
	for language := range c.Translations {
		if language != locale {
			delete(c.Translations, language)
		}
	}
}

// nested is the first shape: owner, field, wording.
func nested(all []customised) map[string]map[string]wording {
	out := map[string]map[string]wording{}
	for _, c := range all {
		if out[c.owner] == nil {
			out[c.owner] = map[string]wording{}
		}
		out[c.owner][c.field] = c.wording
	}
	return out
}

// listed is the second shape: one row per wording.
func listed(owner string, all []customised) []map[string]any {
	out := make([]map[string]any, len(all))
	for i, c := range all {
		out[i] = map[string]any{owner: c.owner, "field": c.field, "text": c.Text, "translations": c.Translations}
	}
	return out
}

// widgetWordings are the texts of configured widgets.
func widgetWordings(sh *world.Shop) (out []customised) {
	for _, w := range widgetTypes {
		s, found := savedSettings(sh, w)
		if !found {
			continue
		}
		for _, text := range []struct{ field, is string }{{"title", s.Title}, {"buttonText", s.Button}} {
			if text.is != "" {
				out = append(out, customised{w.name, text.field, translated(sh, text.is)})
			}
		}
	}
	return out
}

// campaignWordings are the texts that shoppers read of the listed campaigns.
func campaignWordings(sh *world.Shop, now world.Moment) (out []customised) {
	for _, c := range sh.Gifts(now) {
		if c.Status(now.Day) != "deleted" {
			out = append(out, customised{c.Id, "name", translated(sh, c.Name)})
		}
	}
	return out
}

// translated gives a text its translations. Some are missing, and which ones depends on the text.
func translated(sh *world.Shop, text string) wording {
	w := wording{text, map[string]string{}}
	at := slices.IndexFunc(phrases, func(p phrase) bool { return p.in(sh.Gift.Languages[0]) == text })
	for _, language := range sh.Gift.Languages[1:] {
		switch {
		case world.Draw(sh.Seed, sh.Slug, "translated", text, language).IntN(5) == 0:
		case at != world.None:
			w.Translations[language] = phrases[at].in(language)
		default:
			w.Translations[language] = text + " (" + language + ")"
		}
	}
	return w
}

// phrase is a wording in the languages of the sandbox; others fall back to English.
type phrase map[string]string

var phrases = []phrase{
	{"en": "Choose your free gift", "de": "Wählen Sie Ihr Geschenk", "fr": "Choisissez votre cadeau", "es": "Elige tu regalo", "nl": "Kies je cadeau", "ja": "プレゼントをお選びください"},
	{"en": "Add the gift", "de": "Geschenk hinzufügen", "fr": "Ajouter le cadeau", "es": "Añadir el regalo", "nl": "Cadeau toevoegen", "ja": "プレゼントを追加"},
	{"en": "Your gift is in the cart", "de": "Ihr Geschenk liegt im Warenkorb", "fr": "Votre cadeau est dans le panier", "es": "Tu regalo está en el carrito", "nl": "Je cadeau zit in de winkelwagen", "ja": "プレゼントはカートの中にあります"},
	{"en": "No, thanks", "de": "Nein, danke", "fr": "Non, merci", "es": "No, gracias", "nl": "Nee, bedankt", "ja": "いいえ、結構です"},
	{"en": "Free gift", "de": "Gratisgeschenk", "fr": "Cadeau offert", "es": "Regalo", "nl": "Gratis cadeau", "ja": "無料プレゼント"},
}

// say is a phrase in the store's own language.
func say(sh *world.Shop, p phrase) string { return sh.Word(p.in(sh.Gift.Languages[0])) }

func (p phrase) in(language string) string {
	if s, known := p[language]; known {
		return s
	}
	return p["en"] + " (" + language + ")"
}
