// Chooses a theme for each of 3,000 pages: the one of its number, if there is one.
package main

import (
	"fmt"
	"os"
)

func theme(folder string, page int) bool {
	entries, err := os.ReadDir(folder)
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		if entry.Name() == fmt.Sprint("theme-", page%40) {
			return true
		}
	}
	return false
}

func main() {
	found := 0
	for page := 0; page < 3000; page++ {
		if theme(os.Args[1], page) {
			found++
		}
	}
	fmt.Println(found, "pages have a theme")
}
