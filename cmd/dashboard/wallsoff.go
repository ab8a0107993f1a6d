//go:build wallsoff

package main

// A program without its checks is for one test and never runs.
func init() { panic("built without the checks that keep stores apart") }
