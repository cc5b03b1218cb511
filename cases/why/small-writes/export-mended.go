// Exports the rows of a table as CSV.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func export(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	rows := bufio.NewWriterSize(file, 1<<16)
	for row := 1; row <= 10000; row++ {
		if _, err := fmt.Fprintf(rows, "%d,name %d,%d\n", row, row, row*7); err != nil {
			return err
		}
	}
	return rows.Flush()
}

func main() {
	if err := export(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
