// Package upsell reads the Upsell Data API: one typed method per endpoint.
//
// It sends and decodes, and no more: it keeps nothing, computes no number, and
// knows neither stores nor schedules. Every method gives an [upstream.Answer] or
// an error that is a *[upstream.Failure]. Field comments name the unit and the
// part of the service's document that they rest on.
//
// The four placements are measured differently. Nothing here or above may add
// their rows up (N14).
package upsell
