//go:build fewer_cgo || fewer_static

package libfewer

// #cgo nocallback fewer_walk_next
// #cgo nocallback fewer_lines_next
// #include <fewer.h>
import "C"

import "unsafe"

func ABIVersion() uint32 {
	return uint32(C.fewer_abi_version())
}

func Version() *byte {
	return (*byte)(unsafe.Pointer(C.fewer_version()))
}

func ErrorMessage(failure *Error) *byte {
	return (*byte)(unsafe.Pointer(C.fewer_error_message((*C.fewer_error)(unsafe.Pointer(failure)))))
}

func ErrorActionWords(failure *Error) *byte {
	return (*byte)(unsafe.Pointer(C.fewer_error_action_words(
		(*C.fewer_error)(unsafe.Pointer(failure)))))
}

func ErrorPath(failure *Error, length *uintptr) *byte {
	return (*byte)(unsafe.Pointer(C.fewer_error_path((*C.fewer_error)(unsafe.Pointer(failure)),
		(*C.size_t)(unsafe.Pointer(length)))))
}

func ErrorPosition(failure *Error, position *Position) {
	C.fewer_error_position((*C.fewer_error)(unsafe.Pointer(failure)),
		(*C.fewer_position)(unsafe.Pointer(position)))
}

func ErrorFree(failure *Error) {
	C.fewer_error_free((*C.fewer_error)(unsafe.Pointer(failure)))
}

func KindName(kind uint32) *byte {
	return (*byte)(unsafe.Pointer(C.fewer_kind_name(C.uint32_t(kind))))
}

func KindNumber(name *byte, length uintptr, kind *uint32) int32 {
	return int32(C.fewer_kind_number((*C.char)(unsafe.Pointer(name)), C.size_t(length),
		(*C.uint32_t)(unsafe.Pointer(kind))))
}

