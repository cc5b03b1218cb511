// Counts the bytes of many small files.
package main

import (
	"fmt"
	"os"
	"syscall"
)

func size(path string) (int, error) {
	file, err := syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0, err
	}
	defer syscall.Close(file)
	var block [4096]byte
	return syscall.Read(file, block[:])
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
