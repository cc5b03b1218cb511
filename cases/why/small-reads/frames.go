// Counts the frames of a recording: each begins with its length in two bytes.
package main

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
)

func frames(recording io.Reader) (count int, err error) {
	var length uint16
	for {
		if err = binary.Read(recording, binary.BigEndian, &length); err == io.EOF {
			return count, nil
		} else if err != nil {
			return count, err
		}
		if _, err = io.CopyN(io.Discard, recording, int64(length)); err != nil {
			return count, err
		}
		count++
	}
}

func main() {
	file, err := os.Open(os.Args[1])
	if err == nil {
		defer file.Close()
		count := 0
		count, err = frames(file)
		fmt.Println(count, "frames")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
