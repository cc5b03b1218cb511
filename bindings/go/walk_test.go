package fewer_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fewer.dev/go"
)

var background = context.Background()

// makeTree makes files, directories (names that end in a slash) and links (name -> target) in a new
// temporary folder.
func makeTree(t testing.TB, names ...string) string {
	t.Helper()
	top := t.TempDir()
	for _, name := range names {
		name, target, isLink := strings.Cut(name, " -> ")
		path := top + "/" + name
		folder := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			folder = path
		}
		check(t, os.MkdirAll(folder, 0o755))
		if isLink {
			check(t, os.Symlink(target, path))
		} else if folder != path {
			check(t, os.WriteFile(path, []byte(name), 0o644))
		}
	}
	return top
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t testing.TB, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("got %#v, want %#v", got, want)
	}
}

func equalLists[T comparable](t testing.TB, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got  %#v\nwant %#v", got, want)
	}
}

// output is what another program prints.
func output(t testing.TB, program ...string) string {
	t.Helper()
	command := exec.Command(program[0], program[1:]...)
	command.Stderr = nil
	command.Env = append(os.Environ(), "LC_ALL=C")
	out, err := command.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skip(err)
	}
	return string(out)
}

// found is what find prints, sorted.
func found(t testing.TB, arguments ...string) []string {
	t.Helper()
	out := strings.TrimSuffix(output(t, append([]string{"find"}, append(arguments, "-print0")...)...),
		"\x00")
	return slices.Sorted(slices.Values(strings.Split(out, "\x00")))
}

// below are paths without the folder that they are in.
func below(top string, paths []string) []string {
	short := make([]string, len(paths))
	for i, path := range paths {
		short[i] = strings.TrimPrefix(strings.TrimPrefix(path, top), "/")
	}
	return short
}

func pathError(t testing.TB, err error) *fs.PathError {
	t.Helper()
	var failed *fs.PathError
	if !errors.As(err, &failed) {
		t.Fatalf("no *fs.PathError: %v", err)
	}
	return failed
}

func TestPathsAreThoseOfFind(t *testing.T) {
	top := makeTree(t, "a", "b/c", "b/d/e", "b/d/.f", "empty/", "link -> b", "dangling -> none")
	paths, err := fewer.Paths(background, top, nil)
	check(t, err)
	slices.Sort(paths)
	equalLists(t, paths, found(t, top))

	paths, err = fewer.Paths(background, top, &fewer.WalkOptions{Sorted: true})
	check(t, err)
	equalLists(t, below(top, paths), []string{
		"", "a", "b", "b/c", "b/d", "b/d/.f", "b/d/e", "dangling", "empty", "link"})
}

func TestALargeTreeIsWalkedByThreadsAndInOrder(t *testing.T) {
	top := t.TempDir()
	for i := range 900 {
		folder := filepath.Join(top, "d"+string(rune('a'+i%26)), "e"+string(rune('a'+i/26)))
		check(t, os.MkdirAll(folder, 0o755))
		for _, name := range []string{"x", "y\n", "z\xff"} {
			check(t, os.WriteFile(folder+"/"+name, nil, 0o644))
		}
	}
	want := found(t, top)
	equal(t, len(want), 1+26+900+2700)
	paths, err := fewer.Paths(background, top, nil)
	check(t, err)
	equalLists(t, slices.Sorted(slices.Values(paths)), want)
	var walked []string
	for path, err := range fewer.IterPaths(background, top, &fewer.WalkOptions{Sorted: true}) {
		check(t, err)
		walked = append(walked, path)
	}
	var standard []string
	check(t, filepath.WalkDir(top, func(path string, _ fs.DirEntry, err error) error {
		standard = append(standard, path)
		return err
	}))
	equalLists(t, walked, standard)
}

func TestAnEntrySaysWhatTheDirectorySays(t *testing.T) {
	top := makeTree(t, "d/file", "d/link -> file")
	options := &fewer.WalkOptions{Sorted: true, Targets: true}
	var entries []fewer.Entry
	for entry, err := range fewer.Walk(background, top+"/d//", options) {
		check(t, err)
		entries = append(entries, entry)
	}
	equal(t, len(entries), 3)
	root, file, link := entries[0], entries[1], entries[2]
	equal(t, root.Name(), "d")
	equal(t, root.Path(), top+"/d//")
	equal(t, root.Depth(), 0)
	equal(t, root.Kind(), fewer.Directory)
	equal(t, root.Type(), fs.ModeDir)
	equal(t, file.Path(), top+"/d//file")
	equal(t, file.Name(), "file")
	equal(t, file.Depth(), 1)
	equal(t, file.Kind(), fewer.File)
	equal(t, link.Kind(), fewer.Symlink)
	equal(t, link.Target(), fewer.File)
	info, err := os.Lstat(file.Path())
	check(t, err)
	equal(t, file.Inode(), info.Sys().(*syscall.Stat_t).Ino)
	equal(t, file.String(), "- file")
	equal(t, root.String(), "d d/")
}

func TestInfoIsThatOfLstat(t *testing.T) {
	top := makeTree(t, "file", "link -> file", "d/")
	check(t, os.Chmod(top+"/d", 0o1750|fs.ModeSticky))
	check(t, syscall.Mkfifo(top+"/fifo", 0o600))
	for entry, err := range fewer.Walk(background, top, nil) {
		check(t, err)
		got, err := entry.Info()
		check(t, err)
		want, err := os.Lstat(entry.Path())
		check(t, err)
		equal(t, got.Mode(), want.Mode())
		equal(t, got.Size(), want.Size())
		equal(t, got.ModTime().UnixNano(), want.ModTime().UnixNano())
		equal(t, got.IsDir(), want.IsDir())
		equal(t, got.Name(), want.Name())
		equal(t, entry.Type(), want.Mode().Type())
	}
}