func ScopeEnter(scope *Scope, path *byte, length uintptr, entered **Scope, failure **Error) int32 {
	return int32(C.fewer_scope_enter((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_scope)(unsafe.Pointer(entered)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeEnterLogical(
	scope *Scope, path *byte, length uintptr, entered **Scope, failure **Error,
) int32 {
	return int32(C.fewer_scope_enter_logical((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_scope)(unsafe.Pointer(entered)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeClone(scope *Scope) *Scope {
	return (*Scope)(unsafe.Pointer(C.fewer_scope_clone((*C.fewer_scope)(unsafe.Pointer(scope)))))
}

func ScopeClose(scope *Scope) {
	C.fewer_scope_close((*C.fewer_scope)(unsafe.Pointer(scope)))
}

func ScopeDescriptor(scope *Scope) int32 {
	return int32(C.fewer_scope_descriptor((*C.fewer_scope)(unsafe.Pointer(scope))))
}

func ScopeStat(
	scope *Scope, path *byte, length uintptr, fields uint32, follow int32, stat *Stat,
	failure **Error,
) int32 {
	return int32(C.fewer_scope_stat((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), C.uint32_t(fields), C.int(follow),
		(*C.fewer_stat)(unsafe.Pointer(stat)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeReadLink(
	scope *Scope, path *byte, length uintptr, buffer *byte, capacity uintptr, needed *uintptr,
	failure **Error,
) int32 {
	return int32(C.fewer_scope_read_link((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), (*C.char)(unsafe.Pointer(buffer)),
		C.size_t(capacity), (*C.size_t)(unsafe.Pointer(needed)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeOpen(scope *Scope, path *byte, length uintptr, descriptor *int32, failure **Error) int32 {
	return int32(C.fewer_scope_open((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), (*C.int)(unsafe.Pointer(descriptor)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeCreate(
	scope *Scope, path *byte, length uintptr, permissions uint32, descriptor *int32,
	failure **Error,
) int32 {
	return int32(C.fewer_scope_create((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), C.uint32_t(permissions),
		(*C.int)(unsafe.Pointer(descriptor)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeLogical(
	scope *Scope, buffer *byte, capacity uintptr, needed *uintptr, failure **Error,
) int32 {
	return int32(C.fewer_scope_logical((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(buffer)), C.size_t(capacity), (*C.size_t)(unsafe.Pointer(needed)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopePhysical(
	scope *Scope, buffer *byte, capacity uintptr, needed *uintptr, failure **Error,
) int32 {
	return int32(C.fewer_scope_physical((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(buffer)), C.size_t(capacity), (*C.size_t)(unsafe.Pointer(needed)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeSetPermissions(
	scope *Scope, path *byte, length uintptr, permissions uint32, failure **Error,
) int32 {
	return int32(C.fewer_scope_set_permissions((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), C.uint32_t(permissions),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeMakeSymlink(
	scope *Scope, path *byte, length uintptr, target *byte, targetLength uintptr,
	failure **Error,
) int32 {
	return int32(C.fewer_scope_make_symlink((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), (*C.char)(unsafe.Pointer(target)),
		C.size_t(targetLength), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeMakeHardLink(
	scope *Scope, path *byte, length uintptr, target *byte, targetLength uintptr,
	failure **Error,
) int32 {
	return int32(C.fewer_scope_make_hard_link((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), (*C.char)(unsafe.Pointer(target)),
		C.size_t(targetLength), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeMakeDirectory(
	scope *Scope, path *byte, length uintptr, permissions uint32, failure **Error,
) int32 {
	return int32(C.fewer_scope_make_directory((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length), C.uint32_t(permissions),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeRemoveFile(scope *Scope, path *byte, length uintptr, failure **Error) int32 {
	return int32(C.fewer_scope_remove_file((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeRemoveDirectory(scope *Scope, path *byte, length uintptr, failure **Error) int32 {
	return int32(C.fewer_scope_remove_directory((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ScopeRemoveTree(scope *Scope, path *byte, length uintptr, failure **Error) int32 {
	return int32(C.fewer_scope_remove_tree((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func WalkOpen(
	scope *Scope, roots *Text, rootsCount uintptr, options *WalkOptions, optionsSize uintptr,
	walk **Walk, failure **Error,
) int32 {
	return int32(C.fewer_walk_open((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.fewer_text)(unsafe.Pointer(roots)), C.size_t(rootsCount),
		(*C.fewer_walk_options)(unsafe.Pointer(options)), C.size_t(optionsSize),
		(**C.fewer_walk)(unsafe.Pointer(walk)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func WalkNext(walk *Walk, batch *WalkBatch, failure **Error) int32 {
	return int32(C.fewer_walk_next((*C.fewer_walk)(unsafe.Pointer(walk)),
		(*C.fewer_walk_batch)(unsafe.Pointer(batch)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func WalkPrune(walk *Walk, index uintptr) int32 {
	return int32(C.fewer_walk_prune((*C.fewer_walk)(unsafe.Pointer(walk)), C.size_t(index)))
}

func WalkClose(walk *Walk) {
	C.fewer_walk_close((*C.fewer_walk)(unsafe.Pointer(walk)))
}

func WalkSnapshot(walk *Walk, snapshot **Snapshot, failure **Error) int32 {
	return int32(C.fewer_walk_snapshot((*C.fewer_walk)(unsafe.Pointer(walk)),
		(**C.fewer_snapshot)(unsafe.Pointer(snapshot)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func SnapshotRead(path *byte, length uintptr, snapshot **Snapshot, failure **Error) int32 {
	return int32(C.fewer_snapshot_read((*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_snapshot)(unsafe.Pointer(snapshot)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func SnapshotWrite(snapshot *Snapshot, path *byte, length uintptr, failure **Error) int32 {
	return int32(C.fewer_snapshot_write((*C.fewer_snapshot)(unsafe.Pointer(snapshot)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func SnapshotWalk(
	snapshot *Snapshot, scope *Scope, threads uint32, walk **Walk, failure **Error,
) int32 {
	return int32(C.fewer_snapshot_walk((*C.fewer_snapshot)(unsafe.Pointer(snapshot)),
		(*C.fewer_scope)(unsafe.Pointer(scope)), C.uint32_t(threads),
		(**C.fewer_walk)(unsafe.Pointer(walk)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func SnapshotFactsOf(snapshot *Snapshot, facts *SnapshotFacts, failure **Error) int32 {
	return int32(C.fewer_snapshot_facts_of((*C.fewer_snapshot)(unsafe.Pointer(snapshot)),
		(*C.fewer_snapshot_facts)(unsafe.Pointer(facts)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func SnapshotClose(snapshot *Snapshot) {
	C.fewer_snapshot_close((*C.fewer_snapshot)(unsafe.Pointer(snapshot)))
}

func ChangesOpen(before, after *Snapshot, changes **Changes, failure **Error) int32 {
	return int32(C.fewer_changes_open((*C.fewer_snapshot)(unsafe.Pointer(before)),
		(*C.fewer_snapshot)(unsafe.Pointer(after)), (**C.fewer_changes)(unsafe.Pointer(changes)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func ChangesNext(changes *Changes, batch *ChangeBatch, failure **Error) int32 {
	return int32(C.fewer_changes_next((*C.fewer_changes)(unsafe.Pointer(changes)),
		(*C.fewer_change_batch)(unsafe.Pointer(batch)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ChangesClose(changes *Changes) {
	C.fewer_changes_close((*C.fewer_changes)(unsafe.Pointer(changes)))
}

func SizeOpen(
	scope *Scope, roots *Text, rootsCount uintptr, walk *WalkOptions, walkSize uintptr,
	options *SizeOptions, optionsSize uintptr, size **Size, failure **Error,
) int32 {
	return int32(C.fewer_size_open((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.fewer_text)(unsafe.Pointer(roots)), C.size_t(rootsCount),
		(*C.fewer_walk_options)(unsafe.Pointer(walk)), C.size_t(walkSize),
		(*C.fewer_size_options)(unsafe.Pointer(options)), C.size_t(optionsSize),
		(**C.fewer_size)(unsafe.Pointer(size)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func SizeNext(size *Size, batch *SizeBatch, failure **Error) int32 {
	return int32(C.fewer_size_next((*C.fewer_size)(unsafe.Pointer(size)),
		(*C.fewer_size_batch)(unsafe.Pointer(batch)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func SizeClose(size *Size) {
	C.fewer_size_close((*C.fewer_size)(unsafe.Pointer(size)))
}

func SummaryOpen(
	scope *Scope, roots *Text, rootsCount uintptr, walk *WalkOptions, walkSize uintptr,
	summary **Summary, failure **Error,
) int32 {
	return int32(C.fewer_summary_open((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.fewer_text)(unsafe.Pointer(roots)), C.size_t(rootsCount),
		(*C.fewer_walk_options)(unsafe.Pointer(walk)), C.size_t(walkSize),
		(**C.fewer_summary)(unsafe.Pointer(summary)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func SummaryFactsOf(summary *Summary, facts *SummaryFacts, failure **Error) int32 {
	return int32(C.fewer_summary_facts_of((*C.fewer_summary)(unsafe.Pointer(summary)),
		(*C.fewer_summary_facts)(unsafe.Pointer(facts)),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func SummaryClose(summary *Summary) {
	C.fewer_summary_close((*C.fewer_summary)(unsafe.Pointer(summary)))
}

func OwnersOpen() *Owners {
	return (*Owners)(unsafe.Pointer(C.fewer_owners_open()))
}

func OwnersUser(
	owners *Owners, user uint32, buffer *byte, capacity uintptr, needed *uintptr,
) int32 {
	return int32(C.fewer_owners_user((*C.fewer_owners)(unsafe.Pointer(owners)), C.uint32_t(user),
		(*C.char)(unsafe.Pointer(buffer)), C.size_t(capacity), (*C.size_t)(unsafe.Pointer(needed))))
}

func OwnersGroup(
	owners *Owners, group uint32, buffer *byte, capacity uintptr, needed *uintptr,
) int32 {
	return int32(C.fewer_owners_group((*C.fewer_owners)(unsafe.Pointer(owners)), C.uint32_t(group),
		(*C.char)(unsafe.Pointer(buffer)), C.size_t(capacity), (*C.size_t)(unsafe.Pointer(needed))))
}

func OwnersUserNumber(owners *Owners, name *byte, length uintptr, user *uint32) int32 {
	return int32(C.fewer_owners_user_number((*C.fewer_owners)(unsafe.Pointer(owners)),
		(*C.char)(unsafe.Pointer(name)), C.size_t(length), (*C.uint32_t)(unsafe.Pointer(user))))
}

func OwnersGroupNumber(owners *Owners, name *byte, length uintptr, group *uint32) int32 {
	return int32(C.fewer_owners_group_number((*C.fewer_owners)(unsafe.Pointer(owners)),
		(*C.char)(unsafe.Pointer(name)), C.size_t(length), (*C.uint32_t)(unsafe.Pointer(group))))
}

func OwnersClose(owners *Owners) {
	C.fewer_owners_close((*C.fewer_owners)(unsafe.Pointer(owners)))
}

func ListOpen(
	scope *Scope, path *byte, length uintptr, options *ListOptions, optionsSize uintptr,
	list **List, failure **Error,
) int32 {
	return int32(C.fewer_list_open((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(*C.fewer_list_options)(unsafe.Pointer(options)), C.size_t(optionsSize),
		(**C.fewer_list)(unsafe.Pointer(list)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ListNext(list *List, batch *ListBatch, failure **Error) int32 {
	return int32(C.fewer_list_next((*C.fewer_list)(unsafe.Pointer(list)),
		(*C.fewer_list_batch)(unsafe.Pointer(batch)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func ListCount(list *List) uintptr {
	return uintptr(C.fewer_list_count((*C.fewer_list)(unsafe.Pointer(list))))
}

func ListClose(list *List) {
	C.fewer_list_close((*C.fewer_list)(unsafe.Pointer(list)))
}

func LinesOpen(
	scope *Scope, path *byte, length uintptr, options *LinesOptions, optionsSize uintptr,
	lines **Lines, failure **Error,
) int32 {
	return int32(C.fewer_lines_open((*C.fewer_scope)(unsafe.Pointer(scope)),
		(*C.char)(unsafe.Pointer(path)), C.size_t(length),
		(*C.fewer_lines_options)(unsafe.Pointer(options)), C.size_t(optionsSize),
		(**C.fewer_lines)(unsafe.Pointer(lines)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func LinesBorrow(
	descriptor int32, name *byte, length uintptr, options *LinesOptions, optionsSize uintptr,
	lines **Lines, failure **Error,
) int32 {
	return int32(C.fewer_lines_borrow(C.int(descriptor), (*C.char)(unsafe.Pointer(name)),
		C.size_t(length), (*C.fewer_lines_options)(unsafe.Pointer(options)), C.size_t(optionsSize),
		(**C.fewer_lines)(unsafe.Pointer(lines)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func LinesNext(lines *Lines, batch *LinesBatch, failure **Error) int32 {
	return int32(C.fewer_lines_next((*C.fewer_lines)(unsafe.Pointer(lines)),
		(*C.fewer_lines_batch)(unsafe.Pointer(batch)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func LinesCount(lines *Lines, total *LinesTotal, failure **Error) int32 {
	return int32(C.fewer_lines_count((*C.fewer_lines)(unsafe.Pointer(lines)),
		(*C.fewer_lines_total)(unsafe.Pointer(total)), (**C.fewer_error)(unsafe.Pointer(failure))))
}

func LinesLast(lines *Lines, count uint64, failure **Error) int32 {
	return int32(C.fewer_lines_last((*C.fewer_lines)(unsafe.Pointer(lines)), C.uint64_t(count),
		(**C.fewer_error)(unsafe.Pointer(failure))))
}

func LinesClose(lines *Lines) {
	C.fewer_lines_close((*C.fewer_lines)(unsafe.Pointer(lines)))
}

func Calls(counts *CallCount, capacity uintptr) uintptr {
	return uintptr(C.fewer_calls((*C.fewer_call_count)(unsafe.Pointer(counts)), C.size_t(capacity)))
}
