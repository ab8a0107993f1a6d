package upstreamtest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// Records are one answer of a name server: addresses, or one alias ("cname internal.example").
type Records []string

// Names is a name server on the loopback address. A name has a list of answers for each kind of
// question (A, AAAA), used in order, and repeats the last; every other name gets Else.
type Names struct {
	Zone map[string][]Records
	Else Records

	packets net.PacketConn
	mu      sync.Mutex
	asked   map[string]int // questions so far, by kind and name
}

// Start answers until the test ends.
func (n *Names) Start(t testing.TB) *Names {
	t.Helper()
	n.asked = map[string]int{}
	var err error
	if n.packets, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = n.packets.Close() })
	go n.serve()
	return n
}

// Resolver asks only this server. An answer too long for one packet is asked for again over a
// stream.
func (n *Names) Resolver() *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		if strings.HasPrefix(network, "tcp") {
			ours, theirs := net.Pipe()
			go n.stream(theirs)
			return ours, nil
		}
		return (&net.Dialer{}).DialContext(ctx, "udp", n.packets.LocalAddr().String())
	}}
}

func (n *Names) serve() {
	packet := make([]byte, 1500)
	for {
		size, from, err := n.packets.ReadFrom(packet)
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			continue
		}
		reply := n.reply(packet[:size])
		if len(reply) > 512 {
			reply = cut(reply)
		}
		_, _ = n.packets.WriteTo(reply, from)
	}
}

// stream answers one question over a stream, with the length in front (RFC 1035 section 4.2.2).
func (n *Names) stream(c net.Conn) {
	defer func() { _ = c.Close() }()
	size := make([]byte, 2)
	if _, err := io.ReadFull(c, size); err != nil {
		return
	}
	query := make([]byte, int(size[0])<<8|int(size[1]))
	if _, err := io.ReadFull(c, query); err != nil {
		return
	}
	reply := n.reply(query)
	_, _ = c.Write(append([]byte{byte(len(reply) >> 8), byte(len(reply))}, reply...))
}

// cut leaves only the question and the truncation flag.
func cut(reply []byte) []byte {
	var m dnsmessage.Message
	if m.Unpack(reply) != nil {
		return reply
	}
	m.Truncated, m.Answers = true, nil
	out, _ := m.Pack()
	return out
}

func (n *Names) reply(query []byte) []byte {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil || len(m.Questions) != 1 {
		return query
	}
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	n.answer(&m, m.Questions[0].Name, m.Questions[0].Type, 0)
	out, err := m.Pack()
	if err != nil {
		return query
	}
	return out
}

// answer adds what a name resolves to, and follows aliases.
func (n *Names) answer(m *dnsmessage.Message, name dnsmessage.Name, kind dnsmessage.Type, depth int) {
	for _, r := range n.next(name.String(), kind) {
		head := dnsmessage.ResourceHeader{Name: name, Class: dnsmessage.ClassINET}
		if other, ok := strings.CutPrefix(r, "cname "); ok {
			to := dnsmessage.MustNewName(other + ".")
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.CNAMEResource{CNAME: to}})
			if depth < 8 {
				n.answer(m, to, kind, depth+1)
			}
			continue
		}
		switch ip := netip.MustParseAddr(r); {
		case ip.Is4() && kind == dnsmessage.TypeA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AResource{A: ip.As4()}})
		case ip.Is6() && kind == dnsmessage.TypeAAAA:
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: head, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}})
		}
	}
}

func (n *Names) next(name string, kind dnsmessage.Type) Records {
	n.mu.Lock()
	defer n.mu.Unlock()
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	answers, ok := n.Zone[name]
	if !ok {
		return n.Else
	}
	key := kind.String() + " " + name
	n.asked[key]++
	return answers[min(n.asked[key], len(answers))-1]
}
