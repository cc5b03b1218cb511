package libfewer

// ABI is the interface that the package is written for.
const ABI = 1

const (
	Unknown   = 0
	File      = 1
	Directory = 2
	Symlink   = 3
	Fifo      = 4
	Socket    = 5
	Block     = 6
	Char      = 7
)

const (
	FieldKind        = 1 << 0
	FieldPermissions = 1 << 1
	FieldOwner       = 1 << 2
	FieldSize        = 1 << 3
	FieldLinks       = 1 << 4
	FieldInode       = 1 << 5
	FieldAllocated   = 1 << 6
	FieldAccessed    = 1 << 7
	FieldModified    = 1 << 8
	FieldChanged     = 1 << 9
	FieldCreated     = 1 << 10
	FieldAll         = (1 << 11) - 1
)

const (
	WalkSorted        = 1 << 0
	WalkFollow        = 1 << 1
	WalkOneFileSystem = 1 << 2
	WalkGitignore     = 1 << 3
	WalkSkipHidden    = 1 << 4
	WalkMaxDepth      = 1 << 5
	WalkIgnoreCase    = 1 << 6
	WalkFullPath      = 1 << 7
	WalkByDirectory   = 1 << 8
	WalkTargets       = 1 << 9
)

const (
	RecordNames = 1
	RecordStat  = 2
)

const (
	ChangeRemoved = 0
	ChangeRenamed = 1
	ChangeAdded   = 2
	ChangeChanged = 3
)

const (
	SizeFiles      = 1 << 0
	SizeCountLinks = 1 << 1
)

const (
	ListSkipHidden       = 1 << 0
	ListDots             = 1 << 1
	ListFollow           = 1 << 2
	ListLinks            = 1 << 3
	ListKinds            = 1 << 4
	ListReverse          = 1 << 5
	ListDirectoriesFirst = 1 << 6
)

const (
	ByName      = 0
	ByNothing   = 1
	ByVersion   = 2
	ByExtension = 3
	BySize      = 4
	ByModified  = 5
	ByAccessed  = 6
	ByChanged   = 7
	ByCreated   = 8
)

const (
	LinesNUL  = 1 << 0
	LinesCRLF = 1 << 1
)

const (
	CheckNothing = 1
	CheckStrict  = 3
)

const (
	LineEnded = 4
	LineCRLF  = 8
)
