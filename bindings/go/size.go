package fewer

// #include <fewer.h>
import "C"

import (
	"errors"
	"io/fs"
	"syscall"
)

// Space is how much entries take.
type Space struct {
	Entries   uint64
	Size      uint64 // the sum of what each states, in bytes
	Allocated uint64 // the bytes taken on the device
}

func spaceOf(space C.fewer_space) Space {
	return Space{uint64(space.entries), uint64(space.size), uint64(space.allocated)}
}

func (s Space) plus(other Space) Space {
	return Space{s.Entries + other.Entries, s.Size + other.Size, s.Allocated + other.Allocated}
}

// SizeOptions say what has rows; nil, or the zero value: the roots.
type SizeOptions struct {
	// Depth: so many levels below a root have rows.
	Depth int
	// Files have rows, too.
	Files bool
	// CountLinks: a file counts for each of its names, and for each root.
	CountLinks bool
}

// A SizeRow is a root, a directory below it, or a file, with all that is below.
type SizeRow struct {
	Path  string
	Kind  Kind
	Depth int
	Space
}

// Size measures trees as du does: a file with several names counts once, below the first root that
// holds it, in the directory whose path comes first in byte order. Rows come root by root, below
// each in byte order of the paths. The options of the walk say what is entered and what counts;
// Targets and Since are EINVAL. What could not be looked at is in the error, joined, and the rest
// is counted.
//
// Price: one statx an entry besides the walk, and one for a root that is a directory.
func Size(root string, walk *WalkOptions, options *SizeOptions) ([]SizeRow, error) {
	if options == nil {
		options = &SizeOptions{}
	}
	if walk == nil {
		walk = &WalkOptions{}
	}
	if options.Depth < 0 {
		return nil, &fs.PathError{Op: "walk", Path: root, Err: syscall.EINVAL}
	}
	inC := C.fewer_size_options{depth: C.uint64_t(options.Depth)}
	if options.Files {
		inC.flags |= C.FEWER_SIZE_FILES
	}
	if options.CountLinks {
		inC.flags |= C.FEWER_SIZE_COUNT_LINKS
	}
	var handle *C.fewer_size
	err := walk.open(root, func(scope *C.fewer_scope, roots *C.fewer_text, count C.size_t,
		walk *C.fewer_walk_options, failure **C.fewer_error) C.int {
		return C.fewer_size_open(scope, roots, count, walk, C.sizeof_fewer_walk_options, &inC,
			C.sizeof_fewer_size_options, &handle, failure)
	})
	if err != nil {
		return nil, err
	}
	defer C.fewer_size_close(handle)
	return sizeRows(handle)
}

func sizeRows(handle *C.fewer_size) ([]SizeRow, error) {
	var rows []SizeRow
	var errs []error
	for {
		var batch C.fewer_size_batch
		var failure *C.fewer_error
		err := takeError(C.fewer_size_next(handle, &batch, &failure), failure)
		if err != nil || batch.bytes == nil {
			return rows, errors.Join(append(errs, err)...)
		}
		bytes := goString(&batch.bytes, batch.bytes_length)
		errs = append(errs, batchErrors(lent(&batch.failures, batch.failures_count), bytes)...)
		records := lent(&batch.rows, batch.rows_count)
		for i := range records {
			record := &records[i]
			rows = append(rows, SizeRow{
				Path:  bytes[record.path:][:record.path_length],
				Kind:  Kind(record.kind),
				Depth: int(record.depth),
				Space: spaceOf(record.space),
			})
		}
	}
}
