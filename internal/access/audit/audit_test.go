package audit_test

import (
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeglass/storeglass/internal/access"
	"github.com/storeglass/storeglass/internal/access/accesstest"
	"github.com/storeglass/storeglass/internal/access/audit"
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

func record(t *testing.T, w *accesstest.World, a audit.Actor, e audit.Event) {
	t.Helper()
	if err := w.Audit.Record(audit.Acting(t.Context(), a), e); err != nil {
		t.Fatal(err)
	}
}

func TestARecordTellsWhoDidWhatFromWhere(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ada := audit.Actor{Kind: audit.ActorPerson, ID: 7, Name: "ada@example.com", Address: "192.0.2.1", Request: "R1"}
	record(t, w, ada, audit.Event{Action: audit.StorePaused, Store: "acme"})
	nobody := audit.Actor{Kind: audit.ActorNobody, Address: "192.0.2.2", Request: "R2"}
	record(t, w, nobody, audit.Event{Action: audit.SignedIn, Actor: access.Person{ID: 8, Email: "bo@example.com"}.Actor(), Subject: "by link"})
	if err := w.Audit.Record(t.Context(), audit.Event{Action: audit.StorePurged, Store: "birch"}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Audit.Records(t.Context(), audit.Filter{}, 10)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	for i := range got {
		if !got[i].At.Equal(w.Clock.Now()) {
			t.Errorf("recorded at %v", got[i].At)
		}
		got[i].At, got[i].ID, got[i].Details = time.Time{}, 0, nil
	}
	want := []audit.Record{
		{Actor: audit.Actor{Kind: audit.ActorCommand}, Action: audit.StorePurged, Store: "birch"},
		{Actor: audit.Actor{Kind: audit.ActorPerson, ID: 8, Name: "bo@example.com", Address: "192.0.2.2", Request: "R2"}, Action: audit.SignedIn, Subject: "by link"},
		{Actor: ada, Action: audit.StorePaused, Store: "acme"},
	}
	if !slices.EqualFunc(got, want, func(a, b audit.Record) bool { return reflect.DeepEqual(a, b) }) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestWhatWasRolledBackIsNotRecorded(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	fault := errors.New("fault")
	err := w.DB.InTx(t.Context(), func(q *sqlc.Queries) error {
		if err := w.Audit.RecordIn(t.Context(), q, audit.Event{Action: audit.StorePaused, Store: "acme"}); err != nil {
			return err
		}
		return fault
	})
	accesstest.Wants(t, err, fault)
	if got := w.Recorded(t, audit.Filter{}); len(got) != 0 {
		t.Error(got)
	}
}

func TestAnActionThatIsNotInTheTableIsRefused(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	for _, action := range []audit.Action{"", "store.exploded", "store"} {
		if err := w.Audit.Record(t.Context(), audit.Event{Action: action}); err == nil {
			t.Errorf("%q was recorded", action)
		}
	}
}

func TestEveryActionHasWordsAndAGroup(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	seen, words := 0, map[string]bool{}
	for _, g := range audit.ActionGroups() {
		if g.Words(locale.English) == "audit.group."+g.About || len(g.Actions) == 0 {
			t.Errorf("group %+v", g)
		}
		for _, a := range g.Actions {
			seen++
			if words[a.Words(locale.English)] || a.Words(locale.English) == "audit.action."+string(a) {
				t.Errorf("%s has the words %q", a, a.Words(locale.English))
			}
			words[a.Words(locale.English)] = true
			record(t, w, audit.Actor{Kind: audit.ActorCommand}, audit.Event{Action: a}) // the schema accepts its format
		}
	}
	if got := len(w.Recorded(t, audit.Filter{})) + len(w.Counts(t, audit.Filter{})); got != seen || seen < 40 {
		t.Errorf("%d actions in groups, %d recorded or counted", seen, got)
	}
}

// Texts from strangers stay readable: on one line, without characters that reverse the
// text or can't be stored, and of limited length.
func TestARecordTakesAnyText(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	hostile := "a\x00b\nc\x1b[31m\u202e\u2066d\xff" + strings.Repeat("é", 400)
	record(t, w, audit.Actor{Kind: audit.ActorToken, Name: hostile, Address: hostile}, audit.Event{Action: audit.StoreTagged, Subject: hostile})
	got, err := w.Audit.Records(t.Context(), audit.Filter{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{got[0].Subject, got[0].Actor.Name, got[0].Actor.Address} {
		if n := len([]rune(text)); n != 300 || !strings.HasPrefix(text, "a b c [31m  d\uFFFDé") || !strings.HasSuffix(text, "é…") {
			t.Errorf("%d characters: %q", n, text)
		}
	}
}

func TestTheLogIsFilteredAndPaged(t *testing.T) {
	t.Parallel()
	w := accesstest.New(t)
	ada := audit.Actor{Kind: audit.ActorPerson, ID: 1, Name: "Ada@example.com", Address: "192.0.2.1"}
	script := audit.Actor{Kind: audit.ActorToken, ID: 2, Name: "100% script", Address: "198.51.100.7", Request: "REQ"}
	start := w.Clock.Now()
	record(t, w, ada, audit.Event{Action: audit.SignedIn})
	record(t, w, ada, audit.Event{Action: audit.StorePaused, Store: "acme"})
	w.Clock.Add(24 * time.Hour)
	record(t, w, script, audit.Event{Action: audit.ExportDownloaded, Store: "birch", Subject: "history.csv"})
	record(t, w, audit.Actor{Kind: audit.ActorCommand}, audit.Event{Action: audit.SignInLink})
	all := []string{"sign-in.link-made", "export.downloaded birch history.csv", "store.paused acme", "sign-in.succeeded"}
	for name, c := range map[string]struct {
		filter audit.Filter
		want   []string
	}{
		"everything":        {audit.Filter{}, all},
		"a part of a name":  {audit.Filter{Who: " ADA@"}, all[2:]},
		"a kind of actor":   {audit.Filter{Who: "Token"}, all[1:2]},
		"no pattern":        {audit.Filter{Who: "100%"}, all[1:2]},
		"no pattern either": {audit.Filter{Who: "_da"}, nil},
		"one action":        {audit.Filter{About: "sign-in.link-made"}, all[:1]},
		"several actions":   {audit.Filter{About: "sign-in"}, []string{all[0], all[3]}},
		"half a word":       {audit.Filter{About: "sign"}, nil},
		"a store":           {audit.Filter{Store: "acme"}, all[2:3]},
		"until":             {audit.Filter{Until: start.Add(24 * time.Hour)}, all[2:]},
		"since":             {audit.Filter{Since: start.Add(24 * time.Hour)}, all[:2]},
		"text":              {audit.Filter{Text: "HISTORY"}, all[1:2]},
		"an address":        {audit.Filter{Text: "198.51.100"}, all[1:2]},
		"a request":         {audit.Filter{Text: "REQ"}, all[1:2]},
		"two at once":       {audit.Filter{Who: "ada", Store: "acme"}, all[2:3]},
	} {
		if got := w.Recorded(t, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	var paged []audit.Action
	after := audit.Record{}
	for {
		page, err := w.Audit.Records(t.Context(), audit.Filter{After: after}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		after = page[0]
		paged = append(paged, after.Action)
		// Records added in the meantime don't shift the pages.
		record(t, w, ada, audit.Event{Action: audit.ReplyOpened})
	}
	if !slices.Equal(paged, []audit.Action{audit.SignInLink, audit.ExportDownloaded, audit.StorePaused, audit.SignedIn}) {
		t.Errorf("paged %v", paged)
	}
}

// Each constant is in the table exactly once.
func TestActionsAreNamedOnce(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z-]+\.[a-z-]+$`)
	seen := map[audit.Action]bool{}
	for _, g := range audit.ActionGroups() {
		for _, a := range g.Actions {
			if seen[a] || !form.MatchString(string(a)) {
				t.Errorf("%q", a)
			}
			seen[a] = true
		}
	}
}
