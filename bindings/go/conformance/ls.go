package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"fewer.dev/go"
)

var lsFlags = []string{
	"-1", "-a", "--all", "-A", "--almost-all", "-c", "-d", "--directory", "-f", "-i", "-l", "-L",
	"--dereference", "-n", "-r", "--reverse", "-R", "--recursive", "-s", "-S", "-t", "-u", "-U", "-v",
	"-X", "--group-directories-first", "--json", "--sort=", "--zero",
}

type lister struct {
	options    fewer.ListOptions
	json       bool
	long       bool
	ownerNames bool
	space      bool
	themselves bool
	accessed   bool
	changed    bool
	recursive  bool
	end        string
	// Something has been listed, so the next heading is set off.
	begun          bool
	failures       int
	failedOperands int
}

// operand is one of the words of the command line.
type operand struct {
	path string
	stat fewer.Stat
}

func (l *lister) take(flag, value string) {
	options := &l.options
	switch flag {
	case "-a", "--all":
		options.SkipHidden, options.Dots = false, true
	case "-A", "--almost-all":
		options.SkipHidden, options.Dots = false, false
	case "-f":
		l.take("-a", "")
		l.take("-U", "")
	case "-L", "--dereference":
		options.Follow = true
	case "-R", "--recursive":
		l.recursive, options.Kinds = true, true
	case "-r", "--reverse":
		options.Reverse = true
	case "--group-directories-first":
		options.DirectoriesFirst = true
	case "-c":
		l.changed, l.accessed = true, false
	case "-u":
		l.accessed, l.changed = true, false
	case "-d", "--directory":
		l.themselves = true
	case "-l":
		l.long, l.ownerNames = true, true
	case "-n":
		l.long, l.ownerNames = true, false
	case "-s":
		l.space = true
	case "-i":
		options.Fields |= fewer.FieldInode
	case "--json":
		l.json = true
	case "--zero":
		l.end = "\x00"
	default:
		l.takeOrder(flag, value)
	}
}

func (l *lister) takeOrder(flag, value string) {
	if flag == "-1" {
		return
	}
	orders := map[string]fewer.Order{
		"-U": fewer.ByNothing, "-S": fewer.BySize, "-v": fewer.ByVersion, "-X": fewer.ByExtension,
		"-t": fewer.ByModified, "none": fewer.ByNothing, "size": fewer.BySize,
		"time": fewer.ByModified, "version": fewer.ByVersion, "extension": fewer.ByExtension,
		"name": fewer.ByName,
	}
	order, found := orders[flag]
	if flag == "--sort" {
		order, found = orders[value]
	}
	if !found {
		refuse("no ls %s %s in Go", flag, value)
	}
	l.options.Order = order
}

// settle does what flags say together.
func (l *lister) settle() {
	if !l.json && (l.long || l.space || l.options.Fields != 0) {
		refuse("long listings are a matter of the command line")
	}
	// Without -l and -t they are what is sorted by.
	if byTime := l.options.Order == fewer.ByModified || !l.long; byTime && l.accessed {
		l.options.Order = fewer.ByAccessed
	} else if byTime && l.changed {
		l.options.Order = fewer.ByChanged
	}
	if l.long {
		l.options.Fields, l.options.Links = fewer.FieldAll, true
	} else if l.space {
		l.options.Fields |= fewer.FieldAllocated
	}
}

func owner(what string, id uint32, name string) string {
	if name == "" {
		return fmt.Sprintf(`,"%s":{"id":%d}`, what, id)
	}
	return fmt.Sprintf(`,"%s":{"id":%d,"name":%s}`, what, id, text(name))
}

func metadata(stat *fewer.Stat, user, group string) string {
	out := fmt.Sprintf(`,"mode":"%04o","links":%d,"size":%d,"allocated":%d`, stat.Permissions,
		stat.Links, stat.Size, stat.Allocated)
	out += owner("user", stat.User, user) + owner("group", stat.Group, group)
	if stat.Kind == fewer.Char || stat.Kind == fewer.Block {
		out += fmt.Sprintf(`,"device":{"major":%d,"minor":%d}`, stat.SpecialMajor, stat.SpecialMinor)
	}
	for _, time := range []struct {
		name string
		time fewer.Time
	}{
		{"modified", stat.Modified}, {"accessed", stat.Accessed}, {"changed", stat.Changed},
		{"created", stat.Created},
	} {
		if time.time.Known() {
			out += fmt.Sprintf(`,"%s":%s`, time.name, seconds(time.time))
		}
	}
	return out
}

