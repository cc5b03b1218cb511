// Walks a tree into a slice of paths, or lists a directory with size and time of each entry, or
// reads a file into a slice of lines, with fewer and as people do without.
//
//	go-fewer MODE ROUNDS PATH   once, and then ROUNDS times more: prints how many there are and the
//	                            median of the latter's times; with 0 rounds each path or line
package main

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"fewer.dev/go"
	"github.com/charlievieth/fastwalk"
	"github.com/karrick/godirwalk"
)

var modes = map[string]func(string) ([]string, error){
	"paths":      paths,
	"walk":       walk,
	"walkdir":    func(top string) ([]string, error) { return walkDir(top, fewer.WalkDir) },
	"std":        func(top string) ([]string, error) { return walkDir(top, filepath.WalkDir) },
	"fastwalk":   fast,
	"godirwalk":  godir,
	"list":       list,
	"read-dir":   readDir,
	"read-lines": readLines,
	"lines":      lines,
	"scanner":    scanner,
}

func paths(top string) ([]string, error) { return fewer.Paths(context.Background(), top, nil) }

func walk(top string) (all []string, err error) {
	for entry, err := range fewer.Walk(context.Background(), top, nil) {
		if err != nil {
			return nil, err
		}
		all = append(all, entry.Path())
	}
	return all, nil
}

func walkDir(top string, walk func(string, fs.WalkDirFunc) error) (all []string, err error) {
	err = walk(top, func(path string, _ fs.DirEntry, err error) error {
		all = append(all, path)
		return err
	})
	return all, err
}

// Its function is called by several goroutines.
func fast(top string) (all []string, err error) {
	var lock sync.Mutex
	err = fastwalk.Walk(nil, top, func(path string, _ fs.DirEntry, err error) error {
		lock.Lock()
		all = append(all, path)
		lock.Unlock()
		return err
	})
	return all, err
}

func godir(top string) (all []string, err error) {
	err = godirwalk.Walk(top, &godirwalk.Options{
		Unsorted: true,
		Callback: func(path string, _ *godirwalk.Dirent) error {
			all = append(all, path)
			return nil
		},
	})
	return all, err
}

func list(top string) (all []string, err error) {
	fields := fewer.FieldSize | fewer.FieldModified
	rows, err := fewer.List(top, &fewer.ListOptions{Fields: fields})
	for _, row := range rows {
		look(int64(row.Stat().Size), row.Stat().Modified.Time())
		all = append(all, row.Name())
	}
	return all, err
}

func readDir(top string) (all []string, err error) {
	entries, err := os.ReadDir(top)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return nil, err
		}
		look(info.Size(), info.ModTime())
		all = append(all, entry.Name())
	}
	return all, err
}

// look uses what was asked for.
func look(size int64, modified time.Time) {
	if size < 0 || modified.IsZero() {
		panic("that is no file")
	}
}

func readLines(path string) ([]string, error) {
	return fewer.ReadLines(context.Background(), path, nil)
}

func lines(path string) (all []string, err error) {
	for line, err := range fewer.Lines(context.Background(), path, nil) {
		if err != nil {
			return nil, err
		}
		all = append(all, line)
	}
	return all, nil
}

func scanner(path string) (all []string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		all = append(all, scanner.Text())
	}
	return all, scanner.Err()
}

func main() {
	work := modes[os.Args[1]]
	rounds, err := strconv.Atoi(os.Args[2])
	check(err)
	all, err := work(os.Args[3])
	check(err)
	if rounds == 0 {
		out := bufio.NewWriter(os.Stdout)
		for _, one := range all {
			fmt.Fprintln(out, one)
		}
		check(out.Flush())
		return
	}
	var times []float64
	for range rounds {
		start := time.Now()
		all, err = work(os.Args[3])
		check(err)
		times = append(times, time.Since(start).Seconds()*1e3)
	}
	slices.Sort(times)
	fmt.Printf("%d entries, %.3f ms\n", len(all), times[len(times)/2])
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
