package fewer

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
)

// WalkDir is filepath.WalkDir in fewer system calls, by several threads: the same calls of fn, in
// the same order, with the same paths, and the same meaning of fs.SkipDir and fs.SkipAll.
//
// The walk reads ahead, so what is below a directory that fn skips may have been read: 4,096
// entries and 14 MiB of names at most, however much there is. Visits with Prune, or the option
// Exclude of Walk, leave directories out for no call at all.
//
// Price: 3 calls a directory, none an entry. After a skip of more than 4,096 entries the walk
// begins anew behind it: 4 calls for each directory above, and a statx for each entry that is left
// in those.
func WalkDir(root string, fn fs.WalkDirFunc) error {
	walker := walker{fn: fn, root: root, clean: filepath.Clean(root), skipBelow: -1}
	options := &WalkOptions{Sorted: true}
	first := root
	for {
		err := walker.run(first, options)
		switch {
		case err == errSkippedMuch:
			roots, err := walker.rest()
			if err == fs.SkipAll || len(roots) == 0 {
				return nil
			}
			if err != nil {
				return err
			}
			first, options.Roots = roots[0], roots[1:]
		case err == fs.SkipAll || err == fs.SkipDir:
			return nil
		default:
			return err
		}
	}
}

// skippedMuch is how many entries are passed over before a walk begins anew behind them.
const skippedMuch = 4096

var errSkippedMuch = errors.New("many entries were skipped")

// A walker is the state of a WalkDir.
type walker struct {
	fn    fs.WalkDirFunc
	root  string
	clean string
	// The directories above the present entry, from the root on.
	above []Entry
	// Entries deeper than this are passed over; -1: none are.
	skipBelow int
	skipped   int
	// The depths of the roots, after the walk has begun anew: those of the entries left at each
	// level. At first the root is at 0.
	depths map[string]int
	base   int
}

// run goes through one walk over some roots.
func (w *walker) run(root string, options *WalkOptions) error {
	walk, err := openWalk(root, options, 0, 0)
	if err != nil {
		return w.fn(root, nil, err)
	}
	defer walk.close()
	for walk.next(context.Background()) {
		entries, failures := walk.entries(), walk.failures()
		// They are made together, since each escapes to fn.
		made := make([]Entry, len(entries))
		for i := range entries {
			for len(failures) > 0 && int(failures[0].Before) <= i {
				if err := w.failed(batchError(&failures[0], walk.bytes)); err != nil {
					return err
				}
				failures = failures[1:]
			}
			made[i] = walk.entry(&entries[i])
			if err := w.visit(&made[i]); err != nil {
				return err
			}
		}
		for i := range failures {
			if err := w.failed(batchError(&failures[i], walk.bytes)); err != nil {
				return err
			}
		}
	}
	return walk.err
}

// visit hands an entry over, unless it is passed over.
func (w *walker) visit(entry *Entry) error {
	if entry.depth == 0 {
		w.base = w.depths[entry.path]
	}
	entry.depth += uint32(w.base)
	depth := int(entry.depth)
	if w.skipBelow >= 0 && depth > w.skipBelow {
		if w.skipped++; w.skipped > skippedMuch {
			return errSkippedMuch
		}
		return nil
	}
	w.skipBelow = -1
	w.above = w.above[:min(depth, len(w.above))]
	if entry.IsDir() {
		w.above = append(w.above, *entry)
	}
	return w.answer(w.fn(w.path(entry.path), entry, nil), entry)
}

// answer does what fn said of an entry: fs.SkipDir passes over what is below a directory, or over
// the rest of the directory that a file lies in.
func (w *walker) answer(err error, entry *Entry) error {
	if err != fs.SkipDir {
		return err
	}
	w.skipped = 0
	w.skipBelow = int(entry.depth)
	if !entry.IsDir() {
		w.skipBelow--
	}
	if w.skipBelow < 0 {
		return fs.SkipAll
	}
	return nil
}

// failed hands an error over, with the directory that it is about.
func (w *walker) failed(err error) error {
	var failure *fs.PathError
	if !errors.As(err, &failure) {
		return err
	}
	path := failure.Path
	for i := range w.above {
		above := w.above[len(w.above)-1-i]
		if above.path == path {
			if w.skipBelow >= 0 && int(above.depth) >= w.skipBelow {
				return nil
			}
			return w.answer(w.fn(w.path(path), &above, err), &above)
		}
	}
	if path == w.root && len(w.above) == 0 {
		if err := w.fn(path, nil, err); err != fs.SkipDir {
			return err
		}
		return fs.SkipAll
	}
	if w.skipBelow >= 0 {
		return nil
	}
	nameStart := strings.LastIndexByte(path, '/') + 1
	entry := Entry{path: path, nameStart: uint32(nameStart), nameLength: uint32(len(path) - nameStart),
		depth: uint32(len(w.above)), walk: &walkOrigin{}}
	return w.answer(w.fn(w.path(path), &entry, err), &entry)
}

// path is that of filepath.WalkDir, which cleans all but the root's.
func (w *walker) path(path string) string {
	if w.root == w.clean && w.clean != "." || len(path) == len(w.root) {
		return path
	}
	rest := strings.TrimLeft(path[len(w.root):], "/")
	switch w.clean {
	case ".":
		return rest
	case "/":
		return "/" + rest
	}
	return w.clean + "/" + rest
}

// rest are the paths behind what is passed over: in each directory above, from the innermost on,
// the entries whose names come later.
func (w *walker) rest() ([]string, error) {
	var roots []string
	w.depths = map[string]int{}
	for depth := w.skipBelow - 1; depth >= 0; depth-- {
		directory, passed := w.above[depth], w.above[depth+1].Name()
		rows, err := List(directory.path, nil)
		if err != nil {
			// It was read a moment ago.
			if err := w.fn(w.path(directory.path), &directory, err); err != nil && err != fs.SkipDir {
				return nil, err
			}
		}
		for _, row := range rows {
			if row.Name() > passed {
				w.depths[row.Path()] = depth + 1
				roots = append(roots, row.Path())
			}
		}
	}
	w.skipBelow = -1
	return roots, nil
}
