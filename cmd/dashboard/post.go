package main

import (
	"strings"
	"time"

	"github.com/storeglass/storeglass/internal/pdf"
	"github.com/storeglass/storeglass/internal/snapshot"
)

// editor writes the weekly mails.
func (h *house) editor() *snapshot.Editor {
	return &snapshot.Editor{DB: h.db, Base: h.base(), Printer: h.printer(), Log: h.log}
}

// printer prints weekly mails, one at a time in the whole process; nil where no Chromium
// is installed.
func (h *house) printer() *pdf.Printer {
	if h.pdf == nil {
		h.pdf, _ = pdf.Find(string(h.settings.Chromium)) // the doctor tells why there is none
	}
	return h.pdf
}

// post takes the weekly mails to their readers; nil where no mail server is set.
func (h *house) post() (*snapshot.Post, error) {
	courier, err := h.mailCourier()
	if courier == nil || err != nil {
		return nil, err
	}
	_, host, _ := strings.Cut(courier.From.Address, "@")
	return &snapshot.Post{DB: h.db, Composer: h.editor(), Courier: courier, Base: h.base(), Host: host, Now: time.Now, Log: h.log}, nil
}
