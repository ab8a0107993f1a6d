package upstream

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

func TestOnlyAddressesOpenToAnyoneArePublic(t *testing.T) {
	t.Parallel()
	cases := map[string]bool{
		"1.1.1.1": true, "93.184.216.34": true, "172.15.0.1": true, "172.32.0.1": true, "100.128.0.1": true,
		"2606:4700:4700::1111": true, "2a00:1450::1": true, "::ffff:1.1.1.1": true,

		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "127.0.0.1": false, "127.8.9.1": false,
		"169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "192.0.0.8": false, "192.0.2.1": false,
		"192.88.99.1": false, "192.168.1.1": false, "198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false,
		"224.0.0.1": false, "239.1.1.1": false, "240.0.0.1": false, "255.255.255.255": false,

		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:169.254.169.254": false, "::7f00:1": false,
		"64:ff9b::7f00:1": false, "64:ff9b::101:101": false, "64:ff9b:1::1": false, "100::1": false,
		"2001::1": false, "2001:db8::1": false, "2002:7f00:1::": false, "3fff::1": false,
		"fc00::1": false, "fd00:ec2::254": false, "fe80::1": false, "fe80::1%eth0": false, "fec0::1": false, "ff02::1": false,
	}
	for text, public := range cases {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			if got := isPublic(netip.MustParseAddr(text)); got != public {
				t.Errorf("isPublic = %v", got)
			}
		})
	}
	if isPublic(netip.Addr{}) {
		t.Error("the zero address is public")
	}
}

func TestAHostOfOurOwnIsNeverLookedUp(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"success":true,"data":{"host":"`+r.Host+`"}}`)
	}))
	t.Cleanup(server.Close)
	const host = "made-up.example"
	transport := NewTransport(Options{
		Resolver: &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("looked up") }},
		Local: map[string]func(context.Context) (net.Conn, error){host: func(ctx context.Context) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
		}},
	})
	t.Cleanup(transport.Close)
	resp, err := (&http.Client{Transport: transport.http}).Get("http://" + host + "/")
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if _, err := CheckBase("http://"+host, AllowList{}.With(host)); err != nil {
		t.Error(err)
	}
	if _, err := CheckBase("http://"+host, AllowList{}); err == nil {
		t.Error("plain http is taken without being allowed")
	}
}
