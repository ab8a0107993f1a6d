package components

import (
	"strconv"
	"strings"
)

// slotMark surrounds a part's number. It isn't a character, so no message or name contains it.
const slotMark = "\uffff"

// Slot is a message argument that [Rich] replaces with its i-th part.
func Slot(i int) string { return slotMark + strconv.Itoa(i) + slotMark }

// piece is a stretch of a message: text, or the number of a part, -1 if none.
type piece struct {
	text string
	slot int
}

func pieces(text string) (out []piece) {
	for i, part := range strings.Split(text, slotMark) {
		n, err := strconv.Atoi(part)
		switch {
		case i%2 == 1 && err == nil:
			out = append(out, piece{slot: n})
		case part != "":
			out = append(out, piece{part, -1})
		}
	}
	return out
}
