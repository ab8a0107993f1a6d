// Package upsell reads the Upsell Data API: one typed method per endpoint.
//
// It sends and decodes, and no more: it keeps nothing, computes no number, and
// knows neither stores nor schedules. Every method gives an [upstream.Answer] or
// an error that is a *[upstream.Failure]. Field comments name the unit and the
// part of the service's document that they rest on.
//
//	GET /data/analytics/summary         [Client.Summary]
//	GET /data/analytics/stats           [Client.Stats], [Client.StatsOf]
//	GET /data/analytics/top             [Client.Top]
//	GET /data/analytics/coverage        [Client.Coverage]
//	GET /data/analytics/lifetime        [Client.Lifetime]
//	GET /data/offers                    [Client.Offers]
//	GET /data/offers/by-priority        [Client.ByPriority]
//	GET /data/offers/count              [Client.Count], [Client.CountOf]
//	GET /data/offer/{id}                [Client.Offer]
//	GET /data/offer/{id}/stages         [Client.Stages]
//	GET /data/products/recommendations  [Client.Recommendations]
//
// A field without a condition in the document must be there, or the reply breaks
// the contract; any other is nil or "" when the reply does not say. Money without
// a currency breaks it too, where the document names a currency at all. Of parts
// whose inner shape is "not shown" — trigger conditions, bundle tiers, stage
// labels, A/B arms, triggers left out — whatever is found under plausible names is
// given, nothing there is an error, and Raw holds the part as it came.
//
// The four placements are measured differently. Nothing here or above may add
// their rows up (N14).
package upsell
