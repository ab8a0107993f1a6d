package upstream

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// NotPublic is the refusal to connect to an address that is neither public nor allowed. It is
// our own mistake and never retried.
type NotPublic struct {
	// Host is the host in the base address.
	Host string
	// Port is the port that would be used.
	Port string
	// IP is what it resolved to.
	IP netip.Addr
}

func (e *NotPublic) Error() string {
	shown := e.Host
	if _, err := netip.ParseAddr(e.Host); err != nil {
		shown += " (" + e.IP.String() + ")"
	}
	return fmt.Sprintf("upstream address %s is not public: allow it with %s=%s", shown, AllowSetting, e.Entry())
}

// Entry is the address as the setting takes it.
func (e *NotPublic) Entry() string { return entry(e.Host, e.Port) }

// notGlobal lists the networks that look global but aren't, or that wrap another address: a
// name that resolves into them is refused.
var notGlobal = prefixes(
	// IPv4
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
	"168.63.129.16/32", // the host under an Azure virtual machine
	"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	// IPv6 within 2000::/3: IETF use with Teredo, documentation, 6to4, documentation
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

// globalV6 is the only part of IPv6 that is assigned for public use. Outside it are loopback,
// NAT64, mapped, unique local, link-local and multicast addresses.
var globalV6 = netip.MustParsePrefix("2000::/3")

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// isPublic reports whether an address is publicly reachable.
func isPublic(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	if !ip.IsValid() || ip.Is6() && !globalV6.Contains(ip) {
		return false
	}
	return !slices.ContainsFunc(notGlobal, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// dialer connects only to allowed addresses. It checks the resolved address of every single
// connection, so changing a name's address after it was checked doesn't help an attacker.
type dialer struct {
	allow    AllowList
	resolver *net.Resolver
	local    map[string]func(context.Context) (net.Conn, error)
	// connecting is called with each accepted address before anything is sent to it; an error
	// stops the connection. Tests use it to count.
	connecting func(address string) error
}

func (d dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if local := d.local[host]; local != nil {
		return local(ctx)
	}
	dial := net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second, Resolver: d.resolver}
	dial.Control = func(_, resolved string, _ syscall.RawConn) error {
		if err := d.check(host, resolved); err != nil {
			return err
		}
		return d.connecting(resolved)
	}
	return dial.DialContext(ctx, network, address)
}

func (d dialer) check(host, resolved string) error {
	address, err := netip.ParseAddrPort(resolved)
	if err != nil {
		return fmt.Errorf("upstream address %s resolved to something odd: %w", clean(host, 80), err)
	}
	ip := address.Addr().Unmap().WithZone("")
	port := strconv.Itoa(int(address.Port()))
	if isPublic(ip) || d.allow.allowsIP(ip, port) || d.allow.namesHost(host, port) {
		return nil
	}
	return &NotPublic{Host: host, Port: port, IP: ip}
}
