package app

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/pdf"
	pulls "github.com/storeglass/storeglass/internal/sync"
	"github.com/storeglass/storeglass/internal/weekly"
)

// Editor writes the weekly mails.
func (a *App) Editor() *weekly.Editor {
	return &weekly.Editor{DB: a.DB, Asker: pulls.Queue{DB: a.DB, Jobs: a.DB}, Base: a.Base(), Printer: a.Printer(), Log: a.Log}
}

// Printer prints weekly mails, one at a time in the whole process; nil where no Chromium
// is installed.
func (a *App) Printer() *pdf.Printer {
	if a.pdf == nil {
		a.pdf, _ = pdf.Find(string(a.Settings.Chromium)) // the doctor tells why there is none
	}
	return a.pdf
}

// WeeklySender takes the weekly mails to their readers; nil where no mail server is set.
func (a *App) WeeklySender() (*weekly.Sender, error) {
	courier, err := a.mailCourier()
	if courier == nil || err != nil {
		return nil, err
	}
	_, host, _ := strings.Cut(courier.From.Address, "@")
	return &weekly.Sender{DB: a.DB, Composer: a.Editor(), Courier: courier, Base: a.Base(), Host: host, Now: time.Now, Log: a.Log}, nil
}

// Subscriptions is one without pages: for the command line, which asks for no session.
func (a *App) Subscriptions() (*weekly.SubscriptionService, error) {
	sender, err := a.Settings.Sender()
	if err != nil {
		return nil, err
	}
	return &weekly.SubscriptionService{DB: a.DB, Audit: a.Audit, Pages: a.Pages, Composer: a.Editor(), Printer: a.Printer(), Sender: sender, Base: a.Base(), WeekBegins: a.Settings.WeekBegins.Kept(), Log: a.Log}, nil
}
