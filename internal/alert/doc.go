// Package alert notifies people about problems with their stores: it applies the rules of
// internal/report/alerts to stored data, keeps one row for each outage, and sends messages
// about it by mail and to channels by webhook, each once. It calls no upstream service
// and knows no pages.
package alert
