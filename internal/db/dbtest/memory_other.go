//go:build unix && !linux

package dbtest

func roomyMemory() string { return "" }
