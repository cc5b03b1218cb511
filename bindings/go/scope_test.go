package fewer_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"fewer.dev/go"
)

func enter(t testing.TB, path string) *fewer.Scope {
	t.Helper()
	scope, err := fewer.EnterScope(path)
	check(t, err)
	t.Cleanup(func() { scope.Close() })
	return scope
}

func TestAScopeIsAWorkingDirectory(t *testing.T) {
	top := makeTree(t, "d/e/f", "d/link -> e", "d/text")
	before, err := os.Getwd()
	check(t, err)
	d := enter(t, top+"/d")
	e, err := d.Enter("e")
	check(t, err)
	defer e.Close()
	logical, err := e.Logical()
	check(t, err)
	equal(t, logical, top+"/d/e")
	// It stays the same directory.
	check(t, os.Rename(top+"/d", top+"/renamed"))
	paths, err := fewer.Paths(background, ".", &fewer.WalkOptions{Scope: e})
	check(t, err)
	equalLists(t, paths, []string{".", "./f"})
	rows, err := fewer.List(".", &fewer.ListOptions{Scope: d})
	check(t, err)
	equalLists(t, names(rows), []string{"e", "link", "text"})
	lines, err := fewer.ReadLines(background, "text", &fewer.LinesOptions{Scope: d})
	check(t, err)
	equalLists(t, lines, []string{"d/text"})
	target, err := d.ReadLink("link")
	check(t, err)
	equal(t, target, "e")
	physical, err := e.Physical()
	check(t, err)
	real, err := filepath.EvalSymlinks(top)
	check(t, err)
	equal(t, physical, real+"/renamed/e")
	after, err := os.Getwd()
	check(t, err)
	equal(t, after, before)
}

func TestLogicalPathsAreThoseOfAShell(t *testing.T) {
	top := makeTree(t, "a/b/c", "link -> a/b")
	inside := enter(t, top+"/link")
	up, err := inside.EnterLogical("..")
	check(t, err)
	defer up.Close()
	path, err := up.Logical()
	check(t, err)
	equal(t, path, top)
	up, err = inside.Enter("..")
	check(t, err)
	defer up.Close()
	path, err = up.Physical()
	check(t, err)
	equal(t, strings.HasSuffix(path, "/a"), true)
}

func TestAScopeMakesAndRemoves(t *testing.T) {
	top := t.TempDir()
	scope := enter(t, top)
	check(t, scope.MakeDirectory("d", 0o750))
	file, err := scope.Create("d/file", 0o600)
	check(t, err)
	_, err = file.WriteString("text")
	check(t, err)
	check(t, file.Close())
	_, err = scope.Create("d/file", 0o600)
	equal(t, errors.Is(err, fs.ErrExist), true)
	check(t, scope.MakeSymlink("d/symlink", "file"))
	check(t, scope.MakeHardLink("d/hard", "d/file"))
	check(t, scope.SetPermissions("d/file", 0o4644))
	stat, err := scope.Lstat("d/hard", fewer.FieldAll)
	check(t, err)
	equal(t, stat.Permissions, 0o4644)
	equal(t, stat.Links, 2)
	stat, err = scope.Stat("d/symlink", fewer.FieldAll)
	check(t, err)
	equal(t, stat.Size, 4)
	stat, err = scope.Lstat("d/symlink", fewer.FieldKind)
	check(t, err)
	equal(t, stat.Kind, fewer.Symlink)
	file, err = scope.Open("d/symlink")
	check(t, err)
	content, err := io.ReadAll(file)
	check(t, err)
	check(t, file.Close())
	equal(t, string(content), "text")
	check(t, scope.RemoveFile("d/hard"))
	equal(t, errors.Is(scope.RemoveDirectory("d"), syscall.ENOTEMPTY), true)
	check(t, scope.RemoveTree("d"))
	check(t, scope.MakeDirectory("d", 0o700))
	check(t, scope.RemoveDirectory("d"))
	left, err := os.ReadDir(top)
	check(t, err)
	equal(t, len(left), 0)
	equal(t, errors.Is(scope.SetPermissions(".", 0o17777), syscall.EINVAL), true)
}

