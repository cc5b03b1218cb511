// Counts files by group.
package main

import (
	"fmt"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

var names = map[uint32]string{}

func group(id uint32) string {
	name, known := names[id]
	if !known {
		name = lookUp(id)
		names[id] = name
	}
	return name
}

func lookUp(id uint32) string {
	found, err := user.LookupGroupId(strconv.Itoa(int(id)))
	if err != nil {
		return strconv.Itoa(int(id))
	}
	return found.Name
}

func main() {
	files := map[string]int{}
	for number := 0; number < 2000; number++ {
		var about syscall.Stat_t
		if err := syscall.Lstat(fmt.Sprintf("%s/f%d", os.Args[1], number), &about); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		files[group(about.Gid)]++
	}
	fmt.Println(files)
}
