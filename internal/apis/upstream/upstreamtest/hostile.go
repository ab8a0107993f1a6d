package upstreamtest

import (
	"context"
	"errors"
	"net"
	"net/http/httptrace"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/upstream"
)

// HostileAddresses are base addresses that must be refused as they are written, before any name
// is looked up. PORT is replaced by a port with a listener.
func HostileAddresses() []string {
	var all []string
	for _, host := range hostileHosts {
		for _, scheme := range []string{"http://", "https://"} {
			all = append(all, scheme+host+":PORT/api/v1")
		}
		all = append(all, "https://"+host)
	}
	return append(all, hostileForms...)
}

// hostileHosts lead to machines that must stay private, in every spelling that some parser
// accepts.
var hostileHosts = []string{
	// this machine, IPv4: plain, short, octal, hexadecimal, one number, padded, dotted
	"127.0.0.1", "127.0.0.2", "127.255.255.254", "127.1", "127.0.1", "0177.0.0.1", "00000177.0.0.1", "0177.0.0.01", "017700000001",
	"0x7f.0.0.1", "0x7F.0x0.0x0.0x1", "0x7f000001", "0x7f.1", "2130706433", "4294967295", "127.000.000.001", "127.0.0.1.", "127.0.0.1..",
	"0.0.0.0", "0", "0.0", "0x0", "0x", "383.0.0.1", "127.0.0.1.0",
	// private, carrier, test and documentation networks; multicast
	"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "100.127.255.254", "192.0.0.1", "192.0.2.1", "198.18.0.1",
	"198.19.255.255", "198.51.100.1", "203.0.113.1", "192.88.99.1", "224.0.0.1", "239.255.255.250", "240.0.0.1", "255.255.255.255",
	// the metadata servers of cloud machines
	"169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "168.63.129.16", "2852039166", "0xa9fea9fe", "0251.0376.0251.0376",
	"[fd00:ec2::254]", "[fd20:ce::254]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]",
	// this machine, IPv6, and IPv4 wrapped in it: mapped, compatible, translated, NAT64, 6to4, Teredo
	"[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::1%25lo]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:7f00:0001]", "[::127.0.0.1]", "[::7f00:1]",
	"[::ffff:0:127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::1]", "[2001::f5ff:fffe]",
	// link-local, site-local, unique local, multicast, discarded, documents, ORCHID, segments
	"[fe80::1]", "[fe80::1%25eth0]", "[fec0::1]", "[fc00::1]", "[fd12:3456:789a::1]", "[ff02::1]", "[ff01::1]", "[100::1]", "[2001:db8::1]",
	"[3fff::1]", "[2001:10::1]", "[2001:20::1]", "[5f00::1]", "[::ffff:10.0.0.1]", "[::ffff:c0a8:1]",
	// digits and dots that only become such when someone normalizes them
	"⑫⑦.⓪.⓪.①", "１２７.０.０.１", "127。0。0。1", "127．0．0．1", "127｡0｡0｡1", "𝟏𝟐𝟕.𝟎.𝟎.𝟏", "１６９。２５４。１６９。２５４", "٠x٧f.١",
	// and letters
	"ⓛⓞⓒⓐⓛⓗⓞⓢⓣ", "ｌｏｃａｌｈｏｓｔ", "lоcalhost", "loc\u00adalhost", "local\u200bhost", "ʟocalhost", "localho\u017ft", "locаlhoѕt.", "local\u2060host",
	// what some parsers cut off and others don't
	"127%2e0%2e0%2e1", "%31%32%37.0.0.1", "local%68ost", "localhost%00.shop.example", "localhost%2f.shop.example", "localhost%23.shop.example",
	"127.0.0.1;shop.example", "127.0.0.1,shop.example", "127.0.0.1&.shop.example", "127.0.0.1=.shop.example", "127.0.0.1'.shop.example", "127.0.0.1!.shop.example",
	"127.0.0.1 .shop.example", "127.0.0.1\t.shop.example", "127.0.0.1\n.shop.example", "127.0.0.1\r\nHost: shop.example", "127.0.0.1\x00.shop.example",
	`127.0.0.1\.shop.example`, `127.0.0.1\@shop.example`, "127.0.0.1|shop.example", "127.0.0.1`.shop.example", "{127.0.0.1}", "$(hostname).shop.example", "*.shop.example",
	"[127.0.0.1]", "[::1", "::1", "[::1].shop.example", "[localhost]", "-shop.example", "shop-.example", ".shop.example", "shop..example",
	strings.Repeat("a", 64) + ".example", strings.Repeat("long.", 60) + "example", strings.Repeat("x", 5000),
}

