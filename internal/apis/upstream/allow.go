package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// AllowSetting is the setting with which an operator widens the reachable addresses.
const AllowSetting = "DASHBOARD_UPSTREAM_ALLOW"

// AllowList holds the hosts and networks, with their ports, that an upstream address may use
// besides public https. The zero value allows public https only.
type AllowList struct {
	hosts    []allowedHost
	networks []allowedNetwork
}

type allowedHost struct {
	name string
	port allowedPort
}

type allowedNetwork struct {
	netip.Prefix
	port allowedPort
}

// allowedPort is the port of an entry; empty means the ports of web servers.
type allowedPort string

func (p allowedPort) allows(port string) bool {
	return string(p) == port || p == "" && ofWebServers(port)
}

// ofWebServers reports whether a web server may be expected at a port: http's and https's own,
// and unprivileged ones, but not those of databases, queues and the like.
func ofWebServers(port string) bool {
	n, err := strconv.Atoi(port)
	return err == nil && (n == 80 || n == 443 || n >= 1024 && !slices.Contains(ofOthers, n))
}

var ofOthers = []int{
	1433, 1521, 3306, 5432, 5433, 6432, 9042, 27017, 27018, // databases
	5984, 6379, 9300, 11211, // stores and caches
	1883, 4369, 5672, 9092, // queues
	2181, 2375, 2376, 2379, 2380, 6443, 10250, // container, cluster and coordination APIs
	2049, 3389, 5900, // files and remote screens
}

// ParseAllow reads hosts, addresses and CIDRs, separated by commas or blanks, such as
// "127.0.0.1:8081, [fd00::/8]:8080, 10.0.0.0/8, sandbox.internal". An entry with a port opens
// only that one; without a port it opens 80, 443 and those from 1024 on that aren't used by
// databases and the like. It reports every bad entry.
func ParseAllow(text string) (AllowList, error) {
	var list AllowList
	var errs []error
	for entry := range strings.FieldsSeq(strings.ReplaceAll(text, ",", " ")) {
		if err := list.add(entry); err != nil {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return AllowList{}, err
	}
	return list, nil
}

// With returns the list with one more host, at the ports of web servers.
func (l AllowList) With(host string) AllowList {
	l.hosts = append(slices.Clip(l.hosts), allowedHost{name: host})
	return l
}

func (l *AllowList) add(entry string) error {
	bare, port := splitEntry(entry)
	if ip, err := netip.ParseAddr(bare); err == nil {
		ip = ip.Unmap().WithZone("")
		l.networks = append(l.networks, allowedNetwork{netip.PrefixFrom(ip, ip.BitLen()), port})
		return nil
	}
	if network, err := netip.ParsePrefix(bare); err == nil {
		l.networks = append(l.networks, allowedNetwork{network.Masked(), port})
		return nil
	}
	if host := canonicalHost(bare); isHostName(host) {
		l.hosts = append(l.hosts, allowedHost{host, port})
		return nil
	}
	return fmt.Errorf("%q is no host, address or CIDR: write it without scheme or path, such as sandbox.internal:8081 or 10.0.0.0/8", clean(entry, 80))
}

// splitEntry separates an entry from its port; bare is empty if it has none that can be. More than one
// colon without brackets means an IPv6 address without a port.
func splitEntry(entry string) (bare string, port allowedPort) {
	bare, text := entry, ""
	if inner, rest, closed := strings.Cut(strings.TrimPrefix(entry, "["), "]"); strings.HasPrefix(entry, "[") {
		if !closed || rest != "" && !strings.HasPrefix(rest, ":") {
			return "", ""
		}
		bare, text = inner, rest
	} else if strings.Count(entry, ":") == 1 {
		i := strings.IndexByte(entry, ':')
		bare, text = entry[:i], entry[i:]
	}
	if text == "" {
		return bare, ""
	}
	text = text[1:]
	if n, _ := strconv.ParseUint(text, 10, 16); n == 0 || strconv.FormatUint(n, 10) != text {
		return "", ""
	}
	return bare, allowedPort(text)
}

// allowsHost reports whether a host was listed with this port, as a name or an address. The host is in
// canonical form.
func (l AllowList) allowsHost(host, port string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return l.allowsIP(ip, port)
	}
	if host == "localhost" && (l.allowsIP(netip.AddrFrom4([4]byte{127, 0, 0, 1}), port) || l.allowsIP(netip.IPv6Loopback(), port)) {
		return true
	}
	return l.namesHost(host, port)
}

// namesHost reports whether a name itself was listed with this port: then every address it
// resolves to is allowed.
func (l AllowList) namesHost(host, port string) bool {
	host = canonicalHost(host)
	return slices.ContainsFunc(l.hosts, func(h allowedHost) bool { return h.name == host && h.port.allows(port) })
}

func (l AllowList) allowsIP(ip netip.Addr, port string) bool {
	ip = ip.Unmap().WithZone("")
	return slices.ContainsFunc(l.networks, func(n allowedNetwork) bool { return n.Contains(ip) && n.port.allows(port) })
}

// entry is what an operator writes to allow a host with a port, and nothing else.
func entry(host, port string) string {
	if port == "80" || port == "443" {
		return host
	}
	return net.JoinHostPort(host, port)
}

// CheckBase parses the base address of a service and refuses anything that no token should be
// sent to: anything but http(s), user info, a query or fragment, a host that some parsers take
// for a name and others for an address, plain http or an unusual port at a host that isn't
// allowed, an address that isn't public. Names are checked again at every connection, after
// they are resolved. A trailing slash is dropped.
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

// CheckTarget is [CheckBase] for an address that messages are sent to: it may have a query.
// [Guarded] checks it again at each connection.
func CheckTarget(raw string, allow AllowList) (*url.URL, error) { return check(raw, allow) }

func check(raw string, allow AllowList) (*url.URL, error) {
	raw = strings.TrimSpace(raw)
	base, err := url.Parse(raw)
	if err != nil || base.Host == "" {
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
	port := cmp.Or(base.Port(), map[string]string{"http": "80", "https": "443"}[base.Scheme])
	ip, err := netip.ParseAddr(host)
	switch {
	case err != nil && !isHostName(host):
		return nil, fmt.Errorf("upstream address %s has no proper host: write a name in its registered letters, such as shop.example or xn--…, or an address such as 192.0.2.1", shown)
	case err == nil && !isPublic(ip) && !allow.allowsIP(ip, port):
		return nil, &NotPublic{Host: host, Port: port, IP: ip}
	case allow.allowsHost(host, port):
	case base.Scheme == "http":
		return nil, fmt.Errorf("upstream address %s is not https: use https, or allow it with %s=%s", shown, AllowSetting, entry(host, port))
	case !slices.Contains(publicPorts, base.Port()):
		return nil, fmt.Errorf("upstream address %s names a port that is not for https: use 443 or 8443, or allow it with %s=%s", shown, AllowSetting, entry(host, port))
	}
	return base, nil
}

// publicPorts are the ports that https uses: with any other port, people who may add a store
// could reach mail and database servers anywhere.
var publicPorts = []string{"", "443", "8443"}

// withoutUser removes user info from an address that couldn't be parsed.
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
	// Some parsers take a name that ends in a number for an address: 127.1, 0x7f.1.
	last := host[strings.LastIndexByte(host, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") != ""
	}
	return strings.Trim(last, "0123456789") != ""
}
