package weekly

import (
	"context"

	"github.com/storeglass/storeglass/internal/mail"
	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/report/weekly"
)

// Compose writes the mail of a week.
func Compose(w weekly.Week, f Frame) (Mail, error) {
	d, err := draw(w, f)
	if err != nil {
		return Mail{}, err
	}
	return d.write(f)
}

// Print prints the mails of a week.
func Print(ctx context.Context, p *pdf.Printer, w weekly.Week, f Frame) (mail.File, error) {
	d, err := draw(w, f)
	if err != nil {
		return mail.File{}, err
	}
	return d.printed(ctx, p)
}
