// Links 2,000 songs into the folders of their genres.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

var made = map[string]bool{}

func link(song int) {
	path := fmt.Sprintf("genres/%d/%d", song%8, song)
	if folder := filepath.Dir(path); !made[folder] {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			panic(err)
		}
		made[folder] = true
	}
	if err := os.Symlink(fmt.Sprint("../../songs/", song), path); err != nil {
		panic(err)
	}
}

func main() {
	for song := 0; song < 2000; song++ {
		link(song)
	}
}
