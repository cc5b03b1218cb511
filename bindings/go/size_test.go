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

func TestSizesAreThoseOfDu(t *testing.T) {
	top := makeTree(t, "a/b/file", "a/c", "d/e")
	check(t, os.WriteFile(top+"/a/b/large", make([]byte, 100_000), 0o644))
	check(t, os.Link(top+"/a/b/large", top+"/d/same"))
	rows, err := fewer.Size(top, nil, &fewer.SizeOptions{Depth: 9})
	check(t, err)
	sizes := map[string]uint64{}
	for _, row := range rows {
		sizes[row.Path] = row.Allocated
		equal(t, row.Kind, fewer.Directory)
		equal(t, row.Depth, strings.Count(row.Path, "/")-strings.Count(top, "/"))
	}
	for _, line := range strings.Split(strings.TrimSpace(output(t, "du", "-B1", top)), "\n") {
		size, path, _ := strings.Cut(line, "\t")
		equal(t, fmt.Sprint(sizes[path]), size)
	}
	equal(t, rows[0].Entries, 8)

	rows, err = fewer.Size(top, nil, nil)
	check(t, err)
	equal(t, len(rows), 1)
	rows, err = fewer.Size(top, &fewer.WalkOptions{Exclude: []string{"a"}},
		&fewer.SizeOptions{Depth: 9, Files: true, CountLinks: true})
	check(t, err)
	equal(t, len(rows), 4)
	_, err = fewer.Size(top+"/none", nil, nil)
	equal(t, errors.Is(err, fs.ErrNotExist), true)
	_, err = fewer.Size(top, &fewer.WalkOptions{Targets: true}, nil)
	equal(t, errors.Is(err, syscall.EINVAL), true)
	_, err = fewer.Size(top, nil, &fewer.SizeOptions{Depth: -1})
	equal(t, errors.Is(err, syscall.EINVAL), true)
}

func TestASummaryCounts(t *testing.T) {
	top := makeTree(t, "a.go", "b/c.go", "b/d.txt", "link -> b")
	check(t, os.WriteFile(top+"/b/large.bin", make([]byte, 5000), 0o644))
	old := []syscall.Timespec{{Sec: 1e9, Nsec: 5}, {Sec: 1e9, Nsec: 5}}
	check(t, syscall.UtimesNano(top+"/a.go", old))
	found, err := fewer.Summarize(top, nil)
	check(t, err)
	equal(t, found.Files.Entries, 4)
	equal(t, found.Directories.Entries, 2)
	equal(t, found.Links.Entries, 1)
	equal(t, found.All().Entries, 7)
	equal(t, found.Files.Size, 4+6+7+5000)
	equal(t, found.Extensions[0].Name, "bin")
	equal(t, len(found.Extensions), 3)
	equal(t, found.Extensions[0].IsRest, false)
	equal(t, found.Largest[0], fewer.Extreme{Path: top + "/b/large.bin", Value: 5000})
	equal(t, found.Oldest.Path, top+"/a.go")
	equal(t, found.Oldest.Time.Time().UnixNano(), 1e18+5)
	equal(t, found.Longest.Path, top+"/b/large.bin")
	equal(t, found.Deepest.Value, 2)
	_, err = fewer.Summarize(top+"/none", nil)
	equal(t, errors.Is(err, fs.ErrNotExist), true)
}
