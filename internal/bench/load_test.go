//go:build bench

package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// target is what one kind of request asks for.
type target struct {
	addr string
	// requests are sent in turn, each a whole request as it goes over the wire.
	requests [][]byte
	status   int
	next     atomic.Int64
}

func newTarget(addr, path string, status int, headers ...string) *target {
	return &target{addr: addr, status: status, requests: [][]byte{request(addr, path, headers...)}}
}

// request is a GET as a browser would send it, as far as matters here.
func request(addr, path string, headers ...string) []byte {
	lines := append([]string{"GET " + path + " HTTP/1.1", "Host: " + addr, "Accept-Encoding: gzip"}, headers...)
	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\n")
}

// load sends requests over a number of kept-alive connections for a while and returns the
// answers per second and their count. Any unexpected answer ends the test.
func (g *target) load(t testing.TB, connections int, d time.Duration) (perSecond float64, answers int) {
	t.Helper()
	var (
		total atomic.Int64
		wg    sync.WaitGroup
		first = make(chan error, connections)
		began = time.Now()
	)
	for range connections {
		wg.Go(func() {
			conn, err := net.Dial("tcp", g.addr)
			if err != nil {
				first <- err
				return
			}
			defer func() { _ = conn.Close() }()
			in := bufio.NewReaderSize(conn, 64<<10)
			for time.Since(began) < d {
				if _, err := conn.Write(g.requests[int(g.next.Add(1))%len(g.requests)]); err != nil {
					first <- err
					return
				}
				status, _, err := answer(in)
				if err == nil && status != g.status {
					err = fmt.Errorf("the answer's status is %d, want %d", status, g.status)
				}
				if err != nil {
					first <- err
					return
				}
				total.Add(1)
			}
		})
	}
	wg.Wait()
	took := time.Since(began)
	select {
	case err := <-first:
		t.Fatal(err)
	default:
	}
	return float64(total.Load()) / took.Seconds(), int(total.Load())
}

// answer reads one answer to its end. It parses as little as possible, because the client takes
// CPU time from the server on the same machine.
func answer(in *bufio.Reader) (status int, size int64, err error) {
	length, chunked := int64(0), false
	for line := 0; ; line++ {
		text, err := in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		text = bytes.TrimRight(text, "\r\n")
		switch {
		case line == 0 && len(text) >= 12:
			if status, err = strconv.Atoi(string(text[9:12])); err != nil {
				return 0, 0, err
			}
		case len(text) == 0:
			if chunked {
				size, err = chunks(in)
				return status, size, err
			}
			n, err := io.CopyN(io.Discard, in, length)
			return status, n, err
		case bytes.HasPrefix(text, []byte("Content-Length: ")):
			if length, err = strconv.ParseInt(string(text[16:]), 10, 64); err != nil {
				return 0, 0, err
			}
		case bytes.HasPrefix(text, []byte("Transfer-Encoding: chunked")):
			chunked = true
		}
	}
}

func chunks(in *bufio.Reader) (size int64, err error) {
	for {
		text, err := in.ReadSlice('\n')
		if err != nil {
			return size, err
		}
		n, err := strconv.ParseInt(string(bytes.TrimRight(text, "\r\n")), 16, 64)
		if err != nil {
			return size, err
		}
		if _, err := in.Discard(int(n) + 2); err != nil {
			return size, err
		}
		if n == 0 {
			return size, nil
		}
		size += n
	}
}
