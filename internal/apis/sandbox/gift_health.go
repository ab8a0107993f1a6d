package sandbox

import "github.com/storeglass/storeglass/internal/apis/sandbox/world"

type theme struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role"`
}

type themeHealth struct {
	LiveThemeID   string `json:"liveThemeId"`
	LiveThemeName string `json:"liveThemeName"`
	Blocks        bool   `json:"isSupportThemeOS"`
	Embed         bool   `json:"embedEnabled"`
	Themes        any    `json:"themes"`
}

type campaignHealth struct {
	Total     int `json:"total"`
	Active    int `json:"active"`
	Scheduled int `json:"scheduled"`
	Expired   int `json:"expired"`
	Running   any `json:"activeCampaigns"`
}

// setupHealth says whether the widget can appear. Its sections fail independently: without the platform the counts
// still come, without the app's own records the theme still does, and issues come from the sections that could be
// read.
func setupHealth(q *request, b *world.Book) reply {
	sh := q.shop
	out := struct {
		Domain    string          `json:"domain"`
		Theme     *themeHealth    `json:"theme"`
		Campaigns *campaignHealth `json:"campaigns"`
		Issues    []world.Issue   `json:"issues"`
		Errors    []any           `json:"errors"`
	}{Domain: sh.Domain, Issues: []world.Issue{}, Errors: []any{}}
	fails := func(section, message string) {
		if sh.Second {
			out.Errors = append(out.Errors, section+": "+message)
			return
		}
		out.Errors = append(out.Errors, map[string]string{"section": section, "message": message})
	}
	if q.cause == ThemeAway {
		fails("theme", "The commerce platform could not be reached.")
	} else {
		out.Theme = themeHealthOf(sh)
		if !out.Theme.Embed {
			out.Issues = append(out.Issues, world.Issue{Code: "APP_EMBED_DISABLED", Message: sh.Word("The app embed is off in the live theme.")})
		}
		if !out.Theme.Blocks {
			out.Issues = append(out.Issues, world.Issue{Code: "THEME_NOT_OS2", Message: sh.Word("The live theme has no app blocks.")})
		}
	}
	if q.cause == CampaignsAway {
		fails("campaigns", "The campaigns could not be counted.")
	} else {
		out.Campaigns = campaignHealthOf(sh, b.Now)
		switch c := out.Campaigns; {
		case c.Total == 0:
			out.Issues = append(out.Issues, world.Issue{Code: "NO_CAMPAIGN", Message: sh.Word("No campaign was made yet.")})
		case c.Active == 0:
			out.Issues = append(out.Issues, world.Issue{Code: "NO_ACTIVE_CAMPAIGN", Message: sh.Word("No campaign is active.")})
		}
	}
	if q.cause == IssuesAway {
		fails("issues", "The issues could not be worked out.")
		out.Issues = nil
	}
	return giftSuccess(out)
}

// themeHealthOf lists the themes as objects or, in the second shape, by their names.
func themeHealthOf(sh *world.Shop) *themeHealth {
	live := theme{world.MadeUp(sh.Seed, 12, sh.Slug, "theme"), sh.Gift.Theme, "main"}
	draft := theme{world.MadeUp(sh.Seed, 12, sh.Slug, "draft theme"), "Copy of " + live.Name, "unpublished"}
	h := &themeHealth{
		LiveThemeID: live.ID, LiveThemeName: live.Name, Blocks: sh.Gift.Blocks, Embed: sh.Gift.Embed, Themes: []theme{live, draft},
	}
	if sh.Second {
		h.Themes = []string{live.Name, draft.Name}
	}
	return h
}

// campaignHealthOf counts all campaigns, even beyond the list's cap.
func campaignHealthOf(sh *world.Shop, now world.Moment) *campaignHealth {
	running := campaignsBy(sh, "active", now)
	h := &campaignHealth{
		Total: len(campaignsBy(sh, "", now)), Active: len(running), Running: running,
		Scheduled: len(campaignsBy(sh, "scheduled", now)), Expired: len(campaignsBy(sh, "expired", now)),
	}
	if sh.Second {
		ids := make([]string, len(running))
		for i, row := range running {
			ids[i] = row.ID
		}
		h.Running = ids
	}
	return h
}
