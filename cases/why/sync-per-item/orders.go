// Stores orders.
package main

import (
	"fmt"
	"os"
)

func store(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for order := 1; order <= 500; order++ {
		if _, err := fmt.Fprintln(file, "order", order); err != nil {
			return err
		}
		if err := file.Sync(); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	if err := store(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("500 orders")
}
