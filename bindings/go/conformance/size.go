package main

import (
	"cmp"
	"fmt"
	"slices"

	"fewer.dev/go"
)

var sizeFlags = []string{
	"-0", "--null", "-A", "--apparent", "-a", "--all", "-b", "--bytes", "-d=", "--depth=", "-E=",
	"--exclude=", "--gitignore", "-j=", "--threads=", "-l", "--count-links", "--no-hidden", "-s",
	"--summarize", "-x", "--one-file-system", "--json",
}

type sizer struct {
	walk     fewer.WalkOptions
	options  fewer.SizeOptions
	apparent bool
	bytes    bool
	json     bool
	roots    bool
	end      string
}

func (s *sizer) take(flag, value string) {
	switch flag {
	case "-0", "--null":
		s.end = "\x00"
	case "-A", "--apparent":
		s.apparent = true
	case "-a", "--all":
		s.options.Files = true
	case "-b", "--bytes":
		s.apparent, s.bytes = true, true
	case "-d", "--depth":
		s.options.Depth = number(value, "--depth")
	case "-E", "--exclude":
		s.walk.Exclude = append(s.walk.Exclude, value)
	case "--gitignore":
		s.walk.Gitignore = true
	case "-j", "--threads":
		s.walk.Threads = number(value, "--threads")
	case "-l", "--count-links":
		s.options.CountLinks = true
	case "--no-hidden":
		s.walk.SkipHidden = true
	case "-s", "--summarize":
		s.roots = true
	case "-x", "--one-file-system":
		s.walk.OneFileSystem = true
	case "--json":
		s.json = true
	}
}

func (s *sizer) amount(row fewer.SizeRow) uint64 {
	if s.apparent {
		return row.Size
	}
	return row.Allocated
}

func (s *sizer) show(row fewer.SizeRow) {
	if s.json {
		printf(`{"v":1,"path":%s,"kind":"%s","depth":%d,%s}`+"\n", text(row.Path), row.Kind, row.Depth,
			space(row.Space))
		return
	}
	unit := uint64(1024)
	if s.bytes {
		unit = 1
	}
	print(fmt.Sprint((s.amount(row)+unit-1)/unit) + "\t" + row.Path + s.end)
}

func size(words []string) int {
	sizer := sizer{end: "\n", options: fewer.SizeOptions{Depth: 1}}
	parser := parser{verb: "size", flags: sizeFlags, words: words}
	for flag, value := parser.next(); flag != ""; flag, value = parser.next() {
		sizer.take(flag, value)
	}
	if sizer.roots {
		sizer.options.Depth = 0
	}
	roots := parser.rest
	if len(roots) == 0 {
		roots = []string{"."}
	}
	sizer.walk.Roots = roots[1:]
	rows, err := fewer.Size(roots[0], &sizer.walk, &sizer.options)
	complain("fewer", err)
	// The smallest first; of the same size, a directory after what is in it; else as they were.
	slices.SortStableFunc(rows, func(a, b fewer.SizeRow) int {
		return cmp.Or(cmp.Compare(sizer.amount(a), sizer.amount(b)), cmp.Compare(b.Depth, a.Depth))
	})
	for _, row := range rows {
		sizer.show(row)
	}
	return statusOf(err, roots)
}
