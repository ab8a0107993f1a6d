package main

type snapshotCommand struct {
	Preview snapshotPreview `cmd:"" help:"Write the mail of a week into files, without sending it."`
}
