// Links 2,000 songs into the folders of their genres.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func link(song int) {
	path := fmt.Sprintf("genres/%d/%d", song%8, song)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		panic(err)
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
