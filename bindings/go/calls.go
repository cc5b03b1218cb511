package fewer

import "fewer.dev/go/internal/libfewer"

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
	rows := make([]libfewer.CallCount, 64)
	for {
		count := int(libfewer.Calls(&rows[0], uintptr(len(rows))))
		if count <= len(rows) {
			rows = rows[:count]
			break
		}
		rows = make([]libfewer.CallCount, count)
	}
	calls := make(CallCounts, len(rows))
	for i := range rows {
		calls[libfewer.String(&rows[i].Name[0])] = uint64(rows[i].Count)
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
