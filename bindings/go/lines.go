package fewer

// #cgo nocallback fewer_lines_next
// #include <fewer.h>
import "C"

import (
	"context"
	"io/fs"
	"iter"
	"math"
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// LinesOptions say what a line is; nil, or the zero value: what ends with a newline.
type LinesOptions struct {
	// NUL: a NUL ends a line rather than a newline.
	NUL bool
	// CRLF: a `\r` in front of the newline belongs to the end.
	CRLF bool
	// KeepEnds leaves the ends where they are.
	KeepEnds bool
	// UTF8: a line that is not UTF-8 is an error, whose Err is a *NotUTF8Error. Otherwise lines are
	// the bytes that were read.
	UTF8 bool
	// Threads: at most so many work; 0: as many as there are processors to use.
	Threads int
	// BlockBytes is how much is read at a time; 0: 256 KiB.
	BlockBytes int
	// Scope is where a relative path starts; nil: the working directory of the process.
	Scope *Scope
}

func (o *LinesOptions) inC(path string) (C.fewer_lines_options, error) {
	threads, err := number32(o.Threads)
	block, blockErr := number32(o.BlockBytes)
	if err != nil || blockErr != nil {
		return C.fewer_lines_options{}, &fs.PathError{Op: "open", Path: path, Err: syscall.EINVAL}
	}
	options := C.fewer_lines_options{
		check: C.FEWER_CHECK_NOTHING, threads: threads, block_bytes: block,
	}
	if o.NUL {
		options.flags |= C.FEWER_LINES_NUL
	}
	if o.CRLF {
		options.flags |= C.FEWER_LINES_CRLF
	}
	if o.UTF8 {
		options.check = C.FEWER_CHECK_STRICT
	}
	return options, nil
}

// A Text is a file that is read by lines, each once. It belongs to one goroutine at a time.
type Text struct {
	handle   *C.fewer_lines
	keepEnds bool
	// A file that was borrowed, which must not be closed meanwhile.
	file    *os.File
	cleanup runtime.Cleanup
}

// OpenText opens a file. For a FIFO it waits until a process writes to it.
//
// Price: one openat; one close later.
func OpenText(path string, options *LinesOptions) (*Text, error) {
	if options == nil {
		options = &LinesOptions{}
	}
	inC, err := options.inC(path)
	if err != nil {
		return nil, err
	}
	opened := &Text{keepEnds: options.KeepEnds}
	err = options.Scope.call(path, func(scope *C.fewer_scope, bytes *C.char, length C.size_t,
		failure **C.fewer_error) C.int {
		return C.fewer_lines_open(scope, bytes, length, &inC, C.sizeof_fewer_lines_options,
			&opened.handle, failure)
	})
	if err != nil {
		return nil, err
	}
	return opened.watched(), nil
}

// BorrowText reads from a file that is open, such as os.Stdin, which stays the caller's. Its name
// stands for it in errors. Like os.File.Fd it makes a pipe or a socket blocking.
//
// Price: none.
func BorrowText(file *os.File, options *LinesOptions) (*Text, error) {
	if options == nil {
		options = &LinesOptions{}
	}
	name := file.Name()
	inC, err := options.inC(name)
	if err != nil {
		return nil, err
	}
	descriptor := file.Fd()
	if descriptor > math.MaxInt32 {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrClosed}
	}
	opened := &Text{keepEnds: options.KeepEnds, file: file}
	var failure *C.fewer_error
	bytes, length := text(name)
	err = takeError(C.fewer_lines_borrow(C.int(descriptor), bytes, length, &inC,
		C.sizeof_fewer_lines_options, &opened.handle, &failure), failure)
	if err != nil {
		return nil, err
	}
	return opened.watched(), nil
}

// watched closes the handle if the text is dropped.
func (t *Text) watched() *Text {
	t.cleanup = runtime.AddCleanup(t, func(handle *C.fewer_lines) {
		C.fewer_lines_close(handle)
	}, t.handle)
	return t
}

// Close ends the reading; the second time it does nothing. A borrowed file stays open.
//
// Price: one close, unless the file was borrowed.
func (t *Text) Close() error {
	if t.handle != nil {
		t.cleanup.Stop()
		C.fewer_lines_close(t.handle)
		t.handle = nil
	}
	return nil
}

