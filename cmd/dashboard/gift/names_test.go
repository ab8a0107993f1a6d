package gift

import (
	"strings"
	"testing"
)

func TestOnlyNamesAreReplaced(t *testing.T) {
	t.Parallel()
	body := `{"a":1.50,"productId":"gid://x/1","ids":["@products:b"],"n":{"giftIds":{"productId":"7"},"text":"caf\u00e9 @products:b"}}`
	d := &desk{}
	got, err := d.resolved(t.Context(), []byte(strings.ReplaceAll(body, `"@products:b"`, `"@home:b"`)))
	if err != nil || string(got) != strings.ReplaceAll(body, `"@products:b"`, `"@home:b"`) {
		t.Errorf("%s, %v", got, err)
	}
}