// show prints an entry, in a directory or by itself.
func (l *lister) show(name string, stat *fewer.Stat, row *fewer.Row, directory string) {
	if !l.json {
		print(name)
		print(l.end)
		return
	}
	print(`{"v":1`)
	if row != nil {
		print(`,"directory":` + text(directory))
	}
	printf(`,"name":%s,"kind":"%s","inode":%d`, text(name), stat.Kind, stat.Inode)
	user, group, target := "", "", ""
	var errno error
	if row != nil {
		user, group, target = row.UserName(), row.GroupName(), row.Target()
		if failed, is := row.Err().(*fs.PathError); is && failed.Op == "access" {
			errno = failed.Err
		}
	}
	switch {
	case errno != nil:
		printf(`,"errno":%d`, errno)
	case l.long:
		print(metadata(stat, user, group))
	case l.space:
		printf(`,"allocated":%d`, stat.Allocated)
	}
	if target != "" {
		print(`,"target":` + text(target))
	}
	print("}\n")
}

func (l *lister) list(path string, heading, isOperand bool) {
	rows, err := fewer.List(path, &l.options)
	// What fails later shows what was read.
	var failed *fs.PathError
	read := !errors.As(err, &failed) || failed.Op != "open directory"
	if !read && isOperand {
		l.failedOperands++
	}
	if read && heading && !l.json {
		if l.begun {
			print("\n")
		}
		print(path + ":\n")
	}
	l.begun = l.begun || read
	var below []string
	for i := range rows {
		row := &rows[i]
		l.show(row.Name(), row.Stat(), row, path)
		if err := row.Err(); err != nil {
			complain("fewer", err)
			l.failures++
		}
		if l.recursive && row.IsDir() && row.Name() != "." && row.Name() != ".." {
			below = append(below, row.Path())
		}
	}
	if err != nil {
		complain("fewer", err)
		l.failures++
	}
	for _, path := range below {
		l.list(path, true, false)
	}
}

// look is what a word stands for: a link to a directory for that, unless links are listed
// themselves.
func (l *lister) look(path string) (operand, bool) {
	var process *fewer.Scope
	fields := fewer.FieldKind | fewer.FieldInode | l.options.Fields
	ask := process.Lstat
	if l.options.Follow {
		ask = process.Stat
	}
	stat, err := ask(path, fields)
	if err == nil {
		if stat.Kind.IsSymlink() && !l.themselves && !l.long {
			if target, err := process.Stat(path, fields); err == nil && target.Kind.IsDir() {
				stat = target
			}
		}
		return operand{path, stat}, true
	}
	// The library says what it did; of a word of the command line ls says "access".
	var failed *fs.PathError
	if errors.As(err, &failed) {
		failed.Op = "access"
	}
	complain("fewer", err)
	l.failures++
	l.failedOperands++
	return operand{}, false
}

func (l *lister) listOperands(paths []string) {
	var operands []operand
	for _, path := range paths {
		if operand, found := l.look(path); found {
			operands = append(operands, operand)
		}
	}
	if len(paths) > 1 && l.options.Order != fewer.ByName {
		refuse("words of the command line in that order")
	}
	slices.SortStableFunc(operands, func(a, b operand) int {
		return cmp.Compare(a.path, b.path)
	})
	if l.options.Reverse {
		slices.Reverse(operands)
	}
	isItself := func(operand operand) bool { return !operand.stat.Kind.IsDir() || l.themselves }
	shown := 0
	for _, operand := range operands {
		if isItself(operand) {
			l.show(operand.path, &operand.stat, nil, "")
			shown++
		}
	}
	l.begun = shown > 0
	for _, operand := range operands {
		if !isItself(operand) {
			l.list(operand.path, shown > 0 || len(paths) > 1 || l.recursive, true)
		}
	}
}

func ls(words []string) int {
	lister := lister{end: "\n", options: fewer.ListOptions{SkipHidden: true}}
	parser := parser{verb: "ls", flags: lsFlags, words: words}
	for flag, value := parser.next(); flag != ""; flag, value = parser.next() {
		lister.take(flag, value)
	}
	lister.settle()
	if lister.ownerNames {
		lister.options.Owners = fewer.OpenOwners()
		defer lister.options.Owners.Close()
	}
	operands := parser.rest
	switch {
	case len(operands) > 0:
		lister.listOperands(operands)
	case lister.themselves:
		lister.listOperands([]string{"."})
	default:
		lister.list(".", lister.recursive, true)
	}
	switch {
	case lister.failedOperands >= max(len(operands), 1):
		return failedWholly
	case lister.failures > 0:
		return partly
	}
	return well
}
