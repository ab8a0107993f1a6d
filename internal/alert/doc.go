// Package alert tells people what is wrong with their stores: it looks at what is stored
// by the rules of internal/report/alerts, keeps one row for each outage, and takes messages
// about it to people by mail and to channels by webhooks, each once. It asks no service
// and knows no page.
package alert
