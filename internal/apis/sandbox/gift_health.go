package sandbox

type issue struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

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

// setupHealth says whether the widget can appear. Its sections fail on their own: without the platform the counts still come, without the
// app's own records the theme still does, and issues are those of the sections that could be read.
func setupHealth(q *request, b *book) reply {
	sh := q.shop
	out := struct {
		Domain    string          `json:"domain"`
		Theme     *themeHealth    `json:"theme"`
		Campaigns *campaignHealth `json:"campaigns"`
		Issues    []issue         `json:"issues"`
		Errors    []any           `json:"errors"`
	}{Domain: sh.domain, Issues: []issue{}, Errors: []any{}}
	fails := func(section, message string) {
		if sh.second {
			out.Errors = append(out.Errors, section+": "+message)
			return
		}
		out.Errors = append(out.Errors, map[string]string{"section": section, "message": message})
	}
	if q.cause == ThemeAway {
		fails("theme", "The commerce platform could not be reached.")
	} else {
		out.Theme = sh.themeHealth()
		if !out.Theme.Embed {
			out.Issues = append(out.Issues, issue{"APP_EMBED_DISABLED", sh.word("The app embed is off in the live theme.")})
		}
		if !out.Theme.Blocks {
			out.Issues = append(out.Issues, issue{"THEME_NOT_OS2", sh.word("The live theme has no app blocks.")})
		}
	}
	if q.cause == CampaignsAway {
		fails("campaigns", "The campaigns could not be counted.")
	} else {
		out.Campaigns = sh.campaignHealth(b.now)
		switch c := out.Campaigns; {
		case c.Total == 0:
			out.Issues = append(out.Issues, issue{"NO_CAMPAIGN", sh.word("No campaign was made yet.")})
		case c.Active == 0:
			out.Issues = append(out.Issues, issue{"NO_ACTIVE_CAMPAIGN", sh.word("No campaign is active.")})
		}
	}
	if q.cause == IssuesAway {
		fails("issues", "The issues could not be worked out.")
		out.Issues = nil
	}
	return giftSuccess(out)
}

// themeHealth lists the themes as objects or, in the second shape, by their names.
func (sh *shop) themeHealth() *themeHealth {
	live := theme{madeUp(sh.seed, 12, sh.slug, "theme"), sh.gift.theme, "main"}
	draft := theme{madeUp(sh.seed, 12, sh.slug, "draft theme"), "Copy of " + live.Name, "unpublished"}
	h := &themeHealth{
		LiveThemeID: live.ID, LiveThemeName: live.Name, Blocks: sh.gift.blocks, Embed: sh.gift.embed, Themes: []theme{live, draft},
	}
	if sh.second {
		h.Themes = []string{live.Name, draft.Name}
	}
	return h
}

// campaignHealth counts what the list holds, beyond its cap too.
func (sh *shop) campaignHealth(now moment) *campaignHealth {
	running := sh.campaignsBy("active", now)
	h := &campaignHealth{
		Total: len(sh.campaignsBy("", now)), Active: len(running), Running: running,
		Scheduled: len(sh.campaignsBy("scheduled", now)), Expired: len(sh.campaignsBy("expired", now)),
	}
	if sh.second {
		ids := make([]string, len(running))
		for i, row := range running {
			ids[i] = row.ID
		}
		h.Running = ids
	}
	return h
}
