package fewer

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

	"fewer.dev/go/internal/libfewer"
)

// A reason is the errno of an error whose message ends otherwise than with the words of the C
// library, such as that of a file that is no snapshot.
type reason struct {
	errno   syscall.Errno
	message string
	// What follows the path in the message; all of it if there is no path.
	words string
}

func newReason(errno syscall.Errno, path, message string) reason {
	_, words, found := strings.Cut(message, "'"+escaped(path)+"': ")
	if !found || path == "" {
		words = message
	}
	return reason{errno, message, words}
}

func (r *reason) Error() string { return r.words }

func (r *reason) Unwrap() error { return r.errno }

// A NotUTF8Error says where a text is not UTF-8, with LinesOptions.UTF8. It is the Err of an
// *fs.PathError, and it is syscall.EILSEQ for errors.Is.
type NotUTF8Error struct {
	Line   uint64 // from 1
	Offset uint64 // bytes of the input before the first bad one
	Column uint64 // bytes of the line before it
	reason reason
}

func (e *NotUTF8Error) Error() string { return e.reason.Error() }

// Unwrap returns syscall.EILSEQ.
func (e *NotUTF8Error) Unwrap() error { return e.reason.errno }

// Message is the sentence that the library and the command `fewer` have for an error: "cannot open
// directory 'x': Permission denied". Control characters and what is not UTF-8 are escaped. For an
// error of another package it is what the error says. Price: none.
func Message(err error) string {
	var failed *fs.PathError
	if !errors.As(err, &failed) {
		return err.Error()
	}
	switch cause := failed.Err.(type) {
	case *reason:
		return cause.message
	case *NotUTF8Error:
		return cause.reason.message
	case syscall.Errno:
		return "cannot " + failed.Op + " '" + escaped(failed.Path) + "': " + errnoWords(cause)
	}
	return err.Error()
}

// errnoWords are the C library's, "Permission denied", which Go begins with a small letter.
func errnoWords(errno syscall.Errno) string {
	words := errno.Error()
	return strings.ToUpper(words[:1]) + words[1:]
}

// pathError is the error for a path; the message decides whether the errno alone says it all.
func pathError(op, path string, errno syscall.Errno, message string) *fs.PathError {
	err := &fs.PathError{Op: op, Path: path, Err: errno}
	if message != "" && !strings.HasSuffix(message, "': "+errnoWords(errno)) {
		why := newReason(errno, path, message)
		err.Err = &why
	}
	return err
}

// takeError makes an error of C's object, and frees that.
func takeError(number int32, failure *libfewer.Error) error {
	if number == 0 {
		return nil
	}
	if failure == nil {
		return syscall.Errno(number)
	}
	defer libfewer.ErrorFree(failure)
	var length uintptr
	var position libfewer.Position
	path := libfewer.ErrorPath(failure, &length)
	message := libfewer.String(libfewer.ErrorMessage(failure))
	op := libfewer.String(libfewer.ErrorActionWords(failure))
	err := pathError(op, goString(&path, length), syscall.Errno(number), message)
	libfewer.ErrorPosition(failure, &position)
	if position.Line > 0 {
		err.Err = &NotUTF8Error{position.Line, position.Offset, position.Column,
			newReason(syscall.Errno(number), err.Path, message)}
	}
	return err
}

// batchError makes an error of a failure in a batch, whose bytes these are. The failure has the
// action as a number; its words are those between "cannot " and the path in the message.
func batchError(failure *libfewer.Failure, bytes string) error {
	path := bytes[failure.Path:][:failure.PathLength]
	message := bytes[failure.Message:][:failure.MessageLength]
	op, _, _ := strings.Cut(strings.TrimPrefix(message, "cannot "), " '")
	return pathError(op, path, syscall.Errno(failure.Number), message)
}

// batchErrors makes errors of all failures of a batch.
func batchErrors(failures []libfewer.Failure, bytes string) []error {
	var errs []error
	for i := range failures {
		errs = append(errs, batchError(&failures[i], bytes))
	}
	return errs
}
