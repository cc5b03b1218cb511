package fewer_test

import (
	"context"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"fewer.dev/go"
)

// held is what the process has: descriptors, threads, goroutines, and memory in KiB.
type held struct {
	descriptors, threads, goroutines, memory int
}

func holding(t testing.TB) held {
	t.Helper()
	runtime.GC()
	runtime.GC()
	descriptors, err := os.ReadDir("/proc/self/fd")
	check(t, err)
	status, err := os.ReadFile("/proc/self/status")
	check(t, err)
	field := func(name string) int {
		_, rest, _ := strings.Cut(string(status), name+":")
		number, err := strconv.Atoi(strings.Fields(rest)[0])
		check(t, err)
		return number
	}
	return held{len(descriptors), field("Threads"), runtime.NumGoroutine(), field("VmRSS")}
}

// grewBeyond says whether there is more than before. The runtime starts threads, and asks for
// memory, when it likes.
func (after held) grewBeyond(before held) bool {
	return after.descriptors > before.descriptors || after.goroutines > before.goroutines ||
		after.threads > before.threads+4 || after.memory > before.memory+16<<10
}

// nothingGrows runs something often, and then as often again, which must not take more: not each
// time, as what is left behind would.
func nothingGrows(t *testing.T, times int, run func(i int)) {
	t.Helper()
	often := func() held {
		for i := range times {
			run(i)
		}
		return holding(t)
	}
	before := often()
	for range 3 {
		after := often()
		// What was dropped is closed by a goroutine, some time after it was found to be garbage.
		for i := 0; i < 500 && after.grewBeyond(before); i++ {
			time.Sleep(20 * time.Millisecond)
			after = holding(t)
		}
		if !after.grewBeyond(before) {
			return
		}
		t.Logf("before %+v, after %+v", before, after)
		before = after
	}
	t.Error("it grows each time")
}

func wideTree(t testing.TB) string {
	top := t.TempDir()
	for i := range 600 {
		folder := filepath.Join(top, fmt.Sprint(i))
		check(t, os.Mkdir(folder, 0o755))
		check(t, os.WriteFile(folder+"/file", nil, 0o644))
	}
	return top
}

func TestAbandonedWalksLeaveNothing(t *testing.T) {
	top := wideTree(t)
	nothingGrows(t, 500, func(i int) {
		count := 0
		for _, err := range fewer.Walk(background, top, &fewer.WalkOptions{Sorted: i%4 == 0}) {
			check(t, err)
			if count++; i%2 == 0 && count == 300 {
				break
			}
		}
	})
}

func TestPulledWalksLeaveNothing(t *testing.T) {
	top := wideTree(t)
	nothingGrows(t, 50, func(int) {
		next, stop := iter.Pull2(fewer.IterPaths(background, top, nil))
		for range 3 {
			_, err, more := next()
			check(t, err)
			equal(t, more, true)
		}
		stop()
	})
}

func TestAPanicInALoopLeavesNothing(t *testing.T) {
	top := wideTree(t)
	nothingGrows(t, 50, func(int) {
		defer func() { equal(t, recover() != nil, true) }()
		for range fewer.Walk(background, top, nil) {
			panic("own")
		}
	})
}

func TestWhatIsDroppedIsClosed(t *testing.T) {
	top := makeTree(t, "a")
	nothingGrows(t, 200, func(i int) {
		scope, err := fewer.EnterScope(top)
		check(t, err)
		text, err := fewer.OpenText("a", &fewer.LinesOptions{Scope: scope})
		check(t, err)
		snapshot, err := fewer.MakeSnapshot(background, top, fewer.RecordNames, nil)
		check(t, err)
		if i%2 == 0 {
			check(t, scope.Close())
			check(t, text.Close())
			check(t, snapshot.Close())
		}
		if i%20 == 0 {
			runtime.GC()
		}
	})
}

func TestErrorsLeaveNothing(t *testing.T) {
	top := makeTree(t, "a")
	nothingGrows(t, 500, func(int) {
		_, err := fewer.Paths(background, top+"/none", nil)
		equal(t, err != nil, true)
		_, err = fewer.List(top+"/a", nil)
		equal(t, err != nil, true)
		_, err = fewer.EnterScope(top + "/a")
		equal(t, err != nil, true)
		_, err = fewer.ReadLines(background, top, nil)
		equal(t, err != nil, true)
		_, err = fewer.Paths(background, top, &fewer.WalkOptions{Glob: []string{"[a"}})
		equal(t, err != nil, true)
	})
}

func TestGoroutinesWalkAtOnceWhileTheStackGrows(t *testing.T) {
	top := wideTree(t)
	done := make(chan int)
	for range 8 {
		go func() {
			count := 0
			for path, err := range fewer.IterPaths(background, top, nil) {
				if err != nil {
					t.Error(err)
				}
				count += deep(len(path) % 50)
			}
			done <- count
		}()
	}
	want := 0
	for _, path := range found(t, top) {
		want += deep(len(path) % 50)
	}
	for range 8 {
		equal(t, <-done, want)
	}
}

// deep uses so much of the stack that it is moved.
func deep(levels int) int {
	var room [512]byte
	if levels == 0 {
		return 1 + int(room[0])
	}
	return deep(levels-1) + int(room[levels])
}

func TestACancelledWalkEnds(t *testing.T) {
	top := wideTree(t)
	nothingGrows(t, 50, func(int) {
		ctx, cancel := context.WithCancel(background)
		count, ended := 0, false
		for _, err := range fewer.Walk(ctx, top, nil) {
			if err != nil {
				equal(t, err, context.Canceled)
				ended = true
			}
			if count++; count == 10 {
				cancel()
			}
		}
		cancel()
		equal(t, ended, true)
	})
}
