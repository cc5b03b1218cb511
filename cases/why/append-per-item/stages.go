// Notes 2,000 stages of a journey.
package main

import (
	"fmt"
	"os"
)

func note(path string, stage int) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	fmt.Fprintf(file, "stage %d\n", stage)
}

func main() {
	for stage := 0; stage < 2000; stage++ {
		note(os.Args[1], stage)
	}
}
