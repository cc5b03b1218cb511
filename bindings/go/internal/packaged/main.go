// Counts the entries of a tree, with the module as it is packaged: `check` builds it as a module of
// its own.
package main

import (
	"context"
	"fmt"
	"os"

	"fewer.dev/go"
)

func main() {
	if err := fewer.Load(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	paths, err := fewer.Paths(context.Background(), os.Args[1], nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, fewer.Message(err))
		os.Exit(1)
	}
	fmt.Println(len(paths))
}
