// Notes 2,000 stages of a journey.
package main

import (
	"fmt"
	"os"
)

func note(file *os.File, stage int) {
	fmt.Fprintf(file, "stage %d\n", stage)
}

func main() {
	file, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		panic(err)
	}
	defer file.Close()
	for stage := 0; stage < 2000; stage++ {
		note(file, stage)
	}
}