// hostileForms are whole addresses.
var hostileForms = []string{
	// whose host is not what it seems
	"https://shop.example@127.0.0.1:PORT", "https://shop.example:443@127.0.0.1", "https://127.0.0.1@shop.example", "https://user:pass@localhost:PORT/",
	"https://@127.0.0.1", "https://:@127.0.0.1", "https://shop.example%40127.0.0.1", "https://shop.example:pass%40127.0.0.1@shop.example", "https://[::1]@shop.example",
	"https://shop.example#@127.0.0.1:PORT", "https://127.0.0.1:PORT#@shop.example", "https://shop.example?@127.0.0.1:PORT", "https://127.0.0.1:PORT?@shop.example",
	`https://127.0.0.1:PORT\@shop.example`, `https://shop.example\@127.0.0.1`, `http:\\127.0.0.1:PORT`, `https:\127.0.0.1`, "https:127.0.0.1", "https:/127.0.0.1:PORT",
	"https:///127.0.0.1", "//127.0.0.1:PORT", "127.0.0.1:PORT", "localhost:PORT", "/etc/passwd", "https://", "https://:PORT", "https://127.0.0.1:PORT:443",
	"https://shop.example /", "https://shop.example/\r\nHost: 127.0.0.1", "https://shop.example\r\n\r\nGET / HTTP/1.1", "https://shop.example/\x00", "\x00https://shop.example",
	"ht\ttps://127.0.0.1", "https://shop.example/%zz",
	// schemes
	"file:///etc/passwd", "file://127.0.0.1/etc/passwd", "file://localhost:PORT/", "gopher://127.0.0.1:PORT/_GET", "ftp://127.0.0.1:PORT", "dict://127.0.0.1:PORT/x", "ldap://127.0.0.1:PORT",
	"ssh://127.0.0.1:22", "tftp://127.0.0.1:69/x", "unix:///var/run/docker.sock", "http+unix://%2Fvar%2Frun%2Fdocker.sock", "data:application/json,{}", "javascript:alert(1)",
	"jar:https://127.0.0.1!/", "ws://127.0.0.1:PORT", "wss://shop.example", "netdoc:///etc/passwd", "postgres://127.0.0.1:5432/", "http://shop.example", "http://1.1.1.1",
	// ports of other servers
	"https://shop.example:22", "https://shop.example:25", "https://shop.example:465", "https://shop.example:5432", "https://shop.example:6379", "https://shop.example:9200", "https://1.1.1.1:22",
	"https://[2606:4700:4700::1111]:25", "https://shop.example:0", "https://shop.example:80", "https://shop.example:0443", "https://shop.example:65979", "https://shop.example:+443",
	"https://shop.example:-1", "https://shop.example:４４３", "https://shop.example:443:22", "https://127.0.0.1:22", "https://127.0.0.1:25", "https://127.0.0.1:5432", "http://localhost:5432",
}

