// Package gift is the commands that show and change a store's gift campaigns and widgets. Only they write to
// the gift service, and only after a person has seen what will change and said yes.
package gift

// Command is everything below "dashboard gift".
type Command struct {
	Campaigns campaigns `cmd:"" help:"Show and change a store's gift campaigns."`
	Widgets   widgets   `cmd:"" help:"Show and change the settings of a store's gift widgets."`
	Find      find      `cmd:"" help:"Find the ids that a campaign's file needs, by name or handle."`
	Endpoints endpoints `cmd:"" help:"Compare the gift service's endpoints with those this program knows."`
	Tools     tools     `cmd:"" help:"List the fields that each endpoint takes."`
}

// ofStore is the store whose gift service is called. The key is the stored one, or the one
// in STORE_GIFT_TOKEN: the stored one may be read-only.
type ofStore struct {
	Store string `required:"" placeholder:"S" help:"The store. STORE_GIFT_TOKEN may hold a key with a higher access level than the stored one."`
}
