package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/storeglass/storeglass/internal/apis/gift"
	"github.com/storeglass/storeglass/internal/apis/sandbox"
)

// neverSaved is what is shown of a type without settings.
const neverSaved = "No settings are saved for this type: the app's own are in use."

func (s *giftShop) widget(t *testing.T, args ...string) outcome {
	t.Helper()
	return run(t, s.env, append(append([]string{"gift", "widgets"}, args...), "--store", "acme")...)
}

// widgetFile is a file with settings of a widget.
func widgetFile(t *testing.T, body string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "widget.json")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestWidgetsAreListedAndShown_N54(t *testing.T) {
	t.Parallel()
	for name, c := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openGiftShop(t, c)
			if o := s.widget(t, "list"); o.code != exitOK || !strings.HasPrefix(o.stdout, "TYPE ") || !strings.Contains(o.stdout, "\ngift_popup ") {
				t.Errorf("%+v", o)
			}
			if o := s.widget(t, "show", "gift_popup"); o.code != exitOK || !strings.Contains(o.stdout, "position: ") {
				t.Errorf("%+v", o)
			}
			if o := s.widget(t, "show", "progress_bar"); o.code != exitOK || o.stdout != neverSaved+"\n" {
				t.Errorf("never set up: %+v", o)
			}
			if o := s.widget(t, "show", "popup"); o.code != exitFailed || o.stderr != "dashboard: acme has no widget type \"popup\": `dashboard gift widgets list --store acme` lists them\n" {
				t.Errorf("unknown: %+v", o)
			}
		})
	}
}

func TestAWidgetIsChangedAfterItsSettingsWereShownAndAYes(t *testing.T) {
	t.Parallel()
	for name, c := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openGiftShop(t, c)
			file := widgetFile(t, `{"title":"A gift","devices":"mobile"}`)
			o := s.askedOf(t, "widgets", "no", nil, "edit", "--store", "acme", "--file", file, "gift_popup")
			if o.code != exitFailed || !strings.Contains(o.stdout, "\n\ntitle: \"A gift\" (now \"") || s.wrote() != 0 {
				t.Errorf("after a no: %d writes, %+v", s.wrote(), o)
			}
			o = s.askedOf(t, "widgets", "yes", nil, "edit", "--store", "acme", "--file", file, "gift_popup")
			if o.code != exitOK || o.stderr != "This changes the widget gift_popup at acme.\nType yes to go on: " ||
				!strings.Contains(o.stdout, "\nThe widget is changed.\n") || s.wrote() != 1 {
				t.Errorf("%d writes, %+v", s.wrote(), o)
			}
			if o := s.widget(t, "show", "gift_popup"); !strings.Contains(o.stdout, "title: A gift\n") || !strings.Contains(o.stdout, "devices: mobile\n") {
				t.Errorf("%+v", o)
			}
			if log := good(t, s.env, "audit", "list"); strings.Count(log, "changes the widget gift_popup at acme") != 1 || !strings.Contains(log, "Gift widget change sent") {
				t.Errorf("the log is\n%s", log)
			}
			if o := s.askedOf(t, "widgets", "yes", nil, "edit", "--store", "acme", "--file", file, "progress_bar"); o.code != exitOK ||
				!strings.HasPrefix(o.stdout, neverSaved+"\n\ntitle: \"A gift\" (not set until now)\n") {
				t.Errorf("never set up: %+v", o)
			}
		})
	}
}

func TestAWidgetThatChangedSinceItWasShownIsLeftAlone(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	transport, base, key := s.access(t)
	w := gift.NewWriter(transport, base, key, freeGate{})
	o := s.askedOf(t, "widgets", "yes", func() {
		if _, err := w.EditWidget(t.Context(), "gift_popup", `{"title":"Another's"}`); err != nil {
			t.Error(err)
		}
	}, "edit", "--store", "acme", "--file", widgetFile(t, `{"title":"Mine"}`), "gift_popup")
	if o.code != exitFailed || !strings.HasSuffix(o.stderr, "dashboard: the settings changed since they were shown: nothing was changed; run the command again\n") || s.wrote() != 1 {
		t.Errorf("%d writes, %+v", s.wrote(), o)
	}
}

func TestAWidgetThatCantBeChangedIsNotSent(t *testing.T) {
	t.Parallel()
	s := openGiftShop(t, sandbox.Config{})
	file := widgetFile(t, `{"title":"x"}`)
	refused(t, exitUsage, s.env, "dashboard: This changes the widget gift_popup at acme: confirm with --yes, or run this in a terminal. Nothing was changed\n",
		"gift", "widgets", "edit", "--store", "acme", "--file", file, "gift_popup")
	s.box.Break(sandbox.Gift, s.store.Slug, sandbox.Fault{Path: "/widgets", Times: 1, Body: `{"success":true,"error":null,"data":{"total":1,"types":[{"type":"countdown","isPremium":true,"isLocked":true}]}}`})
	o := run(t, s.with(s.store.GiftWriteKey), "gift", "widgets", "edit", "--store", "acme", "--yes", "--file", file, "countdown")
	if o.code != exitFailed || !strings.HasPrefix(o.stderr, "dashboard: the plan of acme does not include the widget countdown: ") {
		t.Errorf("%+v", o)
	}
	if o := run(t, s.with(s.store.GiftWriteKey), "gift", "widgets", "edit", "--store", "acme", "--yes", "--file", file, "popup"); !strings.Contains(o.stderr, "has no widget type") {
		t.Errorf("%+v", o)
	}
	if n := s.wrote(); n != 0 {
		t.Errorf("%d writes were sent", n)
	}
	if o := run(t, s.env, "gift", "widgets", "edit", "--store", "acme", "--yes", "--file", file, "gift_popup"); !strings.HasPrefix(o.stderr, "dashboard: the gift key may not do this (403 INSUFFICIENT_SCOPE") {
		t.Errorf("%+v", o)
	}
}
