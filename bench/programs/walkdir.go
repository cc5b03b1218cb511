// Prints a directory tree with filepath.WalkDir.
package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	out := bufio.NewWriterSize(os.Stdout, 64*1024)
	status := 0
	err := filepath.WalkDir(os.Args[1], func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
			return nil
		}
		out.WriteString(path)
		return out.WriteByte('\n')
	})
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status)
}
