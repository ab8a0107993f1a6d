package embedded

import (
	"log/slog"
	"math"
	"strings"
	"testing"
)

func TestAFullDiskIsSaidToBeFull(t *testing.T) {
	t.Parallel()
	tail := &logTail{log: slog.New(slog.DiscardHandler)}
	_, err := tail.Write([]byte("running bootstrap script ... FATAL:  could not write to file \"pg_wal/xlogtemp.1\": No space left on device\n" +
		"child process exited with exit code 1\ninitdb: removing contents of data directory\n"))
	if said := tail.last(); err != nil || !strings.Contains(said, "the disk is full") || !strings.Contains(said, "make room") {
		t.Errorf("%q, %v", said, err)
	}
	dir := t.TempDir()
	if err := roomFor(dir, 1); err != nil {
		t.Error(err)
	}
	if err := roomFor(dir, math.MaxUint64); err == nil || !strings.Contains(err.Error(), "make room") {
		t.Errorf("%v", err)
	}
	if err := roomFor(dir+"/nothing", 1); err == nil {
		t.Error("a folder that isn't there has room")
	}
}
