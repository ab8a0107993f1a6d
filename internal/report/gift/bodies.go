package gift

// The bodies of the tables of wordings: sync writes them and the Gift page reads them.
type (
	// TranslationsBody is gift_translations.body: the strings that a store has customized. All others
	// have the built-in wording (N59).
	TranslationsBody struct {
		Widgets   []Wording `json:"widgets"`
		Campaigns []Wording `json:"campaigns"`
	}
	// Wording is one customized string.
	Wording struct {
		// Path is its location, in the service's names.
		Path string `json:"path"`
		// Text is the wording typed on the Design screen, shown in languages without a translation.
		Text string `json:"text"`
		// Translations are the wordings by language code. A missing one isn't empty.
		Translations map[string]string `json:"translations"`
	}
)
