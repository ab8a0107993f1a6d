package gift

import (
	"testing"

	"github.com/storeglass/storeglass/cmd/dashboard/cli"
)

func TestAnOutlineShowsAnyShapeAndObeysNoText(t *testing.T) {
	t.Parallel()
	got := cli.Plain(outline([]byte(`{"name":"Free\nstatus: active","on":true,"n":1.50,"none":null,"empty":"","deep":{"a":[{"b":1,"c":{"d":2}},[3,4]]},
		"list":[1,{"a":{}},{},[],[{"x":1}]],"ev\u001b[2Jil\nkey":"\u202ex\u0007"}`)))
	want := `name: Free status: active
on: true
n: 1.50
none: none
empty: ""
deep:
  a:
    - b: 1
      c:
        d: 2
    - - 3
      - 4
list:
  - 1
  - a: none
  - none
  - none
  - - x: 1
ev` + "\uFFFD" + `[2Jil key: ` + "\uFFFDx\uFFFD" + `
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	for value, want := range map[string]string{``: "", `null`: "", `"done"`: "done\n", `[]`: "", `{}`: "", `7`: "7\n"} {
		if got := outline([]byte(value)); got != want {
			t.Errorf("%s: %q", value, got)
		}
	}
}
