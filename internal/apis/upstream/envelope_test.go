package upstream_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

func TestN4_A2xxThatIsNoGoodEnvelopeIsAFailedPull(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ body, says string }{
		"html":                  {"<!doctype html><title>Sign in</title>", "not valid JSON"},
		"empty":                 {"", "ends too early"},
		"empty object":          {"{}", `the required field "success" is missing`},
		"array":                 {`[{"success":true}]`, "expected an object"},
		"null":                  {"null", "is null"},
		"success as string":     {`{"success":"true","data":{"n":7}}`, "at /success: expected a boolean"},
		"success null":          {`{"success":null,"data":{"n":7}}`, "at /success: it is null"},
		"success false":         {`{"success":false,"data":{"n":7}}`, "at /success: it is false"},
		"success twice":         {`{"success":false,"success":true,"data":{"n":7}}`, "a key appears twice"},
		"data null":             {`{"success":true,"data":null}`, "at /data: it is null"},
		"data missing":          {`{"success":true}`, `"data" is missing`},
		"data of another kind":  {`{"success":true,"data":[]}`, "at /data: expected an object"},
		"field missing":         {`{"success":true,"data":{}}`, `at /data: the required field "n" is missing`},
		"wrong type":            {`{"success":true,"data":{"n":"seven"}}`, "at /data/n: expected a number, got a string"},
		"truncated":             {`{"success":true,"data":{"n":7}`, "ends too early"},
		"trailing bytes":        {`{"success":true,"data":{"n":7}}<script>`, "bytes follow"},
		"second value":          {`{"success":true,"data":{"n":7}}{"success":false}`, "bytes follow"},
		"duplicate within data": {`{"success":true,"data":{"n":7,"n":8}}`, "a key appears twice"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pull(t, nil, upstreamtest.Reply{Body: c.body})
			must.True(t, got.failure != nil)
			must.Equal(t, upstream.Quarantine, got.failure.Kind)
			must.ErrorContains(t, got.err, "pull rows: answered 200: ", c.says)
			must.Equal(t, c.body, string(got.failure.Raw), "the raw reply is kept")
			must.Equal(t, 1, got.failure.Attempts, "a broken reply is not asked for again")
			must.Equal(t, row{}, got.Data)
			must.Equal(t, 0, len(got.Raw))
			got.gate.Check(t, 1)
		})
	}
}

func TestAByteOrderMarkIsIgnored(t *testing.T) {
	t.Parallel()
	got := pull(t, nil, upstreamtest.Reply{Body: "\ufeff" + `{"success":true,"data":{"n":7}}`})
	must.NoError(t, got.err)
	must.Equal(t, int64(7), got.Data.N)
	got = pull(t, nil, upstreamtest.Reply{Status: 400, Body: "\ufeff" + `{"success":false}`})
	must.Equal(t, upstream.OurFault, got.failure.Kind, "it is the service's refusal, not a proxy's page")
}

func TestDataMayComeBeforeSuccess(t *testing.T) {
	t.Parallel()
	got := pull(t, nil, upstreamtest.Reply{Body: `{"data":{"n":7},"new":[],"success":true}`})
	must.NoError(t, got.err)
	must.Equal(t, int64(7), got.Data.N)
}

func TestDataMayBeNullWhereTheMethodSaysSo(t *testing.T) {
	t.Parallel()
	service := upstreamtest.Serve(t, upstreamtest.OK("null"), upstreamtest.Reply{Body: `{"success":true}`}, good)
	c := client(upstreamtest.Transport(t), service.Base(t), &upstreamtest.Gate{})
	got, err := upstream.Get[*row](t.Context(), c, "pull row", "/row", nil)
	must.NoError(t, err)
	must.Nil(t, got.Data)
	_, err = upstream.Get[*row](t.Context(), c, "pull row", "/row", nil)
	must.ErrorContains(t, err, `"data" is missing`)
	got, err = upstream.Get[*row](t.Context(), c, "pull row", "/row", nil)
	must.NoError(t, err)
	must.Equal(t, int64(7), got.Data.N)
}

func TestDataMayBeAbsentOnlyWhereItIsOptional(t *testing.T) {
	t.Parallel()
	service := upstreamtest.Serve(t,
		upstreamtest.Reply{Body: `{"success":true}`}, upstreamtest.OK("null"), good,
		upstreamtest.Reply{Body: `{"success":false}`}, upstreamtest.Reply{Body: `{}`})
	c := client(upstreamtest.Transport(t), service.Base(t), &upstreamtest.Gate{})
	for _, want := range []*row{nil, nil, {N: 7}} {
		got, err := upstream.GetOptional[row](t.Context(), c, "pull row", "/row", nil)
		must.NoError(t, err)
		must.Equal(t, want, got.Data)
	}
	for range 2 {
		_, err := upstream.GetOptional[row](t.Context(), c, "pull row", "/row", nil)
		must.Equal(t, upstream.Quarantine, upstreamtest.KindOf(err))
	}
}

func TestAnAnswerKeepsItsProofWithOtherData(t *testing.T) {
	t.Parallel()
	got := pull(t, nil, good)
	must.NoError(t, got.err)
	got.Answer.Flag(upstream.FlagCached)
	n := upstream.WithData(got.Answer, got.Data.N)
	must.Equal(t, int64(7), n.Data)
	must.Equal(t, got.Answer, upstream.WithData(n, got.Data))
	broken := n.Broken("pull row", "/data/n", "it is another's")
	must.Equal(t, upstream.Quarantine, broken.Kind)
	must.Equal(t, string(got.Raw), string(broken.Raw))
	must.Equal(t, "pull row: answered 200: reply breaks the contract at /data/n: it is another's", broken.Error())
}

