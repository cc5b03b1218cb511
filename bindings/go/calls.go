package fewer

// #include <fewer.h>
import "C"

// CallCounts says how often each system call was made, by the kernel's name of it.
type CallCounts map[string]uint64

// Calls counts what was made through the library, by all threads of the process. Those of the Go
// runtime and of the os package are not among them.
//
//	before := fewer.Calls()
//	paths, err := fewer.Paths(ctx, "src", nil)
//	fmt.Println(fewer.Calls().Minus(before))
//
// Price: none.
func Calls() CallCounts {
	rows := make([]C.fewer_call_count, 64)
	for {
		count := int(C.fewer_calls(&rows[0], C.size_t(len(rows))))
		if count <= len(rows) {
			rows = rows[:count]
			break
		}
		rows = make([]C.fewer_call_count, count)
	}
	calls := make(CallCounts, len(rows))
	for i := range rows {
		calls[C.GoString(&rows[i].name[0])] = uint64(rows[i].count)
	}
	return calls
}

// Minus is what was made since an earlier count.
func (c CallCounts) Minus(before CallCounts) CallCounts {
	since := CallCounts{}
	for name, count := range c {
		if count > before[name] {
			since[name] = count - before[name]
		}
	}
	return since
}

// Total is the sum of all.
func (c CallCounts) Total() uint64 {
	var total uint64
	for _, count := range c {
		total += count
	}
	return total
}
