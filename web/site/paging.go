package site

import (
	"strconv"
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/access/audit"
)

func ParseAfter(text string) (r audit.Record, ok bool) {
	at, id, _ := strings.Cut(text, "-")
	micros, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		return audit.Record{}, false
	}
	r.At = time.UnixMicro(micros)
	r.ID, err = strconv.ParseInt(id, 10, 64)
	return r, err == nil && r.ID > 0 && r.At.Year() > 0 && r.At.Year() < 9999
}

// After names a moment and an id, from which a list continues; see ParseAfter.
func After(at time.Time, id int64) string {
	return strconv.FormatInt(at.UnixMicro(), 10) + "-" + strconv.FormatInt(id, 10)
}
