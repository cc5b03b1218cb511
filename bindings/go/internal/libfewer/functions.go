//go:build !fewer_cgo && !fewer_static

package libfewer

import "unsafe"

// A function is one of libfewer's.
type function int

const (
	abiVersion function = iota
	version
	errorMessage
	errorActionWords
	errorPath
	errorPosition
	errorFree
	kindName
	kindNumber
	scopeEnter
	scopeEnterLogical
	scopeClone
	scopeClose
	scopeDescriptor
	scopeStat
	scopeReadLink
	scopeOpen
	scopeCreate
	scopeLogical
	scopePhysical
	scopeSetPermissions
	scopeMakeSymlink
	scopeMakeHardLink
	scopeMakeDirectory
	scopeRemoveFile
	scopeRemoveDirectory
	scopeRemoveTree
	walkOpen
	walkNext
	walkPrune
	walkClose
	walkSnapshot
	snapshotRead
	snapshotWrite
	snapshotWalk
	snapshotFactsOf
	snapshotClose
	changesOpen
	changesNext
	changesClose
	sizeOpen
	sizeNext
	sizeClose
	summaryOpen
	summaryFactsOf
	summaryClose
	ownersOpen
	ownersUser
	ownersGroup
	ownersUserNumber
	ownersGroupNumber
	ownersClose
	listOpen
	listNext
	listCount
	listClose
	linesOpen
	linesBorrow
	linesNext
	linesCount
	linesLast
	linesClose
	calls
)

// symbols are their names in the library.
var symbols = [...]string{
	abiVersion:           "fewer_abi_version",
	version:              "fewer_version",
	errorMessage:         "fewer_error_message",
	errorActionWords:     "fewer_error_action_words",
	errorPath:            "fewer_error_path",
	errorPosition:        "fewer_error_position",
	errorFree:            "fewer_error_free",
	kindName:             "fewer_kind_name",
	kindNumber:           "fewer_kind_number",
	scopeEnter:           "fewer_scope_enter",
	scopeEnterLogical:    "fewer_scope_enter_logical",
	scopeClone:           "fewer_scope_clone",
	scopeClose:           "fewer_scope_close",
	scopeDescriptor:      "fewer_scope_descriptor",
	scopeStat:            "fewer_scope_stat",
	scopeReadLink:        "fewer_scope_read_link",
	scopeOpen:            "fewer_scope_open",
	scopeCreate:          "fewer_scope_create",
	scopeLogical:         "fewer_scope_logical",
	scopePhysical:        "fewer_scope_physical",
	scopeSetPermissions:  "fewer_scope_set_permissions",
	scopeMakeSymlink:     "fewer_scope_make_symlink",
	scopeMakeHardLink:    "fewer_scope_make_hard_link",
	scopeMakeDirectory:   "fewer_scope_make_directory",
	scopeRemoveFile:      "fewer_scope_remove_file",
	scopeRemoveDirectory: "fewer_scope_remove_directory",
	scopeRemoveTree:      "fewer_scope_remove_tree",
	walkOpen:             "fewer_walk_open",
	walkNext:             "fewer_walk_next",
	walkPrune:            "fewer_walk_prune",
	walkClose:            "fewer_walk_close",
	walkSnapshot:         "fewer_walk_snapshot",
	snapshotRead:         "fewer_snapshot_read",
	snapshotWrite:        "fewer_snapshot_write",
	snapshotWalk:         "fewer_snapshot_walk",
	snapshotFactsOf:      "fewer_snapshot_facts_of",
	snapshotClose:        "fewer_snapshot_close",
	changesOpen:          "fewer_changes_open",
	changesNext:          "fewer_changes_next",
	changesClose:         "fewer_changes_close",
	sizeOpen:             "fewer_size_open",
	sizeNext:             "fewer_size_next",
	sizeClose:            "fewer_size_close",
	summaryOpen:          "fewer_summary_open",
	summaryFactsOf:       "fewer_summary_facts_of",
	summaryClose:         "fewer_summary_close",
	ownersOpen:           "fewer_owners_open",
	ownersUser:           "fewer_owners_user",
	ownersGroup:          "fewer_owners_group",
	ownersUserNumber:     "fewer_owners_user_number",
	ownersGroupNumber:    "fewer_owners_group_number",
	ownersClose:          "fewer_owners_close",
	listOpen:             "fewer_list_open",
	listNext:             "fewer_list_next",
	listCount:            "fewer_list_count",
	listClose:            "fewer_list_close",
	linesOpen:            "fewer_lines_open",
	linesBorrow:          "fewer_lines_borrow",
	linesNext:            "fewer_lines_next",
	linesCount:           "fewer_lines_count",
	linesLast:            "fewer_lines_last",
	linesClose:           "fewer_lines_close",
	calls:                "fewer_calls",
}

