// Package gift speaks the Gift Store API: one typed method per endpoint.
//
// It only sends and decodes: it keeps nothing and computes no numbers.
// Every method returns an [upstream.Answer] or an error that is a
// *[upstream.Failure]. Field comments name the unit and the part of the service's
// document that they are based on.
//
// A [Client] reads; it can only send GET:
//
//	GET (the base address)        [Client.Endpoints]
//	GET /mcp/tools                [Client.Tools]
//	GET /setup-health             [Client.SetupHealth]
//	GET /campaigns                [Client.Campaigns]
//	GET /campaigns/{id}           [Client.Campaign]
//	GET /analytics                [Client.Analytics]
//	GET /products                 [Client.Products], [Chunks]
//	GET /widgets                  [Client.Widgets]
//	GET /widgets/{type}           [Client.Widget]
//	GET /translations             [Client.Translations]
//	GET /settings                 [Client.Settings]
//	GET /plan                     [Client.Plan]
//	GET /gift-products            [Client.Find]
//	GET /trigger-products         [Client.Find]
//	GET /collections              [Client.Find]
//	GET /customer-segments        [Client.Find]
//	GET /customer-locations       [Client.Find]
//	GET /shipping-rates           [Client.Find]
//	GET /markets                  [Client.Find]
//	GET /pos-locations            [Client.Find]
//
// A [Writer] makes the eight guarded writes; the server never has one.
//
// A field that the document doesn't call optional must be present, or the reply breaks
// the contract; any other is nil or "" if the reply leaves it out. What the document
// leaves open stays [upstream.Raw]. Found false is an answer: nothing is
// set up under that name, which doesn't prove a deletion (N54). A 404 is a path that
// the service doesn't have: our mistake, never "no data" (N60).
//
// Gift revenue is never added to upsell revenue: an order can be in both (N3).
package gift
