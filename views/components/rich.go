package components

import (
	"strconv"
	"strings"
)

// slotMark is around a part's number. No message and no name has it: it is no character.
const slotMark = "\uffff"

// Slot is the argument of a message in whose place the i-th part of [Rich] goes.
func Slot(i int) string { return slotMark + strconv.Itoa(i) + slotMark }

// piece is a stretch of a message: text, or the number of a part; -1 is none.
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
