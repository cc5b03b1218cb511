package main

import (
	"errors"
	"io/fs"
	"slices"
)

// missing is 1 if the error says that a root itself could not be looked at.
func missing(err error, roots []string) int {
	var failed *fs.PathError
	if errors.As(err, &failed) && failed.Op == "access" && slices.Contains(roots, failed.Path) {
		return 1
	}
	return 0
}

// isPathError says whether the error is about an entry, rather than about an argument.
func isPathError(err error) bool {
	var failed *fs.PathError
	return errors.As(err, &failed) && failed.Path != ""
}

// statusOf is the exit status of what joined its errors.
func statusOf(err error, roots []string) int {
	errs := each(err)
	count := 0
	for _, err := range errs {
		count += missing(err, roots)
	}
	switch {
	case len(errs) == 0:
		return well
	case count >= len(roots):
		return failedWholly
	}
	return partly
}
