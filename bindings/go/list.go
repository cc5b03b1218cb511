package fewer

import (
	"io/fs"
	"syscall"
	"unsafe"

	"fewer.dev/go/internal/libfewer"
)

// An Order is that of the rows of a list.
type Order uint32

const (
	ByName      Order = libfewer.ByName    // in byte order
	ByNothing   Order = libfewer.ByNothing // as the directory has them
	ByVersion   Order = libfewer.ByVersion // by name, numbers in it by their value
	ByExtension Order = libfewer.ByExtension
	BySize      Order = libfewer.BySize     // the largest first
	ByModified  Order = libfewer.ByModified // the latest first
	ByAccessed  Order = libfewer.ByAccessed
	ByChanged   Order = libfewer.ByChanged
	ByCreated   Order = libfewer.ByCreated
)

// ListOptions say what a list has; nil, or the zero value: all names, in byte order, and no fields.
type ListOptions struct {
	// Fields are asked for of each entry; 0: none.
	Fields Fields
	Order  Order
	// SkipHidden leaves out names that begin with a dot.
	SkipHidden bool
	// Dots lists `.` and `..` too, unless these are left out.
	Dots bool
	// Follow: a link is answered for what it points to.
	Follow bool
	// Links asks links where they point: one readlinkat for each.
	Links bool
	// Kinds asks what an entry is, where the directory does not say.
	Kinds            bool
	Reverse          bool
	DirectoriesFirst bool
	// Threads: at most so many work; 0: as many as there are processors to use.
	Threads int
	// Owners are asked for the names of users and groups; nil: nothing is.
	Owners *Owners
	// Scope is where a relative path starts; nil: the working directory of the process.
	Scope *Scope
}

func (o *ListOptions) flags() uint32 {
	return flags(
		option{o.SkipHidden, libfewer.ListSkipHidden},
		option{o.Dots, libfewer.ListDots},
		option{o.Follow, libfewer.ListFollow},
		option{o.Links, libfewer.ListLinks},
		option{o.Kinds, libfewer.ListKinds},
		option{o.Reverse, libfewer.ListReverse},
		option{o.DirectoriesFirst, libfewer.ListDirectoriesFirst},
	)
}

// List reads a directory, and the requested fields of its entries. If it could not be read to its
// end, there are the rows up to there, and an error. What could not be learnt of an entry is in its
// row.
//
// Price: openat, getdents64 for 32 KiB of entries, for each further 256 KiB and for the end, close;
// per entry one statx if fields are requested. Several threads share a directory of more than 1,024
// entries.
func List(path string, options *ListOptions) ([]Row, error) {
	if options == nil {
		options = &ListOptions{}
	}
	threads, err := number32(options.Threads)
	if err != nil {
		return nil, &fs.PathError{Op: "list", Path: path, Err: err}
	}
	var rows []Row
	err = options.Scope.with(func(scope *libfewer.Scope) error {
		return options.Owners.orNone(func(owners *libfewer.Owners) error {
			inC := libfewer.ListOptions{
				Flags:   options.flags(),
				Fields:  uint32(options.Fields),
				Order:   uint32(options.Order),
				Threads: threads,
				Owners:  owners,
			}
			origin := &rowOrigin{options.Scope, path, options.Fields, options.Follow}
			var err error
			rows, err = list(scope, path, &inC, origin)
			return err
		})
	})
	return rows, err
}

func list(
	scope *libfewer.Scope, path string, options *libfewer.ListOptions, origin *rowOrigin,
) ([]Row, error) {
	var handle *libfewer.List
	var failure *libfewer.Error
	bytes, length := text(path)
	err := takeError(libfewer.ListOpen(scope, bytes, length, options, unsafe.Sizeof(*options), &handle,
		&failure), failure)
	if err != nil {
		return nil, err
	}
	defer libfewer.ListClose(handle)
	rows := make([]Row, 0, int(libfewer.ListCount(handle)))
	for {
		var batch libfewer.ListBatch
		err := takeError(libfewer.ListNext(handle, &batch, &failure), failure)
		if err != nil || batch.Bytes == nil {
			return rows, err
		}
		rows = appendRows(rows, &batch, origin)
	}
}

// appendRows copies a batch in two pieces: its bytes, and its table.
func appendRows(rows []Row, batch *libfewer.ListBatch, origin *rowOrigin) []Row {
	table := make([]rowRecord, int(batch.RowsCount))
	copy(table, lent((**rowRecord)(unsafe.Pointer(&batch.Rows)), batch.RowsCount))
	copied := &rowBatch{goString(&batch.Bytes, batch.BytesLength), origin}
	for i := range table {
		rows = append(rows, Row{copied, &table[i]})
	}
	return rows
}

