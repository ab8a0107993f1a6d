package web

import (
	"net"
	"net/http"
	"net/netip"
	"slices"

	"github.com/labstack/echo/v4"
)

func IPExtractor(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		p = p.Masked()
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}

// watchProxy warns once if requests come through a proxy on this network that isn't trusted:
// limits then treat all readers as one address. The header alone, from elsewhere, isn't a sign
// of a proxy, since strangers can send it.
func (s *Server) watchProxy(r *http.Request) {
	if r.Header.Get("X-Forwarded-For") == "" {
		return
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return
	}
	peer := from.Addr().Unmap()
	if !peer.IsLoopback() && !peer.IsPrivate() || slices.ContainsFunc(s.Trusted, func(p netip.Prefix) bool { return p.Contains(peer) }) {
		return
	}
	s.distrusted.Do(func() {
		s.Log.Warn("requests come through a proxy that is not trusted, so limits count everyone as one address: set DASHBOARD_TRUSTED_PROXIES to its address", "proxy", peer)
	})
}
