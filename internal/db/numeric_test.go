package db_test

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/db/dbtest"
)

func TestNumericsAreReadToTheLastDigit(t *testing.T) {
	t.Parallel()
	pool := dbtest.New(t)
	for _, text := range []string{
		"0", "0.00", "1", "-1", "9999", "10000", "10001", "100000000", "1000000000000", "123456789012", "0.1", "0.0001", "0.00012", "0.00000001",
		"-0.07", "100.25", "3007.50", "25.0625", "0.14259617", "99999999.9999", "999999999999.9", "1234567890123456.78", "0.000000000000000001",
		"12345678901234567890123456789.123456789", "-12345678901234567890.5", "10000.0000", "1e20", "5e-12", "-99999999999999",
	} {
		var got, again decimal.Decimal
		var null, some *decimal.Decimal
		if err := pool.QueryRow(t.Context(), "select $1::numeric, $2::numeric, null::numeric, $1::numeric", text, decimal.RequireFromString(text)).Scan(&got, &again, &null, &some); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		want := decimal.RequireFromString(text)
		if !got.Equal(want) || got.String() != want.String() || !again.Equal(want) || !some.Equal(want) || null != nil {
			t.Errorf("%s is read as %s, sent and read as %s, and null as %v", text, got, again, null)
		}
		if want.Exponent() <= 0 && got.Exponent() != want.Exponent() {
			t.Errorf("%s is read with %d digits after the point, want %d", text, -got.Exponent(), -want.Exponent())
		}
	}
	for _, text := range []string{"NaN", "Infinity", "-Infinity"} {
		var got decimal.Decimal
		if err := pool.QueryRow(t.Context(), "select $1::numeric", text).Scan(&got); err == nil {
			t.Errorf("%s is read as %s", text, got)
		}
	}
	var got decimal.Decimal
	if err := pool.QueryRow(t.Context(), "select null::numeric").Scan(&got); err == nil {
		t.Errorf("no number is read as %s", got)
	}
	var sum decimal.Decimal
	if err := pool.QueryRow(t.Context(), "select sum(n::numeric / 100) from generate_series(-30000, 40000) n").Scan(&sum); err != nil || sum.StringFixed(2) != "3500050.00" {
		t.Errorf("the sum is %s, %v", sum, err)
	}
}

// Every value with up to two groups of digits around the point is compared with the server's own text for it.
func TestNumericsAgreeWithTheServersText(t *testing.T) {
	t.Parallel()
	rows, err := dbtest.New(t).Query(t.Context(), `
		select v, v::text from (
			select round((n * 7919 % 100000007)::numeric / power(10::numeric, n % 9), n % 9) * (1 - 2 * (n % 2)) as v
			from generate_series(1, 20000) n
		) x`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var got decimal.Decimal
		var text string
		if err := rows.Scan(&got, &text); err != nil {
			t.Fatal(err)
		}
		if want := decimal.RequireFromString(text); !got.Equal(want) || got.Exponent() != want.Exponent() {
			t.Fatalf("%s is read as %s", text, got)
		}
		count++
	}
	if err := rows.Err(); err != nil || count != 20000 {
		t.Fatalf("%d rows, %v", count, err)
	}
}
