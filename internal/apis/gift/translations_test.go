package gift_test

import (
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

const translations = `{"activeLanguages":["en","fr"],"totalStrings":4,
	"widgets":{"cart":{"title":{"text":"Your gift","translations":{"fr":"Votre cadeau"}},"hint":{"text":"","translations":{}}},
		"popup":[{"key":"button","text":"Take it","translations":{"fr":null}},{"text":"x"}]},
	"campaigns":[{"id":7,"name":"Socks","strings":{"label":{"text":null,"translations":{"fr":"Gratuit"}}}}]}`

func TestTranslationsAreReadWhereverTheyLie(t *testing.T) {
	t.Parallel()
	s := open(t, upstreamtest.OK(translations))
	got, err := s.Translations(t.Context(), "fr")
	must.NoError(t, err)
	must.Equal(t, "fr", s.sent(t, "/translations").Get("locale"))
	must.True(t, got.Data.Found && *got.Data.TotalStrings == 4 && len(got.Flags) == 0)
	must.Equal(t, []string{"en", "fr"}, got.Data.ActiveLanguages)
	typed := func(text string) *string { return &text }
	must.Equal(t, []gift.Entry{
		{Path: "cart/title", Text: typed("Your gift"), Translations: map[string]string{"fr": "Votre cadeau"}},
		{Path: "cart/hint", Text: typed(""), Translations: map[string]string{}},
		{Path: "popup/button", Text: typed("Take it"), Translations: map[string]string{}},
		{Path: "popup/1", Text: typed("x")},
	}, got.Data.WidgetEntries)
	must.Equal(t, []gift.Entry{
		{Path: "7/strings/label", Translations: map[string]string{"fr": "Gratuit"}},
	}, got.Data.CampaignEntries)

	_, err = s.Translations(t.Context(), "")
	must.NoError(t, err)
	must.Equal(t, 0, len(s.sent(t, "/translations")))
}

func TestLanguagesAreReadWhetherOrNotTheyAreObjects(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		`["en","fr"]`: {"en", "fr"},
		`[{"locale":"en","primary":true},{"locale":"fr","primary":false}]`: {"en", "fr"},
		`[{"name":"English","code":"en"},{"name":"Other"},"pt-BR"]`:        {"en", "pt-BR"},
		`[]`: nil, `null`: nil,
	} {
		got, err := open(t, upstreamtest.OK(`{"activeLanguages":`+list+`,"widgets":{}}`)).Translations(t.Context(), "")
		must.NoError(t, err)
		must.Equal(t, want, got.Data.ActiveLanguages)
	}
}

func TestN59_AnAbsentWordingIsNotAnEmptyOne(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(translations)).Translations(t.Context(), "fr")
	must.NoError(t, err)
	hint, button, label := got.Data.WidgetEntries[1], got.Data.WidgetEntries[2], got.Data.CampaignEntries[0]
	must.True(t, hint.Text != nil && *hint.Text == "", "an empty wording was typed")
	must.True(t, label.Text == nil, "no wording was typed")
	_, translated := button.Translations["fr"]
	must.True(t, !translated, "null is no wording")
}

func TestN58_OneLanguageAtATimeAndACutReplyIsAFailedPull(t *testing.T) {
	t.Parallel()
	for _, locale := range []string{"fr,de", "fr de"} {
		s := open(t, upstreamtest.OK(translations))
		_, err := s.Translations(t.Context(), locale)
		must.Equal(t, upstream.OurFault, failure(t, err).Kind)
		must.Equal(t, 0, len(s.Requests()))
	}
	whole := upstreamtest.OK(translations).Body
	for _, length := range []int{len(whole) - 1, len(whole) / 2, 40} {
		_, err := open(t, upstreamtest.Reply{Body: whole[:length]}).Translations(t.Context(), "fr")
		must.Equal(t, upstream.Quarantine, failure(t, err).Kind)
	}
	other, err := open(t, upstreamtest.OK(translations)).Translations(t.Context(), "de")
	must.NoError(t, err)
	must.True(t, other.Has(upstream.FlagFilterDiffers), "it holds another language's words")
}

func TestRowsOfAListAreNamedByOwnerAndField(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"widgets":[{"type":"popup","field":"title","text":"a"},{"type":"popup","field":"button","text":"b"}],
		"campaigns":[{"campaignId":7,"field":"name","text":"c"},{"field":"name","text":"d"},{"name":"Socks","text":"e"}]}`)).Translations(t.Context(), "")
	must.NoError(t, err)
	var paths []string
	for _, e := range append(got.Data.WidgetEntries, got.Data.CampaignEntries...) {
		paths = append(paths, e.Path)
	}
	must.Equal(t, []string{"popup/title", "popup/button", "7/name", "name", "Socks"}, paths)
}

func TestFieldsThatAreOnlyNamedLikeWordingsAreNone(t *testing.T) {
	t.Parallel()
	got, err := open(t, upstreamtest.OK(`{"found":true,"widgets":{
		"text":{"text":"a"},"translations":{"title":{"text":"b"}},"note":{"text":7,"translations":["fr"]},"shop":{"translations":{"fr":{"text":"c"}}}},"campaigns":null}`)).
		Translations(t.Context(), "")
	must.NoError(t, err)
	var paths []string
	for _, e := range got.Data.WidgetEntries {
		paths = append(paths, e.Path)
	}
	must.Equal(t, []string{"text", "translations/title", "shop/translations/fr"}, paths)
}
