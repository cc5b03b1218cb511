// Does with the package what the command `fewer` does, so that the cases of all languages can be
// run through it:
//
//	conformance VERB ARGUMENT...
//	conformance scope STEP...
//
// The verbs are walk, size, lines and ls. What cannot be said in Go ends with 125 and a reason on
// standard error.
//
//	output.go   standard output in blocks; messages; ends
//	options.go  flags and their values
//	json.go     names as JSON has them
//	walk.go  summary.go  size.go  lines.go  ls.go  scope.go
package main

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
)

var background = context.Background()

// Exit statuses.
const (
	well           = 0
	partly         = 1
	failedWholly   = 2
	notExpressible = 125
)

func main() {
	// strace counts the calls of each thread by itself, to know into which one a fault belongs; and
	// a goroutine may go on in another thread after any call.
	runtime.LockOSThread()
	verbs := map[string]func([]string) int{
		"walk": walk, "size": size, "lines": lines, "ls": ls, "scope": scope,
	}
	words := os.Args[1:]
	if slices.Equal(words, []string{"empty"}) {
		return
	}
	if len(words) == 0 || verbs[words[0]] == nil {
		refuse("no verb %s in Go", strings.Join(words[:min(len(words), 1)], ""))
	}
	status := verbs[words[0]](words[1:])
	flush()
	os.Exit(status)
}
