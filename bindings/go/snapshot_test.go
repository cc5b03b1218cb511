package fewer_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"fewer.dev/go"
)

func snapshot(
	t testing.TB, root string, level fewer.SnapshotLevel, options *fewer.WalkOptions,
) *fewer.Snapshot {
	t.Helper()
	made, err := fewer.MakeSnapshot(background, root, level, options)
	check(t, err)
	t.Cleanup(func() { made.Close() })
	return made
}

func shown(top string, changes []fewer.Change) []string {
	var shown []string
	for _, change := range changes {
		line := fmt.Sprint(change.Change, " ", change.Path[len(top):], " ", change.Kind)
		if change.From != "" {
			line += " from " + change.From[len(top):]
		}
		shown = append(shown, line)
	}
	return shown
}

func TestChangesSayWhatIsDifferent(t *testing.T) {
	top := makeTree(t, "top/a", "top/b", "top/d/e", "top/same/x") + "/top"
	before := snapshot(t, top, fewer.RecordNames, nil)
	facts, err := before.Facts()
	check(t, err)
	equal(t, facts.Entries, 6)
	equal(t, facts.Directories, 3)
	equal(t, facts.HasStat, false)
	file := t.TempDir() + "/snapshot"
	check(t, before.Write(file))
	size, err := os.Stat(file)
	check(t, err)
	equal(t, uint64(size.Size()), facts.Bytes)

	// The new file comes first, so that it does not get the inode of the one that goes.
	check(t, os.WriteFile(top+"/d/new", nil, 0o644))
	check(t, os.Remove(top+"/b"))
	check(t, os.Rename(top+"/a", top+"/c"))
	want := []string{"removed /b file", "renamed /c file from /a", "added /d/new file"}
	changes, now, err := before.Changes(background, nil)
	check(t, err)
	defer now.Close()
	equalLists(t, shown(top, changes), want)

	read, err := fewer.ReadSnapshot(file)
	check(t, err)
	defer read.Close()
	changes, err = read.Compare(now)
	check(t, err)
	equalLists(t, shown(top, changes), want)
	changes, err = now.Compare(now)
	check(t, err)
	equal(t, len(changes), 0)
}

func TestAWalkSinceASnapshotOpensNothingThatIsAsItWas(t *testing.T) {
	top := makeTree(t, "a/b/c", "d/e", "f")
	for _, folder := range []string{"", "/a", "/a/b", "/d"} {
		// A directory that has changed just now may change again unseen.
		old := []syscall.Timespec{{Sec: 1e9}, {Sec: 1e9}}
		check(t, syscall.UtimesNano(top+folder, old))
	}
	known := snapshot(t, top, fewer.RecordNames, nil)
	again := snapshot(t, top, fewer.RecordNames, &fewer.WalkOptions{Since: known})
	want, err := fewer.Paths(background, top, &fewer.WalkOptions{Sorted: true})
	check(t, err)
	paths, err := fewer.Paths(background, top, &fewer.WalkOptions{Sorted: true, Since: again})
	check(t, err)
	equalLists(t, paths, want)
	check(t, again.Close())
	check(t, again.Close())
	_, err = fewer.Paths(background, top, &fewer.WalkOptions{Since: again})
	equal(t, errors.Is(err, fs.ErrClosed), true)
	_, err = known.Compare(again)
	equal(t, errors.Is(err, fs.ErrClosed), true)
	_, _, err = again.Changes(background, nil)
	equal(t, errors.Is(err, fs.ErrClosed), true)
}

func TestASnapshotWithStatSeesSizes(t *testing.T) {
	top := makeTree(t, "file", "other")
	before := snapshot(t, top, fewer.RecordStat, nil)
	check(t, os.WriteFile(top+"/file", []byte("longer than it was"), 0o644))
	changes, now, err := before.Changes(background, nil)
	check(t, err)
	defer now.Close()
	equalLists(t, shown(top, changes), []string{"changed /file file"})
	facts, err := now.Facts()
	check(t, err)
	equal(t, facts.HasStat, true)
}

func TestWhatIsNoSnapshotSaysSo(t *testing.T) {
	path := t.TempDir() + "/file"
	check(t, os.WriteFile(path, []byte("no snapshot"), 0o644))
	_, err := fewer.ReadSnapshot(path)
	equal(t, errors.Is(err, syscall.EBADMSG), true)
	equal(t, pathError(t, err).Path, path)
	equal(t, strings.Contains(err.Error(), "not a snapshot"), true)
	_, err = fewer.ReadSnapshot(path + "/none")
	equal(t, errors.Is(err, syscall.ENOTDIR), true)
	_, err = fewer.MakeSnapshot(background, path, 99, nil)
	equal(t, errors.Is(err, syscall.EINVAL), true)
}

func TestASnapshotIsThereBesideItsErrors(t *testing.T) {
	top := makeTree(t, "a")
	options := &fewer.WalkOptions{Roots: []string{top + "/none"}}
	made, err := fewer.MakeSnapshot(background, top, fewer.RecordNames, options)
	equal(t, errors.Is(err, fs.ErrNotExist), true)
	facts, err := made.Facts()
	check(t, err)
	equal(t, facts.Entries, 1)
	check(t, made.Close())
}
