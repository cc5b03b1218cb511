// Checks orders against a limit that a file sets.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func limit(path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	value, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return value
}

func main() {
	accepted, most := 0, limit(os.Args[1])
	for order := 1; order <= 5000; order++ {
		if order <= most {
			accepted++
		}
	}
	fmt.Println(accepted, "orders accepted")
}
