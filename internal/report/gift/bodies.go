package gift

// The bodies of the tables of wordings: what sync writes and the Gift page reads.
type (
	// TranslationsBody is gift_translations.body: the wordings that a store has
	// customised. What is not among them has the built-in wording (N59).
	TranslationsBody struct {
		Widgets   []Wording `json:"widgets"`
		Campaigns []Wording `json:"campaigns"`
	}
	// Wording is one customised string.
	Wording struct {
		// Path says where it is, in the service's names.
		Path string `json:"path"`
		// Text is the wording typed on the Design screen; languages without a translation show it.
		Text string `json:"text"`
		// Translations are the wordings by language code. One that is absent is not empty.
		Translations map[string]string `json:"translations"`
	}
)