// HostileNames are base addresses that look fine, and what their names resolve to,
// question by question. What a machine without any name server knows by itself has
// no answers.
func HostileNames() map[string][]Records {
	many := Records{}
	for range 40 {
		many = append(many, "10.1.2.3")
	}
	return map[string][]Records{
		"https://localhost": nil, "https://LOCALHOST:443": nil, "https://localhost.": nil,

		"https://localhost.localdomain":          {{"127.0.0.1"}},
		"https://anything.localhost":             {{"127.0.0.1", "::1"}},
		"https://localtest.example":              {{"127.0.0.1"}},
		"https://127-0-0-1.dashed.example":       {{"127.0.0.1"}},
		"https://xn--lcalhost-66g.example":       {{"127.0.0.1"}},
		"https://metadata.google.internal":       {{"169.254.169.254"}},
		"https://metadata6.example":              {{"fd00:ec2::254"}},
		"https://kubernetes.default.svc":         {{"10.96.0.1"}},
		"https://host.docker.internal":           {{"172.17.0.1"}},
		"https://printer.local":                  {{"192.168.1.9"}},
		"https://intranet":                       {{"10.0.0.5"}},
		"https://zero.example":                   {{"0.0.0.0"}},
		"https://zero6.example":                  {{"::"}},
		"https://loop6.example":                  {{"::1"}},
		"https://mapped.example":                 {{"::ffff:127.0.0.1"}},
		"https://compatible.example":             {{"::127.0.0.1"}},
		"https://nat64.example":                  {{"64:ff9b::7f00:1"}},
		"https://six-to-four.example":            {{"2002:7f00:1::"}},
		"https://teredo.example":                 {{"2001:0:7f00:1::1"}},
		"https://carrier.example":                {{"100.64.0.1"}},
		"https://broadcast.example":              {{"255.255.255.255"}},
		"https://many.example":                   {many},
		"https://both.example":                   {{"10.0.0.1", "fd00::1"}},
		"https://cname.example":                  {{"cname internal.example"}},
		"https://chain.example":                  {{"cname one.example"}},
		"https://circle.example":                 {{"cname circle.example"}},
		"https://public-first.example":           {{"93.184.216.34", "127.0.0.1"}},
		"https://private-first.example":          {{"127.0.0.1", "93.184.216.34"}},
		"https://private-v6-public-v4.example":   {{"93.184.216.34", "::1"}},
		"https://public-v6-private-v4.example":   {{"2606:4700:4700::1111", "127.0.0.1"}},
		"https://rebinding.example":              {{"93.184.216.34"}, {"127.0.0.1"}},
		"https://rebinding-late.example":         {{"93.184.216.34"}, {"93.184.216.34"}, {"127.0.0.1", "::1"}},
		"https://rebinding-metadata.example":     {{"93.184.216.34"}, {"169.254.169.254"}},
		"https://rebinding-cname.example":        {{"93.184.216.34"}, {"cname internal.example"}},
		"https://gone-then-private.example:8443": {{}, {"127.0.0.1"}},
	}
}

// HostileZone is what the names on the way resolve to.
var HostileZone = map[string][]Records{
	"internal.example": {{"10.0.0.7"}},
	"one.example":      {{"cname two.example"}},
	"two.example":      {{"cname internal.example"}},
}

// Decoy is someone who must not be connected to: it listens at one port of every
// loopback address and counts who came.
type Decoy struct {
	Port string

	mu   sync.Mutex
	came int
}

// NewDecoy listens until the test ends.
func NewDecoy(t testing.TB) *Decoy {
	t.Helper()
	four, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	d := &Decoy{}
	if _, d.Port, err = net.SplitHostPort(four.Addr().String()); err != nil {
		t.Fatal(err)
	}
	listeners := []net.Listener{four}
	// A machine without IPv6 has nobody there to be reached.
	if six, err := net.Listen("tcp6", "[::1]:"+d.Port); err == nil {
		listeners = append(listeners, six)
	}
	for _, l := range listeners {
		t.Cleanup(func() { _ = l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				d.mu.Lock()
				d.came++
				d.mu.Unlock()
				_ = c.Close()
			}
		}()
	}
	return d
}

// At puts the decoy's port into an address.
func (d *Decoy) At(address string) string { return strings.ReplaceAll(address, "PORT", d.Port) }

// Came is how many connections there were.
func (d *Decoy) Came() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.came
}

// Watch notes every address that calls with its context connect to, no matter who makes
// the connection: the standard library itself tells.
type Watch struct {
	mu        sync.Mutex
	connected []string
}

// Context is one under watch. Sockets that are files are not noted.
func (w *Watch) Context(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{ConnectDone: func(network, address string, err error) {
		if _, refused := errors.AsType[*upstream.NotPublic](err); refused || !strings.HasPrefix(network, "tcp") {
			return
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.connected = append(w.connected, address)
	}})
}

// Connected are the addresses that were connected to, or would have been; the
// database's is no news.
func (w *Watch) Connected(except ...string) []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.connected), func(to string) bool { return slices.Contains(except, to) })
}
