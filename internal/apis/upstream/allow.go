package upstream

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// AllowSetting is the setting that an operator widens the reachable addresses with.
const AllowSetting = "DASHBOARD_UPSTREAM_ALLOW"

// AllowList holds the hosts and networks that an upstream address may lie in
// beside public https. The zero value allows public https only.
type AllowList struct {
	hosts    []string
	networks []netip.Prefix
}

// ParseAllow reads hosts, addresses and CIDRs, parted by commas or blanks, such
// as "127.0.0.1, 10.0.0.0/8, sandbox.internal". It reports every bad entry.
func ParseAllow(text string) (AllowList, error) {
	var list AllowList
	var errs []error
	for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' || r == '\n' }) {
		if err := list.add(entry); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return AllowList{}, err
	}
	return list, nil
}

func (l *AllowList) add(entry string) error {
	bare := strings.TrimSuffix(strings.TrimPrefix(entry, "["), "]")
	if ip, err := netip.ParseAddr(bare); err == nil {
		ip = ip.Unmap().WithZone("")
		l.networks = append(l.networks, netip.PrefixFrom(ip, ip.BitLen()))
		return nil
	}
	if network, err := netip.ParsePrefix(entry); err == nil {
		l.networks = append(l.networks, network.Masked())
		return nil
	}
	host := canonicalHost(entry)
	if !isHostName(host) {
		return fmt.Errorf("%q is no host, address or CIDR: write it alone, without scheme, port or path, such as sandbox.internal or 10.0.0.0/8", clean(entry, 80))
	}
	l.hosts = append(l.hosts, host)
	return nil
}

// allowsHost reports whether a host was named, be it as a name or an address.
func (l AllowList) allowsHost(host string) bool {
	host = canonicalHost(host)
	if ip, err := netip.ParseAddr(host); err == nil {
		return l.allowsIP(ip)
	}
	if host == "localhost" && (l.allowsIP(netip.AddrFrom4([4]byte{127, 0, 0, 1})) || l.allowsIP(netip.IPv6Loopback())) {
		return true
	}
	return slices.Contains(l.hosts, host)
}

// namesHost reports whether a name itself was listed: then all it resolves to is allowed.
func (l AllowList) namesHost(host string) bool {
	return slices.Contains(l.hosts, canonicalHost(host))
}

func (l AllowList) allowsIP(ip netip.Addr) bool {
	ip = ip.Unmap().WithZone("")
	return slices.ContainsFunc(l.networks, func(network netip.Prefix) bool { return network.Contains(ip) })
}

// CheckBase reads the base address of a service and refuses what no token should
// be sent to: anything but http(s), user info, a query or fragment, a host that one
// reader may take for a name and the next for an address, plain http or an unusual
// port at a host that is not allowed, an address that is not public. Names are checked
// again when they are resolved, at every connection. A trailing slash is dropped.
func CheckBase(raw string, allow AllowList) (*url.URL, error) {
	base, err := check(raw, allow)
	if err != nil {
		return nil, err
	}
	if base.RawQuery != "" || base.ForceQuery {
		return nil, fmt.Errorf("upstream address %s holds a query: give the address up to the question mark", clean(base.Scheme+"://"+base.Host, 120))
	}
	base.Path = strings.TrimRight(base.Path, "/")
	base.RawPath = strings.TrimRight(base.RawPath, "/")
	return base, nil
}

// CheckTarget is [CheckBase] for the address that messages are sent to as it stands: it
// may hold a query. [Guarded] checks it again at each connection.
func CheckTarget(raw string, allow AllowList) (*url.URL, error) { return check(raw, allow) }

func check(raw string, allow AllowList) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	base, err := url.Parse(raw)
	if err != nil || base.Host == "" || base.Opaque != "" {
		return nil, fmt.Errorf("upstream address %q is no address: give it in full, such as https://shop.example/api/v1", clean(withoutUser(raw), 120))
	}
	shown := clean(base.Scheme+"://"+base.Host, 120)
	host := canonicalHost(base.Hostname())
	switch {
	case base.Scheme != "https" && base.Scheme != "http":
		return nil, fmt.Errorf("upstream address %s has the scheme %q: use https", shown, clean(base.Scheme, 20))
	case base.User != nil:
		return nil, fmt.Errorf("upstream address %s holds a user name or password: take them out, the token is given apart", shown)
	case base.Fragment != "" || strings.Contains(raw, "#"):
		return nil, fmt.Errorf("upstream address %s holds a fragment: give the address up to the #", shown)
	case host == "":
		return nil, fmt.Errorf("upstream address %s has no host: give it in full, such as https://shop.example/api/v1", shown)
	}
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil && !isHostName(host):
		return nil, fmt.Errorf("upstream address %s has no proper host: write a name in its registered letters, such as shop.example or xn--…, or an address such as 192.0.2.1", shown)
	case err == nil && !isPublic(ip) && !allow.allowsIP(ip):
		return nil, &NotPublic{Host: host, IP: ip}
	case allow.allowsHost(host):
	case base.Scheme == "http":
		return nil, fmt.Errorf("upstream address %s is not https: use https, or allow it with %s=%s", shown, AllowSetting, host)
	case !slices.Contains(publicPorts, base.Port()):
		return nil, fmt.Errorf("upstream address %s names a port that is not for https: use 443 or 8443, or allow it with %s=%s", shown, AllowSetting, host)
	}
	return base, nil
}

// publicPorts are those that https lives on: through any other one, whoever may
// add a store could knock at the mail and database servers of this world.
var publicPorts = []string{"", "443", "8443"}

// withoutUser cuts user info from an address that could not be parsed.
func withoutUser(raw string) string {
	if at := strings.LastIndexByte(raw, '@'); at >= 0 {
		return raw[at+1:]
	}
	return raw
}

func canonicalHost(host string) string {
	return strings.TrimSuffix(strings.ToLower(host), ".")
}

func isHostName(host string) bool {
	if host == "" || len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		if label == "" || len(label) > 63 || strings.HasPrefix(label, "-") || strings.HasSuffix(label, "-") {
			return false
		}
		for _, r := range label {
			if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
				return false
			}
		}
	}
	// A name that ends in a number is an address to some readers: 127.1, 0x7f.1.
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") != ""
	}
	return strings.Trim(last, "0123456789") != ""
}
