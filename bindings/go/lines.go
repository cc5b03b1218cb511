package fewer

import (
	"context"
	"io/fs"
	"iter"
	"math"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
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

func (o *LinesOptions) inC(path string) (libfewer.LinesOptions, error) {
	threads, err := number32(o.Threads)
	block, blockErr := number32(o.BlockBytes)
	if err != nil || blockErr != nil {
		return libfewer.LinesOptions{}, &fs.PathError{Op: "open", Path: path, Err: syscall.EINVAL}
	}
	options := libfewer.LinesOptions{
		Flags: flags(option{o.NUL, libfewer.LinesNUL}, option{o.CRLF, libfewer.LinesCRLF}),
		Check: libfewer.CheckNothing, Threads: threads, BlockBytes: block,
	}
	if o.UTF8 {
		options.Check = libfewer.CheckStrict
	}
	return options, nil
}

// A Text is a file that is read by lines, each once. It belongs to one goroutine at a time.
type Text struct {
	handle   *libfewer.Lines
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
	var handle *libfewer.Lines
	err = options.Scope.call(path, func(scope *libfewer.Scope, bytes *byte, length uintptr,
		failure **libfewer.Error) int32 {
		return libfewer.LinesOpen(scope, bytes, length, &inC, unsafe.Sizeof(libfewer.LinesOptions{}),
			&handle, failure)
	})
	if err != nil {
		return nil, err
	}
	return textOf(handle, nil, options), nil
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
	var handle *libfewer.Lines
	var failure *libfewer.Error
	bytes, length := text(name)
	err = takeError(libfewer.LinesBorrow(int32(descriptor), bytes, length, &inC,
		unsafe.Sizeof(libfewer.LinesOptions{}), &handle, &failure), failure)
	if err != nil {
		return nil, err
	}
	return textOf(handle, file, options), nil
}

// textOf has a handle, which is closed if the text is dropped.
func textOf(handle *libfewer.Lines, file *os.File, options *LinesOptions) *Text {
	text := &Text{handle: handle, keepEnds: options.KeepEnds, file: file}
	text.cleanup = runtime.AddCleanup(text, libfewer.LinesClose, handle)
	return text
}

// Close ends the reading; the second time it does nothing. A borrowed file stays open.
//
// Price: one close, unless the file was borrowed.
func (t *Text) Close() error {
	if t.handle != nil {
		t.cleanup.Stop()
		libfewer.LinesClose(t.handle)
		t.handle = nil
	}
	return nil
}

// A lineBatch is the lines of a block. What inC leads to is C's, until the next call or Close; the
// table is Go's, since a loop over lines may do either.
type lineBatch struct {
	inC  *libfewer.LinesBatch
	ends []uint64
	// FEWER_LINE_... of each line.
	flags []uint8
}

func newLineBatch() *lineBatch { return &lineBatch{inC: &libfewer.LinesBatch{}} }

// next fetches the next block; false at the end.
func (t *Text) next(ctx context.Context, batch *lineBatch) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if t.handle == nil {
		return false, fs.ErrClosed
	}
	var failure *libfewer.Error
	err := takeError(libfewer.LinesNext(t.handle, batch.inC, &failure), failure)
	runtime.KeepAlive(t)
	if err != nil || batch.inC.Bytes == nil {
		return false, err
	}
	batch.ends = append(batch.ends[:0], lent(&batch.inC.Ends, batch.inC.LinesCount)...)
	batch.flags = append(batch.flags[:0], lent(&batch.inC.Flags, batch.inC.LinesCount)...)
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
	if b.flags[i]&libfewer.LineEnded != 0 {
		stop--
	}
	if b.flags[i]&libfewer.LineCRLF != 0 {
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
		batch := newLineBatch()
		for {
			more, err := t.next(ctx, batch)
			if err != nil {
				yield("", err)
				return
			}
			if !more {
				return
			}
			block := goString(&batch.inC.Bytes, batch.inC.BytesLength)
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
		batch := newLineBatch()
		var block []byte
		for {
			more, err := t.next(ctx, batch)
			if err != nil {
				yield(nil, err)
				return
			}
			if !more {
				return
			}
			// C's own memory would be gone after the loop, whatever is done with the lines then.
			block = append(block[:0], lent(&batch.inC.Bytes, batch.inC.BytesLength)...)
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
	var total libfewer.LinesTotal
	var failure *libfewer.Error
	err := takeError(libfewer.LinesCount(t.handle, &total, &failure), failure)
	runtime.KeepAlive(t)
	return LineCount(total), err
}

// SkipToLast skips all but the last lines that are left, so many.
//
// Price: a file is read from its end, one pread64 for each 256 KiB; anything else to its end.
func (t *Text) SkipToLast(count uint64) error {
	if t.handle == nil {
		return fs.ErrClosed
	}
	var failure *libfewer.Error
	err := takeError(libfewer.LinesLast(t.handle, uint64(count), &failure), failure)
	runtime.KeepAlive(t)
	return err
}
