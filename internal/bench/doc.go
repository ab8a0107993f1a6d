// Package bench measures what pages and pulls cost beside the least that the same
// work could cost, in one run, so that the figures hold on any machine: only
// ratios are judged. Its tests bear the build tag bench; `make bench` runs them.
//
// The measured server and the services are processes of their own, so that what
// the measuring itself costs is not counted. Nothing imports this package.
package bench