func TestOptionsChooseAsFindDoes(t *testing.T) {
	top := makeTree(t, "a.go", "b/c.GO", "b/d/e.go", "b/.hidden/f.go", "b/link -> d", "z.txt")
	for _, row := range []struct {
		options fewer.WalkOptions
		find    []string
	}{
		{fewer.WalkOptions{Kinds: []fewer.Kind{fewer.File}}, []string{"-type", "f"}},
		{fewer.WalkOptions{Kinds: []fewer.Kind{fewer.Directory, fewer.Symlink}},
			[]string{"-type", "d,l"}},
		{fewer.WalkOptions{Glob: []string{"*.go"}}, []string{"-name", "*.go"}},
		{fewer.WalkOptions{Glob: []string{"*.go"}, IgnoreCase: true}, []string{"-iname", "*.go"}},
		{fewer.WalkOptions{Glob: []string{"*.go", "*.txt"}},
			[]string{"(", "-name", "*.go", "-o", "-name", "*.txt", ")"}},
		{fewer.WalkOptions{Exclude: []string{"d"}}, []string{"-name", "d", "-prune", "-o"}},
		{fewer.WalkOptions{MaxDepth: 1}, []string{"-maxdepth", "1"}},
		{fewer.WalkOptions{MaxDepth: fewer.RootsOnly}, []string{"-maxdepth", "0"}},
		{fewer.WalkOptions{MinDepth: 2}, []string{"-mindepth", "2"}},
		{fewer.WalkOptions{SkipHidden: true}, []string{"-name", ".?*", "-prune", "-o"}},
		{fewer.WalkOptions{OneFileSystem: true, Threads: 1, MaxThreads: 2}, []string{"-xdev"}},
	} {
		paths, err := fewer.Paths(background, top, &row.options)
		check(t, err)
		slices.Sort(paths)
		equalLists(t, paths, found(t, append([]string{top}, row.find...)...))
	}
	paths, err := fewer.Paths(background, top, &fewer.WalkOptions{Follow: true})
	check(t, err)
	slices.Sort(paths)
	equalLists(t, paths, found(t, "-L", top))
}

func TestGitignoreIsThatOfGit(t *testing.T) {
	top := makeTree(t, ".gitignore", "a.o", "a.c", "out/b.c")
	check(t, os.WriteFile(top+"/.gitignore", []byte("*.o\nout/\n"), 0o644))
	output(t, "git", "init", "-q", top)
	options := &fewer.WalkOptions{Gitignore: true, Kinds: []fewer.Kind{fewer.File}, Sorted: true}
	paths, err := fewer.Paths(background, top, options)
	check(t, err)
	equalLists(t, below(top, paths), []string{".gitignore", "a.c"})
}

func TestSeveralRoots(t *testing.T) {
	top := makeTree(t, "a/x", "b/y", "c/z")
	options := &fewer.WalkOptions{Roots: []string{top + "/c"}, Sorted: true}
	paths, err := fewer.Paths(background, top+"/a", options)
	check(t, err)
	equalLists(t, below(top, paths), []string{"a", "a/x", "c", "c/z"})
}

func TestNamesAreLossless(t *testing.T) {
	names := []string{"\xff\xfe", "new\nline", strings.Repeat("n", 255), "grün", " ", "-", "\x1b[31m"}
	top := t.TempDir()
	for _, name := range names {
		check(t, os.WriteFile(top+"/"+name, nil, 0o644))
	}
	var got []string
	for entry, err := range fewer.Walk(background, top, &fewer.WalkOptions{MinDepth: 1}) {
		check(t, err)
		equal(t, entry.Path(), top+"/"+entry.Name())
		got = append(got, entry.Name())
	}
	slices.Sort(got)
	slices.Sort(names)
	equalLists(t, got, names)
}

func TestStringsOutliveTheirBatch(t *testing.T) {
	top := t.TempDir()
	for i := range 5000 {
		check(t, os.WriteFile(filepath.Join(top, strings.Repeat("x", i%50)+string(rune('A'+i%26))+
			strings.Repeat("y", i/50)), nil, 0o644))
	}
	want := found(t, top)
	var kept []string
	for entry, err := range fewer.Walk(background, top, nil) {
		check(t, err)
		kept = append(kept, entry.Path())
		_ = bytes.Repeat([]byte("garbage"), 10)
	}
	slices.Sort(kept)
	equalLists(t, kept, want)
}

func TestAContextEndsAWalk(t *testing.T) {
	top := makeTree(t, "a", "b/c")
	ctx, cancel := context.WithCancel(background)
	cancel()
	count := 0
	for _, err := range fewer.Walk(ctx, top, nil) {
		count++
		equal(t, err, context.Canceled)
	}
	equal(t, count, 1)
	if _, err := fewer.Paths(ctx, top, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAWalkCanBeRangedOverAgain(t *testing.T) {
	top := makeTree(t, "a", "b")
	walk := fewer.IterPaths(background, top, nil)
	for range 2 {
		count := 0
		for _, err := range walk {
			check(t, err)
			count++
		}
		equal(t, count, 3)
	}
}
