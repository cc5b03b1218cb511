package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"fewer.dev/go"
)

var linesFlags = []string{
	"-0", "--null", "-n", "--number", "--from=", "--to=", "--last=", "--crlf", "--count", "--longest",
	"--json",
}

type reader struct {
	options fewer.LinesOptions
	from    uint64
	to      uint64
	last    uint64
	hasLast bool
	count   bool
	longest bool
	json    bool
	numbers bool
	crlf    bool
}

// sum is what is said of an input instead of its lines.
type sum struct {
	value  uint64
	number uint64 // of the longest line
	got    bool   // there was something to be read
}

func (r *reader) take(flag, value string) {
	switch flag {
	case "-0", "--null":
		r.options.NUL = true
	case "-n", "--number":
		r.numbers = true
	case "--from":
		r.from = uint64(number(value, flag))
	case "--to":
		r.to = uint64(number(value, flag))
	case "--last":
		r.last, r.hasLast = uint64(number(value, flag)), true
	case "--crlf":
		r.crlf = true
	case "--count":
		r.count = true
	case "--longest":
		r.longest = true
	case "--json":
		r.json = true
	}
}

func isInput(path string) bool { return path == "" || path == "-" }

func (r *reader) open(path string) (*fewer.Text, error) {
	if isInput(path) {
		// The os package calls it /dev/stdin.
		return fewer.BorrowText(os.NewFile(0, "standard input"), &r.options)
	}
	return fewer.OpenText(path, &r.options)
}

// cut is the line without its end, and that.
func (r *reader) cut(line []byte) (content, end string) {
	text := string(line)
	mark := "\n"
	if r.options.NUL {
		mark = "\x00"
	}
	if content, ended := strings.CutSuffix(text, mark); ended {
		if r.crlf {
			content = strings.TrimSuffix(content, "\r")
		}
		return content, mark
	}
	return text, ""
}

func (r *reader) print(content, end string, number, offset uint64, path string) {
	if r.json {
		if path == "" {
			path = "-"
		}
		printf(`{"v":1,"path":%s,"number":%d,"offset":%d,"line":%s}`+"\n", text(path), number, offset,
			text(content))
		return
	}
	if r.numbers {
		printf("%6d\t", number)
	}
	print(content)
	print(end)
}

func (r *reader) printLines(input *fewer.Text, path string, sum *sum) error {
	if r.hasLast {
		if err := input.SkipToLast(r.last); err != nil {
			return err
		}
	}
	if r.from > r.to {
		return nil
	}
	var number, offset uint64
	for line, err := range input.Bytes(background) {
		if err != nil {
			flush()
			return err
		}
		sum.got = true
		number++
		if number >= r.from {
			content, end := r.cut(line)
			r.print(content, end, number, offset, path)
		}
		offset += uint64(len(line))
		if number >= r.to {
			break
		}
	}
	flush()
	return nil
}

func (r *reader) measure(input *fewer.Text, sum *sum) error {
	if r.count {
		total, err := input.Count()
		sum.value, sum.got = total.Ends, total.Bytes > 0
		return err
	}
	var number uint64
	for line, err := range input.Bytes(background) {
		if err != nil {
			return err
		}
		number++
		content, _ := r.cut(line)
		if length := uint64(len(content)); length > sum.value || number == 1 {
			sum.value, sum.number = length, number
		}
		sum.got = true
	}
	return nil
}

// printSum says it of one input, or of all together, which have no number.
func (r *reader) printSum(sum *sum, width int, path string, all bool) {
	key := "lines"
	if r.longest {
		key = "longest"
	}
	if !r.json {
		if strings.Contains(path, "\n") {
			refuse("names for a shell are a matter of the command line")
		}
		space := " "
		if path == "" {
			space = ""
		}
		printf("%*d%s%s\n", width, sum.value, space, path)
		return
	}
	if all {
		print(`{"v":1,"total":true`)
	} else {
		shown := path
		if shown == "" {
			shown = "-"
		}
		print(`{"v":1,"path":` + text(shown))
	}
	printf(`,"%s":%d`, key, sum.value)
	if r.longest && !all {
		printf(`,"number":%d`, sum.number)
	}
	print("}\n")
}

// widthOf is as wide as the sizes of all files together; 7 if one is no file.
func widthOf(paths []string) int {
	var process *fewer.Scope
	var total uint64
	width := 1
	for _, path := range paths {
		if isInput(path) {
			path = "/dev/stdin"
		}
		stat, err := process.Stat(path, fewer.FieldKind|fewer.FieldSize)
		if err != nil {
			continue
		}
		if stat.Kind.IsFile() {
			total += stat.Size
		} else {
			width = 7
		}
	}
	return max(width, len(fmt.Sprint(total)))
}

func lines(words []string) int {
	reader := reader{from: 1, to: 1<<64 - 1, options: fewer.LinesOptions{KeepEnds: true}}
	parser := parser{verb: "lines", flags: linesFlags, words: words}
	for flag, value := parser.next(); flag != ""; flag, value = parser.next() {
		reader.take(flag, value)
	}
	if reader.hasLast && (reader.json || reader.numbers) {
		refuse("no numbers of the last lines in Go")
	}
	paths := parser.rest
	if len(paths) == 0 {
		paths = []string{""}
	}
	sums := reader.count || reader.longest
	width := 1
	if sums && len(paths) > 1 && !reader.json {
		width = widthOf(paths)
	}
	var all sum
	failed, without := 0, 0
	for _, path := range paths {
		var one sum
		err := reader.read(path, &one, width)
		if reader.count {
			all.value += one.value
		} else {
			all.value = max(all.value, one.value)
		}
		if err != nil {
			complain("fewer", err)
			failed++
			if !one.got {
				without++
			}
		}
	}
	if sums && len(paths) > 1 {
		reader.printSum(&all, width, "total", true)
	}
	switch {
	case without == len(paths):
		return failedWholly
	case failed > 0:
		return partly
	}
	return well
}

func (r *reader) read(path string, sum *sum, width int) error {
	input, err := r.open(path)
	if errors.Is(err, fs.ErrClosed) {
		refuse("a standard input that is closed")
	}
	if err != nil {
		return err
	}
	defer input.Close()
	if !r.count && !r.longest {
		return r.printLines(input, path, sum)
	}
	err = r.measure(input, sum)
	r.printSum(sum, width, path, false)
	return err
}
