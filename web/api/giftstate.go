package api

import (
	"encoding/json"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report"
	"github.com/storeglass/storeglass/internal/report/gift"
	"github.com/storeglass/storeglass/web/reports"
	"github.com/storeglass/storeglass/web/site"
)

// savedAnswer is a saved configuration as it came. If Found is false, the app's defaults are in
// use.
type savedAnswer struct {
	Found     bool            `json:"found"`
	Body      json.RawMessage `json:"body"`
	FetchedAt time.Time       `json:"fetched_at"`
}

// widgetAnswer is one type of widget. Settings are null until they are pulled.
type widgetAnswer struct {
	Type    string `json:"type"`
	Title   string `json:"title"`
	Premium bool   `json:"premium"`
	Locked  bool   `json:"locked"`
	// LastListed is set when the type is no longer in the list.
	LastListed *time.Time   `json:"last_listed"`
	Settings   *savedAnswer `json:"settings"`
}

func (s *Handlers) apiGiftWidgets(c *site.Call) error {
	g, err := s.giftOf(c, nil)
	if err != nil {
		return err
	}
	out := struct {
		report.Panel
		Types []widgetAnswer `json:"types"`
	}{g.Widgets.Panel, []widgetAnswer{}}
	for _, t := range g.Widgets.Types {
		w := widgetAnswer{Type: t.Type, Title: t.Title, Premium: t.Premium, Locked: t.Locked, LastListed: t.LastListed}
		if t.Saved != nil {
			w.Settings = &savedAnswer{t.Saved.Found, asCame(t.Saved.Raw), t.SavedAt}
		}
		out.Types = append(out.Types, w)
	}
	return panelOr(c, nil, g.Widgets.Panel, out)
}

func (s *Handlers) apiGiftSettings(c *site.Call) error {
	g, err := s.giftOf(c, nil)
	return panelOr(c, err, g.Settings.Panel, configurationAnswer{g.Settings.Panel, g.Settings.Found, asCame(g.Settings.Raw)})
}

// asCame is stored JSON; null if it can't be read.
func asCame(raw string) json.RawMessage {
	if !json.Valid([]byte(raw)) {
		return json.RawMessage("null")
	}
	return json.RawMessage(raw)
}

// languageAnswer is one language's changes to the app's own wording.
type languageAnswer struct {
	// Locale is empty for an answer that isn't about one language.
	Locale     string         `json:"locale"`
	Pulled     bool           `json:"pulled"`
	Found      bool           `json:"found"`
	Customised int64          `json:"customised"`
	Typed      int64          `json:"typed"`
	Total      *int64         `json:"total"`
	Widgets    []gift.Wording `json:"widgets"`
	Campaigns  []gift.Wording `json:"campaigns"`
	// FetchedAt is null before the first answer; Problem says why there is no newer one.
	FetchedAt *time.Time `json:"fetched_at"`
	Problem   string     `json:"problem,omitempty"`
}

func (s *Handlers) apiGiftTranslations(c *site.Call) error {
	g, err := s.giftOf(c, nil)
	if err != nil {
		return err
	}
	out := struct {
		report.Panel
		Languages []languageAnswer `json:"languages"`
	}{g.Translations.Panel, []languageAnswer{}}
	for _, l := range g.Translations.Languages {
		a := languageAnswer{
			Locale: l.Locale, Pulled: l.Pulled, Found: l.Found, Customised: l.Customised, Typed: l.Typed, Total: l.Total,
			Widgets: wordings(l.Widgets), Campaigns: wordings(l.Campaigns), Problem: l.Text,
		}
		if at := l.PulledAt; !at.IsZero() {
			a.FetchedAt = &at
		}
		out.Languages = append(out.Languages, a)
	}
	return panelOr(c, nil, g.Translations.Panel, out)
}

// wordings replaces null with an empty list or object, as documented.
func wordings(in []gift.Wording) []gift.Wording {
	out := make([]gift.Wording, 0, len(in))
	for _, w := range in {
		if w.Translations == nil {
			w.Translations = map[string]string{}
		}
		out = append(out, w)
	}
	return out
}

// apiGiftProducts answers a product check by asking the service at once.
func (s *Handlers) apiGiftProducts(c *site.Call) error {
	if err := takes(c, "handles"); err != nil {
		return err
	}
	handles := reports.HandlesIn(c.QueryParam("handles"))
	if len(handles) == 0 {
		return site.BadRequest("handles", "Name products by their handles, with commas between.")
	}
	if reason := reports.RefuseHandles(locale.English, handles); reason != "" {
		return site.BadRequest("handles", reason)
	}
	check, err := s.reports.CheckProducts(c, handles)
	if err != nil {
		return apiCallError(err)
	}
	for i := range check.Products {
		p := &check.Products[i]
		p.Issues, p.Variants = site.List(p.Issues), site.List(p.Variants)
	}
	check.Products = site.List(check.Products)
	return c.Answer(check)
}
