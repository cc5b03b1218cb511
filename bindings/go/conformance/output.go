package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"fewer.dev/go"
)

const blockBytes = 256 << 10

var block = make([]byte, 0, blockBytes)

// writeAll goes past the os package, which waits for what is not ready.
func writeAll(descriptor int, bytes []byte) error {
	for len(bytes) > 0 {
		written, err := syscall.Write(descriptor, bytes)
		if err != nil && err != syscall.EINTR {
			return err
		}
		bytes = bytes[max(written, 0):]
	}
	return nil
}

func flush() {
	bytes := block
	block = block[:0]
	if err := writeAll(1, bytes); err != nil {
		if err == syscall.EPIPE {
			// By SIGPIPE, as any Go program; the runtime sees to it only in the os package.
			_, _ = os.Stdout.Write(bytes)
		}
		complainText("fewer", "cannot write to 'standard output': "+words(err))
		os.Exit(failedWholly)
	}
}

// words are the C library's for an errno.
func words(err error) string {
	text := err.Error()
	return strings.ToUpper(text[:1]) + text[1:]
}

func print(text string) {
	if len(text) > cap(block)-len(block) {
		flush()
	}
	block = append(block, text...)
}

func printf(format string, values ...any) {
	print(fmt.Sprintf(format, values...))
}

// complain says what an error is, in one write; a joined error is several.
func complain(program string, err error) {
	for _, err := range each(err) {
		complainText(program, fewer.Message(err))
	}
}

// each are the errors that were joined.
func each(err error) []error {
	switch joined := err.(type) {
	case nil:
		return nil
	case interface{ Unwrap() []error }:
		return joined.Unwrap()
	}
	return []error{err}
}

func complainText(program, text string) {
	// If this cannot be written, there is nowhere to report it.
	_ = writeAll(2, []byte(program+": "+text+"\n"))
}

// refuse ends the program, since the binding has no way to do what is asked.
func refuse(format string, values ...any) {
	complainText("not expressible", fmt.Sprintf(format, values...))
	os.Exit(notExpressible)
}

func wrongUsage(format string, values ...any) {
	complainText("fewer", fmt.Sprintf(format, values...))
	os.Exit(failedWholly)
}
