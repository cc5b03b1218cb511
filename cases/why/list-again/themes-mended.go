// Chooses a theme for each of 3,000 pages: the one of its number, if there is one.
package main

import (
	"fmt"
	"os"
)

func theme(entries []os.DirEntry, page int) bool {
	for _, entry := range entries {
		if entry.Name() == fmt.Sprint("theme-", page%40) {
			return true
		}
	}
	return false
}

func main() {
	entries, err := os.ReadDir(os.Args[1])
	if err != nil {
		panic(err)
	}
	found := 0
	for page := 0; page < 3000; page++ {
		if theme(entries, page) {
			found++
		}
	}
	fmt.Println(found, "pages have a theme")
}
