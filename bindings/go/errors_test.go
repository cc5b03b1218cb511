package fewer_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fewer.dev/go"
)

func TestAMissingRootIsAPathError(t *testing.T) {
	path := t.TempDir() + "/no such place"
	count := 0
	for _, err := range fewer.Walk(background, path, nil) {
		count++
		failed, isPathError := err.(*fs.PathError)
		if !isPathError {
			t.Fatalf("%T", err)
		}
		equal(t, failed.Op, "access")
		equal(t, failed.Path, path)
		equal(t, failed.Err, error(syscall.ENOENT))
		equal(t, errors.Is(err, fs.ErrNotExist) && os.IsNotExist(err), true)
		equal(t, fewer.Message(err), "cannot access '"+path+"': No such file or directory")
	}
	equal(t, count, 1)
}

func TestOneBadEntryNeverEndsAWalk(t *testing.T) {
	top := makeTree(t, "a/x", "b/loop -> .", "c/y")
	options := &fewer.WalkOptions{Follow: true, Sorted: true}
	var got []string
	for entry, err := range fewer.Walk(background, top, options) {
		if err != nil {
			equal(t, pathError(t, err).Err, error(syscall.ELOOP))
			got = append(got, "error "+pathError(t, err).Path[len(top):])
			continue
		}
		got = append(got, entry.Path()[len(top):])
	}
	equalLists(t, got, []string{"", "/a", "/a/x", "/b", "error /b/loop", "/c", "/c/y"})

	paths, err := fewer.Paths(background, top, options)
	equal(t, errors.Is(err, syscall.ELOOP), true)
	equal(t, len(paths), 6)
}

func TestAnUnreadableDirectoryIsNamed(t *testing.T) {
	if asOtherUser(t) {
		return
	}
	top := makeTree(t, "shut/x", "y")
	check(t, os.Chmod(top+"/shut", 0))
	defer os.Chmod(top+"/shut", 0o755)
	paths, err := fewer.Paths(background, top, nil)
	failed := pathError(t, err)
	equal(t, failed.Op, "open directory")
	equal(t, failed.Path, top+"/shut")
	equal(t, errors.Is(err, fs.ErrPermission), true)
	equal(t, len(paths), 3)
}

func TestAMessageEscapesWhatControlsATerminal(t *testing.T) {
	top := t.TempDir()
	hostile := top + "/\x1b[31m\n\t\r\x7f\xff\u202e\u0085\u2028é猫\\'"
	shown := top + `/\x1b[31m\n\t\r\x7f\xff\u{202e}\u{85}\u{2028}é猫\'`
	_, err := fewer.Paths(background, hostile, nil)
	equal(t, fewer.Message(err), "cannot access '"+shown+"': No such file or directory")
}

func TestAnInvalidGlobSaysWhy(t *testing.T) {
	_, err := fewer.Paths(background, t.TempDir(), &fewer.WalkOptions{Glob: []string{"[a"}})
	equal(t, errors.Is(err, syscall.EINVAL), true)
	if message := fewer.Message(err); !strings.Contains(message, "[a") {
		t.Error(message)
	}
	equal(t, strings.Contains(err.Error(), "[a"), true)
}

func TestTheWordsOfAnErrorAreNotThoseOfItsPath(t *testing.T) {
	path := t.TempDir() + "/it': is"
	check(t, os.WriteFile(path, []byte("no snapshot, whatever it is"), 0o644))
	_, err := fewer.ReadSnapshot(path)
	failed := pathError(t, err)
	equal(t, failed.Path, path)
	equal(t, errors.Is(err, syscall.EBADMSG), true)
	equal(t, strings.HasPrefix(failed.Err.Error(), "is"), false)
	equal(t, fewer.Message(err), "cannot use snapshot '"+path+"': "+failed.Err.Error())
}

func TestNumbersWithoutAMeaningAreErrors(t *testing.T) {
	for _, options := range []fewer.WalkOptions{
		{Threads: -1}, {MaxThreads: -1}, {MinDepth: -1}, {MaxDepth: -2}, {Threads: 1 << 40},
		{Kinds: []fewer.Kind{99}},
	} {
		_, err := fewer.Paths(background, t.TempDir(), &options)
		equal(t, errors.Is(err, syscall.EINVAL), true)
	}
}

func TestAPathWithANULIsAnError(t *testing.T) {
	_, err := fewer.Paths(background, "a\x00b", nil)
	equal(t, pathError(t, err).Err, error(syscall.EINVAL))
	equal(t, pathError(t, err).Path, "a\x00b")
	_, err = fewer.Paths(background, "", nil)
	equal(t, errors.Is(err, fs.ErrNotExist), true)
}

func TestAnErrorOfAnotherPackageKeepsItsWords(t *testing.T) {
	equal(t, fewer.Message(fs.ErrClosed), "file already closed")
	_, err := os.Open("/no such place")
	equal(t, fewer.Message(err), "cannot open '/no such place': No such file or directory")
}

func TestKindsHaveNames(t *testing.T) {
	names := []string{"unknown", "file", "directory", "symlink", "fifo", "socket", "block", "char"}
	for number, name := range names {
		kind := fewer.Kind(number)
		equal(t, kind.String(), name)
		parsed, err := fewer.ParseKind(name)
		check(t, err)
		equal(t, parsed, kind)
	}
	for letter, name := range map[string]string{"f": "file", "d": "directory", "l": "symlink",
		"s": "socket", "p": "fifo", "b": "block", "c": "char", "dir": "directory", "link": "symlink",
		"pipe": "fifo"} {
		kind, err := fewer.ParseKind(letter)
		check(t, err)
		equal(t, kind.String(), name)
	}
	_, err := fewer.ParseKind("x\xff")
	equal(t, err != nil, true)
	equal(t, fewer.Kind(200).String(), "unknown")
	var kind fewer.Kind
	check(t, kind.UnmarshalText([]byte("fifo")))
	text, err := kind.MarshalText()
	check(t, err)
	equal(t, slices.Equal(text, []byte("fifo")), true)
}