func TestSuccessBesideAnErrorIsBroken(t *testing.T) {
	t.Parallel()
	body := upstreamtest.Reply{Body: `{"success":true,"data":{"n":7},"error":{"code":"X"}}`}
	strict := pull(t, func(_ *upstream.Options, c *upstream.Client) { c.ErrorIsNull = true }, body)
	must.Equal(t, upstream.Quarantine, strict.failure.Kind)
	must.NoError(t, pull(t, nil, body).err, "the field is unknown to the other service")
}

func TestAnEchoedTokenIsMasked(t *testing.T) {
	t.Parallel()
	echo := `{"success":true,"data":{"n":7},"you":"Bearer ` + upstreamtest.Token + `"}`
	got := pull(t, nil, upstreamtest.Reply{Body: echo})
	must.NoError(t, got.err)
	must.NotContains(t, string(got.Raw), upstreamtest.Token)

	got = pull(t, func(_ *upstream.Options, c *upstream.Client) {
		c.Classify = func(r upstream.Reply) upstream.Verdict {
			return upstream.Verdict{Kind: upstream.Pause, Message: string(r.Body)}
		}
	}, upstreamtest.Reply{Status: 401, Body: echo})
	for _, out := range []string{got.err.Error(), got.failure.Message, string(got.failure.Raw), fmt.Sprintf("%+v %#v", got.err, *got.failure)} {
		must.NotContains(t, out, upstreamtest.Token)
	}
}

func TestAMessageFromOutsideIsSafeToShow(t *testing.T) {
	t.Parallel()
	say := func(text string) string {
		return pull(t, func(_ *upstream.Options, c *upstream.Client) {
			c.Classify = func(upstream.Reply) upstream.Verdict { return upstream.Verdict{Kind: upstream.Pause, Message: text} }
		}, status(401)).failure.Message
	}
	must.Equal(t, "a bad [31mtext here", say("a\x00 bad\x1b [31mtext\r\n\t here\u202e\u200b\xff"))
	long := say(strings.Repeat("é", 5000))
	must.Equal(t, 301, len([]rune(long)))
	must.True(t, strings.HasSuffix(long, "…"))
}

func TestAClientThatCantCallSaysWhy(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(*upstream.Client)
		kind   upstream.Kind
		says   string
	}{
		"no token":        {func(c *upstream.Client) { c.Token = upstream.Secret{} }, upstream.Pause, "no token is set"},
		"token with line": {func(c *upstream.Client) { c.Token = upstream.NewSecret("a\r\nX: b") }, upstream.Pause, "copy it again"},
		"token with é":    {func(c *upstream.Client) { c.Token = upstream.NewSecret("tok_é") }, upstream.Pause, "copy it again"},
		"token with DEL":  {func(c *upstream.Client) { c.Token = upstream.NewSecret("tok_\x7fa") }, upstream.Pause, "copy it again"},
		"token with gap":  {func(c *upstream.Client) { c.Token = upstream.NewSecret("tok a") }, upstream.Pause, "copy it again"},
		"no gate":         {func(c *upstream.Client) { c.Gate = nil }, upstream.OurFault, "budget gate"},
		"no base":         {func(c *upstream.Client) { c.Base = nil }, upstream.OurFault, "base address"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := pull(t, func(_ *upstream.Options, client *upstream.Client) { c.change(client) }, good)
			must.Equal(t, c.kind, got.failure.Kind)
			must.ErrorContains(t, got.err, "pull rows: ", c.says)
			must.Equal(t, 0, len(got.service.Requests()))
			got.gate.Check(t, 0)
		})
	}
}

func TestRetryAfterIsSecondsOrADate(t *testing.T) {
	t.Parallel()
	now := upstreamtest.Start
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	cases := map[string]struct {
		header, date string
		want         time.Duration
		ok           bool
	}{
		"seconds":                  {"30", "", 30 * time.Second, true},
		"zero":                     {"0", "", time.Second, true},
		"a day":                    {"86400", "", time.Hour, true},
		"more than a number holds": {"99999999999999999999999", "", 0, false},
		"most of a number":         {"18446744073709551615", "", time.Hour, true},
		"negative":                 {"-5", "", 0, false},
		"date":                     {date(45 * time.Second), "", 45 * time.Second, true},
		"date far off":             {date(48 * time.Hour), "", time.Hour, true},
		"date past":                {date(-45 * time.Second), "", time.Second, true},
		"date on a clock ahead":    {date(time.Hour + 45*time.Second), date(time.Hour), 45 * time.Second, true},
		"none":                     {"", "", 0, false},
		"words":                    {"soon", "", 0, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wait, ok := upstream.RetryAfter(http.Header{"Retry-After": {c.header}, "Date": {c.date}}, now)
			must.Equal(t, c.ok, ok)
			must.Equal(t, c.want, wait)
		})
	}
}

func TestTooManyRequestsWaitsAsLongAsTheReplySays(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{"25": 25 * time.Second, "": 61 * time.Second, "later": 61 * time.Second} {
		got := pull(t, nil, upstreamtest.Reply{Status: 429, Header: map[string]string{"Retry-After": header}})
		must.Equal(t, upstream.Wait, got.failure.Kind)
		must.Equal(t, want, got.failure.RetryAfter)
		must.Equal(t, upstreamtest.Start.Add(want), got.failure.Until)
	}
}

func TestKindsHaveNames(t *testing.T) {
	t.Parallel()
	var names []string
	for kind := range upstream.Quarantine + 2 {
		names = append(names, kind.String())
	}
	must.Equal(t, []string{"kind 0", "retry", "wait", "pause", "our fault", "quarantine", "kind 6"}, names)
}
