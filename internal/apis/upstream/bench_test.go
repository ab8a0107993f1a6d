package upstream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

func BenchmarkDecodeTwentyRows(b *testing.B) {
	rows := make([]string, 20)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"n":%d,"name":"a row with a longer name","more":{"a":[1,2,3]},"url":"https://admin.example/offers/%d"}`, i, i)
	}
	body := []byte(with(`"rows":[` + strings.Join(rows, ",") + `]`))
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := upstream.Decode[thing](body); err != nil {
			b.Fatal(err)
		}
	}
}
