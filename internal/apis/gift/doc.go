// Package gift reads the Gift Store API: one typed method per endpoint.
//
// It sends GET and decodes, and no more: it keeps nothing, computes no number and
// can't write. Every method gives an [upstream.Answer] or an error that is a
// *[upstream.Failure]. Field comments name the unit and the part of the service's
// document that they rest on.
//
// Gift revenue is never added to upsell revenue: an order can be in both (N3).
package gift
