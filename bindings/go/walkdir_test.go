package fewer_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fewer.dev/go"
)

// calls are those of fn in a walk, as text; fn answers as `policy` says.
func calls(
	walkDir func(string, fs.WalkDirFunc) error, root string,
	policy func(path string, d fs.DirEntry, err error) error,
) []string {
	var log []string
	result := walkDir(root, func(path string, d fs.DirEntry, err error) error {
		about := "nil"
		if d != nil {
			about = fmt.Sprintf("%s %v %v %v", d.Name(), d.IsDir(), d.Type(), d)
		}
		var reason error
		if err != nil {
			reason = errors.Unwrap(err)
		}
		log = append(log, fmt.Sprintf("%q %s %v", path, about, reason))
		return policy(path, d, err)
	})
	var failed *fs.PathError
	if errors.As(result, &failed) {
		// What was being done has words of the library's own.
		result = fmt.Errorf("%s: %w", failed.Path, failed.Err)
	}
	return append(log, fmt.Sprint("result: ", result))
}

func sameCalls(t *testing.T, root string, policy func(string, fs.DirEntry, error) error) {
	t.Helper()
	equalLists(t, calls(fewer.WalkDir, root, policy), calls(filepath.WalkDir, root, policy))
}

func goOn(string, fs.DirEntry, error) error { return nil }

func TestWalkDirCallsAsFilepathDoes(t *testing.T) {
	top := makeTree(t, "a", "b/c", "b/d/e", "b.c", "b-/x", "empty/", "link -> b", "z/\xff/\n", "B/y")
	t.Chdir(top)
	for _, root := range []string{top, top + "/", top + "//b", ".", "./", "./b", "b/", "b/..", "a",
		"link", "link/", "link/.", "none", "b/../b", "", "b/d/e"} {
		sameCalls(t, root, goOn)
	}
}

func TestWalkDirSkipsAsFilepathDoes(t *testing.T) {
	top := makeTree(t, "a", "b/c", "b/d/e", "b/d/f", "b/g", "h/i/j", "k")
	for _, answer := range []error{fs.SkipDir, fs.SkipAll, errors.New("own")} {
		for _, path := range []string{"", "/a", "/b", "/b/c", "/b/d", "/b/d/e", "/b/g", "/h", "/k"} {
			sameCalls(t, top, func(at string, _ fs.DirEntry, _ error) error {
				if at == top+path {
					return answer
				}
				return nil
			})
		}
	}
}

func TestWalkDirSkipsAtRandomAsFilepathDoes(t *testing.T) {
	top := t.TempDir()
	random := rand.New(rand.NewPCG(1, 2))
	folders := []string{top}
	for i := range 600 {
		folder := fmt.Sprintf("%s/%d", folders[random.IntN(len(folders))], i)
		check(t, os.Mkdir(folder, 0o755))
		folders = append(folders, folder)
		for j := range random.IntN(6) {
			check(t, os.WriteFile(fmt.Sprintf("%s/f%d", folder, j), nil, 0o644))
		}
	}
	for seed := range uint64(20) {
		sameCalls(t, top, func(at string, _ fs.DirEntry, _ error) error {
			sum := seed
			for _, byte := range []byte(at) {
				sum = sum*31 + uint64(byte)
			}
			if sum%17 == 0 && at != top {
				return fs.SkipDir
			}
			return nil
		})
	}
}

// What is skipped here is so much that the walk begins anew behind it, twice, inside directories.
func TestWalkDirGoesOnBehindALargeDirectory(t *testing.T) {
	top := makeTree(t, "a", "b/a/x", "b/c/0", "b/d/e", "b/link -> d", "c", "d/e/f/0", "d/e/g/h", "d/z")
	for _, folder := range []string{"b/c", "d/e/f"} {
		for i := range 9000 {
			check(t, os.WriteFile(fmt.Sprintf("%s/%s/%d", top, folder, i), nil, 0o644))
		}
		check(t, os.Mkdir(top+"/"+folder+"/sub", 0o755))
	}
	for _, names := range [][]string{{"c", "f"}, {"0", "f"}, {"e"}, {"c"}, {"10"}, {"b"}, {"d"}} {
		sameCalls(t, top, func(at string, _ fs.DirEntry, _ error) error {
			if slices.Contains(names, filepath.Base(at)) {
				return fs.SkipDir
			}
			return nil
		})
	}
	t.Chdir(top)
	sameCalls(t, ".", func(at string, d fs.DirEntry, _ error) error {
		if strings.HasSuffix(at, "c") && d.IsDir() {
			return fs.SkipDir
		}
		return nil
	})
}

func TestWalkDirNamesWhatItCannotRead(t *testing.T) {
	if asOtherUser(t) {
		return
	}
	top := makeTree(t, "a", "shut/x", "z")
	check(t, os.Chmod(top+"/shut", 0))
	defer os.Chmod(top+"/shut", 0o755)
	sameCalls(t, top, goOn)
	sameCalls(t, top, func(_ string, _ fs.DirEntry, err error) error { return err })
	sameCalls(t, top+"/shut", goOn)
}

func TestVisitsPruneForNoCall(t *testing.T) {
	top := makeTree(t, "a/b/c", "d/e", "x/y/z")
	var seen []string
	opened := func(before fewer.CallCounts) uint64 { return fewer.Calls().Minus(before)["openat"] }
	before := fewer.Calls()
	_, err := fewer.Paths(background, top, nil)
	check(t, err)
	all := opened(before)
	before = fewer.Calls()
	for visit, err := range fewer.Visits(background, top, &fewer.WalkOptions{Sorted: true}) {
		check(t, err)
		for i := range visit.Len() {
			entry := visit.Entry(i)
			seen = append(seen, entry.Path()[len(top):])
			if entry.Name() == "d" || entry.Name() == "y" {
				check(t, visit.Prune(i))
			}
		}
		if err := visit.Prune(visit.Len()); err == nil {
			t.Error("an entry that is not there was pruned")
		}
	}
	equalLists(t, seen, []string{"", "/a", "/d", "/x", "/a/b", "/a/b/c", "/x/y"})
	// All directories but d and x/y.
	equal(t, opened(before), all-2)
	for _, err := range fewer.Visits(background, top+"/none", nil) {
		equal(t, errors.Is(err, fs.ErrNotExist), true)
	}
}

func TestAVisitThatIsOverHasNothing(t *testing.T) {
	top := makeTree(t, "a/b")
	var kept fewer.Visit
	for visit, err := range fewer.Visits(background, top, nil) {
		check(t, err)
		kept = visit
	}
	equal(t, kept.Len(), 0)
	equal(t, kept.Path(), "")
	equal(t, kept.Prune(0), fs.ErrClosed)
	_, err := fewer.Entry{}.Info()
	equal(t, err, fs.ErrInvalid)
	var none *fewer.Snapshot
	check(t, none.Close())
}
