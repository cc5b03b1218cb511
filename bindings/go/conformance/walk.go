package main

import (
	"strings"

	"fewer.dev/go"
)

var walkFlags = []string{
	"-0", "--null", "-d=", "--max-depth=", "--min-depth=", "-e=", "--extension=", "-E=",
	"--exclude=", "-g=", "--glob=",
	"--gitignore", "-i", "--ignore-case", "-j=", "--threads=", "--max-threads=", "-L", "--follow",
	"-t=", "--type=", "--one-file-system", "--sort", "--full-path", "--no-hidden", "--count",
	"--json", "--summary",
}

// A walker is what the command line says, and what came of it so far.
type walker struct {
	options fewer.WalkOptions
	end     string
	count   bool
	json    bool
	summary bool
	kinds   [8]int
	// How many of the globs are extensions.
	extensions int
	roots      []string
	failures   int
	missing    int
}

func (w *walker) take(flag, value string) {
	options := &w.options
	switch flag {
	case "-0", "--null":
		w.end = "\x00"
	case "-d", "--max-depth":
		options.MaxDepth = number(value, "--max-depth")
		if options.MaxDepth == 0 {
			options.MaxDepth = fewer.RootsOnly
		}
	case "--min-depth":
		options.MinDepth = number(value, flag)
	case "-E", "--exclude":
		options.Exclude = append(options.Exclude, value)
	case "-g", "--glob":
		options.Glob = append(options.Glob, value)
	case "-e", "--extension":
		w.extensions++
		options.Glob = append(options.Glob, withExtension(value))
	case "-j", "--threads":
		options.Threads = number(value, "--threads")
	case "--max-threads":
		options.MaxThreads = number(value, flag)
	case "-t", "--type":
		w.takeKinds(value)
	case "--count":
		w.count = true
	case "--json":
		w.json = true
	case "--summary":
		w.summary = true
	default:
		w.takeSwitch(flag)
	}
}

func (w *walker) takeSwitch(flag string) {
	options := &w.options
	switch flag {
	case "--gitignore":
		options.Gitignore = true
	case "-i", "--ignore-case":
		options.IgnoreCase = true
	case "-L", "--follow":
		options.Follow = true
	case "--one-file-system":
		options.OneFileSystem = true
	case "--sort":
		options.Sorted = true
	case "--full-path":
		options.FullPath = true
	case "--no-hidden":
		options.SkipHidden = true
	}
}

func (w *walker) takeKinds(value string) {
	for _, word := range strings.Split(value, ",") {
		kind, err := fewer.ParseKind(word)
		if err != nil {
			wrongUsage("cannot understand --type '%s'", word)
		}
		w.options.Kinds = append(w.options.Kinds, kind)
	}
}

// withExtension is a glob for the names that have something before a dot and these bytes; the dot
// may be given.
func withExtension(extension string) string {
	glob := "?*."
	for _, letter := range []byte(strings.TrimPrefix(extension, ".")) {
		if strings.IndexByte(`*?[]{}\,!`, letter) >= 0 {
			glob += `\`
		}
		glob += string([]byte{letter})
	}
	return glob
}

func (w *walker) show(entry fewer.Entry) {
	w.kinds[entry.Kind()]++
	switch {
	case w.count:
	case w.json:
		printf(`{"v":1,"path":%s,"kind":"%s","depth":%d,"inode":%d}`+"\n", text(entry.Path()),
			entry.Kind(), entry.Depth(), entry.Inode())
	default:
		print(entry.Path())
		print(w.end)
	}
}

// fail says that something could not be looked at, which is worse of a root.
func (w *walker) fail(err error) {
	complain("fewer", err)
	w.failures++
	w.missing += missing(err, w.roots)
}

func (w *walker) status() int {
	switch {
	case w.missing >= len(w.roots):
		return failedWholly
	case w.failures > 0:
		return partly
	}
	return well
}

func (w *walker) printCount() {
	total := 0
	for _, count := range w.kinds {
		total += count
	}
	directories, files := w.kinds[fewer.Directory], w.kinds[fewer.File]
	links := w.kinds[fewer.Symlink]
	format := "%d entries, %d directories, %d files, %d links, %d other\n"
	if w.json {
		format = `{"v":1,"entries":%d,"directories":%d,"files":%d,"links":%d,"other":%d}` + "\n"
	}
	printf(format, total, directories, files, links, total-directories-files-links)
}

func walk(words []string) int {
	walker := walker{end: "\n"}
	parser := parser{verb: "walk", flags: walkFlags, words: words}
	for flag, value := parser.next(); flag != ""; flag, value = parser.next() {
		walker.take(flag, value)
	}
	globs := len(walker.options.Glob)
	if walker.extensions > 0 && (walker.extensions < globs || walker.options.FullPath) {
		refuse("no walk -e beside -g in Go")
	}
	walker.roots = parser.rest
	if len(walker.roots) == 0 {
		walker.roots = []string{"."}
	}
	walker.options.Roots = walker.roots[1:]
	if walker.summary {
		if !walker.json || walker.count {
			refuse("how summaries are laid out")
		}
		return summarize(&walker)
	}
	begun := false
	for entry, err := range fewer.Walk(background, walker.roots[0], &walker.options) {
		if err == nil {
			walker.show(entry)
		} else if !begun && !isPathError(err) {
			complain("fewer", err)
			return failedWholly
		} else {
			walker.fail(err)
		}
		begun = true
	}
	if walker.count {
		walker.printCount()
	}
	return walker.status()
}