func TestAClosedScopeSaysSo(t *testing.T) {
	top := makeTree(t, "d/x")
	scope := enter(t, top)
	clone, err := scope.Clone()
	check(t, err)
	defer clone.Close()
	walk := fewer.IterPaths(background, "d", &fewer.WalkOptions{Scope: scope})
	count := 0
	for _, err := range walk {
		check(t, err)
		// What was opened in it keeps it.
		check(t, scope.Close())
		count++
	}
	equal(t, count, 2)
	for _, err := range walk {
		equal(t, errors.Is(err, fs.ErrClosed), true)
	}
	check(t, scope.Close())
	_, err = scope.Enter("d")
	equal(t, errors.Is(err, fs.ErrClosed), true)
	_, err = scope.Logical()
	equal(t, errors.Is(err, fs.ErrClosed), true)
	_, err = scope.Descriptor()
	equal(t, errors.Is(err, fs.ErrClosed), true)
	_, err = scope.Clone()
	equal(t, errors.Is(err, fs.ErrClosed), true)
	_, err = clone.Stat("d", fewer.FieldKind)
	check(t, err)
}

func TestNilIsTheDirectoryOfTheProcess(t *testing.T) {
	t.Chdir(makeTree(t, "x"))
	var process *fewer.Scope
	stat, err := process.Stat("x", fewer.FieldSize)
	check(t, err)
	equal(t, stat.Size, 1)
	check(t, process.Close())
	descriptor, err := process.Descriptor()
	check(t, err)
	equal(t, descriptor, -100)
}

func TestGoroutinesShareAScope(t *testing.T) {
	scope := enter(t, makeTree(t, "x"))
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 500 {
				if _, err := scope.Stat("x", fewer.FieldSize); errors.Is(err, fs.ErrClosed) {
					return
				} else if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	check(t, scope.Close())
	group.Wait()
}

func TestAChildStartsInTheScope(t *testing.T) {
	top := makeTree(t, "d/")
	check(t, os.WriteFile(top+"/d/prog", []byte("#!/bin/sh\npwd -P\necho $PWD\n"), 0o755))
	scope := enter(t, top+"/d")
	command, err := scope.Command(background, "./prog")
	check(t, err)
	out, err := command.Output()
	check(t, err)
	real, err := filepath.EvalSymlinks(top)
	check(t, err)
	equal(t, string(out), real+"/d\n"+top+"/d\n")
}

func TestAScopeIsAFileSystem(t *testing.T) {
	scope := enter(t, makeTree(t, "a", "d/e/f", "d/g", "link -> a"))
	check(t, fstest.TestFS(scope.FS(), "a", "d/e/f", "d/g"))
	content, err := fs.ReadFile(scope.FS(), "d/g")
	check(t, err)
	equal(t, string(content), "d/g")
	below, err := fs.Sub(scope.FS(), "d")
	check(t, err)
	matches, err := fs.Glob(below, "*")
	check(t, err)
	equalLists(t, matches, []string{"e", "g"})
	for _, name := range []string{"../a", "/a", "a/", "", "\xff"} {
		_, err = scope.FS().Open(name)
		equal(t, errors.Is(err, fs.ErrInvalid), true)
	}
	_, err = scope.FS().Open("none")
	equal(t, errors.Is(err, fs.ErrNotExist), true)
	_, err = fs.Stat(scope.FS(), "none")
	equal(t, errors.Is(err, fs.ErrNotExist), true)
}

func TestPathsLongerThanTheKernelTakes(t *testing.T) {
	scope := enter(t, t.TempDir())
	name := strings.Repeat("n", 250)
	deepest := scope
	for range 20 {
		check(t, deepest.MakeDirectory(name, 0o755))
		next, err := deepest.Enter(name)
		check(t, err)
		defer next.Close()
		deepest = next
	}
	long := strings.Repeat(name+"/", 20)
	stat, err := scope.Stat(long, fewer.FieldKind)
	check(t, err)
	equal(t, stat.Kind, fewer.Directory)
	paths, err := fewer.Paths(background, name, &fewer.WalkOptions{Scope: scope, Sorted: true})
	check(t, err)
	equal(t, len(paths), 20)
	equal(t, paths[19], strings.TrimSuffix(long, "/"))
	check(t, scope.RemoveTree(name))
}

func TestACommandKeepsItsScope(t *testing.T) {
	top := makeTree(t, "d/")
	made := func() *exec.Cmd {
		scope, err := fewer.EnterScope(top + "/d")
		check(t, err)
		command, err := scope.Command(background, "/bin/pwd", "-P")
		check(t, err)
		return command
	}()
	for range 3 {
		runtime.GC()
		time.Sleep(5 * time.Millisecond)
	}
	out, err := made.Output()
	check(t, err)
	real, err := filepath.EvalSymlinks(top)
	check(t, err)
	equal(t, string(out), real+"/d\n")
}
