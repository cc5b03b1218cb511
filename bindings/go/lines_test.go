package fewer_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fewer.dev/go"
)

func write(t testing.TB, content string) string {
	t.Helper()
	path := t.TempDir() + "/text"
	check(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func TestLinesEndWhereTheirOptionsSay(t *testing.T) {
	for _, row := range []struct {
		content string
		options fewer.LinesOptions
		want    []string
	}{
		{"", fewer.LinesOptions{}, nil},
		{"\n", fewer.LinesOptions{}, []string{""}},
		{"a\nb", fewer.LinesOptions{}, []string{"a", "b"}},
		{"a\r\nb\rc\n", fewer.LinesOptions{}, []string{"a\r", "b\rc"}},
		{"a\r\nb\rc\n", fewer.LinesOptions{CRLF: true}, []string{"a", "b\rc"}},
		{"a\r\nb", fewer.LinesOptions{CRLF: true, KeepEnds: true}, []string{"a\r\n", "b"}},
		{"a\n\x00b\x00", fewer.LinesOptions{NUL: true}, []string{"a\n", "b"}},
		{"\xff\x00\n\xfe", fewer.LinesOptions{}, []string{"\xff\x00", "\xfe"}},
	} {
		path := write(t, row.content)
		lines, err := fewer.ReadLines(background, path, &row.options)
		check(t, err)
		equalLists(t, lines, row.want)
		var iterated []string
		for line, err := range fewer.Lines(background, path, &row.options) {
			check(t, err)
			iterated = append(iterated, line)
		}
		equalLists(t, iterated, row.want)
		text, err := fewer.OpenText(path, &row.options)
		check(t, err)
		var lent []string
		for line, err := range text.Bytes(background) {
			check(t, err)
			equal(t, cap(line), len(line))
			lent = append(lent, string(line))
		}
		equalLists(t, lent, row.want)
		check(t, text.Close())
	}
}

func TestManyLinesAreThoseOfSplit(t *testing.T) {
	var content strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&content, "%d %s\n", i, strings.Repeat("x", i%97))
	}
	content.WriteString(strings.Repeat("long", 200_000))
	path := write(t, content.String())
	want := strings.Split(content.String(), "\n")
	for _, options := range []fewer.LinesOptions{{}, {Threads: 1}, {BlockBytes: 4096}} {
		lines, err := fewer.ReadLines(background, path, &options)
		check(t, err)
		equal(t, slices.Equal(lines, want), true)
	}
	count, err := fewer.CountLines(path, nil)
	check(t, err)
	equal(t, count, fewer.LineCount{
		Lines: 200_001, Ends: 200_000, Bytes: uint64(content.Len()),
	})
	last, err := fewer.LastLines(background, path, 3, nil)
	check(t, err)
	equal(t, slices.Equal(last, want[len(want)-3:]), true)
	last, err = fewer.LastLines(background, path, 0, nil)
	check(t, err)
	equal(t, len(last), 0)
}

func TestWhatIsNotUTF8HasAPosition(t *testing.T) {
	path := write(t, "grün\nab\xffc\n")
	_, err := fewer.ReadLines(background, path, &fewer.LinesOptions{UTF8: true})
	equal(t, errors.Is(err, syscall.EILSEQ), true)
	var wrong *fewer.NotUTF8Error
	equal(t, errors.As(err, &wrong), true)
	equal(t, wrong.Line, 2)
	equal(t, wrong.Offset, 8)
	equal(t, wrong.Column, 2)
	equal(t, pathError(t, err).Path, path)
	if message := fewer.Message(err); !strings.Contains(message, path) {
		t.Error(message)
	}
	lines, err := fewer.ReadLines(background, path, nil)
	check(t, err)
	equalLists(t, lines, []string{"grün", "ab\xffc"})
}

func TestAPipeIsRead(t *testing.T) {
	reader, writer, err := os.Pipe()
	check(t, err)
	defer reader.Close()
	go func() {
		for i := range 3 {
			// A reader that does not wait would find nothing.
			time.Sleep(20 * time.Millisecond)
			fmt.Fprintf(writer, "line %d\n", i)
		}
		writer.Close()
	}()
	text, err := fewer.BorrowText(reader, nil)
	check(t, err)
	var lines []string
	for line, err := range text.Lines(background) {
		check(t, err)
		lines = append(lines, line)
	}
	equalLists(t, lines, []string{"line 0", "line 1", "line 2"})
	check(t, text.Close())
	// It is still the caller's.
	check(t, reader.Close())
	_, err = fewer.BorrowText(reader, nil)
	equal(t, errors.Is(err, fs.ErrClosed), true)
}

func TestATextThatIsClosedSaysSo(t *testing.T) {
	text, err := fewer.OpenText(write(t, "a\nb\n"), nil)
	check(t, err)
	for _, err := range text.Lines(background) {
		check(t, err)
		check(t, text.Close())
		break
	}
	check(t, text.Close())
	for _, err := range text.Lines(background) {
		equal(t, err, fs.ErrClosed)
	}
	_, err = text.Count()
	equal(t, err, fs.ErrClosed)
	equal(t, text.SkipToLast(1), fs.ErrClosed)
}

func TestATextThatCannotBeReadSaysWhy(t *testing.T) {
	top := t.TempDir()
	for _, err := range fewer.Lines(background, top+"/none", nil) {
		equal(t, errors.Is(err, fs.ErrNotExist), true)
		equal(t, pathError(t, err).Op, "open")
	}
	_, err := fewer.ReadLines(background, top, nil)
	equal(t, errors.Is(err, syscall.EISDIR), true)
	_, err = fewer.ReadLines(background, top, &fewer.LinesOptions{BlockBytes: -1})
	equal(t, errors.Is(err, syscall.EINVAL), true)
	_, err = fewer.CountLines("a\x00", nil)
	equal(t, errors.Is(err, syscall.EINVAL), true)
	ctx, cancel := context.WithCancel(background)
	cancel()
	_, err = fewer.ReadLines(ctx, write(t, "a\n"), nil)
	equal(t, err, context.Canceled)
}

func TestALoopMayCloseItsText(t *testing.T) {
	path := write(t, strings.Repeat("line\n", 1000))
	read := func(lines func(*fewer.Text) error, want error) {
		text, err := fewer.OpenText(path, nil)
		check(t, err)
		defer text.Close()
		equal(t, lines(text), want)
	}
	read(func(text *fewer.Text) (last error) {
		count := 0
		for line, err := range text.Lines(background) {
			check(t, text.Close())
			if err == nil {
				equal(t, line, "line")
				count++
			}
			last = err
		}
		equal(t, count, 1000)
		return last
	}, fs.ErrClosed)
	read(func(text *fewer.Text) (last error) {
		count := 0
		for line, err := range text.Bytes(background) {
			rest, countErr := text.Count()
			check(t, countErr)
			equal(t, rest.Lines, 0)
			equal(t, string(line), "line")
			count++
			last = err
		}
		equal(t, count, 1000)
		return last
	}, nil)
}
