package fewer_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"fewer.dev/go"
)

// Each example of the README is here, line for line; TestTheREADMEHasTheExamples sees to it.

func ExampleWalk() {
	options := &fewer.WalkOptions{Sorted: true, Glob: []string{"walk*.go"}}
	for entry, err := range fewer.Walk(background, ".", options) {
		if err != nil {
			log.Print(err) // the walk goes on
			continue
		}
		fmt.Println(entry.Path(), entry.Kind(), entry.Depth())
	}
	// Output:
	// ./conformance/walk.go file 2
	// ./walk.go file 1
	// ./walk_options.go file 1
	// ./walk_test.go file 1
	// ./walkdir.go file 1
	// ./walkdir_test.go file 1
}

func ExamplePaths() {
	_, err := fewer.Paths(background, "no such place", nil)
	var failed *fs.PathError
	if errors.As(err, &failed) {
		fmt.Println(failed.Op, "|", failed.Path, "|", failed.Err)
	}
	fmt.Println(errors.Is(err, fs.ErrNotExist), fewer.Message(failed))
	// Output:
	// access | no such place | no such file or directory
	// true cannot access 'no such place': No such file or directory
}

func ExampleWalkDir() {
	err := fewer.WalkDir("conformance", func(path string, d fs.DirEntry, err error) error {
		if d != nil && d.Name() == "scope.go" {
			fmt.Println(path)
			return fs.SkipAll
		}
		return err
	})
	fmt.Println(err)
	// Output:
	// conformance/scope.go
	// <nil>
}

func ExampleVisits() {
	for visit, err := range fewer.Visits(background, ".", nil) {
		if err != nil {
			log.Print(err)
			continue
		}
		for i := range visit.Len() {
			if name := visit.Entry(i).Name(); name == "conformance" || name == "internal" {
				visit.Prune(i) // for no call
			}
		}
		fmt.Println(visit.Path(), visit.Len() > 1)
	}
	// Output:
	//  false
	// . true
}

func ExampleSnapshot() {
	top, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(top)
	os.WriteFile(top+"/a", nil, 0o644)
	os.WriteFile(top+"/b", nil, 0o644)
	before, err := fewer.MakeSnapshot(background, top, fewer.RecordNames, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer before.Close()
	os.WriteFile(top+"/d", nil, 0o644)
	os.Remove(top + "/b")
	os.Rename(top+"/a", top+"/c")
	changes, now, err := before.Changes(background, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer now.Close()
	for _, change := range changes {
		fmt.Println(change.Change, filepath.Base(change.Path), change.Kind)
	}
	// Output:
	// removed b file
	// renamed c file
	// added d file
}

func ExampleSize() {
	rows, err := fewer.Size("conformance", &fewer.WalkOptions{Glob: []string{"*.go"}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	found, err := fewer.Summarize("conformance", &fewer.WalkOptions{Glob: []string{"*.go"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(rows), rows[0].Path, rows[0].Allocated == found.All().Allocated)
	fmt.Println(found.Extensions[0].Name, len(found.Largest))
	// Output:
	// 1 conformance true
	// go 10
}

func ExampleList() {
	rows, err := fewer.List("conformance", &fewer.ListOptions{
		Fields: fewer.FieldSize | fewer.FieldModified, Order: fewer.BySize, SkipHidden: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range rows[:2] {
		fmt.Println(row.Name(), row.Stat().Size > 4000, row.Stat().Modified.Time().Year() > 2000)
	}
	// Output:
	// ls.go true true
	// lines.go true true
}

func ExampleReadLines() {
	lines, err := fewer.ReadLines(background, "go.mod", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(lines[0])
	last, _ := fewer.LastLines(background, "go.mod", 1, nil)
	count, _ := fewer.CountLines("go.mod", nil)
	fmt.Println(last[0] == lines[len(lines)-1], count.Ends == uint64(len(lines)))
	// Output:
	// module fewer.dev/go
	// true true
}

func ExampleScope() {
	scope, err := fewer.EnterScope("conformance")
	if err != nil {
		log.Fatal(err)
	}
	defer scope.Close()
	options := &fewer.WalkOptions{Scope: scope, Glob: []string{"l*.go"}, Sorted: true}
	paths, _ := fewer.Paths(background, ".", options)
	fmt.Println(paths)
	matches, _ := fs.Glob(scope.FS(), "s*.go")
	fmt.Println(matches)
	// Output:
	// [./lines.go ./ls.go]
	// [scope.go size.go summary.go]
}

func ExampleCalls() {
	before := fewer.Calls()
	if _, err := fewer.ReadLines(background, "go.mod", nil); err != nil {
		log.Fatal(err)
	}
	fmt.Println(fewer.Calls().Minus(before))
	// Output: map[close:1 openat:1 read:2]
}
