package upstream_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/golang-sql/civil"
	"github.com/shopspring/decimal"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

type thing struct {
	Name     string            `json:"name" required:"true"`
	Count    int64             `json:"count" required:"true"`
	Money    decimal.Decimal   `json:"money" required:"true"`
	Currency upstream.Currency `json:"currency" required:"true"`
	Day      *civil.Date       `json:"day"`
	Rate     *decimal.Decimal  `json:"rate"`
	On       *bool             `json:"on"`
	Rows     []row             `json:"rows"`
	ID       upstream.ID       `json:"id"`
	Extra    upstream.Raw      `json:"extra"`
	Note     upstream.Text     `json:"note"`
	Nested   *nested           `json:"nested"`
}

type row struct {
	N int64 `json:"n" required:"true"`
}

type nested struct {
	// Maybe must be present but may be null.
	Maybe *decimal.Decimal `json:"maybe" required:"true"`
}

func (n nested) Validate() error {
	if n.Maybe != nil && n.Maybe.IsNegative() {
		return errors.New("maybe is negative")
	}
	return nil
}

const plain = `"name":"a","count":1,"money":2.50,"currency":"EUR"`

func with(fields string) string { return "{" + plain + "," + fields + "}" }

func TestReplyThatBreaksTheContractIsRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ body, where, what string }{
		"empty":                    {"", "", "ends too early"},
		"html":                     {"<!doctype html><p>hi", "", "not valid JSON"},
		"null":                     {"null", "", "is null"},
		"array":                    {"[]", "", "expected an object, got an array"},
		"string":                   {`"x"`, "", "expected an object"},
		"truncated":                {`{"name":"a","count":1`, "", "ends too early"},
		"truncated in a string":    {`{"name":"a`, "", "ends too early"},
		"trailing object":          {"{" + plain + "}{}", "", "bytes follow"},
		"trailing text":            {"{" + plain + "} x", "", "bytes follow"},
		"trailing NUL":             {"{" + plain + "}\x00", "", "bytes follow"},
		"byte order mark":          {"\ufeff{" + plain + "}", "", "not valid JSON"},
		"duplicate key":            {with(`"count":2`), "/count", "appears twice"},
		"duplicate key by escape":  {with(`"coun\u0074":2`), "/count", "appears twice"},
		"duplicate unknown key":    {with(`"x":1,"x":2`), "/x", "appears twice"},
		"duplicate deep unknown":   {with(`"x":[{"y":1,"y":2}]`), "", "appears twice"},
		"missing":                  {`{"name":"a"}`, "", `"count" is missing`},
		"missing in a row":         {with(`"rows":[{"n":1},{}]`), "/rows/1", `"n" is missing`},
		"missing though nullable":  {with(`"nested":{}`), "/nested", `"maybe" is missing`},
		"required null":            {`{"name":null,"count":1,"money":1,"currency":"EUR"}`, "/name", "is null"},
		"null row":                 {with(`"rows":[null]`), "/rows/0", "is null"},
		"key in other case":        {`{"Name":"a","count":1,"money":1,"currency":"EUR"}`, "", `"name" is missing`},
		"count as words":           {`{"name":"a","count":"one","money":1,"currency":"EUR"}`, "/count", "expected a number, got a string"},
		"count as no text":         {`{"name":"a","count":"","money":1,"currency":"EUR"}`, "/count", "expected a number, got a string"},
		"money with a sign":        {`{"name":"a","count":1,"money":"1 €","currency":"EUR"}`, "/money", "expected a number"},
		"money with a comma":       {`{"name":"a","count":1,"money":"1,234.50","currency":"EUR"}`, "/money", "expected a number"},
		"money with a space":       {`{"name":"a","count":1,"money":" 1","currency":"EUR"}`, "/money", "out of bounds"},
		"money as text of NaN":     {`{"name":"a","count":1,"money":"NaN","currency":"EUR"}`, "/money", "expected a number"},
		"half a count as text":     {`{"name":"a","count":"12.5","money":1,"currency":"EUR"}`, "/count", "not whole"},
		"count below zero as text": {`{"name":"a","count":"-1","money":1,"currency":"EUR"}`, "/count", "below zero"},
		"money as NaN":             {`{"name":"a","count":1,"money":NaN,"currency":"EUR"}`, "", "not valid JSON"},
		"money as Infinity":        {`{"name":"a","count":1,"money":-Infinity,"currency":"EUR"}`, "", "not valid JSON"},
		"huge exponent":            {`{"name":"a","count":1,"money":1e999999999,"currency":"EUR"}`, "/money", "out of bounds"},
		"tiny exponent":            {`{"name":"a","count":1,"money":1e-999999999,"currency":"EUR"}`, "/money", "out of bounds"},
		"exponent beyond a shop":   {`{"name":"a","count":1,"money":1e41,"currency":"EUR"}`, "/money", "out of bounds"},
		"exponent below a cent":    {`{"name":"a","count":1,"money":1e-41,"currency":"EUR"}`, "/money", "out of bounds"},
		"huge exponent of count":   {`{"name":"a","count":1E41,"money":1,"currency":"EUR"}`, "/count", "out of bounds"},
		"long number":              {`{"name":"a","count":1,"money":1` + strings.Repeat("0", 70) + `,"currency":"EUR"}`, "/money", "out of bounds"},
		"count beyond int64":       {`{"name":"a","count":9223372036854775808,"money":1,"currency":"EUR"}`, "/count", "out of bounds"},
		"count below zero":         {`{"name":"a","count":-1,"money":1,"currency":"EUR"}`, "/count", "below zero"},
		"half a count":             {`{"name":"a","count":12.5,"money":1,"currency":"EUR"}`, "/count", "not whole"},
		"half a count by exponent": {`{"name":"a","count":1e-1,"money":1,"currency":"EUR"}`, "/count", "not whole"},
		"leading zero":             {`{"name":"a","count":012,"money":1,"currency":"EUR"}`, "", "not valid JSON"},
		"currency beyond ASCII":    {`{"name":"a","count":1,"money":1,"currency":"ıs"}`, "/currency", "is no currency"},
		"currency of two":          {`{"name":"a","count":1,"money":1,"currency":"EU"}`, "/currency", "is no currency"},
		"currency with a digit":    {`{"name":"a","count":1,"money":1,"currency":"A1Z"}`, "/currency", "is no currency"},
		"currency sign":            {`{"name":"a","count":1,"money":1,"currency":"€"}`, "/currency", "is no currency"},
		"currency empty":           {`{"name":"a","count":1,"money":1,"currency":""}`, "/currency", "is no currency"},
		"day that does not exist":  {with(`"day":"2026-02-30"`), "/day", "is no date"},
		"day with time":            {with(`"day":"2026-02-03T00:00:00Z"`), "/day", "is no date"},
		"day short":                {with(`"day":"2026-2-3"`), "/day", "is no date"},
		"boolean as number":        {with(`"on":1`), "/on", "expected a boolean"},
		"rows as object":           {with(`"rows":{}`), "/rows", "expected an array, got an object"},
		"id as object":             {with(`"id":{}`), "/id", "a string or a whole number"},
		"id as fraction":           {with(`"id":1.5`), "/id", "a string or a whole number"},
		"id empty":                 {with(`"id":""`), "/id", "id is empty"},
		"invalid utf-8":            {with(`"note":"` + "\xff" + `"`), "", "not valid JSON"},
		"half a surrogate":         {with(`"note":"\ud83d"`), "", "not valid JSON"},
		"NUL in a string":          {`{"name":"a\u0000","count":1,"money":1,"currency":"EUR"}`, "/name", "NUL"},
		"NUL first in a string":    {`{"name":"\u0000a","count":1,"money":1,"currency":"EUR"}`, "/name", "NUL"},
		"own rule":                 {with(`"nested":{"maybe":-1}`), "/nested", "maybe is negative"},
		"deep unknown":             {with(`"x":` + strings.Repeat("[", 65) + strings.Repeat("]", 65)), "/x", "nests too deep"},
		"one too deep":             {with(`"x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64)), "/x", "nests too deep"},
		"objects one too deep":     {with(`"x":` + strings.Repeat(`{"[":`, 63) + "{}" + strings.Repeat("}", 63)), "/x", "nests too deep"},
		"very deep unknown":        {with(`"x":` + strings.Repeat("[", 20000)), "", "valid JSON"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := upstream.Decode[thing]([]byte(c.body))
			contract, ok := errors.AsType[*upstream.Contract](err)
			must.True(t, ok, "got %v", err)
			must.Contains(t, contract.What, c.what)
			if c.where != "" {
				must.Equal(t, c.where, contract.Where)
			}
		})
	}
}

func TestReplyWithinTheContractIsRead(t *testing.T) {
	t.Parallel()
	// Only brackets inside brackets count: not those side by side, nor those in a text.
	deep := `"x":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `,"y":["` + strings.Repeat("[", 70) + `\"` + strings.Repeat("{", 70) + `",` + strings.Repeat("[[]],", 70) + `1],`
	body := ` {"unknown":{"deep":[1,{"a":null}]},` + deep + plain + `,"day":"2026-11-19","rate":null,"on":false,
		"rows":[{"n":1,"new":true},{"n":2},{"n":3},{"n":4},{"n":5}],"id":1234567890123456789012,"extra":{"a":[1]},"not\u0065":17,
		"nested":{"maybe":null}} `
	got, err := upstream.Decode[thing]([]byte(body))
	must.NoError(t, err)
	must.Equal(t, "2.5", got.Money.String())
	must.Equal(t, upstream.Currency("EUR"), got.Currency)
	for text, code := range map[string]upstream.Currency{"AAA": "AAA", "ZZZ": "ZZZ", "usd": "USD", "Eur": "EUR"} {
		currency, err := upstream.Decode[upstream.Currency]([]byte(`"` + text + `"`))
		must.NoError(t, err)
		must.Equal(t, code, currency)
	}
	must.Equal(t, "2026-11-19", got.Day.String())
	must.Nil(t, got.Rate)
	must.True(t, !*got.On)
	must.Equal(t, []row{{1}, {2}, {3}, {4}, {5}}, got.Rows)
	must.Equal(t, upstream.ID("1234567890123456789012"), got.ID)
	must.JSON(t, `{"a":[1]}`, string(got.Extra))
	must.Equal(t, upstream.Text("17"), got.Note)
	must.Nil(t, got.Nested.Maybe)
}

func TestEveryFormOfANumberIsTheSameNumber(t *testing.T) {
	t.Parallel()
	for _, form := range []string{"12", "12.0", "1.2e1", "1.2E+1", "120e-1", "12.000000", "0.12e2", `"12"`, `"12.0"`, `"1.2e1"`} {
		got, err := upstream.Decode[thing]([]byte(`{"name":"a","count":` + form + `,"money":` + form + `,"currency":"EUR"}`))
		must.NoError(t, err, form)
		must.Equal(t, int64(12), got.Count, form)
		must.True(t, got.Money.Equal(decimal.NewFromInt(12)), form)
	}
	got, err := upstream.Decode[thing]([]byte(`{"name":"a","count":-0,"money":-0.10,"currency":"EUR"}`))
	must.NoError(t, err)
	must.Equal(t, int64(0), got.Count)
	must.Equal(t, "-0.1", got.Money.String())
}

func TestMoneyNeverPassesAFloat(t *testing.T) {
	t.Parallel()
	const exact = "90071992547409931234567.1234567890123456789"
	got, err := upstream.Decode[thing]([]byte(`{"name":"a","count":9007199254740993,"money":` + exact + `,"currency":"EUR"}`))
	must.NoError(t, err)
	must.Equal(t, exact, got.Money.String())
	must.Equal(t, int64(9007199254740993), got.Count)
}

func TestAnAmountIsWithoutTheNoiseOfBinaryAddition(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"61454.01000000002":       "61454.01",
		"61454.009999999995":      "61454.01",
		"0.30000000000000004":     "0.3",
		"-28929.290000000023":     "-28929.29",
		"12.345000000000002":      "12.345",
		"79.99999999999999":       "80",
		"5.551115123125783e-17":   "0",
		"-1.1368683772161603e-13": "0",
		"3.3333333333333335e-9":   "0.0000000033333333333333335",
		"1e-17":                   "0.00000000000000001",
		"54.79493138151875":       "54.79493138151875",
		"0.034482758620689655":    "0.034482758620689655",
		"19.99000001":             "19.99000001",
		"2.50":                    "2.5",
	} {
		got, err := upstream.Decode[thing]([]byte(`{"name":"a","count":1,"money":` + sent + `,"currency":"EUR","rate":` + sent + `}`))
		must.NoError(t, err)
		must.Equal(t, want, got.Money.String(), sent)
		must.Equal(t, want, got.Rate.String(), sent)
	}
}

func TestContractErrorQuotesNothingOfTheReply(t *testing.T) {
	t.Parallel()
	_, err := upstream.Decode[thing]([]byte(`{"name":"<script>secret</script>","count":"<script>secret"}`))
	must.ErrorContains(t, err, "at /count")
	must.NotContains(t, err.Error(), "script")
}

func FuzzDecode(f *testing.F) {
	for _, body := range []string{
		"{" + plain + "}", with(`"rows":[{"n":1}]`), with(`"id":"x","note":{}`), with(`"nested":{"maybe":1e3}`),
		with(`"x":[[[{"a":"\u00e9\ud83d\ude00"}]]]`), `{"name":1e99999}`, `[]`, "", "{", `{"a":1,"a":2}`, "\xff", `{"\u0000":0}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := string(body)
		got, err := upstream.Decode[thing](body)
		must.Equal(t, before, string(body), "the input was changed")
		if err != nil {
			_, ok := errors.AsType[*upstream.Contract](err)
			must.True(t, ok, "%T %v", err, err)
			return
		}
		must.Equal(t, 3, len(got.Currency))
		must.True(t, len(got.Money.String()) <= 200)
		again, err := upstream.Decode[thing](body)
		must.NoError(t, err)
		must.Equal(t, got, again)
	})
}
