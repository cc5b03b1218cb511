package main

import (
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"fewer.dev/go"
)

const contentsBytes = 64 << 10

// steps are what is left to do, and where the steps so far have led: the last scope is the present
// one, the first, nil, the working directory of the process.
type steps struct {
	words  []string
	scopes []*fewer.Scope
}

func (s *steps) here() *fewer.Scope { return s.scopes[len(s.scopes)-1] }

func (s *steps) word() string {
	if len(s.words) == 0 {
		wrongStep("a step lacks a word")
	}
	word := s.words[0]
	s.words = s.words[1:]
	return word
}

func wrongStep(text string) {
	flush()
	complainText("scope", text)
	os.Exit(failedWholly)
}

func (s *steps) goIn(scope *fewer.Scope, err error) error {
	if err == nil {
		s.scopes = append(s.scopes, scope)
	}
	return err
}

func line(text string, err error) error {
	if err == nil {
		print(text + "\n")
	}
	return err
}

func statLine(stat fewer.Stat) string {
	if stat.Kind.IsFile() {
		return "file " + strconv.FormatUint(stat.Size, 10)
	}
	return stat.Kind.String()
}

func (s *steps) stat(name string) error {
	stat, err := s.here().Lstat(name, fewer.FieldKind|fewer.FieldSize)
	return line(statLine(stat), err)
}

func (s *steps) read(name string) error {
	file, err := s.here().Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	contents := make([]byte, contentsBytes)
	got, err := file.Read(contents)
	print(string(contents[:max(got, 0)]))
	return err
}

// walk prints what is in a tree, or, if something fails, nothing but why.
func (s *steps) walk(root string) error {
	options := &fewer.WalkOptions{Sorted: true, Scope: s.here()}
	var lines strings.Builder
	for path, err := range fewer.IterPaths(background, root, options) {
		if err != nil {
			return err
		}
		lines.WriteString(path + "\n")
	}
	print(lines.String())
	return nil
}

// threads has so many goroutines ask at once, each with a clone of the scope.
func (s *steps) threads(count int, name string) error {
	stats, errs := make([]fewer.Stat, count), make([]error, count)
	var group sync.WaitGroup
	for i := range count {
		scope := s.here()
		if scope != nil {
			clone, err := scope.Clone()
			if err != nil {
				return err
			}
			scope = clone
		}
		group.Add(1)
		go func() {
			defer group.Done()
			stats[i], errs[i] = scope.Lstat(name, fewer.FieldKind|fewer.FieldSize)
			scope.Close()
		}()
	}
	group.Wait()
	if failed := slices.IndexFunc(errs, func(err error) bool { return err != nil }); failed >= 0 {
		return errs[failed]
	}
	for _, stat := range stats {
		print(statLine(stat) + "\n")
	}
	return nil
}

func bits(word string) uint32 {
	bits, err := strconv.ParseUint(word, 8, 32)
	if err != nil {
		wrongStep("no permissions: " + word)
	}
	return uint32(bits)
}

func (s *steps) create(permissions uint32, path string) error {
	file, err := s.here().Create(path, permissions)
	if err != nil {
		return err
	}
	return file.Close()
}

func (s *steps) take(step string) error {
	here := s.here()
	switch step {
	case "enter":
		return s.goIn(here.Enter(s.word()))
	case "enter-logical":
		return s.goIn(here.EnterLogical(s.word()))
	case "leave":
		if len(s.scopes) == 1 {
			wrongStep("'leave' is no step")
		}
		s.scopes = s.scopes[:len(s.scopes)-1]
		return here.Close()
	case "clone":
		if here == nil {
			return s.goIn(nil, nil)
		}
		return s.goIn(here.Clone())
	case "stat":
		return s.stat(s.word())
	case "link":
		return line(here.ReadLink(s.word()))
	case "read":
		return s.read(s.word())
	case "walk":
		return s.walk(s.word())
	case "logical":
		return line(here.Logical())
	case "physical":
		return line(here.Physical())
	case "threads":
		count := number(s.word(), "threads")
		return s.threads(count, s.word())
	}
	return s.change(step)
}

// change takes the steps that change something.
func (s *steps) change(step string) error {
	here := s.here()
	switch step {
	case "chmod":
		permissions := bits(s.word())
		return here.SetPermissions(s.word(), permissions)
	case "mkdir":
		permissions := bits(s.word())
		return here.MakeDirectory(s.word(), permissions)
	case "create":
		permissions := bits(s.word())
		return s.create(permissions, s.word())
	case "symlink":
		path := s.word()
		return here.MakeSymlink(path, s.word())
	case "hard-link":
		path := s.word()
		return here.MakeHardLink(path, s.word())
	case "remove":
		return here.RemoveFile(s.word())
	case "remove-directory":
		return here.RemoveDirectory(s.word())
	case "remove-tree":
		return here.RemoveTree(s.word())
	}
	wrongStep("'" + step + "' is no step")
	return errors.ErrUnsupported
}

func scope(words []string) int {
	for _, word := range []string{"run", "output", "env"} {
		if slices.Contains(words, word) {
			refuse("children are those of os/exec, which makes calls of its own")
		}
	}
	steps := steps{words: words, scopes: []*fewer.Scope{nil}}
	status := well
	for len(steps.words) > 0 {
		if err := steps.take(steps.word()); err != nil {
			flush()
			complain("scope", err)
			status = partly
		}
		flush()
	}
	for _, scope := range steps.scopes {
		scope.Close()
	}
	return status
}
