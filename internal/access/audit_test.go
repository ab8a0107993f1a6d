package access_test

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
	"github.com/storeglass/storeglass/internal/db/sqlc"
	"github.com/storeglass/storeglass/internal/locale"
)

func (w world) record(t *testing.T, a access.Actor, e access.Event) {
	t.Helper()
	if err := w.Record(access.Acting(t.Context(), a), e); err != nil {
		t.Fatal(err)
	}
}

func TestARecordTellsWhoDidWhatFromWhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ada := access.Actor{Kind: access.ActorPerson, ID: 7, Name: "ada@example.com", Address: "192.0.2.1", Request: "R1"}
	w.record(t, ada, access.Event{Action: access.StorePaused, Store: "acme"})
	nobody := access.Actor{Kind: access.ActorNobody, Address: "192.0.2.2", Request: "R2"}
	w.record(t, nobody, access.Event{Action: access.SignedIn, Actor: access.Person{ID: 8, Email: "bo@example.com"}.Actor(), Subject: "by link"})
	if err := w.Record(t.Context(), access.Event{Action: access.StorePurged, Store: "birch"}); err != nil {
		t.Fatal(err)
	}
	got, err := w.Audit(t.Context(), access.AuditFilter{}, 10)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d records, %v", len(got), err)
	}
	for i := range got {
		if !got[i].At.Equal(w.Clock.Now()) {
			t.Errorf("recorded at %v", got[i].At)
		}
		got[i].At, got[i].ID, got[i].Details = time.Time{}, 0, nil
	}
	want := []access.Record{
		{Actor: access.Actor{Kind: access.ActorCommand}, Action: access.StorePurged, Store: "birch"},
		{Actor: access.Actor{Kind: access.ActorPerson, ID: 8, Name: "bo@example.com", Address: "192.0.2.2", Request: "R2"}, Action: access.SignedIn, Subject: "by link"},
		{Actor: ada, Action: access.StorePaused, Store: "acme"},
	}
	if !slices.EqualFunc(got, want, func(a, b access.Record) bool { return reflect.DeepEqual(a, b) }) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestWhatWasRolledBackIsNotRecorded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	fault := errors.New("fault")
	err := w.DB.InTx(t.Context(), func(q *sqlc.Queries) error {
		if err := w.RecordIn(t.Context(), q, access.Event{Action: access.StorePaused, Store: "acme"}); err != nil {
			return err
		}
		return fault
	})
	accesstest.Wants(t, err, fault)
	if got := w.Recorded(t, access.AuditFilter{}); len(got) != 0 {
		t.Error(got)
	}
}

func TestAnActionThatIsNotInTheTableIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, action := range []access.Action{"", "store.exploded", "store"} {
		if err := w.Record(t.Context(), access.Event{Action: action}); err == nil {
			t.Errorf("%q was recorded", action)
		}
	}
}

func TestEveryActionHasWordsAndAGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seen, words := 0, map[string]bool{}
	for _, g := range access.ActionGroups() {
		if g.Words(locale.English) == "audit.group."+g.About || len(g.Actions) == 0 {
			t.Errorf("group %+v", g)
		}
		for _, a := range g.Actions {
			seen++
			if words[a.Words(locale.English)] || a.Words(locale.English) == "audit.action."+string(a) {
				t.Errorf("%s has the words %q", a, a.Words(locale.English))
			}
			words[a.Words(locale.English)] = true
			w.record(t, access.Actor{Kind: access.ActorCommand}, access.Event{Action: a}) // the schema accepts its format
		}
	}
	if got := len(w.Recorded(t, access.AuditFilter{})) + len(w.Counts(t, access.AuditFilter{})); got != seen || seen < 40 {
		t.Errorf("%d actions in groups, %d recorded or counted", seen, got)
	}
}

// Texts from strangers stay readable: on one line, without characters that reverse the
// text or can't be stored, and of limited length.
func TestARecordTakesAnyText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	hostile := "a\x00b\nc\x1b[31m\u202e\u2066d\xff" + strings.Repeat("é", 400)
	w.record(t, access.Actor{Kind: access.ActorToken, Name: hostile, Address: hostile}, access.Event{Action: access.StoreTagged, Subject: hostile})
	got, err := w.Audit(t.Context(), access.AuditFilter{}, 1)
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
	w := newWorld(t)
	ada := access.Actor{Kind: access.ActorPerson, ID: 1, Name: "Ada@example.com", Address: "192.0.2.1"}
	script := access.Actor{Kind: access.ActorToken, ID: 2, Name: "100% script", Address: "198.51.100.7", Request: "REQ"}
	start := w.Clock.Now()
	w.record(t, ada, access.Event{Action: access.SignedIn})
	w.record(t, ada, access.Event{Action: access.StorePaused, Store: "acme"})
	w.Clock.Add(24 * time.Hour)
	w.record(t, script, access.Event{Action: access.ExportDownloaded, Store: "birch", Subject: "history.csv"})
	w.record(t, access.Actor{Kind: access.ActorCommand}, access.Event{Action: access.SignInLink})
	all := []string{"sign-in.link-made", "export.downloaded birch history.csv", "store.paused acme", "sign-in.succeeded"}
	for name, c := range map[string]struct {
		filter access.AuditFilter
		want   []string
	}{
		"everything":        {access.AuditFilter{}, all},
		"a part of a name":  {access.AuditFilter{Who: " ADA@"}, all[2:]},
		"a kind of actor":   {access.AuditFilter{Who: "Token"}, all[1:2]},
		"no pattern":        {access.AuditFilter{Who: "100%"}, all[1:2]},
		"no pattern either": {access.AuditFilter{Who: "_da"}, nil},
		"one action":        {access.AuditFilter{About: "sign-in.link-made"}, all[:1]},
		"several actions":   {access.AuditFilter{About: "sign-in"}, []string{all[0], all[3]}},
		"half a word":       {access.AuditFilter{About: "sign"}, nil},
		"a store":           {access.AuditFilter{Store: "acme"}, all[2:3]},
		"until":             {access.AuditFilter{Until: start.Add(24 * time.Hour)}, all[2:]},
		"since":             {access.AuditFilter{Since: start.Add(24 * time.Hour)}, all[:2]},
		"text":              {access.AuditFilter{Text: "HISTORY"}, all[1:2]},
		"an address":        {access.AuditFilter{Text: "198.51.100"}, all[1:2]},
		"a request":         {access.AuditFilter{Text: "REQ"}, all[1:2]},
		"two at once":       {access.AuditFilter{Who: "ada", Store: "acme"}, all[2:3]},
	} {
		if got := w.Recorded(t, c.filter); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	var paged []access.Action
	after := access.Record{}
	for {
		page, err := w.Audit(t.Context(), access.AuditFilter{After: after}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		after = page[0]
		paged = append(paged, after.Action)
		// Records added in the meantime don't shift the pages.
		w.record(t, ada, access.Event{Action: access.ReplyOpened})
	}
	if !slices.Equal(paged, []access.Action{access.SignInLink, access.ExportDownloaded, access.StorePaused, access.SignedIn}) {
		t.Errorf("paged %v", paged)
	}
}

// Each constant is in the table exactly once.
func TestActionsAreNamedOnce(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z-]+\.[a-z-]+$`)
	seen := map[access.Action]bool{}
	for _, g := range access.ActionGroups() {
		for _, a := range g.Actions {
			if seen[a] || !form.MatchString(string(a)) {
				t.Errorf("%q", a)
			}
			seen[a] = true
		}
	}
}
