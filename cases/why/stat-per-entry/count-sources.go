// Counts the Go files below a directory.
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	files := 0
	err := filepath.Walk(os.Args[1], func(path string, about fs.FileInfo, err error) error {
		if err == nil && !about.IsDir() && strings.HasSuffix(path, ".go") {
			files++
		}
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(files, "files")
}
