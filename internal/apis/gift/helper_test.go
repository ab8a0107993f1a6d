package gift_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// shop is a client with the scripted service that it calls.
type shop struct {
	*gift.Client
	*upstreamtest.Service
	gate *upstreamtest.Gate
}

func open(t testing.TB, replies ...upstreamtest.Reply) shop {
	t.Helper()
	service, gate := upstreamtest.Serve(t, replies...), &upstreamtest.Gate{}
	client := gift.New(upstreamtest.Transport(t), service.Base(t, "/store/v1/"), upstream.NewSecret(upstreamtest.Token), gate)
	return shop{client, service, gate}
}

// sent returns the query of the last request and checks its path.
func (s shop) sent(t testing.TB, path string) url.Values {
	t.Helper()
	last := s.Last(t)
	must.Equal(t, "/store/v1"+path, last.URL.Path)
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

const thirty = `{"start":"2026-10-21","end":"2026-11-19","days":30,"timezone":"America/New_York","includesToday":false}`

const metrics = `{"orders":{"value":12,"previous":10,"changePercent":20},
	"revenue":{"value":1234.50,"previous":0,"changePercent":null},
	"conversionRate":{"value":3.2,"previous":3.1,"changePercent":3.23,"unit":"percentage"},
	"aovByFG":{"value":null,"previous":null,"changePercent":null},
	"aovStore":{"value":80.1,"previous":79,"changePercent":1.4}}`

// analytics is a good reply for a period.
func analytics(period string) string {
	return `{"domain":"acme.example","period":` + period + `,"currency":"USD","cached":false,"metrics":` + metrics + `}`
}

func replaced(text, old, with string) upstreamtest.Reply {
	if !strings.Contains(text, old) {
		panic("the text does not hold " + old)
	}
	return upstreamtest.OK(strings.Replace(text, old, with, 1))
}