func ABIVersion() uint32 {
	return uint32(call(abiVersion))
}

func Version() *byte {
	return pointer[byte](call(version))
}

func ErrorMessage(failure *Error) *byte {
	return pointer[byte](call(errorMessage, uintptr(unsafe.Pointer(failure))))
}

func ErrorActionWords(failure *Error) *byte {
	return pointer[byte](call(errorActionWords, uintptr(unsafe.Pointer(failure))))
}

func ErrorPath(failure *Error, length *uintptr) *byte {
	return pointer[byte](call(errorPath, uintptr(unsafe.Pointer(failure)),
		uintptr(unsafe.Pointer(length))))
}

func ErrorPosition(failure *Error, position *Position) {
	call(errorPosition, uintptr(unsafe.Pointer(failure)), uintptr(unsafe.Pointer(position)))
}

func ErrorFree(failure *Error) {
	call(errorFree, uintptr(unsafe.Pointer(failure)))
}

func KindName(kind uint32) *byte {
	return pointer[byte](call(kindName, uintptr(kind)))
}

func KindNumber(name *byte, length uintptr, kind *uint32) int32 {
	return int32(call(kindNumber, uintptr(unsafe.Pointer(name)), length,
		uintptr(unsafe.Pointer(kind))))
}

func ScopeEnter(scope *Scope, path *byte, length uintptr, entered **Scope, failure **Error) int32 {
	return int32(call(scopeEnter, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(unsafe.Pointer(entered)), uintptr(unsafe.Pointer(failure))))
}

