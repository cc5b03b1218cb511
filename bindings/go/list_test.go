package fewer_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fewer.dev/go"
)

func names(rows []fewer.Row) []string {
	var names []string
	for _, row := range rows {
		names = append(names, row.Name())
	}
	return names
}

func TestAListHasWhatLstatSays(t *testing.T) {
	top := makeTree(t, "file", "link -> file", "d/", ".hidden", "\xff\n")
	check(t, os.Chmod(top+"/file", 0o640))
	check(t, syscall.Mknod(top+"/fifo", syscall.S_IFIFO|0o600, 0))
	rows, err := fewer.List(top, &fewer.ListOptions{Fields: fewer.FieldAll, Links: true})
	check(t, err)
	equalLists(t, names(rows), []string{".hidden", "d", "fifo", "file", "link", "\xff\n"})
	for _, row := range rows {
		want, err := os.Lstat(top + "/" + row.Name())
		check(t, err)
		raw, stat := want.Sys().(*syscall.Stat_t), row.Stat()
		check(t, row.Err())
		equal(t, stat.Inode, raw.Ino)
		equal(t, int64(stat.Size), raw.Size)
		equal(t, int64(stat.Allocated), raw.Blocks*512)
		equal(t, uint64(stat.Links), uint64(raw.Nlink))
		equal(t, stat.User, raw.Uid)
		equal(t, stat.Group, raw.Gid)
		equal(t, uint32(stat.Permissions), raw.Mode&0o7777)
		equal(t, stat.Modified.Seconds, raw.Mtim.Sec)
		equal(t, int64(stat.Modified.Nanoseconds), raw.Mtim.Nsec)
		equal(t, stat.Changed.Time().UnixNano(), raw.Ctim.Nano())
		equal(t, stat.Accessed.Known(), true)
		equal(t, stat.Mode(), want.Mode())
		info, err := row.Info()
		check(t, err)
		equal(t, info.Size(), want.Size())
		equal(t, info.Name(), row.Name())
	}
	equal(t, rows[4].Target(), "file")
	equal(t, rows[3].Target(), "")
}

func TestAListWithoutFieldsAsksForNothing(t *testing.T) {
	top := makeTree(t, "a", "b/", "c -> a")
	before := fewer.Calls()
	rows, err := fewer.List(top, nil)
	check(t, err)
	made := fewer.Calls().Minus(before)
	equal(t, made["statx"], 0)
	equal(t, made["openat"], 1)
	equal(t, made["close"], 1)
	equal(t, rows[1].IsDir(), true)
	equal(t, rows[2].Type(), fs.ModeSymlink)
	equal(t, rows[0].Stat().Modified.Known(), false)
	equal(t, rows[0].Stat().Modified.Time().IsZero(), true)
	equal(t, rows[0].String(), "- a")
	before = fewer.Calls()
	info, err := rows[0].Info()
	check(t, err)
	equal(t, info.Size(), 1)
	equal(t, fewer.Calls().Minus(before)["statx"], 1)
}

func TestAListIsInTheOrderOfLs(t *testing.T) {
	top := t.TempDir()
	for i, name := range []string{"b10.x", "b9.y", ".a", "c.x", "B"} {
		check(t, os.WriteFile(top+"/"+name, make([]byte, 10*i), 0o644))
		time := fewer.Time{Seconds: int64(1e9 + 7*(i*3%5))}
		check(t, syscall.UtimesNano(top+"/"+name, []syscall.Timespec{{Sec: 5}, {Sec: time.Seconds}}))
	}
	check(t, os.Mkdir(top+"/d", 0o755))
	check(t, os.Chtimes(top+"/d", fewer.Time{}.Time(), fewer.Time{}.Time()))
	for _, row := range []struct {
		options fewer.ListOptions
		flags   string
	}{
		{fewer.ListOptions{SkipHidden: true}, "-1"},
		{fewer.ListOptions{}, "-1A"},
		{fewer.ListOptions{Dots: true}, "-1a"},
		{fewer.ListOptions{Reverse: true}, "-1Ar"},
		{fewer.ListOptions{Order: fewer.ByVersion, SkipHidden: true}, "-1v"},
		{fewer.ListOptions{Order: fewer.ByExtension, SkipHidden: true}, "-1X"},
		{fewer.ListOptions{Order: fewer.BySize, Fields: fewer.FieldSize, DirectoriesFirst: true},
			"-1AS --group-directories-first"},
		{fewer.ListOptions{Order: fewer.ByModified}, "-1At"},
	} {
		rows, err := fewer.List(top, &row.options)
		check(t, err)
		out := output(t, append(append([]string{"ls"}, strings.Fields(row.flags)...), top)...)
		equalLists(t, names(rows), strings.Split(strings.TrimSuffix(out, "\n"), "\n"))
	}
	rows, err := fewer.List(top, &fewer.ListOptions{Order: fewer.ByNothing})
	check(t, err)
	equal(t, len(rows), 6)
}

func TestALargeListComesInBatches(t *testing.T) {
	top := t.TempDir()
	var want []string
	for i := range 3000 {
		want = append(want, fmt.Sprintf("%05d", i))
		check(t, os.WriteFile(top+"/"+want[i], nil, 0o644))
	}
	rows, err := fewer.List(top, &fewer.ListOptions{Fields: fewer.FieldSize})
	check(t, err)
	equalLists(t, names(rows), want)
}

func TestOwnersHaveNames(t *testing.T) {
	owners := fewer.OpenOwners()
	name, err := owners.User(0)
	check(t, err)
	equal(t, name, "root")
	name, err = owners.Group(0)
	check(t, err)
	equal(t, name, strings.TrimSpace(output(t, "sh", "-c", "stat -c %G /")))
	id, err := owners.UserNumber("root")
	check(t, err)
	equal(t, id, 0)
	if _, err = owners.GroupNumber("no such group"); err != syscall.ENOENT {
		t.Error(err)
	}
	if _, err = owners.User(4_000_000_000); err != syscall.ENOENT {
		t.Error(err)
	}
	rows, err := fewer.List("/", &fewer.ListOptions{Fields: fewer.FieldOwner, Owners: owners})
	check(t, err)
	equal(t, slices.ContainsFunc(rows, func(row fewer.Row) bool {
		return row.UserName() == "root" && row.GroupName() == name
	}), true)
	check(t, owners.Close())
	check(t, owners.Close())
	if _, err = owners.User(0); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
	if _, err = fewer.List("/", &fewer.ListOptions{Owners: owners}); !errors.Is(err, fs.ErrClosed) {
		t.Error(err)
	}
}

func TestAListThatFailsSaysWhy(t *testing.T) {
	top := makeTree(t, "file", "d/dangling -> none")
	_, err := fewer.List(top+"/file", nil)
	equal(t, errors.Is(err, syscall.ENOTDIR), true)
	equal(t, pathError(t, err).Path, top+"/file")
	_, err = fewer.List(top+"/none", nil)
	equal(t, errors.Is(err, fs.ErrNotExist), true)
	_, err = fewer.List(top, &fewer.ListOptions{Threads: -1})
	equal(t, errors.Is(err, syscall.EINVAL), true)
	_, err = fewer.List(top, &fewer.ListOptions{Order: 99})
	equal(t, errors.Is(err, syscall.EINVAL), true)
	rows, err := fewer.List(top+"/d", &fewer.ListOptions{Follow: true, Fields: fewer.FieldSize})
	check(t, err)
	failed := pathError(t, rows[0].Err())
	equal(t, failed.Path, top+"/d/dangling")
	equal(t, failed.Err, error(syscall.ENOENT))
}
