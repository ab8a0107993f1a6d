package upsell_test

import (
	"errors"
	"net/url"
	"testing"

	"github.com/golang-sql/civil"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// shop is a client with the scripted service that it calls.
type shop struct {
	*upsell.Client
	*upstreamtest.Service
	gate *upstreamtest.Gate
}

func open(t testing.TB, replies ...upstreamtest.Reply) shop {
	t.Helper()
	service, gate := upstreamtest.Serve(t, replies...), &upstreamtest.Gate{}
	client := upsell.New(upstreamtest.Transport(t), service.Base(t, "/api/v1"), upstream.NewSecret(upstreamtest.Token), gate)
	return shop{client, service, gate}
}

func day(text string) civil.Date {
	date, err := civil.ParseDate(text)
	if err != nil {
		panic(err)
	}
	return date
}

func days(start, end string) upsell.Range { return upsell.Range{Start: day(start), End: day(end)} }

var week = days("2026-11-13", "2026-11-19")

// sent returns the query of the last request and checks its path.
func (s shop) sent(t testing.TB, path string) url.Values {
	t.Helper()
	last := s.Last(t)
	must.Equal(t, "/api/v1"+path, last.URL.Path)
	must.Equal(t, "GET", last.Method)
	return last.URL.Query()
}

func failure(t testing.TB, err error) *upstream.Failure {
	t.Helper()
	f, ok := errors.AsType[*upstream.Failure](err)
	if !ok {
		t.Fatalf("want a failure, got %v", err)
	}
	return f
}

const window = `"appliedWindow":{"start":"2026-11-13","end":"2026-11-19","source":"merchant"}`

const summary = `"totalUpsoldValue":1234.50,"totalUpsoldOrders":40,"totalOrders":400,"currency":"USD",` + window

const top = `"shopOfferCount":3,"currency":"USD",` + window
