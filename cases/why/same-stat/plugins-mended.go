// Sorts requests by whether the plugin that would answer them is installed.
package main

import (
	"fmt"
	"os"
)

func installed(plugin string) bool {
	_, err := os.Stat(plugin)
	return err == nil
}

func main() {
	answered := 0
	plugin := installed(os.Args[1])
	for request := 0; request < 10000; request++ {
		if plugin {
			answered++
		}
	}
	fmt.Println(answered, "requests answered")
}
