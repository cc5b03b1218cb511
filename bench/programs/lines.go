// Reads the lines of a file with bufio.Scanner.
//
//	go-lines count FILE            the number of lines
//	go-lines collect ROUNDS FILE   all lines as strings, three times and then ROUNDS times more: the
//	                               number of lines and the median of the latter's times
//	go-lines invalid FILE          the numbers of the lines that are not UTF-8
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"time"
	"unicode/utf8"
)

const warmUp = 3

func main() {
	path := os.Args[len(os.Args)-1]
	switch os.Args[1] {
	case "count":
		count := 0
		each(path, func([]byte) { count++ })
		fmt.Println(count)
	case "collect":
		rounds, err := strconv.Atoi(os.Args[2])
		check(err)
		collect(path, rounds)
	case "invalid":
		number := 0
		each(path, func(line []byte) {
			number++
			if !utf8.Valid(line) {
				fmt.Println(number)
			}
		})
	default:
		os.Exit(2)
	}
}

func collect(path string, rounds int) {
	var times []float64
	count := 0
	for round := -warmUp; round < rounds; round++ {
		start := time.Now()
		var lines []string
		each(path, func(line []byte) { lines = append(lines, string(line)) })
		if round >= 0 {
			times = append(times, time.Since(start).Seconds()*1e3)
		}
		count = len(lines)
	}
	sort.Float64s(times)
	fmt.Printf("%d lines, %.3f ms\n", count, times[len(times)/2])
}

func each(path string, take func([]byte)) {
	file, err := os.Open(path)
	check(err)
	scanner := bufio.NewScanner(file)
	for scanner.Scan() {
		take(scanner.Bytes())
	}
	check(scanner.Err())
	check(file.Close())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
