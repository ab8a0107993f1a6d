package portfolio_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/locale"
	"github.com/storeglass/storeglass/internal/report/portfolio"
	"github.com/storeglass/storeglass/internal/report/portfolio/portfoliotest"
)

// shown is a list that a reader sees.
type shown struct{ portfolio.Portfolio }

// list is the list of an address's query.
func list(t *testing.T, query string, at time.Time, all ...portfoliotest.Store) shown {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	q, err := portfolio.ParseQuery(values, at)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return shown{portfoliotest.List(t, locale.English, q, at, all...)}
}

func (p shown) row(t *testing.T, slug string) portfolio.Row {
	t.Helper()
	return portfoliotest.Row(t, p.Portfolio, slug)
}

// outline shows the list as "heading: store store; heading: store".
func (p shown) outline() string {
	var out []string
	for _, s := range p.Sections {
		var slugs []string
		for _, r := range s.Rows {
			slugs = append(slugs, r.Store.Slug)
		}
		out = append(out, strings.TrimPrefix(s.Title+": ", ": ")+strings.Join(slugs, " "))
	}
	return strings.Join(out, "; ")
}
