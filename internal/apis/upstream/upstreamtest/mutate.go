package upstreamtest

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
)

// tokens finds texts, numbers, words and opening brackets, even in broken JSON.
func tokens(body []byte) (spans [][2]int) {
	for at := 0; at < len(body); {
		end := at + 1
		switch b := body[at]; {
		case b == '"':
			for end < len(body) && body[end] != '"' {
				if body[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(body))
		case bytes.IndexByte(wordBytes, b) >= 0:
			for end < len(body) && bytes.IndexByte(wordBytes, body[end]) >= 0 {
				end++
			}
		case b != '{' && b != '[':
			at = end
			continue
		}
		spans = append(spans, [2]int{at, end})
		at = end
	}
	return spans
}

var wordBytes = []byte("+-.0123456789eEtrufalsn")

var odd = []string{
	`null`, `true`, `false`, `0`, `-1`, `12.5`, `1e999`, `-1e-999`, `1e40`, `99999999999999999999`, `NaN`, `1` + strings.Repeat("0", 400),
	`""`, `"x"`, `"\u0000"`, "\"\xff\"", `"\ud83d"`, `"` + strings.Repeat("long ", 300) + `"`, `"<script>"`, `"deleted"`, `"accepted"`,
	`[]`, `{}`, `[null]`, `[[[[]]]]`, `[0,"a",{}]`, `{"id":"a"}`, `{"":null}`, `{"a":1,"a":2}`, strings.Repeat("[", 70) + strings.Repeat("]", 70),
	strings.Repeat(`{"a":`, 40) + `1` + strings.Repeat("}", 40), strings.Repeat("[", 9000),
}

// Mutate breaks a good reply in one to three places: it cuts it off, removes or repeats a
// piece, replaces a value, or appends bytes. Few replies are still valid afterwards.
func Mutate(random *rand.Rand, good []byte) []byte {
	body := bytes.Clone(good)
	for range 1 + random.IntN(3) {
		if len(body) == 0 {
			return body
		}
		at := random.IntN(len(body))
		kind := random.IntN(12)
		var spans [][2]int
		if kind > 3 {
			spans = tokens(body)
		}
		switch {
		case kind == 0:
			body = body[:at]
		case kind == 1:
			body[at] = byte(random.IntN(256))
		case kind == 2: // remove a piece
			body = append(body[:at:at], body[min(len(body), at+1+random.IntN(20)):]...)
		case kind == 3: // repeat a piece
			body = splice(body, at, at, body[at:min(len(body), at+1+random.IntN(40))])
		case len(spans) == 0: // no JSON left
			return body
		case kind == 4: // repeat a token, maybe a key
			span := spans[random.IntN(len(spans))]
			body = splice(body, span[1], span[1], append([]byte(`:null,`), body[span[0]:span[1]]...))
		case kind == 5: // overwrite one token with another
			from, to := spans[random.IntN(len(spans))], spans[random.IntN(len(spans))]
			body = splice(body, to[0], to[1], body[from[0]:from[1]])
		case kind == 6: // bytes after the end
			body = append(body, odd[random.IntN(len(odd))]...)
		default: // replace a whole value
			span := spans[random.IntN(len(spans))]
			body = splice(body, span[0], closing(body, span), []byte(odd[random.IntN(len(odd))]))
		}
	}
	return body
}

func splice(body []byte, from, to int, part []byte) []byte {
	return bytes.Join([][]byte{body[:from], part, body[to:]}, nil)
}

// closing is where a token's value ends: after its bracket, if it opens one.
func closing(body []byte, span [2]int) int {
	if b := body[span[0]]; b != '{' && b != '[' {
		return span[1]
	}
	decoder := json.NewDecoder(bytes.NewReader(body[span[0]:]))
	var value json.RawMessage
	if decoder.Decode(&value) != nil {
		return span[1]
	}
	return span[0] + len(value)
}
