package upsell_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upsell"
	"github.com/storeglass/storeglass/internal/apis/upstream"
)

func BenchmarkDecodeSummary(b *testing.B) {
	body := []byte(`{` + summary + `,"upsellSuccessRate":0.1,"averageUpsoldValue":30.8625,"offerViews":9001,"shopDomain":"acme.example"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := upstream.Decode[upsell.Summary](body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeOffersPage(b *testing.B) {
	rows := make([]string, upsell.PageSize)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":"64f0c0ffee%04d","name":"Buy the matching socks %d","status":"active","type":"Post-purchase upsell",
			"abTest":false,"url":"https://admin.example/store/acme/apps/offers/%d","revenue":1234.56,"createdAt":"2026-01-02T03:04:05"}`, i, i, i)
	}
	body := []byte(`{"offers":[` + strings.Join(rows, ",") + `],"total":200,"hasMore":true,"currency":"USD","appliedFilter":{"scope":"shop"},"shopDomain":"acme.example"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := upstream.Decode[upsell.Offers](body); err != nil {
			b.Fatal(err)
		}
	}
}
