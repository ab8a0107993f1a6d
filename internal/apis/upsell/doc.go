// Package upsell reads the Upsell Data API: one typed method per endpoint.
//
// It only sends and decodes: it keeps nothing, computes no numbers, and
// knows neither stores nor schedules. Every method returns an [upstream.Answer] or
// an error that is a *[upstream.Failure]. Field comments name the unit and the
// part of the service's document that they are based on.
//
//	GET /data/analytics/summary         [Client.Summary]
//	GET /data/analytics/stats           [Client.Stats]
//	GET /data/analytics/top             [Client.Top]
//	GET /data/analytics/coverage        [Client.Coverage]
//	GET /data/analytics/lifetime        [Client.Lifetime]
//	GET /data/offers                    [Client.Offers]
//	GET /data/offers/by-priority        [Client.ByPriority]
//	GET /data/offers/count              [Client.Count]
//	GET /data/offer/{id}                [Client.Offer]
//	GET /data/offer/{id}/stages         [Client.Stages]
//	GET /data/products/recommendations  [Client.Recommendations]
//
// A field that the document doesn't call optional must be present, or the reply breaks
// the contract; any other is nil or "" if the reply leaves it out. Money without
// a currency breaks it, too, where the document names a currency at all. For parts
// whose inner shape isn't documented (trigger conditions, bundle tiers, stage
// labels, A/B arms, triggers left out), whatever is found under plausible names is
// returned, nothing there is an error, and Raw holds the part as it came.
//
// The four placements are measured differently. Code here and elsewhere must never
// add up their rows (N14).
package upsell
