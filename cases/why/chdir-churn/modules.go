// Adds up the sizes of the files "go.mod" of many modules.
package main

import (
	"fmt"
	"os"
)

func size(module string) (int64, error) {
	back, err := os.Getwd()
	if err != nil {
		return 0, err
	}
	if err := os.Chdir(module); err != nil {
		return 0, err
	}
	defer os.Chdir(back)
	about, err := os.Stat("go.mod")
	if err != nil {
		return 0, err
	}
	return about.Size(), nil
}

func main() {
	var sum int64
	for number := 0; number < 1000; number++ {
		bytes, err := size(fmt.Sprintf("%s/d%d", os.Args[1], number))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		sum += bytes
	}
	fmt.Println(sum, "bytes")
}
