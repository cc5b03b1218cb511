// Counts the lines of files.
package main

import (
	"bytes"
	"fmt"
	"os"
)

func lines(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return bytes.Count(text, []byte{'\n'})
}

func main() {
	sum := 0
	for number := 0; number < 200; number++ {
		sum += lines(fmt.Sprintf("%s/f%d", os.Args[1], number))
	}
	fmt.Println(sum, "lines")
}
