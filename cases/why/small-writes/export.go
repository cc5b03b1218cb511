// Exports the rows of a table as CSV.
package main

import (
	"fmt"
	"os"
)

func export(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for row := 1; row <= 10000; row++ {
		if _, err := fmt.Fprintf(file, "%d,name %d,%d\n", row, row, row*7); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := export(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