func ScopeEnterLogical(
	scope *Scope, path *byte, length uintptr, entered **Scope, failure **Error,
) int32 {
	return int32(call(scopeEnterLogical, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(entered)),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeClone(scope *Scope) *Scope {
	return pointer[Scope](call(scopeClone, uintptr(unsafe.Pointer(scope))))
}

func ScopeClose(scope *Scope) {
	call(scopeClose, uintptr(unsafe.Pointer(scope)))
}

func ScopeDescriptor(scope *Scope) int32 {
	return int32(call(scopeDescriptor, uintptr(unsafe.Pointer(scope))))
}

func ScopeStat(
	scope *Scope, path *byte, length uintptr, fields uint32, follow int32, stat *Stat,
	failure **Error,
) int32 {
	return int32(call(scopeStat, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(fields), uintptr(follow), uintptr(unsafe.Pointer(stat)),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeReadLink(
	scope *Scope, path *byte, length uintptr, buffer *byte, capacity uintptr, needed *uintptr,
	failure **Error,
) int32 {
	return int32(call(scopeReadLink, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(unsafe.Pointer(buffer)), capacity, uintptr(unsafe.Pointer(needed)),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeOpen(scope *Scope, path *byte, length uintptr, descriptor *int32, failure **Error) int32 {
	return int32(call(scopeOpen, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(unsafe.Pointer(descriptor)), uintptr(unsafe.Pointer(failure))))
}

func ScopeCreate(
	scope *Scope, path *byte, length uintptr, permissions uint32, descriptor *int32,
	failure **Error,
) int32 {
	return int32(call(scopeCreate, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(permissions), uintptr(unsafe.Pointer(descriptor)),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeLogical(
	scope *Scope, buffer *byte, capacity uintptr, needed *uintptr, failure **Error,
) int32 {
	return int32(call(scopeLogical, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(buffer)),
		capacity, uintptr(unsafe.Pointer(needed)), uintptr(unsafe.Pointer(failure))))
}

func ScopePhysical(
	scope *Scope, buffer *byte, capacity uintptr, needed *uintptr, failure **Error,
) int32 {
	return int32(call(scopePhysical, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(buffer)), capacity, uintptr(unsafe.Pointer(needed)),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeSetPermissions(
	scope *Scope, path *byte, length uintptr, permissions uint32, failure **Error,
) int32 {
	return int32(call(scopeSetPermissions, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(permissions),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeMakeSymlink(
	scope *Scope, path *byte, length uintptr, target *byte, targetLength uintptr,
	failure **Error,
) int32 {
	return int32(call(scopeMakeSymlink, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(target)), targetLength,
		uintptr(unsafe.Pointer(failure))))
}

func ScopeMakeHardLink(
	scope *Scope, path *byte, length uintptr, target *byte, targetLength uintptr,
	failure **Error,
) int32 {
	return int32(call(scopeMakeHardLink, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(target)), targetLength,
		uintptr(unsafe.Pointer(failure))))
}

func ScopeMakeDirectory(
	scope *Scope, path *byte, length uintptr, permissions uint32, failure **Error,
) int32 {
	return int32(call(scopeMakeDirectory, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(permissions),
		uintptr(unsafe.Pointer(failure))))
}

func ScopeRemoveFile(scope *Scope, path *byte, length uintptr, failure **Error) int32 {
	return int32(call(scopeRemoveFile, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(failure))))
}

func ScopeRemoveDirectory(scope *Scope, path *byte, length uintptr, failure **Error) int32 {
	return int32(call(scopeRemoveDirectory, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(failure))))
}

func ScopeRemoveTree(scope *Scope, path *byte, length uintptr, failure **Error) int32 {
	return int32(call(scopeRemoveTree, uintptr(unsafe.Pointer(scope)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(failure))))
}

func WalkOpen(
	scope *Scope, roots *Text, rootsCount uintptr, options *WalkOptions, optionsSize uintptr,
	walk **Walk, failure **Error,
) int32 {
	return int32(call(walkOpen, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(roots)),
		rootsCount, uintptr(unsafe.Pointer(options)), optionsSize, uintptr(unsafe.Pointer(walk)),
		uintptr(unsafe.Pointer(failure))))
}

func WalkNext(walk *Walk, batch *WalkBatch, failure **Error) int32 {
	return int32(call(walkNext, uintptr(unsafe.Pointer(walk)), uintptr(unsafe.Pointer(batch)),
		uintptr(unsafe.Pointer(failure))))
}

func WalkPrune(walk *Walk, index uintptr) int32 {
	return int32(call(walkPrune, uintptr(unsafe.Pointer(walk)), index))
}

func WalkClose(walk *Walk) {
	call(walkClose, uintptr(unsafe.Pointer(walk)))
}

func WalkSnapshot(walk *Walk, snapshot **Snapshot, failure **Error) int32 {
	return int32(call(walkSnapshot, uintptr(unsafe.Pointer(walk)),
		uintptr(unsafe.Pointer(snapshot)), uintptr(unsafe.Pointer(failure))))
}

func SnapshotRead(path *byte, length uintptr, snapshot **Snapshot, failure **Error) int32 {
	return int32(call(snapshotRead, uintptr(unsafe.Pointer(path)), length,
		uintptr(unsafe.Pointer(snapshot)), uintptr(unsafe.Pointer(failure))))
}

func SnapshotWrite(snapshot *Snapshot, path *byte, length uintptr, failure **Error) int32 {
	return int32(call(snapshotWrite, uintptr(unsafe.Pointer(snapshot)),
		uintptr(unsafe.Pointer(path)), length, uintptr(unsafe.Pointer(failure))))
}

func SnapshotWalk(
	snapshot *Snapshot, scope *Scope, threads uint32, walk **Walk, failure **Error,
) int32 {
	return int32(call(snapshotWalk, uintptr(unsafe.Pointer(snapshot)),
		uintptr(unsafe.Pointer(scope)), uintptr(threads), uintptr(unsafe.Pointer(walk)),
		uintptr(unsafe.Pointer(failure))))
}

func SnapshotFactsOf(snapshot *Snapshot, facts *SnapshotFacts, failure **Error) int32 {
	return int32(call(snapshotFactsOf, uintptr(unsafe.Pointer(snapshot)),
		uintptr(unsafe.Pointer(facts)), uintptr(unsafe.Pointer(failure))))
}

func SnapshotClose(snapshot *Snapshot) {
	call(snapshotClose, uintptr(unsafe.Pointer(snapshot)))
}

func ChangesOpen(before, after *Snapshot, changes **Changes, failure **Error) int32 {
	return int32(call(changesOpen, uintptr(unsafe.Pointer(before)), uintptr(unsafe.Pointer(after)),
		uintptr(unsafe.Pointer(changes)), uintptr(unsafe.Pointer(failure))))
}

func ChangesNext(changes *Changes, batch *ChangeBatch, failure **Error) int32 {
	return int32(call(changesNext, uintptr(unsafe.Pointer(changes)), uintptr(unsafe.Pointer(batch)),
		uintptr(unsafe.Pointer(failure))))
}

func ChangesClose(changes *Changes) {
	call(changesClose, uintptr(unsafe.Pointer(changes)))
}

func SizeOpen(
	scope *Scope, roots *Text, rootsCount uintptr, walk *WalkOptions, walkSize uintptr,
	options *SizeOptions, optionsSize uintptr, size **Size, failure **Error,
) int32 {
	return int32(call(sizeOpen, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(roots)),
		rootsCount, uintptr(unsafe.Pointer(walk)), walkSize, uintptr(unsafe.Pointer(options)),
		optionsSize, uintptr(unsafe.Pointer(size)), uintptr(unsafe.Pointer(failure))))
}

func SizeNext(size *Size, batch *SizeBatch, failure **Error) int32 {
	return int32(call(sizeNext, uintptr(unsafe.Pointer(size)), uintptr(unsafe.Pointer(batch)),
		uintptr(unsafe.Pointer(failure))))
}

func SizeClose(size *Size) {
	call(sizeClose, uintptr(unsafe.Pointer(size)))
}

func SummaryOpen(
	scope *Scope, roots *Text, rootsCount uintptr, walk *WalkOptions, walkSize uintptr,
	summary **Summary, failure **Error,
) int32 {
	return int32(call(summaryOpen, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(roots)),
		rootsCount, uintptr(unsafe.Pointer(walk)), walkSize, uintptr(unsafe.Pointer(summary)),
		uintptr(unsafe.Pointer(failure))))
}

func SummaryFactsOf(summary *Summary, facts *SummaryFacts, failure **Error) int32 {
	return int32(call(summaryFactsOf, uintptr(unsafe.Pointer(summary)),
		uintptr(unsafe.Pointer(facts)), uintptr(unsafe.Pointer(failure))))
}

func SummaryClose(summary *Summary) {
	call(summaryClose, uintptr(unsafe.Pointer(summary)))
}

func OwnersOpen() *Owners {
	return pointer[Owners](call(ownersOpen))
}

func OwnersUser(
	owners *Owners, user uint32, buffer *byte, capacity uintptr, needed *uintptr,
) int32 {
	return int32(call(ownersUser, uintptr(unsafe.Pointer(owners)), uintptr(user),
		uintptr(unsafe.Pointer(buffer)), capacity, uintptr(unsafe.Pointer(needed))))
}

func OwnersGroup(
	owners *Owners, group uint32, buffer *byte, capacity uintptr, needed *uintptr,
) int32 {
	return int32(call(ownersGroup, uintptr(unsafe.Pointer(owners)), uintptr(group),
		uintptr(unsafe.Pointer(buffer)), capacity, uintptr(unsafe.Pointer(needed))))
}

func OwnersUserNumber(owners *Owners, name *byte, length uintptr, user *uint32) int32 {
	return int32(call(ownersUserNumber, uintptr(unsafe.Pointer(owners)),
		uintptr(unsafe.Pointer(name)), length, uintptr(unsafe.Pointer(user))))
}

func OwnersGroupNumber(owners *Owners, name *byte, length uintptr, group *uint32) int32 {
	return int32(call(ownersGroupNumber, uintptr(unsafe.Pointer(owners)),
		uintptr(unsafe.Pointer(name)), length, uintptr(unsafe.Pointer(group))))
}

func OwnersClose(owners *Owners) {
	call(ownersClose, uintptr(unsafe.Pointer(owners)))
}

func ListOpen(
	scope *Scope, path *byte, length uintptr, options *ListOptions, optionsSize uintptr,
	list **List, failure **Error,
) int32 {
	return int32(call(listOpen, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(unsafe.Pointer(options)), optionsSize, uintptr(unsafe.Pointer(list)),
		uintptr(unsafe.Pointer(failure))))
}

func ListNext(list *List, batch *ListBatch, failure **Error) int32 {
	return int32(call(listNext, uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(batch)),
		uintptr(unsafe.Pointer(failure))))
}

func ListCount(list *List) uintptr {
	return call(listCount, uintptr(unsafe.Pointer(list)))
}

func ListClose(list *List) {
	call(listClose, uintptr(unsafe.Pointer(list)))
}

func LinesOpen(
	scope *Scope, path *byte, length uintptr, options *LinesOptions, optionsSize uintptr,
	lines **Lines, failure **Error,
) int32 {
	return int32(call(linesOpen, uintptr(unsafe.Pointer(scope)), uintptr(unsafe.Pointer(path)),
		length, uintptr(unsafe.Pointer(options)), optionsSize, uintptr(unsafe.Pointer(lines)),
		uintptr(unsafe.Pointer(failure))))
}

func LinesBorrow(
	descriptor int32, name *byte, length uintptr, options *LinesOptions, optionsSize uintptr,
	lines **Lines, failure **Error,
) int32 {
	return int32(call(linesBorrow, uintptr(descriptor), uintptr(unsafe.Pointer(name)), length,
		uintptr(unsafe.Pointer(options)), optionsSize, uintptr(unsafe.Pointer(lines)),
		uintptr(unsafe.Pointer(failure))))
}

func LinesNext(lines *Lines, batch *LinesBatch, failure **Error) int32 {
	return int32(call(linesNext, uintptr(unsafe.Pointer(lines)), uintptr(unsafe.Pointer(batch)),
		uintptr(unsafe.Pointer(failure))))
}

func LinesCount(lines *Lines, total *LinesTotal, failure **Error) int32 {
	return int32(call(linesCount, uintptr(unsafe.Pointer(lines)), uintptr(unsafe.Pointer(total)),
		uintptr(unsafe.Pointer(failure))))
}

func LinesLast(lines *Lines, count uint64, failure **Error) int32 {
	return int32(call(linesLast, uintptr(unsafe.Pointer(lines)), uintptr(count),
		uintptr(unsafe.Pointer(failure))))
}

func LinesClose(lines *Lines) {
	call(linesClose, uintptr(unsafe.Pointer(lines)))
}

func Calls(counts *CallCount, capacity uintptr) uintptr {
	return call(calls, uintptr(unsafe.Pointer(counts)), capacity)
}
