// Stores orders.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func store(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	orders := bufio.NewWriter(file)
	for order := 1; order <= 500; order++ {
		fmt.Fprintln(orders, "order", order)
	}
	if err := orders.Flush(); err != nil {
		return err
	}
	return file.Sync()
}

func main() {
	if err := store(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("500 orders")
}
