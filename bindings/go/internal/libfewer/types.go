package libfewer

// Handles, of which nothing is known here.
type (
	Error    struct{ _ byte }
	Scope    struct{ _ byte }
	Walk     struct{ _ byte }
	Snapshot struct{ _ byte }
	Changes  struct{ _ byte }
	Size     struct{ _ byte }
	Summary  struct{ _ byte }
	Owners   struct{ _ byte }
	List     struct{ _ byte }
	Lines    struct{ _ byte }
)

// What is read and written by both sides. A pointer beside a count of 0 may be any number: it is
// looked at only if the count is not 0, and the struct is kept on the heap.
type (
	Position struct {
		Line   uint64
		Offset uint64
		Column uint64
	}

	Time struct {
		Seconds     int64
		Nanoseconds uint32
		Known       uint32
	}

	Stat struct {
		Inode        uint64
		Size         uint64
		Allocated    uint64
		DeviceMajor  uint32
		DeviceMinor  uint32
		Accessed     Time
		Modified     Time
		Changed      Time
		Created      Time
		Links        uint32
		User         uint32
		Group        uint32
		SpecialMajor uint32
		SpecialMinor uint32
		Permissions  uint16
		Kind         uint8
		_            uint8
	}

	Text struct {
		Bytes  *byte
		Length uintptr
	}

	WalkOptions struct {
		Flags             uint32
		Threads           uint32
		Kinds             uint32
		MaxThreads        uint32
		MaxDepth          uint64
		MinDepth          uint64
		Globs             *Text
		GlobsCount        uintptr
		ExcludeGlobs      *Text
		ExcludeGlobsCount uintptr
		Since             *Snapshot
		Record            uint32
		_                 uint32
	}

	Entry struct {
		Inode      uint64
		Path       uint32
		PathLength uint32
		Name       uint32
		NameLength uint32
		Depth      uint32
		Kind       uint8
		Target     uint8
		_          [2]uint8
	}

	Failure struct {
		Path          uint32
		PathLength    uint32
		Message       uint32
		MessageLength uint32
		Before        uint32
		Number        int32
		Action        uint32
	}

	WalkBatch struct {
		Bytes           *byte
		BytesLength     uintptr
		Entries         *Entry
		EntriesCount    uintptr
		Failures        *Failure
		FailuresCount   uintptr
		Directory       uint32
		DirectoryLength uint32
		DirectoryDepth  uint32
		_               uint32
	}

	SnapshotFacts struct {
		Entries     uint64
		Directories uint64
		Bytes       uint64
		HasStat     uint32
		_           uint32
	}

	Change struct {
		Path       uint32
		PathLength uint32
		From       uint32
		FromLength uint32
		Change     uint32
		Kind       uint32
	}

	ChangeBatch struct {
		Bytes        *byte
		BytesLength  uintptr
		Changes      *Change
		ChangesCount uintptr
	}

	Space struct {
		Entries   uint64
		Size      uint64
		Allocated uint64
	}

	SizeOptions struct {
		Flags uint32
		_     uint32
		Depth uint64
	}

	SizeRow struct {
		Space      Space
		Path       uint32
		PathLength uint32
		Depth      uint32
		Kind       uint32
	}

	SizeBatch struct {
		Bytes         *byte
		BytesLength   uintptr
		Rows          *SizeRow
		RowsCount     uintptr
		Failures      *Failure
		FailuresCount uintptr
	}

	Extension struct {
		Space      Space
		Name       uint32
		NameLength uint32
		IsRest     uint32
		_          uint32
	}

	Extreme struct {
		Value      uint64
		Time       Time
		Path       uint32
		PathLength uint32
	}

	SummaryFacts struct {
		Bytes           *byte
		BytesLength     uintptr
		Directories     Space
		Files           Space
		Links           Space
		Other           Space
		Extensions      *Extension
		ExtensionsCount uintptr
		Largest         *Extreme
		LargestCount    uintptr
		Deepest         *Extreme
		Longest         *Extreme
		Newest          *Extreme
		Oldest          *Extreme
		Failures        *Failure
		FailuresCount   uintptr
	}

	ListOptions struct {
		Flags   uint32
		Fields  uint32
		Order   uint32
		Threads uint32
		Owners  *Owners
	}

	Row struct {
		Stat            Stat
		Name            uint32
		NameLength      uint32
		Target          uint32
		TargetLength    uint32
		UserName        uint32
		UserNameLength  uint32
		GroupName       uint32
		GroupNameLength uint32
		Number          int32
		TargetNumber    int32
	}

	ListBatch struct {
		Bytes       *byte
		BytesLength uintptr
		Rows        *Row
		RowsCount   uintptr
	}

	LinesOptions struct {
		Flags      uint32
		Check      uint32
		Threads    uint32
		BlockBytes uint32
	}

	LinesBatch struct {
		Bytes       *byte
		BytesLength uintptr
		Ends        *uint64
		Flags       *uint8
		LinesCount  uintptr
		Number      uint64
		Offset      uint64
	}

	LinesTotal struct {
		Lines uint64
		Ends  uint64
		Bytes uint64
	}

	CallCount struct {
		Name  [24]byte
		Count uint64
	}
)