// A lineBatch is the lines of a block. The memory of inC is C's, until the next call or Close; the
// table is Go's, since a loop over lines may do either.
type lineBatch struct {
	inC  C.fewer_lines_batch
	ends []C.uint64_t
	// FEWER_LINE_... of each line.
	flags []C.uint8_t
}

// next fetches the next block; false at the end.
func (t *Text) next(ctx context.Context, batch *lineBatch) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if t.handle == nil {
		return false, fs.ErrClosed
	}
	var failure *C.fewer_error
	err := takeError(C.fewer_lines_next(t.handle, &batch.inC, &failure), failure)
	runtime.KeepAlive(t)
	if err != nil || batch.inC.bytes == nil {
		return false, err
	}
	batch.ends = append(batch.ends[:0], lent(&batch.inC.ends, batch.inC.lines_count)...)
	batch.flags = append(batch.flags[:0], lent(&batch.inC.flags, batch.inC.lines_count)...)
	return true, nil
}

// cut is where line i begins and stops.
func (b *lineBatch) cut(i int, keepEnds bool) (start, stop int) {
	if i > 0 {
		start = int(b.ends[i-1])
	}
	stop = int(b.ends[i])
	if keepEnds {
		return start, stop
	}
	if b.flags[i]&C.FEWER_LINE_ENDED != 0 {
		stop--
	}
	if b.flags[i]&C.FEWER_LINE_CRLF != 0 {
		stop--
	}
	return start, stop
}

// Lines goes through the lines that are left, as strings: parts of one block of some 256 KiB. A
// program that keeps a few of many clones them (strings.Clone). When the context is done it ends
// with the context's error, between two blocks.
//
// Price: one read for each 256 KiB, and one that finds the end.
func (t *Text) Lines(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		var batch lineBatch
		for {
			more, err := t.next(ctx, &batch)
			if err != nil {
				yield("", err)
				return
			}
			if !more {
				return
			}
			block := goString(&batch.inC.bytes, batch.inC.bytes_length)
			for i := range batch.ends {
				start, stop := batch.cut(i, t.keepEnds)
				if !yield(block[start:stop], nil) {
					return
				}
			}
		}
	}
}

// Bytes goes through the lines that are left without a string for each: a line is lent until the
// loop goes on, as bufio.Scanner.Bytes does.
//
// Price: as Lines.
func (t *Text) Bytes(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var batch lineBatch
		var block []byte
		for {
			more, err := t.next(ctx, &batch)
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
			// C's own memory would be gone after the loop, whatever is done with the lines then.
			block = append(block[:0], lent((**byte)(unsafe.Pointer(&batch.inC.bytes)),
				batch.inC.bytes_length)...)
			for i := range batch.ends {
				start, stop := batch.cut(i, t.keepEnds)
				if !yield(block[start:stop:stop], nil) {
					return
				}
			}
		}
	}
}

// LineCount is how much there is in a text.
type LineCount struct {
	Lines uint64 // those that end, and one more if something follows the last end
	Ends  uint64 // those that end: what wc -l counts
	Bytes uint64
}

// Count counts the lines that are left. It has the count up to there beside an error too.
//
// Price: one read for each 256 KiB, one statx if there is more than that; a file of 64 MiB or more
// is counted by several threads, one pread64 for each 512 KiB.
func (t *Text) Count() (LineCount, error) {
	if t.handle == nil {
		return LineCount{}, fs.ErrClosed
	}
	var total C.fewer_lines_total
	var failure *C.fewer_error
	err := takeError(C.fewer_lines_count(t.handle, &total, &failure), failure)
	runtime.KeepAlive(t)
	return LineCount{uint64(total.lines), uint64(total.ends), uint64(total.bytes)}, err
}

// SkipToLast skips all but the last lines that are left, so many.
//
// Price: a file is read from its end, one pread64 for each 256 KiB; anything else to its end.
func (t *Text) SkipToLast(count uint64) error {
	if t.handle == nil {
		return fs.ErrClosed
	}
	var failure *C.fewer_error
	err := takeError(C.fewer_lines_last(t.handle, C.uint64_t(count), &failure), failure)
	runtime.KeepAlive(t)
	return err
}
