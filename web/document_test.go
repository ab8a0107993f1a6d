package web

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestPackedPiecesAreOneGzipFile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<td>1,234.50</td>", 9000)
	for name, texts := range map[string][]string{
		"nothing":      {""},
		"one piece":    {long},
		"around one":   {"<html>" + long, "<header>Ada</header>", long + "</html>"},
		"empty pieces": {"", long, "", "end"},
		"short ones":   {"a", "b", "c"},
		"around 2 KiB": {long[:storedUpTo-1], long[:storedUpTo], long[:storedUpTo+1]},
	} {
		d := &document{contentType: htmlType}
		for i, text := range texts {
			p := newPiece([]byte(text))
			if i%2 == 0 {
				p = p.pack()
			}
			d.pieces = append(d.pieces, p)
		}
		want := strings.Join(texts, "")
		if string(d.plain()) != want {
			t.Errorf("%s: the plain body differs", name)
		}
		rest := bufio.NewReader(bytes.NewReader(d.gzip()))
		z, err := gzip.NewReader(rest)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		z.Multistream(false) // browsers read the first file and drop the rest
		got, err := io.ReadAll(z)
		if err != nil || string(got) != want {
			t.Errorf("%s: %d bytes of %d, %v", name, len(got), len(want), err)
		}
		if n, _ := io.Copy(io.Discard, rest); n > 0 {
			t.Errorf("%s: %d bytes follow the file", name, n)
		}
	}
}

func TestETagChangesWithEveryByteAndPiece(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for name, texts := range map[string][]string{
		"one": {"ab"}, "another": {"ac"}, "cut": {"a", "b"}, "turned": {"b", "a"}, "more": {"ab", ""},
	} {
		d := &document{}
		for _, text := range texts {
			d.pieces = append(d.pieces, newPiece([]byte(text)))
		}
		plain, packed := d.etags()
		for _, tag := range []string{plain, packed} {
			if other, ok := seen[tag]; ok {
				t.Errorf("%s is named like %s", name, other)
			}
			seen[tag] = name
		}
	}
}
