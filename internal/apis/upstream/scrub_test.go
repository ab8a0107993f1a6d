package upstream_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest"
	"github.com/storeglass/storeglass/internal/apis/upstream/upstreamtest/must"
)

// canaryToken has characters that every encoding writes differently.
const canaryToken = `tok+en/with?odd&"chars"<=%41~0123456789==`

// TestATokenThatAServiceEchoesIsHidden lets a service repeat the token in every form and place:
// raw bytes, to include replies that aren't HTTP.
func TestATokenThatAServiceEchoesIsHidden(t *testing.T) {
	t.Parallel()
	traces := upstreamtest.Traces(canaryToken)
	tried := 0
	for form, echo := range upstreamtest.Echoes(canaryToken) {
		plain := func(status, header, body string) string {
			return fmt.Sprintf("HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s", status, header, len(body), body)
		}
		inJSON := `{"success":true,"data":{"n":1,"name":"` + echo + `","` + echo + `":0}}`
		for place, reply := range map[string]string{
			"good":                plain("200 OK", "", inJSON),
			"refused":             plain("401 Unauthorized", "", `{"success":false,"message":"`+echo+`","error":{"code":"`+echo+`","message":"`+echo+`"}}`),
			"fails":               plain("500 Oh", "", echo),
			"too fast":            plain("429 Slow", "Retry-After: "+echo+"\r\nX-RateLimit-Remaining: "+echo+"\r\n", echo),
			"redirects":           plain("302 Found", "Location: https://shop.example/"+echo+"/x\r\n", ""),
			"redirects to itself": plain("302 Found", "Location: "+echo+"\r\n", ""),
			"reason":              plain("400 "+echo, "", "no"),
			"status":              plain(echo, "", "no"),
			"no HTTP":             echo + "\r\n\r\n",
			"version":             "HTTP/" + echo + " 200 OK\r\n\r\n",
			"header line":         "HTTP/1.1 200 OK\r\n" + echo + "\r\n\r\n",
			"length":              "HTTP/1.1 200 OK\r\nContent-Length: " + echo + "\r\n\r\n{}",
			"coding":              "HTTP/1.1 200 OK\r\nTransfer-Encoding: " + echo + "\r\n\r\n{}",
			"chunk":               "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + echo + "\r\n",
			"trailer":             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n0\r\n" + echo + "\r\n\r\n",
			"cut":                 "HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + inJSON,
			"twice the length":    "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: " + echo + "\r\n\r\n{}",
		} {
			tried++
			base := answering(t, reply)
			c := client(upstreamtest.Transport(t), base, &upstreamtest.Gate{})
			c.Token = upstream.NewSecret(canaryToken)
			got, err := upstream.Get[row](t.Context(), c, "pull x", "/x", nil)
			said := fmt.Sprintf("%s %v %+v", got.Raw, got.Flags, got.Data)
			if failure, ok := errors.AsType[*upstream.Failure](err); ok {
				said += fmt.Sprintf("%s %+v %#v %s", failure, failure, *failure, failure.Raw)
				for e := error(failure); e != nil; e = errors.Unwrap(e) {
					said += fmt.Sprintf("%v %+v", e, e)
				}
			}
			if found := upstreamtest.Found(said, traces); len(found) > 0 {
				t.Errorf("%s, as %s: %q stands in %.400s", place, form, found, said)
			}
		}
	}
	t.Logf("%d replies", tried)
}

// answering serves one reply, byte for byte, to each request.
func answering(t *testing.T, reply string) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = io.WriteString(conn, reply)
				}
			}()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String()}
}

func TestInnocentRepliesAreKeptAsTheyCame(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"success":true,"data":{"n":7},"error":null}`, `{"success":true,"data":{"n":7,"name":"tok\u002ben \/ \\ \ud83d\ude00"}}`, `{"success":true,"data":{"n":7,"name":"` + canaryToken[:14] + `x"}}`,
	} {
		c := client(upstreamtest.Transport(t), upstreamtest.Serve(t, upstreamtest.Reply{Body: body}).Base(t), &upstreamtest.Gate{})
		c.Token = upstream.NewSecret(canaryToken)
		got, err := upstream.Get[row](t.Context(), c, "pull x", "/x", nil)
		must.NoError(t, err)
		must.Equal(t, body, string(got.Raw))
	}
}

func TestASearchForLeaksKnowsEveryForm(t *testing.T) {
	t.Parallel()
	seeker := upstreamtest.NewSeeker(map[string]string{"token": canaryToken, "another": "nothing of this stands anywhere"})
	for form, echo := range upstreamtest.Echoes(canaryToken) {
		hits := seeker.Seek("a text of some length, and then: " + echo + " and on")
		if len(hits) == 0 || hits[0].Secret != "token" {
			t.Errorf("as %s: %v in %q", form, hits, echo)
		}
	}
	must.Equal(t, 0, len(seeker.Seek("a text without it, up to its fourth byte: "+canaryToken[:4])))
}