// rowOrigin is what a row needs of its list, to ask for more.
type rowOrigin struct {
	scope  *Scope
	path   string
	fields Fields
	follow bool
}

type rowBatch struct {
	bytes  string
	origin *rowOrigin
}

// rowRecord is laid out as C's fewer_row.
type rowRecord struct {
	stat            Stat
	name            uint32
	nameLength      uint32
	target          uint32
	targetLength    uint32
	userName        uint32
	userNameLength  uint32
	groupName       uint32
	groupNameLength uint32
	number          int32
	targetNumber    int32
}

const (
	_ = -(unsafe.Sizeof(rowRecord{}) ^ unsafe.Sizeof(libfewer.Row{}))
	_ = -(unsafe.Offsetof(rowRecord{}.target) ^ unsafe.Offsetof(libfewer.Row{}.Target))
	_ = -(unsafe.Offsetof(rowRecord{}.groupName) ^ unsafe.Offsetof(libfewer.Row{}.GroupName))
	_ = -(unsafe.Offsetof(rowRecord{}.targetNumber) ^ unsafe.Offsetof(libfewer.Row{}.TargetNumber))
)

// A Row is an entry of a list. All but Info is free. It is an fs.DirEntry. Rows are parts of blocks
// of 1,024, which live as long as one of theirs.
type Row struct {
	batch  *rowBatch
	record *rowRecord
}

// Name is the kernel's bytes, in any encoding or none.
func (r Row) Name() string { return r.batch.bytes[r.record.name:][:r.record.nameLength] }

// Kind is what the directory says of it, or the kernel if it was asked.
func (r Row) Kind() Kind { return r.record.stat.Kind }

// Inode is the one in the directory's record, or the kernel's if it was asked.
func (r Row) Inode() uint64 { return r.record.stat.Inode }

// Stat has the requested fields, all 0 if there is an Err; inode and kind are always there.
func (r Row) Stat() *Stat { return &r.record.stat }

// Target is where a link points, with ListOptions.Links; else "".
func (r Row) Target() string { return r.batch.bytes[r.record.target:][:r.record.targetLength] }

// UserName is "" if there is none or it was not requested.
func (r Row) UserName() string {
	return r.batch.bytes[r.record.userName:][:r.record.userNameLength]
}

// GroupName is "" if there is none or it was not requested.
func (r Row) GroupName() string {
	return r.batch.bytes[r.record.groupName:][:r.record.groupNameLength]
}

// Path is that of the directory and the name.
func (r Row) Path() string {
	directory := r.batch.origin.path
	if directory != "" && directory[len(directory)-1] != '/' {
		directory += "/"
	}
	return directory + r.Name()
}

// Err is why the fields or the target could not be read, an *fs.PathError; or nil.
func (r Row) Err() error {
	if number := r.record.number; number != 0 {
		return &fs.PathError{Op: "access", Path: r.Path(), Err: syscall.Errno(number)}
	}
	if number := r.record.targetNumber; number != 0 {
		return &fs.PathError{Op: "read symbolic link", Path: r.Path(), Err: syscall.Errno(number)}
	}
	return nil
}

// IsDir says whether it is a directory.
func (r Row) IsDir() bool { return r.Kind().IsDir() }

// Type has the type bits of io/fs.
func (r Row) Type() fs.FileMode { return r.Kind().FileMode() }

// String is "d name/" for a directory, else "- name", as fs.FormatDirEntry has it.
func (r Row) String() string { return fs.FormatDirEntry(r) }

// infoFields are those that an fs.FileInfo has.
const infoFields = FieldKind | FieldPermissions | FieldSize | FieldModified

// Info has what is in the row. Price: none, if kind, permissions, size and modified were requested;
// else one statx.
func (r Row) Info() (fs.FileInfo, error) {
	origin := r.batch.origin
	if origin.fields&infoFields == infoFields {
		if err := r.Err(); r.record.number != 0 {
			return nil, err
		}
		return &fileInfo{r.Name(), *r.Stat()}, nil
	}
	stat, err := origin.scope.stat(r.Path(), FieldAll, origin.follow)
	if err != nil {
		return nil, err
	}
	return &fileInfo{r.Name(), stat}, nil
}
