// Counts the bytes of many small files.
package main

import (
	"fmt"
	"os"
)

func size(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	var block [4096]byte
	return file.Read(block[:])
}

func main() {
	bytes := 0
	for number := 0; number < 3000; number++ {
		count, err := size(fmt.Sprintf("%s/f%d", os.Args[1], number))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		bytes += count
	}
	fmt.Println(bytes, "bytes")
}
