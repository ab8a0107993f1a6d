package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/storeglass/storeglass/cmd/dashboard/app"
	"github.com/storeglass/storeglass/cmd/dashboard/words"
	"github.com/storeglass/storeglass/web/account"
)

// unlooked is how late a look may be before it is said that nobody looks.
const unlooked = time.Hour

// Alerts says whether someone looks, and what does not arrive.
func Alerts(ctx context.Context, a *app.App) Finding {
	const what = "alerts"
	f, err := a.DB.Queries().AlertFigures(ctx)
	switch late := time.Since(f.Oldest); {
	case err != nil:
		return Finding{what, err.Error(), true}
	case f.Oldest.Year() > 1970 && late > unlooked:
		return Finding{what, fmt.Sprintf("no store was checked since %s: is a worker running (`dashboard serve`, or with --role worker)?", f.Oldest.UTC().Format("2 Jan 15:04 MST")), true}
	}
	words := fmt.Sprintf("%d open", f.Open)
	for _, part := range []struct {
		n     int64
		words string
	}{
		{f.Waiting, "held back by quiet hours or snoozes"}, {f.Late, "could not be sent yet"}, {f.Off, "channels turned off because they failed for days"},
	} {
		if part.n > 0 {
			words += fmt.Sprintf(", %d %s", part.n, part.words)
		}
	}
	return Finding{What: what, Words: words}
}

// SSO asks the provider of the single sign-on for its addresses.
func SSO(ctx context.Context, a *app.App, offline bool) (f Finding, set bool) {
	sso := a.SSO()
	if sso == nil {
		return Finding{}, false
	}
	if !offline {
		if err := sso.Ask(ctx); err != nil {
			return Finding{"single sign-on", fmt.Sprintf("%s: check DASHBOARD_OIDC_ISSUER; until then people sign in another way", err), true}, true
		}
	}
	return Finding{What: "single sign-on", Words: sso.Name() + " must know " + account.SSOCallback(a.Base())}, true
}

// OlderKeys says whether older keys are still needed.
func OlderKeys(ctx context.Context, a *app.App) Finding {
	const what = "older keys"
	sealer, err := a.Settings.Sealer()
	if err != nil {
		return Finding{what, err.Error(), true}
	}
	use, err := a.KeysInUse(ctx, sealer)
	switch {
	case err != nil:
		return Finding{what, err.Error(), true}
	case use.Lost.Factors > 0:
		return Finding{what, fmt.Sprintf("none of the secret keys opens %s: add the older key, or let their owners set them up again", words.Count(use.Lost.Factors, "authenticator app")), true}
	case use.Lost.Channels > 0:
		return Finding{what, fmt.Sprintf("none of the secret keys opens %s: add the older key, or let their owners add them again", words.Count(use.Lost.Channels, "alert channel")), true}
	case use.Older.Tokens+use.Older.Factors+use.Older.Channels > 0:
		return Finding{what, fmt.Sprintf("%s, %s and %s are encrypted with one: run `dashboard secrets rotate`, then take it out of DASHBOARD_SECRET_KEY",
			words.Count(use.Older.Tokens, "token"), words.Count(use.Older.Factors, "authenticator app"), words.Count(use.Older.Channels, "alert channel")), true}
	case len(a.Settings.SecretKey) > 1:
		return Finding{What: what, Words: "given, and nothing needs them: take them out of DASHBOARD_SECRET_KEY"}
	}
	return Finding{What: what, Words: "none in use"}
}
