// Counts the lines of files.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

func lines(path string) int {
	told, err := exec.Command("wc", "-l", path).Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	count, _ := strconv.Atoi(strings.Fields(string(told))[0])
	return count
}

func main() {
	sum := 0
	for number := 0; number < 200; number++ {
		sum += lines(fmt.Sprintf("%s/f%d", os.Args[1], number))
	}
	fmt.Println(sum, "lines")
}
