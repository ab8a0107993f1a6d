package fetch

import (
	"context"
	"slices"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/db"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
	reportgift "github.com/storeglass/storeglass/internal/report/gift"
)

// neverSaved is the error that means the app's defaults apply: an answer, not a failure (N54).
var neverSaved = locale.M("sync.said.never_configured")

func (f Caller) giftWidgets(ctx context.Context, c *gift.Client) (Answer, error) {
	got, err := c.Widgets(ctx)
	if err != nil {
		return Answer{}, err
	}
	a := from(got)
	list := make([]sqlc.GiftWidget, 0, len(got.Data.Types))
	for i, t := range got.Data.Types {
		list = append(list, sqlc.GiftWidget{Position: int32(i), Type: t.Type, Title: t.Title, IsPremium: t.IsPremium, IsLocked: t.IsLocked})
	}
	if twice(list, func(r sqlc.GiftWidget) string { return r.Type }) {
		return Answer{}, Broken(a, "a type of widget is listed twice")
	}
	set(&a, (*sqlc.Queries).UpsertWidgets, sqlc.UpsertWidgetsParams{StoreID: f.Store, Rows: db.Rows(list), FetchedAt: a.FetchedAt})
	return a, nil
}

func (f Caller) giftWidget(ctx context.Context, c *gift.Client, typ string) (Answer, error) {
	got, err := c.Widget(ctx, typ)
	if err != nil {
		return Answer{}, err
	}
	a := saved(from(got), got.Data)
	set(&a, (*sqlc.Queries).UpsertWidgetSettings, sqlc.UpsertWidgetSettingsParams{
		StoreID: f.Store, Type: typ, Found: got.Data.Found, Body: got.Data.Raw, FetchedAt: a.FetchedAt,
	})
	return a, nil
}

func (f Caller) giftSettings(ctx context.Context, c *gift.Client) (Answer, error) {
	got, err := c.Settings(ctx)
	if err != nil {
		return Answer{}, err
	}
	a := saved(from(got), got.Data)
	set(&a, (*sqlc.Queries).UpsertGiftSettings, sqlc.UpsertGiftSettingsParams{StoreID: f.Store, Found: got.Data.Found, Body: got.Data.Raw, FetchedAt: a.FetchedAt})
	return a, nil
}

func saved(a Answer, s gift.Saved) Answer {
	if !s.Found {
		a.Text = neverSaved
	}
	return a
}

// giftTranslations asks for one language. The first reply that names the active languages makes
// exactly those due.
func (f Caller) giftTranslations(ctx context.Context, c *gift.Client, locale string) (Answer, error) {
	d, a, err := answered(c.Translations(ctx, locale))
	if err != nil {
		return Answer{}, err
	}
	if !d.Found {
		a.Text = neverSaved
	}
	languages := slices.Compact(slices.Sorted(slices.Values(d.ActiveLanguages)))
	a.Settled = len(languages) > 0 && !slices.Contains(languages, locale)
	body := reportgift.TranslationsBody{Widgets: wordings(d.WidgetEntries), Campaigns: wordings(d.CampaignEntries)}
	set(&a, (*sqlc.Queries).UpsertTranslations, sqlc.UpsertTranslationsParams{
		StoreID: f.Store, Locale: locale, Found: d.Found, ActiveLanguages: append([]string{}, d.ActiveLanguages...), TotalStrings: d.TotalStrings,
		Body: db.JSON(body), FetchedAt: a.FetchedAt,
	})
	if len(languages) > 0 {
		set(&a, (*sqlc.Queries).AskLanguages, sqlc.AskLanguagesParams{StoreID: f.Store, Languages: languages, At: a.FetchedAt})
	}
	return a, nil
}

func wordings(in []gift.Entry) []reportgift.Wording {
	return db.Each(in, func(e gift.Entry) reportgift.Wording {
		return reportgift.Wording{Path: e.Path, Text: db.OrZero(e.Text), Translations: e.Translations}
	})
}
