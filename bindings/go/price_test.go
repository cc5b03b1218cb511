package fewer_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"fewer.dev/go"
)

// traced runs this test program once more, as a program that does one thing, under strace; it
// returns how often each call was made on paths below the tree, or on descriptors of these.
func traced(t *testing.T, job, top string) map[string]int {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip(err)
	}
	log := t.TempDir() + "/log"
	command := exec.Command("strace", "-f", "-y", "-o", log, "-e", "trace=desc,file",
		os.Args[0])
	// A signal with which the runtime interrupts a thread ends the reading of a directory early: it
	// is then read on, for one getdents64 more.
	command.Env = append(os.Environ(), "FEWER_JOB="+job, "FEWER_TREE="+top,
		"GODEBUG=asyncpreemptoff=1")
	if out, err := command.CombinedOutput(); err != nil {
		t.Skipf("strace: %v: %s", err, out)
	}
	content, err := os.ReadFile(log)
	check(t, err)
	counts := map[string]int{}
	call := regexp.MustCompile(`^\d+ +(\w+)\((.*)`)
	for _, line := range strings.Split(string(content), "\n") {
		found := call.FindStringSubmatch(line)
		// A call that was interrupted by those of another thread is in two lines.
		if found != nil && strings.Contains(found[2], top) && !strings.HasPrefix(found[1], "exec") {
			counts[found[1]]++
		}
	}
	return counts
}

// TestMain is also the program that `traced` runs.
func TestMain(m *testing.M) {
	top := os.Getenv("FEWER_TREE")
	var err error
	switch os.Getenv("FEWER_JOB") {
	case "paths":
		_, err = fewer.Paths(background, top, nil)
	case "list":
		_, err = fewer.List(top, &fewer.ListOptions{Fields: fewer.FieldAll})
	case "lines":
		_, err = fewer.ReadLines(background, top+"/text", nil)
	case "WalkDir":
		err = fewer.WalkDir(top, goOn)
	default:
		os.Exit(m.Run())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func TestAWalkIsThreeCallsADirectory(t *testing.T) {
	top := t.TempDir()
	const folders = 500
	for i := range folders {
		folder := filepath.Join(top, fmt.Sprint(i%20), fmt.Sprint(i))
		check(t, os.MkdirAll(folder, 0o755))
		for _, name := range []string{"a", "b", "c"} {
			check(t, os.WriteFile(folder+"/"+name, nil, 0o644))
		}
	}
	const all = 1 + 20 + folders
	for _, job := range []string{"paths", "WalkDir"} {
		counts := traced(t, job, top)
		equal(t, counts["openat"], all)
		equal(t, counts["getdents64"], all)
		equal(t, counts["close"], all)
		// The root, and none of an entry.
		equal(t, counts["statx"]+counts["newfstatat"], 1)
	}
}

func TestAListIsOneStatxAnEntry(t *testing.T) {
	top := t.TempDir()
	for i := range 100 {
		check(t, os.WriteFile(fmt.Sprint(top, "/", i), nil, 0o644))
	}
	counts := traced(t, "list", top)
	equal(t, counts["openat"], 1)
	equal(t, counts["statx"], 100)
	equal(t, counts["close"], 1)
}

func TestLinesAreOneReadForABlock(t *testing.T) {
	top := t.TempDir()
	check(t, os.WriteFile(top+"/text", []byte(strings.Repeat("line\n", 1<<20/5)), 0o644))
	counts := traced(t, "lines", top)
	equal(t, counts["openat"], 1)
	equal(t, counts["close"], 1)
	// A MiB less some bytes, and the end.
	equal(t, counts["read"], 5)
}

func TestCallsAreThoseThatStraceCounts(t *testing.T) {
	top := makeTree(t, "a/b", "c")
	check(t, os.WriteFile(top+"/text", []byte("a\n"), 0o644))
	before := fewer.Calls()
	_, err := fewer.ReadLines(background, top+"/text", nil)
	check(t, err)
	made := fewer.Calls().Minus(before)
	counts := traced(t, "lines", top)
	for _, name := range []string{"openat", "read", "close"} {
		equal(t, made[name], uint64(counts[name]))
	}
	equal(t, made.Total(), 4)
}
