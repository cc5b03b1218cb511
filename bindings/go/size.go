package fewer

import (
	"errors"
	"io/fs"
	"syscall"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// Space is how much entries take.
type Space struct {
	Entries   uint64
	Size      uint64 // the sum of what each states, in bytes
	Allocated uint64 // the bytes taken on the device
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
	inC := libfewer.SizeOptions{
		Flags: flags(
			option{options.Files, libfewer.SizeFiles},
			option{options.CountLinks, libfewer.SizeCountLinks},
		),
		Depth: uint64(options.Depth),
	}
	var handle *libfewer.Size
	err := walk.open(root, func(scope *libfewer.Scope, roots *libfewer.Text, count uintptr,
		walk *libfewer.WalkOptions, failure **libfewer.Error) int32 {
		return libfewer.SizeOpen(scope, roots, count, walk, unsafe.Sizeof(libfewer.WalkOptions{}), &inC,
			unsafe.Sizeof(libfewer.SizeOptions{}), &handle, failure)
	})
	if err != nil {
		return nil, err
	}
	defer libfewer.SizeClose(handle)
	return sizeRows(handle)
}

func sizeRows(handle *libfewer.Size) ([]SizeRow, error) {
	var rows []SizeRow
	var errs []error
	for {
		var batch libfewer.SizeBatch
		var failure *libfewer.Error
		err := takeError(libfewer.SizeNext(handle, &batch, &failure), failure)
		if err != nil || batch.Bytes == nil {
			return rows, errors.Join(append(errs, err)...)
		}
		bytes := goString(&batch.Bytes, batch.BytesLength)
		errs = append(errs, batchErrors(lent(&batch.Failures, batch.FailuresCount), bytes)...)
		records := lent(&batch.Rows, batch.RowsCount)
		for i := range records {
			record := &records[i]
			rows = append(rows, SizeRow{
				Path:  bytes[record.Path:][:record.PathLength],
				Kind:  Kind(record.Kind),
				Depth: int(record.Depth),
				Space: Space(record.Space),
			})
		}
	}
}
