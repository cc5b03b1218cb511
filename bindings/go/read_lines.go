package fewer

import (
	"context"
	"iter"
)

// Lines goes through the lines of a file, as strings; see Text.Lines. Each range over it reads
// anew.
//
//	for line, err := range fewer.Lines(ctx, "log", nil) {
//
// Price: openat, one read for each 256 KiB, one that finds the end, close.
func Lines(ctx context.Context, path string, options *LinesOptions) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		text, err := OpenText(path, options)
		if err != nil {
			yield("", err)
			return
		}
		defer text.Close()
		text.Lines(ctx)(yield)
	}
}

// ReadLines is all lines of a file. If it cannot be read to its end, there are the lines up to
// there, and an error.
//
// Price: as Lines.
func ReadLines(ctx context.Context, path string, options *LinesOptions) ([]string, error) {
	text, err := OpenText(path, options)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	return text.read(ctx)
}

// LastLines is the last lines of a file, so many.
//
// Price: openat, one pread64 for each 256 KiB from the end, close; what is no file is read to its
// end.
func LastLines(
	ctx context.Context, path string, count uint64, options *LinesOptions,
) ([]string, error) {
	text, err := OpenText(path, options)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	if err := text.SkipToLast(count); err != nil {
		return nil, err
	}
	return text.read(ctx)
}

// CountLines counts the lines of a file; see Text.Count.
//
// Price: openat, close, and that of Text.Count.
func CountLines(path string, options *LinesOptions) (LineCount, error) {
	text, err := OpenText(path, options)
	if err != nil {
		return LineCount{}, err
	}
	defer text.Close()
	return text.Count()
}

// read is the lines that are left.
func (t *Text) read(ctx context.Context) ([]string, error) {
	batch := newLineBatch()
	var lines []string
	for {
		more, err := t.next(ctx, batch)
		if err != nil || !more {
			return lines, err
		}
		block := goString(&batch.inC.Bytes, batch.inC.BytesLength)
		for i := range batch.ends {
			start, stop := batch.cut(i, t.keepEnds)
			lines = append(lines, block[start:stop])
		}
	}
}
