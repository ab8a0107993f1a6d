// Package bench measures what pages and pulls cost compared with the least that the same work
// could cost, in one run, so that the figures hold on any machine: only ratios are judged. Its
// tests have the build tag bench; `make bench` runs them.
//
// The measured server and the services are separate processes, so that the measuring itself
// isn't counted. Nothing imports this package.
package bench
