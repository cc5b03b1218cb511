package fewer

// #include <fewer.h>
import "C"

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
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
func takeError(number C.int, failure *C.fewer_error) error {
	if number == 0 {
		return nil
	}
	if failure == nil {
		return syscall.Errno(number)
	}
	defer C.fewer_error_free(failure)
	var length C.size_t
	var position C.fewer_position
	path := C.fewer_error_path(failure, &length)
	message := C.GoString(C.fewer_error_message(failure))
	op := C.GoString(C.fewer_error_action_words(failure))
	err := pathError(op, goString(&path, length), syscall.Errno(number), message)
	C.fewer_error_position(failure, &position)
	if position.line > 0 {
		err.Err = &NotUTF8Error{uint64(position.line), uint64(position.offset),
			uint64(position.column), newReason(syscall.Errno(number), err.Path, message)}
	}
	return err
}

// batchError makes an error of a failure in a batch, whose bytes these are. The failure has the
// action as a number; its words are those between "cannot " and the path in the message.
func batchError(failure *C.fewer_failure, bytes string) error {
	path := bytes[failure.path:][:failure.path_length]
	message := bytes[failure.message:][:failure.message_length]
	op, _, _ := strings.Cut(strings.TrimPrefix(message, "cannot "), " '")
	return pathError(op, path, syscall.Errno(failure.number), message)
}

// batchErrors makes errors of all failures of a batch.
func batchErrors(failures []C.fewer_failure, bytes string) []error {
	var errs []error
	for i := range failures {
		errs = append(errs, batchError(&failures[i], bytes))
	}
	return errs
}
